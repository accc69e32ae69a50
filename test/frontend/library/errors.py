"""Errors of specs: errors.py PMC SPEC... [--run FOLDER]

A line of a SPEC that ends with `// error: TEXT` must give this error, and other lines none. With --run, cases of CASES are run, which show
what library functions refuse in a run: the program must end with exit code 1 or 2 and the message.
"""

import os
import re
import subprocess
import sys

LIGHT = """use catalogs, cosmology, lensing, linalg, modified_gravity, particles, solvers, nbody, spectra, surveys, mri, parallel_imaging, random
param omega_k = 0.0
param fast = 0.0
const sites = 4
dim x = 8, y = 8, z = 8 over 100 Mpc/h
dim long = 8 over 200 Mpc/h
dim p = 8, q = 8 over 100 Mpc/h
dim narrow = 8 over 50 Mpc/h
dim a = 8, b = 8 over 1
dim wide = 8, broad = 8 over 2
dim plane = 1
dim pixel = 12
let c = cosmology(omega_m = 0.3, omega_k = omega_k)
fn time(i) = 0.9 + 0.04 * i
fn still[D]() = for d in D => zeros[D] * 1 Mpc/h
fn moving[D]() = for d in D => fast * 1 Mpc/h + zeros[D]
fn light(i) = light_of(still[x, y, z](), moving[x, y, z](), shell_of(c, time, i), same_copies, 3)
"""

# Lines behind LIGHT, flags, and the message.
CASES = {
    "steps": ("print \"{}\", shell_of(c, i => 0.9 - 0.04 * i, 0).chi", [], "Mpc/h: is it one of the steps?"),
    "fast": ("print \"{}\", light(0).reach", ["--fast=100"], "light_cone: a particle moves 173.2"),
    "copies": ("output o = zeros[x, y, z] + light_of(still[x, y, z](), moving[x, y, z](), shell_of(c, i => 0.1 + 0.8 * i, 0), same_copies, 1).each(s => sum(s.fraction), 0.0)",
               [], "copies of the box, more than candidates = 1; write candidates = "),
    "turned": ("output o = zeros[x, y, long] + light_of(still[x, y, long](), moving[x, y, long](), shell_of(c, time, 0), turned_copies(1), 3).each(s => sum(s.fraction), 0.0)",
               [], "light_cone: copies are turned, but the sides of the box are 100 Mpc/h, 100 Mpc/h and 200 Mpc/h"),
    "planes": ("output o = keep_planes[plane, p, q]()(light(1))", [], "keep_planes: the first dim has 1 cells, expected one for each step"),
    "size": ("output o = lens_plane[narrow, q](light(0)).sigma", [], "planes of 50 Mpc/h and 100 Mpc/h, but the box has 100 Mpc/h and 100 Mpc/h"),
    "wide": ("output o = born_particles[wide, broad](c, chi => 1.0)(light(0))", [], "Mpc/h the map is wider than the box"),
    "thick": ("let far = light_of(still[x, y, z](), moving[x, y, z](), shell_of(c, i => 0.3 + 0.6 * i, 0), same_copies, 40)\noutput o = born_particles[p2, q2](c, chi => 1.0)(far)\ndim p2 = 8, q2 = 8 over 0.01", ["--omega_k=-0.9"], "Mpc/h is too thick for omega_k = -0.9"),
    "catalog steps": ("output o = keep_catalog[plane, pixel]()(light(1)).exists", [], "keep_catalog: the first dim has 1 cells, expected one for each step"),
    "catalog size": ("output o = keep_catalog[plane, pixel]((x, y, chi) => x < 1 Mpc/h and y < 13 Mpc/h and chi > 230 Mpc/h)(light(0)).exists", [],
                     "keep_catalog: step 0 has 14 particles, expected at most the 12 cells of the dim"),
    "catalog images": ("output o = keep_catalog[plane, pixel](beyond = 101 Mpc/h)(light(0)).exists", [], "keep_catalog: beyond is 101 Mpc/h, expected 0 to the side of the box, 100 Mpc/h"),
    "horizon": ("print \"{}\", equal_shells(c, 1e9 Mpc/h, 4)(0)", [], "equal_shells: far is 1000000000 Mpc/h, expected less than the distance of the horizon, "),
    "no shells": ("print \"{}\", equal_shells(c, 30 Mpc/h, 4, near = 30 Mpc/h)(0)", [], "equal_shells: near is 30 Mpc/h, expected 0 or more, and less than far, which is 30 Mpc/h"),
    "logarithmic steps": ("print \"{}\", steps_in_ln_a(fast, 1, 3).at(1)", [], "steps_in_ln_a: from a = 0 to 1, expected scale factors above 0"),
    "scale factor": ("output o = growth(c, fast).D1", ["--fast=-0.5"], "[PM9103]"),
    "scale factor in a map": ("output o = map q in [x] => growth(c, fast + 0.2 * index(q, x)).D1", ["--fast=-0.5"], "output 'o' is not finite"),
    "shifts of wavelets": ("output o = abs(wavelet_image({adjoint = v => v, normal = v => v, bound = 1.0}, (1 + 0i) * white_noise[x, y](1), 0.1, iterations = 2, shifts = 0))",
                           [], "wavelet_image: 0 shifts of the grid, expected at least 1"),
    "sheet factor": ("output o = sheet_overdensity({disp = still[x, y, z]()}, factor = 0)", [], "sheet_overdensity: the factor is 0, expected at least 1"),
    "interpolation": ("output o = sheet_overdensity({disp = still[x, y, z]()}, interpolation = \"cubic\")", [], "sheet_overdensity: the interpolation is \"fourier\" or \"linear\""),
    "one member": ("output o = covariance(zeros[plane, x], plane, x, y)", [], "cross_covariance: the batch has 1 members, expected at least 2"),
    "symmetry breaking": ("output o = number(symmetron_potential(zeros[x, y, z], 0.8, fast, 1 Mpc/h, 1), 1 (Mpc/h)^2)", [], "symmetron: a_ssb = 0, expected a number above 0"),
    "range": ("output o = number(symmetron_potential(zeros[x, y, z], 0.8, 0.5, fast * 1 Mpc/h, 1), 1 (Mpc/h)^2)", [], "symmetron: the range is 0 Mpc/h, expected a length above 0"),
    "flat": ("output o = keep_shells[plane, pixel]()(light(0))", ["--omega_k=0.1"], "the full sky is for flat space, but omega_k (H0/c)^2 = "),
    "far": ("output o = keep_shells[plane, pixel](most = 0)(light(0))", [], "and 0 copies of the box on each side reach 50 Mpc/h"),
    "shells": ("output o = keep_shells[plane, pixel]()(light(1))", [], "keep_shells: the first dim has 1 cells, expected one for each step"),
    "triangles": ("output o = bispectrum(zeros[x, y, z], 0.1 h/Mpc, 0.05 h/Mpc, 2)[3]", [], "bispectrum: the bins end at k = 0.2, expected at most 0.16755"),
    "grappa lines": ("output o = abs(grappa(fft(0i + white_noise[plane, a, b](1), over = (a, b)), uniform_mask[b](2, centre = 2), plane, b, 2, kernel = 3, lines = 2, width = 4))",
                     [], "grappa: the mask lacks 4 modes of the coils: expected every line whose index along the dim is a multiple of step = 2, and the width = 4 middle modes"),
    "distances": ("output o = number(fiducial_distances(c, flat_lcdm(), positions({disp = still[x, y, z]()}), (0 Mpc/h, 0 Mpc/h, 0 Mpc/h), 150 Mpc/h, points = 64)[0], 1 Mpc/h)",
                  [], "fiducial_distances: a position is 151.55"),
    "spheres": ("output o = spherical_overdensity(for i in 0 .. 3 => 1 Mpc/h * zeros[pixel], still[x, y, z](), 2, 1 Mpc/h, 51 Mpc/h, 8).number", [],
                "spherical_overdensity: to = 51 Mpc/h, expected at most 50 Mpc/h, half the shortest side of the box"),
    "halos as spheres": ("output o = spherical_halos[pixel]({disp = still[x, narrow, z](), mom = still[x, narrow, z]()}, 1 Mpc/h, 26 Mpc/h, 8).number", [],
                         "spherical_overdensity: to = 26 Mpc/h, expected at most 25 Mpc/h, half the shortest side of the box"),
    "indefinite": ("output o = cg(v => -1 * v, white_noise[x, y](1))", [], "conjugate gradients: A is not positive definite: p . A p = -"),
    "weights": ("output o = 1.0 * choice[x](map q in [y] => fast * index(q, y), 1)", [],
                "choice: the weights must be finite and at least 0, and one of them above 0: the smallest is 0, and their sum is 0"),
    "negative weights": ("output o = 1.0 * choice[x](map q in [y] => 1 + fast * index(q, y), 1)", ["--fast=-1"], "the smallest is -6, and their sum is -20"),
    "not finite": ("output o = cg(v => (if sum(v^2) > 0 then log(-1 - fast) else 1) * v, white_noise[x, y](1))", [], "conjugate gradients: p . A p is not finite in iteration 1"),
}


