#!/usr/bin/env python3
"""Short forms of the language against NumPy.

    forms.py PMC FOLDER MESHES...

A case is an expression of the fields f[x, y], g[x], h[y], w[c, x], of the vectors `numbers` and `fields`, and of the ints `one` and
`back`, and what NumPy makes of them. The program writes them all; the values must agree on every mesh, in f64 and f32."""
import os
import shlex
import subprocess
import sys

import h5py
import numpy as np

HEADER = """
use fields
param one: int = 1
param back: int = -3
param numbers: list = (2, -1.5, 0.25)
dim x = 7, y = 6, c = 3 over 1
dim part = 4, third = 5, all = 20
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
let f = white_noise[x, y](1)
let g = white_noise[x](2)
let h = white_noise[y](3)
let w = white_noise[c, x](4) + 1i * white_noise[c, x](5)
let m = white_noise[y, x](6)
let fields = for i in 0 .. 3 => white_noise[x, y](10 + i)
let kf = fft(f)
let at = map q in [x] => mod(int(index(q, x)) + one, 3)
let u = for d in (x, y) => (if d == x then f else 2 * f)
let v = for d in (y, x) => (if d == x then f else 3 * m)
let deep = ((1.5, (g, 2.0)), {a = 1, b = h})
let pu = 0.5 + 0.7 * white_noise[third](20)
let pv = 0.5 + 0.7 * white_noise[third](21)
let du = for d in (y, x) => (if d == x then 0.4 * f else 0.3 * white_noise[x, y](22))
output places (u, v) = (pu, pv)
output displacements (u, v) = (du[x], du[y])
output f
output g
output h
output w
output m
output stack (a, b, c) = fields
"""
NUMBERS = np.array([2, -1.5, 0.25])
i, j = np.arange(7), np.arange(6)


def moved(f, axis, by, beyond=None):
    """f by cells further along an axis: periodic, or `beyond` there."""
    index = np.arange(f.shape[axis]) + by
    result = np.take(f, index % f.shape[axis], axis)
    if beyond is None:
        return result
    inside = (index >= 0) & (index < f.shape[axis])
    return np.where(inside.reshape((-1, 1) if axis == 0 else (1, -1)), result, beyond)


WINDOWS = {"ngp": lambda u: 1.0 * ((u >= -0.5) & (u < 0.5)), "cic": lambda u: np.maximum(1 - np.abs(u), 0),
           "tsc": lambda u: np.where(np.abs(u) < 0.5, 0.75 - u**2, np.maximum(1.5 - np.abs(u), 0)**2 / 2)}
FOLDS = {"clamp": lambda c, n: np.clip(c, 0, n - 1), "periodic": lambda c, n: c % n,
         "reflect": lambda c, n: np.abs((c + n - 1) % (2 * n - 2) - (n - 1))}


def weights(places, cells, window, edge):
    """The weight of each cell for each particle, at places in cells along one dim."""
    far = np.arange(-60, 60)
    near = WINDOWS[window](far - np.reshape(places, (-1, 1)))
    if edge == "zero":
        return near[:, (far >= 0) & (far < cells)]
    result = np.zeros((near.shape[0], cells))
    np.add.at(result.T, FOLDS[edge](far, cells), near.T)
    return result


def read_at(f, places, window, edge):
    return np.einsum("px,py,...xy->...p", weights(7 * places[0], 7, window, edge), weights(6 * places[1], 6, window, edge), f)


def paint_at(weight, places, window, edge):
    return np.einsum("px,py,p->xy", weights(7 * places[0], 7, window, edge), weights(6 * places[1], 6, window, edge), weight * np.ones(len(places[0])))


def particles(d):
    """Where the particles of the lattice are."""
    return ((i / 7)[:, None] + d.displacements[0]).ravel(), (j / 6 + d.displacements[1]).ravel()


