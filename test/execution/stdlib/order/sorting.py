#!/usr/bin/env python3
"""Sorts, orders and ranks along each dim against NumPy's, on every mesh.

    sorting.py PMC FOLDER MESHES..."""
import os
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))
import meshes  # pylint: disable=wrong-import-position

SPEC = """
dim x = 24, y = 90, z = 7, u = 1, long = 150000
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, long -> row
let noise = white_noise[x, y, z](1)
// Outputs are finite: 1e300 stands for an infinity, 2e300 for NaN.
fn shown(f) = map q in f => if finite(f) then f else if f > 0 then 1e300 else if f < 0 then -1e300 else 2e300
let holes = map q in noise => {
  let i = mod(7 * int(index(q, x)) + 3 * int(index(q, y)) + int(index(q, z)), 11)
  if i == 0 then log(noise * 0 - 1) else if i == 1 then log(noise * 0) else if i == 2 then -log(noise * 0) else if i == 3 then 0 * noise else noise
}
let equal = int(2 * noise)
let large = map q in noise => equal * 4000000000000000000 + int(index(q, y))
output noise
output holes_in = shown(holes)
output equal
output large
output line = white_noise[long](3)
output single = white_noise[u](4)
output group = int(white_noise[long](5) * 9)
""" + "\n".join(f"""output up_{d} = sort(noise, {d})
output down_{d} = shown(sort(holes, {d}, order = "descending"))
output holes_{d} = shown(sort(holes, {d}))
output ints_{d} = sort(large, {d}, order = "descending")
output order_{d} = argsort(holes, {d})
output backwards_{d} = argsort(equal, {d}, order = "descending")
output ranks_{d} = ranks(equal, {d})
output read_{d} = noise[{d} = argsort(noise, {d})]
output within_{d} = argsort(holes, {d}, order = "descending", within = equal)
output places_{d} = ranks(noise, {d}, within = equal)""" for d in "xyz") + """
output long_up = sort(line)
output long_order = argsort(line, order = "descending")
output long_places = ranks(line, within = group)
output one = sort(single)
output one_order = argsort(single)
output weights = white_noise[x, y, z](6)
output slope_y = grad(f => sum(sort(f, y) * weights) + sum(sort(f, x, order = "descending")^2 * weights))(noise)
output along = jvp(f => sort(f, y))(noise, tangent = weights)[1]
"""


def order_of(f, axis, down=False):
    return np.argsort(f if not down else ~f if f.dtype.kind == "i" else -f, axis=axis, kind="stable")


def within(f, group, axis, down=False):
    """Sorted by the group, and then by f; and the first place of each one's group."""
    first = order_of(f, axis, down)
    then = np.argsort(np.take_along_axis(group, first, axis), axis=axis, kind="stable")
    return np.take_along_axis(first, then, axis)


def ranks_of(order, axis, group=None):
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.broadcast_to(np.expand_dims(np.arange(order.shape[axis]), tuple(i for i in range(order.ndim) if i != axis)), order.shape), axis)
    if group is None:
        return ranks
    below = np.apply_along_axis(lambda line: np.searchsorted(np.sort(line), line), axis, group)
    return ranks - below


def check(mesh, read):
    def same(name, expected):
        found = read(name)
        assert found.shape == expected.shape and np.array_equal(found, expected, equal_nan=found.dtype.kind == "f"), f"{mesh}: {name}"

    def infinite(name):
        f = read(name)
        return np.where(f == 2e300, np.nan, np.where(abs(f) == 1e300, np.copysign(np.inf, f), f))

    noise, equal, large, holes, weights = read("noise"), read("equal"), read("large"), infinite("holes_in"), read("weights")
    assert np.isnan(holes).any() and np.isinf(holes).any() and equal.dtype.kind == "i"
    for axis, d in enumerate("xyz"):
        same("up_" + d, np.sort(noise, axis))
        assert np.array_equal(infinite("holes_" + d), np.sort(holes, axis), equal_nan=True), f"{mesh}: holes along {d}"
        down = np.take_along_axis(holes, order_of(holes, axis, True), axis)
        assert np.array_equal(infinite("down_" + d), down, equal_nan=True), f"{mesh}: descending along {d}"
        same("ints_" + d, np.flip(np.sort(large, axis), axis))
        same("order_" + d, order_of(holes, axis))
        same("backwards_" + d, order_of(equal, axis, True))
        same("ranks_" + d, ranks_of(order_of(equal, axis), axis))
        same("read_" + d, np.sort(noise, axis))
        same("within_" + d, within(holes, equal, axis, True))
        same("places_" + d, ranks_of(within(noise, equal, axis), axis, equal))
    line, group = read("line"), read("group")
    same("long_up", np.sort(line))
    same("long_order", order_of(line, 0, True))
    same("long_places", ranks_of(within(line, group, 0), 0, group))
    same("one", read("single"))
    same("one_order", np.zeros(1, int))
    slope = np.take_along_axis(weights, ranks_of(order_of(noise, 1), 1), 1) + 2 * noise * np.take_along_axis(weights, ranks_of(order_of(noise, 0, True), 0), 0)
    assert np.allclose(read("slope_y"), slope, rtol=0, atol=1e-13), f"{mesh}: the gradient"
    same("along", np.take_along_axis(weights, order_of(noise, 1), 1))


def main():
    for mesh, _, out, _ in meshes.runs("sorting", SPEC):
        def read(name, folder=out):
            with h5py.File(os.path.join(folder, name + ".h5")) as file:
                return file[name][()]
        check(mesh, read)


main()
