#!/usr/bin/env python3
"""Runs random programs with random layouts on random meshes of ranks, and
compares their outputs with one rank's, and those with the interpreter's
(test/reference).

    check.py --pmc PMC --out FOLDER --ops FILE.td... [--seeds A:B] [options]

Every number must be within --bound of one rank's, relative to the output's
largest element (or to SMALL, where all are smaller), and so must every number
that is printed; white noise must be equal to the last bit. Files have the same
structure. Every op that the .td files define must be drawn. Failures are shrunk,
and printed with their seed.
"""
import argparse
import multiprocessing
import os
import random
import shlex
import shutil
import subprocess
import sys
import zlib
from dataclasses import dataclass

import numpy as np

import generate

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "ranks"))
import opset
import same

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))
from reference.against import BOUND as BOUND_OF_INTERPRETER
from reference.against import difference
from reference.effects import Stopped
from reference.machine import interpret
from reference.run import given_of, global_view

# Sums are ordered in another way: a few thousand roundings of 1e-16 each in a
# sum, and at most a dozen steps that hand them on, each with a slope of order
# ten. A wrong cell or term differs by far more than this. Outputs
# that cancel to nothing are judged by the size of their terms, which are of
# order one; spectra, which carry 1/N, are down to 1/N² of that.
# Of thousands of programs, a few come to 3e-11: then --bound=1e-10.
# Lattices of random programs are small, and their particles would be read and painted in rows.
BLOCKS = ["--sizes=lattice=1,cells=64"]
BOUND = 1e-11
SMALL = 1e-4
# Twins are computed in different ways.
TWINS = 1e-10
# What f32 rounds more than f64; the most that an f32 program may be off, of the largest element; and its SMALL.
COARSER, COARSEST, COARSE_SMALL = 2.0 ** 29, 1e-2, 1e-2

CONFLICT = "splits two dims of"
NO_CELL = "some ranks would have no cells"


