"""Branches, loops and calls."""
import numpy as np

from .scopes import choose, narrow
from .elementwise import COMPARE, Complex, compare_ints, value


def select(op, scope):
    condition, one, other = op.operands
    condition = scope.get(condition)
    if scope.elements is None:
        return [scope.get(one if value(condition) else other)]
    return choose(scope, condition, lambda s: [s.get(one)], lambda s: [s.get(other)])


def run_if(op, scope):
    def side(place):
        return lambda s: s.inside(op.regions[place], []) if len(op.regions) > place and op.regions[place].ops else []
    return choose(scope, scope.get(op.operands[0]), side(0), side(1))


def run_for(op, scope):
    first, last, step = (np.asarray(value(scope.get(name))) for name in op.operands[:3])
    carried = [scope.get(name) for name in op.operands[3:]]
    if first.ndim == last.ndim == 0:
        for i in range(int(first), int(last), int(step)):
            carried = scope.inside(op.regions[0], [np.int64(i)] + carried)
        return carried
    i = np.broadcast_to(first, (scope.elements.count,)).copy()
    while (i < last).any():
        carried = choose(scope, i < last, lambda s: stepped(s, op.regions[0], [i] + carried, i < last), lambda s: [
            x if np.all(~(i < last)) else narrow(x, ~(i < last)) for x in carried])
        i = np.where(i < last, i + step, i)
    return carried


def stepped(scope, block, values, mask):
    return scope.inside(block, values if mask.all() else [narrow(x, mask) for x in values])


def run_while(op, scope):
    before, after = op.regions
    carried = [scope.get(name) for name in op.operands]
    if scope.elements is None:
        while True:
            condition, *passed = scope.inside(before, carried)
            if not value(condition):
                return passed
            carried = scope.inside(after, passed)
    return while_of_elements(scope, before, after, carried)


def while_of_elements(scope, before, after, carried):
    """Those elements whose condition has failed are done, the others go on."""
    condition, *passed = scope.inside(before, carried)
    def done(s):
        return [narrow(x, ~mask) if mask.ndim and not (~mask).all() else x for x in passed]
    def on(s):
        kept = passed if not mask.ndim or mask.all() else [narrow(x, mask) for x in passed]
        return while_of_elements(s, before, after, s.inside(after, kept))
    mask = np.asarray(value(condition))
    return choose(scope, mask, on, done)


def call(op, scope):
    return scope.machine.call(op.attributes["callee"], [scope.get(name) for name in op.operands], scope.elements)


def constant(op, scope):
    found = op.attributes["value"]
    if isinstance(found, list):
        return [Complex(*map(float, found))]
    kind = op.types[1][0]
    if kind == "i1":
        return [np.bool_(found)]
    return [np.float64(found) if kind.startswith("f") else np.int64(np.uint64(found) if found > 2**63 - 1 else found)]


def compare(op, scope):
    a, b = (scope.get(name) for name in op.operands)
    predicate = op.attributes["predicate"]
    return [compare_ints(predicate, a, b) if op.name == "arith.cmpi" else COMPARE[predicate](value(a), value(b))]


CONTROL = {"arith.cmpi": compare, "arith.cmpf": compare,
           "arith.select": select, "scf.if": run_if, "scf.for": run_for, "scf.while": run_while, "func.call": call,
           "arith.constant": constant, "complex.constant": constant}
