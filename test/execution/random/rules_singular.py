"""Gradients, derivatives along a tangent, and second ones of functions that are
singular where an `if` takes the other side, or that have a corner at 0."""


class SingularRules:
    # z is exactly 0 in some of the cells, and at least 0.5 in size elsewhere; u is noise.
    CORNERS = (
        "map q in z => if z == 0 then 1 else sin(z) / z", "map q in z => if z == 0 then 0.5 * {v} else z^2 * log(z^2) * {v}",
        "map q in z => if z != 0 then exp(-1 / z^2) * {v} else {v}", "map q in z => if abs(z) > 0.1 then sqrt(abs(z)) + {v} else {v}",
        "map q in {v} => if {v} > b then log({v} - b + 0.5) else b * {v}", "abs({v} * (0.6 + 1i))",
        "map q in z => abs(z + 1i * z) * {v}", "map q in z => sqrt(norm2(z + 2i * z)) + {v}", "sqrt(norm2((z, 2 * z))) * {v}",
        "map q in z => {{ let l = log(abs(z)); let r = {v} / z; if z == 0 then {v} else l * r }}",
        "map q in z => if z == 0 then z else (if z > 0 then 1 / z else {v} / z^2)",
        "map q in z => abs(z) + {v}", "max(z, 0) * {v} + min(0, z)", "map q in z => (if z == 0 then 0 else atan2({v}, z)) + {v}",
        "map q in z => if z == 0 then {v} else pow(z^2, 0.3 * b) * {v}", "map q in z => pow(abs(z), 2.5) * b + {v}",
        "map q in z => if z == 0 and not (z > 1) then {v} else arg(z + 1i * {v} * z)", "{v} * {v} * z + {v}")
    BEFORE = (  # the singular field is before the map that takes the other side
        ("1 / z", "map q in z => if z == 0 then {v} else s * {v}"), ("log(z^2)", "map q in z => if z == 0 then 1 else s * {v}"),
        ("{v} / z", "map q in z => if abs(z) < 0.2 then {v} else s + {v}"),
        ("sqrt(abs(z))", "map q in z => if z == 0 then b else s * {v}"))

    def singular(self):
        f = self.noise(self.some_dims()) if self.random.random() < 0.5 else self.generic(self.some_dims())
        lines = ["let z = map q in u => if u > %.2f then 0 else -0.5 - u^2 / (1 + u^2)" % self.random.uniform(-0.4, 0.4)]
        if self.random.random() < 0.3:
            lines[0] = "let z = 0 * u"
        v = "u"
        for _ in range(self.random.randint(1, 3)):
            made = self.name("l")
            if self.random.random() < 0.25:
                before, text = self.random.choice(self.BEFORE)
                lines.append("let s = " + before.format(v=v) if "s" not in "".join(l.split(" = ")[0][4:] for l in lines)
                             else "")
                if not lines[-1]:
                    lines.pop()
                    text = "tanh({v})"
            else:
                text = self.random.choice(self.CORNERS)
            lines.append("let %s = %s" % (made, text.format(v=v)))
            v = made
        if self.random.random() < 0.25:
            made = self.name("l")
            lines.append("let %s = ifft(fft(%s)) + 0.1 * u" % (made, v))
            v = made
        self.derive(f, lines, v)

    def derive(self, f, lines, v):
        """Derivatives of a random kind, of a function of u, a field, and of b, a number."""
        name, result = self.name("fn_"), self.name("g")
        number, needs = self.scalar()
        body = "; ".join(lines)
        kind = self.random.choice(["grad", "grad", "hessian", "jvp", "vjp", "jvp number"])
        scale = " * sum(1 + 0 * %s)" % f.name
        if kind in ("grad", "hessian"):
            self.say("fn %s(u, b) { %s; %s }" % (name, body, self.random.choice(["mean(sin(%s))", "mean(%s^2)"]) % v), name)
        else:
            self.say("fn %s(u, b) { %s; %s }" % (name, body, v), name)
        if kind == "grad":
            self.say("let %s = grad(%s, wrt = (u, b))(%s, %s)" % (result, name, f.name, number), result, (name, f.name) + needs)
            self.add_scalar("%s[1]" % result, (result,))
            self.add_bounded("%s[0]%s" % (result, scale), f.dims, (result, f.name))
        elif kind == "hessian":
            self.add_bounded("jvp(grad(%s))(%s, %s, tangent = cos(%s))[1]%s" % (name, f.name, number, f.name, scale), f.dims,
                           (name, f.name) + needs)
        elif kind == "vjp":
            self.add_bounded("vjp(%s)(%s, %s, cotangent = cos(%s))[1]" % (name, f.name, number, f.name), f.dims,
                           (name, f.name) + needs)
        elif kind == "jvp":
            self.add_bounded("jvp(%s)(%s, %s, tangent = cos(%s))[1]" % (name, f.name, number, f.name), f.dims,
                           (name, f.name) + needs)
        else:
            self.add_bounded("jvp(%s, wrt = b)(%s, %s, tangent = 1.5)[1]" % (name, f.name, number), f.dims,
                           (name, f.name) + needs)

    def spectrum_at_zero(self):
        """Sizes of a spectrum that is exactly 0 in places."""
        f = self.generic(self.some_dims())
        label = f.dims[0].label
        name = self.name("fn_")
        text = self.random.choice(["abs(h)", "sqrt(norm2(h))", "abs(h)^3", "abs(h * h)", "norm2(h) / (1 + abs(h))"])
        self.say("fn %s(u) { let g = fft(u); let h = map k in g => if index(k, %s) == %d then 0 else g; mean(%s) + mean(u^2) }" % (
            name, label, self.random.randint(0, 2), text), name)
        self.add_bounded("grad(%s)(%s) * sum(1 + 0 * %s)" % (name, f.name, f.name), f.dims, (name, f.name))

    def extreme(self):
        """Of fields whose extremes several cells attain."""
        f = self.generic(self.some_dims(2))
        name = self.name("fn_")
        over = ", over = " + self.random.choice(f.dims).label if len(f.dims) > 1 and self.random.random() < 0.5 else ""
        text = self.random.choice(["{m}(min(u, 0.3){o})", "{m}(max(u, -0.2){o})", "{m}(0 * u{o})", "{m}(abs(u){o})"])
        kind = self.random.choice(["max", "min"])
        self.say("fn %s(u) { let m = %s; %s }" % (name, text.format(m=kind, o=over), "sum(m^2 + m) + mean(u^2)" if over else
                                                  "m^2 + m + mean(u^2)"), name)
        self.add_bounded("grad(%s)(%s)" % (name, f.name), f.dims, (name, f.name))
