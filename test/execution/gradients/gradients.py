#!/usr/bin/env python3
"""Derivatives of every builtin and op, as numbers: compiles a spec of cases and looks at what it prints.

A case is a function, a point, a tangent v and a cotangent w (of several parameters, lists of points and tangents). Printed are <w, J v> by jvp, <J^T w, v> by vjp, <w, the central
difference along v>, and the size |w| |J v| that errors are measured by. Two lists are kept complete by this script: every
builtin (frontend/Sema/Builtins.def) and every op (dialect/IR/**/*.td, and what frontend/IRGen makes of arith, math and complex) occurs in
a case, or says below why it has no derivative.
"""

import argparse
import glob
import os
import re
import subprocess
import sys

HEADER = """
use special, linalg, cosmology, power, fields, lpt, nbody, particles, spectra, math, optim
param epsilon = 1e-5
param one: int = 1
dim x = 12, y = 10, z = 8 over 10 Mpc/h
dim t = 7
dim r = 5, s = 5, m = 8, k = 5
mesh ranks(row = 1, col = 1)
fn noise(seed) = white_noise[x, y, z](seed)
fn flat(seed) = white_noise[x, y](seed)
fn batch_of(seed) = white_noise[t, y, z](seed)
fn vec(seed) = for d in (0, 1, 2) => 0.3 Mpc/h * white_noise[x, y, z](seed + d) + 0.11 Mpc/h
fn wave(seed) = fft(noise(seed))
fn matrices(seed) = white_noise[t, r, s](seed)
fn tall(seed) = white_noise[t, m, s](seed)
fn lines(seed) = white_noise[t, r](seed)
fn plus(a, u) = map q in a => a + (if index(q, r) == index(q, s) then u else 0)
"""

CASES = {}


def case(name, params, body, point, tangent, cotangent, options=""):
    assert name not in CASES, name
    CASES[name] = (params, body, point, tangent, cotangent, options)


FIELD = dict(point="noise(1)", tangent="noise(2)", cotangent="noise(3)")
POSITIVE = dict(point="(0.5 + noise(1)^2)", tangent="noise(2)", cotangent="noise(3)")
WAVE = dict(point="wave(1)", tangent="wave(2)", cotangent="noise(3)")
NUMBER = dict(point="0.7", tangent="1.3", cotangent="0.9")

# Elementwise, on fields and on numbers.
for name in "sqrt exp log log10 log1p expm1 sin cos tan tanh sinh cosh asin acos atan asinh acosh atanh erf erfc abs".split():
    # Inside of the domain, for POSITIVE and for NUMBER.
    inside = {"acosh": "1.2 + a"}.get(name, "a / (1 + a)" if name in ("tan", "asin", "acos", "atanh") else "a")
    case(name, "a", f"{name}({inside})", **POSITIVE)
    case(name + "_number", "a", f"{name}({'a' if name == 'tan' else inside})", **NUMBER)
for name, text in {"sqrt": "sqrt(c)", "log": "log(c)", "sin": "sin(c) + cos(c)", "tan": "tan(c) + tanh(c)", "sinh": "sinh(c) + cosh(c)",
                   "pow": "c^(1.3) + c^(0.4 - 1i) + pow(2, c) + c^(11) * 1e-3"}.items():
    case("complex_" + name, "a, b", f"{{ let c = a - 0.2 + 1i * b; map q in a => real({text}) + 2 * imag({text}) }}", point=["noise(1)", "noise(4)"],
         tangent=["noise(2)", "noise(5)"], cotangent="noise(3)")
for name, text in {"lgamma": "lgamma(1.5 * a) + lgamma(9 + a)", "digamma": "digamma(1.5 * a) + digamma(9 + a)", "erfinv": "erfinv(a / (0.1 + a))",
                   "bessel": "bessel_j0(a) + bessel_j1(a) + bessel_j0(9 + a) + bessel_j1(9 + a) + bessel_j(3, a) + spherical_bessel(2, 2 * a)",
                   "legendre": "legendre_polynomial(4, a)"}.items():
    case("special_" + name, "a", text, **POSITIVE)
case("log_sin_exp", "a", "log(2 + sin(exp(a)))", **FIELD)
case("atan2", "a", "atan2(a, 1.5 + a^2) + atan2(2 + a, a)", **FIELD)
case("pow", "a", "pow(a, 1.5) + pow(2, a) + pow(a, a)", **POSITIVE)
case("power_int", "a", "a^3 + a^-2 + a^0 + 2^3", **POSITIVE)
case("power_number", "a", "a^2.5 + 2^a + a^a", **NUMBER)
case("arithmetic", "a", "(a + 2) * (a - 3) / (1 + a^2) - -a + 2 a", **FIELD)
case("arithmetic_number", "a", "(a + 2) * (a - 3) / (1 + a^2) - -a + 2 a", **NUMBER)
case("minmax", "a", "min(a, 0.3) + max(a, 0.1 * a) + max(a, 3)", **FIELD)
case("minmax_number", "a", "min(a, 0.3 + a^2) + max(a, 0.1 * a)", **NUMBER)
case("steps", "a", "a^2 + floor(a) + round(a) + sign(a)", **FIELD)
case("steps_number", "a", "a^2 + floor(a) + round(a) + sign(a)", **NUMBER)
case("if_element", "a", "map q in a => if a > 0.2 then a^2 else if a < -0.5 and not (a == 0) or a >= 10 then 3 a else -a",
     **FIELD)
case("if_number", "a", "if a > 0.2 then a^2 else -a", **NUMBER)
case("if_fields", "a", "if sum(a) > 1e9 then a^2 else a^3", **FIELD)
case("number", "a", "number(a * 3 Mpc/h, 2 Mpc/h)", **FIELD)
case("int_number", "a", "a * one + a^one + (one + 2) * (one - 5) * a / one", **NUMBER)
case("units", "a", "sqrt(a)^3", point="5 Mpc/h", tangent="1.3 Mpc/h", cotangent="0.9 (Mpc/h)^-1 * sqrt(1 h/Mpc)")

# Vectors, tuples, records.
case("vectors", "v", "norm2(v) + dot(v, (1.0, 2.0, 3.0)) + total(v * v)", point="(noise(1), noise(4), noise(5))",
     tangent="(noise(2), noise(6), noise(7))", cotangent="noise(3)")
case("record", "p", "{u = p.m * p.f, v = {w = sum(p.f^2), n = p.m^2}}", point="{f = noise(1), m = 0.4}",
     tangent="{f = noise(2), m = 1.2}", cotangent="{u = noise(3), v = {w = 0.01, n = 1.5}}")
