"""Derivatives of projections on the space of equal eigenvalues and singular values, which do not depend on the basis of the space, against
differences, in both modes. Derivatives of single vectors of it are finite.

    equal_values.py PMC FOLDER"""
import os
import shlex
import subprocess
import sys

import h5py
import numpy as np

pmc, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
with open("spec.pm", "w", encoding="utf-8") as spec:
    spec.write("""
use linalg
dim batch = 3, i = 5, j = 5, k = 5, l = 5
input A: field[batch, i, j]
input V: field[batch, i, j]
input W: field[batch, i, l]
// The sum of v v^T over the first two vectors.
fn low(A) = {
  let v = eigh_over(A, i, j).vectors
  let kept = map q in v => if index(q, j) < 2 then v else 0
  sum(matmul(kept, kept[i = l], over = j) * W, over = (i, l))
}
fn high(A) = {
  let s = svd_over(A, i, j, k)
  let u = map q in s.u => if index(q, k) < 2 then s.u else 0
  let v = map q in s.v => if index(q, k) < 2 then s.v else 0
  sum(matmul(u, v[j = l], over = k) * W, over = (i, l))
}
fn one(A) = sum(eigh_over(A, i, j).vectors[j = 0] * W[l = 0])
output low_along = jvp(low)(A, tangent = V)[1]
output high_along = jvp(high)(A, tangent = V)[1]
output low_back = grad(A => sum(low(A)))(A)
output high_back = grad(A => sum(high(A)))(A)
output finite_back = grad(one)(A)
""")
random = np.random.default_rng(3)
n, count = 5, 3
A = np.empty((count, n, n))
for b, values in enumerate(([1, 1, 2, 3, 4], [-0.5, -0.5, 1, 1, 1], [1e3, 1e3, 1e3 + 5, 2e3, 3e3])):
    basis = np.linalg.qr(random.normal(size=(n, n)))[0]
    A[b] = basis * values @ basis.T
V, W = random.normal(size=(2, count, n, n))


def low(matrix, weights):
    v = np.linalg.eigh((matrix + matrix.T) / 2)[1][:, :2]
    return np.sum(v @ v.T * weights)


def high(matrix, weights):
    u, _, vt = np.linalg.svd(matrix)
    return np.sum(u[:, :2] @ vt[:2] * weights)


for precision, bound in (("f64", 1e-5), ("f32", 1e-2)):
    subprocess.run(shlex.split(pmc) + ["spec.pm", "-o", "spec", "--precision=" + precision], check=True)
    # The inverse matrices have two equal largest singular values.
    for name, function, matrices in (("low", low, A), ("high", high, np.linalg.inv(A))):
        for file, array in (("A", matrices), ("V", V), ("W", W)):
            np.save(file + ".npy", array)
        subprocess.run(["./spec", "--quiet", "--out=out", "--A=A.npy", "--V=V.npy", "--W=W.npy"], check=True)

        def read(output):
            with h5py.File(f"out/{output}.h5") as out:
                return out[output][...].astype(float)

        # The equal values part along V, so that only their sum has a derivative.
        for b in range(count):
            step = 1e-6 * np.abs(matrices[b]).max()
            moved = [function(matrices[b] + sign * step * V[b], W[b]) for sign in (1, -1)]
            along = (moved[0] - moved[1]) / (2 * step)
            for found in (read(name + "_along")[b], np.sum(read(name + "_back")[b] * V[b])):
                size = max(np.abs(along), np.linalg.norm(W[b]) / np.abs(matrices[b]).max())
                if not abs(found - along) <= bound * size:
                    sys.exit(f"{precision}, {name}, matrix {b}: {found}, expected {along}")
        if not np.isfinite(read("finite_back")).all():
            sys.exit("the derivative of a single vector is not finite")
print("derivatives at equal values are those of differences")
