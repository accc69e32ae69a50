#!/usr/bin/env python3
"""Contractions of complex fields, and sums of several products, against NumPy.

    complex.py PMC FOLDER MESHES..."""
import os
import shlex
import subprocess
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
import meshes  # pylint: disable=wrong-import-position

# The sum, and NumPy's. a, r are over [i, k], b, s over [k, j]; a and b are complex.
CASES = {
    "product": ("sum(a * b, over = k)", lambda a, b, r, s: a @ b),
    "adjoint": ("sum(conj(a) * b, over = k)", lambda a, b, r, s: a.conj() @ b),
    "both": ("sum(map q in [i, k, j] => conj(a * b), over = k)", lambda a, b, r, s: (a @ b).conj()),
    "mixed": ("sum(r * b, over = k)", lambda a, b, r, s: r @ b),
    "factors": ("sum(map q in [i, k, j] => exp(1i * r) * b * s, over = k)", lambda a, b, r, s: np.exp(1j * r) @ (b * s)),
    "negative": ("sum(map q in [i, k, j] => -2i * (a * b), over = k)", lambda a, b, r, s: -2j * (a @ b)),
    "several": ("sum(map q in [i, k, j] => r * s - tanh(r) * s^2 + 3 * r * s^3, over = k)",
                lambda a, b, r, s: r @ s - np.tanh(r) @ s**2 + 3 * r @ s**3),
    "real part": ("sum(map q in [i, k, j] => real(a * b) - 2 * imag(conj(a) * b), over = k)",
                  lambda a, b, r, s: (a @ b).real - 2 * (a.conj() @ b).imag),
}
SPEC = """
dim i = 11, k = 24, j = 13
mesh ranks(row = 1, col = 1)
layout k -> row, j -> col
let a = white_noise[i, k](1) + 1i * white_noise[i, k](2)
let b = white_noise[k, j](3) + 1i * white_noise[k, j](4)
let r = white_noise[i, k](5)
let s = white_noise[k, j](6)
output a
output b
output r
output s
let w = white_noise[i, j](7) + 1i * white_noise[i, j](8)
""" + "".join(f"""
fn case{n}(a, b, r, s) = 0i + {text}
output c{n} = case{n}(a, b, r, s)
let along{n} = jvp(case{n}, wrt = (a, b, r, s))(a, b, r, s, tangent = (sin(1) * conj(a), 0.3i * b, r^2, cos(s)))[1]
let back{n} = vjp(case{n}, wrt = (a, b, r, s))(a, b, r, s, cotangent = w)[1]
print "pair {n} {{:.17e}} {{:.17e}} {{:.17e}}", inner(along{n}, w), inner(back{n}, (sin(1) * conj(a), 0.3i * b, r^2, cos(s))), 100 * sqrt(inner(along{n}, along{n}) * inner(w, w))
""" for n, (text, _) in enumerate(CASES.values()))


def check(out, mesh):
    def read(name):
        with h5py.File(os.path.join(out, name + ".h5")) as file:
            return file[name][...]
    given = [read(name) for name in "abrs"]
    for n, (name, (_, function)) in enumerate(CASES.items()):
        expected, found = function(*given), read(f"c{n}")
        off = np.abs(found - expected).max() / np.abs(expected).max()
        assert off < 1e-13, (mesh, name, off)


def main():
    for mesh, _, out, text in meshes.runs("complex", SPEC):
        check(out, mesh)
        meshes.check_pairs(mesh, text, len(CASES), lambda n: list(CASES)[int(n)])
    pmc, folder = sys.argv[1:3]
    ir = subprocess.run([*shlex.split(pmc), os.path.join(folder, "complex.pm"), "--emit=sharded", "-o", "-"],
                        check=True, stdout=subprocess.PIPE, text=True).stdout
    assert "field<[i=11, k=24, j=13]" not in ir, "a field over all dims is made, expected none"
    assert ir.count("pm.contract") >= 4 * len(CASES), ir.count("pm.contract")


main()