case("several", "a, b", "a * b^2 + a^2 / (2 + b^2)", point=["noise(1)", "0.8"], tangent=["noise(2)", "1.1"], cotangent="noise(3)")
case("broadcast", "a, b", "a * sin(b) + b", point=["noise(1)", "flat(4)"], tangent=["noise(2)", "flat(5)"], cotangent="noise(3)")
case("coordinates", "a", "map q in a => a * sin(q[x] / 3 Mpc/h) + index(q, y) * a^2 * norm2(q) / 1 (Mpc/h)^2", **FIELD)

# Complex numbers.
case("complex", "u", "map k in u => (2 + 1i) * u * exp(0.3 * u) / (3 + u * conj(u)) + u^2 - u^-1 * 1e-3 - real(u) * 1i + abs(2 + u)",
     point="wave(1)", tangent="wave(2)", cotangent="fft(noise(3) * noise(4)) + 0.3 wave(5)")
case("complex_real", "u", "map k in u => real(u) * imag(u)^2 + norm2(u) + abs(1 + u) + arg(2 + u)^2",
     point="wave(1)", tangent="wave(2)", cotangent="norm2(wave(3)) - norm2(wave(4))")
case("complex_odd", "u", "map k in u => real(u) * imag(u) + imag(u)^3 + arg(2 + u) * index(k, z)^2",
     point="wave(1)", tangent="wave(2)", cotangent="imag(wave(3)) * real(wave(4))")
case("complex_number", "c", "exp(c * (1 + 2i)) / (c + 1i) + abs(c) + c^3 + arg(c)", point="(0.4 + 0.7i)", tangent="(1.1 - 0.3i)",
     cotangent="(0.2 + 0.9i)")

# Fourier transforms.
MATRICES = dict(point=["matrices(1)", "matrices(4)"], tangent=["matrices(2)", "matrices(5)"], cotangent="matrices(3)")
TALL = dict(point=["tall(1)", "tall(4)"], tangent=["tall(2)", "tall(5)"], cotangent="tall(3)")
case("solve_over", "a, b, c", "{ let x = solve_over(plus(a + 1i * b, 4), c + 2i * c^2, r, s); real(x) + imag(x)^2 }", point=["matrices(1)", "matrices(4)", "lines(7)"],
     tangent=["matrices(2)", "matrices(5)", "lines(8)"], cotangent="white_noise[t, s](3)")
case("solve_columns", "a, c", "solve_over(plus(a, 4), c, r, s)", point=["matrices(1)", "white_noise[t, r, m](7)"],
     tangent=["matrices(2)", "white_noise[t, r, m](8)"], cotangent="white_noise[t, s, m](3)")
case("solve_lower", "a, c", "solve_lower(plus(a, 4), c, r, s)", point=["matrices(1)", "lines(7)"], tangent=["matrices(2)", "lines(8)"], cotangent="white_noise[t, s](3)")
case("cholesky", "a, b", "{ let f = cholesky(plus(a + 1i * b, 9), r, s); real(f) + imag(f)^2 + cholesky(plus(b, 9), r, s) }", **MATRICES)
case("logdet", "a, b", "logdet(plus(a + 1i * b, 2), r, s) * logdet(a, r, s)", point=["matrices(1)", "matrices(4)"], tangent=["matrices(2)", "matrices(5)"],
     cotangent="white_noise[t](3)")
case("eigh_over", "a, b", "{ let e = eigh_over(a + 1i * b, r, s); let f = eigh_over(a, r, s); norm2(e.vectors) * f.values + e.values * f.vectors^2 }", **MATRICES)
case("svd_over", "a, b", "{ let e = svd_over(a + 1i * b, m, s, k); let f = svd_over(b, m, s, k); let p = matmul(e.u * log(1 + e.values), conj(e.v), over = k); "
     "real(p) + imag(p)^2 + matmul(f.u^2 * f.values, f.v^2, over = k) }", **TALL)
case("svd_wide", "a, b", "{ let e = svd_over(a + 1i * b, s, m, k); let p = matmul(e.u * log(1 + e.values), conj(e.v), over = k); real(p) + imag(p)^2 }", point=TALL["point"], tangent=TALL["tangent"],
     cotangent="white_noise[t, s, m](3)")
case("lstsq_tall", "a, b, c", "{ let x = lstsq(a + 1i * b, c, m, s); real(x) + imag(x)^2 }", point=["tall(1)", "tall(4)", "white_noise[t, m](7)"],
     tangent=["tall(2)", "tall(5)", "white_noise[t, m](8)"], cotangent="white_noise[t, s](3)")
case("lstsq_wide", "a, b, c", "{ let x = lstsq(a + 1i * b, c, s, m); real(x) + imag(x)^2 }", point=["tall(1)", "tall(4)", "white_noise[t, s](7)"],
     tangent=["tall(2)", "tall(5)", "white_noise[t, s](8)"], cotangent="white_noise[t, m](3)")
case("linalg_second", "a", "grad(u => { let A = plus(u, 6); sum(cholesky(A, r, s)^3) + sum(logdet(A, r, s)^2) + sum(solve_over(A, lines(9), r, s)^2) + sum(eigh_over(u, r, s).values^3) })(a)",
     point="matrices(1)", tangent="matrices(2)", cotangent="matrices(3)")
case("linalg_third", "a", "grad(u => sum(svd_over(u, m, s, k).values^3) + sum(lstsq(u, white_noise[t, m](9), m, s)^2))(a)", point="tall(1)", tangent="tall(2)", cotangent="tall(3)")
case("sort", "a", "sort(a, y) * sort(a^2 + a, x, order = \"descending\") + a[z = argsort(a, z)] * ranks(a, x)", **FIELD)
case("fft", "a", "fft(a)", point="noise(1)", tangent="noise(2)", cotangent="fft(noise(3) + noise(4)^2)")
case("fft_filter", "a", "{ let u = fft(a); ifft(map k in u => u * exp(-norm2(k) * 0.1 (Mpc/h)^2) * (1 + 0.1i * k[x] * 1 Mpc/h)) }", **FIELD)
case("fft_singular", "a", "{ let u = fft(a); ifft(map k in u => if norm2(k) == 0 then 0 else 1i * gradient_kernel(k, x) / norm2(k) * u) * 1 h/Mpc }",
     **FIELD)
case("fft_some", "a", "{ let u = fft(a, over = (x, y)); ifft(map k in u => u / (1 + (k[x]^2 + k[y]^2) * 1 (Mpc/h)^2), over = (x, y)) * a }",
     **FIELD)
