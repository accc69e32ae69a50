"""Second derivatives of eigh_over and svd_over at diagonal matrices along V, against perturbation theory.

At diag(a), with a_j the value of column j,
    w_j'' = 2 Σ_i |V_ij|² / (a_j - a_i),    (|v_ij|²)'' = 2 |V_ij|² / (a_j - a_i)²,
    s_j'' = Σ_i |V_ij + V_ji*|² / (a_j - a_i) / 2 + Σ_i |V_ij - V_ji*|² / (a_j + a_i) / 2
over i ≠ j (V is Hermitian in the first line), and over all i in the last sum.

    diagonal_matrices.py PMC FOLDER"""
import os
import shlex
import subprocess
import sys

import h5py
import numpy as np

pmc, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
SPEC = """
use linalg
dim i = 4, j = 4, k = 4
input A: TYPE[i, j]
input V: TYPE[i, j]
fn values(A) = eigh_over(A, i, j).values
fn parts(A) { let v = eigh_over(A, i, j).vectors; map q in v => PART }
fn singular(A) = svd_over(A, i, j, k).values
// Each function is differentiated forward over forward and forward over reverse. Weights make sure that no term hides another.
fn weighted(f, d) = map q in f => f * (1 + index(q, d)^2)
output w = jvp(A => jvp(values)(A, tangent = V)[1])(A, tangent = V)[1]
output p = jvp(A => jvp(parts)(A, tangent = V)[1])(A, tangent = V)[1]
output s = jvp(A => jvp(singular)(A, tangent = V)[1])(A, tangent = V)[1]
fn along(g) = sum(real(conj(g) * V))
output w_back = along(jvp(grad(A => sum(weighted(values(A), j))))(A, tangent = V)[1])
output p_back = along(jvp(grad(A => sum(weighted(weighted(parts(A), j), i))))(A, tangent = V)[1])
output s_back = along(jvp(grad(A => sum(weighted(singular(A), k))))(A, tangent = V)[1])
"""
random = np.random.default_rng(4)
n = 4
rising, falling = np.array([1, 2.5, 3, 5]), np.array([5, 3, 2.5, 1])
weight = 1 + np.arange(n) ** 2
off = ~np.eye(n, dtype=bool)


def expected(V):
    H = (V + V.conj().T) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = rising - rising[:, None]
        w = 2 * np.where(off, abs(H) ** 2 / gap, 0).sum(0)
        p = np.where(off, 2 * abs(H) ** 2 / gap ** 2, 0)
        p -= np.diag(p.sum(0))
        gap, total = falling - falling[:, None], falling + falling[:, None]
        s = np.where(off, abs(V + V.conj().T) ** 2 / gap, 0).sum(0) / 2 + (abs(V - V.conj().T) ** 2 / total).sum(0) / 2
    return {"w": w, "p": p, "s": s, "w_back": w @ weight, "p_back": weight @ p @ weight, "s_back": s @ weight}


for kind, part in (("real", "v^2"), ("complex", "norm2(v)")):
    with open("spec.pm", "w", encoding="utf-8") as spec:
        spec.write(SPEC.replace("TYPE", "complex field" if kind == "complex" else "field").replace("PART", part))
    V = random.normal(size=(n, n)) + (1j * random.normal(size=(n, n)) if kind == "complex" else 0)
    for precision, bound in (("f64", 1e-12), ("f32", 2e-5)):
        subprocess.run(shlex.split(pmc) + ["spec.pm", "-o", "spec", "--precision=" + precision], check=True)
        np.save("V.npy", V)
        for values, names in ((rising, ("w", "p", "w_back", "p_back")), (falling, ("s", "s_back"))):
            np.save("A.npy", np.diag(values).astype(V.dtype))
            subprocess.run(["./spec", "--quiet", "--out=out", "--A=A.npy", "--V=V.npy"], check=True)
            for name in names:
                with h5py.File(f"out/{name}.h5") as out:
                    found = out[name][...]
                right = expected(V)[name]
                if not np.abs(found - right).max() <= bound * np.abs(right).max():
                    sys.exit(f"{kind} {precision}: {name} is {found}, expected {right}")
print("second derivatives at diagonal matrices are those of perturbation theory")
