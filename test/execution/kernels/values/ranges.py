"""Programs stop at numbers that become 0 or infinite in f32, and only at these."""

import os
import shlex
import subprocess
import sys

pmc, folder = shlex.split(sys.argv[1]), sys.argv[2]
os.makedirs(folder, exist_ok=True)


def compile_spec(name, text, *flags):
    spec, program = f"{folder}/{name}.pm", f"{folder}/{name}"
    with open(spec, "w") as file:
        file.write(text)
    done = subprocess.run([*pmc, spec, "-o", program, *flags], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return program


def run(program, *flags):
    return subprocess.run(
        [program, "--out", f"{folder}/out", *flags], capture_output=True, text=True
    )


def passes(program, *flags):
    done = run(program, *flags)
    assert done.returncode == 0, (program, flags, done.stderr)


def stops(program, line, number, *flags, code=1):
    done = run(program, *flags)
    expected = f".pm:{line}:", number, "is 0 or infinite in f32", "--precision=f64"
    assert done.returncode == code, (program, flags, done.returncode, done.stderr)
    assert all(part in done.stderr for part in expected), (expected, done.stderr)


SCALAR = """dim x = 8
param e: f64 = 1
param sigma: f64 = 0
let f = white_noise[x](1)
output g = e * f
output h = f / (if sigma > 0 then 1e-60 * sigma else 1)
"""
scalar = compile_spec("scalar", SCALAR)
passes(scalar)
passes(scalar, "--e=0")  # 0 is 0 in f32, too
passes(scalar, "--e=1.5e-45")
passes(scalar, "--e=1e37")
stops(scalar, 5, "1e-46", "--e=1e-46")
stops(scalar, 5, "3.5e+38", "--e=-3.5e38")
stops(scalar, 5, "1e-300", "--e=1e-300")
passes(compile_spec("scalar64", SCALAR, "--precision=f64"), "--e=1e-300")

# The wave numbers of a box in um reach 4 pi / um; to the fourth power in 1/km^4,
# f32 cannot hold them.
COORDINATES = """dim x = 32, y = 32 over length
param length = 8 um
let f = white_noise[x, y](1)
let fk = fft(f)
output s = ifft(map k in fk => exp(-norm2(k) * (3 um)^2) * fk)
output g = ifft(map k in fk => norm2(k)^2 * fk)
"""
micrometers = compile_spec("um", COORDINATES)
passes(micrometers)
passes(micrometers, "--length=1")  # exp is 0 for all modes but one
kilometers = compile_spec("km", "units km\n" + COORDINATES)
stops(kilometers, 7, "e+40")
passes(kilometers, "--length=8km")

# Scalars of the run: what follows from a reduction, outside and inside of a map, and in a loop.
MEASURED = """mesh ranks(row = 1)
layout x -> row
dim x = 8
param e: f64 = 1
param bound: f64 = 0
param large = 1.0
let f = white_noise[x](1)
let s = e * mean(f^2)
let u = s^4
output g = f * u
output h = map q in f => f + s^3
output k = f * exp(-1e3 * abs(s))
output l = loop c = f for i in 0 .. 3 => 0.5 * c + 1e-9 * (large * mean(c^2))^9 * f
if s > bound { output n = f * s^5 }
"""
measured = compile_spec("measured", MEASURED)
stops64 = compile_spec("measured64", MEASURED, "--precision=f64")
for mesh in ("row=1", "row=2", "row=3"):
    flag = "--mesh=" + mesh
    passes(measured, flag)  # exp(-1000) may become 0
    passes(measured, flag, "--e=0")
    stops(measured, 10, "e-48", flag, "--e=1e-12", code=2)
    stops(measured, 10, "e+40", flag, "--e=1e10", code=2)
    passes(measured, flag, "--e=1e9", "--bound=1e12")
    stops(measured, 13, "e+", flag, "--large=1e9", code=2)
    passes(stops64, flag, "--e=1e-12")

# Each rank checks the cells that it owns. A failure ends the other ranks.
OWN = """mesh ranks(row = 1)
layout c -> row
dim c = 5
dim x = 8
param e: f64 = 1
let w = white_noise[c, x](1)
let f = map q in w => if index(q, c) == 3 then e * w else 1.0
output g = each c in f => f / mean(f^2)^3
"""
own = compile_spec("own", OWN)
for mesh in ("row=1", "row=2", "row=5"):
    passes(own, "--mesh=" + mesh)
    stops(own, 8, "e-5", "--mesh=" + mesh, "--e=1e-9", code=2)

# Tables: the largest of all rows counts, also if the ends are 0, as do numbers that are made of the rows.
TABLES = """dim x = 8
param e: f64 = 1
param scale: f64 = 1
let f = white_noise[x](1)
let bump = tabulate(u => scale * e / (1 + u^8)^50, from = -8, to = 8, points = 17)
output a = map q in f => f * interpolate(bump, index(q, x) - 4.0)
let cube = tabulate(u => e * u^3, from = 0, to = 4, points = 5)
output b = map q in f => f * (2 * interpolate(cube, 0.5 * index(q, x)))
let slope = tabulate(u => 1e-60 * u, from = 0, to = 4, points = 5)
output c = map q in f => f * derivative(slope, 1.0 * index(q, x))
output total = interpolate(slope, 2.0)
"""
tables = compile_spec("tables", TABLES)
passes(tables)
passes(tables, "--e=0")
passes(tables, "--e=1e-40")
stops(tables, 6, "1e-46", "--e=1e-46", code=2)
stops(tables, 6, "1e-60", "--scale=1e-60", code=2)
stops(tables, 6, "1e+39", "--scale=1e39", code=2)
stops(tables, 8, "e+39", "--e=1e37", code=2)
done = run(tables, "--e=1e37")
assert "a number of a table here, at most 1.28" in done.stderr, done.stderr
passes(compile_spec("tables64", TABLES, "--precision=f64"), "--e=1e-60")

# For a table from a file, the message names the file, the column and the declaration, also if the unit of a column is the reason.
FILES = """mesh ranks(row = 1)
layout x -> row
units um
dim x = 8 over 8 um
input P: table(k in 1/um, P in km^3)
input Q: table optional
input G: table(a, b) optional
param method: bool = false
let f = white_noise[x](1)
output a = f * interpolate(P, f / 1 um) / 1 um^3
output b = f * (1e-9 * interpolate(P, 3 / 1 um)) / 1 um^3
let place = map q in [x] => 0.5 * index(q, x)
if given(Q) { output c = f * interpolate(Q, 0.5) + interpolate(Q, place, method = "cubic") }
if given(G) { output d = interpolate(G, place, 0.5) }
print "{}", interpolate(P, 2.5 / 1 um)
"""


def write_rows(name, rows):
    with open(f"{folder}/{name}.txt", "w") as file:
        file.write("".join(" ".join("%.17g" % number for number in row) + "\n" for row in rows))
    return f"{folder}/{name}.txt"


def names_file(program, line, parts, *flags):
    done = run(program, *flags)
    expected = (f".pm:{line}:", "is 0 or infinite in f32", "--precision=f64", *parts)
    assert done.returncode == 2, (program, flags, done.returncode, done.stderr)
    assert all(part in done.stderr for part in expected), (expected, done.stderr)


files = compile_spec("files", FILES)
files64 = compile_spec("files64", FILES, "--precision=f64")
good = "--P=" + write_rows("good", [(k, 1e-27 * (1 + k)) for k in range(5)])
large, small = write_rows("large", [(0, 0), (1, 1e13), (2, 1)]), write_rows("small", [(0, 0), (1, 1e-74), (2, 1e-80)])
tails = write_rows("tails", [(0, 1e-90), (1, 1), (2, 1e-60)])
far, near = write_rows("far", [(1e40, 0), (2e40, 1e-27)]), write_rows("near", [(-1e-50, 0), (1e-50, 1e-27)])
grid = write_rows("grid", [(0, 0, 1), (0, 1e39, 1), (1, 1, 1)])
# The names of columns are those of the declaration.
for mesh in ("row=1", "row=2", "row=4"):
    flag = "--mesh=" + mesh
    passes(files, flag, good)
    passes(files, flag, good, "--Q=" + tails)
    names_file(files, 5, ("--P: " + large, "column 'P'", "1e+40"), flag, "--P=" + large)
    names_file(files, 5, ("--P: " + small, "column 'P'", "1e-47"), flag, "--P=" + small)
    names_file(files, 5, ("--P: " + far, "column 'k'", "1e+40"), flag, "--P=" + far)
    names_file(files, 5, ("--P: " + near, "column 'k'", "1e-50"), flag, "--P=" + near)
    names_file(files, 6, ("--Q: " + write_rows("one", [(0, 1e39), (1, 2)]), "column 2", "1e+39"), flag, good, f"--Q={folder}/one.txt")
    names_file(files, 7, ("--G: " + grid, "'G'", "1e+39"), flag, good, "--G=" + grid)
for wrong in (large, small, far, near):
    passes(files64, "--P=" + wrong)
# If no field uses a table, its numbers are not checked.
passes(compile_spec("unused", 'input P: table\nprint "{}", interpolate(P, 0.5)\n'), "--P=" + write_rows("any", [(0, 1e200), (1, 1e-200)]))

# Numbers that loops carry: in the loop, behind it, with a condition, and by a counter.
CARRIED = """mesh ranks(row = 1)
layout x -> row
dim x = 8
param factor: f64 = 0.5
param steps: int = 10
let f = white_noise[x](1)
output a = (loop (u, s) = (f, 1.0) for i in 0 .. steps => (u + s * f, factor * s))[0]
let (s, n) = loop (s, n) = (1.0, 0.0) while n < steps => (factor * s, n + 1)
output b = s^2 * f
output c = loop u = f for i in 0 .. steps => u + 1.0 * factor^(2 * i) * f
output d = loop u = f for i in 0 .. steps => u + exp(-200.0 * i) * f
output e = (loop (u, s) = (f, 1.0) for i in 0 .. steps => (if s > 1e-30 then u + s * f else u, factor * s))[0]
let (v, slope) = value_and_grad(q => sum((loop (u, s) = (q, 1.0) for i in 0 .. 12 => (sin(u) * s, s * factor))[0]))(f)
output g = slope
"""
carried = compile_spec("carried", CARRIED)
carried64 = compile_spec("carried64", CARRIED, "--precision=f64")
for mesh in ("row=1", "row=3"):
    flag = "--mesh=" + mesh
    passes(carried, flag)
    passes(carried, flag, "--factor=0")
    stops(carried, 7, "e-46", flag, "--factor=1e-2", "--steps=30", code=2)
    stops(carried, 7, "e+39", flag, "--factor=1e3", "--steps=15", code=2)
    stops(carried, 9, "e-48", flag, "--factor=1e-2", "--steps=12", code=2)
    passes(carried64, flag, "--factor=1e-2", "--steps=30")
done = run(carried, "--factor=1e-2", "--steps=30")
assert "a number here that a loop carries" in done.stderr, done.stderr