case("ifft", "u", "ifft(u)", **WAVE)
case("ifft_product", "u", "ifft(u)^2 + ifft(2i * u) * ifft(u)", **WAVE)
case("spectrum_sum", "a", "sum(norm2(fft(a))^2)", point="noise(1)", tangent="noise(2)", cotangent="1.3")
case("spectrum_planes", "a", "{ let u = fft(a); sum(sum(norm2(u), over = (x, y))^2) }", point="noise(1)", tangent="noise(2)", cotangent="1.3")
case("spectrum_signs", "a", "{ let u = fft(a); sum(map k in u => index(k, x) * norm2(u) * (1 + imag(u)) + index(k, z) * imag(u^3) + exp(imag(u))) + "
     "real(sum(u^2)) + imag(sum(u)) + mean(imag(u) * real(u)) + inner(imag(u), imag(u^2)) }", point="noise(1)", tangent="noise(2)", cotangent="1.3")
case("spectrum_extremes", "a", "{ let u = fft(a); max(imag(u)) * min(map k in u => index(k, x) * real(u) + imag(u)) + max(norm2(u)) }",
     point="noise(1)", tangent="noise(2)", cotangent="1.3")
case("spectrum_batch", "a", "{ let u = fft(a, over = (x, y)); sum(u, over = z) * (1 + sum(norm2(u), over = z)) }", point="noise(1)", tangent="noise(2)",
     cotangent="fft(flat(3))")
case("spectrum_of", "u, b", "sum(map k in u => index(k, x) * norm2(u) * b + b * imag(u) * index(k, z) * real(u)) + inner(u, b * u)", point=["wave(1)", "0.7"],
     tangent=["wave(2)", "1.1"], cotangent="1.3")
case("spectrum_lines", "a, b", "{ let u = fft(a, over = z); sum(map k in u => real(u * b) * index(k, z)^2 + imag(u) * b * index(k, z), over = z) }",
     point=["noise(1)", "flat(4)"], tangent=["noise(2)", "flat(5)"], cotangent="flat(3)")
case("bins_signs", "a", "{ let u = fft(a); (bins k in u into 20 by index(k, x) + 2 index(k, y) + 10 => (norm2(u) + imag(u) * index(k, z), 1))[0] }",
     point="noise(1)", tangent="noise(2)", cotangent="places(3)")
case("spectrum_scaled", "a, b", "{ let u = fft(a); ifft(map k in u => u * b * exp(-b^2 * norm2(k) * 1 (Mpc/h)^2)) }", point=["noise(1)", "0.4"],
     tangent=["noise(2)", "1.2"], cotangent="noise(3)")
case("inner_spectra", "a", "inner(fft(a), fft(a^2)) + inner((a, 2.0), (a^3, 3.0))", point="noise(1)", tangent="noise(2)", cotangent="1.3")

# Fields made of numbers, reductions.
case("constant", "a", "constant[x, y, z](a) * noise(4) + zeros[x, y, z]", point="0.7", tangent="1.3", cotangent="noise(3)")
case("sums", "a", "sum(a)^2 + mean(a^3) * 10", point="noise(1)", tangent="noise(2)", cotangent="1.3")
case("sum_over", "a", "mean(a^2, over = (x, z))", point="noise(1)", tangent="noise(2)", cotangent="mean(noise(3), over = (x, z))")
case("sum_times", "a", "a * sum(a^2, over = z) + mean(a, over = (x, y))", **FIELD)
case("contraction", "a, b", "sum(a * b, over = (y, z))^2", point=["noise(1)", "batch_of(4)"], tangent=["noise(2)", "batch_of(5)"],
     cotangent="white_noise[x, t](3)")
case("contraction_batch", "a", "{ let b = batch_of(4); sum(map q in [t, x, y, z] => (0.3 + a) * sin(b) * a * (1 + index(q, t)), over = y) }", point="noise(1)",
     tangent="noise(2)", cotangent="white_noise[t, x, z](3)")
case("hessian_contraction", "a", "grad(u => sum(sum(u * batch_of(4), over = (y, z))^4))(a)", **FIELD)
for edge in ("zero", "periodic", "clamp"):
    case("convolution_" + edge, "a, b", f'sum(a[x = x + t - 2, edge = "{edge}"] * b, over = (t, y))^2', point=["noise(1)", "batch_of(4)"],
         tangent=["noise(2)", "batch_of(5)"], cotangent="white_noise[x, z](3)")
case("convolution_stride", "a, b", 'sum(a[x = 2 * coarsen(x, 2) + t - 2, edge = "zero"] * b, over = t)', point=["noise(1)", "batch_of(4)"],
     tangent=["noise(2)", "batch_of(5)"], cotangent="white_noise[coarsen(x, 2), y, z](3)")
case("hessian_convolution", "a", "grad(u => sum(sum(u[x = x + t - 2, edge = \"zero\"] * batch_of(4), over = (t, y))^4))(a)", **FIELD)
case("record_arithmetic", "a, b", "{ let r = {u = a, v = (b, a * b)}; let s = exp(0.1 * r) - r / (2 + r^2); s.u + s.v[0] * s.v[1] }", point=["noise(1)", "noise(4)"],
     tangent=["noise(2)", "noise(5)"], cotangent="noise(3)")
case("elementwise", "a, b", "elementwise(u => if u[0] > u[1] then u[0]^2 * u[1] else u[1]^3, (a, b)) * unit_of(a)", point=["noise(1)", "flat(4)"],
     tangent=["noise(2)", "flat(5)"], cotangent="noise(3)")
case("extremes", "a", "max(a) * min(a)", point="noise(1)", tangent="noise(2)", cotangent="1.3")
case("extremes_over", "a", "max(a, over = z) + 2 min(a^2, over = z)", point="noise(1)", tangent="noise(2)", cotangent="flat(3)")
case("slice", "a", "slice(a^2, z = 2 .. 5) + slice(a, z = 3)", point="noise(1)", tangent="noise(2)", cotangent="flat(3)")
case("update", "a, b", "(a * b) with {[z = 2] = sin(a[z = 0]) * b, [x = 1] += a[x = 3]^2, [y = 0, z = 1] = 0.5} + a^2", point=["noise(1)", "flat(4)"],
     tangent=["noise(2)", "flat(5)"], cotangent="noise(3)")
EDGES = ("periodic", "zero", "clamp", "reflect")
for edge in EDGES:
    case(f"shift_{edge}", "a", f'map q in a => a[x + 2, z - 1, edge = "{edge}"] * a[y - 3, edge = "{edge}"] + a[z + 1]^2 - 2 a * a[y - 3, edge = "{edge}"]',
         **FIELD)
