#!/usr/bin/env python3
"""Runs a program on one rank and on meshes of ranks, and compares the outputs.

    on_meshes.py PROGRAM OUT TOLERANCE MESH... [options] [-- FLAG...]

MESH is AxB..., the extents of the program's mesh axes in their order; the first
one is what the others are compared with. Every file must have the same datasets,
types, shapes and attributes, and every output differ by at most TOLERANCE times
its largest element; so must printed numbers, times the larger of them and 1.

    --axes row,col    the names of the axes
    --mpi             under mpirun, not as threads of one process
    --exact NAME,...  outputs whose files must be equal to the last bit, and
                      pictures (NAME.png)
    --bound NAME=B,...  other tolerances than the first
    --periodic L,...  outputs (NAME=L) that are positions in a box of length L
"""
import argparse
import filecmp
import os
import shutil
import subprocess
import sys

import numpy as np

import same


def run(options, mesh, flags):
    """The outputs of the program on a mesh, by name, their folder, and the text
    that it prints."""
    axes = options.axes.split(",")
    extents = mesh.split("x")
    out = os.path.join(options.out, mesh + (".mpi" if options.mpi else ""))
    shutil.rmtree(out, ignore_errors=True)
    ranks = int(np.prod([int(extent) for extent in extents]))
    command = [options.program, "--plan=estimate", "--mesh", ",".join("%s=%s" % pair for pair in zip(axes, extents)),
               "--out", out, "--quiet", "--threads=1"] + flags
    if ranks > 1 and options.mpi:
        command = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", str(ranks)] + command
    elif ranks > 1:
        command += ["--transport=threads"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit("%s: exit code %d, expected 0: %s\n%s" % (mesh, done.returncode, " ".join(command),
                                                          done.stdout + done.stderr))
    outputs = same.outputs(out)
    if not outputs:
        sys.exit("%s: no outputs, expected some in %s" % (mesh, out))
    return outputs, out, done.stdout


def difference(one, other, box):
    """The largest difference in units of the largest element, or of the box."""
    delta = np.abs(other - one)
    if box:
        delta = np.minimum(delta, np.abs(box - delta))
    return delta.max(initial=0) / (box or np.abs(one).max(initial=0) or 1)


def numbers(text):
    """NAME=NUMBER,... by name."""
    return {name: float(number) for name, number in (item.split("=") for item in filter(None, text.split(",")))}


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
    parser.add_argument("--bound", default="")
    parser.add_argument("--periodic", default="")
    options = parser.parse_args(arguments)
    exact = set(filter(None, options.exact.split(",")))
    boxes, bounds = numbers(options.periodic), numbers(options.bound)

    reference, folder, text = run(options, options.meshes[0], flags)
    missing = (exact | set(boxes) | set(bounds)) - set(reference)
    if missing:
        sys.exit("no output %s, expected one of %s" % (", ".join(missing), ", ".join(reference)))
    failed = False
    for mesh in options.meshes[1:]:
        outputs, other_folder, other_text = run(options, mesh, flags)
        if set(outputs) != set(reference):
            sys.exit("%s: outputs %s, expected %s" % (mesh, sorted(outputs), sorted(reference)))
        wrong, worst, where = [], 0, "-"
        for name, one in reference.items():
            file = name if one is None else name + ".h5"
            paths = [os.path.join(place, file) for place in (folder, other_folder)]
            if name in exact and not filecmp.cmp(*paths, shallow=False):
                wrong.append("%s differs, expected the same bytes" % file)
            if one is None:
                continue
            changed = same.structure_difference(*paths)
            if changed:
                wrong.append("%s: %s" % (file, changed))
                continue
            other = outputs[name]
            if not np.isfinite(other).all():
                wrong.append("%s is not finite" % name)
                continue
            error = difference(one, other, boxes.get(name))
            bound = bounds.get(name, options.tolerance)
            if error > bound:
                wrong.append("%s differs by %.3g, expected at most %.3g" % (name, error, bound))
            if error > worst:
                worst, where = error, name
        wrong.append(same.text_difference(text, other_text, options.tolerance, 1))
        for line in filter(None, wrong):
            print("%s: %s" % (mesh, line))
            failed = True
        print("%-6s largest difference %.2e (%s)" % (mesh, worst, where), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
