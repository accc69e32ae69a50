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
