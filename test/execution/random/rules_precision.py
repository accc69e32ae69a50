"""Rules about two precisions in one program. `bins` and `collect` make f64 fields, which meet the fields of an f32 program, its
numbers and each other. `precise`: made of f64 fields, coordinates and numbers alone, so that an f32 program is as exact as an f64
one. In an f64 program all of this is f64."""
from program import list_text, tuple_text


class PrecisionRules:
    """Each method adds a statement or two."""

    def add_precise(self, text, dims, needs=()):
        made = self.add_field(text, dims, needs, wide=True)
        self.program.precise.add("o_" + made.name)
        self.precise.append(made)
        return made

    def index_text(self, dims):
        return tuple_text("index(q, %s)" % d.label for d in dims)

    def wide_field(self, dims):
        """Bins over `dims` of a field over these and perhaps another one."""
        f = self.real(lambda g: g.space() and all(d.finer == 1 for d in g.dims) and set(dims) <= set(g.dims), dims)
        value = self.random.choice(["sin({f})", "{f}", "0.3 * {f} + index(q, {d}) / cells({d})", "{f}^2 / (1 + {f}^2)"])
        return self.add_field("bins q in %s into %s by %s => %s" % (
            f.name, tuple_text(d.label for d in dims), self.index_text(dims), value.format(f=f.name, d=dims[0].label)), dims,
            (f.name,), wide=True)

    def collected(self):
        """The cells of a field of one dim that are above a number, one after the other."""
        f = self.generic(self.some_dims(refined=0)[:1])
        pair = self.name("c")
        self.say("let {p} = collect q in {f} where {f} > {n} into {d} => {v}".format(
            p=pair, f=f.name, d=f.dims[0].label, n=self.random.choice(["0.1", "-0.3", "9"]),
            v=self.random.choice(["cos({0})", "{0}", "index(q, {1}) + 0.5"]).format(f.name, f.dims[0].label)), pair, (f.name,))
        self.add_scalar("%s[1] + 0.0" % pair, (pair,))
        return self.add_field("%s[0]" % pair, f.dims, (pair,), wide=True)

    def any_wide(self):
        known = [f for f in self.fields if f.wide and not f.complex]
        if known and self.random.random() < 0.6:
            return self.random.choice(known)
        return self.collected() if self.random.random() < 0.3 else self.wide_field(self.some_dims(refined=0))

    MIXED = (
        "{f} + {w}", "{w} * {f} / (1 + {f}^2)", "{f} - 0.5 * {w}", "max({f}, {w}) - min({w}, {s})", "atan2({w}, 2 + {f}^2)",
        "map q in {f} => {w} * cos({f}) + {s}", "map q in {w} => if {w} > 0.37 then {f} else {w} - {f}", "norm2(({f}, {w}))",
        "if {s} > 0.3 then {f} else {w}", "if {s} > 0.3 then {w} else {f}", "loop c = {f} for i in 0 .. 2 => 0.5 * c + {w}",
        "loop c = {w} for i in 0 .. 2 => 0.5 * c + sin({f})", "(loop (a, b) = ({f}, {w}) for i in 0 .. 3 => (b, 0.5 * a + {w}))[0]",
        "loop c = {f} while mean(c^2) > 0.5 => 0.6 * c + 0.01 * {w}", "loop c = {w} for i in 0 .. 2 => if i > 0 then {f} else 0.5 * c",
        "grad(u => sum(sin(u * {w})))({f})", "grad(u => sum(sin({f} * u)^2))({w})", "jvp(u => sin(u) * {w})({f}, tangent = {w})[1]",
        "jvp(u => u * {f})({w}, tangent = {f})[1]", "vjp(u => sin(u) + {w})({f}, cotangent = {w})[1]",
        "vjp(u => sin(u) * {f})({w}, cotangent = {f})[1]", "grad(u => sum((loop c = u for i in 0 .. 2 => 0.5 * c * {w} + {f})^2))({w})",
        "grad(u => sum((loop c = u for i in 0 .. 2 => 0.5 * c * {w} + {f})^2), schedule = \"revolve\", snapshots = 1)({f})",
        "real(ifft(fft({w} + 1i * {f})))", "ifft(0.5 * fft({w})) + {f}", "norm2({f} + 1i * {w})", "real(({w} + 2i) * conj({f} - 1i * {w}))",
        "{w} with {{[{d} = 0] = mean({f})}}", "{f} with {{[{d} = 0] += mean({w})}}", "{w}[{d} + 1, edge = {f}]",
        "{f}[{d} - 1, edge = {w}]", "{w}[{d} - 1, edge = \"clamp\"] * {f}[{d} + 1]", "sum({f} * {w}) * {w} / 40",
        "dot(({f}, {w}), ({w}, {f}))", "total(loop v = ({f}, {w}) for i in 0 .. 2 => 0.5 * v + (0.1 * {w}, 0.2 * {f}))",
        "map q in {f} => loop c = {w} for i in 0 .. 2 => 0.5 * c + {f}", "inner({f}, {w}) * {f} / 40",
        # These lose all digits if an f64 field is rounded before the difference.
        "({large} + {w} - {large}) * {f}", "{f} - (({w} - {large}) + {large})", "map q in {f} => {f} + ({w}[{d} - 1] + {large} - {large})",
        "(map q in {f} => {large} + {w}[{d} = mod(int(index(q, {d})) + 3, cells({d}))] - {large}) * {f}")

    def mixed(self):
        """A field of each precision."""
        w = self.any_wide()
        f = self.real(lambda g: g.dims == w.dims and not g.wide, w.dims)
        number, needs = self.scalar()
        text = self.random.choice(self.MIXED)
        large = "1e6" if self.program.precision == "f32" else "1e4"
        self.add_bounded(text.format(f=f.name, w=w.name, s=number, d=w.dims[0].label, large=large), w.dims, (f.name, w.name) + needs)

    def mixed_call(self):
        """Through functions, an input, a reduction, a slice, what is written, and particles."""
        w = self.any_wide()
        f = self.real(lambda g: g.dims == w.dims and not g.wide, w.dims)
        needs, kind = (f.name, w.name), self.random.randrange(6)
        if kind == 0:
            name = self.name("fn_")
            self.say("fn %s%s = a * tanh(b) + mean(b)" % (name, self.random.choice(
                ["[D](a: field[D], b: field[D])", "(a, b)", "[D](a: field[D], b)"])), name)
            self.add_bounded("%s(%s, %s) - %s(%s, %s)" % (name, f.name, w.name, name, w.name, f.name), w.dims, needs + (name,))
        elif kind == 1:
            name = self.name("i")
            self.say("input %s: field%s optional" % (name, list_text(w.dims)), name)
            if self.random.random() < 0.5:
                self.program.inputs[name] = tuple(self.program.dims[d.label] for d in w.dims)
            self.add_field("if given({0}) then {0} else {1}".format(name, w.name), w.dims, needs + (name,))
        elif kind == 2:
            self.say("output o_%s%s = (%s, %s)" % (self.name("v"), self.random.choice(["", " flatten", " (a, b)"]), *needs), needs=needs)
            self.say("output o_%s = {a = %s, b = %s, c = sum(%s)}" % (self.name("v"), *needs, f.name), needs=needs)
            self.say('print "{} {}", max(%s) + min(%s), mean(%s * %s)' % (f.name, w.name, f.name, w.name), needs=needs)
        elif kind == 3 and len(w.dims) > 1:
            gone = self.random.choice(w.dims)
            left = [d for d in w.dims if d != gone]
            text = self.random.choice(["sum({f} * {w}, over = {d})", "max({f} + {w}, over = {d})", "slice({f} - {w}, {d} = 0)",
                                       "mean({w}, over = {d}) * mean({f}, over = {d})", "each {d} in ({f}, {w}) => {f} + mean({w})"])
            dims = [gone] + left if text.startswith("each") else left
            self.add_bounded(text.format(f=f.name, w=w.name, d=gone.label), dims, needs)
        elif kind == 4 and all(d.label != "t" for d in w.dims) and len(w.dims) > 1:
            vector = "(%s)" % ", ".join("spacing(%s) * sin(%s)" % (d.label, name) for d, name in
                                        zip(w.dims, (f.name, w.name, f.name, w.name)))
            self.add_bounded(self.random.choice([
                "paint({v}, weight = {w})", "readout({w}, {v})", "paint({v}, weight = {f}, window = \"tsc\")", "readout({f}, {v})",
                "grad(u => sum(readout({f}, {v}) * sin(u)))({w})", "grad(u => sum(paint({v}, weight = u)^2))({w})"]).format(
                    v=vector, f=f.name, w=w.name), w.dims, needs)
        else:
            self.add_bounded("{0} + (bins q in {0} into {2} by {3} => {1} * {0})".format(
                f.name, w.name, tuple_text(d.label for d in w.dims), self.index_text(w.dims)), w.dims, needs)

    PRECISE = (
        "sin({w})", "{w}^2 - 0.3 * {v}", "map q in {w} => {w} * index(q, {d}) / cells({d})", "{w}[{d} + 1]", "{w}[{d} - 1, edge = {v}]",
        "max({w}, {v}) / 3", "loop c = {w} for i in 0 .. 3 => 0.5 * c + {v}^2", "grad(u => sum(u^3))({w}) / 9", "exp({w} / 3) - {w} / 3",
        "jvp(u => u^2 * {v})({w}, tangent = {w})[1]", "if sum({w}) > 0.2 then {w} else {v}", "mean({w}^2) * {v}", "total(({w}, 2 * {v}))",
        "{w} with {{[{d} = 0] = mean({v})}}", "bins q in {w} into {l} by {i} => cos({w}) * {v}", "atan2({w}, 2 + {v}^2) + log(2 + {v}^2)",
        "grad(u => sum((loop c = u for i in 0 .. 3 => 0.5 * c * {v} + 0.1)^2))({w})", "map q in {w} => if {w} > 0.3 then {v} else -{w}",
        "if sum({w}) > -99 then {w} else zeros{z}", "if sum({w}) < -99 then zeros{z} else {w}", "loop c = 0 * {w} for i in 0 .. 2 => 0.5 * c + {w}")

    BLOCKS = (
        "sin({f}) - 0.5 * {g}^2", "({f} + 100) - 100 + {g}", "ifft(0.5 * fft({f})) + {g}", "sum({f}) * {g} / 40",
        "loop c = {f} for i in 0 .. 2 => 0.5 * c + sin({g})", "grad(u => sum((u + {g})^2))({f})", "map q in {f} => {f} * cos({g})",
        "if {s} > 0.3 then {f} else 0.5 * {g}", "({f}, {g})[1] + {f}", "{{a = {f}, b = {g}}}", "real(ifft(fft({f} + 1i * {g})))")

    def precise_block(self):
        """A part of the program that is computed in f64, perhaps in a function that is differentiated."""
        f = self.real(lambda g: g.space())
        g = self.real(lambda g: g.dims == f.dims, f.dims)
        number, needs = self.scalar()
        text = self.random.choice(self.BLOCKS)
        block = "precise { %s }" % text.format(f="{f}", g=g.name, s=number)
        if text.startswith("{{"):
            block = "(precise %s).b" % text.format(f="{f}", g=g.name)
        if self.random.random() < 0.4 and "grad" not in text and "sum" not in text:
            function = self.name("fn_")
            self.say("fn %s(u) = sum(tanh(%s)^2) / 9" % (function, block.replace("{f}", "u")), function, (g.name,) + needs)
            self.add_bounded("grad(%s)(%s)" % (function, f.name), f.dims, (function, f.name))
        else:
            self.add_bounded(block.replace("{f}", f.name), f.dims, (f.name, g.name) + needs)

    def precise_fields(self):
        """An f32 program computes these in f64."""
        dims = self.some_dims(refined=0)
        known = [f for f in self.precise if f.dims == dims]
        made = []
        for _ in range(2):
            if known and self.random.random() < 0.5:
                made.append(self.random.choice(known))
                continue
            value = " + ".join("sin(%.3f * index(q, %s) + 0.3)" % (self.random.uniform(0.3, 2), d.label) for d in dims)
            value += self.random.choice(["", " * index(q, %s) / cells(%s)" % (dims[-1].label, dims[-1].label)])
            made.append(self.add_precise("bins q in %s into %s by %s => %s" % (
                list_text(dims), tuple_text(d.label for d in dims), self.index_text(dims), value), dims))
        w, v = made
        text = self.random.choice(self.PRECISE).format(w=w.name, v=v.name, d=dims[0].label, i=self.index_text(dims), z=list_text(dims),
                                                       l=tuple_text(d.label for d in dims))
        self.add_precise(text, dims, (w.name, v.name))
