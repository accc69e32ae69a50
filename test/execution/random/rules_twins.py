"""Twins: a number of the half spectrum of a real field, and the same of the full
transform of the same field as a complex one. Both count every mode, so they agree."""
import math


class TwinRules:
    """Each method adds an output of two columns, which must be equal."""

    # Of F, which is real in space, at wave numbers u, v, ... without units; w is that along the halved dim, and takes
    # the same value at both ends.
    REAL = (
        "norm2({F})", "norm2({F}) * (1 + 0.5 * sin({u}))", "real({F}) * cos({w})", "imag({F}) * sin({u}) + 0.2", "imag({F}) + 0.3",
        "real({F} * {F})", "imag({F} * {F}) * sin({w}) + 0.2", "abs({F})", "sqrt(norm2({F}))", "arg(2 + {F} / (1 + abs({F})))",
        "real({F}) * (2 + sin({u}) + sin({u}) * sin({w}))", "exp(real({F})) + imag({F})^3", "max(real({F}), imag({F}))",
        "(if real({F}) > 0.01 * cos({u}) then norm2({F}) else imag({F}))", "real(exp(1i * {F} / (1 + norm2({F})))) * (0.3 + sin({u} + {w}))",
        "real(conj({F}) * {F}^2)", "sign(imag({F}) + 0.3 + 0.1 * {s}) * norm2({F})", "tanh(9 * imag({F})) + {s} * real({F})")
    # That keep a spectrum that of a real field.
    HERMITIAN = ("{F}", "{F}", "exp(-0.1 * ({u}^2 + {w}^2)) * {F}", "1i * sin({u}) * {F}", "(1 + 0.4i * sin({w})) * {F}",
                 "conj({F}) * (1 + 0.3i * sin({u}))", "{F} * (if abs({u}) > 1 then 0.5 else 2.0)", "{F}^2 * 3 + {F}",
                 "{F} / (1 + norm2({F}))", "({F} * 2 - conj({F})) * (1 + {s} * cos({u}))")

    def wave_numbers(self, dims, variable="k"):
        """Texts of {u}, along any transformed dim, and {w}, along the halved one. At the last mode of an even number of
        cells, which is at both ends, they are 0: an odd function would differ there, and of one that rounds to nearly
        nothing, as a sine of pi, a kink such as max(real, imag) has would tell the sign."""
        def is_odd(dim):
            return self.program.dims[dim.label] * dim.finer % 2
        def phase(dim):
            text = "({k}[{d}] * spacing({d}))".format(k=variable, d=dim.label)
            return text if is_odd(dim) else "(if abs({0}) > 3.1 then 0 else {0})".format(text)
        odd = [d for d in dims if d is not dims[-1] or is_odd(d)]
        w = phase(dims[-1])
        return {"u": phase(self.random.choice(odd)) if odd else w, "w": w}

    def pair_of_spectra(self, dims, over):
        """Names of the half and the full spectrum of the same noise, transformed over
        some of its dims, the last of which is halved."""
        f = self.generic(dims)
        text = ", over = (%s)" % ", ".join(d.label for d in over) if len(over) > 1 else ", over = " + over[0].label
        half, full = self.name("h"), self.name("h")
        cells = math.prod(self.program.dims[d.label] * d.finer for d in over)
        for made, zero in ((half, ""), (full, " + 0i")):  # of order one
            self.say("let %s = %.3f * fft(%s%s%s)" % (made, math.sqrt(cells), f.name, zero, text), made, (f.name,))
        step, number = self.random.choice(self.HERMITIAN), self.scalar()
        if step != "{F}":
            waves = self.wave_numbers(over)
            names = []
            for spectrum in (half, full):
                names.append(self.name("h"))
                self.say("let %s = map k in %s => %s" % (names[-1], spectrum, step.format(F=spectrum, s=number[0], **waves)),
                         names[-1], (spectrum,) + number[1])
            half, full = names
        return half, full

    def twin_dims(self):
        """Dims of a field, and those that are transformed, in their order."""
        dims = self.some_dims(self.random.randint(1, 3), refined=0.05)
        over = [d for d in dims if self.random.random() < 0.8] or [dims[-1]]
        return dims, over

    def twins(self, text, half, full, needs=()):
        """The output of a number or a field of one dim, of each."""
        name = self.name("tw")
        pair = []
        for spectrum in (half, full):
            pair.append(self.name("v"))
            self.say("let %s = %s" % (pair[-1], text.format(F=spectrum)), pair[-1], (spectrum,) + needs)
        self.say("output %s (half, full) = (%s, %s)" % (name, *pair), needs=pair)
        self.program.twins.add(name)

    def twin_number(self):
        dims, over = self.twin_dims()
        half, full = self.pair_of_spectra(dims, over)
        number, needs = self.scalar()
        value = self.random.choice(self.REAL).format(F="{F}", s=number, **self.wave_numbers(over))
        text = self.random.choice(["sum({v})", "mean({v})", "max({v})", "min({v})", "sum({v})", "mean({v})"])
        self.twins(text.format(v="map k in {F} => " + value) if "k[" in value else text.format(v=value), half, full, needs)

    def twin_complex(self):
        """Of complex spectra: sums, and inner products."""
        dims, over = self.twin_dims()
        half, full = self.pair_of_spectra(dims, over)
        waves = self.wave_numbers(over)
        self.twins(self.random.choice([
            "real(sum({F}))", "imag(sum({F})) + real(mean({F}))", "inner({F}, {F})",
            "inner({F}, map k in {F} => 1i * sin(%s) * {F} * (2 + {F}))" % waves["u"],
            "inner({F}, map k in {F} => exp(0.2i * sin(%s)) * {F})" % waves["w"],
            "real(sum(map k in {F} => (1 + 1i * sin(%s)) * {F}))" % waves["u"],
            "abs(sum({F} * {F}))"]), half, full)

    def twin_bins(self):
        dims, over = self.twin_dims()
        half, full = self.pair_of_spectra(dims, over)
        number, needs = self.scalar()
        value = self.random.choice(self.REAL).format(F="{F}", s=number, **self.wave_numbers(over))
        along = self.random.choice(over)
        cells = self.program.dims[along.label] * along.finer
        even_last = along is over[-1] and cells % 2 == 0
        radius = " + ".join("index(k, %s)^2" % d.label for d in over)
        places = ["sqrt(%s)" % radius, "abs(index(k, %s))" % along.label]
        if not even_last:  # -N/2 is N/2 where it is stored
            places += ["index(k, %s) + %d" % (along.label, cells // 2)] * 2
        self.twins("(bins k in {F} into %d by %s => (%s, 1))[%d]" % (
            self.random.randint(2, cells + 1), self.random.choice(places), value, self.random.choice([0, 0, 1])),
            half, full, needs)

    def twin_part(self):
        """A sum over some dims leaves a half spectrum, which goes on as one."""
        dims, over = self.twin_dims()
        gone = [d for d in dims if d is not over[-1]]
        if not gone:
            return self.twin_number()
        gone = self.random.sample(gone, self.random.randint(1, len(gone)))
        left = [d for d in over if d not in gone]
        half, full = self.pair_of_spectra(dims, over)
        names = []
        for spectrum in (half, full):
            names.append(self.name("h"))
            self.say("let %s = %s(%s, over = (%s))" % (names[-1], "sum", spectrum, ", ".join(d.label for d in gone)) if
                     len(gone) > 1 else "let %s = sum(%s, over = %s)" % (names[-1], spectrum, gone[0].label),
                     names[-1], (spectrum,))
        number, needs = self.scalar()
        value = self.random.choice(self.REAL).format(F="{F}", s=number, **self.wave_numbers(left))
        self.twins("%s(map k in {F} => %s)" % (self.random.choice(["sum", "mean", "max"]), value), *names, needs)

    def twin_gradient(self):
        """By the field in space, of numbers of its spectra."""
        dims, over = self.twin_dims()
        f = self.generic(dims)
        labels = "(%s)" % ", ".join(d.label for d in over) if len(over) > 1 else over[0].label
        number, needs = self.scalar()
        smooth = [text for text in self.REAL if "sign" not in text and "abs" not in text and "sqrt" not in text]
        waves = self.wave_numbers(over)
        value = self.random.choice(smooth).format(F="h", s=number, **waves)
        step = self.random.choice(self.HERMITIAN).format(F="g", s=number, **waves)
        kind = self.random.choice(["sum", "sum", "mean", "max"])
        names, fields = [], []
        for zero in ("", " + 0i"):
            names.append(self.name("fn_"))
            self.say("fn %s(u) { let g = fft(u%s, over = %s); let h = map k in g => %s; %s(map k in h => %s) }" % (
                names[-1], zero, labels, step, kind, value), names[-1], needs)
        second = kind != "max" and self.random.random() < 0.4
        for name in names:
            fields.append(self.name("f"))
            self.say(("let %s = jvp(grad(%s))(%s, tangent = cos(%s))[1]" % (fields[-1], name, f.name, f.name)) if second else
                     "let %s = grad(%s)(%s)" % (fields[-1], name, f.name), fields[-1], (name, f.name))
        output = self.name("tw")
        self.say("output %s (half, full) = (%s, %s)" % (output, *fields), needs=fields)
        self.program.twins.add(output)

    def twin_cotangent(self):
        """By a spectrum: its product with a change of the spectrum."""
        dims, over = self.twin_dims()
        half, full = self.pair_of_spectra(dims, over)
        labels = "(%s)" % ", ".join(d.label for d in over) if len(over) > 1 else over[0].label
        f, waves = self.generic(dims), self.wave_numbers(over)
        number, needs = self.scalar()
        smooth = [text for text in self.REAL if "sign" not in text and "abs" not in text and "sqrt" not in text]
        value = self.random.choice(smooth).format(F="h", s=number, **waves)
        step = self.random.choice(self.HERMITIAN).format(F="g", s=number, **waves)
        name = self.name("fn_")
        kind = self.random.choice(["sum(map k in h => %s)", "mean(map k in h => %s)"]) % value
        if len(dims) > len(over):  # of numbers for each of a batch, to one
            kind = self.random.choice([kind, "sum(mean(map k in h => %s, over = %s)^2)" % (value, labels)])
        self.say("fn %s(g) { let h = map k in g => %s; %s }" % (name, step, kind), name, needs)
        second = self.random.random() < 0.4
        values = []
        for spectrum, zero in ((half, ""), (full, " + 0i")):
            change, slope = self.name("h"), self.name("h")
            self.say("let %s = fft(%s%s, over = %s)" % (change, f.name, zero, labels), change, (f.name,))
            self.say("let %s = %s" % (slope, ("jvp(grad({n}))({s}, tangent = {c})[1]" if second else "grad({n})({s})").format(
                n=name, s=spectrum, c=change)), slope, (name, spectrum, change))
            along = self.name("v")
            self.say("let %s = inner(%s, map k in %s => (1 + 0.5i * sin(%s)) * %s) + jvp(%s)(%s, tangent = %s)[1]" % (
                along, slope, change, waves["u"], change, name, spectrum, change), along, (slope, change, name, spectrum))
            values.append(along)
        output = self.name("tw")
        self.say("output %s (half, full) = (%s, %s)" % (output, *values), needs=values)
        self.program.twins.add(output)

    def twin_vector(self):
        """A vector over dims in an order of its own: what is taken of it by name, by place, in the order of the field's dims, or
        in a loop is what the component is alone."""
        dims = [d for d in self.some_dims(2, refined=0) if d.label != "t"]
        if len(dims) < 2:
            return self.twin_number()
        order = self.random.sample(dims, len(dims))
        f, g, chosen = self.generic(tuple(dims)), self.generic(tuple(dims)), self.random.choice(dims)
        def list_of(some):
            return "(%s)" % ", ".join(d.label for d in some)
        def part(label):
            return "{0}[{1} + 1] * (1 + 0.1 * cells({1}))".format(f.name, label)
        vector, c, own = self.name("v"), chosen.label, list_of(order)
        self.say("let %s = for d in %s => %s" % (vector, own, part("d")), vector, (f.name,))
        alone = part(c)
        one, other = self.random.choice([
            ("%s[%s]" % (vector, c), alone),
            ("%s[%d]" % (vector, order.index(chosen)), alone),
            ("(for d in %s => %s[d])[%d]" % (list_of(dims), vector, dims.index(chosen)), alone),
            ("(loop w = %s for i in 0 .. 2 => for d in %s => 0.5 * w[d] + 0.1)[%s]" % (vector, own, c),
             "loop w = %s for i in 0 .. 2 => 0.5 * w + 0.1" % alone),
            ("total(%s)" % vector, " + ".join(part(d.label) for d in dims)),
            ("dot(%s, for d in %s => sin(%s[d - 1]))" % (vector, own, g.name),
             " + ".join("%s * sin(%s[%s - 1])" % (part(d.label), g.name, d.label) for d in dims)),
            ("grad(u => sum(sin((for d in %s => u[d + 1] * cells(d))[%s] * u)))(%s)" % (own, c, g.name),
             "grad(u => sum(sin(u[%s + 1] * cells(%s) * u)))(%s)" % (c, c, g.name)),
            ("(map q in %s => (for d in %s => index(q, d) * %s)[%s])" % (f.name, own, f.name, c),
             "map q in %s => index(q, %s) * %s" % (f.name, c, f.name)),
            ("paint(for d in %s => 0.3 * spacing(d) * %s[d], window = \"tsc\")" % (list_of(dims), vector),
             "paint((%s), window = \"tsc\")" % ", ".join("0.3 * spacing(%s) * %s" % (d.label, part(d.label)) for d in dims))])
        pair = []
        for text in (one, other):
            pair.append(self.name("v"))
            self.say("let %s = sum(sin(%s) * %s)" % (pair[-1], text, g.name), pair[-1], (vector, f.name, g.name))
        output = self.name("tw")
        self.say("output %s (one, other) = (%s, %s)" % (output, *pair), needs=pair)
        self.program.twins.add(output)
