#!/usr/bin/env python3
"""Linear systems, factorizations, eigenvalues and singular values against NumPy's, on every mesh.

    linalg.py PMC FOLDER MESHES..."""
import os
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))
import meshes  # pylint: disable=wrong-import-position

SPEC = """
use linalg
dim i = 7, j = 7, m = 12, k = 7, o = 1, o2 = 1
dim batch = 6, right = 3
mesh ranks(row = 1, col = 1)
layout batch -> row, m -> col
let c = white_noise[batch, i, j](1) + 1i * white_noise[batch, i, j](2)
let tall = white_noise[m, batch, j](3) + 1i * white_noise[m, batch, j](4)
let b = white_noise[i, batch, right](5) + 1i * white_noise[i, batch, right](6)
let d = white_noise[right, m](7)
let single = white_noise[o, o2](8)
fn positive(f) = map q in f => (f + real(f)) * 0.3 + (if index(q, i) == index(q, j) then 9 else 0)
output cr = real(c)
output ci = imag(c)
output tr = real(tall)
output ti = imag(tall)
output br = real(b)
output bi = imag(b)
output d
output single
output xr = solve_over(real(c), real(b), i, j)
let x = solve_over(c, b, i, j)
output x_re = real(x)
output x_im = imag(x)
// One right-hand side for the batch, and a real one of complex matrices.
let y = solve_over(c, white_noise[i](9), i, j)
output y_re = real(y)
output y_im = imag(y)
output yb = white_noise[i](9)
// Matrices in another order of dims: the transposes.
let first = slice(real(b), right = 0)
output swapped = solve_over(real(c), map q in [batch, j] => first[i = int(index(q, j))], j, i)
output low = solve_lower(real(c), real(b), i, j)
output root = cholesky(positive(real(c)), i, j)
let rootc = cholesky(positive(c), i, j)
output rootc_re = real(rootc)
output rootc_im = imag(rootc)
output det = logdet(real(c), i, j)
output detc = logdet(c, i, j)
let e = eigh_over(real(c), i, j)
let ec = eigh_over(c, i, j)
output e_values = e.values
output e_vectors = e.vectors
output ec_values = ec.values
output ec_re = real(ec.vectors)
output ec_im = imag(ec.vectors)
let s = svd_over(real(tall), m, j, k)
let sc = svd_over(tall, j, m, k)
output s_values = s.values
output s_u = s.u
output s_v = s.v
output sc_values = sc.values
output sc_ur = real(sc.u)
output sc_ui = imag(sc.u)
output sc_vr = real(sc.v)
output sc_vi = imag(sc.v)
output tall_fit = lstsq(real(tall), d, m, j)
let wide_fit = lstsq(tall, slice(b, right = 1)[i = map q in [j] => int(index(q, j))], j, m)
output wide_re = real(wide_fit)
output wide_im = imag(wide_fit)
// Columns, and rows, in different units.
let columns = (real(tall)[j = 0] * 1 km, real(tall)[j = 1] * 1e6, real(tall)[j = 2] * 1e-3 K)
dim three = 3
let by_column = lstsq_columns(columns, d * 1 km, m, three)
output fit_0 = by_column[0]
output fit_1 = by_column[1] / (1 km)
output fit_2 = by_column[2] / (1 km/K)
let by_columns = solve_columns((for n in 0 .. 7 => c[j = n] * (1 + n) * 1 km), b, i, j)
output x_by_columns = real(by_columns[3]) * 1 km
output x_by_rows = solve_rows((for n in 0 .. 7 => real(c)[i = n] * (1 + n)^9 * 1 km), (for n in 0 .. 7 => real(b)[i = n, right = 1] * (1 + n)^9 * 1 km), i, j)
let first_column = real(tall)[j = 0]
let statistics = map q in [batch, m] => first_column * (index(q, m) - 3)
dim n = 12
output cov = covariance(statistics * 1 km, batch, m, n) / (1 km)^2
output corr = covariance(statistics * 1 km, batch, m, n, normalized = true)
let crossed = cross_covariance(c[j = 0], slice(b, right = 0)[i = map q in [k] => int(index(q, k))], batch)
output cross_re = map q in [i, k] => real(crossed)
output cross_im = map q in [i, k] => imag(crossed)
output one = solve_over(single, map q in [o] => 3, o, o2)
print "det {:.17e}", logdet(single, o, o2)
print "whole {:.17e}", logdet(slice(real(c), batch = 2), i, j)
// Not numbers: a singular matrix, one that is not positive, and what is not finite.
let zero = map q in [i, j] => 0 * index(q, i)
assert not finite(sum(solve_over(zero, white_noise[i](9), i, j))), "singular"
assert not finite(sum(cholesky(zero - 1, i, j))), "not positive"
let broken = map q in [i, j] => log(index(q, i) - 1)
assert not finite(sum(eigh_over(broken, i, j).values)) and not finite(sum(svd_over(broken, i, j, k).u)), "not finite"
assert logdet(zero, i, j) < -1e300, "the determinant 0"
"""


