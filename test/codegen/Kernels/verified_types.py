"""Types that are accepted and refused, each in a text of its own: elements of spans, and values of the sizes of a schedule.

    verified_types.py PM-OPT FILE"""

import subprocess
import sys

tool, path = sys.argv[1:]


def error_of(text, *flags):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([tool, path, "-o", "/dev/null", *flags], capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr


NUMBERS = ("f32", "f64", "f16", "bf16", "i1", "i8", "i32", "i64", "complex<f32>", "complex<f64>", "!pmk.span<f32>", "!pmk.span<i64>")
OTHERS = ("index", "complex<i32>", "complex<i64>", "vector<4xf32>", "!llvm.ptr", "tensor<4xf32>", "none", "tuple<f32>")
SIZES = {"chunk": 64, "lattice": 8, "cells": 64, "block": 64, "group": 16, "access": 8, "particles": 64, "row": 8}
wrong = []
for element in NUMBERS + OTHERS:
    found = error_of(f"func.func private @element(!pmk.span<{element}>)\n")
    if bool(found) != (element in OTHERS) or (found and "a span has numbers or spans, not" not in found):
        wrong.append(f"a span of {element}: {found or 'no error'}")
for name, value in SIZES.items():
    for kind in ("i64", "i32", "i1", "index", "f64"):
        number = f"{float(value)} : f64" if kind == "f64" else f"{'true' if kind == 'i1' else f'{value} : {kind}'}"
        text = f'module attributes {{pm.target = {{kind = "cpu", paint = "auto", sizes = {{{name} = {number}}}}}}} {{}}\n'
        found = error_of(text, "--pm-lower-domains")
        is_right = kind == "i64"
        if bool(found) == is_right or (found and f"'{name}' must be an i64" not in found):
            wrong.append(f"size {name} = {number}: {found or 'no error'}")
print("\n".join(wrong) or f"{len(NUMBERS)} elements and {len(SIZES)} sizes of each type")
sys.exit(bool(wrong))
