"""What functions.py runs: the fields that its expressions read, a list of expressions for each function, and what some of these want before them."""

HEADER = """
use math, special, random, order, optim, sampling, nn, cosmology, power, fields, lpt, nbody, particles, spectra, solvers, wavelets, mri, nufft, lensing, sky, multigrid, pyramid, matrices, healpix
param half = 0.5
param three: int = 3
param big: u64 = 18446744073709551557
param spare = 1.0
dim x = 6, y = 5, z = 4 over 20 Mpc/h
dim p = 3
let f = white_noise[x, y, z](11)
let g = white_noise[x, y, z](12)
let small = white_noise[x, y](13)
let batch = white_noise[p, x, y, z](14)
let c = f + 1i * g
let fk = fft(f)
let t = tabulate(u => sin(u) + half * u, from = -3, to = 4, points = 20)
let v = (f, g, f * g)
let steps = map q in [x] => half * index(q, x) - 1
let d = for e in (x, y, z) => 3 Mpc/h * f + 1.3 Mpc/h * g
let cosmo = cosmology(omega_m = 0.3 + 0.02 * half, omega_k = 0.1, w0 = -0.9, wa = 0.2)
let particles = {disp = d, mom = for e in (x, y, z) => 2 Mpc/h * g}
fn law(k) = 2000 (Mpc/h)^3 / (1 + number(k, 0.2 h/Mpc)^2)
let density = smooth(f, 4 Mpc/h)
dim x1 = 4, y1 = 4, z1 = 4 over 40 Mpc/h
dim p1 = 5, q1 = 4 over 40 Mpc/h
dim u1 = 4, v1 = 3 over 0.3
dim deep = 2
dim wide = 7
let flat = flat_lcdm(omega_m = 0.3 + 0.02 * half)
let moved = {disp = for e in (x1, y1, z1) => 3 Mpc/h * white_noise[x1, y1, z1](15), mom = for e in (x1, y1, z1) => 1 Mpc/h * white_noise[x1, y1, z1](16)}
let theta = rays[u1, v1]()
let stack = 9 Mpc/h * white_noise[deep, p1, q1](17)
let cube = white_noise[x1, y1, z1](20)
let setting = {sweeps = 1, visits = 1}
let pyramid_setting = {levels = 3, blocks = (2, 1, 2), halo = (1, 1, 2), laplacian = "exact"}
dim pixel = 48, l1 = 5, m1 = 5
let of_sky = white_noise[pixel](21)
let turned = map q in [y, x] => 9007199254740993 * int(index(q, x)) + int(index(q, y))
fn index_on(q) = int(index(q, x)) * 20 + int(index(q, y)) * 4 + int(index(q, z))
let sky = white_noise[u1, v1](18)
fn times(i) = 0.97 + 0.02 * half * i
fn observed(copies) = light_of(moved.disp, 1.5 moved.mom, shell_of(flat, times, 0), copies, 3)
fn n_of_z(z) = z * exp(-z / half)
let bent = trace_rays(flat, 200 * stack, times, theta, source_planes(flat, (0.1, half)))
fn slope(a, b) = sum(sin(a * b)) + b^3
fn bowl(s) = sum((s - 0.5)^2) + sum(s^4) / 9
fn stiff(u) = (2 + g^2) * u + smooth(u, 4 Mpc/h)
fn stiffer(u) = stiff(stiff(u))
fn slopes(u) = differences(u)
fn slopes_back(u) = differences_adjoint(u)
let coils = birdcage_maps[p, x, y, z](p, radius = 1 + half)
let lines = random_mask[x, y](2 + half, power = 1, centre = 2, seed = 5)
let data = sense(coils, lines, p).forward(c)
let kc = centred_fft(c)
fn relax(u, b) = b + 0.3 * half * sin(u) + 0.2 * conj(u)
let symmetric = ((2 + f, g), (g, 1 + f * g))
let hermitian = ((2 + f + 0i, g + 1i * f), (g - 1i * f, 1 + f * g + 0i))
let tall = ((1 + f, half * g), (g, 2 + f), (f * g, half * f))
let augmented = ((f + half, g, 1 + f), (2 + g, f, g))
fn saddle(s) = 3 * (s[0] - half)^2 + (s[1] + s[0])^2 + s[1]^4
"""

# Of one real argument: of a field, a number, and a field that is a spectrum's part.
ELEMENTWISE = {name: ["{n}(%s)" % a for a in ("f * f + 0.3", "half", "norm2(fk) + 0.1")] for name in
               "sqrt exp log log10 log1p expm1 sin cos tan tanh sinh cosh atan asinh erf erfc abs floor round rint sign".split()}
CASES = {name: [text.format(n=name) for text in texts] for name, texts in ELEMENTWISE.items()}
CASES["tan"] = ["tan(0.4 * sin(f))", "tan(half)"]
CASES.update({name: ["%s(sin(f))" % name, "%s(half)" % name] for name in ("asin", "acos")})
CASES["atanh"] = ["atanh(0.9 * sin(f))", "atanh(half)"]
CASES["acosh"] = ["acosh(1 + f^2)", "acosh(1 + half)"]
for name in ("abs", "floor", "round", "rint", "sign", "erf", "erfc", "asinh", "expm1", "sin", "atan"):
    CASES[name].append("%s(3.7 * f)" % name)
