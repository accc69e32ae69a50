#!/usr/bin/env python3
"""Paints, readouts and their derivatives on meshes of ranks, against windows
written down in NumPy.

    shards.py spec > SPEC.pm
    shards.py check PROGRAM OUT AXIS=N,...[:FLAG...] ...

Each argument of `check` is a mesh of ranks and flags. The program runs on it,
and all its outputs are compared with sums over cells. Without flags no particle
touches a cell beyond its own lattice cell, so nothing leaves a rank, however
dims are split; --shift_x=9 and the like move all particles by as many cells.
"""
import itertools
import os
import shutil
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "reference"))
from compare import load

BOOST = 4  # mesh cells a lattice cell: space for the widest window
SIDE = {"x": 4, "y": 3, "z": 6}
LENGTH = {"x": 8.0, "y": 3.0, "z": 18.0}
CASES = [("xyz", "ngp"), ("xyz", "cic"), ("xyz", "tsc"), ("xyz", "pcs"), ("yz", "tsc"), ("z", "ngp"), ("z", "pcs")]
TOLERANCE = 1e-12


def cell(dim):
    return LENGTH[dim] / SIDE[dim] / BOOST


def spec():
    lines = ["mesh ranks(row = 1, col = 1, lane = 1)"]
    lines += ["dim %s = %d over %r" % (d, SIDE[d], LENGTH[d]) for d in SIDE]
    lines += ["param shift_%s = 0.0" % d for d in SIDE]
    for dims in ("xyz", "yz", "z"):
        lattice = ", ".join(dims)
        mesh = ", ".join("refine(%s, %d)" % (d, BOOST) for d in dims)
        parts = ["(shift_{0} + 1.5 + 0.4 * tanh(white_noise[{1}]({2}))) * {3!r}".format(
            d, lattice, 10 * len(dims) + i, cell(d)) for i, d in enumerate(dims)]
        if len(parts) == 1:
            lines += ["let lattice1 = white_noise[%s](5)" % lattice,
                      "let disp1 = for d in dims(lattice1) => %s" % parts[0],
                      "let place1 = for d in dims(lattice1) => disp1[0] + (map q in lattice1 => q[z])"]
        else:
            lines += ["let disp%d = (%s)" % (len(dims), ", ".join(parts)),
                      "let place%d = (%s)" % (len(dims), ", ".join(
                          "disp%d[%d] + (map q in [%s] => q[%s])" % (len(dims), i, lattice, d)
                          for i, d in enumerate(dims)))]
        lines += ["let mass%d = white_noise[%s](%d)" % (len(dims), lattice, 40 + len(dims)),
                  "let field%d = white_noise[%s](%d)" % (len(dims), mesh, 50 + len(dims)),
                  "let other%d = white_noise[%s](%d)" % (len(dims), mesh, 60 + len(dims))]
        lines += ["output %s%d%s" % (name, len(dims), " flatten" if name == "disp" else "")
                  for name in ("disp", "mass", "field", "other")]
    for dims, window in CASES:
        n = len(dims)
        mesh = ", ".join("refine(%s, %d)" % (d, BOOST) for d in dims)
        smooth = window != "ngp"
        names = {"n": n, "w": window, "mesh": mesh, "k": "%s%d" % (window, n), "by": "(f, d)" if smooth else "f",
                 "of": "(d, m)" if smooth else "m", "f": "[0]" if smooth else "", "m": "[1]" if smooth else ""}
        lines += [line.format(**names) for line in (
            'fn reading_{k}(f, d) = readout(f, d, window = "{w}")',
            'fn painting_{k}(d, m) = paint[{mesh}](d, window = "{w}", weight = m)',
            'let both_{k} = readout((field{n}, other{n}), disp{n}, window = "{w}")',
            "output read_{k} = both_{k}[0]", "output read2_{k} = both_{k}[1]",
            "output paint_{k} = painting_{k}(disp{n}, mass{n})",
            'output read_at_{k} = readout_at(field{n}, place{n}, window = "{w}")',
            'output paint_at_{k} = paint_at[{mesh}](place{n}, window = "{w}", weight = mass{n})',
            "let (value_{k}, pull_{k}) = vjp(reading_{k}, wrt = {by})(field{n}, disp{n}, cotangent = mass{n})",
            "let (sum_{k}, drawn_{k}) = vjp(painting_{k}, wrt = {of})(disp{n}, mass{n}, cotangent = other{n})",
            "output by_field_{k} = pull_{k}{f}", "output by_mass_{k} = drawn_{k}{m}")]
        if smooth:
            lines += [line.format(**names) for line in ("output by_place_{k} flatten = pull_{k}[1]",
                                                         "output by_moving_{k} flatten = drawn_{k}[0]")]
    print("\n".join(lines))


