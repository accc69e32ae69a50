"""Errors as exceptions with their places. argv: a spec."""
import os
import signal
import sys
import threading
import time

import numpy as np

import pmc

sim = pmc.compile(sys.argv[1], plan="estimate")
noise = np.ones((8, 8, 8), "f4")
sim.quiet = True


def refused(kind, **values):
    try:
        sim(**values)
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} expected")


for values in (dict(), dict(noise=noise, factor=0), dict(noise=noise, factor="x"), dict(noise=noise, steps=1.5),
               dict(noise=noise, seed=-1), dict(noise=noise, shift=[1]), dict(noise=noise, factr=1),
               dict(noise=noise[:4]), dict(noise=noise * 1j), dict(noise=noise * np.inf)):
    print(refused(pmc.InputError, **values))

error = refused(pmc.RunError, noise=noise, most=4.5, steps=30)
print(error)
print(os.path.basename(error.location), error.step, error.steps, len(error.notes))
assert error.code == "PM9101" and "[PM" not in error.message and str(error).endswith(" [PM9101]"), (error, error.code)
assert refused(pmc.InputError, noise=noise * np.inf).code == "PM9108"
assert pmc.RunError("text").code == ""
print("then", float(sim(noise=noise).after[0]))

# Common mistakes: each message says what to write.
def complaint(work):
    try:
        work()
    except (TypeError, pmc.InputError) as error:
        return str(error)
    raise AssertionError("an error expected")


result = sim(noise=noise)
habits = {
    "array": lambda: sim(noise), "number": lambda: result[0], "threads": lambda: sim(noise=noise, threads=2),
    "quiet": lambda: sim(noise=noise, quiet=True), "const": lambda: sim(noise=noise, n=16),
    "target": lambda: pmc.compile(sys.argv[1], target="cuda"), "dtype": lambda: pmc.compile(sys.argv[1], dtype="f8"),
    "of": lambda: sim(noise=noise, of=["after"]), "of a gradient": lambda: sim.vjp(noise=noise, of=["after"]),
    "of no output": lambda: sim.jvp(dict(noise=noise), noise=noise, of=["aftr"]),
    "misspelled": lambda: pmc.compile(sys.argv[1], layouts="x -> row"),
}
for name, work in habits.items():
    print(f"{name}: {complaint(work)}")
# A const may have the name of a flag.
assert pmc.compile("const target = 2\noutput b = 3 * target\n", target=4)().b == 12

try:
    pmc.compile("param a = 1\noutput b = c\n")
except pmc.SpecError as failure:
    found = failure.diagnostics[0]
    print(found.line, found.column, found.message, found.code)
    assert str(found).endswith(" [PM0201]"), found
try:
    pmc.compile(sys.argv[1], mesh=dict(column=2))
except pmc.InputError as failure:
    print(failure)

# A rank that fails ends the run of all ranks, and the next call works.
ranks = sim.ranks(mesh=dict(row=2))
try:
    ranks(noise=noise, most=4.5, steps=30)
except pmc.RunError as failure:
    print("ranks:", os.path.basename(failure.location), failure.step)
print("then", float(ranks(noise=noise).after[0]))

# A background job of a script ignores it.
signal.signal(signal.SIGINT, signal.default_int_handler)
# Ctrl-C ends a run soon, and the next call works.
for _ in range(2):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    try:
        sim(noise=noise, steps=10**9)
        raise AssertionError("not interrupted")
    except KeyboardInterrupt:
        late = time.monotonic() - begin - 0.3
        assert late < 2, late
print("interrupted, then", float(sim(noise=noise).after[0]))

# Progress, prints, and two threads at a time.
seen = []
sim.progress = lambda progress: seen.append((progress.step, progress.steps, progress.fraction))
sim.quiet = False
sim(noise=noise, steps=4)
assert seen[-1] == (4, 4, 1.0), seen
sim.quiet, sim.progress = True, False
results = {}
threads = [threading.Thread(target=lambda k=k: results.update({k: sim(noise=noise, factor=k + 1).scaled[0, 0, 0]}))
           for k in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print([float(results[k]) for k in range(4)])
