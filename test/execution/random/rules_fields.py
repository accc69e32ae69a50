"""Rules about fields in space."""
from program import Dim, list_text, tuple_text


class FieldRules:
    """Each method adds a statement or two."""

    def white_noise(self):
        self.noise(self.some_dims())

    def elementwise(self):
        f = self.real()
        number, needs = self.scalar()
        text = self.random.choice([
            "exp(sin({f}))", "sqrt(1 + {f}^2)", "log(2 + cos({f}))", "tan(0.3 * sin({f}))", "tanh({f})",
            "0.1 * sinh(sin({f})) + cosh(tanh({f}))", "atan({f})", "erf({f})", "abs({f})", "atan2({f}, 2 + cos({f}))",
            "pow(1 + {f}^2, -0.7)", "min({f}, {s})", "max({f}, {s})", "{s} * {f} - 0.5", "{f} / (1 + {f}^2)",
            "({f} + {s})^3 / (1 + {f}^2)"])
        self.add_field(text.format(f=f.name, s=number), f.dims, (f.name,) + needs, transforms=f.transforms)

    def discontinuous(self):
        f = self.generic(self.some_dims())
        text = self.random.choice(["floor(3.7 * {f})", "round(2.3 * {f})", "sign({f})",
                                   "map q in {f} => if {f} > 0.31 then {f} else -2 * {f}",
                                   "map q in {f} => if {f} > 0.1 and not ({f} < 0.7) or {f} < -0.2 then 1 else 0.5"])
        self.add_field(text.format(f=f.name), f.dims, (f.name,))

    def broadcast(self):
        f = self.real()
        g = self.partner(f)
        if g is None:
            return self.elementwise()
        number, needs = self.scalar()
        text = self.random.choice(["{f} + {g}", "{f} * {g} / (1 + {g}^2)", "{g} - {f}", "max({f}, {g})",
                                   "map q in {f} => {f} * cos({g}) + {s}", "min({g}, {f}) + {s}"])
        dims = f.dims
        self.add_field(text.format(f=f.name, g=g.name, s=number), dims, (f.name, g.name) + needs,
                       transforms=f.transforms)

    def coordinates(self):
        dims = self.some_dims(refined=0.4)
        terms = []
        for dim in dims:
            terms.append(self.random.choice(
                ["cos(%d * pi * q[{0}] / length({0}))" % self.random.randint(1, 5), "q[{0}] / length({0})",
                 "index(q, {0}) / cells({0})", "0.1 * index(q, {0})^2"]).format(dim.label))
        number, needs = self.scalar()
        self.add_field("map q in %s => %s" % (list_text(dims), self.random.choice([" + ", " * "]).join(terms + [number])),
                       dims, needs)

    def several(self):
        """A map of more than one result."""
        f = self.real(lambda g: g.space())
        pair = self.name("p")
        self.say("let {p} = map q in {f} => (sin({f}) + index(q, {d}), {f} * q[{d}] / length({d}))".format(
            p=pair, f=f.name, d=f.dims[0].label), pair, (f.name,))
        for place in range(2):
            self.add_field("%s[%d]" % (pair, place), f.dims, (pair,))

    def constant(self):
        dims = self.some_dims()
        number, needs = self.scalar()
        self.add_field("constant%s(%s)" % (list_text(dims), number) if self.random.random() < 0.7 else
                       "zeros%s" % list_text(dims), dims, needs)

    def reduce(self):
        f = self.real()
        text = "{f}" if self.random.random() < 0.5 else "{f}^2"
        self.add_scalar(("%s(%s)" % (self.random.choice(["sum", "mean", "min", "max"]), text)).format(f=f.name),
                        (f.name,))

    def reduce_dims(self):
        f = self.real(lambda g: g.space() and len(g.dims) > 1, self.some_dims(2))
        if len(f.dims) < 2:
            return self.reduce()
        gone = self.random.sample(f.dims, self.random.randint(1, len(f.dims) - 1))
        self.add_field("%s(%s, over = %s)" % (self.random.choice(["sum", "mean", "min", "max"]), f.name,
                                              tuple_text(d.label for d in gone)),
                       [d for d in f.dims if d not in gone], (f.name,))

    def contraction(self):
        """Of two fields with dims of their own: few products stay a loop."""
        dims = self.some_dims(3)
        if len(dims) < 3:
            return self.reduce_dims()
        place = self.random.randrange(len(dims))
        own, other, shared = dims[place], dims[place - 1], [d for d in dims if d not in (dims[place], dims[place - 1])]
        gone = self.random.sample(shared, self.random.randint(1, len(shared)))
        f, g = self.over([d for d in dims if d != other]), self.over([d for d in dims if d != own])
        f, g = (f, g) if place == 0 else (g, f)  # a product has its first field's dims before the second one's
        number, needs = self.scalar()
        text = self.random.choice(["sum({f} * {g}, over = {o})", "sum(map q in {d} => {f} * {g} * (1 + {f}^2) * {s}, over = {o})",
                                   "sum({f} * ({s} * {g}), over = {o})", "mean(tanh({f}) * {g}, over = {o})"])
        self.add_bounded(text.format(f=f.name, g=g.name, s=number, d=list_text(dims), o=tuple_text(d.text() for d in gone)),
                         [d for d in dims if d not in gone], (f.name, g.name) + needs)

    def convolution(self):
        """Of a field that is read around each cell, or its gradient."""
        if len(self.labels) < 3:
            return self.contraction()
        along, own, taps = (Dim(label, 1) for label in self.random.sample(self.labels, 3))
        f, g = self.over([along]), self.over([own, taps])
        edge = self.random.choice(["\"periodic\"", "\"zero\"", "\"clamp\""])
        text = "sum({f}[%s = %s + %s - %d, edge = %s] * {g}, over = %s)" % (
            along.label, along.label, taps.label, self.random.randint(0, 3), edge, taps.label)
        if self.random.random() < 0.5:
            self.add_bounded(text.format(f=f.name, g=g.name), [along, own], (f.name, g.name))
        else:
            by = self.random.choice([f, g])
            names = {"f": f.name, "g": g.name, "f" if by is f else "g": "u"}
            self.add_bounded("grad(u => sum(sin(%s)))(%s)" % (text.format(**names), by.name), by.dims, (f.name, g.name))

    def sort(self):
        """Of noise: whatever has equal elements, or nearly equal ones, is sorted in another way by rounding."""
        f = self.generic(self.some_dims())
        d, number = self.random.choice(f.dims).label, self.random.choice(["2", "5"])
        text = self.random.choice(["sort({f}, {d})", "sort({f}, {d}, order = \"descending\") * {f}", "{f}[{d} = argsort({f}, {d})] - {f}",
                                   "0.1 * ranks({f}, {d}, within = map q in {f} => mod(index(q, {d}), {n}))", "{f} * argsort({f}, {d}, order = \"descending\")",
                                   "grad(u => sum(sort(u, {d})^2 * {f}))({f})"])
        self.add_field(text.format(f=f.name, d=d, n=number), f.dims, (f.name,))

    def friends(self):
        """Of noise: no distance is that of friends but for rounding."""
        f = self.generic(self.some_dims())
        pair = "({f}, shift({f}, {d} = 1))"
        text = self.random.choice(["0.01 * friends_of_friends(%s, {n})", "0.01 * friends_of_friends(%s, {n}, box = (3, 0))",
                                   "{f}[{d} = mod(friends_of_friends(%s, {n}), cells({d}))]"])
        self.add_field((text % pair).format(f=f.name, d=f.dims[0].label, n=self.random.choice(["0.05", "0.3"])), f.dims, (f.name,))

    def stored(self):
        """In two bytes, and as neighbors read it. Of noise: nothing else is the same in all its bits on other meshes."""
        f = self.generic(self.some_dims())
        text = self.random.choice(['stored({f}, "{s}")', '2 * stored({f}, "{s}") - {f}', 'stored({f}, "{s}")[{d} + 1]', 'grad(u => sum(stored(u, "{s}")^2))({f})'])
        self.add_field(text.format(f=f.name, s=self.random.choice(["bf16", "f16"]), d=f.dims[0].label), f.dims, (f.name,))

    def slice(self):
        f = self.real(lambda g: g.space() and len(g.dims) > 1, self.some_dims(2))
        if len(f.dims) < 2:
            return self.reduce()
        dim = self.random.choice(f.dims)
        first = self.random.randrange(max(self.program.dims[dim.label] - 1, 1))
        last = self.random.choice(["", " .. %d" % self.random.randint(first + 1, self.program.dims[dim.label])])
        self.add_field("slice(%s, %s = %d%s)" % (f.name, dim.label, first, last), [d for d in f.dims if d != dim],
                       (f.name,))

    def update(self):
        """Cells of a dim become something else, of the same field or a number."""
        f = self.real(lambda g: g.space() and len(g.dims) > 1, self.some_dims(2))
        if len(f.dims) < 2:
            return self.reduce()
        dim = self.random.choice(f.dims)
        cells = self.program.dims[dim.label] * dim.finer
        first, second = self.random.randrange(cells), self.random.randrange(cells)
        text = self.random.choice(["{f} with {{[{d} = {i}] = sin({f}[{d} = {j}])}}",
                                   "{f} with {{[{d} = {i}] += 0.5, [{d} = {j}] = mean({f})}}",
                                   "grad(u => sum((u with {{[{d} = {i}] = u[{d} = {j}]^2}})^2))({f})",
                                   "loop u = {f} for i in {d} => u with {{[{d} = i] += 0.5 * sin(u[{d} = {j}])}}"])
        self.add_field(text.format(f=f.name, d=dim.label, i=first, j=second), f.dims, (f.name,))

    def gather(self):
        """Cells that the elements say, in a map, in a loop in one, and in gradients. Noise has the same bits everywhere, so its ints do, too."""
        f, g = self.real(lambda g: g.space()), self.generic(self.some_dims(refined=0))
        along = self.random.choice(f.dims)
        cells = self.program.dims[along.label] * along.finer
        p = self.name("p")
        self.say("let %s = mod(int(%g * %s), %d)" % (p, self.random.uniform(2, 9), g.name, cells), p, (g.name,))
        dims = []
        for dim in f.dims:
            dims += [d for d in (g.dims if dim == along else (dim,)) if d not in dims]
        edge = self.random.choice(["\"periodic\"", "\"zero\"", "\"clamp\"", "0.7"])
        text = self.random.choice(["{f}[{d} = {p}]", "{f}[{d} = 2 * {p} - {k}, edge = {e}]",
                                   "map q in {D} => if {p} > {k} then {f}[{d} = {p} - {k}] else cos({p})",
                                   "map q in {D} => loop c = 0.3 for i in 0 .. {k} => 0.5 * c + sin({f}[{d} = mod({p} + i, {n})])",
                                   "map q in {D} => loop c = 0.3 for i in 0 .. {p} => 0.5 * c + sin({f}[{d} = i])",
                                   "map q in {D} => loop c = 1.5 while c > 0.1 * {k} => 0.6 * c + 0.01 * cos({f}[{d} = {p}])"])
        reading = text.format(f="u", d=along.label, p=p, k=self.random.randint(1, 3), e=edge, n=cells, D=list_text(dims))
        if self.random.random() < 0.6 or "while" in text:
            self.add_field(reading.replace("u[", f.name + "["), dims, (f.name, p))
        else:
            self.add_bounded("grad(u => sum(sin(%s)))(%s)" % (reading, f.name), f.dims, (f.name, p))

    def neighbors(self):
        """At other cells, in a map, of a field and of one over fewer dims, and in a gradient."""
        f = self.real(lambda g: g.space())
        g = self.partner(f) or f

        def index(field):
            dims = self.random.sample(field.dims, self.random.randint(1, len(field.dims)))
            edge = self.random.choice(["\"periodic\"", "\"zero\"", "\"clamp\"", "\"reflect\"", "0.7"])
            cells = [self.program.dims[d.label] * d.finer for d in dims]
            most = [min(4, n - 1) if edge == "\"reflect\"" else 4 for n in cells]
            return "[%s, edge = %s]" % (", ".join("%s + (%d)" % (d.label, self.random.randint(-m, m))
                                                      for d, m in zip(dims, most)), edge)
        along = self.random.choice(f.dims)
        cells, over = self.program.dims[along.label] * along.finer, ", over = %s)" % along.label
        factors = [b for b in (2, 3, 4) if cells % b == 0 and (along.finer == 1 or along.finer % b == 0)] or [1]
        coarse = "coarsen({f}{i}, %d%s" % (self.random.choice(factors), over)
        fine = "refine({f}, 2%s" % over
        text = self.random.choice(["map q in {f} => {f} * {f}{i} + cos({g}{j})", "({f} + 0.5){i} - {g}",
                                   "grad(u => sum(sin(u{i} - u) * u{j}))({f})",
                                   "refine(%s, %s%s * {g}" % (coarse, coarse.split(", ")[-2], over),
                                   "coarsen(%s{i} + %s, 2%s + {g}{j}" % (fine, fine, over), "refine(%s, %s%s{i} - {g}" % (
                                       coarse.format(f="{f}", i=""), coarse.split(", ")[-2], over),
                                   "grad(u => sum(sin(%s)^2) + sum(%s^3))({f})" % (coarse.format(f="u", i="{i}"), fine.format(f="u"))])
        again = f if "u{j}" in text or "{f}{j}" in text else g
        self.add_field(text.format(f=f.name, g=g.name, i=index(f), j=index(again)), f.dims, (f.name, g.name),
                       transforms=f.transforms)

    def indexes(self):
        """A part of a dim, a longer one, or blocks, and back in a gradient."""
        f = self.real(lambda g: g.space())
        dim = self.random.choice(f.dims)
        cells = self.program.dims[dim.label] * dim.finer
        edge = self.random.choice(["\"periodic\"", "\"zero\"", "\"clamp\"", "\"reflect\"", "-0.3"])
        others = [d for d in self.program.dims if d not in [g.label for g in f.dims]]
        if not others or len(f.dims) > 5:
            return self.neighbors()
        own = self.random.choice(others)
        span, offset = self.program.dims[own], self.random.randint(-3, 3)
        factors = [b for b in (2, 3, 4) if self.program.dims[dim.label] % b == 0 and (dim.finer == 1 or dim.finer % b == 0)]
        if factors and self.random.random() < 0.5:
            number = self.random.choice(factors)
            text, most = "%d * coarsen(%s, %d) + %s" % (number, dim.label, number, own), cells - number + span - 1
        else:
            number = self.random.choice([1, 2])
            text, most = "%d * %s" % (number, own), number * (span - 1)
        if edge == "\"reflect\"" and (offset <= -cells or offset + most > 2 * (cells - 1)):
            edge = "\"clamp\""
        index = "[%s = %s + (%d), edge = %s]" % (dim.label, text, offset, edge)
        self.add_field("grad(u => sum(sin(u%s)^2))(%s)" % (index, f.name), f.dims, (f.name,))

    def beyond(self):
        """What lies beyond the edge is a field, or a number that only the program knows."""
        f = self.real(lambda g: g.space())
        dim = self.random.choice(f.dims)
        number, needs = self.scalar()
        edge = self.random.choice([f.name, number])
        text = self.random.choice(["{f}[{d} + ({o}), edge = {e}]", "map q in {f} => {f} - {f}[{d} + ({o}), edge = {e}]",
                                   "grad(u => sum(sin(u[{d} + ({o}), edge = {e}])^2))({f})"])
        self.add_field(text.format(f=f.name, d=dim.label, o=self.random.randint(-3, 3), e=edge), f.dims, (f.name,) + needs)

    def turned(self):
        """With the dims in another order."""
        f = self.real(lambda g: g.space())
        dims = list(f.dims)
        self.random.shuffle(dims)
        self.add_field("cos({f}) + (map q in {d} => sin({f}) * index(q, {e}))".format(f=f.name, d=list_text(dims), e=dims[0].label),
                       f.dims, (f.name,))

    def moved_modes(self):
        """Modes of a transform at others."""
        f = self.real(lambda g: g.space())
        dim = self.random.choice(f.dims)
        edge = self.random.choice(["\"periodic\"", "\"zero\"", "0.2"])
        text = "real(ifft(fft({f} + 0i, over = {d})[{d} + ({o}), edge = {e}], over = {d}))"
        self.add_field(text.format(f=f.name, d=dim.label, o=self.random.randint(-3, 3), e=edge), f.dims, (f.name,))

    def bins(self):
        f = self.pick()
        radius = " + ".join("index(k, %s)^2" % d.label for d in f.dims)
        value = "norm2(%s)" % f.name if f.complex else f.name
        count = self.random.randint(3, 12)
        pair = self.name("b")
        self.say("let {p} = bins k in {f} into {n} by sqrt({r}) => ({v}, 1)".format(
            p=pair, f=f.name, n=count, r=radius, v=value), pair, (f.name,))
        self.output(pair, text="output o_{0} (sum, elements) = ({0}[0], {0}[1])".format(pair))
