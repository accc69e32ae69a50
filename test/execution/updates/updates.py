#!/usr/bin/env python3
"""Updates of cells and stacks of loops against NumPy, on shards of odd sizes, with stacked dims whole and split.

    updates.py PMC FOLDER MESHES...

A case is an expression of f and what NumPy makes of f. The program writes it, and its derivative along g, which must be
NumPy's difference, and prints <J g, w> and <g, J^T w> for every schedule."""
import os
import re
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
import meshes  # pylint: disable=wrong-import-position

HEADER = """
param cell: int = 2
dim x = 12, y = 18, z = 4, plane = 5, p = 5 over 1
mesh ranks(row = 1, col = 1)
layout %s
let f = white_noise[x, y, z](1)
let g = white_noise[x, y, z](2)
output f
output g
"""
LAYOUTS = {"whole": "x -> row, y -> col", "stack": "plane -> row, p -> row, y -> col", "cells": "x -> col, z -> row"}


def changed(f, *updates):
    f = f.copy()
    for where, value, adds in updates:
        f[where] = f[where] + value if adds else value
    return f


def at(x=slice(None), y=slice(None), z=slice(None)):
    return (x, y, z)


def loop(step, state, n=5):
    stacks = []
    for i in range(n):
        state, stacked = step(state, i)
        stacks.append(stacked)
    return state, np.array(stacks)


def leapfrog(s, _):
    m = s[1] + 0.1 * np.sin(s[0])
    return (s[0] + 0.1 * m, m), s[0] + m**2


def running(f):
    f = f.copy()
    for i in range(1, 4):
        f[:, :, i] += 0.5 * np.sin(f[:, :, i - 1])
    return f


def replaced(f):
    f = f.copy()
    for i in range(3):
        f[:, :, i] = np.sin(f[:, :, i + 1]) * f[:, :, 0]
    return f


def pairs(f):
    f = f.copy()
    for i in range(3):
        f[:, :, i + 1], f[:, :, i] = f[:, :, i + 1] + 0.5 * np.sin(f[:, :, i]), np.cos(f[:, :, i])
    return f


def both(f):
    stacks = loop(lambda s, i: ((0.5 * s + np.sin(f[i]), s * np.sum(s))), f[0], 12)[1]
    return stacks.sum(0)


CASES = [
    ("f with {[z = cell] = sin(f[z = 0])}", lambda f: changed(f, (at(z=2), np.sin(f[:, :, 0]), False))),
    ("f with {[z = cell] += f[z = 1]^2, [x = 3] = 2 * f[x = 11]}",
     lambda f: changed(changed(f, (at(z=2), f[:, :, 1]**2, True)), (at(x=3), 2 * f[11], False))),
    ("f with {[x = 3 * cell, z = 0] = 0.5, [y = 17] += cell}",
     lambda f: changed(f, (at(x=6, z=0), 0.5, False), (at(y=17), 2, True))),
    # Two updates along one dim, in both orders, at cells that the compiler knows and at others.
    ("f with {[x = 3] = 2 * f[x = 11], [x = 7] += f[x = 1]}",
     lambda f: changed(changed(f, (at(x=3), 2 * f[11], False)), (at(x=7), f[1], True))),
    ("f with {[z = 3] += f[z = 0], [z = 0] = 0.5 * f[z = 1]}",
     lambda f: changed(changed(f, (at(z=3), f[:, :, 0], True)), (at(z=0), 0.5 * f[:, :, 1], False))),
    ("f with {[y = cell + 4] = 1, [y = cell - 1] = 2, [y = cell + 15] = 3}",
     lambda f: changed(f, (at(y=6), 1, False), (at(y=1), 2, False), (at(y=17), 3, False))),
    ("(f with {[y = cell] = 0})^2 + f", lambda f: changed(f, (at(y=2), 0, False))**2 + f),
    ("f with {[y = 4] = mean(f, over = (y, z))}", lambda f: changed(f, (at(y=4), f.mean((1, 2))[:, None], False))),
    ("(loop s = f[z = 0] for i in plane => 0.5 * s + sin(s) stacking s^2)[1]",
     lambda f: loop(lambda s, i: (0.5 * s + np.sin(s), s**2), f[:, :, 0])[1]),
    ("(loop (d, m) = (f, 0.1 * f) for i in plane => { let n = m + 0.1 * sin(d); (d + 0.1 * n, n) stacking d + n^2 })[1]",
     lambda f: loop(leapfrog, (f, 0.1 * f))[1]),
    ("real(fft((loop s = f for i in plane => sin(s) stacking s)[1], over = plane))",
     lambda f: np.fft.fft(loop(lambda s, i: (np.sin(s), s), f)[1], axis=0).real[:3] / 5),
    ("(loop s = f for i in plane => sin(s) stacking sum(s^3))[1]",
     lambda f: loop(lambda s, i: (np.sin(s), np.sum(s**3)), f)[1]),
    ("{ let (last, s) = loop s = f[x = 0] for i in plane => 0.9 * s + cos(i * s) stacking (s[z = 1], {m = s[y = i] * i}); "
     "sum(s[0]^2, over = plane) + sum(s[1].m) + last[z = 0] }", None),
    ("loop s = f for i in 1 .. 4 => s with {[z = i] += 0.5 * sin(s[z = i - 1])}", running),
    ("loop s = f for i in 0 .. 3 => s with {[z = i + 1] += 0.5 * sin(s[z = i]), [z = i] = cos(s[z = i])}", pairs),
    ("loop s = f for i in 0 .. 3 => s with {[z = i] = sin(s[z = i + 1]) * s[z = 0]}", replaced),
    ("sum((loop s = f[x = 0] for i in x => 0.5 * s + sin(f[x = i]) stacking s * sum(s))[1], over = x)", both),
    ("(loop (s, h) = (f, zeros[p, y]) for i in p => (sin(s), h with {[p = 4 - i] = mean(s, over = (x, z))}))[1]",
     lambda f: np.array([s.mean((0, 2)) for s in loop(lambda s, i: (np.sin(s), s), f)[1]])[::-1]),
]


