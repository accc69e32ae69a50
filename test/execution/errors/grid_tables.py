"""Prints what a program reports about each file."""
import os
import shlex
import subprocess
import sys

import h5py
import numpy as np

pmc, folder = sys.argv[1:]
os.chdir(folder)
with open("spec.pm", "w", encoding="utf-8") as spec:
    spec.write('input P: table(k, z)\ninput C: table(a, b, c) optional\n'
               'input U: table(k in h/Mpc, z -> P in (Mpc/h)^3) optional\n'
               'print "{}", interpolate(P, 1.5, 1.5)\nif given(C) { print "{}", interpolate(C, 1, 1, 1) }\n'
               'if given(U) { print "{}", interpolate(U, 1 h/Mpc, 1) in (Mpc/h)^3 }\n')
subprocess.run(shlex.split(pmc) + ["spec.pm", "-o", "spec"], check=True)
k, z = np.array([1.0, 2, 3]), np.array([1.0, 2])
P = np.array([[1.0, 2], [3, 4], [5, 6]])
for name, parts in {
        "missing": dict(k=k, P=P), "shape": dict(k=k, z=z, P=P.T.copy()), "axis": dict(k=k[:, None], z=z, P=P), "order": dict(k=k, z=z[::-1], P=P),
        "short": dict(k=k[:1], z=z, P=P[:1]), "infinite": dict(k=k, z=z, P=np.where(P == 3, np.inf, P)),
        "nan": dict(k=np.where(k == 3, np.nan, k), z=z, P=P)}.items():
    with h5py.File(name + ".h5", "w") as file:
        file.update(parts)
with h5py.File("units.h5", "w") as file:
    file.update(k=k, z=z, P=P)
    file["P"].attrs.update(unit="km", program="as a program of pmc writes it")
with open("text.txt", "w", encoding="utf-8") as text:
    text.write("# comment\n0 1 2\n1 1\n")
with open("good.txt", "w", encoding="utf-8") as text:
    text.write("0, 1, 2\n1, 1, 2\n2, 3, 4\n3, 5, 6\n")
np.save("array.npy", k[[0, 0, 0, 0]])
np.save("complex.npy", np.ones((3, 3)) + 1j)
runs = {name: [f"--P={name}.h5"] for name in ("missing", "shape", "axis", "order", "short", "infinite", "nan")}
runs |= {"text": ["--P=text.txt"], "array": ["--P=array.npy"], "complex": ["--P=complex.npy"], "three": ["--P=good.txt", "--C=good.txt"], "none": [],
         "units": ["--P=good.txt", "--U=units.h5"],
         "good": ["--P=good.txt"]}
for name, flags in runs.items():
    done = subprocess.run(["./spec", "--quiet", *flags], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(f"{name}: {done.stdout.strip().splitlines()[-1]}")
    if (done.returncode == 0) != (name == "good"):
        sys.exit(f"{name}: exit code {done.returncode}")
