"""Wrong inputs of a compiled N-body program: a clear message, the right exit code, no half-written file.

usage: simulation.py PROGRAM SCRATCH (compiled with n = 16)"""
import os
import shutil
import signal
import subprocess
import sys
import time

import numpy as np

program, scratch = sys.argv[1:]
shutil.rmtree(scratch, ignore_errors=True)
os.makedirs(scratch)
failures = 0


def path(name):
    return os.path.join(scratch, name)


def files(folder):
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def check(what, holds, result):
    global failures
    if not holds:
        failures += 1
        print(f"not ok: {what}\n  exit {result.returncode}\n  {result.stderr.strip()}")
    else:
        print(f"ok: {what}")


def run(what, code, texts, *flags, out="out", expect_files=None):
    shutil.rmtree(path("out"), ignore_errors=True)
    result = subprocess.run([program, "--out", path(out), *flags], capture_output=True, text=True,
                            timeout=300, stdin=subprocess.DEVNULL)
    said = result.stdout + result.stderr
    holds = result.returncode == code and all(text in said for text in texts)
    left = files(path(out))
    if code != 0:
        # run.json records how the run ended; nothing else may be there.
        holds = holds and not [f for f in left if f != "run.json"]
    if expect_files is not None:
        holds = holds and set(expect_files) <= set(left)
    check(what + ("" if holds else f" (files {left})"), holds, result)


good = np.random.default_rng(1).normal(size=(16, 16, 16)).astype(np.float32) * 0.1
np.save(path("good.npy"), good)
np.save(path("shape.npy"), good[:, :, :15].copy())
np.save(path("text.npy"), np.array(["a"]))
bad = good.copy()
bad[3, 4, 5] = np.nan
np.save(path("nan.npy"), bad)
open(path("junk.npy"), "wb").write(b"no array at all")
np.savetxt(path("pk.txt"), [[0.1, 1.0], [0.05, 2.0]])

run("a good run", 0, [], "--box=100", "--steps=1", "--delta_lin", path("good.npy"),
    expect_files=["density.h5", "power.h5", "plot1.png", "run.json"])
run("a missing input", 1, ["--delta_lin", "missing.npy", "No such file"], "--delta_lin", path("missing.npy"))
run("a wrong shape", 1, ["--delta_lin", "16x16x15", "16x16x16"], "--delta_lin", path("shape.npy"))
run("a wrong type", 1, ["--delta_lin", "text.npy"], "--delta_lin", path("text.npy"))
run("no array", 1, ["--delta_lin", "junk.npy"], "--delta_lin", path("junk.npy"))
run("NaN in an input", 1, ["--delta_lin", "[3, 4, 5]", "nan"], "--delta_lin", path("nan.npy"))
run("a table that does not increase", 1, ["--pk"], "--pk", path("pk.txt"))
run("a negative box", 1, ["--box", "-5", "above 0"], "--box=-5")
run("a value out of range", 1, ["--steps", "at least 1"], "--steps=0")
run("no number", 1, ["--box", "large"], "--box=large")
run("an unknown flag", 1, ["--sigma9", "did you mean", "--sigma8"], "--sigma9=0.8")
run("parameters that contradict each other", 1, ["nbody.pm:", "a_start = 0.9 is not before a_end = 0.5"],
    "--a_start=0.9", "--a_end=0.5")
open(path("file"), "w").close()
run("an output folder that is a file", 1, ["file"], out="file")
run("an output folder in a file", 1, ["file"], out="file/out")
# Momenta beyond what floats hold.
run("a simulation that turns non-finite", 2, ["nbody.pm:", "not finite", "in step"], "--box=1e-20", "--sigma8=9",
    "--steps=4")

# A small file system fills up.
full = path("full")
os.mkdir(full)
mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", full], capture_output=True).returncode == 0
if mounted:
    try:
        run("a full disk", 1, ["--out: ", "for the outputs, but the disk has"], "--box=100", "--steps=1", out="full/out")
    finally:
        subprocess.run(["umount", full], check=True)
else:
    print("skipped: a full disk (mounting a tmpfs is not allowed here)")

# Ctrl-C in the middle of a long run. (Background jobs inherit that it is ignored, and so would the program.)
process = subprocess.Popen([program, "--out", path("interrupted"), "--steps=1000000"], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(1.5)
process.send_signal(signal.SIGINT)
out, err = process.communicate(timeout=60)
result = subprocess.CompletedProcess([], process.returncode, out, err)
check("Ctrl-C", process.returncode == 130 and "interrupted" in (out + err).lower() and
      set(files(path("interrupted"))) <= {"run.json"}, result)
sys.exit(failures != 0)
