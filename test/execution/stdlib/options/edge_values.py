#!/usr/bin/env python3
"""Compares library functions with NumPy in f32 and f64, for NaN, infinities, single elements and no elements.

    edge_values.py PMC FOLDER MESH...

Outputs are finite: NaN is written as 1000, and infinities as 2000 and -2000."""
import os
import shlex
import subprocess
import sys

import h5py
import numpy as np
from scipy.interpolate import RegularGridInterpolator

pmc, folder, *meshes = sys.argv[1:]
SPEC = """
use math, order, random, linalg, fields
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, b -> row
param zero = 0.0
let nan = zero / zero
let inf = 1 / zero
fn code(v) = if v != v then 1000 else if v > 1e30 then 2000 else if v < -1e30 then -2000 else v
fn coded(f) = map q in f => code(f)

// ---- sorts and extremes ----
dim x = 7, y = 5
dim one = 1
let f = map q in [x, y] => {
  let i = 5 * index(q, x) + index(q, y)
  if mod(i, 7) == 3 then nan else if mod(i, 11) == 2 then inf else if mod(i, 13) == 5 then -inf else cos(i)
}
let g = map q in [y] => if index(q, y) == 1 then inf else if index(q, y) == 3 then -inf else index(q, y)
let single = map q in [one] => 3 + zero
let unknown = map q in [one] => nan
output f_code = coded(f)
output sorted = coded(sort(f, y))
output backward = coded(sort(f, x, order = "descending"))
output places = argsort(f, y)
output position = ranks(f, x)
output single_sorted = sort(single, one)
output single_unknown = coded(sort(unknown, one))
output single_place = argsort(unknown, one)
output running = coded(cummax(f, over = y))
print "order {} {} {} {}", argmax(f)[0], argmax(f)[1], argmin(f)[0], argmin(f)[1]
print "of infinities {} {} {} {}", argmax(g)[0], argmin(g)[0], code(max(g)), code(min(g))
print "single {} {} {} {}", median(single), quantile(single, 0.3), argmax(single)[0], argmin(unknown)[0]
print "unknown {} {} {} {} {}", code(median(f)), code(max(f)), code(min(f)), code(sum(f)), code(mean(f))
print "counts {} {} {} {}", count(f > 0), count(f > 1e30), if any(f > 99 and f < 1e30) then 1 else 0, if all(f < 99) then 1 else 0

// ---- nothing ----
let (chosen, number) = collect q in f where f > 99 and f < 1e30 into 4 => (f, q[x])
let beyond = bins q in f into 3 by 9 => 1.0
print "nothing {} {} {} {}", number, sum(chosen[0]), sum(beyond), count(f != f and f > 0)

// ---- matrices: one with NaN, one with an infinity, a singular one, and a regular one ----
dim b = 4, i = 3, j = 3, k = 3
let A = map q in [b, i, j] => {
  let (n, r, c) = (index(q, b), index(q, i), index(q, j))
  let v = if r == c then 3 else 1 / (1 + r + c)
  if n == 0 and r == 1 and c == 1 then nan else if n == 1 and r == 1 and c == 1 then inf else if n == 2 then 1.0 else v
}
let rhs = map q in [b, i] => 1.0 + index(q, i)
output solved = coded(solve_over(A, rhs, i, j))
output determinants = coded(logdet(A, i, j))
output signs = coded(slogdet(A, i, j).sign)
output least = coded(lstsq(A, rhs, i, j))
output factor = coded(cholesky(A + (if nan > 0 then 1 else 0), i, j))
output eigenvalues = coded(eigh_over(A, i, j).values)
output singular = coded(svd_over(A, i, j, k).values)
dim r = 1, c = 1, s = 1
let tiny = map q in [r, c] => 4 + zero
print "matrices {} {} {} {} {}", sum(cholesky(tiny, r, c)), logdet(tiny, r, c), sum(solve_over(tiny, map q in [r] => 8.0, r, c)),
      sum(eigh_over(tiny, r, c).values), sum(svd_over(tiny, r, c, s).values)

// ---- random numbers: element i has argument i of a list ----
dim a = 6
fn listed(v) = map q in [a] => v[0] * (if index(q, a) == 0 then 1 else 0) + (if index(q, a) == 1 then v[1] else if index(q, a) == 2 then v[2]
  else if index(q, a) == 3 then v[3] else if index(q, a) == 4 then v[4] else if index(q, a) == 5 then v[5] else 0)
dim draw = 300
let m = listed((0.0, -1.0, nan, inf, -inf, 1e-30))
output poisson = coded(max(poisson_counts[draw, a](m, 1), over = draw))
output gammas = coded(max(gamma[draw, a](m, 2), over = draw))
output few = coded(max(binomial[draw, a](10, listed((0.0, 1.0, nan, 1.5, -0.5, 0.5)), 3), over = draw))
output trials = coded(max(binomial[draw, a](listed((0.0, -1.0, nan, 1.0, 1e3, 2.0)), 1.0, 4), over = draw))
print "drawn {} {} {}", max(choice[draw](map q in [one] => 2.0, 5)), min(integers[draw](1, 6)), max(integers[draw](1, 6))

// ---- tables ----
let t = tabulate(u => u^2, from = 1, to = 2, points = 2)
let wide = tabulate((u, v) => u + 2 * v, from = (0, 0), to = (1, 1), points = (2, 2))
output linear = coded(interpolate(t, g))
output bilinear = coded(interpolate(wide, g, 0.5))
output cubic = coded(interpolate(t, g + nan, method = "cubic"))
print "tables {} {} {} {}", code(interpolate(t, nan)), code(interpolate(t, inf)), code(interpolate(t, -inf)), interpolate(t, 1.5, method = "cubic")
"""


