"""Changes one line of a machine file at a time: limits.py PMC FILE COPY."""

import re
import subprocess
import sys

compiler, path, copy = sys.argv[1:]
original = open(path, encoding="utf-8").read() + """
[kernels]
sizes_mb = [1, 2]
readout_gcells = [1, 1]
paint_gcells = [1, 1]
reach_gpositions = [1, 1]
gfunctions = [1, 1]
glookups = [1, 1]
"""
# The line's key, its new value, and the message or "".
CASES = [
    ("ranks_per_node", "1", ""), ("ranks_per_node", "0", "'ranks_per_node' requires a whole number above 0"),
    ("ranks_per_node", "1.5", "'ranks_per_node' requires a whole number above 0"),
    ("memory_gbs", "1e-30", ""), ("memory_gbs", "0.9e-30", "must be between 1e-30 and 1e30"), ("memory_gbs", "1e30", ""),
    ("memory_gbs", "1.1e30", "must be between 1e-30 and 1e30"), ("memory_gbs", "0", "must be above 0"), ("memory_gbs", "-1", "is negative"),
    ("memory_gbs", "inf", "requires a number"), ("memory_gbs", "nan", "requires a number"), ("memory_gbs", '"1"', "requires a number"),
    ("launch_us", "0", ""), ("launch_us", "-1", "is negative"), ("latency_us", "0", ""), ("latency_us", "-1", "is negative"),
    ("transpose_passes", "0", ""),
    ("sizes_mb", "[1, 2]", ""), ("sizes_mb", "[1, 1]", "requires growing numbers"), ("sizes_mb", "[2, 1]", "requires growing numbers"),
    ("sizes_mb", "[1]", "requires a number for each of"), ("sizes_mb", "[1, 2, 3]", "requires a number for each of"),
    ("sizes_mb", "[]", "requires a list of numbers"), ("sizes_mb", "3", "requires a list of numbers"),
    ("lengths", "[64, 128, 256, 512, 1024, 2048]", ""), ("lengths", "[64, 64, 256, 512, 1024, 2048]", "requires growing whole numbers"),
    ("lengths", "[64, 128.5, 256, 512, 1024, 2048]", "requires growing whole numbers"), ("lengths", "[64]", "requires a number for each of"),
    ("gfunctions", "[1, 0]", "must be above 0"), ("gfunctions", "[1]", "requires a number for each of"),
]
wrong = 0
for key, value, message in CASES:
    changed, count = re.subn(rf"^{key} = .*$", f"{key} = {value}", original, count=1, flags=re.MULTILINE)
    assert count == 1, key
    open(copy, "w", encoding="utf-8").write(changed)
    done = subprocess.run([compiler, "machine", "predict", "--machine", copy, "--fft", "8x8x8", "--mesh", "1x1"], capture_output=True, text=True)
    good = message in done.stderr and key in done.stderr if message else True
    if bool(done.returncode) != bool(message) or not good:
        print(f"{key} = {value}: exit code {done.returncode}, expected {message or 'no error'}\n{done.stderr}")
        wrong += 1
for overlap, refused in (("0", False), ("1", False), ("1.0001", True), ("1.5", True)):
    changed = original.replace("[transports.threads.inside]", f"[transports.threads]\noverlap = {overlap}\n[transports.threads.inside]")
    open(copy, "w", encoding="utf-8").write(changed)
    done = subprocess.run([compiler, "machine", "predict", "--machine", copy, "--fft", "8x8x8", "--mesh", "1x1"], capture_output=True, text=True)
    if bool(done.returncode) != refused or refused and "is a share, at most 1" not in done.stderr:
        print(f"overlap = {overlap}: exit code {done.returncode}\n{done.stderr}")
        wrong += 1
sys.exit(wrong > 0)