def several(f):
    s, total = f[0], np.zeros(18)
    for i in range(5):
        total += s[:, 1]**2 + i * s[i].sum()
        s = 0.9 * s + np.cos(i * s)
    return total + s[:, 0]


def spec(layout):
    lines = [HEADER % LAYOUTS[layout]]
    for i, (text, _) in enumerate(CASES):
        lines.append(f"fn case{i}(f) = {text}")
        lines.append(f"let (v{i}, d{i}) = jvp(case{i})(f, tangent = g)")
        lines.append(f"output value{i} = v{i}")
        lines.append(f"output slope{i} = d{i}")
        lines.append(f"let w{i} = sin(3 * v{i}) + 0.1")
        for name, schedule in (("keep", ""), ("revolve", ', schedule = "revolve", snapshots = 2'), ("reverse", ', schedule = "reverse"')):
            lines.append(f"let {name}{i} = vjp(case{i}{schedule})(f, cotangent = w{i})[1]")
            lines.append(f'print "pair {i} {name} {{:.17e}} {{:.17e}} {{:.17e}}", inner(d{i}, w{i}), inner(g, {name}{i}), '
                         f"sqrt(inner(g, g) * inner(w{i}, w{i}))")
    return "\n".join(lines)


def check(folder):
    def read(name):
        with h5py.File(os.path.join(folder, name + ".h5")) as file:
            return file[name][()]

    f, g = read("f"), read("g")
    for i, (text, of) in enumerate(CASES):
        of = of or several
        step = 1e-5
        for name, wanted, bound in ((f"value{i}", of(f), 1e-12), (f"slope{i}", (of(f + step * g) - of(f - step * g)) / (2 * step), 1e-7)):
            found = read(name)
            if found.shape != wanted.shape or not np.allclose(found, wanted, bound, bound * np.abs(wanted).max()):
                sys.exit(f"{folder}: {name} of '{text}' differs by {np.abs(found - wanted).max() if found.shape == wanted.shape else found.shape}")


def main():
    for layout in LAYOUTS:
        for mesh, _, folder, text in meshes.runs("updates-" + layout, spec(layout)):
            check(folder)
            pairs = re.findall(r"pair (\d+) (\w+) (\S+) (\S+) (\S+)", text)
            if len(pairs) != 3 * len(CASES):
                sys.exit(f"{mesh}: {len(pairs)} pairs")
            for i, schedule, forward, backward, scale in pairs:
                bound = 1e-12 if schedule == "reverse" else 1e-14
                if not abs(float(forward) - float(backward)) <= bound * max(float(scale), abs(float(forward))):
                    sys.exit(f"{mesh}: '{CASES[int(i)][0]}', {schedule}: {forward} and {backward}")
        print(layout, "agrees")


main()
