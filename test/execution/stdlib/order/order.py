#!/usr/bin/env python3
"""Quantiles, places of extremes, choices and counts against NumPy's, on every mesh.

    order.py PMC FOLDER MESHES..."""
import os
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))
import meshes  # pylint: disable=wrong-import-position

PARTS = (0, 0.001, 0.25, 1 / 3, 0.5, 0.77, 1)
FIELDS = ("wide", "equal", "line", "single", "odd")
SPEC = """
use math, order
dim x = 24, y = 18, z = 7, u = 1
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
let noise = white_noise[x, y, z](1)
output wide = noise * exp(40 * white_noise[x, y, z](2))      // of all magnitudes
output equal = round(1.5 * noise)                            // of which many are equal
output line = white_noise[y](3)
output single = white_noise[u](4)
output odd = white_noise[z](5)
""" + "\n".join(f'print "{f} {p!r} {{:.17e}}", quantile({f}, {p!r})' for f in FIELDS for p in PARTS) + """
print "wide median {:.17e}", median(wide)
print "wide third {:.17e}", order_statistic(wide, 3)
print "wide argmax {} {} {}", argmax(wide)[0], argmax(wide)[1], argmax(wide)[2]
print "equal argmin {} {} {}", argmin(equal)[0], argmin(equal)[1], argmin(equal)[2]
print "line argmin {}", argmin(line)[0]
print "single argmax {}", argmax(single)[0]
print "wide count {}", count(wide > 0.5)
output counts = count(noise > 0.5, over = y)
output chosen = select(noise > 0.5, wide, 2 * equal)
output slope = grad(f => quantile(f, 0.3) + 2 median(f) + select(1 > 0, 0, 1) * sum(f))(noise)
output noise
output high = cummax(wide, over = x)
output highest = cummax(noise, over = (z, y))
output low = -cummax(-line, over = y)
output alone = cummax(single, over = u)
output slope_high = grad(f => sum(cummax(f, over = y) * wide))(noise)
let group = map q in [y] => mod(int(index(q, y)) * 5, 8) - 1
output tops (value, number) = bin_max(line, group, 8)
assert any(noise > 2) and not any(noise > 99) and all(noise < 99) and not all(noise < 2), "any and all"
assert abs(grad(v => v * fixed(v))(-0.3) + 0.3) < 1e-15 and fixed(-0.3) == -0.3 and fixed(0.0) == 0, "fixed"
"""


def slope(noise):
    """Of the sum of quantiles: a part for each of the two numbers around."""
    found, order = np.zeros(noise.size), np.argsort(noise, axis=None)
    for p, weight in ((0.3, 1), (0.5, 2)):
        place = p * (noise.size - 1)
        k = int(place)
        found[order[k]] += weight * (k + 1 - place)
        found[order[k + 1]] += weight * (place - k)
    return found.reshape(noise.shape)


def check(mesh, lines, read):
    numbers = {tuple(line.split()[:2]): [float(word) for word in line.split()[2:]] for line in lines}
    expected = {(f, repr(p)): [np.quantile(read(f), p)] for f in FIELDS for p in PARTS}
    wide, equal, line, noise = (read(name) for name in ("wide", "equal", "line", "noise"))
    expected.update({
        ("wide", "median"): [np.median(wide)], ("wide", "third"): [np.sort(wide, axis=None)[3]],
        ("wide", "argmax"): np.unravel_index(np.argmax(wide), wide.shape), ("equal", "argmin"): np.unravel_index(np.argmin(equal), equal.shape),
        ("line", "argmin"): [np.argmin(line)], ("single", "argmax"): [0], ("wide", "count"): [(wide > 0.5).sum()]})
    assert set(numbers) == set(expected), f"{mesh}: lines {sorted(set(numbers) ^ set(expected))}"
    for name, values in expected.items():
        assert np.allclose(numbers[name], values, rtol=1e-14, atol=0), f"{mesh}: {name} is {numbers[name]}, expected {values}"
    assert (read("counts") == (noise > 0.5).sum(axis=1)).all(), f"{mesh}: counts along y"
    assert (read("chosen") == np.where(noise > 0.5, wide, 2 * equal)).all(), f"{mesh}: select"
    accumulate = np.maximum.accumulate
    assert (read("high") == accumulate(wide, axis=0)).all(), f"{mesh}: running maximum along x"
    assert (read("highest") == accumulate(accumulate(noise, axis=2), axis=1)).all(), f"{mesh}: running maximum along z and y"
    assert (read("low") == np.minimum.accumulate(line)).all() and (read("alone") == read("single")).all(), f"{mesh}: running minimum"
    tops = np.array([np.argmax(np.where(np.arange(18)[None] <= np.arange(18)[:, None], row[None], -np.inf), axis=1)
                     for row in np.moveaxis(noise, 1, -1).reshape(-1, 18)]).reshape(24, 7, 18)
    back = np.zeros_like(noise)
    a, c, b = np.indices(tops.shape)
    np.add.at(back, (a, tops, c), np.moveaxis(wide, 1, -1))
    assert np.allclose(read("slope_high"), back, rtol=1e-12, atol=0), f"{mesh}: derivatives of the running maximum"
    bins = np.arange(18) * 5 % 8 - 1
    most = [line[bins == i].max() if (bins == i).any() else 0 for i in range(8)]
    assert (read("tops") == np.stack([most, np.bincount(bins[bins >= 0], minlength=8)], axis=-1)).all(), f"{mesh}: the largest elements of bins"
    assert np.allclose(read("slope"), slope(noise), rtol=0, atol=1e-12), f"{mesh}: derivatives of quantiles"


def main():
    for mesh, _, out, text in meshes.runs("order", SPEC):
        def read(name, folder=out):
            with h5py.File(os.path.join(folder, name + ".h5")) as file:
                return file[name][()]
        check(mesh, text.splitlines(), read)


main()
