#!/usr/bin/env python3
"""Runs a program on one rank and on meshes of ranks, and compares the outputs.

    on_meshes.py PROGRAM OUT TOLERANCE MESH... [options] [-- FLAG...]

MESH is AxB..., the extents of the program's mesh axes in their order; the first
one is what the others are compared with. Every output must have the same type
and shape, and differ by at most TOLERANCE times its largest element.

    --axes row,col    the names of the axes
    --mpi             under mpirun, not as threads of one process
    --exact NAME,...  outputs that must be equal to the last bit
    --periodic L,...  outputs (NAME=L) that are positions in a box of length L
"""
import argparse
import os
import shutil
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "reference"))
from compare import load


def run(options, mesh, flags):
    """The outputs of the program on a mesh, by name."""
    axes = options.axes.split(",")
    extents = mesh.split("x")
    out = os.path.join(options.out, mesh)
    shutil.rmtree(out, ignore_errors=True)
    ranks = int(np.prod([int(extent) for extent in extents]))
    command = [options.program, "--mesh", ",".join("%s=%s" % pair for pair in zip(axes, extents)),
               "--out", out, "--quiet", "--threads=1"] + flags
    if ranks > 1 and options.mpi:
        command = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", str(ranks)] + command
    elif ranks > 1:
        command += ["--transport=threads"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit("%s: exit code %d, expected 0: %s\n%s" % (mesh, done.returncode, " ".join(command), done.stdout))
    names = sorted(os.path.splitext(file)[0] for file in os.listdir(out) if file.endswith(".h5"))
    if not names:
        sys.exit("%s: no outputs, expected some in %s" % (mesh, out))
    return {name: load(out, name) for name in names}


def difference(one, other, box):
    """The largest difference in units of the largest element, or of the box."""
    delta = np.abs(other - one)
    if box:
        delta = np.minimum(delta, np.abs(box - delta))
    return delta.max(initial=0) / (box or np.abs(one).max(initial=0) or 1)


def main():
    arguments, flags = sys.argv[1:], []
    if "--" in arguments:
        split = arguments.index("--")
        arguments, flags = arguments[:split], arguments[split + 1:]
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("out")
    parser.add_argument("tolerance", type=float)
    parser.add_argument("meshes", nargs="+")
    parser.add_argument("--axes", default="row,col")
    parser.add_argument("--mpi", action="store_true")
    parser.add_argument("--exact", default="")
    parser.add_argument("--periodic", default="")
    options = parser.parse_args(arguments)
    exact = set(filter(None, options.exact.split(",")))
    boxes = {name: float(length) for name, length in
             (item.split("=") for item in filter(None, options.periodic.split(",")))}

    reference = run(options, options.meshes[0], flags)
    missing = (exact | set(boxes)) - set(reference)
    if missing:
        sys.exit("no output %s, expected one of %s" % (", ".join(missing), ", ".join(reference)))
    failed = False
    for mesh in options.meshes[1:]:
        outputs = run(options, mesh, flags)
        if set(outputs) != set(reference):
            sys.exit("%s: outputs %s, expected %s" % (mesh, sorted(outputs), sorted(reference)))
        worst, where = 0, "-"
        for name, one in reference.items():
            other = outputs[name]
            if one.shape != other.shape or one.dtype != other.dtype:
                sys.exit("%s: %s is %s of %s, expected %s of %s" %
                         (mesh, name, other.shape, other.dtype, one.shape, one.dtype))
            if not np.isfinite(other).all():
                sys.exit("%s: %s is not finite" % (mesh, name))
            error = difference(one, other, boxes.get(name))
            bound = 0 if name in exact else options.tolerance
            if error > bound:
                print("%s: %s differs by %.3g, expected at most %.3g" % (mesh, name, error, bound))
                failed = True
            if error > worst:
                worst, where = error, name
        print("%-6s largest difference %.2e (%s)" % (mesh, worst, where))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