case("shift", "a, b", 'shift(a * b, y = 2, x = -1, edge = ("clamp", "zero")) + a[z - 1] * b[y + 1, edge = "reflect"]', point=["noise(1)", "flat(4)"],
     tangent=["noise(2)", "flat(5)"], cotangent="noise(3)")
case("shift_complex", "a", 'imag(fft(a, over = (x, y))[z + 2, edge = "reflect"]^2)', point="noise(1)", tangent="noise(2)",
     cotangent="imag(fft(noise(3), over = (x, y)))")
case("hessian_shift", "a", 'grad(u => sum((u[x + 1] - u)^4 * u[y - 1, edge = "clamp"]))(a)', **FIELD)
case("views", "a", "a * refine(coarsen(a[x + 1]^2, 2, over = (x, z)), 2, over = (x, z))[z + 1]", **FIELD)
for edge in EDGES:
    case(f"indexes_{edge}", "a", f'{{ let b = a[x = 3 * coarsen(x, 3) + t - 2, z = 2 * coarsen(z, 4) + 1, edge = "{edge}"]; b * sin(b) }}', point="noise(1)",
         tangent="noise(2)", cotangent="white_noise[coarsen(x, 3), t, y, coarsen(z, 4)](3)")
case("cell", "a", "a[x = 3, y = 2, z = 1]^2 * a[x = 0, z = 1, y = 2]", point="noise(1)", tangent="noise(2)", cotangent="1.3")
case("cells", "a", "a[z = 1] * a[z = 3]", point="noise(1)", tangent="noise(2)", cotangent="flat(3)")
case("bins", "a", "{ let u = fft(a); (bins k in u into 5 by sqrt(norm2(k)) * 0.7 Mpc/h => (norm2(u), 1))[0] }", point="noise(1)",
     tangent="noise(2)", cotangent="shell(3)")
for edge in EDGES:
    case(f"gather_{edge}", "a, b", f'map q in [t, y, z] => sin(a[x = 3 * int(index(q, t)) - int(index(q, y)), edge = "{edge}"]) * b^2',
         point=["noise(1)", "batch_of(4)"], tangent=["noise(2)", "batch_of(5)"], cotangent="batch_of(3)")
case("gather", "a, b", "map q in [t, y, z] => a[x = div(7 * int(index(q, t)), 4), y = mod(int(index(q, y)) * 3, 10)]^2 * b[z = int(index(q, t))]",
     point=["noise(1)", "batch_of(4)"], tangent=["noise(2)", "batch_of(5)"], cotangent="batch_of(3)")
case("gather_complex", "a", "{ let u = a + 1i * a^2; imag(u[x = mod(5 * int(index_of(u)), 12)]^3) }", point="noise(1)", tangent="noise(2)", cotangent="noise(3)")
case("gather_modes", "a, b", "{ let u = fft(a); sum(map k in u => norm2(u) * b[m = mod(int(norm2(for d in (x, y, z) => index(k, d))), 8)]^2) }", point=["noise(1)", "white_noise[m](4)"],
     tangent=["noise(2)", "white_noise[m](5)"], cotangent="1.3")
case("gather_lines", "a, b", "{ let u = fft(a, over = z); sum(map k in u => norm2(u) * b[m = mod(3 * int(abs(index(k, z))), 8)]^2, over = (y, z)) }",
     point=["noise(1)", "white_noise[m](4)"], tangent=["noise(2)", "white_noise[m](5)"], cotangent="sum(noise(3), over = (y, z))")
case("hessian_gather", "a", "grad(u => sum(u[x = mod(5 * int(index_of(u)), 12)]^4))(a)", **FIELD)
case("bins_named", "a", "bins q in a into (t, y) by (mod(5 * int(index(q, x)), 8), index(q, y)) => a^2 * (1 + index(q, z))", point="noise(1)",
     tangent="noise(2)", cotangent="grid(3)")
case("hessian_bins", "a", "grad(u => sum((bins q in u into (t, y) by (mod(5 * int(index(q, x)), 8), index(q, y)) => u^2)^2))(a)", **FIELD)
case("dims", "a", "a * number(spacing(x), 1 Mpc/h) * cells(y) + a^2 * number(length(z), 1 Mpc/h) * number(total(spacing(dims(a))), 1 Mpc/h)",
     **FIELD)

# Particles.
for window in "ngp cic tsc pcs".split():
    case(f"paint_{window}", "d, w", f'paint[x, y, z](d, window = "{window}", weight = w)', point=["vec(11)", "noise(4)"],
         tangent=["vec(21)", "noise(5)"], cotangent="noise(3)")
    case(f"readout_{window}", "f, d", f'readout(f, d, window = "{window}")', point=["noise(4)", "vec(11)"], tangent=["noise(5)", "vec(21)"],
         cotangent="noise(3)")
case("paint_refined", "d", 'paint[refine(x, 2), refine(y, 2), refine(z, 2)](d, window = "tsc")', point="vec(11)", tangent="vec(21)",
     cotangent="white_noise[refine(x, 2), refine(y, 2), refine(z, 2)](3)")
case("readout_vector", "f, d", 'readout((f, f^2), d, window = "pcs")', point=["noise(4)", "vec(11)"], tangent=["noise(5)", "vec(21)"],
     cotangent="(noise(3), noise(6))")
case("readout_complex", "f, d", 'norm2(readout(f + 1i * f^2, d, window = "tsc"))', point=["noise(4)", "vec(11)"], tangent=["noise(5)", "vec(21)"], cotangent="noise(3)")
SMOOTH = "{support = 6, weight = u => cos(pi * u / 6)^4 * (1 + 0.1 u)}"
case("paint_wide", "d, w", f'paint[x, y, z](d, window = {SMOOTH}, weight = w)', point=["vec(11)", "noise(4)"], tangent=["vec(21)", "noise(5)"],
     cotangent="noise(3)")
case("readout_wide", "f, d", f'norm2(readout(f + 1i * f^2, d, window = {SMOOTH}))', point=["noise(4)", "vec(11)"], tangent=["noise(5)", "vec(21)"],
     cotangent="noise(3)")
case("paint_complex", "d, w", 'norm2(paint[x, y, z](d, window = "tsc", weight = w + 1i * w^2))', point=["vec(11)", "noise(4)"],
     tangent=["vec(21)", "noise(5)"], cotangent="noise(3)")
