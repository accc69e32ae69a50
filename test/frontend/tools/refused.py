"""Runs each command of FOLDER/commands in FOLDER: it must print the message in the line below it first, and exit with 1."""

import pathlib
import re
import shlex
import subprocess
import sys

compiler, folder = sys.argv[1], pathlib.Path(sys.argv[2])
lines = [line for line in (folder / "commands").read_text().splitlines() if line.strip()]
assert len(lines) % 2 == 0 and len(lines) >= 100, len(lines)
wrong = 0
for command, message in zip(lines[::2], lines[1::2]):
    done = subprocess.run([compiler, *shlex.split(command)], cwd=folder, capture_output=True, text=True)
    said = re.sub(r" \[PM10\d\d\]$", "", (done.stderr.splitlines() or [""])[0])
    if done.returncode != 1 or said != message.strip():
        print(f"pmc {command}\n  exit code {done.returncode}, expected 1\n  {said}\n  expected\n  {message.strip()}")
        wrong += 1
left = sorted(path.name for path in folder.iterdir() if path.suffix == "")
if left != ["commands"]:
    print(f"programs were made: {left}")
    wrong += 1
sys.exit(wrong > 0)
