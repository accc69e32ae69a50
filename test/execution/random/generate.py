#!/usr/bin/env python3
"""Draws random .pm programs over the ops of the language.

    generate.py SEED    prints a program and the flags it is run with

A program is a list of statements, each of which knows the names it makes and
the names it needs, so that a failing one can be shrunk. Every statement's value
is an output. Values stay of order one, and what is discontinuous (floor,
comparisons, the ngp window, a table's slope) is drawn for generic values only:
noise and multiples of it. A rounding error then stays one.
"""
import itertools
import random
import sys
from dataclasses import dataclass, field

AXES = ("row", "col")


@dataclass(frozen=True)
class Dim:
    """A dim of a field: refined, and the dual one of a transform, or neither."""
    label: str
    finer: int = 1
    dual: bool = False

    def text(self):
        return self.label if self.finer == 1 else "refine(%s, %d)" % (self.label, self.finer)


@dataclass
class Field:
    """`generic`: noise or a multiple of it, the same bits on every layout.
    `transforms`: what was transformed, and has to be undone in reverse order."""
    name: str
    dims: tuple
    complex: bool = False
    generic: bool = False
    transforms: tuple = ()

    def space(self):
        return not any(dim.dual for dim in self.dims)


@dataclass
class Statement:
    text: str
    makes: str = ""
    needs: tuple = ()


@dataclass
class Program:
    seed: int
    header: list
    dims: dict                                   # label -> cells
    statements: list = field(default_factory=list)
    inputs: dict = field(default_factory=dict)   # name -> shape of the field, or None for a table
    flags: list = field(default_factory=list)
    exact: set = field(default_factory=set)      # outputs that are equal to the last bit

    def text(self):
        return "\n".join(self.header + [s.text for s in self.statements]) + "\n"

    def without(self, index):
        """The program without a statement and what needs it."""
        gone, kept = {self.statements[index].makes} - {""}, []
        for place, statement in enumerate(self.statements):
            if place == index or gone & set(statement.needs):
                gone |= {statement.makes} - {""}
            else:
                kept.append(statement)
        flags = [flag for flag in self.flags if flag[2:].split("=")[0] not in gone]
        inputs = {name: shape for name, shape in self.inputs.items() if name not in gone}
        return Program(self.seed, self.header, self.dims, kept, inputs, flags, self.exact - gone)


def tuple_text(items):
    items = list(items)
    return items[0] if len(items) == 1 else "(%s)" % ", ".join(items)


def list_text(dims):
    return "[%s]" % ", ".join(dim.text() for dim in dims)


