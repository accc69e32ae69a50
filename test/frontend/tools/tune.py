#!/usr/bin/env python3
"""Runs the commands of the README's section "Tuning a layout", and compares what tune says with what --explain says.

    tune.py PMC ROOT FOLDER"""
import os
import re
import shlex
import subprocess
import sys

pmc, root, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
    section = file.read().split("## Tuning a layout\n")[1].split("\n## ")[0]
commands = re.findall(r"^    (\S.*)$", section, re.MULTILINE)
assert len(commands) == 5, commands
texts = []
for command in commands:
    words = [os.path.join(root, word) if word.startswith("examples/") else word for word in shlex.split(command, comments=True)]
    if words[0] == "pmc":
        words[:1] = shlex.split(pmc)
    print(" ".join(words))
    texts.append(subprocess.run(words, check=True, cwd=folder, stdout=subprocess.PIPE, text=True).stdout)


def total(explained):
    """The time of the whole program, in ms."""
    number, unit = re.search(r"^together .* ([0-9.]+) (s|ms|us)$", explained, re.MULTILINE).groups()
    return float(number) * {"s": 1e3, "ms": 1, "us": 1e-3}[unit]


rows = re.findall(r"^ +([0-9.]+) +([0-9.]+) +[0-9.]+ +[0-9.]+  (\S+) +(.*)$", texts[1], re.MULTILINE)
assert len(rows) >= 10, texts[1]
times = [float(row[0]) for row in rows]
assert times == sorted(times), "the fastest comes first"
for explained, layout in [(texts[0], "z -> row"), (texts[2], "x -> row")]:
    told = [float(time) for time, _, mesh, text in rows if text == layout and mesh == "row=4"]
    print(layout, told, total(explained))
    assert len(told) == 1 and abs(told[0] / total(explained) - 1) < 0.01
slow, fast = total(texts[0]), total(texts[2])
assert fast < slow, "the layout that is chosen is no faster"
assert "--layout '%s'" % rows[0][3] in texts[1].split("the fastest, as flags:")[1], "the flags are not the winner's"
assert os.path.exists(os.path.join(folder, "trace.json"))
