"""Where the first error is if one token is wrong: each token of a spec is left out, doubled, or followed by a unit or a number.

    tokens.py PMC FOLDER EXPECTED [--update]

EXPECTED has, per line and change, a place for each token, or `ok`. Messages are not compared. --update writes it anew; read the difference:
a change that makes no sense should not be `ok`, and a place should be near the token.
"""
import os
import pathlib
import re
import subprocess
import sys

from client import Client

update = "--update" in sys.argv
compiler, folder, expected = [a for a in sys.argv[1:] if a != "--update"]
SPEC = '''use fields
const n: int in [2, 64] = 8 "cells"
const kind: string in ("cic", "tsc") = "cic"
unit inch = 25.4 mm
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim x = n, y = 2 n, z = 4 over 3 Mpc
dim t = 5
param a: f64 km in (0, 5 km] = 2 km "length"
param i: int in [0, 9] = 3
param on: bool = true
input table_in: table optional
input f0: field[x, y] K optional "start"
input more: int field[x, y] optional
fn twice(f: field[D], by: f64 = 2) -> field[D] = by * f
fn moved(q: f64 km, m: int field[x, y], v: vector f64 s) = q + v[0] * 1 km/s
let f = if given(f0) then number(f0, 1 K) else white_noise[x, y](1)
let (g, h) = (twice(f, by = 3.5), -f^2 + 1e-3)
let r = {one = a, two = 2 a}
let s = r with {two = 3 km}
let m = map q in [x, y] => f * sin(index(q, x)) - g[x + 1, edge = "clamp"]
let w = loop u = f for k in 0 .. i => u + 0.1 * u[y - 2]
let (count, sums) = bins q in f into 4 by floor(2 * f) => (1, f)
let part = f[x = t + 1]
let big = sum(f, over = (x, y)) > 0 and not on or i == 2
assert big or on, "wrong: {}", i
print "{} {}", a, r.one
output o = m
output c = {one = count, two = sums}
plot f title "a field" xlabel "x"
'''
TOKEN = re.compile(r'"[^"]*"|\d+\.\d+|\d+e-?\d+|\w+|->|=>|==|\.\.|\S')
CHANGES = {
    "without": lambda token: "",
    "twice": lambda token: f"{token} {token}",
    "unit": lambda token: f"{token} km",
    "number": lambda token: f"{token} 7",
}
client = Client(compiler)
document = client.open(os.path.join(folder, "spec.pm"), "")
document.wait()


def first_error(text):
    document.set(text)
    for diagnostic in document.wait():
        if diagnostic["severity"] == 1:
            at = diagnostic["range"]["start"]
            return at["line"] + 1, at["character"]
    return None


assert first_error(SPEC) is None, client.diagnostics
lines = SPEC.split("\n")
table, cases = "", 0
for number, line in enumerate(lines[:-1]):
    for name, change in CHANGES.items():
        places = []
        for token in TOKEN.finditer(line):
            changed = line[: token.start()] + change(token[0]) + line[token.end() :]
            at = first_error("\n".join([*lines[:number], changed, *lines[number + 1 :]]))
            cases += 1
            places.append("ok" if at is None else str(at[1]) if at[0] == number + 1 else f"{at[0]}:{at[1]}")
        table += f"{number + 1} {name}: {' '.join(places)}\n"
assert client.stop() == 0
print(f"{cases} cases, {len(re.findall('ok', table))} accepted")
if update:
    pathlib.Path(expected).write_text(table)
found = pathlib.Path(folder, "found.txt")
found.write_text(table)
sys.exit(subprocess.run(["diff", "-U0", expected, found]).returncode)