def is_part(part, whole):
    """Whether `part` are dims of `whole`, in their order."""
    rest = iter(whole)
    return all(dim in rest for dim in part)


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.fields, self.scalars, self.tables, self.functions = [], [], [], []
        self.count = itertools.count()
        self.labels = self.random.sample(["x", "y", "z"], self.random.choice([1, 2, 2, 3, 3, 3]))
        big = {1: (6, 40), 2: (6, 20), 3: (6, 14)}[len(self.labels)]
        sides = {label: self.random.randint(*big) for label in self.labels}
        lengths = self.random.choice(["", " over 30 Mpc/h", " over 7"])
        header = ["mesh ranks(row = 1, col = 1)"]
        header += ["dim %s = %d%s" % (label, sides[label], lengths) for label in self.labels]
        if self.random.random() < 0.4:  # a batch dim, of no length
            sides["t"] = self.random.randint(6, 8)
            self.labels.insert(self.random.randint(0, len(self.labels)), "t")
            header.append("dim t = %d" % sides["t"])
        self.program = Program(seed, header, sides)

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
        """A real field that may stand beside f, of its dims or some of them; none
        where all are dual."""
        space = [d for d in f.dims if not d.dual]
        if not space:
            return None
        return self.real(lambda g: g is not f and is_part(g.dims, f.dims), space[:self.random.randint(1, len(space))])

    # --- Rules. Each adds a statement or two.

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

    def slice(self):
        f = self.real(lambda g: g.space() and len(g.dims) > 1, self.some_dims(2))
        if len(f.dims) < 2:
            return self.reduce()
        dim = self.random.choice(f.dims)
        first = self.random.randrange(self.program.dims[dim.label] - 1)
        last = self.random.choice(["", " .. %d" % self.random.randint(first + 1, self.program.dims[dim.label])])
        self.add_field("slice(%s, %s = %d%s)" % (f.name, dim.label, first, last), [d for d in f.dims if d != dim],
                       (f.name,))

    def bins(self):
        f = self.pick()
        radius = " + ".join("index(k, %s)^2" % d.label for d in f.dims)
        value = "norm2(%s)" % f.name if f.complex else f.name
        count = self.random.randint(3, 12)
        pair = self.name("b")
        self.say("let {p} = bins k in {f} into {n} by sqrt({r}) => ({v}, 1)".format(
            p=pair, f=f.name, n=count, r=radius, v=value), pair, (f.name,))
        self.output(pair, text="output o_{0} (sum, elements) = ({0}[0], {0}[1])".format(pair))

    def complex_field(self):
        f = self.real(lambda g: g.space())
        g = self.over(f.dims)
        self.add_field(self.random.choice(["{f} + 1i * {g}", "exp(1i * {f})", "({f} - 2i) * {g} / (1 + abs({f} + 1i))",
                                           "({f} + 1i)^2 * {g}"]).format(f=f.name, g=g.name),
                       f.dims, (f.name, g.name), complex=True)

    def fft(self):
        f = self.pick(lambda g: g.complex and not all(d.dual for d in g.dims) or
                      not g.complex and g.space())
        plain = [d for d in f.dims if not d.dual]
        over = plain if self.random.random() < 0.5 else self.random.sample(plain, self.random.randint(1, len(plain)))
        labels = [d.label for d in over]
        self.random.shuffle(labels)
        every = len(over) == len(f.dims) and self.random.random() < 0.7
        dims = [Dim(d.label, d.finer, d.dual or d in over) for d in f.dims]
        self.add_field("fft(%s%s)" % (f.name, "" if every else ", over = %s" % tuple_text(labels)), dims, (f.name,),
                       complex=True, transforms=f.transforms + ((tuple(labels), f.complex),))

    def spectrum(self):
        """A spectrum to work with; makes one where there is none."""
        if not any(f.transforms and f.complex for f in self.fields):
            self.fft()
        return self.random.choice([f for f in self.fields if f.transforms and f.complex])

    def kernel(self):
        f = self.spectrum()
        duals = [d.label for d in f.dims if d.dual]
        size = " + ".join("(k[{0}] * spacing({0}))^2".format(label) for label in duals)
        number, needs = self.scalar()
        d = self.random.choice(duals)
        text = self.random.choice([
            "map k in {f} => exp(-0.3 * ({r})) * {f}", "map k in {f} => if {r} == 0 then 0 else {f} / ({r})",
            "map k in {f} => 1i * k[{d}] * spacing({d}) * {f}", "{s} * {f}", "2 * {f}",
            "map k in {f} => (1 + cos(index(k, {d}))) * {f}"])
        self.add_field(text.format(f=f.name, r=size, d=d, s=number), f.dims, (f.name,) + needs, complex=True,
                       transforms=f.transforms)

    def parts(self):
        f = self.pick(lambda g: g.complex)
        if not f.complex:
            f = self.spectrum()
        self.add_field(self.random.choice(["norm2({0})", "real({0})", "imag({0})", "abs({0})",
                                           "arg(2 + {0} / (1 + abs({0})))", "real(conj({0}) * {0})"]).format(f.name),
                       f.dims, (f.name,), transforms=f.transforms)

    def modes(self):
        f = self.spectrum()
        self.add_scalar(self.random.choice(["sum(norm2(%s))", "mean(norm2(%s))", "max(abs(%s))", "sum(real(%s))"]) %
                        f.name, (f.name,))

    def ifft(self):
        f = self.spectrum()
        labels, was_complex = f.transforms[-1]
        dims = [Dim(d.label, d.finer, d.dual and d.label not in labels) for d in f.dims]
        every = len(labels) == len(f.dims) and self.random.random() < 0.7
        self.add_field("ifft(%s%s)" % (f.name, "" if every else ", over = %s" % tuple_text(labels)), dims, (f.name,),
                       complex=was_complex, transforms=f.transforms[:-1])

    # --- Particles.

    def lattice(self, most=3):
        dims = self.some_dims(refined=0)[:most]
        return tuple(d for d in dims if d.label != "t") or (Dim([l for l in self.labels if l != "t"][0]),)

    def window(self, smooth):
        return self.random.choice(["cic", "tsc", "pcs"] if smooth else ["ngp", "cic", "tsc", "pcs"])

    def displacements(self, lattice):
        """A vector of displacements: within a cell, wider than a shard, wider
        than the box; and whether the windows may have steps there."""
        smooth = self.random.random() < 0.4
        parts, needs = [], []
        for dim in lattice:
            if smooth:
                f = self.over(lattice)
                scale = self.random.choice([0.4, 2.5, 9])
                parts.append("%g * spacing(%s) * sin(%s)" % (scale, dim.label, f.name))
            else:
                f = self.generic(lattice)
                scale = self.random.choice([0.3, 3, 20, 1000])
                parts.append("%g * spacing(%s) * %s" % (scale, dim.label, f.name))
            needs.append(f.name)
        name = self.name("d")
        if len(parts) == 1:
            self.say("let {0} = for d in dims({1}) => {2}".format(name, needs[0], parts[0]), name, needs)
        else:
            self.say("let %s = (%s)" % (name, ", ".join(parts)), name, needs)
        return name, smooth

    def finer(self, lattice):
        if self.random.random() < 0.6:
            return lattice
        return tuple(Dim(d.label, self.random.choice([1, 2, 2])) for d in lattice)

    def paint(self):
        lattice = self.lattice()
        displacements, smooth = self.displacements(lattice)
        mesh = self.finer(lattice)
        weight, needs = "", ()
        if self.random.random() < 0.5:
            f = self.over(lattice)
            weight, needs = ", weight = " + f.name, (f.name,)
        self.add_field('paint%s(%s, window = "%s"%s)' % (
            "" if mesh == lattice and self.random.random() < 0.5 else list_text(mesh), displacements,
            self.window(smooth), weight), mesh, (displacements,) + needs)

    def readout(self):
        lattice = self.lattice()
        displacements, smooth = self.displacements(lattice)
        mesh = self.finer(lattice)
        window = self.window(smooth)
        if self.random.random() < 0.5:
            f = self.over(mesh)
            self.add_field('readout(%s, %s, window = "%s")' % (f.name, displacements, window), lattice,
                           (f.name, displacements))
            return
        f, g, pair = self.over(mesh), self.noise(mesh), self.name("r")
        self.say('let %s = readout((%s, %s), %s, window = "%s")' % (pair, f.name, g.name, displacements, window), pair,
                 (f.name, g.name, displacements))
        for place in range(2):
            self.add_field("%s[%d]" % (pair, place), lattice, (pair,))

    def force(self):
        """Painted, differentiated, and read where it was painted, as in a step of an
        N-body program: one reach serves both."""
        lattice = self.lattice()
        displacements, smooth = self.displacements(lattice)
        mesh, window = self.finer(lattice), self.window(smooth)
        density, spectrum, pair = self.name("f"), self.name("f"), self.name("r")
        self.say('let %s = paint%s(%s, window = "%s")' % (density, list_text(mesh), displacements, window), density,
                 (displacements,))
        self.say("let %s = fft(%s)" % (spectrum, density), spectrum, (density,))
        parts = ["ifft(map k in {f} => 1i * sin(k[{d}] * spacing({d})) * {f} / 3)".format(f=spectrum, d=d.label)
                 for d in (mesh[0], mesh[-1])]
        self.say('let %s = readout((%s), %s, window = "%s")' % (pair, ", ".join(parts), displacements, window), pair,
                 (spectrum, displacements))
        for place in range(2):
            self.add_field("%s[%d]" % (pair, place), lattice, (pair,))

    def positions(self, mesh):
        """Positions over any dims, in the box of a mesh and far out of it."""
        particles = self.some_dims(refined=0)
        parts, needs = [], []
        for dim in mesh:
            f = self.generic(particles)
            parts.append("%g * length(%s) * %s" % (self.random.choice([0.1, 1, 5]), dim.label, f.name))
            needs.append(f.name)
        name = self.name("d")
        if len(parts) == 1:  # a vector of one: made over the dims of a field of one
            needs.append(self.over([Dim(mesh[0].label)]).name)
            parts = ["for d in dims(%s) => %s" % (needs[-1], parts[0])]
        self.say("let %s = %s" % (name, parts[0] if len(parts) == 1 else "(%s)" % ", ".join(parts)), name, needs)
        return particles, name

    def paint_at(self):
        mesh = self.finer(self.lattice())
        particles, positions = self.positions(mesh)
        weight, needs = "", ()
        if self.random.random() < 0.5:
            f = self.over(particles)
            weight, needs = ", weight = " + f.name, (f.name,)
        self.add_field('paint_at%s(%s, window = "%s"%s)' % (list_text(mesh), positions, self.window(False), weight),
                       mesh, (positions,) + needs)

    def readout_at(self):
        mesh = self.finer(self.lattice())
        particles, positions = self.positions(mesh)
        f = self.over(mesh)
        self.add_field('readout_at(%s, %s, window = "%s")' % (f.name, positions, self.window(False)), particles,
                       (f.name, positions))

    # --- Numbers, tables, control flow.

    def param(self):
        name = self.name("q")
        kind, value, use = self.random.choice([("", "0.7", "{0}"), (": int", "3", "0.5 * {0}"), (": u64", "5", "0.1 * {0}"),
                                               (": bool", "true", "(if {0} then 0.25 else 4.0)")])
        self.say("param %s%s = %s" % (name, kind, value), name)
        given = {"": "-1.25", ": int": "-2", ": u64": "4", ": bool": "false"}[kind]
        if self.random.random() < 0.5:
            self.program.flags.append("--%s=%s" % (name, given))
        self.add_scalar("(if given({0}) then 2.0 else 3.0) * {1}".format(name, use.format(name)), (name,))

    def input_field(self):
        dims = self.some_dims(refined=0)
        name = self.name("i")
        needed = self.random.random() < 0.4
        self.say("input %s: field%s%s" % (name, list_text(dims), "" if needed else " optional"), name)
        other = self.over(dims)
        if needed or self.random.random() < 0.6:
            self.program.inputs[name] = tuple(self.program.dims[d.label] for d in dims)
        self.add_field("%s + %s" % (name, other.name) if needed else
                       "if given({0}) then {0} else {1}".format(name, other.name), dims, (name, other.name))

    def input_table(self):
        name = self.name("i")
        self.say("input %s: table optional" % name, name)
        if self.random.random() < 0.6:
            self.program.inputs[name] = None
        self.add_table("if given({0}) then {0} else tabulate(u => u^2 / 10, from = -5, to = 5, points = 9)".format(name),
                       (name,))

    def add_table(self, text, needs):
        name = self.name("t")
        self.say("let %s = %s" % (name, text), name, needs)
        self.tables.append(name)
        return name

    def tabulate(self):
        number, needs = self.scalar()
        self.add_table("tabulate(u => sin(u) + %s * u / 5, from = -%d, to = 4, points = %d)" % (
            number, self.random.randint(3, 6), self.random.randint(2, 40)), needs)
        self.interpolate()

    def transform(self):
        if not self.tables:
            self.tabulate()
        table = self.random.choice(self.tables)
        self.add_table("transform(%s, (u, v) => (u + 0.3 * sin(u), cos(v) + 0.1 * u))" % table, (table,))
        self.interpolate()

    def interpolate(self):
        if not self.tables:
            self.tabulate()
        table = self.random.choice(self.tables)
        if self.random.random() < 0.3:
            f = self.generic(self.some_dims())
            self.add_field("map q in {0} => derivative({1}, {0})".format(f.name, table), f.dims, (f.name, table))
        elif self.random.random() < 0.5:
            f = self.real()
            self.add_field("map q in {0} => interpolate({1}, sin({0}))".format(f.name, table), f.dims, (f.name, table),
                           transforms=f.transforms)
        else:
            number, needs = self.scalar()
            self.add_scalar("interpolate(%s, %s)" % (table, number), (table,) + needs)

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

    DERIVED = (
        "sin({v}) * {v}", "{v} * mean({v}^2) + b", "ifft(map k in {t} => {t} * (1 + 0.3i * {c}))", "exp(-norm2({v})) - b * {v}",
        "loop w = {v} for i in 0 .. 3 => w + 0.1 * b * sin(w + i)", "{v} + mean({v}, over = {d})", "if mean({v}) > b then {v} * {v} else 2 {v}",
        "max({v}, b) + abs({v})",
    )

    def gradient(self):
        """Backwards, or forwards over backwards, through a few steps of a function of a field and a number."""
        f = self.real(lambda g: g.space())
        name = self.name("fn_")
        lines, v = [], "u"
        for _ in range(self.random.randint(1, 4)):
            text = self.random.choice(self.DERIVED)
            made, transform = self.name("l"), self.name("l")
            if "{t}" in text:
                lines.append("let %s = fft(%s)" % (transform, v))
            dim = self.random.choice(f.dims).label
            lines.append("let %s = %s" % (made, text.format(v=v, t=transform, d=dim, c="sin(k[{0}] * spacing({0}))".format(dim))))
            v = made
        value = self.random.choice(["mean(sin({v}))", "mean({v}^2) * b", "mean(cos({v}) * b)"]).format(v=v)
        self.say("fn %s(u, b) { %s; %s }" % (name, "; ".join(lines), value), name)
        number, needs = self.scalar()
        options = self.random.choice(["", "", ', schedule = "revolve", snapshots = 2', ', schedule = "reverse"'])
        if self.random.random() < 0.7:
            pair = self.name("g")
            self.say("let %s = grad(%s, wrt = (u, b)%s)(%s, %s)" % (pair, name, options, f.name, number), pair, (name, f.name) + needs)
            self.add_scalar("%s[1]" % pair, (pair,))
            self.add_field("%s[0] * sum(1 + 0 * %s)" % (pair, f.name), f.dims, (pair, f.name))
        else:
            self.add_field("jvp(grad(%s))(%s, %s, tangent = cos(%s))[1] * sum(1 + 0 * %s)" % (name, f.name, number, f.name, f.name),
                           f.dims, (name, f.name) + needs)

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
            self.say("plot %s = 2 + tanh(%s)%s" % (name, f.name, self.random.choice(["", " scale log"])),
                     needs=(f.name,))
        elif len(f.dims) == 1:
            self.say("plot {0} = ({1}, sin({1}))".format(name, f.name), needs=(f.name,))

    def message(self):
        number, needs = self.scalar()
        f = self.real()
        self.say('print "{} and {:.3e}", %s, max(%s)' % (number, f.name), needs=needs + (f.name,))
        self.say('assert max(abs(%s)) < 1e9, "{} is too large", max(abs(%s))' % (f.name, f.name), needs=(f.name,))

    RULES = (white_noise, elementwise, discontinuous, broadcast, coordinates, several, constant, reduce, reduce_dims,
             slice, bins, complex_field, fft, kernel, parts, modes, ifft, paint, readout, force, paint_at, readout_at, param,
             input_field, input_table, tabulate, transform, interpolate, loop_for, loop_pair, loop_while, nest,
             branch, branch_scalar, branch_output,
             function, gradient, vector, plot, message)

    def generate(self):
        """A first rule that goes through all of them with the seed, then some of
        a few that this program has, often."""
        first = self.RULES[self.program.seed % len(self.RULES)]
        few = self.random.sample(self.RULES, 9)
        self.noise(self.some_dims(len(self.labels)))
        first(self)
        for _ in range(self.random.randint(5, 9)):
            self.random.choice(few)(self)
        return self.program


def layout(program, random):
    """A random layout: axes on any dims, both on one, one on several, or none."""
    labels = list(program.dims)
    split = {}
    for axis in AXES:
        if random.random() < 0.9:
            split.setdefault(random.choice(labels), []).append(axis)
    if random.random() < 0.12:  # may be a conflict, which the compiler explains
        split.setdefault(random.choice(labels), []).append(random.choice(AXES))
    text = []
    for label, axes in split.items():
        axes = sorted(set(axes), key=axes.index)
        random.shuffle(axes)
        text.append("%s->%s" % (label, axes[0] if len(axes) == 1 else "(%s)" % ",".join(axes)))
    return ", ".join(text) or "%s->row" % labels[0]


def generate(seed):
    return Generator(seed).generate()


if __name__ == "__main__":
    drawn = generate(int(sys.argv[1]))
    print(drawn.text() + "// " + " ".join(drawn.flags) + " " + repr(drawn.inputs))
