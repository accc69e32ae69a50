"""The fields and functions that the expressions of function_cases.py read."""

HEADER = """
use math, special, fourier, random, order, optim, sampling, nn, cosmology, power, fields, lpt, nbody, particles, spectra, solvers, wavelets, mri, nufft, lensing, sky, multigrid, modified_gravity, neutrinos, sunyaev_zeldovich, catalogs, pyramid, matrices, linalg, healpix, surveys, tracers, primordial, variational, parallel_imaging, quantitative
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
let grid = tabulate((u, w) => sin(u) * w + half * u, from = (-3, 0), to = (4, 2), points = (12, 5))
let v = (f, g, f * g)
let steps = map q in [x] => half * index(q, x) - 1
let d = for e in (x, y, z) => 3 Mpc/h * f + 1.3 Mpc/h * g
let cosmo = cosmology(omega_m = 0.3 + 0.02 * half, omega_k = 0.1, w0 = -0.9, wa = 0.2, omega_r = 0.001)
let particles = {disp = d, mom = for e in (x, y, z) => 2 Mpc/h * g}
fn law(k) = 2000 (Mpc/h)^3 / (1 + number(k, 0.2 h/Mpc)^2)
let batched = for e in (x, y, z) => 6 Mpc/h * batch
let of_place = (-half * 9 Mpc/h, 3 Mpc/h, 7 Mpc/h)
fn bend(k) = 1 / (1 + half * (20 * k)^2)
let density = smooth(f, 4 Mpc/h)
dim x1 = 4, y1 = 4, z1 = 4 over 40 Mpc/h
dim p1 = 5, q1 = 4 over 40 Mpc/h
dim u1 = 4, v1 = 3 over 0.3
dim deep = 2
dim wide = 7
dim i1 = 4, j1 = 4, k1 = 4, r1 = 6
let square_noise = white_noise[p, i1, j1](22)
let square = map q in square_noise => square_noise + (if index(q, i1) == index(q, j1) then 5 + half else 0)
let long_matrix = white_noise[r1, p, j1](23)
let side = white_noise[i1, deep](24)
let rising = map q in [r1] => index(q, r1) - 2.5 + half
dim deep3 = 3
let flat = flat_lcdm(omega_m = 0.3 + 0.02 * half)
let moved = {disp = for e in (x1, y1, z1) => 3 Mpc/h * white_noise[x1, y1, z1](15), mom = for e in (x1, y1, z1) => 1 Mpc/h * white_noise[x1, y1, z1](16)}
let theta = rays[u1, v1]()
let stack = 9 Mpc/h * white_noise[deep, p1, q1](17)
let cube = white_noise[x1, y1, z1](20)
dim halo1 = 6, slot1 = 20
let places_of_halos = for i in 0 .. 3 => 20 Mpc/h * uniform[halo1](30 + i)
let halos_of_9 = {pos = places_of_halos, mass = 2 + 9 * uniform[halo1](33), radius = half * 3 Mpc/h * (1 + uniform[halo1](34)), concentration = 4 + uniform[halo1](35)}
let halo_ends = cumsum(halos_of_9.mass, over = halo1)
let few_places = for i in 0 .. 3 => 20 Mpc/h * uniform[slot1](40 + i)
let occupation = zheng_hod(half, 0.3, half, 0.8, 1.1)
let sparse_density = cube^2 / mean(cube^2) - 1
let f_of_1 = 1 + cube^2
fn cubic_of(u) = 100 (Mpc/h)^2 * laplacian_difference(u) - u^3
let cubic_problem = {apply = (data, u) => cubic_of(u), relax = (data, u, f) => u + (cubic_of(u) - f) / (6 + 3 * u^2), keep = (next, u) => next, coarser = data => data, data = half}
let setting = {sweeps = 1, visits = 1}
let pyramid_setting = {levels = 3, blocks = (2, 1, 2), halo = (1, 1, 2), laplacian = "exact"}
dim pixel = 48, l1 = 5, m1 = 5
let of_sky = white_noise[pixel](21)
let turned = map q in [y, x] => 9007199254740993 * int(index(q, x)) + int(index(q, y))
fn index_on(q) = int(index(q, x)) * 20 + int(index(q, y)) * 4 + int(index(q, z))
let sky = white_noise[u1, v1](18)
fn times(i) = 0.97 + 0.02 * half * i
fn observed(copies) = light_of(moved.disp, 1.5 moved.mom, shell_of(flat, times, 0), copies, 3)
let crossing_of_light = crossing(moved.disp, 1.5 moved.mom, 30 Mpc/h, 30 Mpc/h, same_copies(0))
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
fn pull(s) = 0.5 sum((s - half)^2)
let state_of_chain = {s = small, e = pull(small), g = grad(pull)(small), scale = 1 + 0.1 * small^2, own = {u = small / sqrt(inner(small, small)), d = 30.0}, tuned = {step = half}, t = three}
let warming = {s = small, e = pull(small), g = grad(pull)(small), scale = 1 + 0.1 * small^2, own = {none = half}, tuned = averaging(half), sums = no_sums(half), moments = no_spread(small), window = first_window(5), record = {s = small + zeros[p], e = zeros[p], accept = zeros[p], error = zeros[p], diverged = zeros[p], gradients = zeros[p]}}
fn push(k) = white_noise[x, y](k)
fn pulls(s) = 0.5 sum((s - half)^2, over = (x, y))
fn pushes(k) = white_noise[p, x, y](k)
let states = white_noise[p, x, y](31)
let own_of_chains = {u = states / sqrt(lockstep[p](pulls, piece(deep, 1)).inner(states, states)), d = 30.0}
let state_of_chains = {s = states, e = pulls(states), g = states - half, scale = 1 + 0.1 * small^2, own = own_of_chains, tuned = {step = half}}
let first_is_good = map q in [p] => if index(q, p) == 0 then 1.0 else 0.0
fn saddle(s) = 3 * (s[0] - half)^2 + (s[1] + s[0])^2 + s[1]^4
"""
