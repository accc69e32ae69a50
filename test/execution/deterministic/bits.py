#!/usr/bin/env python3
"""Runs a program on meshes of ranks, threads and transports, and requires the same
bits of all.

    bits.py PROGRAM OUT RUN... [options] [-- FLAG...]

RUN is AxB..[:THREADS[:TRANSPORT]], such as 2x3:2:tcp: the extents of the
program's mesh axes in their order, the threads of each rank (1) and threads, mpi
or tcp (threads). The first run is what the others are compared with: every
dataset of every output, and what is printed.

    --axes row,col    the names of the axes
    --differs         for what was compiled without --deterministic: requires some
                      run to have other bits
"""
import argparse
import glob
import os
import shutil
import subprocess
import sys

import h5py
import numpy as np


class Run:
    def __init__(self, options, text):
        mesh, threads, transport = (text.split(":") + ["1", "threads"][text.count(":"):])[:3]
        self.text, self.out = text, os.path.join(options.out, text.replace(":", "."))
        shutil.rmtree(self.out, ignore_errors=True)
        extents = mesh.split("x")
        ranks = int(np.prod([int(extent) for extent in extents]))
        command = [options.program, "--out", self.out, "--quiet", "--threads=" + threads, "--mesh",
                   ",".join("%s=%s" % pair for pair in zip(options.axes.split(","), extents))] + options.flags
        environment = [dict(os.environ)]
        if ranks > 1 and transport == "mpi":
            command = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", str(ranks)] + command
        elif ranks > 1 and transport == "tcp":
            command += ["--rendezvous=" + self.out + ".meet"]
            environment = [dict(os.environ, PMRT_RANK=str(rank), PMRT_RANKS=str(ranks)) for rank in range(ranks)]
        elif ranks > 1:
            command += ["--transport=threads"]
        started = [subprocess.Popen(command, env=one, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True) for one in environment]
        texts = [one.communicate()[0] for one in started]
        for one, said in zip(started, texts):
            if one.returncode:
                sys.exit("%s: exit code %d, expected 0: %s\n%s" % (text, one.returncode, " ".join(command), said))
        self.printed = "".join(line for said in texts for line in said.splitlines(True) if "warning" not in line)
        self.data = {}
        for path in sorted(glob.glob(os.path.join(self.out, "*.h5"))):
            name = os.path.basename(path)[:-3]
            with h5py.File(path, "r") as file:
                def note(item, what):
                    if isinstance(what, h5py.Dataset):
                        self.data[name + "/" + item] = what[()]
                file.visititems(note)
        if not self.data:
            sys.exit("%s: no outputs, expected some in %s" % (text, self.out))


def apart(one, other):
    """What is different, as a text; nothing if no bit is."""
    if one.dtype != other.dtype or one.shape != other.shape:
        return "%s %s instead of %s %s" % (other.dtype, other.shape, one.dtype, one.shape)
    a, b = np.ascontiguousarray(one).view(np.uint8), np.ascontiguousarray(other).view(np.uint8)
    if (a == b).all():
        return ""
    if one.dtype.names or one.dtype.kind not in "fc":
        return "other bits"
    width = one.dtype.itemsize
    elements = (a.reshape(-1, width) != b.reshape(-1, width)).any(1).sum()
    size = np.nanmax(np.abs(one))
    return "%d of %d elements, by up to %.1e of the largest" % (
        elements, one.size, np.nanmax(np.abs(one - other)) / size if size else np.inf)


def main():
    flags = []
    if "--" in sys.argv:
        at = sys.argv.index("--")
        flags = sys.argv[at + 1:]
        del sys.argv[at:]
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("out")
    parser.add_argument("runs", nargs="+")
    parser.add_argument("--axes", default="row,col")
    parser.add_argument("--differs", action="store_true")
    options = parser.parse_args()
    options.flags = flags
    os.makedirs(options.out, exist_ok=True)
    first, differences = None, 0
    for text in options.runs:
        run = Run(options, text)
        first = first or run
        found = ["%s: %s" % (name, why) for name in first.data
                 for why in [apart(first.data[name], run.data.get(name, np.zeros(0)))] if why]
        if run.printed != first.printed:
            found.append("prints %r, not %r" % (run.printed, first.printed))
        differences += len(found)
        if not options.differs:
            for line in found:
                print("%s: %s" % (text, line))
    if bool(differences) != options.differs:
        sys.exit("%d differences, expected %s" % (differences, "some" if options.differs else "none"))
    print("%s bits on %d meshes" % ("other" if options.differs else "the same", len(options.runs)))


if __name__ == "__main__":
    main()
