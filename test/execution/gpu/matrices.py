#!/usr/bin/env python3
"""Compares dense matrices over dims by cuSOLVER and cuBLAS with NumPy, in batches and one after the other, also singular matrices and
matrices that are not finite. Checks which functions of the libraries are called.

    matrices.py PMC FOLDER"""
import os
import shlex
import shutil
import subprocess
import sys

import h5py
import numpy as np

pmc, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
SPEC = """
use linalg
const n = 7
const m = 9
mesh ranks(row = 1)
layout batch -> row
dim batch = 4, i = n, j = n, k = n, r = m, right = 3
input A: complex field[batch, i, j]
input T: complex field[batch, r, j]
input B: complex field[batch, i, right]
input D: complex field[batch, r, right]
fn say(name, f) { }
"""
PARTS = {  # expressions of the matrices; of real parts, too
    "solve": "solve_over({A}, {B}, i, j)", "lower": "solve_lower({A}, {B}, i, j)", "cholesky": "cholesky(positive({A}), i, j)",
    "logdet": "logdet({A}, i, j)", "values": "eigh_over({A}, i, j).values", "vectors": "eigh_over({A}, i, j).vectors",
    "u": "svd_over({T}, r, j, k).u", "s": "svd_over({T}, r, j, k).values", "v": "svd_over({T}, r, j, k).v",
    "us": "svd_over({T}, j, r, k).u", "fit": "lstsq({T}, {D}, r, j)", "wide": "lstsq({T}, {B}[i = map q in [j] => int(index(q, j))], j, r)",
    # Derivatives solve with adjoints, and multiply.
    "slope": "vjp(u => solve_over(u, {B}, i, j))({A}, cotangent = {B}[i = map q in [j] => int(index(q, j))])[1]",
    "slope_fit": "vjp(u => lstsq(u, {D}, r, j))({T}, cotangent = {B}[i = map q in [j] => int(index(q, j))])[1]"}


def spec():
    lines = [SPEC.replace("fn say(name, f) { }\n", ""),
             "fn positive(f) = map q in f => 0.1 * f + (if index(q, i) == index(q, j) then 2 * n else 0)"]
    for kind in "real", "complex":
        names = {x: f"real({x})" if kind == "real" else x for x in "ATBD"}
        for name, text in PARTS.items():
            lines.append(f"let {kind}_{name} = {text.format(**names)}")
            lines.append(f"output o_{kind}_{name} (re, im) = (real({kind}_{name}), imag({kind}_{name} + 0i))")
    lines.append("output sign = slogdet(real(A), i, j).sign")
    return "\n".join(lines) + "\n"


def adjoint(f):
    return np.conj(np.swapaxes(f, -1, -2))


def expected(kind, a, t, b, d):
    if kind == "real":
        a, t, b, d = a.real, t.real, b.real, d.real
    n = a.shape[1]
    h = (a + adjoint(a)) / 2
    yield "solve", np.linalg.solve(a, b)
    yield "lower", np.linalg.solve(np.tril(a), b)
    yield "cholesky", np.linalg.cholesky(0.1 * h + 2 * n * np.eye(n))
    yield "logdet", np.linalg.slogdet(a)[1]
    yield "values", np.linalg.eigvalsh(h)
    yield "s", np.linalg.svd(t, compute_uv=False)
    yield "fit", np.linalg.pinv(t) @ d
    yield "wide", np.linalg.pinv(np.swapaxes(t, 1, 2)) @ b
    back = np.linalg.solve(adjoint(a), b)
    yield "slope", -back @ adjoint(np.linalg.solve(a, b))
    x, p = np.linalg.pinv(t) @ d, np.linalg.pinv(t)
    yield "slope_fit", -adjoint(p) @ b @ adjoint(x) + (d - t @ x) @ adjoint(p @ adjoint(p) @ b)


