"""Where the names of values are looked up.

A Program is code that runs once, in order: its ops have effects. A Body is code
that runs for every element of some dims, at once, on flat arrays: its ops are
pure, and a value is computed where it is asked for. So the side of a choice that
an element does not take is not computed for it, and cannot spoil a derivative."""
import numpy as np

from . import tensors as t
from .elementwise import Complex, value


class Program:
    """Values of a block of code without elements."""
    elements = None

    def __init__(self, machine, outer=None):
        self.machine, self.outer, self.values = machine, outer, {}

    def get(self, name):
        scope = self
        while name not in scope.values:
            scope = scope.outer
        return scope.values[name]

    def set(self, names, values):
        assert len(names) == len(values), (names, values)
        self.values.update(zip(names, values))

    def run(self, block, arguments):
        """The operands of the block's last op."""
        self.set(block.arguments, arguments)
        for op in block.ops[:-1]:
            self.set(op.results, self.machine.evaluate(op, self))
        return self.machine.end(block.ops[-1], self)

    def inside(self, block, arguments):
        return Program(self.machine, self).run(block, arguments)


class Elements:
    """Those elements of a domain that are looked at: `coordinates` by label, flat;
    `places`, their flat index by label."""

    def __init__(self, count, coordinates, places):
        self.count, self.coordinates, self.places = count, coordinates, places

    def part(self, mask):
        return Elements(int(mask.sum()), {k: v[mask] for k, v in self.coordinates.items()},
                        {k: v[mask] for k, v in self.places.items()})


def narrow(x, mask):
    if isinstance(x, Complex):
        return Complex(narrow(x.re, mask), narrow(x.im, mask))
    return t.take(x, np.flatnonzero(mask)) if np.ndim(t.value(x)) == 1 else x


def spread(x, count):
    """For every element."""
    if isinstance(x, Complex):
        return Complex(spread(x.re, count), spread(x.im, count))
    return x if np.shape(t.value(x)) == (count,) else t.broadcast(x, (count,))


def merge(mask, a, b):
    """a, of the elements in the mask, and b, of the others, in the elements' order."""
    if isinstance(a, Complex):
        return Complex(merge(mask, a.re, b.re), merge(mask, a.im, b.im))
    places = np.empty(len(mask), dtype=int)
    places[mask], places[~mask] = np.arange(mask.sum()), mask.sum() + np.arange((~mask).sum())
    return t.take(t.join(spread(a, int(mask.sum())), spread(b, int((~mask).sum()))), places)


class Body:
    """Values of a block for some elements of a domain."""

    def __init__(self, machine, block, arguments, outer, elements):
        self.machine, self.block, self.outer, self.elements = machine, block, outer, elements
        self.values = dict(zip(block.arguments, arguments))
        self.makers = {name: op for op in block.ops for name in op.results}

    def known(self, name):
        return self.values.get(name)

    def get(self, name):
        found = self.known(name)
        if found is not None:
            return found
        if name not in self.makers:
            return self.outer.get(name)
        op = self.makers[name]
        self.values.update(zip(op.results, self.machine.evaluate(op, self)))
        return self.values[name]

    def end(self):
        """The operands of the last op, for every element."""
        return [self.get(name) for name in self.block.ops[-1].operands]

    def inside(self, block, arguments):
        return Body(self.machine, block, arguments, self, self.elements).end()

    def part(self, mask):
        return Part(self, mask)


class Part(Body):
    """A Body for fewer of its elements."""

    def __init__(self, whole, mask):
        super().__init__(whole.machine, whole.block, [],
                         whole.outer if whole.outer.elements is None else whole.outer.part(mask), whole.elements.part(mask))
        self.values, self.whole, self.mask = {}, whole, mask

    def known(self, name):
        if name not in self.values:
            found = self.whole.known(name)
            if found is None:
                return None
            self.values[name] = narrow(found, self.mask)
        return self.values[name]


def choose(scope, condition, one, other):
    """What `one(scope)` gives where the condition holds, and `other(scope)` elsewhere:
    lists of values."""
    mask = np.asarray(value(condition))
    if mask.ndim == 0:
        return one(scope) if mask else other(scope)
    if mask.all():
        return one(scope)
    if not mask.any():
        return other(scope)
    return [merge(mask, a, b) for a, b in zip(one(scope.part(mask)), other(scope.part(~mask)))]
