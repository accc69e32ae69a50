#!/usr/bin/env python3
"""Runs a spec by the interpreter.

    run.py --pmc PMC [--emit pm|grad] [--pmc-flag FLAG]... SPEC [--param=value]...

Prints what the program prints, and every output's name, shape and norm; with
--out FOLDER writes outputs as .npy files."""
import argparse
import os
import shlex
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from reference.machine import interpret  # pylint: disable=wrong-import-position


def global_view(pmc, spec, emit="pm", flags=(), precision="f64"):
    """The program's IR in generic syntax. `pmc` is a list: the command, and flags."""
    text = subprocess.run(list(pmc) + [spec, "--emit=" + emit, "--precision=" + precision, *flags, "-o", "-"], check=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True).stdout
    opt = os.path.join(os.path.dirname(pmc[0]), "pm-opt")
    return subprocess.run([opt, "--mlir-print-op-generic"], input=text, check=True, stdout=subprocess.PIPE, text=True).stdout


def given_of(flags):
    return dict((flag[2:].split("=", 1) + ["true"])[:2] for flag in flags)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pmc", required=True)
    parser.add_argument("--emit", default="pm", choices=["pm", "grad"])
    parser.add_argument("--pmc-flag", action="append", default=[])
    parser.add_argument("--out")
    parser.add_argument("spec")
    options, given = parser.parse_known_args()
    machine = interpret(global_view(shlex.split(options.pmc), options.spec, options.emit, options.pmc_flag), given_of(given))
    print("\n".join(machine.lines))
    for name, array in machine.outputs.items():
        print("%s %s %.15g" % (name, array.shape, np.sqrt((array**2).sum())))
        if options.out:
            os.makedirs(options.out, exist_ok=True)
            np.save(os.path.join(options.out, name.replace("/", ".") + ".npy"), array)


if __name__ == "__main__":
    main()