def products(kind, read, a, t):
    if kind == "real":
        a, t = a.real, t.real
    h, v = (a + adjoint(a)) / 2, read("vectors")
    yield "vectors", v * read("values").real[:, None] @ adjoint(v), h
    yield "singular vectors", read("u") * read("s").real[:, None] @ adjoint(read("v")), t
    yield "left vectors", adjoint(read("us")) @ read("us"), np.broadcast_to(np.eye(a.shape[1]), a.shape)


def without_cusolver():
    """Runs the last program with a library that lacks the functions of cuSOLVER. Its results must be those of the host. Returns the warning."""
    os.makedirs("broken", exist_ok=True)
    # The loader finds this file first, and it is another library.
    shutil.copy(os.path.join(os.path.dirname(shlex.split(pmc)[0]), "..", "fakecuda", "libpmc_fake_mpi.so"), "broken/libcusolver.so.12")
    done = subprocess.run(["./spec", "--out=host", *(f"--{x}={x}.npy" for x in "ATBD")], check=True, stderr=subprocess.PIPE, text=True,
                          stdout=subprocess.DEVNULL, env={**os.environ, "LD_LIBRARY_PATH": os.path.abspath("broken")})
    with h5py.File("host/o_complex_solve.h5") as one, h5py.File("out/o_complex_solve.h5") as other:
        assert np.allclose(one["o_complex_solve"], other["o_complex_solve"], atol=1e-9), "without cuSOLVER: other results"
    return next(line for line in done.stderr.splitlines() if "cuSOLVER" in line)


def main():
    with open("spec.pm", "w", encoding="utf-8") as text:
        text.write(spec())
    for n, m, precision in (7, 9, "f64"), (7, 7, "f32"), (40, 45, "f64"), (40, 33 + 9, "f32"), (260, 261, "f64"):
        random = np.random.default_rng(n)
        c = lambda *shape: random.normal(size=shape) + 1j * random.normal(size=shape)
        a, t, b, d = c(4, n, n) + n / 2 * np.eye(n), c(4, m, n), c(4, n, 3), c(4, m, 3)
        a[1] *= -1
        for name, array in dict(A=a, T=t, B=b, D=d).items():
            np.save(name + ".npy", array)
        subprocess.run([*shlex.split(pmc), "spec.pm", "-o", "spec", "--precision=" + precision, "-D", f"n={n}", "-D", f"m={m}"], check=True)
        flags = ["--quiet", "--out=out", *(f"--{x}={x}.npy" for x in "ATBD")]
        subprocess.run(["./spec", *flags], check=True, env={**os.environ, "FAKECUDA_CALLS": f"calls{n}"})
        bound = (1e-9 if precision == "f64" else 3e-2) * (n / 7)

        def close(name, found, truth):
            error = np.abs(found - truth).max() / np.abs(truth).max()
            assert error < bound, f"{n} rows, {precision}: {name} differs by {error:.1e}"

        for kind in "real", "complex":
            def read(name, kind=kind):
                with h5py.File(f"out/o_{kind}_{name}.h5") as file:
                    pair = file[f"o_{kind}_{name}"][...].astype(float)
                    return pair[..., 0] + 1j * pair[..., 1]
            for name, truth in expected(kind, a, t, b, d):
                close(f"{kind} {name}", read(name), truth)
            for name, found, truth in products(kind, read, a, t):
                close(f"{kind} {name}", found, truth)
        with h5py.File("out/sign.h5") as file:
            assert np.array_equal(file["sign"][...], np.linalg.slogdet(a.real)[0]), f"{n} rows: signs"
    calls = {n: open(f"calls{n}", encoding="utf-8").read() for n in (7, 260)}
    for name in "cublasgetrfBatched", "cublasgetrsBatched", "cublastrsmBatched", "potrfBatched", "syevjBatched", "gesvdjBatched":
        assert name in calls[7], f"7 rows: {name} is not called"
    for name in "cusolverDngetrf", "cusolverDngetrs", "cusolverDnpotrf", "cusolverDnsyevd", "cusolverDngesvdj":
        assert name in calls[260], f"260 rows: {name} is not called"
    print("without cuSOLVER:", without_cusolver())
    print("matrices on the GPU are NumPy's")


main()
