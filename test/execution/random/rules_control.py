"""Rules about loops, branches, functions and what programs say."""
from program import Dim, list_text


class ControlRules:
    """Each method adds a statement or two, or what they share."""

    def body(self, dims, carried):
        """What a loop over fields does, without growth: a text and its needs."""
        space = list_text(dims)
        other = self.over(dims)
        label = dims[-1].label
        vector = "(%s)" % ", ".join("spacing(%s) * sin(%s)" % (d.label, carried) for d in dims)
        plain = all(d.finer == 1 and d.label != "t" for d in dims) and len(dims) > 1
        text = self.random.choice([
            "0.5 * {c} + {o} / (1 + abs(mean({c})))", "0.5 * {c} + sum({c}, over = {l}) / 40" if len(dims) > 1 else
            "0.5 * {c} + tanh(sum({c}))", "ifft(0.8 * fft({c}))", "ifft(0.8 * fft({c}, over = {l}), over = {l}) + 0.1 * {o}",
            "0.3 * readout({c}, {v}) + {o}" if plain else "tanh({c}) + 0.1 * {o}",
            "0.3 * paint{s}({v}, weight = {c}) + {o}" if plain else "sin({c}) - 0.1 * {o}"])
        return text.format(c=carried, o=other.name, l=label, v=vector, s=space), (other.name,)

    def loop_for(self):
        f = self.real(lambda g: g.space())
        text, needs = self.body(f.dims, "c")
        if self.random.random() < 0.4:
            text = "%s + 0.1 * white_noise%s(i)" % (text, list_text(f.dims))
        self.add_field("loop c = %s for i in 0 .. %d => %s" % (f.name, self.random.randint(1, 3), text), f.dims,
                       (f.name,) + needs)

    def loop_stack(self):
        """What is made on the way, along a dim that the field has not."""
        f = self.real(lambda g: g.space() and len(g.dims) < len(self.labels))
        free = [label for label in self.labels if all(d.label != label for d in f.dims)]
        if not free:
            return self.loop_for()
        dim = Dim(self.random.choice(free), 1)
        text, needs = self.body(f.dims, "c")
        pair = self.name("k")
        self.say("let %s = loop c = %s for i in %s => %s stacking c + 0.1 * i" % (pair, f.name, dim.label, text), pair, (f.name,) + needs)
        self.add_field("%s[1]" % pair, [dim] + list(f.dims), (pair,))

    def each(self):
        """Slices along a dim one by one: of a complex field, or of two real ones, of which one may not be read."""
        long = lambda g: g.space() and len(g.dims) > 1 and all(d.finer == 1 for d in g.dims)
        f = self.real(long)
        if not long(f):
            return self.loop_for()
        g = self.real(lambda g: g is not f and g.dims == f.dims, f.dims)
        dim = self.random.choice(f.dims)
        inner = [d for d in f.dims if d.label != dim.label]
        if self.random.random() < 0.5:
            whole = self.name("w")
            self.say("let %s = %s + 1i * %s" % (whole, f.name, g.name), whole, (f.name, g.name))
            text, needs = "each %s in {w} => %s" % (dim.label, self.random.choice(
                ["real({w})", "2 * imag({w})", "abs({w}) + mean(real({w}))"])), (whole,)
            text = text.format(w=whole)
        else:
            text, needs = self.random.choice(
                ["each {d} in ({f}, {g}) => {f} + 0.5 * mean({f} * {g})", "each {d} in ({f}, {g}) => {g}",
                 "each {d} in {f} => tanh({f}) - 0.1 * max({f})"]).format(d=dim.label, f=f.name, g=g.name), (f.name, g.name)
        self.add_field(text, [dim] + inner, needs)

    def loop_pair(self):
        """Two fields and a number through a loop, whose length is known when run."""
        f = self.real(lambda g: g.space())
        g = self.over(f.dims)
        text, needs = self.body(f.dims, "b")
        triple, name = self.name("l"), self.name("s")
        if not self.scalars:
            self.reduce()
        bound = self.random.choice(self.scalars)
        self.say("let %s = loop (a, b, s) = (%s, %s, 0.0) while s < 2.5 + tanh(%s) / 3 => (b, %s, s + 1)" % (
            triple, f.name, g.name, bound, text), triple, (f.name, g.name, bound) + needs)
        self.say("let %s = %s[2]" % (name, triple), name, (triple,))
        self.output(name)
        for place in range(2):
            self.add_field("%s[%d]" % (triple, place), f.dims, (triple,))

    def loop_while(self):
        f = self.noise(self.some_dims())
        self.add_field("loop c = 2 * %s while mean(c^2) > 0.3 => 0.6 * c" % f.name, f.dims, (f.name,))

    def nest(self):
        """A loop in a loop, or a branch in one, each with messages."""
        f = self.real(lambda g: g.space())
        inner, needs = self.body(f.dims, "d")
        outer, more = self.body(f.dims, "c")
        text = self.random.choice(["loop d = {c} for j in 0 .. i + 1 => {i}",
                                   "if mean({c}) > 0.123 then {o} else {{ let d = {c}; {i} }}",
                                   "{{ let d = {o}; if max(d) - min(d) > 1.5 then {i} else loop d = d for j in 0 .. 2 => {i} }}"])
        self.add_field("loop c = %s for i in 0 .. 3 => %s" % (f.name, text.format(c="c", i=inner, o=outer)), f.dims,
                       (f.name,) + needs + more)

    def branch_scalar(self):
        f = self.noise(self.some_dims())
        number, needs = self.scalar()
        self.add_scalar("if mean(%s) > %g then max(%s) else sin(sum(%s^2)) + %s" % (
            f.name, self.random.uniform(-0.1, 0.1), f.name, f.name, number), (f.name,) + needs)

    def branch_output(self):
        """Outputs that are written, or not, as a number says."""
        f = self.noise(self.some_dims())
        name = self.name("w")
        self.say("if max(%s) > %g { output %s = tanh(%s) - mean(%s) }" % (f.name, self.random.uniform(1.5, 4), name, f.name,
                                                                      f.name), needs=(f.name,))

    def branch(self):
        f = self.noise(self.some_dims())
        text, needs = self.body(f.dims, f.name)
        other, more = self.body(f.dims, f.name)
        self.add_field("if mean(%s) > %g then %s else %s" % (f.name, self.random.uniform(-0.1, 0.1), text, other), f.dims,
                       (f.name,) + needs + more)

    def function(self):
        """A function of fields, called twice, from another line."""
        name = self.name("fn_")
        f = self.real(lambda g: g.space())
        text = self.random.choice(["a * tanh(s) + mean(a)", "ifft(fft(a) * s) + a", "sum(a^2) / 100 + sin(a)", "s - a"])
        kind = self.random.choice(["[D](a: field[D], s: f64 = 0.5)", "(a, s = 0.25)"])
        self.say("fn %s%s = %s" % (name, kind, text), name)
        number, needs = self.scalar()
        self.add_field("%s(%s, %s) + %s(%s)" % (name, f.name, number, name, f.name), f.dims, (name, f.name) + needs)

    def vector(self):
        f = self.real(lambda g: g.space())
        g = self.over(f.dims)
        name = self.name("v")
        self.say("let %s = 0.5 * (%s, %s) + (%s, sin(%s))" % (name, f.name, g.name, g.name, f.name), name,
                 (f.name, g.name))
        self.say("output o_%s%s = %s" % (name, self.random.choice(["", " flatten"]), name), needs=(name,))
        self.add_field("norm2(%s) / (1 + abs(total(%s)))" % (name, name), f.dims, (name,))

    def plot(self):
        f = self.real(lambda g: g.space() and len(g.dims) in (1, 2))
        name = self.name("plot")
        if len(f.dims) == 2:
            self.say("plot %s = 2 + tanh(%s)%s" % (name, f.name, self.random.choice(["", " scale log", " colors diverging", " title \"t\""])),
                     needs=(f.name,))
        elif len(f.dims) == 1:
            self.say(self.random.choice(["plot {0} = ({1}, sin({1}))", "plot {0} = {1} points cos({1}) band ({1} - 1, {1} + 1)",
                                         "plot {0} = {1} histogram", "plot {0} = ({1}; sin({1})) shared"]).format(name, f.name),
                     needs=(f.name,))

    def message(self):
        number, needs = self.scalar()
        f = self.real()
        self.say('print "{} and {:.3e}", %s, max(%s)' % (number, f.name), needs=needs + (f.name,))
        self.say('assert max(abs(%s)) < 1e9, "{} is too large", max(abs(%s))' % (f.name, f.name), needs=(f.name,))
