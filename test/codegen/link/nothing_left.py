"""Asks for every kind of output at the place of a folder, and in a folder that is not there: nothing_left.py PMC SPEC."""

import os
import subprocess
import sys

compiler, spec = sys.argv[1:]
wrong = 0
for kind in ("exe", "lib", "obj", "asm", "llvm", "pm"):
    for output in ("out/taken", "out/missing/file"):
        done = subprocess.run([compiler, "--emit=" + kind, spec, "-o", output], capture_output=True, text=True)
        left = sorted(os.listdir("out")) + os.listdir("out/taken")
        if done.returncode == 0 or "cannot write" not in done.stderr or output not in done.stderr or left != ["taken"]:
            print(f"--emit={kind} -o {output}: exit code {done.returncode}, {left} in the folder\n{done.stderr}")
            wrong += 1
sys.exit(wrong > 0)
