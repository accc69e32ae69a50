#!/usr/bin/env python3
"""differentiated_windows.py spec WINDOW RANK [f32]: a program (global view) that paints
and reads with differentiated windows.
differentiated_windows.py check OUT WINDOW RANK TOLERANCE: its outputs against sums over
cells, the derivatives of splines being differences of lower splines."""
import itertools
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "reference"))
from compare import load

DIMS = "xyz"
SIDE = {"x": 5, "y": 6, "z": 8}  # particles; the mesh is twice as fine
CELL = {"x": 1.0, "y": 0.5, "z": 4.0}  # of the mesh
DEGREE = {"ngp": 0, "cic": 1, "tsc": 2, "pcs": 3}


def orders(rank):
    """Up to two derivatives, and three along the first dim."""
    all_of = [o for o in itertools.product(range(3), repeat=rank) if sum(o) <= 2]
    return all_of + [(3,) + (0,) * (rank - 1)]


def spec(window, rank, real):
    dims = DIMS[-rank:]
    lattice = "!pm.field<[%s], %s>" % (", ".join("%s=%d" % (d, SIDE[d]) for d in dims), real)
    mesh = "!pm.field<[%s], %s>" % (", ".join("%s*2=%d" % (d, 2 * SIDE[d]) for d in dims), real)
    domain = "[%s]" % ", ".join("%s=%d" % (d, SIDE[d]) for d in dims)
    lines = ['pm.mesh @ranks axes = ["row", "col"] extents = [1, 1]', 'pm.layout "%s" -> ["row"]' % dims[0]]
    if rank > 1:
        lines.append('pm.layout "%s" -> ["col"]' % dims[1])
    for d in dims:
        lines.append('pm.dim "%s" = %d length {\n  %%l = arith.constant %r : f64\n  pm.yield %%l : f64\n}'
                     % (d, SIDE[d], float(2 * SIDE[d] * CELL[d])))
    lines.append("func.func @main() {")
    emit = lambda text: lines.append("  " + text)
    noise = itertools.count(1)

    def field(name, type):
        seed = next(noise)
        emit("%%seed%d = arith.constant %d : i64" % (seed, seed))
        emit("%%%s = pm.white_noise %%seed%d -> %s" % (name, seed, type))
        emit('pm.output "%s"(%%%s : %s)' % (name, name, type))

    for d in dims:
        # Where the noise is below zero, on a kink: a multiple of half a cell.
        seed = next(noise)
        emit("%%seed%d = arith.constant %d : i64" % (seed, seed))
        emit("%%n%s = pm.white_noise %%seed%d -> %s" % (d, seed, lattice))
        emit("%%u%s = pm.map %s ins(%%n%s : %s) {\n  ^bb0(%%e: %s):" % (d, domain, d, lattice, real))
        emit("  %%zero = arith.constant 0.0 : %s" % real)
        emit("  %%half = arith.constant %r : %s" % (0.5 * CELL[d], real))
        emit("  %%many = arith.constant %r : %s" % (3 * CELL[d], real))
        emit("  %%far = arith.mulf %%e, %%many : %s\n    %%whole = math.floor %%far : %s" % (real, real))
        emit("  %%kink = arith.mulf %%whole, %%half : %s" % real)
        emit("  %%is = arith.cmpf olt, %%e, %%zero : %s" % real)
        emit("  %%r = arith.select %%is, %%kink, %%far : %s\n    pm.yield %%r : %s\n  } -> %s" % (real, real, lattice))
        emit('pm.output "u%s"(%%u%s : %s)' % (d, d, lattice))
    field("f", mesh)
    field("g", mesh)
    where = ", ".join("%u" + d for d in dims)
    lattices = lambda n: ", ".join([lattice] * n)
    all_of = orders(rank)
    count = len(all_of)
    for w in range(count):
        field("w%d" % w, lattice)
    flat = ", ".join(str(o) for one in all_of for o in one)
    # Two meshes with all orders each, alternating.
    twice = ", ".join(str(o) for one in all_of for o in one + one)
    emit("%%v:%d = pm.readout %s %s at %s {orders = array<i64: %s>} : %s at %s -> %s"
         % (2 * count, window, ", ".join(["%f", "%g"] * count), where, twice,
            ", ".join([mesh] * (2 * count)), lattices(rank), lattices(2 * count)))
    for j in range(count):
        emit('pm.output "f%d"(%%v#%d : %s)' % (j, 2 * j, lattice))
        emit('pm.output "g%d"(%%v#%d : %s)' % (j, 2 * j + 1, lattice))
    weights = ", ".join("%%w%d" % w for w in range(count))
    for name, meshes in (("p", count), ("sum", 1)):
        emit("%%%s:%d = pm.paint %s %s weight %s : %s {orders = array<i64: %s>} : %s -> %s"
             % (name, meshes, window, where, weights, lattices(count), flat, lattices(rank),
                ", ".join([mesh] * meshes)))
        for j in range(meshes):
            emit('pm.output "%s%d"(%%%s#%d : %s)' % (name, j, name, j, mesh))
    # One order alone, and no weight.
    emit("%%alone = pm.readout %s %%f at %s {orders = array<i64: %s>} : %s at %s -> %s"
         % (window, where, ", ".join(["1"] * rank), mesh, lattices(rank), lattice))
    emit('pm.output "alone"(%%alone : %s)' % lattice)
    emit("%%plain = pm.paint %s %s {orders = array<i64: %s>} : %s -> %s"
         % (window, where, ", ".join(["1"] + ["0"] * (rank - 1)), lattices(rank), mesh))
    emit('pm.output "plain"(%%plain : %s)' % mesh)
    emit("return\n}")
    return "\n".join(lines)


