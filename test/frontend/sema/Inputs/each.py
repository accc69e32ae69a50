#!/usr/bin/env python3
"""Compiles each spec of a folder and looks for what its comments say: `line:column: error: text`, which is the only error, notes, and texts that
messages are `without`."""
import os
import re
import subprocess
import sys

pmc, folder = sys.argv[1:]
wrong = []
for name in sorted(os.listdir(folder)):
    path = os.path.join(folder, name)
    run = subprocess.run([pmc, "--emit=pm", path, "-o", os.devnull], capture_output=True, text=True)
    with open(path, encoding="utf-8") as file:
        wanted = re.findall(r"^// (.*)$", file.read(), re.MULTILINE)
    said = run.stderr
    for text in wanted:
        if text.startswith("without: "):
            good = text.removeprefix("without: ") not in said
        else:
            good = ("note: " if text.startswith("note") else name + ":") in said and text in said
        if not good:
            wrong.append(f"{name}: expected {text}\n{said}")
    if run.returncode != 1 or said.count(" error: ") != 1:
        wrong.append(f"{name}: exit code {run.returncode}, expected one error\n{said}")
sys.exit("\n".join(wrong) if wrong else 0)
