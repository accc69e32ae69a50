"""A signal lets a loop write its state and ends the program with exit code 75; resumed until it is done, the
result has the same bits. Signals come when there is a state, so that no time is guessed.

    suspend.py FOLDER PROGRAM...
"""

import os
import re
import signal
import subprocess
import sys
import time

import h5py

scratch, command = sys.argv[1], sys.argv[2:]


def start(out, *more):
    # Plans of transforms decide on bits, and other tests write to the usual cache at the same time.
    environment = {**os.environ, "XDG_CACHE_HOME": os.path.join(scratch, "plans")}
    return subprocess.Popen([*command, "--out", out, "--quiet", *more], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env=environment)


def state(folder):
    """The number of the newest state's iteration."""
    try:
        with open(os.path.join(folder, "s.ckpt"), encoding="utf-8") as file:
            return int(re.search(r"^state (\d+) ", file.read(), re.MULTILINE)[1])
    except FileNotFoundError:
        return 0


def bits(out):
    return h5py.File(os.path.join(out, "s.h5"))["s"][()].tobytes()


whole, stopped, folder = (os.path.join(scratch, name) for name in ("whole", "stopped", "states"))
process = start(whole)
text = process.communicate()[0]
assert process.returncode == 0, text
stops, before = 0, 0
while True:
    process = start(stopped, "--checkpoint=" + folder, "--checkpoint-every=0.01s", *(["--resume"] if before else []))
    while process.poll() is None and state(folder) <= before + 5:
        time.sleep(0.01)
    if process.poll() is None and stops < 2:
        process.send_signal([signal.SIGUSR1, signal.SIGTERM if "mpirun" not in command[0] else signal.SIGUSR1][stops])
    text = process.communicate()[0]
    if process.returncode == 0:
        break
    # mpirun has an exit code of its own where a rank's is not 0.
    assert process.returncode == 75, (process.returncode, text)
    after = state(folder)
    # Of how many, loops with a condition do not know.
    assert re.search(rf"stopped by a signal after iteration {after}( of|;)", text), (after, text)
    with open(os.path.join(stopped, "run.json"), encoding="utf-8") as file:
        assert '"status": "suspended"' in file.read()
    assert after > before, (after, before)
    before = after
    stops += 1
assert stops == 2, f"stopped {stops} times, expected 2"
assert bits(stopped) == bits(whole)
print(f"stopped {stops} times, the same bits")
