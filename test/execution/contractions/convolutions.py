#!/usr/bin/env python3
"""Convolutions and their derivatives against NumPy, on meshes of ranks and layouts.

    convolutions.py PMC FOLDER [--some] [FLAG...]

A case is the dims of a field and of weights and of the result, and where the field is read: of each dim that moves, the dims that
make its index with their numbers, an offset and an edge. NumPy makes the patches. Flags are the compiler's; --some: one layout."""
import os
import re
import shlex
import string
import sys

import numpy as np

from contractions import outputs, run

SIZES = {"x": 12, "y": 10, "z": 8, "c": 5, "o": 6, "b": 2, "i": 3, "j": 3, "k": 3, "X": 6, "p": 10}
NAMES = {"X": "coarsen(x, 2)"}
LAYOUTS = {"x->row": ["1x1", "3x1", "5x1"], "x->row, y->col": ["2x2"], "y->(row,col)": ["2x2", "5x1"], "c->row, o->col": ["2x2"], "b->row, z->col": ["2x3"]}
ZERO, PERIODIC, CLAMP, REFLECT, INSIDE = "zero", "periodic", "clamp", "reflect", ""


def taps(edge, dims="xy", offset=-1):
    return {dim: ([(dim, 1), (tap, 1)], offset, edge) for dim, tap in zip(dims, "ijk")}


# (field, weights, result, indices); `moved`: the field is moved as a whole.
CASES = [
    ("cxy", "ocij", "oxy", taps(ZERO)),
    ("bcxyz", "ocijk", "boxyz", taps(ZERO, "xyz")),
    ("cxy", "ocij", "oxy", taps(PERIODIC)),
    ("cxy", "ocij", "oxy", {**taps(CLAMP, "x", -2), "y": ([("y", 1), ("j", 1)], 0, REFLECT)}),
    ("cxy", "ocij", "oXy", {**taps(ZERO), "x": ([("X", 2), ("i", 1)], -1, ZERO)}),
    ("cxy", "ocij", "oXy", {**taps(PERIODIC), "x": ([("X", 2), ("i", 1)], -1, PERIODIC)}),
    ("cxy", "oci", "opy", {"x": ([("p", 1), ("i", 1)], 0, INSIDE)}),
    ("cxy", "oci", "opy", {"x": ([("p", 1), ("i", 1)], -1, PERIODIC)}),  # fewer cells than it goes around
    ("bxyc", "ico", "bxyo", taps(PERIODIC, "x", 3)),
    ("bxy", "ij", "bxy", taps(ZERO)),
    ("bcxy", "oc", "boxy", {"x": ([("x", 1)], 1, PERIODIC), "y": ([("y", 1)], -2, ZERO)}),
]


def named(dims):
    return ", ".join(NAMES.get(dim, dim) for dim in dims)


def index_text(dim, terms, offset, edge):
    parts = [NAMES.get(p, p) if n == 1 else f"{n} * {NAMES.get(p, p)}" for p, n in terms]
    return f"{dim} = {' + '.join(parts)}" + (f" {'+' if offset > 0 else '-'} {abs(offset)}" if offset else "")


def product_text(case):
    field, weights, result, indexes = case
    edges = [edge for _, _, edge in indexes.values()]
    if all(len(terms) == 1 for terms, _, _ in indexes.values()):
        moves = ", ".join(f"{dim} {'+' if offset > 0 else '-'} {abs(offset)}" for dim, (_, offset, _) in indexes.items())
    else:
        moves = ", ".join(index_text(dim, *index) for dim, index in indexes.items())
    if INSIDE not in edges:
        moves += ", edge = (" + ", ".join(f'"{edge}"' for edge in edges) + ")" if len(edges) > 1 else f', edge = "{edges[0]}"'
    over = [dim for dim in weights if dim not in result]
    return f"sum(u[{moves}] * v, over = {named(over) if len(over) == 1 else '(' + named(over) + ')'})"


