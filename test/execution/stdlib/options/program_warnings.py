"""Warnings of programs: their lines and texts, once each, on several ranks, and none where there is no reason.

    program_warnings.py PMC FOLDER"""
import os
import re
import shlex
import subprocess
import sys

import h5py
import numpy

pmc, folder = shlex.split(sys.argv[1]), sys.argv[2]
os.makedirs(folder, exist_ok=True)


def compile_spec(name, text, *flags):
    spec = f"{folder}/{name}.pm"
    with open(spec, "w") as file:
        file.write(text)
    done = subprocess.run([*pmc, spec, "-o", f"{folder}/{name}", *flags], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return f"{folder}/{name}"


def warnings_of(program, *flags):
    """The lines and texts of the warnings."""
    done = subprocess.run([program, "--out", folder + "/out", "--plan=estimate", *flags], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = re.findall(r"^\S*\.pm:(\d+):\d+: warning: (.*) \[PM9201\]$", done.stderr, re.MULTILINE)
    assert len(found) == done.stderr.count(" warning: "), done.stderr
    return [(int(line), text) for line, text in found]


def expect(found, *wanted):
    """Checks that the warnings have the wanted lines and texts, in any order, and no other warnings exist."""
    assert sorted(line for line, _ in found) == sorted(line for line, *_ in wanted), (found, wanted)
    for line, *texts in wanted:
        assert any(at == line and all(text in said for text in texts) for at, said in found), (found, line, texts)


SOLVERS = """use math, solvers
mesh ranks(row = 1)
layout x -> row
dim x = 64
param steps: int = 5
param tolerance = 1e-6
let b = white_noise[x](1)
fn A(u) = 2.01 u - u[x + 1] - u[x - 1]
fn plain(v, t) = v
output by_gradients = cg(A, b, tolerance, steps)
let inner_solves = loop u = b for i in 0 .. 3 =>
  cg(v => A(v) + v, u, tolerance, steps)
output started = conjugate_gradients(A, b, 0.1 * b, tolerance, steps).x
output quiet = conjugate_gradients(A, b, 0 * b, tolerance, steps, warns = false).x
output fixed = fixed_point(u => 0.9 * cos(u + b), b, tolerance, steps)
output shrunk = fista(u => A(u) - b, plain, 0 * b, 0.2, steps, tolerance).x
output searched = fista_search(u => 0.5 inner(u, A(u)) - inner(b, u), plain, 0 * b, 1.0, steps, tolerance).x
output faster = pogm(u => A(u) - b, plain, 0 * b, 0.2, steps, tolerance).x
output dual = condat_vu(u => A(u) - b, plain, (u, t) => clamp(u, -0.1, 0.1), u => u, u => u, 0 * b, 0.1, 0.1, steps, tolerance).x
output split = admm((v, u) => 0.5 (b + v), plain, u => u, 0 * b, 1, steps, tolerance).x
output slope = grad(a => sum(cg(u => A(u) + a * u, b, 1e-6, 3)^2))(0.1)
output solves = inner_solves
"""
solvers = compile_spec("limits", SOLVERS)
ALL = [(10, "conjugate gradients: the residual |b - A x| is", "after 5 iterations", "tolerance 1e-06", "more iterations"),
       (12, "conjugate gradients"), (13, "conjugate gradients"), (15, "fixed_point: the relative change"),
       (16, "fista: the relative change"), (17, "fista_search:"), (18, "pogm:"), (19, "condat_vu:"), (20, "admm:"),
       (21, "after 3 iterations")]
for mesh in ("row=1", "row=2", "row=4"):
    expect(warnings_of(solvers, "--mesh=" + mesh), *ALL)
# The residual is that of NumPy.
n = 64
matrix = 2.01 * numpy.eye(n) - numpy.roll(numpy.eye(n), 1, 0) - numpy.roll(numpy.eye(n), -1, 0)
warnings_of(solvers)
with h5py.File(folder + "/out/started.h5") as file:
    x = file["started"][()].astype(float)
PARAMS = "param steps: int = 5\nparam tolerance = 1e-6\n"
shown = compile_spec("shown", SOLVERS.split("output by")[0].replace(PARAMS, "") + "output b = b\n")
warnings_of(shown)
with h5py.File(folder + "/out/b.h5") as file:
    b = file["b"][()].astype(float)
residual = numpy.linalg.norm(b - matrix @ x) / numpy.linalg.norm(b)
said = dict(warnings_of(solvers))[13]
assert abs(float(re.search(r"is (\S+) \|b\|", said).group(1)) / residual - 1) < 0.06, (said, residual)
# The tolerance 0, and enough iterations, print no warning.
assert warnings_of(solvers, "--quiet") == []
expect(warnings_of(solvers, "--tolerance=0"), (21, "conjugate gradients"))
expect(warnings_of(solvers, "--steps=4000", "--tolerance=1e-3"), (21, "conjugate gradients"))

OWN = """mesh ranks(row = 1)
layout x -> row
dim x = 8
param most = 1.0
fn largest(f) {
  let m = max(f)
  warn if m > most, "the largest is {:.1f}, above {}", m, most
  m
}
let f = map q in [x] => 1.0 * index(q, x)
let warn = 2.0
let inside = loop u = f for i in 0 .. 3 => {
  warn if i > 0, "iteration {}", i
  u + 0.5
}
print "{} {}", largest(f) * warn, max(inside)
"""
own = compile_spec("own", OWN)
for mesh in ("row=1", "row=2"):
    expect(warnings_of(own, "--mesh=" + mesh), (7, "the largest is 7.0, above 1"), (13, "iteration 1"))
    expect(warnings_of(own, "--mesh=" + mesh, "--most=9"), (13, "iteration 1"))

# Places in cycles per cell are a mistake. The center of k-space alone, a calibration of low resolution, and a few samples are not.
PLACES = """use nufft, mri
mesh ranks(row = 1)
layout spoke -> row
dim x = 32, y = 32 over 240 mm
dim c = 2
dim spoke = 12, along = 16
dim few = 5
dim line = 20
param scale = 1.0
let k = scale * radial[spoke, along](32)
let image = white_noise[x, y](1) + 0i
let maps = map q in [c, x, y] => 1 + 0.1i * index(q, c)
let samples = nufft(image, k)
output back = abs(nufft_adjoint[x, y](samples, k))
output weights = density_compensation[x, y](k)
let e = nufft_sense(maps, k, c)
output normal = abs(e.normal(image))
output turned = abs(nufft_off_resonance(image, k, 0 Hz + 0 Hz * abs(image), 1 ms * k[0] / scale, tolerance = 1e-3))
output center = abs(nufft(image, 0 * k))
output calibration = abs(nufft(image, 0.25 * radial[spoke, along](32)))
output some = abs(nufft(image, for i in 0 .. 2 => map q in [few] => 0.1 * index(q, few)))
dim t = 64 over 1
output signal = abs(nufft(white_noise[t](1), map q in [line] => scale * index(q, line)))
output planes = each c in maps => abs(nufft(maps, k))
"""
places = compile_spec("places", PLACES)
for mesh in ("row=1", "row=3"):
    flag = "--mesh=" + mesh
    expect(warnings_of(places, flag))
    expect(warnings_of(places, flag, "--scale=0.5"))
    # Lines 14 to 18 and 24 have the same k and the same number of cells.
    first = (13, "nufft: all samples are within |k| = ", "multiply k in cycles per cell", "of 32 cells")
    expect(warnings_of(places, flag, "--scale=0.03125"), first)
    expect(warnings_of(places, flag, "--scale=0.01"), first, (23, "of 64 cells"))

# No warnings: the change by rounding in f32 is above the default tolerance of fixed_point, and a fit of the library ends early on purpose.
ROUNDED = """use solvers, parallel_imaging, mri
dim x = 64
let b = 3 + white_noise[x](1)
output fixed = fixed_point(u => 0.5 * (u + b / u) + 0.3 * sin(u), b)
dim y = 16, z = 16 over 1
dim c = 4
let k = centred_fft(birdcage_maps[c, y, z](c) * white_noise[y, z](1))
let mask = uniform_mask[z](2, centre = 10)
output image = abs(sum(spirit(mask * k, mask, c, width = 10, iterations = 2), over = c))
"""
for flag in ("--precision=f32", "--precision=f64"):
    expect(warnings_of(compile_spec("rounded", ROUNDED, flag)))
