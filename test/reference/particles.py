"""Paint and readout: a loop over the points of the window of every particle."""
import itertools
import re

import numpy as np

from . import tensors as t
from .dims import shape
from .fields import Field, gather, shaped

# Hockney & Eastwood, ch. 5. Of each window: where the first of its points is found
# (the whole part of position + shift), the points from there, and their weights:
# powers of what is left, from the lowest.
P = np.polynomial.Polynomial
WINDOWS = {
    "ngp": (0.5, {0: P([1])}),
    "cic": (0.0, {0: P([1, -1]), 1: P([0, 1])}),
    "tsc": (0.5, {-1: P([0.5, -1]) ** 2 / 2, 0: P([0.75, 0, -1]), 1: P([0.5, 1]) ** 2 / 2}),
    "pcs": (0.0, {-1: P([1, -1]) ** 3 / 6, 0: P([4, 0, -6, 3]) / 6,
                  1: (4 - 6 * P([1, -1]) ** 2 + 3 * P([1, -1]) ** 3) / 6, 2: P([0, 0, 0, 1]) / 6}),
}


def along_each(text, rank):
    """The entry of WINDOWS for each dim of a mesh: of `of<support, array<f64: coefficients>> batch [dims]`, or of a name."""
    text = text.replace(" ", "").removeprefix("window")
    text, _, batch = text.partition("batch")
    found = re.fullmatch(r"of<(\d+),array<f64:(.*)>>", text)
    if found:
        support = int(found[1])
        cells = np.array(found[2].split(","), float).reshape(support, -1)
        # Of what is left, less 1/2 between two cells.
        centred = P([-0.5 if support % 2 == 0 else 0.0, 1])
        every = (0.0 if support % 2 == 0 else 0.5, {k - (support - 1) // 2: P(c)(centred) for k, c in enumerate(cells)})
    else:
        every = WINDOWS[text]
    of_batch = [int(d) for d in batch.strip("[]").split(",") if d]
    return [WINDOWS["ngp"] if d in of_batch else every for d in range(rank)]


def evaluate(polynomial, x):
    result = polynomial.coef[-1] + np.zeros(np.shape(t.value(x)))
    for coefficient in polynomial.coef[-2::-1]:
        result = t.add(t.mul(result, x), coefficient)
    return result


def positions(op, scope, fields, mesh):
    """Of the particles in cells of the mesh, flat, along each dim."""
    found = []
    for axis, (field, dim) in enumerate(zip(fields, mesh)):
        length = scope.machine.lengths[re.split("[*/]", dim.space_label)[0]] if dim.kind == "space" else dim.extent
        cell = length / dim.extent
        u = t.div(t.reshape(field.data, (-1,)), cell)
        if "free" not in op.attributes:
            node = np.indices(shape(field.dims)).reshape(len(field.dims), -1)[axis]
            u = t.add(u, node * (dim.extent // field.dims[axis].extent) * 1.0)
        found.append((u, cell))
    return found


def points(window, places, mesh, orders):
    """Every point of the window: flat cells of the mesh, and weights, differentiated by
    positions as often as the orders say."""
    windows = along_each(window, len(mesh))
    base = [np.floor(t.value(u) + shift) for (u, _), (shift, _) in zip(places, windows)]
    rest = [t.sub(u, b) for (u, _), b in zip(places, base)]
    for steps in itertools.product(*(pieces for _, pieces in windows)):
        cells = np.ravel_multi_index([(b + s).astype(np.int64) % dim.extent for b, s, dim in zip(base, steps, mesh)],
                                     shape(mesh))
        weight = 1.0
        for step, x, (_, cell), order, (_, pieces) in zip(steps, rest, places, orders, windows):
            weight = t.mul(weight, t.div(evaluate(pieces[step].deriv(order) if order else pieces[step], x), cell**order))
        yield cells, weight


def grouped(op, scope):
    groups, place = [], 0
    for count in op.attributes["operandSegmentSizes"]:
        groups.append([scope.get(name) for name in op.operands[place:place + count]])
        place += count
    return groups


def orders_of(op, number, dims):
    every = op.attributes.get("orders") or []
    return every[number * dims:(number + 1) * dims] if every else [0] * dims


def chosen(field):
    """Of the selected particles, from lists of all; of all, if nothing selects."""
    if not field:
        return lambda flat: flat
    places = np.flatnonzero(t.value(field[0].data))
    return lambda flat: gather(flat, places)


def paint(op, scope):
    displacements, weights, where = grouped(op, scope)
    choose = chosen(where)
    types = op.types[1]
    mesh = types[0].dims
    places = [(choose(u), cell) for u, cell in positions(op, scope, displacements, mesh)]
    each = max(len(weights) // len(types), 1)
    window, results = op.attributes["window"], []
    for number in range(len(types)):
        total = np.zeros(int(np.prod(shape(mesh))))
        for index in range(number * each, (number + 1) * each):
            w = choose(t.reshape(weights[index].data, (-1,))) if weights else 1.0
            for cells, weight in points(window, places, mesh, orders_of(op, index, len(mesh))):
                total = t.add(total, t.scatter(t.mul(w, weight), cells, len(t.value(total))))
        results.append(Field(mesh, shaped(total, mesh)))
    return results


def readout(op, scope):
    meshes, displacements, where = grouped(op, scope)
    choose = chosen(where)
    mesh = meshes[0].dims
    places = [(choose(u), cell) for u, cell in positions(op, scope, displacements, mesh)]
    results = []
    for index, field in enumerate(meshes):
        total = 0.0
        for cells, weight in points(op.attributes["window"], places, mesh, orders_of(op, index, len(mesh))):
            total = t.add(total, t.mul(weight, gather(field.data, cells)))
        if where:
            picked = np.flatnonzero(t.value(where[0].data))
            total = t.scatter(total, picked, int(np.prod(shape(displacements[0].dims))))
        results.append(Field(displacements[0].dims, shaped(total, displacements[0].dims)))
    return results


PARTICLES = {"pm.paint": paint, "pm.readout": readout}
