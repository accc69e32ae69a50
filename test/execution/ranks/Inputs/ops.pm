// Every op of the dialect (ops.py looks), each on a dim that one axis splits, on one that none does, and on both.

use linalg
const n = 16
param width = 0.8  "rms displacement in cells"
param seed: u64 = 7
param extra: bool = false
input curve: table optional
input given_field: field[x, y, z] optional

dim x = n, y = n, z = n over 60 Mpc/h
dim t = 9, r = 9
dim i1 = 3, j1 = 3, k1 = 3
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col

let noise = white_noise[x, y, z](seed)
let other = white_noise[x, y, z](seed + 1)
let batch = white_noise[t, x, y](seed + 2)
let fine = white_noise[refine(x, 2), refine(y, 2), refine(z, 2)](seed + 3)
output noise
output batch
output fine

// Elements, broadcasts, coordinates, constants, inputs.
let line = map q in [y] => sin(2 pi * q[y] / length(y)) + 0.1 * index(q, y)
let plane = white_noise[x, z](seed + 4) + constant[x, z](0.25)
let (waves, steps) = map q in noise => (noise * line + cos(2 pi * q[x] / length(x)), if noise > 0.3 then 1 else plane)
output elements (waves, steps, f) =
  (waves, steps, if given(given_field) then given_field else tanh(noise) + zeros[x, y, z])
let parabola = tabulate(u => u^2 / 4, from = -4, to = 4, points = 21)
output table_values = map q in noise => interpolate(parabola, noise)
let ready = transform(if given(curve) then curve else tabulate(u => sin(u), from = -5, to = 5, points = 33),
                      (u, v) => (2 u, v + 1))
output read_values = map q in other => interpolate(ready, other) + derivative(ready, noise)

// Reductions: numbers, fields over some dims, extremes of both, bins.
let moments = (sum(noise * other), mean(noise), min(waves), max(steps - waves))
print "{} {:.6f} {} {:.3e}", moments[0], moments[1], moments[2], moments[3]
output moments
output over_x = sum(waves, over = x)
output over_xy = mean(waves^2, over = (x, y))
output over_xz (sum) = (sum(waves, over = (x, z)))
output least_x = min(noise, over = x)
output most_yz = max(other, over = (y, z))
output most_z = max(other, over = z)
output over_batch = mean(batch, over = t)
output short = stored(noise, "bf16")[x + 2] * stored(other, "f16")
output middle = slice(noise, x = 3 .. 9)
output column = slice(noise, y = 4)
output edited = noise with {[y = 4] = noise[y = 3]^2, [x = 2, z = 5] += 1}
let (settled, stacked) = loop s = noise for i in r => 0.5 * s + 0.1 * sin(other) stacking s[y = i]
output stacked
let modes = fft(waves + other)
let (power, count) = bins k in modes into 12 by sqrt(index(k, x)^2 + index(k, y)^2 + index(k, z)^2) => (norm2(modes), 1)
output spectrum (power, count) = (power / max(count, 1), count)
let (cells, depth) = bins q in noise into 6 by 3 + noise => (1, waves)
output histogram (cells, depth) = (cells, depth)

// Transforms: real and complex, of all dims and of some.
output spectrum_re = real(modes)
output spectrum_im = imag(modes)
let smooth = ifft(map k in modes => exp(-0.02 * norm2(k) * spacing(x)^2) * modes)
let slope =
  for d in (x, y, z) => ifft(map k in modes => 1i * k[d] * spacing(d) * exp(-0.1 * norm2(k) * spacing(x)^2) * modes)
output smooth
output slope flatten
output along_y = real(fft(waves, over = y))
output along_xz = imag(fft(noise, over = (x, z)))
let wave = fft(exp(1i * noise))
output c2c = arg(2 + ifft(wave) / 2)
let flat = fft(exp(2i * white_noise[x, y](seed + 5)))
output mixed = norm2(modes * flat)
output of_batch = ifft(0.5 * fft(batch, over = (x, y)), over = (x, y))