def check(mesh, read, numbers):
    def close(name, found, expected, most=1e-11):
        assert found.shape == np.shape(expected), f"{mesh}: {name} has the shape {found.shape}, expected {np.shape(expected)}"
        error = np.abs(found - expected).max() / np.abs(expected).max()
        assert error < most, f"{mesh}: {name} differs by {error:.1e}"

    def adjoint(f):
        return np.conj(np.swapaxes(f, -1, -2))

    def both(re, im):
        return read(re) + 1j * read(im)

    c, tall, b = both("cr", "ci"), both("tr", "ti"), both("br", "bi")
    right, matrices = np.moveaxis(b, 0, 1), np.moveaxis(tall, 0, 1)
    close("solve", read("xr"), np.linalg.solve(c.real, right.real), 1e-9)
    close("complex solve", both("x_re", "x_im"), np.linalg.solve(c, right), 1e-9)
    close("one right-hand side", both("y_re", "y_im"), np.linalg.solve(c, np.broadcast_to(read("yb")[:, None], (6, 7, 1)))[..., 0], 1e-9)
    close("transposes", read("swapped"), np.linalg.solve(np.swapaxes(c.real, 1, 2), right.real[:, :, :1])[..., 0], 1e-9)
    close("lower", read("low"), np.linalg.solve(np.tril(c.real), right.real), 1e-7)
    positive = (c + c.real) * 0.3 + 9 * np.eye(7)
    close("cholesky", read("root"), np.linalg.cholesky(0.3 * (c.real + np.swapaxes(c.real, 1, 2)) + 9 * np.eye(7)))
    close("complex cholesky", both("rootc_re", "rootc_im"), np.linalg.cholesky((positive + adjoint(positive)) / 2))
    close("logdet", read("det"), np.linalg.slogdet(c.real)[1])
    close("complex logdet", read("detc"), np.linalg.slogdet(c)[1])
    for name, matrix, values, vectors in (("eigh", c.real, read("e_values"), read("e_vectors")), ("complex eigh", c, read("ec_values"), both("ec_re", "ec_im"))):
        hermitian = (matrix + adjoint(matrix)) / 2
        close(name, values, np.linalg.eigvalsh(hermitian))
        close(name + " vectors", vectors * values[:, None, :] @ adjoint(vectors), hermitian)
        close(name + " unitary", adjoint(vectors) @ vectors, np.broadcast_to(np.eye(7), c.shape))
    for name, matrix, u, values, v in (("svd", matrices.real, read("s_u"), read("s_values"), read("s_v")),
                                       ("complex svd", np.swapaxes(matrices, 1, 2), both("sc_ur", "sc_ui"), read("sc_values"), both("sc_vr", "sc_vi"))):
        close(name, values, np.linalg.svd(matrix, compute_uv=False))
        close(name + " product", u * values[:, None, :] @ adjoint(v), matrix)
        close(name + " u", adjoint(u) @ u, np.broadcast_to(np.eye(7), (6, 7, 7)))
        close(name + " v", adjoint(v) @ v, np.broadcast_to(np.eye(7), (6, 7, 7)))
    close("tall fit", read("tall_fit"), np.linalg.pinv(matrices.real) @ np.broadcast_to(read("d").T, (6, 12, 3)))
    close("wide fit", both("wide_re", "wide_im"), (np.linalg.pinv(np.swapaxes(matrices, 1, 2)) @ right[:, :, 1:2])[..., 0])
    scales = np.array([1, 1e6, 1e-3])
    fits = np.linalg.pinv(matrices.real[..., :3]) @ np.broadcast_to(read("d").T, (6, 12, 3)) / scales[:, None]
    for n in range(3):
        close(f"fit {n}", read(f"fit_{n}"), fits[:, n])
    close("columns", read("x_by_columns"), (np.linalg.solve(c, right)[:, 3] / 4).real, 1e-9)
    close("rows", read("x_by_rows"), np.linalg.solve(c.real, right.real[..., 1:2])[..., 0], 1e-9)
    statistics = matrices.real[:, :, 0] * (np.arange(12) - 3)
    close("covariance", read("cov"), np.cov(statistics, rowvar=False))
    used = np.arange(12) != 3
    found = read("corr")
    close("correlation", found[np.ix_(used, used)], np.corrcoef(statistics[:, used], rowvar=False))
    assert not found[3].any() and not found[:, 3].any(), "a statistic without variance"
    close("cross covariance", both("cross_re", "cross_im"), np.cov(c[:, :, 0], right[:, :, 0], rowvar=False)[:7, 7:])
    close("one", read("one"), 3 / read("single")[0])
    close("number", np.array(numbers["det"]), np.log(abs(read("single")[0, 0])))
    close("whole", np.array(numbers["whole"]), np.linalg.slogdet(c.real[2])[1])


def main():
    for mesh, _, out, text in meshes.runs("over_dims", SPEC):
        def read(name, folder=out):
            with h5py.File(os.path.join(folder, name + ".h5")) as file:
                return file[name][()]
        check(mesh, read, {line.split()[0]: float(line.split()[1]) for line in text.splitlines()})


main()
