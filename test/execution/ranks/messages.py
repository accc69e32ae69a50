"""What halos and sums of fields send is what --emit=sharded says.

usage: messages.py PMC HALOS.pm POWER.pm DENSITY.npy SCRATCH

HALOS.pm moves all particles by sx and sy cells: the widths of the halos follow.
POWER.pm sums a spectrum over ranks, its columns in one message."""
import json
import math
import os
import re
import subprocess
import sys

pmc, halos, power, density, scratch = sys.argv[1:]
os.makedirs(scratch, exist_ok=True)
program, trace = os.path.join(scratch, "program"), os.path.join(scratch, "trace.json")


def compiled(spec, *flags):
    """The formulas of bytes in the program's IR, by op; makes the program."""
    text = subprocess.run([pmc, *flags, "--emit=sharded", spec], check=True, stdout=subprocess.PIPE, text=True).stdout
    subprocess.run([pmc, *flags, spec, "-o", program], check=True)
    found = {}
    for op, formula in re.findall(r'pm\.(\w+) .*?\{bytes = #cost\.expr<"([^"]*)">', text):
        found.setdefault(op, []).append(formula)
    return found


def sent(row, col, *flags):
    """The first rank's messages: bytes, by the op's name."""
    subprocess.run([program, "--mesh", f"row={row},col={col}", "--transport=threads", "--threads=1", "--profile", trace,
                    "--out", os.path.join(scratch, "out"), "--quiet", *flags], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    found = {}
    for event in json.load(open(trace))["traceEvents"]:
        if event.get("ph") == "X" and event["pid"] == 0 and event["args"].get("bytes"):
            found.setdefault(event["name"], []).append(event["args"]["bytes"])
    return found


def widths(shift, support, first, ranks):
    """Cells below and above that a window touches of which the first cell is
    `first` cells beside the node it is nearest to (or above); none where there
    is one rank."""
    if ranks == 1:
        return 0, 0
    cell = math.floor(shift + 0.5 * (support % 2)) - first
    return max(0, -cell), max(0, cell + support - 1)


def expect(what, one, other):
    print(f"{what}: {one} sent, {other} expected")
    assert one == other, what


formulas = compiled(halos)
for row, col in [(2, 2), (2, 1), (3, 2), (1, 4)]:
    for sx, sy in [(0.25, -0.25), (1.75, -2.5), (-3.2, 5.6)]:
        found = sent(row, col, f"--sx={sx}", f"--sy={sy}")
        for op, support, first in [("halo_reduce", 3, 1), ("halo_exchange", 2, 0)]:
            assert len(formulas[op]) == 1, formulas
            around = lambda part, lo, hi: part + lo + hi  # parts are of one size here
            names = {"row": row, "col": col, "view": around, "seen": around}
            for dim, shift, ranks in [("x", sx, row), ("y", sy, col)]:
                names["lo_" + dim], names["hi_" + dim] = widths(shift, support, first, ranks)
            expect(f"{row}x{col}, shift {sx}, {sy}, {op}", sum(found[op]), eval(formulas[op][0], names))

formulas = compiled(power, "-D", "n=32", "--layout", "x->row, y->col")["reduce_fields_start"]
assert len(formulas) == 1, f"expected one message for the spectrum, found {formulas}"
for row, col in [(2, 2), (2, 1), (1, 4)]:
    found = sent(row, col, "--box=100", f"--density={density}")
    # The sums of the spectrum, and of what is printed: numbers, not fields.
    fields = [size for size in found["all_reduce"] if size > 8 * 8]
    expect(f"{row}x{col}, spectrum", fields, [eval(formulas[0], {"row": row, "col": col})])
