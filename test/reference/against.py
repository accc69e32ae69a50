#!/usr/bin/env python3
"""Compares a compiled program on one rank with the interpreter.

    against.py --pmc PMC --out FOLDER [--emit pm|grad] [-D name=value]... SPEC [--param=value]...

Every number that it writes or prints must be within BOUND of the interpreter's,
relative to the output's largest element (or to SMALL, where all are smaller).
Prints the first difference of each spec, and fails if there is one."""
import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from reference.effects import Stopped  # pylint: disable=wrong-import-position
from reference.machine import interpret  # pylint: disable=wrong-import-position
from reference.run import given_of, global_view  # pylint: disable=wrong-import-position

# The compiled program rounds in another order, and its transforms and windows are
# computed in quite another way. A wrong cell or term differs by far more.
BOUND = 1e-9
SMALL = 1e-4
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\binf\b|\bnan\b)")


def outputs(folder):
    """What a program has written, by name, without pictures."""
    found = {}
    for file in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        if file.endswith(".h5"):
            with h5py.File(os.path.join(folder, file), "r") as data:
                whole = data[file[:-3]]
                if isinstance(whole, h5py.Dataset):
                    found[file[:-3]] = np.asarray(whole)
                else:  # of a record
                    whole.visititems(lambda path, part, name=file[:-3]: found.update({name + "/" + path: np.asarray(part)})
                                     if isinstance(part, h5py.Dataset) else None)
    return found


def text_difference(expected, printed, bound=BOUND, small=SMALL):
    if NUMBER.sub("#", expected) != NUMBER.sub("#", printed):
        return "prints %r, expected %r" % (printed, expected)
    for a, b in zip(NUMBER.findall(expected), NUMBER.findall(printed)):
        if a.strip("+-").isdigit() and b.strip("+-").isdigit():  # integers, perhaps beyond 2^53
            if int(a) != int(b):
                return "prints %s, expected %s" % (b, a)
            continue
        last = 10.0 ** (int(b.lower().partition("e")[2] or 0) - len(b.lower().partition("e")[0].partition(".")[2]))
        x, y = float(a), float(b)
        if not (a == b or abs(x - y) <= bound * max(abs(x), small) + 1.01 * last * ("." in b)):
            return "prints %s, expected %s" % (b, a)
    return ""


def difference(machine, found, text, bound=BOUND, small=SMALL):
    """The first difference of outputs and text from the interpreter's, or nothing. `bound` and `small`: numbers, or
    functions of an output's name, and of "" for the text."""
    bound_of = bound if callable(bound) else lambda name: bound
    small_of = small if callable(small) else lambda name: small
    expected = machine.outputs
    if set(found) != set(expected):
        return "outputs %s, expected %s" % (sorted(found), sorted(expected))
    for name in sorted(expected, key=lambda key: (len(key), key)):
        a, b = np.asarray(expected[name]), np.asarray(found[name])
        if a.shape != b.shape:
            return "%s has the shape %s, expected %s" % (name, b.shape, a.shape)
        if a.dtype.kind in "iu":
            if a.dtype != b.dtype or not np.array_equal(a, b):
                return "%s is %s of %s, expected %s of %s" % (name, b, b.dtype, a, a.dtype)
            continue
        error = np.abs(b - a).max(initial=0) / max(np.abs(a).max(initial=0), small_of(name))
        if not error <= bound_of(name):
            place = np.unravel_index(np.argmax(np.abs(b - a)), a.shape)
            return "%s differs by %.3g, expected at most %.3g; at %s it is %.15g, expected %.15g" % (
                name, error, bound_of(name), list(map(int, place)), b[place], a[place])
    return text_difference("".join(line + "\n" for line in machine.lines), text,
                           bound_of("") if callable(bound) else BOUND, small_of(""))


def against(pmc, spec, flags, folder, emit="pm", constants=(), bound=BOUND):
    """The first difference of a compiled spec from the interpreter, or nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    binary, out = os.path.join(folder, "program"), os.path.join(folder, "out")
    subprocess.run([*pmc, spec, "--precision=f64", *constants, "-o", binary], check=True, stdin=subprocess.DEVNULL)
    done = subprocess.run([binary, "--out", out, "--threads=1", *flags], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    try:
        machine = interpret(global_view(pmc, spec, emit, constants), given_of(flags))
    except Stopped as stopped:
        return "" if done.returncode else "the program ends well, expected the error: %s" % stopped
    if done.returncode:
        return "exit code %d, expected 0: %s" % (done.returncode, done.stderr)
    return difference(machine, outputs(out), done.stdout, bound)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pmc", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--emit", default="pm", choices=["pm", "grad"])
    parser.add_argument("--bound", type=float, default=BOUND)
    parser.add_argument("-D", action="append", default=[])
    parser.add_argument("spec")
    options, flags = parser.parse_known_args()
    constants = [item for constant in options.D for item in ("-D", constant)]
    found = against(shlex.split(options.pmc), options.spec, flags, options.out, options.emit, constants, options.bound)
    if found:
        print("%s: %s" % (options.spec, found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
