#!/usr/bin/env python3
"""What a stencil sends is what --emit=sharded says: one exchange a step, of the cells beyond the part of a rank.

    bytes.py PMC FOLDER"""
import json
import os
import re
import shlex
import subprocess
import sys

SPEC = """
param steps: int = 5
dim x = 12, y = 12, z = 6 over 1
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
fn step(f, w) = map q in f => 0.1 * w[x - 1] * (f[x + 2] + f[x - 1] + f[y + 1, x - 1] + f[z + 2] + f[z - 1, y + 3, edge = "zero"])
let w = white_noise[x, y, z](2)
output end = loop f = white_noise[x, y, z](1) for i in 0 .. steps => step(f, w)
"""
# Cells below and above along x and y, of f in every step and of w once.
WIDTHS = [(1, 2, 0, 3), (1, 0, 0, 0)]


def main():
    pmc, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    source, program, trace = (os.path.join(folder, name) for name in ("bytes.pm", "bytes", "trace.json"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(SPEC)
    command = shlex.split(pmc) + [source]
    text = subprocess.run(command + ["--emit=sharded", "-o", "-"], check=True, stdout=subprocess.PIPE, text=True).stdout
    if "pm.displacement_bound" in text:
        sys.exit("something measures how far neighbors are, expected known margins")
    formulas = re.findall(r'pm\.halo_exchange .*?bytes = #cost\.expr<"([^"]*)">', text)
    if len(formulas) != len(WIDTHS):
        sys.exit(f"{len(formulas)} exchanges in the IR, expected {len(WIDTHS)}: {formulas}")
    subprocess.run(command + ["-o", program], check=True)
    steps = 5
    for row, col in [(2, 2), (3, 1), (1, 4), (12, 1)]:
        subprocess.run([program, "--mesh", f"row={row},col={col}", "--transport=threads", "--threads=1", f"--steps={steps}", "--profile", trace,
                        "--out", os.path.join(folder, "out"), "--quiet"], check=True)
        with open(trace, encoding="utf-8") as file:
            events = [e for e in json.load(file)["traceEvents"] if e.get("ph") == "X" and e["pid"] == 0 and e["name"] == "halo_exchange" and e["args"]["bytes"]]
        sent = sorted(e["args"]["bytes"] for e in events)
        # An axis of one rank splits nothing.
        own = [(12 // row, row > 1), (12 // col, col > 1)]
        wanted = []
        for (x_below, x_above, y_below, y_above), times in zip(WIDTHS, (steps, 1)):
            sides = [cells + (below + above if split else 0) for (cells, split), below, above in
                     zip(own, (x_below, y_below), (x_above, y_above))]
            wanted += [4 * 6 * (sides[0] * sides[1] - own[0][0] * own[1][0])] * times
        wanted = sorted(bytes for bytes in wanted if bytes)
        print(f"{row}x{col}: sent {sent}, expected {wanted}")
        if sent != wanted:
            sys.exit("the bytes differ")
        if row > 1 and col > 1 and set(sent) != {int(eval(f, {"row": row, "col": col, "seen": lambda part, lo, hi: part + lo + hi})) for f in formulas} - {0}:
            # The IR's formula counts axes of any extent.
            sys.exit(f"the IR says {formulas}")


if __name__ == "__main__":
    main()
