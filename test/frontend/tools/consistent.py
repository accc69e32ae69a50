"""Adds up the costs that --explain=json lists, and looks for the sums in the other reports: consistent.py PMC FOLDER."""

import json
import pathlib
import re
import subprocess
import sys

compiler, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
SPEC = """mesh ranks(row = 1, col = 1)
layout x -> row
dim x = 32, y = 16, z = 16
let f = white_noise[x, y, z](1)
fn loss(a) {
  let b = loop s = a for i in 0 .. 6 => real(ifft(fft(s^2))) + 0.1 * s
  sum(b * f)
}
output g = grad(loss)(f)
"""
path = folder / "g.pm"
path.write_text(SPEC)
MIB = 1 << 20
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": MIB, "GiB": 1 << 30, "TiB": 1 << 40}
TIMES = {"s": 1, "ms": 1e-3, "us": 1e-6}


def pmc(*flags):
    return subprocess.run([compiler, *flags, path, "--machine", "laptop"], capture_output=True, text=True, check=True).stdout


class Costs:
    """Sums of what --explain=json says of a layout."""

    def __init__(self, layout, mesh, schedule):
        self.flags = ["--layout", layout, "--mesh", mesh, "--schedule", schedule]
        self.all = json.loads(pmc("--explain=json", *self.flags))
        ops = [op for op in self.all["ops"] if op["times"]]
        self.ops, self.parts = ops, {}
        for op in ops:
            if op["part"] != "nothing" and op["seconds"] > 0:
                self.add(op["part"], op["times"], 0, op["times"] * op["seconds"])
            for message in op["messages"]:
                self.add("messages", op["times"], op["times"] * message["bytes"], op["times"] * message["seconds"])
        self.sent, self.messages = self.parts.get("messages", [0, 0, 0])[1:]
        self.seconds = sum(part[2] for part in self.parts.values())
        self.fields, self.kept = self.all["memory"]["fields"], self.all["memory"]["tapes"]

    def add(self, part, *figures):
        self.parts[part] = [a + b for a, b in zip(self.parts.get(part, [0, 0, 0]), figures)]


def same(shown, value, what):
    """A number as text, to the digits that it has."""
    digits = len(shown.partition(".")[2])
    assert abs(float(shown) - value) <= 0.5000001 * 10**-digits, f"{what}: {shown}, expected {value}"


def size(text, value, what):
    number, unit = text.split()
    same(number, value / UNITS[unit], what)


def check_text(costs):
    text = pmc("--explain", *costs.flags)
    fields, kept = re.search(r"memory: ([\d.]+ \w+) of fields at the peak(?:, ([\d.]+ \w+) of kept states)?", text).groups()
    size(fields, costs.fields, "fields")
    if costs.kept or kept:
        size(kept, costs.kept, "kept states")
    whole = text.partition("in all")[2].partition("\n\n")[0]
    for name, part in [*costs.parts.items(), ("together", [0, costs.sent, costs.seconds])]:
        row = next(re.split(r"\s{2,}", line.strip()) for line in whole.splitlines() if line.startswith(name))
        size(row[-2], part[1], name + " sent")
        number, unit = row[-1].split()
        same(number, part[2] / TIMES[unit], name + " time")
        if part[0]:
            assert float(row[1]) == part[0], (name, row, part)
    table = text.partition("ops, each time")[2].splitlines()[2:]
    more = re.search(r"and (\d+) more, with less than 1 %", text)
    rows = [line for line in table if line.strip() and not line.startswith(("and ", "*"))]
    assert len(rows) + int(more[1] if more else 0) == len(costs.ops), (len(rows), more, len(costs.ops))
    left = sorted(op["times"] * (op["seconds"] + sum(m["seconds"] for m in op["messages"])) for op in costs.ops)[:int(more[1]) if more else 0]
    assert sum(left) < 0.01 * costs.seconds, left
    return bool(more)


SCHEDULES = ("keep", "reverse", "revolve:2")
layouts = [("x -> row", "row=1"), ("x -> row", "row=2"), ("y -> row", "row=4"), ("x -> row, y -> col", "row=2,col=2")]
known = {(layout, mesh, schedule): Costs(layout, mesh, schedule) for layout, mesh in layouts for schedule in SCHEDULES}
notes = sum(check_text(costs) for costs in known.values())
assert any(costs.kept for costs in known.values())
print(f"texts: {len(known)}, with notes: {notes}")

rows = 0
for ranks in (2, 4):
    for line in pmc("tune", "--ranks", str(ranks)).partition("layout\n")[2].partition("\n\n")[0].splitlines():
        time, messages, sent, memory, mesh, layout = re.fullmatch(r" *([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+)  (\S+) +(.*)", line).groups()
        layout, _, schedule = layout.partition(", schedule ")
        costs = Costs(layout, mesh, schedule)
        same(time, costs.seconds * 1e3, line)
        same(messages, costs.messages * 1e3, line)
        same(sent, costs.sent / MIB, line)
        same(memory, (costs.fields + costs.kept) / MIB, line)
        rows += 1
print(f"rows of tune: {rows}")

pairs = 0
for before, after in ((0, 1), (1, 2), (2, 1), (3, 2)):
    text = pmc("tune", "--compare", *(" @ ".join(layouts[i]) for i in (before, after)))
    sides = [known[(*layouts[i], "keep")] for i in (before, after)]
    memory = re.search(r"memory ([\d.]+) MiB -> ([\d.]+) MiB", text).groups()
    for shown, side in zip(memory, sides):
        same(shown, (side.fields + side.kept) / MIB, text)
    for line in text.partition("in all")[2].partition("memory")[0].splitlines()[2:]:
        found = re.fullmatch(r" *(\d+) -> (\d+) +([\d.]+) -> ([\d.]+) +([\d.]+) -> ([\d.]+)  (.*)", line)
        for i, side in enumerate(sides):
            if found[7] == "together":
                part = [sum(p[0] for p in side.parts.values()), side.sent, side.seconds]
            else:
                part = side.parts.get(found[7], [0, 0, 0])
            assert int(found[1 + i]) == part[0], (line, part)
            same(found[3 + i], part[1] / MIB, line)
            same(found[5 + i], part[2] * 1e3, line)
    pairs += 1
print(f"pairs: {pairs}")