case("batch_at", "d, f", f'norm2(readout_at(paint_at[t, x](d[0], window = {SMOOTH}, weight = map q in [t, x, y, z] => (1 + index(q, t)) * f + 1i * f), d[1], '
     'window = "pcs"))', point=["vec(11)", "noise(4)"], tangent=["vec(21)", "noise(5)"], cotangent="white_noise[t, x, y, z](3)")
case("positions_at", "d, f", 'readout_at(paint_at[x, y, z](lattice() + d, window = "tsc", weight = f), lattice() + 2 d, window = "pcs")',
     point=["vec(11)", "noise(4)"], tangent=["vec(21)", "noise(5)"], cotangent="noise(3)")

# The others are nowhere.
case("paint_where", "d, w", 'paint[x, y, z]((d[0] + 0 Mpc/h * sqrt(w), d[1], d[2]), window = "tsc", weight = (w, sqrt(w)), where = w > 0)',
     point=["vec(11)", "noise(4)"], tangent=["vec(21)", "0.3 * noise(4)"], cotangent="(noise(3), noise(6))")
case("readout_where", "f, d", 'readout((f, f^2), (d[0] * log(number(d[1], 1 Mpc/h)), d[1], d[2]), window = "pcs", where = d[1] > 0 Mpc/h)',
     point=["noise(4)", "vec(11)"], tangent=["noise(5)", "(for e in vec(11) => 0.2 * e)"], cotangent="(noise(3), noise(6))")
case("paint_where_at", "d, f", 'paint_at[x, y](for e in (0, 1) => 3 * d[e] * log(f), window = "cic", weight = f, where = f > 0.2)',
     point=["vec(11)", "noise(4)"], tangent=["vec(21)", "0.3 * noise(4)"], cotangent="flat(3)")

# Tables.
case("table_number", "a", "interpolate(tabulate(u => a * sin(a * u), from = 0, to = 4, points = 500), 1.234) + "
     "derivative(tabulate(u => a * u^2, from = 0, to = 4, points = 500), 2.345)", **NUMBER)
case("table_field", "a, b", "interpolate(transform(tabulate(u => b * exp(b * u), from = 0, to = 8, points = 300), (u, v) => (u, log(v))), abs(a))",
     point=["noise(1)", "0.6"], tangent=["noise(2)", "1.3"], cotangent="noise(3)")

case("table_value", "a", "transform(tabulate(u => exp(a * u), from = 0, to = 2, points = 7), (u, y) => (2 u, a * y^2))", point="0.7", tangent="1.3",
     cotangent="tabulate(u => cos(u), from = 0, to = 4, points = 7)")
case("table_hidden", "a", "{ let u = wave(4); let p = tabulate(u => sin(a * u), from = 0, to = 4, points = 30); "
     "ifft(map k in u => if norm2(k) > 0 then u * interpolate(p, log(norm2(k) * 1 (Mpc/h)^2)) else 0) }",
     point="0.7", tangent="1.3", cotangent="noise(3)")

# With respect to tables.
TABLE = dict(point="rows(1.0)", tangent="rows(2.3)")
case("rows_number", "p, a", "interpolate(p, 1 + a) * a + derivative(p, 2.345)^2 + interpolate(p, -0.7) * interpolate(p, 9.1)",
     point=["rows(1.0)", "0.3"], tangent=["rows(2.3)", "1.1"], cotangent="0.9")
case("rows_field", "p, a", "map q in a => interpolate(p, a + 2) * a + 0.1 * derivative(p, a^2) * interpolate(p, 3)",
     point=["rows(1.0)", "noise(1)"], tangent=["rows(2.3)", "noise(2)"], cotangent="noise(3)")
case("rows_spectrum", "p", "{ let u = wave(4); ifft(map k in u => if norm2(k) > 0 then u * exp(0.3 interpolate(p, log(norm2(k) * 1 (Mpc/h)^2))) else 0) }",
     cotangent="noise(3)", **TABLE)
case("rows_sums", "p", "{ let a = noise(4); sum(map q in a => interpolate(p, a)^2) + sum(map q in a => interpolate(p, q[x] / 1 Mpc/h), over = (x, y)) * noise(5) }",
     cotangent="noise(3)", **TABLE)
case("rows_many", "p", "map q in [x, y, z] => interpolate(p, index(q, x) * 0.3 + index(q, z) * 0.01)", point="many(1.0)", tangent="many(2.3)",
     cotangent="noise(3)")
case("rows_made", "p, a", "transform(tabulate(u => interpolate(p, u) * integrate(v => a * interpolate(p, u * v), from = 0, to = 1, panels = 3), "
     "from = 0, to = 3, points = 21), (u, y) => (2 u, y^2 * a + interpolate(p, u)))", point=["rows(1.0)", "0.7"], tangent=["rows(2.3)", "1.1"],
     cotangent="tabulate(u => cos(u), from = 0, to = 6, points = 21)")
case("rows_others", "p", "transform(p, (u, y) => (u, y^2))", point="rows(1.0)", tangent="tabulate(u => cos(u), from = -1, to = 9, points = 8)",
     cotangent="tabulate(u => u^2, from = 1, to = 5, points = 30)")
case("rows_scaled", "p, a", "interpolate(scaled(transform(p, (u, y) => (u - 4, y)), a), 0.1)", point=["rows(1.0)", "0.8"],
     tangent=["rows(2.3)", "1.1"], cotangent="0.9")
case("rows_if", "p, a", "{ let q = if a > 0.2 then transform(p, (u, y) => (u, y^2)) else p; interpolate(q, 1.5) + (if a > 0.3 then interpolate(p, 2.2) else a) }",
     point=["rows(1.0)", "0.7"], tangent=["rows(2.3)", "1.1"], cotangent="0.9")
case("rows_inner", "p", "inner(p, transform(p, (u, y) => (u, y^2)))", cotangent="0.9", **TABLE)

# Tables over several axes.
GRID = dict(point=["sheet(1.0)", "noise(1)"], tangent=["sheet(2.3)", "noise(2)"], cotangent="noise(3)")
case("grid_linear", "p, a", "map q in a => interpolate(p, 1 + a, 0.5 + 0.3 * a) * a + interpolate(p, 0.1, 1.2)", **GRID)
case("grid_cubic", "p, a", 'interpolate(p, 1 + a, 0.9 - 0.3 * a, method = "cubic")', **GRID)
case("grid_number", "p, a", 'interpolate(p, a, a^2, method = "cubic") + interpolate(p, a + 7, -a)', point=["sheet(1.0)", "0.3"],
     tangent=["sheet(2.3)", "1.1"], cotangent="0.9")