def spec():
    lines = ["dim x = 12, y = 10, z = 8", "dim c = 5, o = 6, b = 2, i = 3, j = 3, k = 3, p = 10", "mesh ranks(row = 1, col = 1)"]
    for n, case in enumerate(CASES):
        a, b, c, _ = case
        noise = lambda dims, seed: f"white_noise[{named(dims)}]({seed})"
        lines += [f"fn case{n}(u, v) = {product_text(case)}", f"let a{n} = {noise(a, 2 * n)}", f"let b{n} = {noise(b, 2 * n + 1)}",
                  f"let w{n} = {noise(c, n + 100)}", f"output a{n}", f"output b{n}", f"output w{n}",
                  f"let (c{n}, pulls{n}) = vjp(case{n}, wrt = (u, v))(a{n}, b{n}, cotangent = w{n})",
                  f"output c{n}", f"output by_a{n} = pulls{n}[0]", f"output by_b{n} = pulls{n}[1]",
                  f"let (again{n}, pushed{n}) = jvp(case{n}, wrt = (u, v))(a{n}, b{n}, tangent = (tanh(a{n}), tanh(b{n})))",
                  f"let size{n} = sqrt(inner(pushed{n}, pushed{n}) * inner(w{n}, w{n}))",
                  f'print "pair {n} {{:.17e}}", (inner(pushed{n}, w{n}) - inner(tanh(a{n}), pulls{n}[0]) - inner(tanh(b{n}), pulls{n}[1])) / size{n}',
                  f"let ahead{n} = case{n}(a{n} + 1e-5 * tanh(a{n}), b{n} + 1e-5 * tanh(b{n}))",
                  f"let behind{n} = case{n}(a{n} - 1e-5 * tanh(a{n}), b{n} - 1e-5 * tanh(b{n}))",
                  f'print "difference {n} {{:.17e}}", inner((ahead{n} - behind{n}) / 2e-5 - pushed{n}, w{n}) / size{n}',
                  # Of second order: derivatives of a sum of squares of both gradients.
                  f"fn steep{n}(u, v) = {{ let g = grad((s, t) => sum(case{n}(s, t)^2), wrt = (s, t))(u, v); sum(g[0]^2) + sum(g[1]^2) }}",
                  f"let second{n} = grad(steep{n}, wrt = (u, v))(a{n}, b{n})",
                  f"output second_a{n} = second{n}[0]", f"output second_b{n} = second{n}[1]"]
    return "\n".join(lines) + "\n"


class Convolution:
    """The matrix that makes patches, and sums of products with them."""

    def __init__(self, case):
        self.field, self.weights, self.result, indexes = case
        shape = [SIZES[d] for d in self.field]
        cells, inside, self.patch = np.zeros((), int), np.ones((), bool), ""
        for dim, size in zip(self.field, shape):
            terms, offset, edge = indexes.get(dim, ([(dim, 1)], 0, ZERO))
            index = np.full((), offset)
            for name, number in terms:
                index = index[..., None] + number * np.arange(SIZES[name])
                self.patch += name
            if edge == PERIODIC:
                index = index % size
            elif edge == CLAMP:
                index = np.clip(index, 0, size - 1)
            elif edge == REFLECT:
                index = size - 1 - np.abs(size - 1 - np.abs(index))
            there = (index >= 0) & (index < size)
            grow = (...,) + (None,) * index.ndim
            cells = cells[grow] * size + np.clip(index, 0, size - 1)
            inside = inside[grow] & there
        self.cells, self.inside, self.shape = cells, inside, shape

    def patches(self, u):
        return np.where(self.inside, u.ravel()[self.cells], 0)

    def joined(self, patches):
        u = np.zeros(np.prod(self.shape))
        np.add.at(u, self.cells.ravel(), np.where(self.inside, patches, 0).ravel())
        return u.reshape(self.shape)

    def __call__(self, u, v):
        return np.einsum(f"{self.patch},{self.weights}->{self.result}", self.patches(u), v)

    def by_field(self, w, v):
        return self.joined(np.einsum(f"{self.result},{self.weights}->{self.patch}", w, v))

    def by_weights(self, w, u):
        return np.einsum(f"{self.patch},{self.result}->{self.weights}", self.patches(u), w)


