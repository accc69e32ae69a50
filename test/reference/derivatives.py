"""pm.vjp and pm.jvp: derivatives of what this interpreter does itself, backwards.

None of it is what the compiler differentiates: functions are run on Tensors, which
remember what they were made of (tensors.py)."""
import numpy as np

from . import tensors as t
from .fields import is_real, parts
from .scopes import spread


def leaves(x):
    """The value with new Tensors as its parts, and these with their weights."""
    arrays, make = parts(x)
    made = [(t.leaf(a), w) for a, w in arrays]
    return make([a for a, _ in made]), made


def filled(cotangents, arrays):
    """0 where nothing depends on a part."""
    return [np.zeros(t.size_of(a)) if g is None else g for g, (a, _) in zip(cotangents, arrays)]


def run(op, scope, count):
    """The callee, on Tensors: its results, the leaves of every argument in `wrt`,
    and the rest of the operands."""
    given = [scope.get(name) for name in op.operands]
    arguments, others = given[:count], given[count:]
    if scope.elements is not None:
        # Every element of a map has derivatives of its own.
        for place in op.attributes["wrt"]:
            arguments[place] = spread(arguments[place], scope.elements.count)
        others = [spread(x, scope.elements.count) for x in others]
    found = {}
    for place in op.attributes["wrt"]:
        arguments[place], found[place] = leaves(arguments[place])
    results = scope.machine.call(op.attributes["callee"], arguments, scope.elements)
    if scope.elements is not None:
        results = [spread(x, scope.elements.count) for x in results]
    return results, [found[p] for p in op.attributes["wrt"]], others


def pull(outputs, cotangents, arguments):
    """For each argument (a list of leaves with weights) the derivatives by its
    parts. Weights are those of the inner product."""
    ys, gs = [], []
    for y, g in zip(outputs, cotangents):
        for (a, w), (b, _) in zip(parts(y)[0], parts(g)[0]):
            ys.append(a)
            gs.append(t.mul(b, w))
    every = [leaf for argument in arguments for leaf in argument]
    found = iter(filled(t.gradients(ys, gs, [a for a, _ in every]), every))
    return [[t.div(next(found), np.maximum(w, 1)) for _, w in argument] for argument in arguments]


def vjp(op, scope):
    results, arguments, cotangents = run(op, scope, op.attributes["operandSegmentSizes"][0])
    given = [scope.get(name) for name in op.operands]
    pulled = pull([results[j] for j in op.attributes["of"]], cotangents, arguments)
    return results + [parts(given[place])[1](p) for place, p in zip(op.attributes["wrt"], pulled)]


def jvp(op, scope):
    """J v = d/du (v . J^T u): the adjoint is linear in u, whatever u is."""
    results, arguments, tangents = run(op, scope, op.attributes["operandSegmentSizes"][0])
    real = [y for y in results if is_real(y)]
    directions = [leaves(parts(y)[1]([np.ones(t.size_of(a)) for a, _ in parts(y)[0]])) for y in real]
    every = [a for argument in arguments for a, _ in argument]
    ys = [a for y in real for a, _ in parts(y)[0]]
    us = [a for _, made in directions for a, _ in made]
    back = t.gradients(ys, us, every)
    vs = [a for v in tangents for a, _ in parts(v)[0]]
    pairs = [(g, v) for g, v in zip(back, vs) if g is not None]
    found = t.gradients([g for g, _ in pairs], [v for _, v in pairs], us)
    found = iter(filled(found, [leaf for _, made in directions for leaf in made]))
    return results + [parts(y)[1]([next(found) for _ in parts(y)[0]]) for y in real]


def by_hand(machine, name, arguments, adjoint):
    """A function whose adjoint is another one."""
    results = machine.run_function(name, arguments)
    if not any(isinstance(a, t.Tensor) for x in arguments for a, _ in parts(x)[0]):
        return results
    real = [i for i, y in enumerate(results) if is_real(y)]
    inputs = [(i, j, a, w) for i, x in enumerate(arguments) for j, (a, w) in enumerate(parts(x)[0]) if isinstance(a, t.Tensor)]
    wanted = [i for i, x in enumerate(arguments) if is_real(x)]

    def cotangents(output, part, g):
        made = []
        for i in real:
            arrays, make = parts(results[i])
            made.append(make([t.div(g, np.maximum(w, 1)) if (i, j) == (output, part) else np.zeros(t.size_of(a))
                              for j, (a, w) in enumerate(arrays)]))
        return dict(zip(wanted, machine.call(adjoint, list(arguments) + made)))

    def output(i):
        arrays, make = parts(results[i])
        def one(j, array):
            def back(argument, part, weight):
                return lambda g: t.mul(parts(cotangents(i, j, g)[argument])[0][part][0], weight)
            return t.Tensor(t.value(array), [(a, back(k, p, w)) for k, p, a, w in inputs])
        return make([one(j, a) for j, (a, _) in enumerate(arrays)])
    return [output(i) if i in real else y for i, y in enumerate(results)]


DERIVATIVES = {"pm.vjp": vjp, "pm.jvp": jvp}
