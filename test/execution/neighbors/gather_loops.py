#!/usr/bin/env python3
"""Loops in maps that read cells which elements say, against NumPy, on shards of odd sizes.

    gather_loops.py PMC FOLDER MESHES...

A case is the body of a map over [u, v, z], linear in f, and what NumPy makes of it. The program prints <V g, w> and <g, V^T w>, too. Then
what is not linear: gradients by differences, second derivatives, ints, bools, reductions and bins. Cells that are not there, and a
division by 0, are errors with their line."""
import os
import re
import shlex
import subprocess
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
import meshes  # pylint: disable=wrong-import-position

HEADER = """
param n: int = 4
param by: int = 3
dim x = 12, y = 9, z = 3 over 1
dim u = 7, v = 10
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, u -> row
let f = white_noise[x, y, z](1)
let g = white_noise[x, y, z](2)
let P = map q in [u, v] => mod(5 * int(index(q, u))^2 + 3 * int(index(q, v)) - 5, 12)
let jump = map q in [x] => mod(7 * int(index(q, x)) + 4, 12)
let open = f > 0
output f
output g
"""
u, v, z = np.meshgrid(np.arange(7), np.arange(10), np.arange(3), indexing="ij")
P = (5 * u**2 + 3 * v - 5) % 12
JUMP = (7 * np.arange(12) + 4) % 12
N = 4


def total(read, times=N):
    """The sum over iterations, of which `times` may differ between elements."""
    times = np.broadcast_to(times, u.shape)
    return sum(np.where(i < times, read(i), 0) for i in range(int(times.max())))


def beyond(f, cell):
    return np.where((cell >= 0) & (cell < 12), f[cell % 12, v % 9, z], 0)


def decaying(f):
    s = f[P, 2, z]
    for i in range(N):
        s = 0.5 * s + np.sin(0.3 * u) * f[(P + i * v) % 12, v % 9, z]
    return s


def chased(f):
    cell, s = P, 0
    for _ in range(N):
        cell, s = JUMP[cell], s + f[JUMP[cell], v % 9, z]
    return s


def nested(f):
    cell, s = P, 0
    for i in range(N):
        for j in range(i + 1):
            cell, s = (cell * 3 + j) % 12, s + f[(cell + v) % 12, (i + u) % 9, z]
    return s


def until(f):
    cell, s, going = P, 0 * z, np.full(u.shape, True)
    for _ in range(100):
        going = going & (cell < 30)
        s, cell = np.where(going, s + f[cell % 12, v % 9, z], s), np.where(going, cell + 1 + u, cell)
    return s


CASES = [
    ("loop s = 0 for i in 0 .. n => s + f[x = mod(P + i, 12), y = mod(w, 9)]", lambda f: total(lambda i: f[(P + i) % 12, v % 9, z])),
    ("loop s = 0 for i in 0 .. n => s + index(q, u) * f[x = i, y = mod(w, 9)]", lambda f: total(lambda i: u * f[i, v % 9, z])),
    ("loop s = 0 for i in 0 .. n => s + f[x = P + 3 * i - 2, y = mod(w, 9), edge = (\"zero\", \"periodic\")]",
     lambda f: total(lambda i: beyond(f, P + 3 * i - 2))),
    ("loop s = 0 for i in 1 .. P => s + f[x = i, y = mod(w + i, 9)]", lambda f: total(lambda i: f[(i + 1) % 12, (v + i + 1) % 9, z], P - 1)),
    ("{ let c = sin(0.3 * index(q, u)); loop s = f[x = P, y = 2] for i in 0 .. n => 0.5 * s + c * f[x = mod(P + i * w, 12), y = mod(w, 9)] }",
     decaying),
    ("{ let (c, s) = loop (c, s) = (P, 0) for i in 0 .. n => { let next = jump[x = c]; (next, s + f[x = next, y = mod(w, 9)]) }; s }",
     chased),
    ("if P < 8 then loop s = 0 for i in 0 .. n => s + f[x = P + i, y = mod(w, 9)] else 0",
     lambda f: np.where(P < 8, total(lambda i: f[(P + i) % 12, v % 9, z]), 0)),
    ("loop s = 0 for i in 0 .. n => if P + i < 12 then s + f[x = P + i, y = mod(w, 9)] else s - f[x = P, y = 0]",
     lambda f: total(lambda i: np.where(P + i < 12, f[(P + i) % 12, v % 9, z], -f[P, 0, z]))),
    ("{ let (c, s) = loop (c, s) = (P, 0) for i in 0 .. n => loop (c, s) = (c, s) for j in 0 .. i + 1 => "
     "(mod(c * 3 + j, 12), s + f[x = mod(c + w, 12), y = mod(i + int(index(q, u)), 9)]); s }", nested),
]
UNTIL = ("{ let (c, s) = loop (c, s) = (P, 0) while c < 30 => (c + 1 + int(index(q, u)), s + f[x = mod(c, 12), y = mod(w, 9)]); s }", until)


