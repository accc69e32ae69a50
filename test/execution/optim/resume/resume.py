"""A program killed at random moments and resumed ends in the same bits as one that is not.

    resume.py PROGRAM FOLDER STATE OUTPUT,... [FLAG...]
"""

import json
import os
import random
import signal
import subprocess
import sys
import time

import h5py
import numpy

program, scratch, state, flags = *sys.argv[1:4], sys.argv[5:]
outputs = sys.argv[4].split(",")


# Plans of transforms decide on bits, and other tests write to the usual cache at the same time.
OWN_CACHE = os.path.join(scratch, "plans")


def start(out, checkpoint, *more, cache=OWN_CACHE):
    return subprocess.Popen([program, "--out", out, "--checkpoint", checkpoint, "--quiet", *flags, *more],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env={**os.environ, "XDG_CACHE_HOME": cache})


def result(out):
    return {name: h5py.File(os.path.join(out, name + ".h5"))[name][()] for name in outputs}


def finish(process):
    text = process.communicate()[0]
    if process.returncode != 0:
        sys.exit(f"ended with {process.returncode}: {text}")


whole = os.path.join(scratch, "whole")
finish(start(whole, whole + ".ckpt"))  # plans its transforms, too
begin = time.time()
finish(start(whole, whole + ".ckpt"))
duration = time.time() - begin
kills = 0
random.seed(5)
stopped = os.path.join(scratch, "stopped")
more = []
for attempt in range(30):
    process = start(stopped, stopped + ".ckpt", *more)
    try:
        # Longer with every attempt, so that a slow machine gets there, too.
        process.wait(random.uniform(0.2, 0.6) * duration * (1 + 0.1 * attempt if kills else 1 / (1 + attempt)))
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
        # Killed before its first state, it begins anew.
        more = ["--resume"] if os.path.exists(os.path.join(stopped + ".ckpt", state + ".ckpt")) else []
        continue
    finish(process)
    if kills:
        break
else:
    sys.exit("never came to an end")
if not os.path.exists(os.path.join(stopped + ".ckpt", state + ".ckpt")):
    sys.exit("there is no checkpoint")
one, other = result(whole), result(stopped)
for name in one:
    if one[name].tobytes() != other[name].tobytes():
        sys.exit(f"{name} differs by up to {numpy.abs(one[name] - other[name]).max()} after {kills} kills")
left = sorted(os.listdir(stopped + ".ckpt"))
print(f"the same bits after {kills} kills; {len(left)} files left")

# So does one that goes on where FFTW's plans are not known: the state has them. ducc0 plans nothing.
with open(os.path.join(whole, "run.json")) as file:
    plans_are_measured = json.load(file)["versions"]["fft"].startswith("--plan")
nowhere = os.path.join(scratch, "cache")
process = start(stopped, stopped + ".ckpt", "--resume", cache=nowhere)
finish(process)
if result(stopped)[outputs[0]].tobytes() != one[outputs[0]].tobytes() or os.path.exists(nowhere):
    sys.exit("without wisdom, transforms were planned anew")

# With other plans or threads, FFTW would give other bits. ducc0 gives the same ones.
for flag, what in (("--plan=estimate", "--plan estimate --threads"), ("--threads=3", "--plan measure --threads 3")):
    process = start(stopped, stopped + ".ckpt", "--resume", flag)
    if not plans_are_measured:
        finish(process)
        if result(stopped)[outputs[0]].tobytes() != one[outputs[0]].tobytes():
            sys.exit(f"other bits with {flag}")
        continue
    text = process.communicate()[0]
    if "belongs to a different run: there 'transforms --plan measure --threads" not in text or f"here 'transforms {what}" not in text:
        sys.exit(f"expected a refusal with {flag}: {text}")

# Another run is told apart.
process = start(stopped, stopped + ".ckpt", "--resume", "--seed=9")
text = process.communicate()[0]
if process.returncode != 1 or "belongs to a different run" not in text:
    sys.exit(f"expected a refusal, not {process.returncode}: {text}")
