// RUN: %pmc %s -o %t --precision=f64
// RUN: %t --out %t.out --quiet --format=npy && %python %S/check_wide_windows.py %t.out 2e-13
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2,col=2 && %python %S/check_wide_windows.py %t.ranks 2e-13
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=3,col=1 --threads=1 && %python %S/check_wide_windows.py %t.ranks 2e-13
// RUN: %pmc %s -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_wide_windows.py %t.out 3e-5
// Windows given by a support and a function, of 2 to 14 cells, even ones and others, in one to three dims, of which some are shorter than
// the window; of positions and of displacements; real, complex and several fields; batches, whose dims are before and between
// the others; meshes over Fourier dims. Against sums over all cells, with functions written down once more.

mesh gpus(row = 1, col = 1)
layout x -> row, y -> col, j -> row
dim c = 3
dim x = 24, y = 15 over 6
dim z = 5
dim j = 70

fn bell(u) = exp(-u^2 / 5)
fn slanted(u) = (1 + 0.3 * u) * exp(-u^2 / 3)
let even = {support = 6, weight = u => bell(u)}
let odd = {support = 7, weight = u => slanted(u)}
let small = {support = 2, weight = u => 1 - 0.5 u^2}
let most = {support = 14, weight = u => cos(u / 6)}

let px = 9 * white_noise[j](1)
let py = 4 * white_noise[j](2) + 0.25
let pz = 2 * white_noise[j](3)
let p = (px, py)
let w = white_noise[j](4)
let v = white_noise[j](5)
let wb = white_noise[c, j](6)
let f = white_noise[x, y](7)
let g = white_noise[x, y](8)
let line = white_noise[x](9)
let cube = white_noise[x, z, y](10)
let coils = white_noise[c, x, y](11)
let between = white_noise[x, c, y](12) + 1i * white_noise[x, c, y](13)
let disp = (0.7 * white_noise[x, y](14), 0.7 * white_noise[x, y](15))
let modes = fft(f + 1i * g)
let km = (5 * white_noise[j](16), 4 * white_noise[j](17))

output positions = (px, py, pz)
output weights = (w, v)
output batch_weights = wb
output fields = (f, g)
output line
output cube
output coils
output between
output displacements = disp
output modes
output mode_places = km

output line_even = readout_at(line, (px), window = even)
output line_most = readout_at(line, (px), window = most)
output plane_even = readout_at(f, p, window = even)
output plane_odd = readout_at(f, p, window = odd)
output plane_small = readout_at(f, p, window = small)
output plane_complex = readout_at(f + 1i * g, p, window = odd)
output plane_both = readout_at((f, g), p, window = even)
output cube_odd = readout_at(cube, (px, pz, py), window = odd)
output cube_most = readout_at(cube, (px, pz, py), window = most)
output moved = readout(f, disp, window = odd)
output moved_batch = readout(coils, disp, window = "tsc")

output painted_line = paint_at[x]((px), window = odd, weight = w)
output painted = paint_at[x, y](p, window = odd, weight = w)
output painted_ones = paint_at[x, y](p, window = small)
output painted_complex = paint_at[x, y](p, window = even, weight = w + 1i * v)
output painted_cube = paint_at[x, z, y]((px, pz, py), window = odd, weight = v)
output painted_moved = paint[x, y](disp, window = even, weight = g)

output read_coils = readout_at(coils, p, window = even)
output read_between = readout_at(between, for d in (x, y) => if d == x then px else py, window = odd)
output read_cic = readout_at(coils, p)
output painted_coils = paint_at[c, x, y](p, window = odd, weight = wb)
output painted_pcs = paint_at[c, x, y](p, window = "pcs", weight = wb * (1 + 2i))
output read_modes = readout_at(modes, km, window = even)