def compiled(pmc, path):
    """The number of lines whose error is another one than the line says."""
    wanted = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if match := re.search(r"// error: (.*)", line):
                wanted[number] = match[1]
    done = subprocess.run([pmc, "--emit=pm", path, "-o", os.devnull], capture_output=True, text=True)
    found = {}
    for line, message in re.findall(re.escape(path) + r":(\d+):\d+: error: (.*?)(?: \[PM\d{4}\])?$", done.stderr, re.MULTILINE):
        found.setdefault(int(line), message)
    wrong = 0
    for line in sorted(wanted.keys() | found.keys()):
        if wanted.get(line) != found.get(line):
            print(f"{path}:{line}: expected: {wanted.get(line, 'no error')}\nfound: {found.get(line, 'no error')}")
            wrong += 1
    return wrong if done.returncode == 1 else wrong + 1


def run(pmc, folder, name, text, flags, message):
    path = os.path.join(folder, "case.pm")
    with open(path, "w", encoding="utf-8") as file:
        file.write(LIGHT + text + "\n")
    done = subprocess.run([pmc, "-O0", "run", path, "--", "--quiet", "--out", os.path.join(folder, "out"), *flags], capture_output=True, text=True)
    if done.returncode in (1, 2) and "case.pm:" in done.stderr and message in done.stderr:
        return 0
    print(f"{name}: exit code {done.returncode}, expected 1 or 2 and '{message}', found:\n{done.stderr}")
    return 1


def main():
    pmc, *specs = sys.argv[1:]
    folder = None
    if "--run" in specs:
        at = specs.index("--run")
        folder, specs = specs[at + 1], specs[:at]
    wrong = sum(compiled(pmc, path) for path in specs)
    if folder:
        wrong += sum(run(pmc, folder, name, *case) for name, case in CASES.items())
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