def spec():
    lines = [HEADER]
    for i, (text, _) in enumerate(CASES + [UNTIL]):
        lines.append(f"fn read{i}(f) = map q in [u, v, z] => {{ let w = int(index(q, v)); {text} }}")
        lines.append(f"let v{i} = read{i}(f)\noutput real{i} = v{i}")
    for i, _ in enumerate(CASES):
        lines.append(f"output imag{i} = imag(read{i}(f + 2i * g))" if "0) for" not in CASES[i][0] else f"output imag{i} = read{i}(2 * g)")
        lines.append(f"let w{i} = sin(3 * v{i}) + 0.1")
        lines.append(f"let back{i} = vjp(read{i})(f, cotangent = w{i})[1]")
        lines.append(f'print "pair {i} {{:.17e}} {{:.17e}} {{:.17e}}", inner(jvp(read{i})(f, tangent = g)[1], w{i}), '
                     f"inner(g, back{i}), sqrt(inner(g, g) * inner(w{i}, w{i}))")
    lines.append("""
output tangent = jvp(read9)(f, tangent = g)[1]
output places = map q in [u, v] => loop c = P for i in 0 .. n => jump[x = c]
output doors = map q in [u, v, y, z] => if (loop a = true for i in 0 .. n => a and open[x = mod(P + i, 12)]) then 1 else 0
let sums = sum(map q in [u, v, z] => loop s = 0 for i in 0 .. n => s + f[x = mod(P + i, 12), y = i])
let (hits, mass) = bins q in [u, v] into x by (loop c = P for i in 0 .. by => jump[x = c]) => (1, index(q, u))
output binned (hits, mass) = (hits, mass)
fn wave(f, rate) = sum(map q in [u, v, z] => loop s = 0.3 for i in 0 .. n => sin(rate * s) + s * f[x = mod(P + i, 12), y = i]^2)
let (value, slopes) = value_and_grad(wave, wrt = (f, rate))(f, 0.7)
output slope = slopes[0]
output bent = jvp(grad(f => wave(f, 0.7)))(f, tangent = g)[1]
print "scalars {:.17e} {:.17e} {:.17e}", sums, value, slopes[1]
""")
    return "\n".join(lines)


def wave(f, rate):
    """The sum, its gradient by f, and its slope by the rate, by the chain rule forwards with complex steps for the rate."""
    s, by_f = np.full(u.shape, 0.3) + 0 * rate, np.zeros((N,) + u.shape)
    for i in range(N):
        cell = f[(P + i) % 12, i, z]
        by_f = by_f * (rate * np.cos(rate * s) + cell**2)
        by_f[i] += 2 * s.real * cell
        s = np.sin(rate * s) + s * cell**2
    slope = np.zeros_like(f)
    for i in range(N):
        np.add.at(slope, ((P + i) % 12, i, z), by_f[i].real)
    return s.sum(), slope


