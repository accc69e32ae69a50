"""The state of a program that is being drawn."""
import itertools
import random

from program import Dim, Field, Program, Statement, is_part, list_text


class Operands:
    """What rules draw on: names, statements, and fields made so far."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.fields, self.scalars, self.tables, self.functions, self.precise = [], [], [], [], []
        self.grids = set()  # tables from which tables over two axes are made
        self.count = itertools.count()
        self.labels = self.random.sample(["x", "y", "z"], self.random.choice([1, 2, 2, 3, 3, 3]))
        big = {1: (6, 40), 2: (6, 20), 3: (6, 14)}[len(self.labels)]
        sides = {label: self.random.randint(*big) for label in self.labels}
        if self.random.random() < 0.3:  # a side of few cells, or of one
            sides[self.random.choice(self.labels)] = self.random.randint(1, 5)
        lengths = self.random.choice(["", " over 30 Mpc/h", " over 7", " over box", " over 8 um", " over width"])
        self.unit_of_length = {"": "", " over 7": "", " over 8 um": "um", " over width": "um"}.get(lengths, "Mpc/h")
        header, flags = ["mesh ranks(row = 1, col = 1)"], []
        if self.random.random() < 0.5:  # otherwise those of the dims
            header.append(self.random.choice(["units um, s", "units nm, ms", "units m", "units mm, us, g"]))
        if lengths == " over width":
            header.append("param width = 8 um")
            flags += ["--width=%s" % self.random.choice(["6.5", "9500nm", "0.02 mm"])] if self.random.random() < 0.6 else []
        if lengths == " over box":
            header.append("param box: length in (0, inf) = 30 Mpc/h")
            flags += ["--box=%g" % self.random.choice([8, 41.5])] if self.random.random() < 0.6 else []
        header += ["dim %s = %d%s" % (label, sides[label], lengths) for label in self.labels]
        if self.random.random() < 0.4:  # a batch dim, of no length
            sides["t"] = self.random.randint(6, 8)
            self.labels.insert(self.random.randint(0, len(self.labels)), "t")
            header.append("dim t = %d" % sides["t"])
        self.program = Program(seed, header, sides, flags=flags, precision="f32" if seed % 3 == 2 else "f64")

    # --- Names and statements.

    def name(self, prefix):
        return prefix + str(next(self.count))

    def say(self, text, makes="", needs=()):
        self.program.statements.append(Statement(text, makes, tuple(needs)))

    def output(self, name, needs=(), text=None):
        self.say(text or "output o_%s = %s" % (name, name), needs=(name,) + tuple(needs))

    def add_field(self, text, dims, needs=(), **kind):
        made = Field(self.name("f"), tuple(dims), **kind)
        self.say("let %s = %s" % (made.name, text), made.name, needs)
        self.fields.append(made)
        if made.complex:
            self.output(made.name, text="output o_{0} (re, im) = (real({0}), imag({0}))".format(made.name))
        else:
            self.output(made.name)
        return made

    def add_bounded(self, text, dims, needs=()):
        """A field that may be large as an output, and one of order one of it."""
        name = self.name("g")
        self.say("let %s = %s" % (name, text), name, needs)
        self.output(name)
        return self.add_field("tanh(%s / 3)" % name, dims, (name,))

    def add_scalar(self, text, needs=()):
        name = self.name("s")
        self.say("let %s = %s" % (name, text), name, needs)
        self.output(name)
        self.scalars.append(name)
        return name

    # --- Operands.

    def some_dims(self, least=1, refined=0.15):
        count = self.random.randint(min(least, len(self.labels)), len(self.labels))
        chosen = sorted(self.random.sample(self.labels, count), key=self.labels.index)
        if self.random.random() < 0.2:
            self.random.shuffle(chosen)
        finer = 2 if self.random.random() < refined and len(chosen) < 4 else 1
        return tuple(Dim(label, self.random.choice([1, finer])) for label in chosen)

    def noise(self, dims):
        made = self.add_field("white_noise%s(%d)" % (list_text(dims), self.random.randint(0, 2**40)), dims,
                              generic=True)
        self.program.exact.add("o_" + made.name)
        return made

    def pick(self, accept=lambda f: True, otherwise=None):
        """A field made so far, recent ones rather than old ones, or new noise."""
        good = [f for f in self.fields if accept(f)]
        if good and self.random.random() < 0.85:
            return good[-1] if self.random.random() < 0.4 else self.random.choice(good)
        return self.noise(otherwise or self.some_dims())

    def real(self, accept=lambda f: True, otherwise=None):
        return self.pick(lambda f: not f.complex and accept(f), otherwise)

    def over(self, dims):
        """A real space field with just these dims."""
        return self.real(lambda f: f.dims == tuple(dims), dims)

    def generic(self, dims):
        return self.real(lambda f: f.generic and f.dims == tuple(dims), dims)

    def scalar(self):
        """A number's text and the names it needs."""
        if self.scalars and self.random.random() < 0.6:
            name = self.random.choice(self.scalars)
            return "sin(%s)" % name, (name,)
        return "%.3f" % self.random.uniform(-2, 2), ()

    def partner(self, f):
        """A real field that may be beside f, of its dims or some of them; none
        where all are dual."""
        space = [d for d in f.dims if not d.dual]
        if not space:
            return None
        return self.real(lambda g: g is not f and is_part(g.dims, f.dims), space[:self.random.randint(1, len(space))])
