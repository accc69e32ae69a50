#!/usr/bin/env python3
"""The functions of some modules of the library on a mesh of ranks, and their derivatives.

    library.py --pmc PMC --out FOLDER --modules sampling,mri [--part derivatives|ranks] [--only NAME]

The expressions are those of functions.py. On a mesh, they have the values of one rank. For the derivatives, an expression is a function
of one of the names in it. <w, J v> by jvp agrees with <J^T w, v> by vjp and with a central difference. Fails if a public function of a
module has no expression with a derivative and no reason in CONSTANT."""
import argparse
import glob
import os
import re
import shlex
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from reference.function_cases import CASES, PRELUDES  # pylint: disable=wrong-import-position
from reference.function_fields import HEADER  # pylint: disable=wrong-import-position

STDLIB = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "frontend", "Stdlib")
MESH = "mesh ranks(row = 1, col = 1)\nlayout x -> row, y -> col\n"
COMPLEX = "((1 - 2i) * %s + 0.3)"
# A name in an expression, and the direction of the derivative.
VARIABLES = {"f": "(0.3 + g)", "small": "(0.2 + small^2)", "half": "0.7", "data": COMPLEX % "data", "batch": "(0.2 + batch^2)", "frame": COMPLEX % "frame",
             "c": COMPLEX % "c", "coils2": COMPLEX % "coils2", "kc": COMPLEX % "kc", "frames": COMPLEX % "frames", "states": "(0.2 + states^2)", "large": "(0.2 + large)", "v3": "for e in (x, y, z) => 0.3 + f * g", "sky": "(0.2 + sky^2)", "cube": "(0.2 + cube^2)", "density": "(0.2 * density + g)",
             "sparse_density": "(0.2 + cube)", "cosmo": "{omega_m = 0.3, omega_k = 0.1, w0 = -0.2, wa = 0.1, h = 0.1, omega_b = 0.02, n_s = 0.2, sigma8 = 0.3, omega_r = 0.01}",
             "flat": "{omega_m = 0.3, omega_k = 0.0, w0 = 0.0, wa = 0.0, h = 0.1, omega_b = 0.02, n_s = 0.2, sigma8 = 0.3, omega_r = 0.0}"}
# Functions without a derivative, and why.
CHAINS = "chains are loops with conditions, and accept or reject states"
METHOD = "a method is a record of functions and ints"
RANKS = "ranks are constant between ties"
RANDOM = "random numbers are constant"
COUNTS = "counts are constant while no pixel changes its bin"
CONSTANT = {
    "cg_image": "the derivative is that of the converged solution; cg_sense has enough iterations",
    "shear_kernel": "it depends on the wave vector alone", **{name: COUNTS for name in "peaks peak_counts histogram".split()},
    **{name: CHAINS for name in "sample sample_chains sample_batch".split()}, **{name: METHOD for name in "nuts hmc langevin mclmc mams".split()},
    "centre_phase": "the phase depends on coordinates alone", "ellipsoids_kspace": "the phantom is a list of constants", "normal_like": RANDOM, **{name: RANKS for name in "rank_normalized chain_ranks rank_counts".split()}}
# Functions and names whose derivatives are not compared with differences, and why.
BOUND_IS_HELD = "the derivative takes the bound of the operator, which sets the step size, as constant"
OTHER = {
    ("wavelet_image", "f"): BOUND_IS_HELD, ("wavelet_image", "coils2"): BOUND_IS_HELD,
    ("wavelet_sense", "coils2"): BOUND_IS_HELD, ("low_rank_sparse", "coils2"): BOUND_IS_HELD}


def public(module, library=STDLIB):
    with open(os.path.join(library, module + ".pm"), encoding="utf-8") as file:
        text = file.read()
    internal = re.search(r"^// Internal: ((?:.*\n(?=//))*.*\n)", text, re.M)
    hidden = set(re.findall(r"\w+", internal.group(1))) if internal else set()
    return [name for name in re.findall(r"^fn (\w+)", text, re.M) if name not in hidden]