def spline(degree, x):
    """The B-spline around zero; the cell that ends at x = 1/2 has its end."""
    if degree == 0:
        return np.where((x > -0.5) & (x <= 0.5), 1.0, 0.0)
    h = 0.5 * (degree + 1)
    return ((x + h) * spline(degree - 1, x + 0.5) + (h - x) * spline(degree - 1, x - 0.5)) / degree


def derived(degree, order, c, u):
    """The derivative of spline(c - u) with respect to u."""
    if order == 0:
        return spline(degree, c - u)
    if degree == 0:
        return np.zeros_like(u)
    return derived(degree - 1, order - 1, c - 0.5, u) - derived(degree - 1, order - 1, c + 0.5, u)


def check(out, window, rank, tolerance):
    dims = DIMS[-rank:]
    degree = DEGREE[window]
    shape = [2 * SIDE[d] for d in dims]
    u = [load(out, "u" + d).astype(np.float64).ravel() / CELL[d] for d in dims]
    assert np.mean(2 * u[0] == np.round(2 * u[0])) > 0.2, "too few particles on kinks"
    node = [2 * i.ravel() for i in np.indices([SIDE[d] for d in dims])]

    def cells(order):
        near = []
        for axis, d in enumerate(dims):
            whole = np.floor(u[axis])
            along = []
            for k in range(-2, 4):
                weight = derived(degree, order[axis], k, u[axis] - whole) / CELL[d] ** order[axis]
                along.append(((node[axis] + whole.astype(np.int64) + k) % shape[axis], weight))
            near.append(along)
        for chosen in itertools.product(*near):
            yield tuple(i for i, _ in chosen), np.prod([w for _, w in chosen], axis=0)

    def read(mesh, order):
        return sum(mesh[where] * weight for where, weight in cells(order))

    def paint(weight, order):
        mesh = np.zeros(shape)
        for where, w in cells(order):
            np.add.at(mesh, where, w * weight)
        return mesh

    def same(name, expected):
        got = load(out, name).ravel()
        expected = np.ravel(expected)
        scale = max(1.0, np.max(np.abs(expected)))
        error = np.max(np.abs(got - expected)) / scale
        assert error <= tolerance, "%s is off by %g, expected at most %g" % (name, error, tolerance)

    f, g = (load(out, name).astype(np.float64).reshape(shape) for name in "fg")
    total = np.zeros(shape)
    nonzero = 0
    for j, order in enumerate(orders(rank)):
        weight = load(out, "w%d" % j).astype(np.float64).ravel()
        expected = read(f, order)
        nonzero += np.any(expected != 0)
        same("f%d" % j, expected)
        same("g%d" % j, read(g, order))
        painted = paint(weight, order)
        same("p%d" % j, painted)
        total += painted
    same("sum0", total)
    same("alone", read(f, (1,) * rank))
    same("plain", paint(np.ones_like(u[0]), (1,) + (0,) * (rank - 1)))
    wanted = sum(max(order) <= degree for order in orders(rank))
    assert nonzero == wanted, "%d orders are not zero, expected %d" % (nonzero, wanted)


if __name__ == "__main__":
    if sys.argv[1] == "spec":
        print(spec(sys.argv[2], int(sys.argv[3]), (sys.argv[4:] + ["f64"])[0]))
    else:
        check(sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5]))