def coded(values):
    values = np.asarray(values, float)
    return np.where(np.isnan(values), 1000, np.where(values > 1e30, 2000, np.where(values < -1e30, -2000, values)))


def check(name, found, expected, bound=0.0):
    found, expected = np.asarray(found, float), coded(expected)
    if found.shape != expected.shape or not (np.abs(found - expected) <= bound).all():
        sys.exit(f"{name}: found\n{found}\nexpected\n{expected}")


def backward(f, axis):
    """Sorts in descending order. NaN is last."""
    return -np.sort(-f, axis=axis)


def stable_ranks(f, axis):
    return np.argsort(np.argsort(f, axis=axis, kind="stable"), axis=axis, kind="stable")


def of_batch(function, A, *rest):
    """Returns NaN if NumPy has no result."""
    results = []
    for n, matrix in enumerate(A):
        try:
            results.append(np.asarray(function(matrix, *(part[n] for part in rest)), float))
        except np.linalg.LinAlgError:
            results.append(None)
    shape = next(result.shape for result in results if result is not None)
    return np.array([np.full(shape, np.nan) if result is None else result for result in results])


os.makedirs(folder, exist_ok=True)
os.chdir(folder)
with open("spec.pm", "w", encoding="utf-8") as text:
    text.write(SPEC)
