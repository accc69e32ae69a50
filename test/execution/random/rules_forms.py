"""Rules about short forms: components at run-time indexes, cells in reverse order, moves by params, and sums over the dims of both."""
from program import Dim


class FormRules:
    """Each method adds a statement or two."""

    def int_param(self, least, most):
        """The name of a param from `least` to `most`."""
        name = self.name("n")
        self.say("param %s: int = %d" % (name, self.random.randint(least, most)), name)
        if self.random.random() < 0.5:
            self.program.flags.append("--%s=%d" % (name, self.random.randint(least, most)))
        return name

    def component(self):
        dims = self.some_dims()
        f, g, h = (self.over(dims) for _ in range(3))
        at = self.int_param(0, 2)
        text = self.random.choice(["({f}, {g}, {h})[{p}]", "loop u = 0 * {f} for i in 0 .. 3 => 0.5 * u + ({f}, {g}, {h})[i]",
                                   "map q in {f} => ({f}, {g}, 0.5)[mod(int(index(q, {d})) + {p}, 3)]",
                                   "grad(u => sum(sin((u, {g}, u^2)[{p}])))({f})"])
        self.add_bounded(text.format(f=f.name, g=g.name, h=h.name, p=at, d=dims[0].text()), dims, (f.name, g.name, h.name, at))

    def whole_dims(self):
        """Dims that are not refined."""
        return tuple(Dim(d.label, 1) for d in self.some_dims())

    def reversed_cells(self):
        dims = self.whole_dims()
        f, d = self.over(dims), self.random.choice(dims).label
        last = self.program.dims[d] - 1
        text = self.random.choice(["{f}[{d} = {n} - {d}]", "map q in {f} => {f} - {f}[{d} = {n} - {d}]", "{f}[{d} = -{d}, edge = \"periodic\"]",
                                   "{f}[{d} = 1 - {d}, edge = \"zero\"]", "grad(u => sum(u^2 * u[{d} = {n} - {d}]))(tanh({f}))"])
        self.add_bounded(text.format(f=f.name, d=d, n=last), dims, (f.name,))

    def moved_by_param(self):
        dims = self.whole_dims()
        f, d, by = self.over(dims), self.random.choice(dims).label, self.int_param(-5, 5)
        text = self.random.choice(["{f}[{d} + {p}]", "shift({f}, {d} = {p})", "shift({f}, {d} = {p}, edge = \"zero\")",
                                   "{f}[{d} - {p}, edge = \"clamp\"]", "map q in {f} => {f}[{d} + {p}] - {f}",
                                   "grad(u => sum(shift(u, {d} = {p}) * sin(u)))({f})"])
        self.add_bounded(text.format(f=f.name, d=d, p=by), dims, (f.name, by))

    def outer(self):
        """Of fields with dims of their own."""
        if len(self.labels) < 2:
            return self.reversed_cells()
        first, second = (Dim(label, 1) for label in self.random.sample(self.labels, 2))
        f, g = self.over([first]), self.generic((second,))
        text = self.random.choice(["{f} + {g}", "{f} - 2 * {g}", "{f} / (2 + {g}^2)", "{f} * ({g} > 0.1) * {g}",
                                   "{f} + grad(u => sum(tanh({f} + u)^3))({g})"])
        return self.add_bounded(text.format(f=f.name, g=g.name), [first, second], (f.name, g.name))
