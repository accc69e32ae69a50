#!/usr/bin/env python3
"""Catalogs of elements, and bins between edges, against NumPy's boolean indices and searchsorted.

    collect.py PMC FOLDER MESHES..."""
import os
import re
import subprocess
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))
import meshes  # pylint: disable=wrong-import-position

SPEC = """
use fields
dim x = 10, y = 6, z = 7 over 100 Mpc/h
dim star = 700, place = 90, many = 70000
dim edge = 6
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, star -> (row, col), place -> row
param cut = 0.9
param edges: list = (-1, -0.4, 0, 1.3)
let f = white_noise[x, y, z](1)
let s = white_noise[star](2)
output f
output s
let (peaks, count) = collect q in f where f > cut into 100 => (q[x], f * 2 Mpc/h, index(q, z), f < 1)
let (px, pf, iz, low) = peaks
output peaks (a, b, c, d) = (px / 1 Mpc/h, number(pf, 1 Mpc/h), iz, low)
let (turned, corner) = collect q in [z, x] where index(q, x) > 7 and index(q, z) > 1 into place => index(q, z) + 10 * index(q, x)
output turned
let (stars, shining) = collect i in s where abs(s) < 0.1 into many => (index(i, star), s)
output stars (number, value) = (stars[0], stars[1])
let (nobody, zero) = collect q in f where f > 100 into 3 => f
output nobody
let (all, cells) = collect q in f where true into 420 => f
output all
output counts (peaks, corner, stars, none, cells) = (count, corner, shining, zero, cells)

let steps = map q in [edge] => index(q, edge)^2 / 10 - 1.2
output steps
output by_field = bins i in s into 5 by bin_along(s, steps) => 1
let table = tabulate(x => x^3, from = -4, to = 4, points = 3)
output by_table = bins q in f into 60 by interpolate(table, f) => 1
output by_list = bins q in f into 3 by bin_between(f, edges) => f

fn cost(g, a) = {
  let (p, n) = collect q in g where g > cut into 100 => (g^3, a * g * index(q, z))
  sum(p[0]^2) + sum(p[1]^2)
}
let (by_f, by_a) = grad(cost, wrt = (g, a))(f, 0.3)
output by_f
let v = white_noise[x, y, z](3)
let (value, along) = jvp(cost, wrt = (g, a))(f, 0.3, tangent = (v, 0.7))
let difference = (cost(f + 1e-6 * v, 0.3 + 0.7e-6) - cost(f - 1e-6 * v, 0.3 - 0.7e-6)) / 2e-6
print "pair {:.17e} {:.17e} {:.17e} {:.17e}", along, inner((by_f, by_a), (v, 0.7)), difference, by_a
"""


def main():
    first = {}
    for mesh, command, out, text in meshes.runs("collect", SPEC):
        def read(name, folder=out):
            with h5py.File(os.path.join(folder, name + ".h5")) as file:
                return file[name][()]
        f, s = read("f"), read("s")
        x, _, z = np.indices(f.shape)
        chosen = f > 0.9
        wanted = {"nobody": np.zeros(3), "all": f.reshape(-1)}

        def padded(columns, cells):
            table = np.stack(columns, axis=-1)
            return np.concatenate([table, np.zeros((cells - len(table), table.shape[1]))])
        wanted["peaks"] = padded([10.0 * x[chosen], 2 * f[chosen], z[chosen], f[chosen] < 1], 100)
        i, j = np.indices((7, 10))
        corner = (j > 7) & (i > 1)
        wanted["turned"] = padded([(i + 10 * j)[corner]], 90)[:, 0]
        near = np.abs(s) < 0.1
        wanted["stars"] = padded([np.nonzero(near)[0], s[near]], 70000)
        wanted["counts"] = np.array([chosen.sum(), corner.sum(), near.sum(), 0, f.size])
        wanted["by_field"] = np.bincount(np.searchsorted(read("steps"), s, side="right"), minlength=7)[1:6]
        wanted["by_list"] = np.bincount(np.searchsorted([-1, -0.4, 0, 1.3], f.reshape(-1), side="right"), f.reshape(-1), minlength=5)[1:4]
        rank = np.floor(16 * f.reshape(-1))
        wanted["by_table"] = np.bincount(rank[rank >= 0].astype(int), minlength=60)
        wanted["by_f"] = np.where(chosen, 6 * f**5 + 2 * 0.09 * f * z**2, 0)
        for name, expected in wanted.items():
            found = np.squeeze(read(name))
            if found.shape != expected.shape or not np.allclose(found, expected, 1e-13, 1e-13):
                sys.exit(f"{mesh}: {name} is not NumPy's: {found} {expected}")
            if name != "by_list" and not np.array_equal(first.setdefault(name, found), found):
                sys.exit(f"{mesh}: {name} has other bits than on the first mesh")
        along, back, difference, by_a = map(float, re.search(r"pair (\S+) (\S+) (\S+) (\S+)", text).groups())
        if not (abs(along - back) <= 1e-13 * abs(along) and abs(along - difference) <= 1e-7 * abs(along)
                and abs(by_a / (0.6 * (f * z)[chosen] @ (f * z)[chosen]) - 1) < 1e-13):
            sys.exit(f"{mesh}: {along} forward, {back} backward, {difference} by differences; by a {by_a}")
        more = subprocess.run(command + ["--cut=0.1"], stderr=subprocess.PIPE, text=True, check=False)
        room = f"error: {(f > 0.1).sum()} are selected, and the capacity is 100 [PM9101]\n"
        if more.returncode == 0 or room not in more.stderr:
            sys.exit(f"{mesh}: expected {room}, got {more.stderr}")
    print(f"{first['counts']} selected on {len(sys.argv) - 3} meshes")


if __name__ == "__main__":
    main()