class Failure(Exception):
    """`kind` is what a shrunk program must still do."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


class Refused(Exception):
    """A layout or a mesh that this program cannot have."""


@dataclass
class Run:
    """A program's outputs by name (of pictures, None), what else is in their files,
    and the text that it printed."""
    outputs: dict
    structures: dict
    text: str


def call(command, limit=120):
    """Exit code, output, errors."""
    try:
        # mpirun would read a terminal's input, and be stopped in the background.
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        raise Failure("time", "no end after %d s, expected one: %s" % (limit, " ".join(command)))
    return done.returncode, done.stdout, done.stderr


def blocks(program):
    """The flags of every other program: particles in blocks of a few lattice sites."""
    return BLOCKS if zlib.crc32(program.text().encode()) % 2 else []


def compile_program(options, program, layout, folder, level="2"):
    source, binary = os.path.join(folder, "program.pm"), os.path.join(folder, "program")
    with open(source, "w", encoding="utf-8") as file:
        file.write(program.text())
    command = shlex.split(options.pmc) + [source, "--layout", layout, "--precision=" + program.precision, "-O", level, "--verify-each", "-o", binary]
    command += blocks(program)
    code, text, errors = call(command)
    text += errors
    if code == 1 and CONFLICT in text:
        raise Refused(text)
    if code:
        raise Failure("compile", "exit code %d of the compiler, expected 0:\n%s" % (code, text))
    return binary


def ops_drawn(options, layout, folder, first):
    """The ops of the program that was compiled last, after every pass; for the first
    layout also before them."""
    every = ""
    for flags in (["--emit=lowered", "--print-ir-after-all"],) + ((["--emit=pm"],) if first else ()):
        code, text, errors = call(shlex.split(options.pmc) + [os.path.join(folder, "program.pm"), "--layout", layout,
                                                              *flags, "-o", "-"])
        if code:
            raise Failure("emit", "exit code %d of %s, expected 0:\n%s" % (code, flags[0], errors))
        every += text + errors
    return opset.used(lambda stage: every)


def make_inputs(program, folder):
    flags = []
    for name, shape in program.inputs.items():
        numbers = np.random.default_rng(program.seed)
        if shape is None:
            path = os.path.join(folder, name + ".txt")
            np.savetxt(path, np.column_stack([np.linspace(-3, 3, 8), numbers.standard_normal(8)]))
        else:
            path = os.path.join(folder, name + ".npy")
            np.save(path, numbers.standard_normal(shape))
        flags.append("--%s=%s" % (name, path))
    return flags


def run(options, binary, mesh, mpi, flags, folder):
    """The program on a mesh."""
    out = os.path.join(folder, "out_%dx%d%s" % (*mesh, "_mpi" if mpi else ""))
    shutil.rmtree(out, ignore_errors=True)
    command = [binary, "--mesh", ",".join("%s=%d" % pair for pair in zip(generate.AXES, mesh)), "--out", out,
               "--threads=1", "--plan=estimate"] + flags
    ranks = mesh[0] * mesh[1]
    if mpi:
        command = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", str(ranks)] + command
    elif ranks > 1:
        command.append("--transport=threads")
    code, text, errors = call(command)
    if code == 1 and NO_CELL in errors:
        raise Refused(errors)
    if code:
        raise Failure("run", "exit code %d of the program on %dx%d ranks, expected 0: %s\n%s" %
                      (code, *mesh, " ".join(command), text + errors))
    return Run(*same.contents(out), text)


def allowed(program, bound, name=""):
    """A bound of f64 for an output of the program, or for what it prints."""
    return bound if program.precision == "f64" or name in program.precise else min(bound * COARSER, COARSEST)


def small(program, name=""):
    return SMALL if program.precision == "f64" or name in program.precise else COARSE_SMALL


def compare(program, mesh, one, many, bound, but=()):
    """Raises the first difference, but for some attributes of files."""
    where = "on %dx%d ranks: " % mesh
    if set(one.outputs) != set(many.outputs):
        raise Failure("names", where + "outputs %s, expected %s" % (sorted(many.outputs), sorted(one.outputs)))
    for name in sorted(one.outputs, key=lambda key: (len(key), key)):
        if one.outputs[name] is None:
            continue
        a, b = np.asarray(one.outputs[name]), np.asarray(many.outputs[name])
        changed = same.changed_structure(one.structures[name], many.structures[name], but)
        if changed:
            raise Failure("shape", where + "%s: %s" % (name, changed))
        if name in program.exact or a.dtype.kind in "iu":
            if a.tobytes() != b.tobytes():
                raise Failure("differs", where + "%s differs in %d bits, expected none" %
                              (name, sum(bin(x ^ y).count("1") for x, y in zip(a.tobytes(), b.tobytes()))))
            continue
        error = np.abs(b - a).max(initial=0) / max(np.abs(a).max(initial=0), small(program, name))
        most = allowed(program, bound, name)
        if not error <= most:
            raise Failure("differs", where + "%s differs by %.3g, expected at most %.3g" % (name, error, most))
    changed = same.text_difference(one.text, many.text, allowed(program, bound), small(program))
    if changed:
        raise Failure("text", where + changed)


def compare_with_interpreter(options, program, flags, folder, one):
    """What the global view says, op by op, which no layout changes."""
    run = Run(dict(one.outputs), one.structures, one.text)
    if options.mistake:
        perturb(program, run, options.mistake)
    compare_twins(program, run)
    view = global_view(shlex.split(options.pmc), os.path.join(folder, "program.pm"), precision=program.precision)
    try:
        machine = interpret(view, given_of(flags))
    except Stopped as stopped:
        raise Failure("interpreted", "ends well, expected the error: %s" % stopped) from stopped
    arrays = {name: array for name, array in run.outputs.items() if array is not None}
    changed = difference(machine, arrays, run.text, lambda name: allowed(program, BOUND_OF_INTERPRETER, name),
                         lambda name: small(program, name))
    for name in sorted(program.precise & set(arrays)):
        if not changed and np.asarray(arrays[name]).dtype != np.float64:
            changed = "%s is %s, expected float64" % (name, np.asarray(arrays[name]).dtype)
    if changed:
        raise Failure("interpreted", "not as interpreted: " + changed)


def compare_twins(program, one):
    """The columns of an output, which say the same in two ways."""
    for name in sorted(program.twins & set(one.outputs)):
        a, b = np.moveaxis(np.asarray(one.outputs[name]), -1, 0)
        error = np.abs(b - a).max(initial=0) / max(np.abs(a).max(initial=0), np.abs(b).max(initial=0), small(program))
        most = allowed(program, TWINS)
        if not error <= most:
            raise Failure("twins", "the columns of %s differ by %.3g, expected at most %.3g:\n%s\n%s" % (name, error, most, a, b))


def perturb(program, run, what):
    """What a wrong program does, to see that it is found: the last bit of white
    noise, the printed text, or another number by a part of the largest."""
    if what == "text":
        run.text = same.NUMBER.sub(lambda found: repr(float(found.group()) * (1 + 1e-9)), run.text)
        return
    arrays = {name: array for name, array in run.outputs.items()
              if array is not None and array.size and array.dtype.kind == "f" and (name in program.exact) == (what == "bit")}
    if arrays:
        array = run.outputs[max(arrays)] = np.array(arrays[max(arrays)])
        middle = np.unravel_index(array.size // 2, array.shape)
        array[middle] = (np.nextafter(array[middle], np.inf) if what == "bit" else
                         array[middle] + float(what) * max(np.abs(array).max(), SMALL))


def one_case(options, program, layout, mesh, mpi, folder, level):
    """The program on a mesh against one rank; for a shrunk one, everything anew."""
    flags = program.flags + make_inputs(program, folder)
    binary = compile_program(options, program, layout, folder, level)
    one = run(options, binary, (1, 1), False, flags, folder)
    if mesh == (1, 1):
        compare_with_interpreter(options, program, flags, folder, one)
    else:
        compare_runs(options, program, binary, mesh, mpi, flags, folder, one)


def compare_runs(options, program, binary, mesh, mpi, flags, folder, one):
    many = run(options, binary, mesh, mpi, flags, folder)
    if options.perturb:
        perturb(program, many, options.perturb)
    compare(program, mesh, one, many, options.bound)


def shrink(options, program, kind, layout, mesh, mpi, folder, level):
    """Drops statements, the last first, as long as the program fails so."""
    changed = True
    while changed:
        changed = False
        for index in reversed(range(len(program.statements))):
            if index >= len(program.statements):
                continue
            smaller = program.without(index)
            try:
                one_case(options, smaller, layout, mesh, mpi, folder, level)
            except Failure as failure:
                if failure.kind == kind:
                    program, changed = smaller, True
            except Refused:
                pass
    return program


def report(options, program, layout, mesh, mpi, folder, level, failure):
    small = shrink(options, program, failure.kind, layout, mesh, mpi, folder, level) if options.shrink else program
    text = "seed %d, layout '%s', mesh %dx%d%s: %s\n" % (program.seed, layout, *mesh, " with mpirun" if mpi else "", failure)
    text += "compiled with --precision=%s -O%s, " % (program.precision, level)
    text += "shrunk from %d to %d statements, run with: %s\n" % (
        len(program.statements), len(small.statements),
        " ".join(small.flags + ["--%s=FILE(%s)" % item for item in small.inputs.items()]) or "no flags")
    return text + small.text()


def check_seed(job):
    """One seed: failures, ops drawn, and counts of cases and refusals."""
    options, seed = job
    program, draws = generate.generate(seed, options.rules.split(",") if options.rules else generate.Generator.RULES), random.Random("meshes of %d" % seed)
    levels = options.levels.split(",")
    level = levels[seed // 7 % len(levels)]  # of all layouts: files tell what they were compiled with
    folder = os.path.join(options.out, str(seed))
    os.makedirs(folder, exist_ok=True)
    failures, ops, counts = [], set(), {"cases": 0, "layouts": 0, "refused": 0, "too small": 0}
    reference = None
    while counts["layouts"] - counts["refused"] < options.layouts and counts["refused"] < 20:
        layout, mesh, mpi = generate.layout(program, draws), (1, 1), False
        counts["layouts"] += 1
        try:
            binary = compile_program(options, program, layout, folder, level)
            if options.ops:
                ops |= ops_drawn(options, layout, folder, not reference)
            flags = program.flags + make_inputs(program, folder)
            one = run(options, binary, mesh, mpi, flags, folder)
            if reference:  # another layout's program, on one rank
                compare(program, mesh, reference, one, options.bound, but=("source_hash",))
            else:
                compare_with_interpreter(options, program, flags, folder, one)
            reference = reference or one
        except Refused:
            counts["refused"] += 1
            continue
        except Failure as failure:
            failures.append(report(options, program, layout, mesh, mpi, folder, level, failure))
            break
        done, tried = 0, 0
        while done < options.meshes and tried < 20:
            mesh, mpi, tried = generate.mesh(program, layout, draws), False, tried + 1
            try:
                compare_runs(options, program, binary, mesh, mpi, flags, folder, one)
                done += 1
                if options.mpi and done == 1 and seed % 8 == 0:
                    mpi = True
                    compare_runs(options, program, binary, mesh, mpi, flags, folder, one)
            except Refused:
                counts["too small"] += 1
            except Failure as failure:
                failures.append(report(options, program, layout, mesh, mpi, folder, level, failure))
                break
        counts["cases"] += done
        if failures:
            break
    shutil.rmtree(folder, ignore_errors=True)
    return failures, ops, counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pmc", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--ops", nargs="+", default=[], help="files that define ops, all of which must be drawn")
    parser.add_argument("--seeds", default="0:40")
    parser.add_argument("--rules", metavar="NAME,...", help="these alone")
    parser.add_argument("--layouts", type=int, default=2)
    parser.add_argument("--meshes", type=int, default=2)
    parser.add_argument("--levels", default="2", help="of optimization, of one program after the other")
    parser.add_argument("--bound", type=float, default=BOUND)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--mpi", action="store_true", help="every eighth program also under mpirun")
    parser.add_argument("--no-shrink", dest="shrink", action="store_false")
    parser.add_argument("--perturb", metavar="SIZE|bit|text", help="make an output of every mesh wrong, to see it found")
    parser.add_argument("--mistake", metavar="SIZE|text", help="the same of one rank's, for the interpreter to find")
    options = parser.parse_args()
    first, last = map(int, options.seeds.split(":"))

    failures, ops, counts = [], set(), {}
    with multiprocessing.Pool(options.jobs) as pool:
        for failed, drawn, counted in pool.imap_unordered(check_seed, [(options, s) for s in range(first, last)]):
            for text in failed:
                print(text, flush=True)
            failures += failed
            ops |= drawn
            counts = {key: counts.get(key, 0) + value for key, value in counted.items()}
    print("%(cases)d cases of %(layouts)d layouts, %(refused)d of them refused; %(too small)d meshes too large" % counts)
    missing = sorted(opset.defined(options.ops) - ops) if options.ops else []
    if missing:
        print("never drawn: %s; expected every op in %s" % (", ".join(missing), ", ".join(options.ops)))
    if counts["refused"] * 4 > counts["layouts"]:
        print("%d of %d layouts refused, expected at most a quarter" % (counts["refused"], counts["layouts"]))
        failures.append("layouts")
    return 1 if failures or missing else 0


if __name__ == "__main__":
    sys.exit(main())