def spline(window, s):
    """The window at distance s in cells (Hockney & Eastwood, ch. 5), and its slope."""
    side, s = np.sign(s), np.abs(s)
    if window == "cic":
        return np.where(s < 1, 1 - s, 0), side * np.where(s < 1, -1, 0)
    if window == "tsc":
        return (np.where(s < 0.5, 0.75 - s ** 2, np.where(s < 1.5, 0.5 * (1.5 - s) ** 2, 0)),
                side * np.where(s < 0.5, -2 * s, np.where(s < 1.5, s - 1.5, 0)))
    if window == "pcs":
        return (np.where(s < 1, (4 - 6 * s ** 2 + 3 * s ** 3) / 6, np.where(s < 2, (2 - s) ** 3 / 6, 0)),
                side * np.where(s < 1, (9 * s ** 2 - 12 * s) / 6, np.where(s < 2, -(2 - s) ** 2 / 2, 0)))
    return np.where(s <= 0.5, 1.0, 0.0), np.zeros_like(s)


def near(dims, window, disp):
    """Of every cell near the particles: indices, the weights, and their slopes
    along the dims."""
    axes = []
    for axis, name in enumerate(dims):
        u = disp[:, axis] / cell(name)
        whole = np.floor(u)
        node = np.indices([SIDE[d] for d in dims])[axis].ravel() * BOOST
        axes.append([((node + whole.astype(np.int64) + k) % (SIDE[name] * BOOST),
                      *spline(window, u - whole - k)) for k in range(-2, 4)])
    for chosen in itertools.product(*axes):
        values = [v for _, v, _ in chosen]
        slopes = [np.prod([chosen[d][2] / cell(dims[d]) if d == by else values[d] for d in range(len(dims))], axis=0)
                  for by in range(len(dims))]
        yield tuple(i for i, _, _ in chosen), np.prod(values, axis=0), np.stack(slopes, 1)


def expected(out, dims, window):
    """The outputs of a case, from the particles and the fields of the run."""
    n, shape = len(dims), [SIDE[d] * BOOST for d in dims]
    given = {name: load(out, "%s%d" % (name, n)).astype(np.float64) for name in ("disp", "mass", "field", "other")}
    disp, mass = given["disp"].reshape(-1, n), given["mass"].ravel()
    count = len(mass)
    results = {"read": np.zeros(count), "read2": np.zeros(count), "paint": np.zeros(shape),
               "by_place": np.zeros((count, n)), "by_moving": np.zeros((count, n))}
    for where, weight, slope in near(dims, window, disp):
        np.add.at(results["paint"], where, weight * mass)
        results["read"] += weight * given["field"][where]
        results["read2"] += weight * given["other"][where]
        results["by_place"] += slope * (mass * given["field"][where])[:, None]
        results["by_moving"] += slope * (mass * given["other"][where])[:, None]
    results.update(read_at=results["read"], paint_at=results["paint"], by_field=results["paint"],
                   by_mass=results["read2"])
    if window == "ngp":
        del results["by_place"], results["by_moving"]
    return results


def check(program, out, run):
    mesh, *flags = run.split(":")
    shutil.rmtree(out, ignore_errors=True)
    command = [program, "--mesh", mesh, "--out", out, "--quiet", "--threads=1", "--transport=threads"] + flags
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        return ["exit code %d, expected 0: %s\n%s" % (done.returncode, " ".join(command), done.stdout)]
    wrong = []
    for dims, window in CASES:
        for name, numbers in expected(out, dims, window).items():
            name = "%s_%s%d" % (name, window, len(dims))
            got = load(out, name)
            error = np.abs(got - numbers.reshape(got.shape)).max() / np.abs(numbers).max()
            if not error <= TOLERANCE:
                wrong.append("%s is off by %.3g of the largest, expected at most %.3g" % (name, error, TOLERANCE))
    return ["%s: %s" % (run, line) for line in wrong]


def main():
    if sys.argv[1] == "spec":
        return spec()
    found = [line for run in sys.argv[4:] for line in check(sys.argv[2], sys.argv[3], run)]
    print("\n".join(found) or "%d runs as expected" % len(sys.argv[4:]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
