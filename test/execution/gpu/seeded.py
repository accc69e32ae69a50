"""Kernels with seeded mistakes on the simulated GPU: seeded.py [--kernels NAME] [--gpu FLAG] FOLDER PMC SPEC

The kernels of the spec, as LLVM IR, get one mistake at a time: a barrier is dropped, a loop's bound or step is off, an
atomic addition is none. Each mistake must be found: by outputs that are not the reference interpreter's (test/reference) in one of
several orders of threads, or by the simulation's own checks of races and bounds. Kernels without a mistake must pass all of that. Prints which run found it.
--kernels: those alone whose name begins so, everywhere in them; --gpu: compiled with that flag.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from reference.machine import interpret  # pylint: disable=wrong-import-position
from reference.run import global_view  # pylint: disable=wrong-import-position

parser = argparse.ArgumentParser()
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--kernels")
parser.add_argument("--gpu", default=[], action="append")
parser.add_argument("command", nargs=argparse.REMAINDER)
options = parser.parse_args()
folder, pmc, spec = options.folder, options.command[:-1], options.command[-1]
# In this order, until one finds the mistake.
RUNS = ({}, {"FAKECUDA_RACES": "1"}, {"FAKECUDA_ORDER": "reverse"}, {"FAKECUDA_ORDER": "shuffle:1"})


def compile_spec(*flags):
    subprocess.run(pmc + [spec, *flags], check=True)


def outputs(program, environment):
    """The outputs of a run; None if it fails."""
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    done = subprocess.run([program, "--quiet", "--format=npy", f"--out={out}"], capture_output=True, timeout=100,
                          env={**os.environ, "FAKECUDA_PROCESSORS": "1", **environment})
    return {path.name: numpy.load(path) for path in out.glob("*.npy")} if done.returncode == 0 else None


def is_right(found):
    return found is not None and found.keys() == expected.keys() and all(
        numpy.abs(found[name] - array).max() <= 1e-5 * numpy.abs(array).max() for name, array in expected.items())


def build(functions, path):
    """A library of kernels, which the simulation takes instead of the program's."""
    text = path.with_suffix(".ll")
    text.write_text(frame + "\n".join(functions))
    subprocess.run(["clang-22", "-w", "-O0", "-fPIC", "-shared", "-fuse-ld=lld", "-nostdlib", text, "-o", path], check=True)
    return str(path)


def find_mistake(functions, name):
    """The run that finds a mistake in the kernels; None: they are right."""
    library = build(functions, folder / f"{name}.so")
    for run in RUNS:
        if not is_right(outputs(gpu, {"FAKECUDA_KERNELS": library, **run})):
            return " ".join(f"{key}={value}" for key, value in run.items()) or "outputs"
    return None


# A mistake: what it is, where it goes (the numbers of a pattern's occurrences), and what it writes there.
MISTAKES = (
    ("barrier dropped", r"  call void @fakecuda_barrier\(\)\n", lambda m: ""),
    ("bound one below", r"( = icmp slt i64 %\d+, )(\d+)(\n  br )", lambda m: f"{m[1]}{int(m[2]) - 1}{m[3]}"),
    ("bound one above", r"( = icmp slt i64 %\d+, )(\d+)(\n  br )", lambda m: f"{m[1]}{int(m[2]) + 1}{m[3]}"),
    ("step one too many", r"( = add i64 %\d+, )(128|256)(\n  br label )", lambda m: f"{m[1]}{int(m[2]) + 1}{m[3]}"),
    ("step one too few", r"( = add i64 %\d+, )(128|256)(\n  br label )", lambda m: f"{m[1]}{int(m[2]) - 1}{m[3]}"),
    ("stride of the grid twice", r"( = udiv i64 )(%\d+)(, )128(?=\n  br label )", lambda m: f"{m[1]}{m[2]}{m[3]}64"),
    ("stride of the grid half", r"( = udiv i64 )(%\d+)(, )128(?=\n  br label )", lambda m: f"{m[1]}{m[2]}{m[3]}256"),
    ("addition not atomic",
     r"  call void @fakecuda_access\(ptr (%\d+), i32 4, i32 2\)\n  (%\d+) = atomicrmw fadd ptr %\d+, float (%\d+) .*\n",
     lambda m: (f"  call void @fakecuda_access(ptr {m[1]}, i32 4, i32 0)\n  %before{m[2][1:]} = load float, ptr {m[1]}\n"
                f"  {m[2]} = fadd float %before{m[2][1:]}, {m[3]}\n"
                f"  call void @fakecuda_access(ptr {m[1]}, i32 4, i32 1)\n  store float {m[2]}, ptr {m[1]}\n")),
)

# The same of paints in tiles: a bound that leaves out a plane of them, a place beyond a tile's or a mesh's end.
MISTAKES_OF_TILES = (
    ("bound a plane below", r"( = icmp slt i64 %\d+, )(\d+)(\n  br )", lambda m: f"{m[1]}{int(m[2]) * 16 // 17}{m[3]}"),
    ("cell one above", r"( = icmp slt i32 %\d+, )([1-9]\d*)\n", lambda m: f"{m[1]}{int(m[2]) + 1}\n"),
)

# Every thread of this one has a row at most.
HARMLESS = {("stride of the grid twice", "kernel_sum_1")}

compile_spec("--target=cuda", "--emulate-gpu", *options.gpu, "-o", str(folder / "gpu"))
compile_spec("--target=cuda", "--emulate-gpu", *options.gpu, "-O0", "--emit=llvm", "-o", str(folder / "gpu.ll"))
gpu = str(folder / "gpu")
expected = {f"{name}.npy": array for name, array in interpret(global_view(pmc, spec), {}).outputs.items()}
assert expected, "the interpreter gives no outputs"

code = (folder / "gpu.ll").read_text()
kernels = [text for text in re.findall(r"^define .*?^}\n", code, re.M | re.S)
           if re.match(r"define [^@]*@(kernel_|pmc\.block\.)", text)]
frame = "\n".join(line for line in code.splitlines()
                  if re.match(r"target |attributes |declare .*@(fakecuda_|llvm\.)|@kernel_\w+\.sizes ", line)) + "\n"
found = find_mistake(kernels, "right")
assert not found, f"kernels without a mistake: {found}"

mistakes = MISTAKES + MISTAKES_OF_TILES if options.kernels else MISTAKES
missed, counts = [], {}
for what, pattern, replace in mistakes:
    for number, kernel in enumerate(kernels):
        name = re.search(r"@([\w.]+)", kernel)[1]
        if options.kernels and not name.startswith(options.kernels):
            continue
        places = list(re.finditer(pattern, kernel))
        if "barrier" not in what and not options.kernels:  # steps of the same tree, cells of the same particle: the first and the last
            places = places[:1] + places[1:][-1:]
        for place in places:
            seeded = kernel[:place.start()] + replace(place) + kernel[place.end():]
            found = find_mistake(kernels[:number] + [seeded] + kernels[number + 1:], "wrong")
            mistake = f"{what}, {name}, line {kernel[:place.start()].count(chr(10))}"
            print(f"{mistake}: {found or 'NOT FOUND'}", flush=True)
            counts[what] = counts.get(what, 0) + 1
            if (found is None) != ((what, name) in HARMLESS):
                missed.append(mistake)
if not options.kernels:
    missed += [f"{what}: no place for it" for what, _, _ in MISTAKES if what not in counts]
for line in missed:
    print("not as expected:", line)
print(f"{sum(counts.values())} mistakes of {len(counts)} kinds, {len(missed)} not as expected")
sys.exit(bool(missed))