def edge_cases():
    for edge in ("zero", "clamp", "reflect", "periodic"):
        for window in ("ngp", "cic", "tsc"):
            options = f"window = \"{window}\", edge = \"{edge}\""
            yield f"readout_at(f, (pu, pv), {options})", lambda d, w=window, e=edge: read_at(d.f, d.places, w, e)
            yield f"paint_at[x, y]((pu, pv), weight = pu^2, {options})", lambda d, w=window, e=edge: paint_at(d.places[0]**2, d.places, w, e)
        options = f"edge = \"{edge}\""
        yield f"paint(du, {options}, weight = f)", lambda d, e=edge: paint_at(d.f.ravel(), particles(d), "cic", e)
        yield f"paint(0.3 * g, {options})", lambda d, e=edge: weights(i + 2.1 * d.g, 7, "cic", e).sum(0)
        yield f"readout(f, du, {options})", lambda d, e=edge: read_at(d.f, particles(d), "cic", e).reshape(7, 6)
        yield f"readout_at(fields, (pu, pv), {options})[2]", lambda d, e=edge: read_at(d.stack[2], d.places, "cic", e)
        yield f"paint_at[x, y]((pu, pv), where = pu > 0.3, {options})", \
            lambda d, e=edge: paint_at(d.places[0] > 0.3, d.places, "cic", e)
        yield f"readout_at(w * h, for d in (y, x) => (if d == x then pu else pv), {options})", \
            lambda d, e=edge: read_at(d.w[:, :, None] * d.h, d.places, "cic", e)
        yield f"paint_at[x, y]((pu, pv), weight = (pu + 1i * pv), {options})", \
            lambda d, e=edge: paint_at(d.places[0] + 1j * d.places[1], d.places, "cic", e)
        yield f"paint_at[x, y]((pu, pv), weight = (2.0, pv), {options})[1]", \
            lambda d, e=edge: paint_at(d.places[1], d.places, "cic", e)


