"""Signs and logarithms of determinants against NumPy's: odd and even permutations, singular matrices, batches, one matrix.

    slogdet.py PMC FOLDER"""
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
mesh ranks(row = 1)
layout batch -> row
dim batch = 40, i = 7, j = 7, single = 1
input A: field[batch, i, j]
let d = slogdet(A, i, j)
output sign = d.sign
output logs = map q in d.sign => if d.sign == 0 then 0 else d.logdet
output slope = grad(A => sum(slogdet(A, i, j).sign * slogdet(A, i, j).logdet))(map q in A => A + (if index(q, batch) == 0 then 9 * index(q, i) * index(q, j) + (if index(q, i) == index(q, j) then 1 else 0) else 0))
let one = map q in [i, j] => if index(q, i) + index(q, j) == 6 then 2 else 0
print "{:.17} {:.17}", slogdet(one, i, j).sign, slogdet(one, i, j).logdet
""")
random = np.random.default_rng(5)
A = random.normal(size=(40, 7, 7))
for b in range(1, 12):
    A[b] = np.eye(7)[random.permutation(7)] * (-1) ** b
A[0, 3] = 0
np.save("A.npy", A)
for precision in "f64", "f32":
    subprocess.run(shlex.split(pmc) + ["spec.pm", "-o", "spec", "--precision=" + precision], check=True)
    for mesh in "1", "3":
        text = subprocess.run(["./spec", "--quiet", "--out=out", "--A=A.npy", "--mesh", "row=" + mesh, "--transport=threads"], check=True,
                              stdout=subprocess.PIPE, text=True).stdout

        def read(output):
            with h5py.File(f"out/{output}.h5") as out:
                return out[output][...].astype(float)

        sign, logs = np.linalg.slogdet(A)
        assert sign[0] == 0 and len(set(sign)) == 3
        if not np.array_equal(read("sign"), sign):
            sys.exit(f"{precision}: signs {read('sign')}, expected {sign}")
        if np.abs(read("logs")[1:] - logs[1:]).max() > (1e-12 if precision == "f64" else 1e-4):
            sys.exit(f"{precision}: logarithms differ")
        expected = sign[1:, None, None] * np.swapaxes(np.linalg.inv(A[1:]), 1, 2)
        if np.abs(read("slope")[1:] - expected).max() > (1e-10 if precision == "f64" else 1e-3) * np.abs(expected).max():
            sys.exit(f"{precision}: derivatives differ")
        found = [float(word) for word in text.split()]
        if found[0] != -1 or abs(found[1] - 7 * np.log(2)) > 1e-6:
            sys.exit(f"one matrix: {found}")
print("signs and logarithms are NumPy's")
