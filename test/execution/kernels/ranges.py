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


def stops(program, line, number, *flags):
    done = run(program, *flags)
    expected = f".pm:{line}:", number, "is 0 or infinite in f32", "--precision=f64"
    assert done.returncode == 1, (program, flags, done.returncode, done.stderr)
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