# Each gets a record of the inputs, as arrays.
CASES = [
    ("numbers[one] * f", lambda d: -1.5 * d.f),
    ("(map q in [x] => numbers[at]) * g", lambda d: NUMBERS[(i + 1) % 3] * d.g),
    ("numbers[at] + g", lambda d: NUMBERS[(i + 1) % 3] + d.g),
    ("fields[one + 1]", lambda d: d.stack[2]),
    ("loop s = 0 * f for i in 0 .. 3 => s + numbers[i] * fields[i]", lambda d: np.tensordot(NUMBERS, d.stack, 1)),
    ("loop s = 0 * f for i in 0 .. 2 + one => s + numbers[i] * fields[2 - i]", lambda d: np.tensordot(NUMBERS, d.stack[::-1], 1)),
    ("fields[at]", lambda d: np.choose(((i + 1) % 3)[:, None], d.stack)),
    ("map q in f => fields[mod(int(index(q, x)) * int(index(q, y)), 3)]", lambda d: np.choose(np.outer(i, j) % 3, d.stack)),
    ("map q in [x] => loop s = 0.0 for i in 0 .. 3 => s + numbers[i] * g^i", lambda d: sum(a * d.g**n for n, a in enumerate(NUMBERS))),
    ("((1.0, 2.0), (f, f))[one][0]", None),
    ("f[x = 6 - x]", lambda d: d.f[::-1]),
    ("f[x = cells(x) - 1 - x, y = 5 - y]", lambda d: d.f[::-1, ::-1]),
    ("f[x = 6 - 2 * part]", lambda d: d.f[6::-2]),
    ("f[y = -y, edge = \"periodic\"]", lambda d: d.f[:, -j % 6]),
    ("f[x = one + 2 - x, edge = \"zero\"]", lambda d: np.where(((3 - i >= 0) & (3 - i < 7))[:, None], d.f[np.clip(3 - i, 0, 6)], 0)),
    ("map q in f => f[x = 6 - x] * g", lambda d: d.f[::-1] * d.g[:, None]),
    ("map q in [x] => loop s = 0.0 for i in 0 .. 3 => s + i * g[x = 6 - x]", lambda d: 3 * d.g[::-1]),
    ("w[x = 6 - x]", lambda d: d.w[:, ::-1]),
    ("f[x + one]", lambda d: moved(d.f, 0, 1)),
    ("f[x + back, y - back]", lambda d: moved(moved(d.f, 0, -3), 1, 3)),
    ("shift(f, x = back)", lambda d: moved(d.f, 0, 3)),
    ("shift(f, x = back, edge = \"zero\")", lambda d: moved(d.f, 0, 3, 0)),
    ("shift(f, y = one, edge = 2.5)", lambda d: moved(d.f, 1, -1, 2.5)),
    ("f[x + one, edge = \"clamp\"]", lambda d: d.f[np.minimum(i + 1, 6)]),
    ("f[x + one, edge = \"reflect\"]", lambda d: d.f[np.where(i < 6, i + 1, 5)]),
    ("f[x + one][y - 1, edge = \"zero\"]", lambda d: moved(moved(d.f, 0, 1), 1, -1, 0)),
    ("map q in f => f[x + int(index(q, y))]", lambda d: d.f[(i[:, None] + j) % 7, j]),
    ("map q in f => f[x + one] - f", lambda d: moved(d.f, 0, 1) - d.f),
    ("map q in [c] => kf[x = 2, y = 1]", lambda d: np.full(3, d.kf[2, 1])),
    ("map q in [c] => kf[x = back, y = -1 - one]", lambda d: np.full(3, d.kf[-3, -2])),
    ("map q in [c] => kf[y = 3, x = 0]", lambda d: np.full(3, d.kf[0, 3])),
    ("fft(w * h, over = (x, y))[x = 1, y = one]", lambda d: np.fft.fft2(d.w[:, :, None] * d.h)[:, 1, 1] / 42),
    ("fft(real(w) * h, over = (x, y))[x = 1, y = -one]", lambda d: np.fft.fft2(d.w.real[:, :, None] * d.h)[:, 1, -1] / 42),
    ("(u + v)[x]", lambda d: 2 * d.f),
    ("(v - u)[y]", lambda d: 3 * d.m - 2 * d.f.T),
    ("dot(u, v)", lambda d: d.f**2 + 6 * d.f * d.m.T),
    ("loop s = u for i in 0 .. 2 => (for d in (y, x) => f * (if d == x then 1 else 5))", None),
    ("(loop s = u for i in 0 .. 2 => (for d in (y, x) => f * (if d == x then 1 else 5)))[1]", lambda d: 5 * d.f),
    ("(if one > 0 then u else (for d in (y, x) => f))[0]", lambda d: d.f),
    ("readout_at(f, for d in (y, x) => (map q in [third] => (if d == x then 2 / 7 else 3 / 6)))", lambda d: np.full(5, d.f[2, 3])),
    ("paint_at[x, y](for d in (y, x) => (map q in [third] => (if d == x then 2 / 7 else 3 / 6)))", lambda d: 5.0 * (np.outer(i == 2, j == 3))),
    ("f * (f > 0)", lambda d: d.f * (d.f > 0)),
    ("2 * (f > 0) * g", lambda d: 2 * (d.f > 0) * d.g[:, None]),
    ("map q in f => (f > 0) * g + (h < 0) * 3", lambda d: (d.f > 0) * d.g[:, None] + 3 * (d.h < 0)),
    ("w * (g > 0)", lambda d: d.w * (d.g > 0)),
    ("g + h", lambda d: d.g[:, None] + d.h),
    ("g - h", lambda d: d.g[:, None] - d.h),
    ("g / (3 + h^2)", lambda d: d.g[:, None] / (3 + d.h**2)),
    ("w * h", lambda d: d.w[:, :, None] * d.h),
    ("w * m", lambda d: d.w[:, None, :] * d.m),
    ("w - h", lambda d: d.w[:, :, None] - d.h),
    ("sum(w * (m + 0i), over = x)", lambda d: np.einsum("cx,yx->cy", d.w, d.m)),
    ("real(ifft(kf * white_noise[c](7), over = (x, y))) - f * white_noise[c](7)", lambda d: np.zeros((7, 6, 3))),
    ("{ let ((a, (b, two)), r) = deep; a * two * b + r.a }", lambda d: 3 * d.g + 1),
    ("loop (a, (b, n)) = (g, (h, 0)) for i in 0 .. 3 => (a + i, (b, n + 1))", None),
    ("(loop (a, (b, n)) = (g, (h, 0)) for i in 0 .. 3 => (a + n, (b, n + 2)))[0]", lambda d: d.g + 6),
    ("concat((f, 2 * f), over = x)", lambda d: np.concatenate([d.f, 2 * d.f])),
    ("concat((g, h, g), over = (x, y, x), to = all)", lambda d: np.concatenate([d.g, d.h, d.g])),
    ("field_of(numbers, c)", lambda d: NUMBERS),
    ("field_of(fields, c)", lambda d: d.stack),
    ("f[x = part + one, edge = \"zero\"]", lambda d: d.f[1:5]),
    *edge_cases(),
    ("(g,)[0]", lambda d: d.g),
    ("{ let (a,) = (g,); a }", lambda d: d.g),
]
CHECKED = [(f"case_{n}", text, want) for n, (text, want) in enumerate(CASES) if want]
LOSSES = [
    "sum((loop s = 0 * f for i in 0 .. 3 => s + fields[i] * sin(f * numbers[i]))^2)",
    "sum(f[x = 6 - x] * f^2) + sum(f[x = one + 2 - x, edge = \"zero\"] * f)",
    "sum(shift(f, x = back) * f^2) + sum(shift(f, y = one, edge = 2.5)^3)",
    "{ let k = fft(f); real(k[x = 1, y = -2]) + 3 * imag(k[x = -1, y = 1])^2 + norm2(k[x = 0, y = 0]) + norm2(k[x = 2, y = 3]) }",
    "sum(f^3 * (f > 0) * g) + norm2(sum(w * f, over = (x, y, c)))",
    "sum(readout_at(f, (pu + 0.1 * mean(f), pv * mean(f^2)), window = \"tsc\", edge = \"clamp\")^2 * pu)",
    "sum(readout_at(f, (pu + 0.1 * mean(f), pv), window = \"tsc\", edge = \"reflect\")^2)",
    "sum(paint((0.1 * f, f^2), window = \"tsc\", edge = \"zero\", weight = f)^3)",
    "sum(concat((f, f^2), over = x)^3 * g[x = 0]) + sum(field_of((f, 2 * f^2, sin(f)), c)^2)",
    "sum((mean(f, over = y) + mean(f, over = x)^2)^3) + sum(mean(f, over = y) / (2 + mean(f, over = x)^2))",
    "sum(dot(for d in (x, y) => f^2, for d in (y, x) => (if d == x then g else h)))",
]


