#!/usr/bin/env python3
"""Checks that library functions have comments and cases, and that examples have figures.

    complete.py --modules sampling,mri [--library FOLDER] [--examples FOLDER]

Each public function of a module requires a comment with a sentence, `Value:`, `Example:` and `Source:`. DEFINED lists the functions that have
no source, with the reason. Each public function also requires a case, so that library.py compares its values on ranks and its derivatives.
The README of an example with a spec requires a figure that exists. Each message names the file to edit."""
import argparse
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from reference.function_cases import CASES  # pylint: disable=wrong-import-position
from reference.library import public  # pylint: disable=wrong-import-position

ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..")
# Functions without a source, and why.
CONVENTION = "the head of the module defines it"
PLAIN = "the comment is the whole definition"
METHODS = "the methods have the sources"
DEFINED = {
    **{name: CONVENTION for name in "centred_fft centred_ifft centre_phase k_grid to_modes".split()},
    **{name: PLAIN for name in "measured k_noise translated uniform_mask with_bound denoising differences differences_adjoint nrmse psnr normal_like".split()},
    **{name: METHODS for name in "sample sample_chains sample_batch".split()}}


def comments(path):
    """A dictionary of the lines of the comment before each function, by its name."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    found = {}
    for place, line in enumerate(lines):
        name = re.match(r"fn (\w+)", line)
        if name:
            first = place
            while first > 0 and lines[first - 1].startswith("//"):
                first -= 1
            found[name.group(1)] = [text[2:].strip() for text in lines[first:place]]
    return found


def of_module(library, module):
    path = os.path.join(library, module + ".pm")
    shown = os.path.relpath(path, ROOT)
    described, wrong = comments(path), []
    for name in public(module, library):
        text = described[name]
        if not text or re.match(r"- |\w+:", text[0]):
            wrong.append(f"{shown}: {name}: the comment has no sentence, expected the formula or the meaning of the value")
        for what in ("Value", "Example"):
            if not any(line.startswith(what + ":") for line in text):
                wrong.append(f"{shown}: {name}: the comment has no line '{what}:', expected one")
        has_source = any(line.startswith("Source:") for line in text)
        if not has_source and name not in DEFINED:
            wrong.append(f"{shown}: {name}: the comment has no line 'Source:', expected one, or a reason in DEFINED of test/reference/complete.py")
        if has_source and name in DEFINED:
            wrong.append(f"test/reference/complete.py: {name}: the function has a source, remove it from DEFINED")
        if name not in CASES:
            wrong.append(f"test/reference/library_cases.py: {name} of {shown}: no case, expected one, which library.py runs on ranks and differentiates")
    return wrong


def of_examples(folder):
    wrong = []
    for name in sorted(os.listdir(folder)):
        inside = os.path.join(folder, name)
        if not os.path.isdir(inside) or not any(file.endswith(".pm") for file in os.listdir(inside)):
            continue
        shown = os.path.relpath(os.path.join(inside, "README.md"), ROOT)
        text = ""
        if os.path.exists(os.path.join(inside, "README.md")):
            with open(os.path.join(inside, "README.md"), encoding="utf-8") as file:
                text = file.read()
        figures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text)
        if not figures:
            wrong.append(f"{shown}: no figure, expected one of a result of the example: ![text](name.png)")
        wrong += [f"{shown}: {figure} does not exist; draw it with examples/pictures {name}" for figure in figures if not os.path.exists(os.path.join(inside, figure))]
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--modules", required=True)
    parser.add_argument("--library", default=os.path.join(ROOT, "frontend", "Stdlib"))
    parser.add_argument("--examples", default=os.path.join(ROOT, "examples"))
    options = parser.parse_args()
    modules = options.modules.split(",")
    wrong = [line for module in modules for line in of_module(options.library, module)] + of_examples(options.examples)
    names = [name for module in modules for name in public(module, options.library)]
    print("\n".join(wrong + [f"{len(names)} functions, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