def derivative(name, text, variable):
    v = VARIABLES[variable]
    back = f"b_{name}" if v.startswith("{") else f"b_{name} / unit_of(b_{name})"
    return f"""
fn of_{name}({variable}) = {text}
let (y_{name}, t_{name}) = jvp({variable} => of_{name}({variable}))({variable}, tangent = {v})
let w_{name} = cos(2 * y_{name} / unit_of(y_{name}) + 1)
let b_{name} = vjp({variable} => of_{name}({variable}))({variable}, cotangent = w_{name})[1]
let d_{name} = (of_{name}({variable} + step * {v}) - of_{name}({variable} - step * {v})) / (2 * step)
fn pure_{name}(u) = inner(w_{name}, u / unit_of(u))
print "{name} {{:.17g}} {{:.17g}} {{:.17g}} {{:.17g}}", pure_{name}(t_{name}), inner({back}, {v}), pure_{name}(d_{name}),
  sqrt(pure_{name}(w_{name} * unit_of(y_{name})) * inner(t_{name} / unit_of(t_{name}), t_{name} / unit_of(t_{name})))
"""


def build(options, label, text):
    path = os.path.join(options.out, label)
    with open(path + ".pm", "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run(shlex.split(options.pmc) + [path + ".pm", "-O0", "--precision=f64", "-o", path], check=True)
    return path


def header():
    return HEADER + "".join(PRELUDES[name] for name in CASES if name in PRELUDES)


def on_ranks(options, names):
    lines = [f"output {name}_{i} = {text}" for name in names for i, text in enumerate(CASES[name])]
    program = build(options, "ranks", header() + MESH + "\n".join(lines) + "\n")
    folders = []
    for mesh in ("row=1,col=1", options.mesh):
        folders.append(f"{program}.{mesh}")
        subprocess.run([program, "--quiet", "--format=npy", "--threads=1", "--transport=threads", "--mesh", mesh, "--out", folders[-1]], check=True)
    wrong, count = [], 0
    for path in sorted(glob.glob(os.path.join(folders[0], "*.npy"))):
        one, many = np.load(path), np.load(os.path.join(folders[1], os.path.basename(path)))
        count += 1
        error = np.max(np.abs(one - many)) / max(np.max(np.abs(one)), 1e-300)
        if not error < options.bound:
            wrong.append(f"{os.path.basename(path)}: the values of ranks differ by {error:.2g} of the largest")
    if count != len(lines):
        wrong.append(f"{count} outputs, expected {len(lines)}")
    print(f"{len(names)} functions, {count} expressions on ranks")
    return wrong


def of_derivatives(options, names):
    programs, lines, without = [], [], []
    for place, name in enumerate(names):
        chosen = [] if name in CONSTANT else [(i, text, variable) for i, text in enumerate(CASES[name]) for variable in VARIABLES
                  if re.search(rf"(?<![.\w]){variable}\b(?! *=[^=])", text) and (name, variable) not in OTHER]
        if not chosen and name not in CONSTANT:
            without.append(f"{name}: no expression with a derivative, expected one, or a reason in CONSTANT")
        lines += [derivative(f"{name}_{i}_{variable}", text, variable) for i, text, variable in chosen]
        # Several programs, because the compiler refuses one with so many operations.
        if len(lines) >= options.size or place + 1 == len(names):
            programs.append(build(options, f"derivatives_{place}", header() + "let step = 1e-5\n" + "".join(lines)))
            lines = []
    printed = "".join(
        subprocess.run([program, "--quiet", "--threads=1", "--out", program + ".out"], check=True, capture_output=True, text=True).stdout for program in programs)
    wrong, count, moving = without, 0, set()
    for name, *numbers in (line.split() for line in printed.splitlines()):
        forward, backward, difference, size = map(float, numbers)
        count += 1
        if size > 1e-9:
            moving.add(name.rsplit("_", 2)[0])
        if not abs(forward - backward) <= 1e-9 * max(size, 1e-2) or not abs(forward - difference) <= 1e-5 * max(size, 1e-2):
            wrong.append(f"{name}: jvp {forward:.10g}, vjp {backward:.10g}, difference {difference:.10g}, size {size:.3g}")
    wrong += [f"{name}: no derivative differs from 0" for name in names if name not in moving and name not in CONSTANT]
    print(f"{len(moving)} functions, {count} derivatives")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pmc", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--modules", required=True)
    parser.add_argument("--part", choices=("derivatives", "ranks"), required=True)
    parser.add_argument("--size", type=int, default=8, help="the least number of derivatives of a program")
    parser.add_argument("--only")
    parser.add_argument("--mesh", default="row=2,col=1")
    parser.add_argument("--bound", type=float, default=1e-9)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    names = [name for module in options.modules.split(",") for name in public(module) if options.only in (None, name)]
    wrong = (on_ranks if options.part == "ranks" else of_derivatives)(options, names)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