// Contractions: dims of one field, of the other, of both, and of neither's result.
let many = white_noise[r, x, y](seed + 6)
output contracted = sum(noise * many, over = (x, y))
output contracted_batch = sum(map q in [r, x, y, z] => noise * many * cos(0.3 * noise), over = y)
output contracted_pull = grad(f => sum(sum(f * many, over = x)^2 * sum(f * many, over = x)))(noise)
dim tap = 5, channel = 4
output convolved = sum(noise[x = x + tap - 2, edge = "zero"] * white_noise[tap, channel](31), over = tap)

// Particles: every window, displaced and at positions of their own.
let disp = for d in (x, y, z) => width * spacing(d) * (if d == x then noise else if d == y then other else waves)
output ngp = paint(disp, window = "ngp")
output cic = paint[refine(x, 2), refine(y, 2), refine(z, 2)](disp, weight = smooth)
output tsc = paint(disp, window = "tsc", weight = 0.5)
output pcs = paint(disp, window = "pcs")
output read_ngp = readout(smooth, disp, window = "ngp")
output read_cic flatten = readout(slope, disp)
let read_complex = readout(smooth + 1i * noise, disp)
output read_complex_parts (re, im) = (real(read_complex), imag(read_complex))
output read_tsc = readout(fine, disp, window = "tsc")
output read_pcs = readout(smooth, disp, window = "pcs")
let places = (length(x) * (0.5 + 0.3 * slice(batch, y = 1)), length(y) * slice(batch, y = 2),
              length(z) * 0.3 * slice(batch, y = 3))
output paint_free = paint_at[x, y, z](places, weight = slice(batch, y = 4))
output read_free = readout_at(smooth, places, window = "tsc")
// Some of them: the others are nowhere.
let (up, apart) = (noise > 0, (disp[0] + 0 * length(x) * log(noise), disp[1], disp[2]))
output some (plain, weighed) = (paint(apart, where = up), paint(apart, weight = (other, log(noise)), where = up)[1])
output read_some flatten = readout(slope, apart, where = up)
let right = slice(batch, y = 1) > 0
let roots = (length(x) * sqrt(slice(batch, y = 1)), places[1], places[2])
output some_free = paint_at[x, y, z](roots, window = "pcs", where = right)
output some_flat = paint_at[x, y]((3 * length(x) * sqrt(noise), length(y) * other), weight = smooth, where = up)
output read_some_free = readout_at(smooth, roots, where = right)
output some_pull = grad(f => sum(readout(smooth, (length(x) * log(f), disp[1], disp[2]), where = up)^2) +
  sum(paint(apart, weight = f, where = up)^3))(noise)
let bell = {support = 6, weight = u => cos(pi * u / 6)^2}
output read_bell = readout(smooth, disp, window = bell)
output read_batch = readout_at(batch, (places[0], places[1]), window = bell)
output paint_bell = paint_at[x, y, z](places, window = bell, weight = slice(batch, y = 4))
let paint_complex = paint(disp, window = "tsc", weight = smooth + 1i * noise)
output paint_imaginary = imag(paint_complex)

// Neighbors beyond every edge, in loops, and back.
output beside =
  map q in noise => noise[x + 1] + noise[x - 3, y + 2, edge = "clamp"] * line[y - 1] - noise[z + 1, edge = "zero"]
output moved =
  loop f = shift(other, x = 2, y = -1, edge = "reflect") for i in 0 .. 3 => 0.5 * (f[x - 1] + f[x + 1] + noise[y - 1])
output beside_pull = grad(f => sum(f[x + 2, edge = "clamp"]^2 * f[y - 1, z + 1, edge = "reflect"]))(noise)

