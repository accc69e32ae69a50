// RUN: %pmc %s --precision=f32 -o %t && %t --out %t.out --quiet
// RUN: %pmc %s --precision=f32 -O0 -o %t && %t --out %t.out --quiet
// Comparisons of coordinates are never rounded to the fields' f32: which side a cell is on, which bin it is in and which
// mode is the mean is decided in f64. Sums of squares may be compared with 0 term by term, other sums may not.

param tenth = 0.1
param shift = 0.3
dim x = 10, y = 6, z = 4 over 1

let one = constant[x, y, z](1)
// 3 * 0.1 is 0.30000000000000004: more than 0.3, but the same in f32.
let above = map q in [x, y, z] => if index(q, x) * tenth > shift then 1 else 0
assert sum(above) == 7 * 24, "{} cells are above", sum(above)
let (left, right) = bins q in one into 2 by index(q, x) * tenth / shift => (1, index(q, x))
assert sum(left) == 6 * 24, "{} cells are in bins", sum(left)

// Not squares: x - y is 0 on a diagonal, where both are not. What a transform reads is a map of its own.
fn stored(f) = ifft(fft(f))
let diagonal = stored(map q in [x, y, z] => if index(q, x) - index(q, y) == 0 then 1 else 0)
assert abs(sum(diagonal) - 24) < 1e-4, "{} cells are on the diagonal", sum(diagonal)
let product =
  stored(map q in [x, y, z] => if index(q, x) * (index(q, x) - 3) + index(q, y) * (index(q, y) - 1) == 0 then 1 else 0)
assert abs(sum(product) - 6 * 4) < 1e-4, "{} cells solve it", sum(product)
let noise = white_noise[x, y, z](2)
let noise_modes = fft(noise)
let means = ifft(map k in noise_modes => if norm2(k) == 0 then noise_modes else 0)
assert max(abs(means - mean(noise))) < 1e-6, "{} modes are the mean", sum(means)
let some = stored(map q in [x, y, z] => if index(q, x)^2 + index(q, y)^2 > 0 then 1 else 0)
assert abs(sum(some) - (240 - 4)) < 1e-4, "{} cells are not on the axis", sum(some)
let modes = map k in fft(one) => if norm2(k) == 0 then 1 + 0i else 0
assert abs(sum(abs(modes)) - 1) < 1e-6, "{} modes are the mean", sum(abs(modes))

// Both windows at the same positions, and twice the same one.
let f = white_noise[x, y, z](3)
let at = for d in (x, y, z) => constant[x, y, z](0.26 * spacing(d))
let (near, mixed) = (readout(f, at, window = "ngp"), readout(f, at, window = "cic"))
let both = map q in f => near * mixed + mixed
let parts = max(abs(near - f)) + max(abs(both - (f * mixed + mixed)))
assert parts < 1e-6, "readings of two windows are off by {}", parts
let flat = map q in [x, y, z] => cos(2 pi * index(q, x) / cells(x))
let moved = readout(flat, at)
let exact =
  map q in [x, y, z] => 0.74 cos(2 pi * index(q, x) / cells(x)) + 0.26 cos(2 pi * (index(q, x) + 1) / cells(x))
let together = readout(flat, at, window = "ngp") + moved
assert max(abs(moved - exact)) < 1e-6 and max(abs(together - exact - flat)) < 1e-6, "cic is off by {}",
       max(abs(moved - exact))

// Half a number is rounded away from 0 and int(x) rounds down, when compiling and when the program runs.
param half = 2.5
param below = -1.5
assert round(2.5) == 3 and round(-2.5) == -3 and round(0.5) == 1, "constants: {} {} {}", round(2.5), round(-2.5),
       round(0.5)
assert round(half) == 3 and round(-half) == -3 and round(half - 2) == 1, "params: {} {} {}", round(half), round(-half),
       round(half - 2)
assert int(-1.5) == -2 and floor(-1.5) == -2 and int(1.5) == 1, "constants: {} {} {}", int(-1.5), floor(-1.5), int(1.5)
assert int(below) == -2 and floor(below) == -2 and int(-below) == 1, "params: {} {} {}", int(below), floor(below),
       int(-below)
let halves = map q in [x] => index(q, x) - 2.5
assert sum(abs(map q in [x] => round(halves) - (if halves < 0 then floor(halves) else -floor(-halves)))) == 0, "fields"
assert sum(abs(map q in [x] => int(halves) - floor(halves))) == 0, "fields: int"