np.seterr(all="ignore")
for precision, bound in ("f64", 1e-14), ("f32", 1e-5):
    subprocess.run(shlex.split(pmc) + ["spec.pm", "-o", "spec", "--precision=" + precision], check=True)
    for mesh in meshes:
        row, col = mesh.split("x")
        printed = subprocess.run(["./spec", "--mesh", f"row={row},col={col}", "--transport=threads", "--quiet", "--out=out"], check=True,
                                 stdout=subprocess.PIPE, text=True).stdout
        lines = {line.rsplit(None, len([w for w in line.split() if w.lstrip("-")[:1].isdigit()]))[0]: [float(w) for w in line.split() if w.lstrip("-")[:1].isdigit()]
                 for line in printed.splitlines()}

        def read(name):
            with h5py.File(f"out/{name}.h5") as out:
                return out[name][...].astype(float)

        code = read("f_code")
        f = np.where(code == 1000, np.nan, np.where(code == 2000, np.inf, np.where(code == -2000, -np.inf, code)))
        check("sort", read("sorted"), np.sort(f, axis=1))
        check("descending", read("backward"), backward(f, 0))
        check("argsort", read("places"), np.argsort(f, axis=1, kind="stable"))
        check("ranks", read("position"), stable_ranks(f, 0))
        check("a single number", read("single_sorted"), [3])
        check("a single NaN", read("single_unknown"), [np.nan])
        check("its place", read("single_place"), [0])
        check("order", lines["order"], [*np.unravel_index(np.argmax(f), f.shape), *np.unravel_index(np.argmin(f), f.shape)])
        check("running maximum", read("running"), np.maximum.accumulate(f, axis=1))
        g = np.array([0, np.inf, 2, -np.inf, 4])
        check("infinities", lines["of infinities"], [np.argmax(g), np.argmin(g), np.inf, -np.inf])
        check("a single element", lines["single"], [3, 3, 0, 0])
        check("unknown", lines["unknown"], [np.median(f), f.max(), f.min(), f.sum(), f.mean()])
        check("counts", lines["counts"], [(f > 0).sum(), (f > 1e30).sum(), 0, 0])
        check("nothing", lines["nothing"], [0, 0, 0, 0])

        A = np.array([[[3 if r == c else 1 / (1 + r + c) for c in range(3)] for r in range(3)]] * 4, float)
        A[0, 1, 1], A[1, 1, 1], A[2] = np.nan, np.inf, 1
        # For a singular matrix, NumPy returns infinities, or large numbers that result from rounding.
        finite = np.isfinite(A).all((1, 2))
        known = np.where(finite[:, None, None], A, 0)
        regular = np.array([False, False, False, True])
        b = np.arange(1, 4) * np.ones((4, 1))
        unknown = np.full((4, 3), np.nan)
        check("solve", read("solved"), np.where(regular[:, None], of_batch(np.linalg.solve, known, b), unknown), bound)
        check("logdet", read("determinants"), [np.nan, np.nan, -np.inf, np.linalg.slogdet(A[3])[1]], bound)
        check("sign", read("signs"), [np.nan, np.nan, 0, 1], bound)
        check("lstsq", read("least"), np.where(finite[:, None], of_batch(lambda M, v: np.linalg.lstsq(M, v, rcond=None)[0], known, b), unknown), bound)
        check("cholesky", read("factor")[regular], np.linalg.cholesky(A[regular]), bound)
        check("cholesky of NaN", read("factor")[:2][:, 1, 1], [np.nan, np.nan])
        check("eigenvalues", read("eigenvalues"), np.where(finite[:, None], of_batch(np.linalg.eigvalsh, known), unknown), bound)
        check("singular values", read("singular"), np.where(finite[:, None], of_batch(lambda M: np.linalg.svd(M)[1], known), unknown), bound)
        check("matrices of one row", lines["matrices"], [2, np.log(4), 2, 4, 4], bound)

        check("poisson", read("poisson"), [0, np.nan, np.nan, np.nan, np.nan, 0])
        gammas = read("gammas")
        check("gamma", np.delete(gammas, 5), [0, np.nan, np.nan, np.nan, np.nan])
        check("gamma of a tiny shape", [0 <= gammas[5] < 1], [1])
        few = read("few")
        check("binomial", np.delete(few, 5), [0, 10, np.nan, np.nan, np.nan])
        check("binomial of a half", [5 <= few[5] <= 10], [1])
        check("trials", read("trials"), [0, np.nan, np.nan, 1, 1000, 2])
        check("drawn", lines["drawn"], [0, 0, 0])

        check("linear", read("linear"), 3 * g - 2, bound)
        grid = RegularGridInterpolator(([0, 1], [0, 1]), np.array([[0, 2.0], [1, 3]]), bounds_error=False, fill_value=None)
        check("bilinear", read("bilinear"), grid(np.stack([g, np.full(5, 0.5)], -1)), bound)
        check("cubic", read("cubic"), np.full(5, np.nan))
        check("tables", lines["tables"], [np.nan, np.inf, -np.inf, 2.5], bound)
print("NaN, infinities, single elements and nothing are those of NumPy and SciPy")
