"""Bytes of a file that are changed by chance: flipped.py PROGRAM FLAG FILE SCRATCH COUNT. A program that reads it ends with 0 or 1,
and does not allocate what only a damaged size asks for."""
import random
import resource
import subprocess
import sys

program, flag, file, scratch, count = sys.argv[1:]
whole = open(file, "rb").read()
random.seed(1)
refused = 0


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


for attempt in range(int(count)):
    damaged = bytearray(whole)
    # Structure is at the begin, and between the numbers.
    for _ in range(random.choice((1, 2, 5, 20))):
        damaged[random.randrange(len(damaged) if attempt % 2 else len(damaged) // 4)] = random.randrange(256)
    open(scratch, "wb").write(damaged)
    done = subprocess.run([program, "--dry-run", f"{flag}={scratch}"], capture_output=True, text=True, check=False, timeout=60, preexec_fn=limit_memory)
    assert done.returncode in (0, 1), (attempt, done.returncode, done.stderr)
    assert "bad_alloc" not in done.stderr and "memory" not in done.stderr, (attempt, done.stderr)
    refused += done.returncode
print(f"{refused} of {count} were refused")
assert refused > 0