def expected(values, n):
    f = Convolution(CASES[n])
    u, v, w = (values[f"{name}{n}"] for name in "abw")
    wanted = {f"c{n}": f(u, v), f"by_a{n}": f.by_field(w, v), f"by_b{n}": f.by_weights(w, u)}
    # f is bilinear: with r = f(u, v), g = 2 f_u*(r, v), h = 2 f_v*(r, u) and the cotangents 2 g of g and 2 h of h.
    r = f(u, v)
    g, h = 2 * f.by_field(r, v), 2 * f.by_weights(r, u)
    pulled = 2 * (f(2 * g, v) + f(u, 2 * h))                       # of r
    wanted[f"second_a{n}"] = f.by_field(pulled, v) + 2 * f.by_field(r, 2 * h)
    wanted[f"second_b{n}"] = f.by_weights(pulled, u) + 2 * f.by_weights(r, 2 * g)
    return wanted


def check_double(pmc, folder, flags, layouts):
    worst, meshes, count = 0, 0, 0
    for number, (layout, all_meshes) in enumerate(layouts.items()):
        program = os.path.join(folder, f"double{number}")
        run(pmc + [program_text(folder), "--precision=f64", "--layout", layout, "-o", program, *flags])
        for mesh in all_meshes:
            row, col = mesh.split("x")
            out = os.path.join(folder, f"out{number}_{mesh}")
            text = run([program, f"--mesh=row={row},col={col}", "--transport=threads", "--threads=1", "--quiet", "--out", out])
            values, meshes, count = outputs(out), meshes + 1, 0
            for n in range(len(CASES)):
                for name, want in expected(values, n).items():
                    error, count = np.abs(values[name] - want).max() / np.abs(want).max(), count + 1
                    worst = max(worst, error)
                    if not error <= 1e-12:
                        sys.exit(f"layout {layout}, mesh {mesh}: {name} ({product_text(CASES[n])}) differs by {error:.3g}, expected at most 1e-12")
            for kind, number_text, value in re.findall(r"(pair|difference) (\d+) (\S+)", text):
                if not abs(float(value)) <= (1e-13 if kind == "pair" else 1e-8):
                    sys.exit(f"layout {layout}, mesh {mesh}: {kind} of case {number_text} is off by {value}")
    print(f"f64: {count} outputs on {meshes} meshes, worst {worst:.1e}")


def check_single(pmc, folder, flags):
    program, out, worst = os.path.join(folder, "single"), os.path.join(folder, "out_single"), 0
    run(pmc + [program_text(folder), "--precision=f32", "-o", program, *flags])
    run([program, "--threads=2", "--quiet", "--out", out])
    values = {name: value.astype(float) for name, value in outputs(out).items()}
    for n, case in enumerate(CASES):
        f, (u, v) = Convolution(case), (values[f"{name}{n}"] for name in "ab")
        worst = max(worst, (np.abs(values[f"c{n}"] - f(u, v)) / (513 * 2.0**-24 * f(np.abs(u), np.abs(v)) + 1e-30)).max())
    if not worst <= 1:
        sys.exit(f"f32: {worst:.3g} times the bound")
    print(f"f32: worst {worst:.4f} of the bound")


def check_ops(pmc, folder):
    """Patches are made of nothing but the adjoints of case 3, whose edges are not 0, and of case 8, which is not a contraction."""
    text = run(pmc + [program_text(folder), "--emit=sharded", "-o", "-"])
    made = [line for line in text.splitlines() if re.search(r"-> (?:!pm.partial<)?!pm.field<\[[^>]*x(/2)?=\d+, i=3", line)]
    if text.count("pm.convolve") < 12 * len(CASES) or len(made) > 9:
        sys.exit(f"{text.count('pm.convolve')} convolutions and {len(made)} fields of patches, expected more and fewer")


def program_text(folder):
    path = os.path.join(folder, "convolutions.pm")
    with open(path, "w", encoding="utf-8") as file:
        file.write(spec())
    return path


def main():
    pmc, folder, *flags = sys.argv[1:]
    layouts = LAYOUTS
    if "--some" in flags:
        flags.remove("--some")
        layouts = {"x->row": ["1x1", "3x1"]}
        CASES[:] = CASES[:1] + CASES[3:5]
    assert set("".join(a + b for a, b, _, _ in CASES)) <= set(string.ascii_letters)
    os.makedirs(folder, exist_ok=True)
    if len(CASES) > 3:
        check_ops(shlex.split(pmc), folder)
    check_double(shlex.split(pmc), folder, flags, layouts)
    check_single(shlex.split(pmc), folder, flags)


if __name__ == "__main__":
    main()