case("grid_made", "p, a", "transform(p, (u, w, y) => (2 u, w^2 + w, y^2 * a + sin(u * w)))", point=["sheet(1.0)", "0.7"], tangent=["sheet(2.3)", "1.1"],
     cotangent="transform(sheet(0.7), (u, w, y) => (2 u, w^2 + w, y))")
case("grid_three", "a, b", "interpolate(tabulate((u, v, w) => b * sin(u * b) * v + w^2, from = (-2, 0, -2), to = (2, 1, 2), points = (5, 3, 6)), a, a^2, -a)",
     point=["noise(1)", "0.6"], tangent=["noise(2)", "1.3"], cotangent="noise(3)")
case("rows_cubic", "p, a", 'map q in a => interpolate(p, a + 2, method = "cubic") * a', point=["rows(1.0)", "noise(1)"], tangent=["rows(2.3)", "noise(2)"],
     cotangent="noise(3)")
for schedule in ['', 'schedule = "revolve", snapshots = 2']:
    case("rows_loop" + schedule[12:19], "p, a", "loop u = a for i in 0 .. 4 => u + 0.1 * (map q in u => interpolate(p, u + 2)) * interpolate(p, 0.3 i)",
         point=["rows(1.0)", "noise(1)"], tangent=["rows(2.3)", "noise(2)"], cotangent="noise(3)", options=", " + schedule if schedule else "")

# Loops and calls.
case("loop_number", "a", "rk4((u, v) => (v[1], -a * sin(v[0])), (a, 0.3), from = 0, to = 2, steps = 32)[0] + integrate(u => exp(a * u), from = 0, to = a) + gragg((u, v) => -a * u * v, 1.0, from = 0, to = a, steps = 4)",
     **NUMBER)
case("loop_while", "a", "loop u = a while u < 5 => u * (1 + a)", **NUMBER)
case("loop_field", "a, b", "loop u = a for i in 0 .. 4 => u + 0.1 * i * sin(b * u) * mean(a^2)", point=["noise(1)", "0.6"],
     tangent=["noise(2)", "1.3"], cotangent="noise(3)")
case("loop_stack", "a, b", "loop u = a for i in t => u + 0.1 * sin(b * u) stacking (u[z = 1]^2, u * mean(u))", point=["noise(1)", "0.6"],
     tangent=["noise(2)", "1.3"], cotangent="(noise(3), (white_noise[t, x, y](6), white_noise[t, x, y, z](7)))")
case("loop_leapfrog", "a, b", "leapfrog(a, b)", point=["noise(1)", "noise(4)"], tangent=["noise(2)", "noise(5)"],
     cotangent="(noise(3), noise(6))")
TWO = dict(point=["noise(1)", "noise(4)"], tangent=["noise(2)", "noise(5)"], cotangent="(noise(3), noise(6))",
           options=', schedule = "reverse"')
case("loop_added_twice", "a, b", "loop (u, v) = (a, b) for i in 0 .. 3 => { let w = v + 0.1 * sin(u) - 0.2 * cos(2 * u)\n"
     "(u + 0.1 * w + 0.05 * tanh(w), w) }", **TWO)
case("loop_taken_from", "a, b", "loop (u, v) = (a, b) for i in 0 .. 3 => { let w = sin(u) - v\n(u + 0.1 * w^2, w) }", **TWO)
case("loop_in_map", "a", "map q in a => loop u = a for i in 0 .. 5 => u + 0.1 sin(u)", **FIELD)
case("roots", "a", "bisect(u => u^3 - 2 u - 5 * a, 1, 3) * a + newton(u => u^2 - a, u => 2 u, 1.0)", **NUMBER)

# Of derivatives.
case("hessian", "a", "grad(u => sum(sin(u) * smooth(u^2, 1 Mpc/h)))(a)", **FIELD)
case("hessian_spectrum", "a", "grad(v => { let u = fft(v); sum(map k in u => index(k, x) * norm2(u)^2 * imag(u)) + sum(sum(norm2(u), over = (x, y))^2) })(a)", **FIELD)
case("hessian_number", "a", "grad(u => exp(u^2) / (1 + u))(a) + jvp(u => sin(u)^3)(a, tangent = a^2)[1]", **NUMBER)
case("twice_reverse", "a", "vjp(u => sin(u) * u^2)(a, cotangent = cos(a))[1]", **FIELD)

# The library.
case("growth", "a", "growth(flat_lcdm(omega_m = a), 0.5).D1 + kick(growth(flat_lcdm(omega_m = a), 0.2), growth(flat_lcdm(omega_m = a), 0.1), "
     "growth(flat_lcdm(omega_m = a), 0.3))", point="0.3", tangent="1.0", cotangent="0.9")
case("linear_power", "a, b", "number(spectrum(eisenstein_hu(flat_lcdm(omega_m = a, sigma8 = b)))(0.2 h/Mpc), 1 (Mpc/h)^3)",
     point=["0.3", "0.8"], tangent=["0.5", "0.9"], cotangent="0.01")
case("lpt", "s, m", "lpt(flat_lcdm(omega_m = m), s, a = 0.1).disp", point=["0.5 noise(1)", "0.3"], tangent=["noise(2)", "0.4"],
     cotangent="for d in (0, 1, 2) => noise(30 + d) / 1 Mpc/h")
case("nbody", "s, m", "overdensity(nbody(flat_lcdm(omega_m = m), lpt(flat_lcdm(omega_m = m), s, a = 0.1), from = 0.1, to = 0.5, steps = 3, window = \"tsc\"))",
     point=["0.5 noise(1)", "0.3"], tangent=["noise(2)", "0.4"], cotangent="noise(3)")
for schedule in ['schedule = "reverse"', 'schedule = "revolve", snapshots = 2']:
    case("nbody_" + schedule.split('"')[1], "s", "overdensity(nbody(flat_lcdm(), lpt(flat_lcdm(), s, a = 0.1), from = 0.1, to = 0.5, "
         "steps = 4, window = \"tsc\"))", point="0.5 noise(1)", tangent="noise(2)", cotangent="noise(3)", options=", " + schedule)
case("redshift", "s", "redshift_space(flat_lcdm(), s, 0.7, z).disp", point="{disp = vec(11), mom = vec(14)}",
     tangent="{disp = vec(21), mom = vec(24)}", cotangent="for d in (0, 1, 2) => noise(30 + d) / 1 (Mpc/h)^2")