def check(folder, text):
    def read(name):
        with h5py.File(os.path.join(folder, name + ".h5")) as file:
            return file[name][()]

    f, g = read("f"), read("g")
    expected = {"tangent": until(g)}
    for i, (_, of) in enumerate(CASES + [UNTIL]):
        expected[f"real{i}"] = of(f)
        if i < len(CASES):
            expected[f"imag{i}"] = of(2 * g)
    places, binned = P[..., 0], P[..., 0]
    for i in range(N):
        places = JUMP[places]
        binned = JUMP[binned] if i < 3 else binned
    hits, mass = np.zeros(12), np.zeros(12)
    np.add.at(hits, binned, 1)
    np.add.at(mass, binned, u[..., 0])
    doors = np.all([(f > 0)[(P[..., 0] + i) % 12] for i in range(N)], axis=0)
    h = 1e-20
    value, slope = wave(f, 0.7)
    rate = wave(f, 0.7 + 1j * h)[0].imag / h
    step = 1e-5
    bent = (wave(f + step * g, 0.7)[1] - wave(f - step * g, 0.7)[1]) / (2 * step)
    expected.update({"places": places, "binned": np.stack([hits, mass], -1), "doors": doors, "slope": slope})
    for name, wanted in expected.items():
        found = read(name)
        if found.shape != wanted.shape or not np.allclose(found, wanted, 1e-12, 1e-12):
            sys.exit(f"{folder}: {name} is not NumPy's: {found.shape}, {wanted.shape}, "
                     + (str(np.abs(found - wanted).max()) if found.shape == wanted.shape else ""))
    if read("places").dtype != np.int64:
        sys.exit(f"places are {read('places').dtype}, expected int64")
    if not np.allclose(read("bent"), bent, 1e-7, 1e-7 * np.abs(bent).max()):
        sys.exit(f"{folder}: the second derivative is off by {np.abs(read('bent') - bent).max()}")
    numbers = [float(word) for word in re.search("scalars (.*)", text).group(1).split()]
    wanted = [total(lambda i: f[(P + i) % 12, i, z]).sum(), value.real, rate]
    if not np.allclose(numbers, wanted, 1e-12):
        sys.exit(f"{folder}: the numbers are {numbers}, expected {wanted}")


WRONG_HEADER = """param n: int = 4
param by: int = 1
dim x = 12, u = 7, v = 10
mesh ranks(row = 1)
layout x -> row
let P = map q in [u, v] => mod(int(index(q, u)) + 4 * int(index(q, v)), 12)
let f = map q in [x] => int(index(q, x))
"""
WRONG = [  # each after the header; what the program says
    ("map q in [u, v] => loop s = 0 for i in 0 .. n => s + f[x = P + i]", ":8:70: error: there is no cell 12 of 'x', which has 12; 'edge' defines the values beyond the ends"),
    ("map q in [u, v] => loop s = 1 while s < 5 => s + f[x = P + s]", "there is no cell 12 of 'x', which has 12"),
    ("map q in [u, v] => loop s = 1 for i in 0 .. n => s + div(7, n - 2 - i + P - P)", ":8:83: error: div of 7 by 0"),
    ("map q in [u, v] => loop s = 1 for i in 0 .. P => s + f[x = i - 1]", "there is no cell -1 of 'x', which has 12"),
]


def check_errors(pmc, folder):
    source, program = os.path.join(folder, "wrong.pm"), os.path.join(folder, "wrong")
    for text, message in WRONG:
        with open(source, "w", encoding="utf-8") as file:
            file.write(f"{WRONG_HEADER}let s = {text}\nprint \"{{}}\", sum(s)\n")
        subprocess.run(shlex.split(pmc) + [source, "-o", program], check=True)
        for row in (1, 2):
            command = [program, "--mesh", f"row={row}", "--transport=threads", "--threads=1", "--quiet", "--out", os.path.join(folder, "wrong_out")]
            done = subprocess.run(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, check=False)
            if done.returncode == 0 or message not in done.stderr:
                sys.exit(f"{text} on {row} ranks ended with {done.returncode} and said {done.stderr!r}, expected {message!r}")


def main():
    count = 0
    for mesh, _, out, text in meshes.runs("gather_loops", spec()):
        check(out, text)
        count += 1
        meshes.check_pairs(mesh, text, len(CASES), lambda case: CASES[int(case)][0])
    check_errors(sys.argv[1], sys.argv[2])
    print(f"{len(CASES)} cases on {count} meshes, {len(WRONG)} errors")


if __name__ == "__main__":
    main()
