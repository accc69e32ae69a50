"""pmc run gives back how the program ended: an exit code, or 128 + the number of the signal that killed it. run_ends.py PMC FOLDER"""

import os
import signal
import subprocess
import sys
import time

pmc, folder = sys.argv[1:]
SPEC = """param turns = 0.0
param least = 0.0
assert least < 1, "too much"
print "begins"
let s = loop s = 0.0 while s < turns => s + 1
print "{}", s
"""


def child_of(process):
    """The program that runs for `pmc run`: its child that has another program than pmc."""
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
            children = file.read().split()
        for child in children:
            try:
                if os.readlink(f"/proc/{child}/exe") != os.readlink(f"/proc/{process.pid}/exe"):
                    return int(child)
            except FileNotFoundError:
                pass
        time.sleep(0.01)
    sys.exit(f"no program runs; pmc run has the exit code {process.poll()}")


path = os.path.join(folder, "ends.pm")
with open(path, "w", encoding="utf-8") as file:
    file.write(SPEC)
command = [pmc, "-O0", "run", path, "--", "--out", os.path.join(folder, "out")]
wrong = []
for flags, wanted in (([], 0), (["--least=2"], 1), (["--no-such-flag"], 1)):
    found = subprocess.run(command + flags, capture_output=True).returncode
    if found != wanted:
        wrong.append(f"{flags}: exit code {found}, expected {wanted}")
for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGINT):
    process = subprocess.Popen(command + ["--turns=1e300"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    # The program has begun, with its own handlers; a linker, which is another child, has ended.
    process.stdout.readline()
    os.kill(child_of(process), number)
    found = process.wait(60)
    if found != 128 + number:
        wrong.append(f"{number.name}: exit code {found}, expected {128 + number}")
print("\n".join(wrong) or "every end is handed on")
sys.exit(bool(wrong))
