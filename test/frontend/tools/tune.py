#!/usr/bin/env python3
"""Runs the commands of the README's section "Tuning a layout", and compares what tune says with what --explain says.

    tune.py PMC ROOT FOLDER"""
import json
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
assert len(commands) == 6, commands
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
told = {layout: float(time) for time, _, mesh, layout in rows if mesh == "row=4"}
slow, fast = told["z -> row"], told["x -> row"]
assert abs(slow / total(texts[0]) - 1) < 0.01, (slow, texts[0])

# Both layouts side by side: the sums are those of their own tables.
compared = re.search(r"([0-9.]+) -> ([0-9.]+)  together$", texts[2], re.MULTILINE).groups()
assert abs(float(compared[0]) / slow - 1) < 0.01 and abs(float(compared[1]) / fast - 1) < 0.01, texts[2]
# Times, bytes and seconds of the parts add up to those together, on both sides; messages, to the part of that name.
sums, where = texts[2].split("\nmessages\n")
number = r"([0-9.]+) -> ([0-9.]+)"
columns = rf"^ *{number} +{number} +{number}  "
parts = {row[-1]: [float(one) for one in row[:-1]] for row in re.findall(columns + r"([a-z ]+)$", sums, re.MULTILINE)}
together = parts.pop("together")
assert "messages" in parts and len(parts) > 2, sums
for i, whole in enumerate(together):
    assert abs(sum(row[i] for row in parts.values()) - whole) < 1e-3 * whole + 2e-3 * len(parts), (i, texts[2])
if "that stay as they are" not in where:
    listed = [[float(one) for one in row] for row in re.findall(columns, where, re.MULTILINE)]
    for i, whole in enumerate(parts["messages"]):
        assert abs(sum(row[i] for row in listed) - whole) < 1e-3 * whole + 2e-3 * len(listed), (i, texts[2])
memory = re.search(r"^memory ([0-9.]+) MiB -> ([0-9.]+) MiB$", texts[2], re.MULTILINE)
assert memory and float(memory[1]) > 0, texts[2]
assert "all to all" in texts[2], texts[2]
# The messages whose times change most come first.
pairs = re.findall(r"([0-9.]+) -> ([0-9.]+)  (?:[a-z]+ )+ ", texts[2].split("\nmessages\n")[1])
changes = [abs(float(after) - float(before)) for before, after in pairs]
assert len(set(changes)) > 2 and all(one >= other - 2e-3 for one, other in zip(changes, changes[1:])), texts[2]
assert fast < slow, "the chosen layout is not faster"
assert "--layout '%s'" % rows[0][3] in texts[1].split("the fastest, as flags:")[1], "the flags are not the winner's"

# What was measured is the profile's, but for files and planning; all places are there, with the line of the spec.
with open(os.path.join(folder, "trace.json"), encoding="utf-8") as file:
    other = json.load(file)["otherData"]
skipped = ("plan_fft", "output", "plot", "print", "input")
counted = 1e3 * sum(call["seconds"] for call in other["calls"] if call["name"] not in skipped)
parts = dict(re.findall(r"^(\w+) +\d+ +[0-9.]+ +([0-9.]+) +[0-9.-]+ *$", texts[5], re.MULTILINE))
assert abs(float(parts["together"]) - counted) < 1e-3 * counted + 2e-3, (parts, counted)
assert abs(sum(float(time) for part, time in parts.items() if part != "together") - counted) < 1e-3 * counted + 0.02, parts
for part in ("transforms", "paint", "readout", "kernels", "messages"):
    assert float(parts[part]) > 0, parts
assert re.search(r"^messages .*nbody\.pm:\d+:\d+", texts[5], re.MULTILINE), texts[5]
rest = float(re.search(r"^without model +([0-9.]+)", texts[5], re.MULTILINE)[1])
assert abs(rest + counted - 1e3 * other["run"]["timing"]["seconds"]) < 0.1, (rest, counted)