# What the examples derive, with less power as this box is small.
case("reconstruction", "s", "reconstruction_loss(s)", point="noise(1)", tangent="noise(2)", cotangent="0.9")
case("hmc", "s, u", "hmc_energy(s, u)", point=["noise(1)", "0.2"], tangent=["noise(2)", "1.1"], cotangent="0.9")
case("fisher", "m, amplitude", "fisher_spectrum(m, amplitude)", point=["0.3", "0.1"], tangent=["0.1", "0.2"],
     cotangent="fisher_spectrum(0.28, 0.09) / 1 (Mpc/h)^6")

EXTRA = """
fn reconstruction_loss(s) {
  let cosmo = flat_lcdm(sigma8 = 0.1)
  let start = lpt(cosmo, colour(s, spectrum(eisenstein_hu(cosmo))), a = 0.1, order = 1)
  let final = overdensity(nbody(cosmo, start, from = 0.1, to = 1, steps = 5))
  0.5 sum(smooth(final - noise(9), 2 spacing(x))^2) + 0.5 sum(s^2)
}
fn hmc_energy(s, u) {
  let cosmo = flat_lcdm(omega_m = 0.3 + 0.1 u, sigma8 = 0.1)
  let final = overdensity(lpt(cosmo, colour(s, spectrum(eisenstein_hu(cosmo))), a = 1))
  0.5 sum(((final - noise(9)) / 0.5)^2) + 0.5 sum(s^2) + 0.5 u^2
}
fn fisher_spectrum(m, amplitude) {
  let cosmo = flat_lcdm(omega_m = m, sigma8 = amplitude)
  let linear = gaussian_field[x, y, z](spectrum(eisenstein_hu(cosmo)), 7)
  power_spectrum(overdensity(nbody(cosmo, lpt(cosmo, linear, a = 0.1), from = 0.1, to = 1, steps = 3)), compensate = "cic")[1]
}
fn rows(a) = tabulate(u => sin(a * u) + u^2 / 5, from = 0, to = 8, points = 100)
fn sheet(b) = tabulate((u, w) => sin(b * u) * cos(w) + u, from = (-1, 0), to = (3, 2), points = (6, 5))
fn many(a) = tabulate(u => sin(a * u) + u^2 / 5, from = 0, to = 4, points = 2500)
fn shell(seed) {
  let u = wave(seed)
  (bins k in u into 5 by sqrt(norm2(k)) * 0.7 Mpc/h => (real(u), 1))[0]
}
fn grid(seed) {
  let a = noise(seed)
  bins q in a into (t, y) by (index(q, x), index(q, y)) => a
}
fn index_of(u) = map q in u => index(q, x) + index(q, y)
fn places(seed) {
  let u = wave(seed)
  (bins k in u into 20 by index(k, x) + 2 index(k, y) + 10 => (real(u), 1))[0]
}
fn lattice() = for d in (x, y, z) => map q in [x, y, z] => q[d]
fn leapfrog(a, b) = loop (u, v) = (a, b) for i in 0 .. 4 => {
  let w = v - 0.1 * sin(u)
  (u + 0.1 * w, w)
}
"""

# Builtins that no case names: why they have no derivative to test.
NO_BUILTIN = {
    "white_noise": "random", "split": "random", "random": "random", "given": "a bool", "finite": "a bool", "error": "no value", "pi": "a constant", "argsort": "ints", "ranks": "ints", "friends_of_friends": "ints", "lapack": "of the module linalg", "cells": "a constant", "epsilon": "a constant", "refine": "a dim", "piece": "a dim", "directions": "dims", "dual": "a dim", "half": "a dim",
    "length": "a parameter of the program", "spacing": "a parameter of the program", "value_and_grad": "grad with the value",
    "stored": "straight through, not what differences see (execution/stored)",
    "rint": "straight through, not what differences see (execution/kernels/precision/rint.pm)",
}
# Ops that no case contains.
NO_OP = {
    "dim": "declaration", "param": "declaration", "input": "declaration", "mesh": "declaration", "input_value": "data",
    "param_value": "data", "given": "a bool", "output": "effect", "plot": "effect", "print": "effect", "assert": "effect",
    "length": "data", "yield": "terminator", "samples": "data (execution/streams)", "sample_count": "data",
    "jvp": "replaced", "vjp": "replaced", "friends": "ints", "layout": "declaration",
    "checkpoint_store": "a loop's states in files", "save": "a loop's states in files", "restore": "a loop's states in files",
    "checkpoint_store_free": "a loop's states in files", "stored": "straight through (execution/stored)",
}
NO_SCALAR = {
    "arith.constantindex": "an int", "arith.constantint": "a bool", "arith.shrui": "of an int", "arith.divsi": "ints of 'optimize'", "arith.remsi": "ints of 'optimize'",
    "arith.bitcast": "an int that is printed", "arith.maxui": "an int", "arith.minui": "an int", "arith.uitofp": "of an int", "math.absi": "an int",
    "math.roundeven": "straight through (execution/kernels/precision/rint.pm)", "arith.extui": "a bool in a file", "arith.trunci": "a bool in a file",
}


def relevant(text, pattern):
    return set(re.findall(pattern, text))


def read(root, pattern):
    text = ""
    for path in sorted(glob.glob(os.path.join(root, pattern), recursive=True)):
        with open(path) as file:
            text += file.read()
    return text


def complete(root, ir):
    """What neither a case nor a reason covers."""
    builtins = relevant(read(root, "frontend/Sema/*.def"), r'(?:BUILTIN|MATH)\(\w+, "(\w+)"')
    bodies = EXTRA + " ".join(c[1] for c in CASES.values()) + " jvp(vjp("
    named = relevant(bodies, r"(\w+)[(\[]")
    missing = [f"builtin '{b}' is in no case" for b in sorted(builtins - named - set(NO_BUILTIN))]
    # The ops of the language: those that the frontend makes.
    made = read(root, "frontend/IRGen/**/*.cpp")
    ops = {re.sub("_", "", name): name for name in relevant(read(root, "dialect/IR/**/PM*.td"), r'PM_\w*<"([a-z_0-9]+)"')}
    for op in sorted(relevant(made, r"pm::(\w+)Op::create")):
        name = ops.get(op.lower())
        if name is None:
            missing.append(f"pm::{op}Op is not in dialect/IR")
        elif name not in NO_OP and not re.search(rf"\bpm\.{name}\b", ir):
            missing.append(f"op pm.{name} is in no case")
    # Functions of one number are made from their table.
    made += " ".join(f"math::{op}::create" for op in re.findall(r"MATH\(\w+, \"\w+\", \w+, (?!Sign)(\w+),", read(root, "frontend/Sema/MathBuiltins.def")))
    seen = {name.replace("_", "") for name in relevant(ir, r"\b((?:arith|math|complex|scf)\.\w+)")}
    for dialect, op in sorted(relevant(made, r"\b(arith|math|complex|scf)::(\w+?)(?:Op)?::create")):
        if f"{dialect}.{op.lower()}" not in seen | set(NO_SCALAR):
            missing.append(f"op {dialect}::{op} is in no case")
    return missing