CASES["abs"] += ["abs(c)", "abs(fk)", "abs(-half)"]
CASES["exp"] += ["real(exp(c))", "imag(exp(c))"]
for name in ("sqrt", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh"):
    CASES[name] += ["real(%s(c))" % name, "imag(%s(c * (1 + 2i)))" % name, "imag(%s(half - 3i)) * half" % name]
CASES.update({
    "real": ["real(c * c)", "real(fk)"], "imag": ["imag(c * c)", "imag(fk)"], "conj": ["imag(conj(c) * (1 + 2i))", "real(conj(fk)^3)"],
    "arg": ["arg(c)", "arg(3 + c / (1 + abs(c)))"],
    "atan2": ["atan2(f, g)", "atan2(half, -2)", "atan2(f, half)"],
    "pow": ["real(pow(c, 0.7))", "imag(pow(c, half - 1i))", "real(pow(2 + f^2, c))", "imag(pow(c, 9))", "pow(f^2 + 0.1, g)", "pow(f^2, -0.7)", "pow(half, three)", "pow(2, f)"],
    "unit_of": ["number(half * 3 km / unit_of(f * 1 km), 1) * g", "(unit_of((half, 2.0)) * (f, g))[1]"],
    "elementwise": ["elementwise(u => if u[0] > u[1] then u[0] else 2 * u[1], (f, small))", "elementwise(u => 2 * u, half) * g"],
    "number": ["number(d[0], 1 Mpc/h)", "number(half * 300 km/s, 100 km/s)", "number(90 deg, 1 rad) * half"],
    "int": ["int(3 * f)", "map q in [x, y] => mod(turned, 7) + int(half)", "int(7 * half - 0.1 * three) * half", "map q in f => int(f > 0) * half", "f[x = mod(int(5 * g), 6)]",
            "map q in [p, y] => f[x = 2 * int(index(q, p)) - 1, z = mod(index(q, y), 4), edge = (\"reflect\", \"zero\")]",
            "grad(u => sum(u[y = mod(int(3 * g), 5)]^3))(f)", "bins q in f into (y, p) by (index(q, y), mod(int(9 * g), 4)) => f"],
    "div": ["div(int(9 * f), 4)", "div(int(9 * f), -3) * half", "div(three - 9, three + 1) * half"],
    "mod": ["mod(int(9 * f), 8)", "mod(int(9 * f), -5) * half", "mod(three - 9, three - 5) * half", "map q in f => mod(index(q, x), index(q, y) + 1) * half"],
    "min": ["min(f, g)", "min(f, half)", "min(f)", "min(f, over = y)", "min(f, over = (x, z))", "min(real(fk))", "min(three, 2)"],
    "max": ["max(f, g)", "max(f, half)", "max(f)", "floor(max(map q in f => if f > 0 then 7.0 else half))", "max(f, over = y)", "max(f, over = (x, z))", "max(imag(fk))", "max(three, 2)"],
    "norm2": ["norm2(v)", "norm2(c)", "norm2(fk)", "norm2((half, 2.0, f))", "map k in fk => number(norm2(k), 1 (h/Mpc)^2)"],
    "dot": ["dot(v, (g, f, f))", "dot((half, 1.0), (2.0, half))", "map k in fk => number(dot(k, k), 1 (h/Mpc)^2)"],
    "total": ["total(v)", "total((half, 2.0))"],
    "length": ["number(length(x), 1 Mpc/h) * half", "number(total(for e in (x, y, z) => length(e)), 1 Mpc/h) * half", "length(p) * half"],
    "cells": ["cells(x) * half", "cells(refine(y, 3)) * half"],
    "spacing": ["number(spacing(y), 1 Mpc/h) * half", "map q in [refine(x, 2)] => number(spacing(x), 1 Mpc/h) * half"],
    "dims": ["map q in f => total(for e in dims(f) => number(q[e], 1 Mpc/h))", "map k in fk => total(for e in dims(k) => index(k, e)) * half"],
    "directions": ["map q in batch => total(for e in directions(q) => number(q[e], 1 Mpc/h))",
                   "total(for e in directions(batch) => number(length(e), 1 Mpc/h)) * half"],
    "refine": ["refine(f, 2, over = (x, z)) * half", "grad(u => sum(refine(u, 3)^2))(f)",
               "map q in [refine(x, 2), y] => number(q[x], 1 Mpc/h) * half", "sum(paint[refine(x, 2), refine(y, 3), z](d)^2)"],
    "piece": ["f[x = piece(x, 3) + 2] * half", "number(length(piece(coarsen(x, 3), 5)), 1 Mpc/h) * half",
              "map q in [piece(y, 2), piece(refine(y, 2), 2)] => number(q[piece(y, 2)] + q[piece(refine(y, 2), 2)], 1 Mpc/h)",
              "real(fft(f[x = 3 * coarsen(x, 3) + piece(x, 5) - 1, edge = \"periodic\"], over = piece(x, 5)))"],
    "dual": ["map k in [dual(x), y, dual(z)] => index(k, x) + 10 * index(k, z) * half",
             "imag(kc * (map k in [dual(x), dual(y), dual(z)] => exp(1i * index(k, x) * half)))", "zeros[p, dual(y)] + half"],
    "half": ["map k in [dual(x), dual(y), half(z)] => index(k, x) + 10 * index(k, z) + half",
             "ifft(fk * (map k in [dual(x), dual(y), half(z)] => exp(-index(k, z)^2 * half)))"],
    "index": ["map q in f => index(q, x) + 10 * index(q, z) + half", "map k in fk => index(k, x) + 10 * index(k, z) + half"],
    "fft": ["real(fft(f))", "imag(fft(f))", "imag(fft(f, over = y))", "real(fft(c))", "imag(fft(c, over = (z, x)))",
            "imag(fft(fft(f, over = z), over = (x, y)))", "real(fft(batch, over = (x, y, z)))"],
    "ifft": ["ifft(fk)", "ifft(fk * (1 + half))", "ifft(fft(f, over = y), over = y) * half", "imag(ifft(fft(c)))",
             "ifft(map k in fk => 1i * sin(k[x] * spacing(x)) * fk)"],
    "zeros": ["zeros[x, y] + half"], "constant": ["constant[z, x](half)", "constant[p](3.5) * half"],
    "white_noise": ["white_noise[x, y, z](big)", "white_noise[refine(x, 2)](three)", "white_noise[p, z](7)"],
    "coarsen": ["coarsen(f[x + 1], 2, over = (x, z))", "map q in [coarsen(x, 3), y] => number(q[x], 1 Mpc/h) * half", "imag(coarsen(c, 5, over = y))",
                "grad(u => sum(coarsen(u, 2, over = x)^3))(f)"],
    "slice": ["slice(f, y = 2)", "slice(f, z = 1 .. 4)", "slice(f, x = three)", "slice(f, x = three - 2 .. three + 2)", "imag(slice(c, x = three))",
              "slice(f[x = p + three, y = 2 * deep + 1], p = 1)", "imag(slice(c[z = wide - 2, edge = \"reflect\"], y = 2))",
              "slice(f[x = 2 * p + deep - 1, z = wide - 1, edge = (\"periodic\", \"zero\")], y = 1 .. 3)",
              "grad(a => sum(slice(a[y = 2 * deep + p, x = wide - 1, edge = \"clamp\"], z = 1)^2 * half))(f)", "slice(f, x = three)[y = 4, z = 0]"],
    "stored": ["stored(f, \"bf16\")", "stored(100 * f, \"f16\") * f", "grad(a => sum(stored(a^2, \"bf16\")^2))(f)"],
    "shift": ["shift(f, x = 2, z = -1)", "shift(f, y = -2, x = 1, edge = (\"zero\", \"reflect\"))", "imag(shift(c, x = 3, edge = \"clamp\"))",
              "shift(v, y = 1)[1]", "map q in f => f * f[x - 2, y + 1] + shift(f, z = -2, edge = \"zero\")",
              "imag(fft(batch, over = (y, z))[x + 1] + shift(fft(batch, over = (y, z)), x = 2))",
              "grad(a => sum(a[x + 2, z - 1, edge = \"reflect\"]^2 * shift(a, y = 1)))(f)"],
    "sum": ["sum(f)", "sum(f, over = z)", "sum(f, over = (x, y))", "sum(norm2(fk))", "real(sum(fk))"],
    "mean": ["mean(f)", "mean(f, over = y)", "mean(f, over = (x, z))", "mean(norm2(fk))"],
    "finite": ["if finite(f) then f else g", "(if finite(half / (half - half)) then 1.0 else 2.0) * half",
               "map q in f => if finite(log(f)) then 1 else half"],
    "paint": ["paint(d)", "paint(d, window = \"ngp\")", "paint[refine(x, 2), y, z](d, window = \"tsc\", weight = g)",
              "paint(d, window = \"pcs\", weight = half)", "paint(d, where = g > 0)",
              "paint((log(number(d[0], 1 Mpc/h)) * 1 Mpc/h, d[1], d[2]), weight = g, where = d[0] > 0 Mpc/h)",
              "paint(d, window = \"tsc\", weight = (g, half, f * g), where = f < g)[1]", "paint(d, weight = {a = f, b = g}).b",
              "imag(paint(d, window = \"tsc\", weight = c))", "paint(d, window = {support = 5, weight = u => exp(-u^2 / 3)})",
              "paint[p, refine(x, 2), y, z](d, window = {support = 2, weight = u => 1 - u^4}, weight = batch)"],
    "readout": ["readout(f, d)", "readout(f, d, window = \"ngp\")", "readout((f, g), d, window = \"tsc\")[1]",
                "readout(paint[refine(x, 2), y, refine(z, 3)](d), d, window = \"pcs\")", "readout((f, g), d, where = f < g)[1]",
                "readout(batch, d, window = {support = 6, weight = u => cos(u / 3)})"],
    "paint_at": ["paint_at[x, y, z](for e in (x, y, z) => 9 Mpc/h * batch, window = \"%s\", weight = %s)" % pair for pair in
                 (("ngp", "1"), ("cic", "batch"), ("tsc", "half"), ("pcs", "batch"))] +
                ["paint_at[x, y](for e in (x, y) => 9 Mpc/h * sqrt(batch), weight = (batch, half), where = batch >= 0)[%d]" % i for i in (0, 1)],
    "readout_at": ["readout_at(f, for e in (x, y, z) => 9 Mpc/h * batch, window = \"%s\")" % w for w in ("ngp", "cic", "tsc", "pcs")] +
                  ["readout_at(f, for e in (x, y, z) => 9 Mpc/h * sqrt(batch), where = batch > 0)",
                   "real(readout_at(fft(c), for e in (x, y, z) => 3 * f, window = {support = 4, weight = u => exp(-u^2)}))"],
    "tabulate": ["interpolate(tabulate(u => u^2 * half, from = -1, to = half, points = three), 0.3 * half)",
                 "interpolate(tabulate(u => sin(u), from = -half, to = 9, points = 300), 7)"],
    "interpolate": ["interpolate(t, half)", "map q in f => interpolate(t, 3 * f)", "interpolate(t, 77)"],
    "derivative": ["derivative(t, half)", "map q in f => derivative(t, 3 * f)", "derivative(t, -77)"],
    "transform": ["interpolate(transform(t, (u, w) => (u + half * sin(u), w^2 - u)), %s)" % at for at in ("half", "-2.2", "9")],
    "grad": ["grad(slope)(f, half) * 9", "grad(slope, wrt = b)(f, half)", "grad(slope, wrt = (a, b))(f, half)[1]",
             "grad(bowl)(f)"],
    "value_and_grad": ["value_and_grad(slope, wrt = b)(f, half)[0]", "value_and_grad(slope)(f, half)[1]"],
    "vjp": ["vjp((a, b) => sin(a * b) + mean(a))(f, half, cotangent = g)[1]", "vjp((a, b) => sin(a * b), wrt = b)(f, half, cotangent = g)[1]"],
    "jvp": ["jvp((a, b) => sin(a * b) + mean(a))(f, half, tangent = g)[1]", "jvp(slope, wrt = b)(f, half, tangent = 2.0)[1]",
            "jvp(grad(slope))(f, half, tangent = g)[1]"],
    "inner": ["inner(f, g)", "inner(fk, fft(g))", "inner((f, half), (g, 2.0))", "inner(c, c * (1 + 2i))", "inner(t, t)"],
    "given": ["(if given(spare) then 1.0 else 2.0) * half"], "error": ["if 1 < 2 then half else error(\"never\")"],
    "pi": ["pi * half"],
    # math
    "repeated": ["repeated(f, (u, i) => coarsen(u, 2, over = (x, z)[i]), 2)", "repeated(half, (u, i) => i * u + 1, 20)"],
    "some_steps": ["some_steps(half, (u, i) => i * u + 1, 9, 14)"],
    "clamp": ["clamp(f, -0.5, half)"], "remainder": ["remainder(3 * f, half)", "remainder(three - 5, 3) * half"], "sinc": ["map q in f => sinc(if f > 0 then 0 else f)", "sinc(half)", "sinc(0)* half"],
    "product": ["product(v)", "product((half, 2.0, 3.0, 4.0, half, 1.5, half, 3.0))"],
    "integrate": ["integrate(u => exp(-u * half), from = 0, to = 3)", "integrate(u => u^half, from = half, to = 1, panels = three)", "integrate(u => (u * f, half * f^2), from = 0, to = half)[1]"],
    "rk4": ["rk4((s, u) => -u + s, f, from = 0, to = half, steps = three)", "rk4((s, u) => (u[1], -u[0]), (half, 0.0), from = 0, to = 2)[1]"],
    "gragg": ["gragg((s, u) => -u + s, f, from = 0, to = half, steps = three)", "gragg((s, u) => (u[1], -u[0]), (half, 0.0), from = 0, to = 2, steps = 2)[1]"],
    "bisect": ["bisect(u => cos(u) - u * half, 0, 3)", "grad(b => bisect(u => cos(u) - u * b, 0, 3))(half)"],
    "newton": ["newton(u => u^3 - half, u => 3 * u^2, 1)", "grad(b => newton(u => u^3 - b, u => 3 * u^2, 1.0))(half)"],
    # optim
    "gradient_descent": ["minimize(bowl, f, gradient_descent(0.1), iterations = 4)[0]"],
    "adam": ["minimize(bowl, f, adam(rate = 0.1), iterations = 4)[0]", "minimize(saddle, (half, 2.0), adam(0.05, 0.8), iterations = three)[1]"],
    "lbfgs": ["minimize(saddle, (half, 2.0), lbfgs(), iterations = 7)[1]", "minimize(bowl, small, lbfgs(evaluations = 5), iterations = 4)[0]"],
    "hmc_step": ["hmc_step(bowl, f, bowl(f), g, half, 0.1, leaps = 4).s", "hmc_step(saddle, (half, 2.0), saddle((half, 2.0)), (0.3, half), 0.1, 0.2, leaps = 5).error",
                 "hmc_step(saddle, (half, 2.0), saddle((half, 2.0)), (0.3, half), 0.99, 0.2, leaps = 5, allowed = t => t[0] < -9).taken + half"],
    "hmc_trajectory": ["hmc_trajectory(bowl, f, g, 0.1, 3, t => true, 1e9)[1]"],
    "sgd": ["minimize(bowl, f, sgd(0.05, momentum = 0.7, nesterov = true), iterations = 3)[0]", "minimize(saddle, (half, 2.0), sgd(0.02, clip = half), iterations = 4)[1]"],
    "adamw": ["minimize(bowl, f, adamw(0.1), iterations = 3)[0]"],
    "lamb": ["minimize(bowl, f, lamb(0.1), iterations = 3)[0]"],
    "averaged": ["minimize(bowl, f, averaged(gradient_descent(0.1), half), iterations = 3)[0]"],
    "constant_rate": ["constant_rate()(half)"],
    "step_rate": ["step_rate(3, half)(7 + half)"],
    "root_rate": ["root_rate(5)(half)", "root_rate(5)(17 * half)"],
    "cosine_rate": ["cosine_rate(9, warmup = 2)(half)", "cosine_rate(9, warmup = 2, last = 0.2)(9 * half)"],
    "clip_gradient": ["clip_gradient(f, half)", "clip_gradient((half, f), 1000)[1]"],
    "far_factors": ["far_factors(f, half)[1]", "far_factors({a = half, b = f}, half)[0]"],
    "clipped_gradient": ["clipped_gradient(bowl, f, half)[1]"],
    "moments": ["moments(f, {m = g, v = abs(g), t = 2 + half}, 0.8, 0.9).%s" % e for e in ("mean", "root")],
    "extent": ["extent(c)", "extent(-half)"], "no_moments": ["no_moments(c).v * half"], "kept": ["kept({a = f, b = half}, %s).a" % e for e in ("half > 1", "half < 1")],
    "trust": ["trust(f, g)", "trust({a = f, b = 0 * g}, {a = g, b = g}).b"],
    "shuffled": ["map q in [x] => shuffled(int(index(q, x)) + 3, 5, big) * half", "shuffled(17, three, three) * half", "shuffled(4, 1, 9) * half"],
    "feistel": ["feistel(three, 2, 77, 5)[0] * half"],
    "minimize": ["minimize(saddle, (half, 2.0), gradient_descent(0.05), iterations = 5)[1]"],
    "inverse": ["inverse(half) + inverse(-half)"],
    "aged": ["aged({rho = 2.0, k = 1.0}, half).rho"],
    "lbfgs_direction": ["lbfgs_direction(f, {p1 = pair1, p2 = pair0, p3 = pair0, p4 = pair1, p5 = pair0}, half)"],
    "wolfe_search": ["wolfe_search(bowl, f, g * half, bowl(f), grad(bowl)(f), false, 1e-4, 0.9, 6).%s" % e for e in ("a", "g", "loss")],
    # cosmology
    "cosmology": ["cosmo.omega_m", "omega_de(cosmo) * half"], "flat_lcdm": ["omega_de(flat_lcdm(omega_m = half))"],
    "omega_de": ["omega_de(cosmo) * half"],
    "dark_energy": ["dark_energy(cosmo, half)"], "E": ["E(cosmo, half)"], "dlnE_dlna": ["dlnE_dlna(cosmo, half)"],
    "Omega_m": ["Omega_m(cosmo, half)"],
    "raw_growth": ["raw_growth(cosmo, half).D1"],
    "growth": ["growth(cosmo, half).%s" % e for e in ("D1", "D2", "dD1", "f1", "f2", "G")] + ["growth(cosmo, half, d2 = \"true\").D2"],
    "kick": ["kick(growth(cosmo, half), growth(cosmo, 0.4), growth(cosmo, 0.6))"],
    "drift": ["drift(growth(cosmo, half), growth(cosmo, 0.4), growth(cosmo, 0.6))"],
    "geodesics": ["geodesics(half / 10, three).sine", "geodesics(-0.01 * half, half).cosine", "geodesics(-half, three).sine"],
    "space_curvature": ["number(space_curvature(cosmo), 1 / (1000 Mpc/h)^2) * half"],
    "transverse_distance": ["number(transverse_distance(cosmo, half * 2000 Mpc/h), 1 Mpc/h)"],
    "comoving_distance": ["number(comoving_distance(cosmo, half), 1 Mpc/h)"],
    # power
    "eisenstein_hu": ["interpolate(eisenstein_hu(cosmo), -half)"], "eisenstein_hu_smooth": ["interpolate(eisenstein_hu_smooth(cosmo), -half)"],
    "log_table": ["interpolate(log_table(tabulate(u => 1 + u * half, from = 1, to = 9, points = 5)), half)"],
    "spectrum": ["number(spectrum(t)(half * 1 h/Mpc), 1 (Mpc/h)^3)"], "scaled": ["interpolate(scaled(t, half), half)"],
    "sigma_r": ["sigma_r(law, half * 8 Mpc/h)"], "top_hat": ["map q in f => top_hat(abs(f) * half)", "top_hat(0.001 * half)"],
    "linear_power": ["interpolate(linear_power(cosmo, k => 1 / (1 + k^2)), half)"],
    "eisenstein_hu_transfer": ["eisenstein_hu_transfer(cosmo)(half)", "eisenstein_hu_transfer(cosmo, t_cmb = 2.7)(0.01 * half)"],
    "eisenstein_hu_smooth_transfer": ["eisenstein_hu_smooth_transfer(cosmo)(half)"],
    # fields
    "wave": ["map k in fft(batch, over = (x, y, z)) => number(norm2(wave(k)), 1 (h/Mpc)^2)"],
    "gaussian_field": ["gaussian_field[x, y, z](law, three)", "gaussian_field[p, x, y](law, three)"],
    "colour": ["colour(f, law)", "colour(batch, law)"],
    "gradient": ["number(gradient(f)[%d], 1 h/Mpc)" % i for i in range(3)] + ["number(gradient(f, \"fd4\", over = (x, z))[1], 1 h/Mpc)"],
    "divergence": ["divergence(d) * half", "divergence(d, \"fd4\")", "divergence((steps)) * half"],
    "as_vector": ["as_vector(steps, directions(steps))[0]"],
    "inverse_laplacian": ["number(inverse_laplacian(f), 1 (Mpc/h)^2)", "number(inverse_laplacian(batch, \"fd2\"), 1 (Mpc/h)^2)"],
    "smooth": ["smooth(f, half * 9 Mpc/h)", "smooth(batch, 3 Mpc/h)"],
    "compensate": ["compensate(f)", "compensate(f, \"pcs\")"],
    "gradient_kernel": ["map k in fk => number(gradient_kernel(k, x, \"%s\"), 1 h/Mpc)" % kind for kind in ("exact", "fd2", "fd4", "fd6")],
    "fd4": ["fd4(f * half)"], "fd6": ["fd6(f * half)"],
    "central_difference": ["number(central_difference(f, y, \"%s\"), 1 h/Mpc)" % kind for kind in ("fd2", "fd4", "fd6")] +
                          ["number(central_difference(batch, z), 1 h/Mpc)"],
    "inverse_laplacian_kernel": ["map k in fk => number(inverse_laplacian_kernel(k, \"%s\"), 1 (Mpc/h)^2)" % kind for kind in ("exact", "fd2")],
    "window_kernel": ["map k in fk => window_kernel(k, \"%s\")" % w for w in ("ngp", "cic", "tsc", "pcs")],
    "shifted": ["shifted(f, y, 2)", "imag(shifted(c, x, -7))"], "convolved": ["convolved(f, (0.2, half, 0.2))", "convolved(batch, (0.2, 0.6, 0.2), 2)"],
    "part": ["part(f, x, three, 2)"], "padded": ["padded(f, y, 2)", "padded(f, z, 1, edge = half)"],
    "blocks": ["blocks(f, x, 2)", "blocks(f, x, 3, halo = 1, edge = \"clamp\")"], "joined": ["joined(f[x = 2 * coarsen(x, 2) + piece(x, 2)], 0 * f, x, 2) + half * f"],
    "cumsum": ["cumsum(f, over = x)", "imag(cumsum(c, over = (z, y)))", "cumsum(v, over = z)[2]"],
    "cumsum_along": ["cumsum_along(f, x)"], "cumsum_by_doubling": ["cumsum_by_doubling(f, y)"],
    "counts_before": ["counts_before(f)[0]", "counts_before(f)[1]"],
    "bin_of": ["bins q in f into 3 by bin_of(f, -1.5, half) => f"],
    "bin_between": ["bins q in f into 3 by bin_between(f, (-1, half, 1, 2.5)) => f"],
    "bin_along": ["bins q in f into 3 by bin_along(f, steps) => f"],
    "taps_kernel": ["map k in fk => taps_kernel(k, (0.2, half, 0.2), 2)"],
    # lpt, nbody, particles
    "lpt": ["number(lpt(cosmo, density, half).%s, 1 Mpc/h)" % e for e in ("disp[0]", "mom[2]")] +
           ["number(lpt(cosmo, density, half, order = 1, kernel = \"exact\", laplacian = \"fd2\").mom[1], 1 Mpc/h)"],
    "lpt_displacement": ["number(lpt_displacement(fft(density), \"exact\")[1], 1 Mpc/h)"],
    "second_order_source": ["second_order_source(fft(density))", "second_order_source(fft(density), \"exact\", \"fd2\")"],
    "nbody_observed": ["number(nbody_observed[p](cosmo, lpt(cosmo, density, 0.2), from = 0.2, to = half, observe = s => s.mom[0] + s.a * s.disp[1])[1], 1 Mpc/h)",
                       "number(nbody_observed[p](cosmo, lpt(cosmo, density, 0.2), 0.2, half, s => s.a)[0].disp[2], 1 Mpc/h)"],
    "multiples": ["number(multiples(3 Mpc/h)(half * 0.3 Mpc/h), 1 Mpc/h)"],
    "steps_in_a": ["steps_in_a(half, 1, three).at(2)"], "steps_in_ln_a": ["steps_in_ln_a(half, 1, three).at(%d)" % i for i in (2, 9)],
    "steps_at": ["steps_at((half, 0.7, 0.8)).at(three - %d) * half" % i for i in (1, 2, 4)],
    "require_times": ["(if half > 9 then { require_times(\"nbody\", steps_in_a(-1, 1, 2), {disp = density}); 1.0 } else 2.0) * half"],
    "require_time": ["(if half > 9 then { require_time(\"nbody\", \"from\", {a = 0.1}, half); 1.0 } else 2.0) * half"],
    "nbody_cycle": ["number(nbody_cycle(flat, moved, i => 0.1 * i, 5, 1, \"cic\", fourier_force()).%s, 1 Mpc/h)" % e for e in
                    ("next.disp[0]", "next.mom[1]", "here.mom[2]")],
    "nbody": ["number(nbody(cosmo, lpt(cosmo, density, 0.2), from = 0.2, to = half, steps = 2%s).mom[0], 1 Mpc/h)" % e for e in
              ("", ", boost = 2, kernel = \"exact\", laplacian = \"fd2\", window = \"tsc\"")] +
             ["number(nbody(cosmo, lpt(cosmo, density, 0.2), times = %s).mom[1], 1 Mpc/h)" % e for e in
              ("steps_in_ln_a(0.2, half, 2)", "steps_at((0.2, 0.3, half))")],
    "force_at": ["number(force_at(moved.disp, 1, \"cic\", %s)[0], 1 Mpc/h)" % e for e in ("multigrid(1)", "pyramid(halo = 1)")],
    "fourier_force": ["number(fourier_force(\"%s\", \"fd2\")(cube, half)[2], 1 Mpc/h)" % kind for kind in ("exact", "fd4", "fd6")],
    "force": ["number(force(d)[1], 1 Mpc/h)", "number(force(d, boost = 2, window = \"pcs\")[2], 1 Mpc/h)"],
    "overdensity": ["overdensity(particles)", "overdensity(particles, boost = 2, window = \"tsc\")"],
    "mesh_overdensity": ["mesh_overdensity(d)"],
    "positions": ["number(positions(particles)[%d], 1 Mpc/h)" % i for i in (0, 2)],
    "wrap": ["map q in f => wrap(f, half)"], "velocities": ["number(velocities(particles, half)[1], 1 km/s)"],
    "redshift_space": ["number(redshift_space(cosmo, particles, half, y).disp[1], 1 Mpc/h)"],
    # lensing
    "hubble_distance": ["number(hubble_distance(), 1 Mpc/h) * half"], "scale_factor": ["scale_factor(flat, half * 2000 Mpc/h)"],
    "equal_shells": ["equal_shells(flat, half * 1000 Mpc/h, 4)(three)", "equal_shells(flat, half * 1000 Mpc/h, 4, near = 30 Mpc/h)(4)"],
    "same_copies": ["total(same_copies(three).turn[1]) * half"],
    "turned_copies": ["map q in [p] => turned_copies(%s)(index(q, p)).%s" % pair for pair in
                      (("three", "turn[1][0]"), ("0", "turn[2][0]"), ("2", "shift[2]"))],
    "shell_of": ["number(shell_of(flat, times, three).%s, 1 Mpc/h)" % e for e in ("far", "near", "chi")] + ["shell_of(flat, times, three).a"],
    "light_of": ["light_of(moved.disp, 1.5 moved.mom, shell_of(flat, times, 0), turned_copies(0), 4).each(seen => sum(seen.met), 0.0)"],
    "crossing": ["number(crossing(moved.disp, moved.mom, half * 40 Mpc/h, 30 Mpc/h, turned_copies(1)(three)).at[%d], 1 Mpc/h)" % i for i in (0, 1)] +
                ["crossing(moved.disp, moved.mom, half * 40 Mpc/h, 30 Mpc/h, same_copies(0)).%s" % e for e in ("met", "fraction")],
    "light_cone": ["number(light_cone(flat, moved, times, 2, zeros[deep, p1, q1], keep_planes[deep, p1, q1](), turned_copies(3)).seen, 1 Mpc/h)",
                   "number(light_cone(flat, moved, times, 2, 0 * theta[0], observe = u => 0 * theta[0]).particles.mom[1], 1 Mpc/h)"],
    "on_planes": ["on_planes[p1, q1](u => number(u.sigma, u.chi))(observed(same_copies))"],
    "keep_planes": ["number(keep_planes[deep, p1, q1]()(observed(same_copies)), 1 Mpc/h)"],
    "lens_plane": ["number(lens_plane[p1, q1](observed(turned_copies(3))).sigma, 1 Mpc/h)"],
    "plane_of": ["number(plane_of(flat, stack, times, 1).sigma, 1 Mpc/h)", "plane_of(flat, stack, times, 1).a"],
    "over_planes": ["over_planes(flat, stack, times, 0 Mpc/h, u => u.a * sum(u.sigma)) / 1 Mpc/h"],
    "strength": ["number(strength(flat, plane_of(flat, stack, times, 1)), 1 h/Mpc)"],
    "lens": ["lens(1 h/Mpc * white_noise[p1, q1](19)).deflection[1]"] +
            ["number(lens(1 h/Mpc * white_noise[p1, q1](19)).tidal[%d], 1 h/Mpc)" % i for i in range(3)],
    "efficiency_of": ["efficiency_of(cosmo, half * 300 Mpc/h, 900 Mpc/h)", "efficiency_of(flat, half * 300 Mpc/h, 20 Mpc/h) * half"],
    "source_planes": ["source_planes(flat, (0.02, half))(half * 300 Mpc/h)[1]"],
    "source_distribution": ["source_distribution(flat, n_of_z, 1.5)(half * 900 Mpc/h)"],
    "rays": ["rays[u1, v1]()[0] * half", "rays[u1, v1]()[1] * half"],
    "born": ["over_planes(flat, 99 * stack, times, 0 * sky, born(flat, theta, u => 0.7 * half, \"tsc\"))"],
    "born_shear": ["over_planes(flat, 99 * stack, times, (0 * sky, 0 * sky), born_shear(flat, theta, u => 0.7 * half))[%d]" % i for i in (0, 1)],
    "all_around": ["all_around(observed(same_copies), seen => sum(seen.met), 0.0, (half, 0.4, 0.5), 2)"],
    "crossing_sphere": ["crossing_sphere(observed(same_copies), (-20 Mpc/h, 9 Mpc/h * half, 5 Mpc/h)).%s" % e for e in ("met", "fraction")],
    "keep_shells": ["keep_shells[deep, pixel](most = 1)(observed(same_copies))"], "light_of_nothing": ["half + light_of_nothing[pixel]()"],
    "born_sphere": ["born_sphere[pixel](flat, u => 0.7 * half)(observed(same_copies))"],
    "convergence_of_parts": ["convergence_of_parts(flat, u => 0.7 * half, observed(same_copies), 0.01, (f, g))"],
    "born_particles": ["born_particles[u1, v1](flat, u => 0.7 * half)(observed(same_copies))"],
    "trace_rays": ["trace_rays(flat, 200 * stack, times, theta, u => 0.7 * half).%s" % e for e in ("beta[1]", "omega", "gamma2")] +
                  ["bent.%s + 0 * trace_rays(flat, stack, times, theta, u => 0.7).kappa" % e for e in ("kappa[1]", "gamma1[0]")],
    "intrinsic_alignment": ["over_planes(flat, stack, times, 0 * sky, intrinsic_alignment(flat, theta, n_of_z, 1.5, half))"],
    "limber": ["1e9 * limber(flat, half * 300, source_planes(flat, (half, 1.0)), (k, a) => a * law(k), from = 0.5)[1]"],
    "limber_planes": ["1e9 * limber_planes(flat, half * 300, source_planes(flat, (half, 1.0)), (k, a) => a * law(k), times, 3, 300 Mpc/h, panels = 2)[1]"],
    "lost_at_ends": ["1e-5 * number(lost_at_ends(half * 0.2 h/Mpc, law, 3), 1 (Mpc/h)^4)"],
    "grown": ["number(grown(flat, law)(half * 1 h/Mpc, half), 1 (Mpc/h)^3)"],
    # pyramid
    "pyramid": ["number(pyramid(2, (2, 1, 4), 1)(cube, half)[%d], 1 Mpc/h)" % i for i in (0, 2)],
    "banded_potential": ["number(banded_potential(cube, 3, 1, 0, \"fd2\"), 1 (Mpc/h)^2)",
                         "grad(u => number(sum(banded_potential(u, 2, (2, 2, 1), 1)^2), 1 (Mpc/h)^4))(cube) * half"],
    "checked_halo": ["checked_halo(cube, pyramid_setting).levels * half"],
    "whole_band": ["number(whole_band(cube, pyramid_setting), 1 (Mpc/h)^2)"],
    "fine_band": ["number(fine_band(cube, pyramid_setting, 1), 1 (Mpc/h)^2)"],
    "short_range": ["number(short_range(cube, pyramid_setting, 0, (x1, z1)), 1 (Mpc/h)^2) * half"],
    "low_pass": ["map k in fk => low_pass(k) * half"], "remaining": ["map k in fk => remaining(k, 2) * half"],
    "gaussian": ["map k in fk => gaussian(k, y) * half"], "longest_cell": ["map k in fk => number(longest_cell(k), 1 Mpc/h) * half"],
    "in_blocks": ["in_blocks(cube, y1, 2, 1, u => smooth(u, 4 Mpc/h, over = piece(y1, 4)) + half)"],
    "reduced": ["reduced(cube) * half"], "expanded": ["imag(expanded(cube * (1 + half * 1i)))"],
    # nn
    "count_of": ["count_of((x, y))"],
    "he": ["he[x, y](3, 7)"], "glorot": ["glorot[x, p](3, 7, half)"],
    "dense_start": ["dense_start[x, p](5).weight", "dense_start[x, p](5).bias"],
    "conv_start": ["conv_start[p, u1](5, (x, y)).weight", "conv_start[p, u1](5, x, size = 2).weight"],
    "norm_start": ["norm_start[p]().scale + norm_start[p]().shift"],
    "dense": ["dense(batch, dense_start[p, u1](5), p)"],
    "conv": ["conv(batch[z = 1], conv_start[p, u1](5, (x, y)), p, (x, y))", "conv(batch[z = 1], conv_start[p, u1](5, (x, y)), p, (x, y), edge = \"reflect\")",
             "conv(batch[z = 1, y = 0], conv_start[p, u1](5, x), p, x, stride = 2)"],
    "correlate": ["correlate(batch[z = 1, y = 0], conv_start[p, u1](5, x).weight, p, x, 3, 1, 2, \"zero\")"],
    "seen": ["seen(f, (x, z), 2, 2, 1, \"periodic\")"], "seen_along": ["seen_along(f, x, 3, 2, 1, \"zero\")"],
    "up_conv": ["up_conv[p, x, z](mean_pool(batch[y = 0], (x, z))[p = u1, edge = \"periodic\"], {weight = conv_start[p, u1](5, (x, z), size = 2).weight, bias = batch[x = 0, y = 0, z = 0]}, p, (x, z))"],
    "max_pool": ["max_pool(batch, (x, z))"], "mean_pool": ["mean_pool(f, x, size = 3)"],
    "pooled": ["pooled(f, (x, z), 2, (g, along) => sum(g^2, over = along))"],
    "residual": ["residual(f, u => half * u^2)"],
    "standardized": ["standardized(batch, (p, x))"],
    "layer_norm": ["layer_norm(batch, {scale = batch[x = 0, y = 0, z = 0], shift = batch[x = 1, y = 0, z = 0]}, (p, x, y, z))"],
    "batch_norm": ["batch_norm(batch, {scale = batch[x = 0, y = 0, z = 0], shift = half}, (x, y, z))"],
    "group_norm": ["group_norm(batch, {scale = 1 + f[y = 0, z = 0], shift = half}, x, (y, z), 3)"],
    "relu": ["relu(f)"], "leaky_relu": ["leaky_relu(f)", "leaky_relu(f, half)"], "sigmoid": ["sigmoid(f)"], "softplus": ["softplus(f)"], "gelu": ["gelu(f)"],
    "softmax": ["softmax(batch, p)", "softmax(f, (x, y))"], "log_softmax": ["log_softmax(batch, p)"],
    "dropout": ["dropout(f, 0.3, 5)"],
    "mean_square": ["mean_square(f, g)"], "mean_absolute": ["mean_absolute(f, g)"], "gaussian_loss": ["gaussian_loss(f, half * g, g)"],
    "cross_entropy": ["cross_entropy(batch, softmax(batch^2, p), p)", "cross_entropy(batch, map q in f => if f > half then 2 else int(f > 0), p)"],
    "class_entropy": ["class_entropy(batch, map q in f => int(f > half), p)"],
    "shared_dims": ["shared_dims((p, x, u1), dims(batch)) * half", "shared_dims(p, dims(f)) * half"],
    "fitting": ["fitting(conv_start[p, u1](5, (x, y)).weight, (p, x, y), p, (x, y), 3)"],
    # multigrid
    "poisson": ["number(poisson(cube, 2, \"fd4\", shape = \"W\"), 1 (Mpc/h)^2)", "number(poisson(small, 1, sweeps = 3), 1 (Mpc/h)^2)"],
    "elliptic": ["elliptic(cube, 1 (Mpc/h)^2 * (2 + cube^2), half, cycles = 2)"],
    "multigrid": ["number(multigrid(2)(cube, half)[1], 1 Mpc/h)"],
    "difference": ["number(difference(cube, y1), 1 h/Mpc)"],
    "improved": ["number(improved(poisson_problem(), 1 (Mpc/h)^2 * cube, cube, 1), 1 (Mpc/h)^2)"],
    "solution": ["number(solution(poisson_problem(), cube, 1), 1 (Mpc/h)^2)"],
    "halvings": ["halvings(cube) * half"],
    "poisson_problem": ["number(poisson_problem(\"fd4\").apply(0, cube), 1 (h/Mpc)^2)"],
    "laplacian_difference": ["number(laplacian_difference(cube, \"%s\"), 1 (h/Mpc)^2)" % e for e in ("fd2", "fd4")],
    "elliptic_problem": ["number(elliptic_problem((cube^2, 0 (h/Mpc)^2 * cube)).diagonal((cube^2, 0 (h/Mpc)^2 * cube), cube), 1 (h/Mpc)^2)"],
    "coarser": ["coarser(elliptic_problem((cube, cube))).data[1]"],
    "cycle": ["number(cycle(poisson_problem(), cube, setting, 1), 1 (Mpc/h)^2)"],
    "coarsest": ["number(coarsest(poisson_problem(), cube, setting), 1 (Mpc/h)^2)"],
    "corrected": ["number(corrected(poisson_problem(), cube, setting, coarsest), 1 (Mpc/h)^2)"],
    "swept": ["number(swept(poisson_problem(), 1 (Mpc/h)^2 * cube, cube, 4, 1), 1 (Mpc/h)^2)"],
    "step": ["number(step(poisson_problem(), 1 (Mpc/h)^2 * cube, cube, 2, 1), 1 (Mpc/h)^2)"],
    "chebyshev_weight": ["chebyshev_weight(poisson_problem(), 4, 1) * half"], "most_cells": ["most_cells(small) * half"],
    "halved": ["halved(cube)"], "doubled": ["doubled(cube) + half"],
    "along_directions": ["along_directions(cube, (u, e) => u + half * u[e + 1])"],
    # sky
    "shear_kernel": ["map k in fft(sky) => shear_kernel(k)[%d]" % i for i in (0, 1)],
    "shear_from_convergence": ["shear_from_convergence(sky)[%d]" % i for i in (0, 1)],
    "kaiser_squires": ["kaiser_squires(sky, sky^2)[%d]" % i for i in (0, 1)],
    "angular_spectrum": ["angular_spectrum(sky, half, 20, 3)[%d]" % i for i in range(3)],
    "flat_map": ["flat_map(sky) * half"],
    "angular_cross": ["angular_cross(sky, sky^3, half, 20, 3, weight = 1 + sky^2)[1]"],
    "band_means": ["band_means[wide](l => l^2 * half, half, 20, 3)"],
    "aperture_mass": ["aperture_mass(sky, 0.1 * half)"], "peaks": ["peaks(sky) * half"],
    "peak_counts": ["peak_counts(sky, -2, half, 9)"], "histogram": ["histogram(sky, -2, half, 9)"],
    # spectra
    "power_spectrum": ["number(power_spectrum(f)[0], 1 h/Mpc)", "number(power_spectrum(f, \"cic\")[1], 1 (Mpc/h)^3)", "power_spectrum(f)[2]"],
    "cross_spectrum": ["number(cross_spectrum(f, g)[1], 1 (Mpc/h)^3)"], "transfer_function": ["transfer_function(f, f + half * g)[1]"],
    "correlation": ["correlation(f, f + half * g)[1]"], "single": ["single(f) * half"],
    "shells": ["number(shells(fk, fft(g), \"none\")[1], 1 (Mpc/h)^3)"],
    # solvers
    "cg": ["jvp(b => cg(stiff, b, 1e-12, 30))(f, tangent = g)[1]", "real(cg(stiff, c, 1e-12, 40))", "grad(b => sum(cg(u => stiff(u) + b * u, f, 1e-13, 40) * g))(half)"],
    "conjugate_gradients": ["conjugate_gradients(stiff, f, g, 1e-30, three).x", "conjugate_gradients(stiff, c, c, 1e-3).count * half",
                            "conjugate_gradients(stiff, f, g, 1e-30, three).residual",
                            "grad(b => sum(conjugate_gradients(u => stiff(u) + b * u, f, 0 * f, 0, 3).x * g))(half)"],
    "fixed_point": ["real(fixed_point(u => relax(u, 0.1 * f), 0 * f, 1e-13, 80))", "grad(b => sum(fixed_point(u => relax(u, b * f), 0 * f, 1e-13, 80) * g))(half)"],
    "implicit": ["implicit(0.3 * f, u => relax(u, 0.1 * g), 1e-13, 80)", "grad(b => sum(implicit(0.1 * f, u => relax(u, b * g), 1e-13, 80) * g))(half)"],
    "resolvent": ["resolvent(u => relax(u, f), f, g, 1e-13, 80) + half"],
    "resolvent_adjoint": ["resolvent_adjoint(u => relax(u, f), f, g, 1e-13, 80, f * g)[2]"],
    "squares": ["squares(f) * half", "squares(c)", "squares((f, g))[1]"],
    "rows": ["rows(tall) * half"], "few_rows": ["few_rows(tall) * half"], "conj_transposed": ["imag(conj_transposed(hermitian)[0][1])", "conj_transposed(tall)[1][2]"],
    "matrix_product": ["matrix_product(tall, symmetric)[2][1]"], "matrix_vector": ["matrix_vector(tall, (f, half))[1]"],
    "solve": ["map q in f => solve(symmetric, (f, half))[1]", "map q in f => real(solve(hermitian, (f, half))[0])", "solve(((half, 2.0, 1.0), (1.0, 0.0, 3.0), (2.0, 1.0, half)), (1.0, 2.0, 3.0))[2]"],
    "inverse_matrix": ["map q in f => inverse_matrix(symmetric)[0][1]"],
    "reduced_rows": ["map q in f => reduced_rows(augmented, 2)[1][2]"], "cleared": ["map q in f => cleared(augmented, 1, 2)[0][2]", "cleared(augmented, 2, 2)[0][2] * half"],
    "cleared_column": ["map q in f => cleared_column(augmented, 0, 2)[1][2]"], "squared_size": ["squared_size(c) * half", "squared_size(f)"],
    "eigh": ["map q in f => eigh(symmetric).values[0]", "map q in f => eigh(symmetric).vectors[0][1]^2", "eigh(((half, 2.0, 1.0), (2.0, 0.0, 3.0), (1.0, 3.0, half))).values[1]",
             "grad(u => sum(map q in u => eigh(((u, g), (g, 2 + f))).values[1] * f))(f)"],
    "complex_eigh": ["map q in f => complex_eigh(hermitian).values[1]", "map q in f => norm2(complex_eigh(hermitian).vectors[0][1])"],
    "frozen": ["frozen(f) + half", "grad(u => sum(frozen(u) * u))(f)"],
    "solution_of": ["map q in f => solution_of(symmetric, (f, half))[1]"], "inverse_of": ["map q in f => inverse_of(symmetric)[1][0]"],
    "column_units": ["column_units(((half, 2.0), (1.0, half)), (1.0, 2.0))[1] * half"], "row_units": ["row_units(((half, 2.0), (1.0, half)), (1.0, 2.0))[1] * half"],
    "pure": ["pure(2 km) * f"], "unit_of_all": ["unit_of_all(((half, 2.0), (1.0, half))) * f"],
    "pure_eigensystem": ["map q in f => pure_eigensystem(symmetric, u => frozen(u)).values[1]"],
    "pure_singular_system": ["map q in f => pure_singular_system(symmetric, u => frozen(u)).values[0]"],
    "eigensystem": ["map q in f => eigensystem(symmetric, u => frozen(u)).values[1]"], "partner": ["partner(3, 1, 4) * half"],
    "rotated": ["map q in f => rotated(symmetric, symmetric, 0)[0][0][0]", "map q in f => rotated(symmetric, symmetric, 0)[1][0][1]"],
    "rotation": ["map q in f => rotation(f, g, half)[1]", "map q in f => imag(rotation(f, g, c)[1])"],
    "exchanged": ["map q in f => exchanged((f, g), symmetric, 0)[0][0]", "map q in f => exchanged((f, g), symmetric, 0)[1][1][0]"],
    "refined": ["map q in f => refined(((1 + f^2, 0.01 * g), (0.01 * g, -1 - g^2)), ((1.0, 0.001), (-0.001, 1.0))).vectors[0][1]"],
    "svd": ["map q in f => svd(tall).values[1]", "map q in f => svd(tall).u[2][0] * svd(tall).v[1][0]"],
    "complex_svd": ["map q in f => complex_svd(hermitian).values[0]"], "singular_system": ["map q in f => singular_system(symmetric, u => frozen(u)).values[0]"],
    "complex_frozen": ["imag(complex_frozen(c)) + half"], "imaginary_part": ["imag(imaginary_part(c)) * half", "imaginary_part(f) + half"],
    "column_product": ["map q in f => imag(column_product(hermitian, 2, 0, 1))", "map q in f => column_product(tall, 3, 1, 1)"],
    "columns_rotated": ["map q in f => columns_rotated(tall, 3, 0)[2][1]", "map q in f => imag(columns_rotated(hermitian, 2, 0)[1][0])"],
    "singular_derivatives": ["map q in f => singular_derivatives(tall, ((1.0, 0.0), (0.0, 1.0), (0.1, 0.0)), ((1.0, 0.1), (-0.1, 1.0)), u => frozen(u)).values[1]",
                             "grad(u => sum(map q in u => singular_derivatives(((u, g), (g, 2 + f), (f, 1.0)), ((1.0, 0.0), (0.0, 1.0), (0.1, 0.0)), ((1.0, 0.1), (-0.1, 1.0)), e => frozen(e)).u[2][1] * f))(f)"],
    "held": ["held(f) * half", "grad(b => b * held(b))(half)"], "held_adjoint": ["held_adjoint(f, g) * half"],
    "solved_tangent": ["solved_tangent(stiff, f, 1e-12, 30, (0, g, 0, 0))"],
    "resolvent_tangent": ["resolvent_tangent(u => relax(u, f), f, g, 1e-13, 80, (0, 0, f * g, 0, 0))"],
    "zero_of": ["zero_of(stiff, f) + half"],
    "solved": ["solved(stiff, f, 1e-9, 30) + half"], "solved_adjoint": ["solved_adjoint(stiff, f, 1e-12, 30, g)[1]"],
    "of_length_1": ["of_length_1(f)"], "reciprocal": ["reciprocal(half) * g", "reciprocal(half - half) * g"],
    "power_iteration": ["power_iteration(stiff, f, three).value", "imag(power_iteration(stiff, c).vector)"],
    "fista": ["fista(u => stiff(u) - f, (u, b) => soft_threshold(u, half * b), g, 0.1, 9%s" % e for e in
              (").x", ", restart = false).x", ", tolerance = 0.1).count * half", ").change")],
    "pogm": ["pogm(u => stiff(u) - f, (u, b) => soft_threshold(u, half * b), g, 0.1, 9%s" % e for e in
             (").x", ", restart = false).x", ", tolerance = 0.1).count * half", ").change")],
    "condat_vu": ["condat_vu(u => stiff(u) - f, (u, b) => max(u, -half), (u, b) => into_ball(u, half), slopes, slopes_back, g, 0.05, 0.3, 7).%s" % e
                  for e in ("x", "dual[1]", "change")],
    "admm": ["real(admm((u, old) => conjugate_gradients(q => stiff(q) + half * slopes_back(slopes(q)), c + half * slopes_back(u), old, "
             "1e-13, 60).x, (u, b) => group_soft_threshold(u, 0.3 * b), slopes, 0 * c, half, 5).x)"],
    "relative_change": ["relative_change(f, g) * half", "relative_change(f, 0 * g) * half"],
    "going": ["(if going(half, 0.1) and not going(half, 0.6) then 1.0 else 2.0) * half"],
    "soft_threshold": ["soft_threshold(f, half)", "imag(soft_threshold(c, half))", "grad(u => sum(soft_threshold(u, half)^2))(0 * f)"],
    "group_soft_threshold": ["imag(group_soft_threshold((c, 2 * c), half)[1])", "group_soft_threshold(v, half)[0]"],
    "ball_factor": ["ball_factor(f, half, u => abs(u))", "ball_factor(v, max(g, 0), u => magnitude(u))", "half * ball_factor(f, 0, u => abs(u))"],
    "range_root": ["range_root(1e-9 * f) * half", "range_root((1e9 * c, c)) * half", "range_root(0 * f) * half"],
    "twice_times": ["twice_times(half, f)"], "in_range": ["in_range(1000 * v)[2]"], "product_of": ["product_of(f, g)", "product_of(0 * f, g) + half"],
    "inner_square": ["inner_square(v)"], "ratio_of_roots": ["ratio_of_roots(half, 3)", "ratio_of_roots(half, 0 * half)"],
    "into_ball": ["into_ball(v, half)[2]"], "magnitude": ["magnitude((c, f + 0i))"],
    "norm2_of": ["norm2_of(c)", "norm2_of(f)"],
    # wavelets
    "wavelet_filter": ["wavelet_filter(\"%s\")[1] * half" % e for e in ("haar", "db2", "db3", "db4", "db5", "db6", "db7", "db8", "sym4", "sym8")],
    "high_pass": ["high_pass(wavelet_filter(\"db2\"))[2] * half"],
    "wavelet": ["wavelet(f, \"haar\", 1, over = (x, z))", "imag(wavelet(c, \"db4\", 1, over = (x, z)))", "wavelet(batch, \"db2\", 2, over = (z))", "wavelet(f, \"haar\", 1, over = (x, z), place = three)"],
    "inverse_wavelet": ["inverse_wavelet(f, \"db3\", 1, over = (x, z))", "grad(u => sum(inverse_wavelet(u, \"db2\", 1, over = (z)) * g))(f)"],
    "transposed_tap": ["transposed_tap((1.0, 2.0), (3.0, 4.0), 0, 1) * half"], "whole_cells": ["whole_cells(f, 1, (x, z))"],
    "along_each": ["along_each(f, (half, 1.0), (2.0, 3.0), -1, 1, (x, y))"],
    "along_dims": ["along_dims(f, (x, y), (u, e) => u + half * u[e + 1])"],
    "grid_index": ["map q in f => grid_index(q, z, (x, z), half)"],
    "fista_in_turns": ["fista_in_turns(u => stiff(u) - f, (u, b, i) => soft_threshold(u, half * b / (1 + i)), g, 0.1, 5).x"],
    "shrink_details": ["shrink_details(f, half, 1)"], "wavelet_shrink": ["wavelet_shrink(f, half, \"haar\", 1, over = (x, z))"],
    "rolled": ["imag(rolled(c, 3))", "rolled(batch, 2, over = (y, z))"],
    "cycle_spin": ["cycle_spin(f, u => wavelet_shrink(u, half, \"haar\", 1, over = (x, z)), 2)"],
    "starlet": ["starlet(f, 2)[%d]" % i for i in range(3)] + ["imag(starlet(c, 2, over = (x, y))[1])"],
    "starlet_adjoint": ["starlet_adjoint(starlet(f, 2), 2)"],
    "starlet_kernel": ["map k in fk => starlet_kernel(k, 1, 2)"], "smoothing_kernel": ["map k in fk => smoothing_kernel(k, 2)"],
    # mri
    "centred_fft": ["real(centred_fft(c))", "imag(centred_fft(f, over = (x, y)))"], "centred_ifft": ["real(centred_ifft(kc * (1 + half)))"],
    "centre_phase": ["map k in kc => real(centre_phase(k, (x, y, z)))"], "k_grid": ["abs(k_grid[x, y]()) + half"],
    "to_modes": ["real(to_modes(f))", "imag(to_modes(c, over = (y, z)))"], "k_noise": ["real(k_noise[x, y, z](half, three))"],
    "uniform_mask": ["uniform_mask[x, y](2, centre = 1) * half"], "caipi_mask": ["caipi_mask[x, y]((2, 3), 1) * half"],
    "random_mask": ["random_mask[x, y](2 + half, 1, 2, 5) * half"], "is_central": ["map k in fk => if is_central(k, (x, y), 3) then half else 0"],
    "birdcage_maps": ["real(birdcage_maps[p, x, y, z](p, 1 + half))", "imag(birdcage_maps[p, x, y, z](p, 1.5, rings = 3))", "imag(birdcage_maps[x, p, z](p))"],
    "low_resolution_maps": ["real(low_resolution_maps(centred_fft(coils * c), p, 4))"],
    "root_sum_of_squares": ["root_sum_of_squares(coils * c, p)"], "coil_combine": ["imag(coil_combine(coils * f, half * coils, p))"],
    "sense": ["%s(sense(coils, lines, p).%s)" % e for e in (("real", "adjoint(data)"), ("imag", "normal(c)"), ("0.5 + ", "bound"), ("real", "forward(c)"))],
    "cg_sense": ["real(cg_sense(data, coils, lines, p, half, 1e-12))"],
    "wavelet_sense": ["imag(wavelet_sense(centred_fft(coils2 * slice(f, y = 2)), coils2, uniform_mask[x, z](2, 1), p, half, \"haar\", 1, 5%s))" % e for e in ("", ", shifts = 2")],
    "tv_sense": ["imag(tv_sense(data, coils, lines, p, half, 5, sigma = 0.1))"],
    "espirit_maps": ["real(espirit_maps(data, p, 2, 4, 0.3, crop = 0.3, iterations = 20))"],
    "measured": ["measured(data, p) + half"],
    "require_centre": ["(if half > 9 then { require_centre(-1); 1.0 } else 2.0) * half"],
    "require_patches": ["(if half > 9 then { require_patches(3, 2, (x, y)); 1.0 } else 2.0) * half"],
    "main_coil": ["real(main_coil(data, p, 4))"],
    "require_weight": ["(if half > 9 then { require_weight(f); 1.0 } else 2.0) * half"],
    "require_inside": ["(if half > 9 then { require_inside((9 * g, g, f), coils); 1.0 } else 2.0) * half"],
    "semicircle": ["readout_at(f, (g * 3 Mpc/h, f * 3 Mpc/h, g * 2 Mpc/h), window = semicircle(5)) * half"], "semicircle_shape": ["semicircle_shape(6) * half", "semicircle_shape(5, 1.25) * half"],
    "semicircle_transform": ["semicircle_transform(0.1 + 0.2 * half, 6)", "semicircle_transform(0.1 * sin(f), 5, 1.25)"],
    "fista_search": ["real(fista_search(u => 0.5 inner(u, stiff(u)) - inner(c, u), (u, t) => soft_threshold(u, half * t), 0 * c, 1.0, iterations = 5).x)",
                     "fista_search(u => 0.5 inner(u, stiff(u)) - inner(f, u), (u, t) => soft_threshold(u, 0.1 * t), 0 * f, 1.0, iterations = three, restart = false).step * half"],
    "is_above": ["(if is_above(u => sum(u^2), f, g, half, 2 * g, 0.1) then 1.0 else 2.0) * half"],
    "espirit": ["imag(espirit(data, p, 2, 4, 0.3, 4).maps)", "espirit(data, p, 2, 4, 0.3, 4).value"],
    "numbered": ["spacing(numbered(p, 5, 2)) * half", "sum(white_noise[numbered(p, 5, 2)](three))"],
    "patch_operator": ["abs(sum(patch_operator(data, p, numbered(p, 3, 5), 2, 4, 0.3), over = numbered(p, 3, 5)))"],
    "patches": ["real(patches(data, p, wide, numbered(p, 24), 2, 4))"],
    "patch_place": ["patch_place(7, 2, (x, y, z), y) * half + patch_place(7, 2, (x, z), z)"],
    "large_space": ["real(large_space(gram, u2, v2, w2, 0.3))"],
    "complex_sum": ["imag(complex_sum(gram, gram, v2))"],
    "coil_compression": ["abs(coil_compression[deep](data, p))"],
    "compressed": ["abs(compressed(coil_compression[deep](data, p), coils * c, p))"],
    "shrink_rank": ["imag(shrink_rank(coils * c, 3 half, p))", "real(shrink_rank(batch, half, p))"],
    "least_of_value": ["least_of_value(f) * half"],
    "column_products": ["imag(column_products(coils * c, p))"],
    "largest_vector": ["abs(largest_vector(column_products(coils * c, p), p, 9, 0).vector)", "abs(largest_vector(column_products(data, p), p, 9, 0).rest)",
                       "largest_vector(column_products(data, p), p, 9, 0).value", "largest_vector(column_products(data, p), p, 9, 1e6).value + half"],
    "tgv_image": ["tgv_image(denoising(), f, half, 1.5, 3)"], "denoising": ["denoising().bound * half"],
    "generalised_slopes": ["generalised_slopes((f, g, f * g, f - half), (x, y, z))[%d]" % i for i in (2, 4, 11)],
    "generalised_slopes_adjoint": ["generalised_slopes_adjoint((f, g, f * g, f - half, f, g), (x, z))[%d]" % i for i in range(3)],
    "into_two_balls": ["into_two_balls((f, g, f * g, f - half, f, g), 2, half, 1.0)[%d]" % i for i in (0, 5)],
    "differences": ["differences(f)[1]"], "differences_adjoint": ["differences_adjoint(v3)"],
    "total_variation": ["total_variation(c)", "grad(u => total_variation(u, half))(f)"],
    "largest_size": ["largest_size(c)"],
    "nrmse": ["nrmse(c, f)"], "psnr": ["psnr(c, f)", "psnr(f, g, 2)"], "ssim": ["ssim(large, large^2 * half)"],
    "ssim_in_range": ["ssim_in_range(large, large^2, half, (u, w))"],
    "ellipsoids_kspace": ["real(ellipsoids_kspace[x, y, z](head_phantom()))"], "ball_transform": ["map q in f => ball_transform(f^2)"],
    "head_phantom": ["head_phantom()[2][7] * half"],
    # nufft
    "kaiser_bessel": ["readout(f, d, window = kaiser_bessel(5))"], "kaiser_bessel_shape": ["kaiser_bessel_shape(4) * half"],
    "kaiser_bessel_transform": ["kaiser_bessel_transform(half / 4, 5)"], "scaled_bessel_i0": ["scaled_bessel_i0(7, half)"],
    "prolate": ["readout(f, d, window = prolate(4))"], "prolate_shape": ["prolate_shape(5, 1.5) * half"],
    "prolate_transform": ["prolate_transform(half / 4, 4)"], "prolate_series": ["prolate_series(3.0)[2] * half"], "prolate_at": ["prolate_at((1.0, 2.0, 3.0), half)"],
    "prolate_ratios": ["prolate_ratios(5.0)[3] * half"], "prolate_sum": ["prolate_sum((0.5, 0.25, 0.0), half)"],
    "nufft_support": ["nufft_support(1e-4) * half", "nufft_support(1e-3, 1.25) * half"], "nufft_window": ["readout(f, d, window = nufft_window(0.01))"],
    "nufft": ["real(nufft(c, (3 f, 2 g, f * g), 1e-3))", "imag(nufft(coils * c, (3 f, 2 g, f * g), 0.01))"],
    "nufft_adjoint": ["imag(nufft_adjoint[x, y, z](c, (3 f, 2 g, f * g), 1e-3))", "real(nufft_adjoint[p, x, z](batch + 1i * batch^2, (3 f, 2 g), 0.01))"],
    "grid_places": ["number(grid_places((f, g), (x, y))[1], 1 Mpc/h)"], "scale_of": ["scale_of(for e in (x, y, z) => half, (x, y, z), 0.1)"],
    "nufft_normal": ["imag(nufft_normal[x, z]((3 f, 2 g), g^2, 0.01)(slice(c, y = 2)))"],
    "density_compensation": ["density_compensation[x, z]((3 f, 2 g), 3)", "density_compensation[x]((3 f))"],
    "components": ["components(f, for e in (x) => e)[0]"], "density_support": ["density_support(1e-3) * half"],
    "radial": ["radial[p, wide](three)[0] * half", "radial[p, wide](half, golden = true)[1]"], "spiral": ["spiral[p, wide](half, 1.5)[1]"],
    "stack_of_stars": ["stack_of_stars[deep, p, wide](half)[%d]" % i for i in range(3)],
    "kooshball": ["kooshball[p, wide](half)[%d]" % i for i in range(3)],
    "nufft_off_resonance": ["imag(nufft_off_resonance(coils * c, (3 f, 2 g, f * g), 100 Hz * g, 3 ms * f, 0.01))"],
    "nufft_off_resonance_adjoint": ["real(nufft_off_resonance_adjoint[p, x, z](batch + 1i * batch^2, (3 f, 2 g), 100 Hz * row, 3 ms * f, 0.01))"],
    "time_segments": ["time_segments(90 Hz * f, 2 ms * g, 1e-3).count * half"],
    "segment_place": ["segment_place({count = 3}, 1 + half)"],
    "segment_phase": ["real(segment_phase(time_segments(90 Hz * f, 2 ms * g, 0.1), 50 Hz * g, 1))"],
    "segment_weight": ["real(segment_weight(time_segments(90 Hz * f, 2 ms * g, 0.1), 2 ms * g, 1))"],
    "nufft_sense": ["%s(nufft_sense(coils, places, p, tolerance = 0.01).%s)" % e for e in
                    (("real", "adjoint(batch)"), ("imag", "normal(c)"), ("0.5 + ", "bound"), ("real", "forward(c)"))],
    "off_resonance_sense": ["%s(off_resonance_sense(coils, places, p, 100 Hz * g, 3 ms * f, g^2, 0.01).%s)" % e for e in (("imag", "adjoint(batch)"), ("real", "normal(c)"))],
    "with_bound": ["with_bound(sense(coils, lines, p), coils).bound * half"],
    "cg_image": ["imag(cg_image(nufft_sense(coils, places, p, g^2, 0.01), batch, half, iterations = 4))"],
    "wavelet_image": ["real(wavelet_image(nufft_sense(coils2, (3 sin(f), 2 sin(g)), p, 1, 0.01), batch, half, \"haar\", 1, 3))"],
    "tv_image": ["imag(tv_image(nufft_sense(coils, places, p, g^2, 0.01), batch, half, 3))"],
    # healpix
    **{name: ["map q in f => %s * half" % text] for name, text in {
        "ang2pix": "ang2pix(8, abs(f), g)", "vec2pix": "vec2pix(8, (f, g, f * g), \"nest\")", "pix2ang": "pix2ang(8, 6 * index_on(q))[1]",
        "pix2vec": "pix2vec(8, 20 * index_on(q), \"nest\")[0]", "nest2ring": "nest2ring(8, 5 * index_on(q))", "ring2nest": "ring2nest(8, 5 * index_on(q))",
        "isqrt": "isqrt(index_on(q))", "quarter": "quarter(index_on(q), 9)", "spread_bits": "spread_bits(index_on(q), 6)",
        "every_second_bit": "every_second_bit(index_on(q), 4)", "nest2face": "nest2face(4, index_on(q)).ix", "ring2face": "ring2face(4, index_on(q)).iy",
        "face2nest": "face2nest(8, ring2face(8, index_on(q)))", "face2ring": "face2ring(8, nest2face(8, index_on(q))).phi",
        "ring_at": "ring_at(40, 1 + index_on(q)).z", "ring_of": "ring_of(8, index_on(q)).place", "face_ring": "face_ring(mod(index_on(q), 12))",
        "face_turn": "face_turn(mod(index_on(q), 12))", "pixel_at": "pixel_at(8, sin(f), cos(f), g, f > 1.4, \"ring\")",
        "finite_pixel": "finite_pixel(8, sin(f), cos(f), g, f > 1.4, \"ring\")",
        "ring_pixel": "ring_pixel(8, 0.5, 7, 8, 3, 0.3)", "nest_at": "nest_at(8, 0.5, 17, 12, 3, 4, 2)"}.items()},
    "npix": ["npix(8) * half"], "nside_of": ["nside_of(pixel) * half"], "nest_order": ["nest_order(64) * half"],
    "sphere_paint": ["sphere_paint[pixel](v, weight = f)"], "map2alm": ["real(map2alm[l1, m1](of_sky))"], "alm2map": ["alm2map[pixel](map2alm[l1, m1](of_sky))"],
    "alm_power": ["alm_power(map2alm[l1, m1](of_sky))"], "sphere_power": ["sphere_power[l1, m1](of_sky, 1)", "grad(u => sum(sphere_power[l1, m1](u)^2))(of_sky)"],
    "rings_of": ["rings_of[deep](3).sine"], "chirp_cells": ["chirp_cells(5, 3) * half"],
    "chirp": ["map q in [x] => real(chirp(7 * int(index(q, x)), 12))"],
    "chirped": ["real(chirped(batch[p = piece(pixel, 7), x = piece(pixel, 16), y = 0, z = 0, edge = \"zero\"] + 0i, 2, 5, 6, 1))"], "legendre_start": ["legendre_start[deep, p]().top"],
    "legendre": ["legendre(legendre(legendre_start[deep, p](), 0, rings_of[deep](1)), 1, rings_of[deep](1)).now"],
    "is_among": ["if is_among(x, (y, x)) then half else 0"],
})
# special
CASES.update({name: ["%s(3 * f)" % name, "%s(half + 9) * half" % name] for name in ("lgamma", "digamma", "bessel_j0", "bessel_j1")})
CASES.update({name: ["map q in f => %s(3 * f)" % name] for name in ("lgamma_of", "digamma_of", "bessel_j0_of", "bessel_j1_of")})
CASES.update({name: ["map q in f => %s(abs(9 * f))" % name] for name in ("lgamma_right", "digamma_right")})
CASES.update({name: ["map q in f => %s(sin(f))" % name] for name in (
    "lgamma_near_2", "digamma_near_root", "erfinv_of", "erfinv_centre", "erfinv_middle", "erfinv_tail", "j0_inside", "j1_inside", "stirling")})
CASES.update({name: ["map q in f => %s(sin(f)^2)" % name] for name in ("j0_cosine", "j0_sine", "j1_cosine", "j1_sine")})
CASES.update({
    "digamma_from_1": ["map q in f => digamma_from_1(1 + sin(f)^2)"], "erfinv": ["erfinv(sin(f))", "erfinv(1 - 1e-9 * sin(f)^2)", "erfinv(half) * half"],
    "bessel_j": ["bessel_j(%d, 4 * f)" % n for n in (0, 1, 5)] + ["bessel_j(three, half) * half"],
    "spherical_bessel": ["spherical_bessel(%d, 4 * f)" % n for n in (0, 1, 6)] + ["spherical_bessel(three, half) * half"],
    "bessel_of_order": ["map q in f => bessel_of_order(4, f, bessel_j0(f), bessel_j1(abs(f)), 0)"],
    "legendre_polynomial": ["legendre_polynomial(%d, sin(f))" % n for n in (0, 1, 7)] + ["legendre_polynomial(three, half)"]})
CASES.update({  # order
    "select": ["select(f > 0, f, half * g)", "select(half > 0.4, f, g)", "map q in f => select(f > g, f, half)"],
    "count": ["count(f > 0) * half", "count(f > g, over = y) * half"], "any": ["(if any(f > 1) and not any(f > 99) then 1.0 else 2.0) * half"],
    "all": ["(if all(f < 99) and not all(f > 0) then 1.0 else 2.0) * half"],
    "argmax": ["argmax(f)[%d] * half" % i for i in range(3)], "argmin": ["argmin(small)[1] * half", "argmin(steps)[0] * half"],
    "place_of": ["place_of(f, max(f))[1] * half"], "quantile": ["quantile(f, half)", "quantile(small, 0.3)", "grad(u => quantile(u, half)^2)(f)"],
    "median": ["median(batch)"], "order_statistic": ["order_statistic(f, three)", "order_statistic(f, 119)", "order_statistic(steps, 0)"]})
SEED_AT = "map q in f => %s * half"
CASES.update({  # random
    "split": [SEED_AT % text for text in ("int(random(split(three, q)) > 0.4)", "random(split(split(big, \"a\"), int(index(q, x))))", "random(split(7, \"b\", three))")],
    "random": ["random(three) * half", SEED_AT % "random(int(index(q, y)))"], "uniform": ["uniform[x, z](big) * half", "uniform[p](7) * half"],
    "integers": ["integers[x, y](9, three) * half"], "poisson_counts": ["poisson_counts[x, y, z](12 * f^2, three)", "poisson_counts[p](half, 3)", "grad(u => sum(poisson_counts[x, y, z](9 + u, 3) * u))(abs(f))"],
    "gamma": ["gamma[x, y, z](0.1 + 2 * f^2, three)", "gamma[p](half, 3)"], "binomial": ["binomial[x, y, z](30, 1 / (1 + f^2), three)", "binomial[p](8, half, 3)"],
    "choice": ["choice[y, z](map q in [x] => 0.1 + half * index(q, x), three) * half"],
    "fixed": ["map q in f => fixed(f)", "fixed(half) * half", "grad(u => sum(map q in u => u * fixed(u)))(f)"], "poisson_of": [SEED_AT % "poisson_of(20 * f^2, split(4, q))"],
    "gamma_of": ["map q in f => gamma_of(0.1 + f^2, split(4, q))"], "normal_of": [SEED_AT % "normal_of(split(4, q))"], "binomial_of": [SEED_AT % "binomial_of(50, sin(f)^2, split(4, q))"], "rejected_binomial": [SEED_AT % "rejected_binomial(50, 0.2 + 0.3 * sin(f)^2, split(4, q))"],
    "log_binomial": ["map q in f => log_binomial(floor(30 * sin(f)^2), 30, 0.2 + half)"], "deviance": ["map q in f => deviance(0.9 * sin(f))", "map q in f => deviance(0.02 * sin(f))"],
    "log_excess": ["map q in f => log_excess(floor(9 * f^2)) * half"]})
PRELUDES = {"differences_adjoint": "let v3 = for e in (x, y, z) => index_like(e) * f\nfn index_like(e) = if e == x then 1.0 else if e == y then 2.0 else half\n",
            "nufft_off_resonance_adjoint": "let row = slice(g, y = 2)\n", "nufft_sense": "let places = (3 sin(f), 2 sin(g), sin(f * g))\n",
            "large_space": "dim u2 = 5, v2 = 5, w2 = 5\nlet gram = map e in [u2, v2] => exp(1i * (index(e, u2) - index(e, v2))) / (1 + (index(e, u2) - index(e, v2))^2)\n",
            "wavelet_sense": "let coils2 = birdcage_maps[p, x, z](p)\n",
            "ssim": "dim u = 13, w = 12 over half * 1\nlet large = white_noise[u, w](3)\n",
            "lbfgs_direction": "let pair1 = {s = g, y = f * 0.5, rho = 0.3}\nlet pair0 = {s = g, y = g, rho = 0.0}\n"}
