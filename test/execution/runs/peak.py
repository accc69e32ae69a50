"""peak.py PROGRAM FLAGS...: the peak of resident memory as --dry-run says, and as it was."""

import json
import os
import re
import subprocess
import sys

program, *flags = sys.argv[1:]
command = [program, "--out", program + ".out", "--threads=2", "--plot-format=none", *flags]
plan = subprocess.run([*command, "--dry-run"], check=True, capture_output=True, text=True).stdout
number, unit = re.search(r"^  ([0-9.]+) (\w+) at the peak", plan, re.M).groups()
predicted = float(number) * 1024 ** ["B", "KiB", "MiB", "GiB"].index(unit)
subprocess.run([*command, "--quiet"], check=True)  # with FFTW, the first run plans its transforms and needs more memory
subprocess.run([*command, "--quiet"], check=True)
with open(os.path.join(program + ".out", "run.json"), encoding="utf-8") as file:
    memory = json.load(file)["memory"]
measured = memory["peak_resident_bytes"]
print(f"{predicted / 2**20:.0f} MiB predicted, {measured / 2**20:.0f} MiB measured")
if abs(predicted - measured) > 0.1 * measured:
    sys.exit(f"that is {100 * (predicted / measured - 1):.0f} % apart: {memory}\n{plan}")
print("within a tenth")