def moved(value, tangent, sign):
    """The point moved along the tangent; of a record, member by member; of a table, row by row."""
    if value.startswith(("rows", "many")):
        return lambda p, v: f"transform({p}, (u, y) => (u, y {sign} epsilon * interpolate({v}, u)))"
    if value.startswith("sheet"):
        return lambda p, v: f"transform({p}, (u, w, y) => (u, w, y {sign} epsilon * interpolate({v}, u, w)))"
    if not value.startswith("{"):
        return lambda p, v: f"{p} {sign} epsilon * {v}"
    members = relevant(value, r"(\w+) =")
    return lambda p, v: "{" + ", ".join(f"{m} = {p}.{m} {sign} epsilon * {v}.{m}" for m in sorted(members)) + "}"


def spec_of(names):
    lines = [HEADER, EXTRA]
    for name in names:
        params, body, point, tangent, cotangent, options = CASES[name]
        wanted = [p.strip() for p in params.split(",")]
        points = point if isinstance(point, list) else [point]
        tangents = tangent if isinstance(tangent, list) else [tangent]
        several = len(wanted) > 1
        which = f"({params})"
        direction = f"({', '.join(tangents)})" if several else tangents[0]
        lines.append(f"fn {name}_f({params}) = {body}")
        lines.append(f"fn {name}_test() {{")
        for parameter, value in zip(wanted, points):
            lines.append(f"  let {parameter} = {value}")
        lines.append(f"  let dv = {direction}")
        lines.append(f"  let dw = {cotangent}")
        lines.append(f"  let (value, jv) = jvp({name}_f, wrt = {which})({params}, tangent = dv)")
        lines.append(f"  let (again, jw) = vjp({name}_f, wrt = {which}{options})({params}, cotangent = dw)")
        for to, sign in (("up", "+"), ("down", "-")):
            at = ", ".join(moved(value, tangent, sign)(p, f"dv[{i}]" if several else "dv")
                           for i, (p, value) in enumerate(zip(wanted, points)))
            lines.append(f"  let {to} = {name}_f({at})")
        lines.append(f'  print "{name} {{:.17e}} {{:.17e}} {{:.17e}} {{:.17e}}", inner(jv, dw), inner(jw, dv), '
                     "(inner(up, dw) - inner(down, dw)) / (2 epsilon), sqrt(inner(dw, dw)) * sqrt(inner(jv, jv))")
        lines.append("}")
    lines += [f"{name}_test()" for name in names]
    return "\n".join(lines) + "\n"


def run(args, names, out, precision, mesh):
    """The numbers that the cases print, by case."""
    spec, program = os.path.join(out, "cases.pm"), os.path.join(out, "cases")
    with open(spec, "w") as file:
        file.write(spec_of(names))
    layout = ["--layout", "x->row, y->col"] if mesh else []
    subprocess.run(args.pmc.split() + [spec, "-o", program, "--precision=" + precision] + layout, check=True)
    flags = ["--mesh", mesh, "--transport", "threads"] if mesh else []
    epsilon = 1e-5 if precision == "f64" else 1e-3
    text = subprocess.run([program, f"--epsilon={epsilon}", "--quiet", "--out", os.path.join(out, "run")] + flags, check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    # A unit may follow a number.
    found = {line.split()[0]: [float(word) for word in line.split()[1:] if re.match(r"[-+]?(\d|nan|inf)", word)] for line in text.splitlines()}
    found = {name: numbers for name, numbers in found.items() if len(numbers) == 4}
    if set(found) != set(names):
        sys.exit(f"cases without numbers: {sorted(set(names) - set(found))}")
    return found


def check(numbers, precision, where):
    """Complaints about cases."""
    dot, difference = (1e-12, 1e-6) if precision == "f64" else (1e-5, None)
    wrong = []
    for name, (forward, reverse, central, size) in numbers.items():
        if not size > 0:
            wrong.append(f"{where}: {name}: the derivative vanishes: the case shows nothing")
            continue
        if not abs(forward - reverse) <= dot * size:
            wrong.append(f"{where}: {name}: <w, J v> = {forward}, <J^T w, v> = {reverse}, {abs(forward - reverse) / size:.1e} "
                         f"of |w| |J v|, expected at most {dot}")
        if difference and not abs(forward - central) <= difference * size:
            wrong.append(f"{where}: {name}: <w, J v> = {forward}, the central difference is {central}, "
                         f"{abs(forward - central) / size:.1e} of |w| |J v|, expected at most {difference}")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--pmc", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--complete", action="store_true", help="look for builtins and ops that are in no case")
    parser.add_argument("--precision", default="f64")
    parser.add_argument("--mesh", help="a second run there gives the same numbers")
    parser.add_argument("--part", default="0/1", help="every n-th case from the i-th: i/n")
    parser.add_argument("--cases", default="", help="only these, with commas")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    begin, step = (int(word) for word in args.part.split("/"))
    names = args.cases.split(",") if args.cases else list(CASES)[begin::step]
    wrong = []
    if args.complete:
        spec = os.path.join(args.out, "all.pm")
        with open(spec, "w") as file:
            file.write(spec_of(list(CASES)))
        ir = subprocess.run(args.pmc.split() + ["--emit=pm", spec], check=True, stdout=subprocess.PIPE, text=True).stdout
        wrong = complete(args.root, ir)
        print(f"{len(CASES)} cases, {len(wrong)} complaints")
    else:
        numbers = run(args, names, args.out, args.precision, None)
        wrong = check(numbers, args.precision, args.precision)
        if args.mesh:
            split = run(args, names, args.out, args.precision, args.mesh)
            wrong += check(split, args.precision, "mesh " + args.mesh)
            near = 1e-10 if args.precision == "f64" else 1e-4
            wrong += [f"mesh {args.mesh}: {name}: {split[name][1]}, on one rank {numbers[name][1]}"
                      for name in names if not abs(split[name][1] - numbers[name][1]) <= near * numbers[name][3]]
        print(f"{len(names)} cases compared, {len(wrong)} complaints")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
