"""same_bits.py PROGRAM THREADS RUNS: what it paints has the bits of one thread in each of so many runs on more."""

import subprocess
import sys


def painted(program, threads):
    subprocess.run([program, "--quiet", f"--threads={threads}", "--format=npy", f"--out={program}.out"], check=True)
    with open(f"{program}.out/painted.npy", "rb") as file:
        return file.read()


program, threads, runs = sys.argv[1], *map(int, sys.argv[2:])
expected = painted(program, 1)
differing = sum(painted(program, threads) != expected for _ in range(runs))
print(f"{differing} of {runs} runs differ")
sys.exit(differing > 0)