def spec():
    text = HEADER + "".join(f"output {name} = {expr}\n" for name, expr, _ in CHECKED)
    for n, loss in enumerate(LOSSES):
        text += f"fn loss{n}(f) = {loss}\n"
        text += f"print \"slope {n} {{}} {{}}\", inner(grad(loss{n})(f), fields[1]), " \
                f"(loss{n}(f + 1e-4 * fields[1]) - loss{n}(f - 1e-4 * fields[1])) / 2e-4\n"
    text += "for i in 0 .. one + 1 {\n  for n in 0 .. 2 { print \"statement {} {}\", i, n }\n}\n"
    text += "output spectrum (left, right) = (g, 2 * g)\nprint \"columns {}\", sum(left + right) / sum(g)\n"
    return text


class Arrays:
    """The inputs that a run has written."""

    def __init__(self, out):
        for name in ("f", "g", "h", "w", "m", "stack"):
            setattr(self, name, read(out, name).astype(complex if name == "w" else float))
        self.places = np.moveaxis(read(out, "places").astype(float), -1, 0)
        self.displacements = np.moveaxis(read(out, "displacements").astype(float), -1, 0)
        self.stack = np.moveaxis(self.stack, -1, 0)
        self.kf = np.fft.fft2(self.f) / 42


def read(out, name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


def check(where, out, printed, tolerance):
    data = Arrays(out)
    for name, text, want in CHECKED:
        found, wanted = read(out, name), want(data)
        if found.shape != wanted.shape:
            sys.exit(f"{where}: {text}: shape {found.shape}, expected {wanted.shape}")
        wrong = np.abs(found - wanted).max()
        if not wrong <= tolerance * max(1, np.abs(wanted).max()):
            sys.exit(f"{where}: {text}: off by {wrong:.1e}, expected at most {tolerance:.0e}\n{found}\n{wanted}")
    lines = [line.split() for line in printed.splitlines()]
    slopes = [line for line in lines if line and line[0] == "slope"]
    if len(slopes) != len(LOSSES):
        sys.exit(f"{where}: {len(slopes)} slopes, expected {len(LOSSES)}")
    # Differences in f32 are right to the rounding of a loss over 2e-4.
    limit = 1e-5 if tolerance < 1e-8 else 0.05
    for _, n, slope, difference in slopes:
        if not abs(float(slope) - float(difference)) <= limit * max(1, abs(float(difference))):
            sys.exit(f"{where}: {LOSSES[int(n)]}: derivative {slope}, by differences {difference}")
    statements = [line[1:] for line in lines if line and line[0] == "statement"]
    if statements != [["0", "0"], ["0", "1"], ["1", "0"], ["1", "1"]]:
        sys.exit(f"{where}: statements {statements}")
    columns = [float(line[1]) for line in lines if line and line[0] == "columns"]
    if len(columns) != 1 or not abs(columns[0] - 3) < 1e-5:
        sys.exit(f"{where}: columns {columns}, expected 3")


def main():
    pmc, folder, *meshes = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    source = os.path.join(folder, "forms.pm")
    with open(source, "w", encoding="utf-8") as file:
        file.write(spec())
    for precision, tolerance in (("f64", 1e-12), ("f32", 2e-5)):
        program = os.path.join(folder, "forms_" + precision)
        subprocess.run(shlex.split(pmc) + [source, f"--precision={precision}", "-o", program], check=True)
        for mesh in meshes:
            row, col = mesh.split("x")
            out = os.path.join(folder, precision + mesh)
            printed = subprocess.run([program, "--mesh", f"row={row},col={col}", "--transport=threads", "--threads=1", "--quiet", "--out", out],
                                     check=True, stdout=subprocess.PIPE, text=True).stdout
            check(f"{precision}, mesh {mesh}", out, printed, tolerance)


main()