// Finer and coarser fields, single cells, and back.
let finer = refine(noise, 2, over = (x, y))
output coarse = coarsen(finer[x + 1] + finer[y - 3, edge = "clamp"], 2, over = (x, y)) * noise
output repeated = sum(finer[x + 1, edge = "reflect"]^2, over = y)
output coarse_pull = grad(f => sum(coarsen(refine(f[y + 1]^2, 2, over = (x, y))[x + 1], 2, over = x)^2))(noise)
output picked = loop s = noise[x = 1] for i in 0 .. 4 => 0.5 * s + noise[x = i] * noise[z = i, x = 0]
output picked_pull = grad(f => sum(f[x = 2]^2))(noise)

// Parts, longer fields and blocks, one cell, and back.
dim p = 9, s = 9, y3 = 3, z3 = 2
output part = noise[x = p + 3, y = s + 1] * other[x = p, y = s]
output padded = noise[z = p + 9, x = 2 * s - 1, edge = ("zero", "reflect")]
output blocks = fine[x = 2 * x + p - 2, edge = "periodic"][y = y3 + 5, z = z3] * noise[x = 0, y = 3, z = 1]
output blocks_pull = grad(f => sum(f[x = x + p - 2, y = s + 3, edge = "clamp"]^2))(noise)

// Loops and branches with messages in them, a copy, pictures.
output stepped = loop f = noise for i in 0 .. 3 => 0.5 * f + 0.1 * ifft(0.9 * fft(f)) + i * paint(disp) / (1 + max(f))
let (swapped, kept, turns) =
  loop (f, g, s) = (noise, smooth, 0.0) while s < 2 => (g, f, s + mean(f^2) / (1 + mean(f^2)) + 0.5)
output loops (swapped, kept) = (swapped, kept)
output branch = if mean(noise) > 0.001 then readout(noise, disp) else sum(noise) * other
if extra {
  output twice = 2 * noise
}

// Order along a split dim, and dense matrices of a split batch.
output ordered = sort(noise, x) + ranks(noise, z, order = "descending") + noise[y = argsort(noise, y)]
output companions = 1e-3 * friends_of_friends((noise, other), 0.2)
fn factored(f) {
  let A = map q in f => f + (if index(q, i1) == index(q, j1) then 9 else 0)
  sum(cholesky(A, i1, j1)^2) + sum(logdet(A, i1, j1)) + sum(eigh_over(A, i1, j1).values^3) +
    sum(svd_over(A, i1, j1, k1).values^3) + sum(solve_over(A, rights, i1, j1)^2) + sum(lstsq(A, rights, i1, j1)^2)
}
let rights = white_noise[x, i1](seed)
output factors = grad(factored)(white_noise[x, i1, j1](seed))

// Derivatives, of loops whose states are partly kept or recovered, and along a tangent.
fn misfit(f) = mean((loop g = f for i in 0 .. 4 => 0.9 * g + 0.1 * ifft(0.9 * fft(g)) * tanh(g))^2 * smooth)
let (misfits, pull) = value_and_grad(misfit, schedule = "revolve", snapshots = 2)(noise)
output pull
output along = jvp(misfit)(noise, tangent = other)[1] + misfits
fn swing(f) {
  let end = loop (u, v) = (f, other) for i in 0 .. 3 => {
    let w = v - 0.1 * sin(u)
    (u + 0.1 * w, w)
  }
  mean(end[0]^2 * end[1])
}
output swung = grad(swing, schedule = "reverse")(noise)
// By a table, of what every cell and a number read of it.
fn bent(t) = mean(map q in noise => interpolate(t, noise)^2) * interpolate(t, 0.7)
output bending = inner(grad(bent)(parabola), parabola)

assert max(abs(smooth)) < 1e3, "the largest of smooth is {}", max(abs(smooth))
print "{} {}", turns, max(abs(slope[0]))
plot picture = slice(noise, z = 0 .. 2)
plot curves = (sum(noise, over = (x, y)), sum(other, over = (x, y)))
