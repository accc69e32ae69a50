// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet && %python %S/check_spectra.py %t.out 1e-12
// RUN: %pmc %s -o %t -D nx=5 -D ny=4 -D nz=7 && %t --out %t.out --quiet && %python %S/check_spectra.py %t.out 2e-5
// RUN: %pmc %s -o %t -D nx=2 -D ny=1 -D nz=3 --precision=f64 && %t --out %t.out --quiet && %python %S/check_spectra.py %t.out 1e-12
// RUN: %pmc %s -o %t -D nx=4 -D ny=3 -D nz=2 --precision=f64 && %t --out %t.out --quiet && %python %S/check_spectra.py %t.out 1e-12
// RUN: %pmc %s -o %t -D nx=1 -D ny=6 -D nz=1 --precision=f64 && %t --out %t.out --quiet && %python %S/check_spectra.py %t.out 1e-12
// Reductions over the halved dim see every mode, with the values that it has: against NumPy's full transform.

const nx = 6
const ny = 5
const nz = 8
dim x = nx, y = ny, z = nz
dim b = 3

let f = white_noise[x, y, z](1)
let g = white_noise[x, y, z](2)
let u = fft(f)
let v = fft(g)
output f
output g

// Sums and means: even, odd and neither; of stored fields; through functions, branches and loops.
fn moment(w, d) = sum(map k in w => index(k, d) * norm2(w))
fn half_sum(r) = sum(r)
let mixed = map k in u => index(k, x) * norm2(u) + imag(v)
let odd = if sum(f) > 1e9 then imag(u) else imag(v)
let carried = loop r = imag(u) for i in 0 .. 3 => 0.5 r + imag(v)
let (su, sv) = (sum(u), sum((u * 2, v * u))[1])
output sums (a, b, c, d, e, f) = (real(su), imag(su), sum(imag(u)), real(sv), imag(sv), sum(norm2(u)))
output moments (a, b, c, d) =
  (moment(u, x), moment(u, y), moment(u, z), sum(map k in u => index(k, x) * index(k, y) * real(u * v)))
output stored (a, b, c, d, e) =
  (sum(mixed * mixed), sum(map k in u => index(k, y) * mixed), sum(odd * imag(u)), sum(carried * imag(v)),
   half_sum(imag(u)) + half_sum(imag(v)))
output means (a, b, c) = (mean(real(u * v)), mean(map k in u => exp(0.3 index(k, x)) * real(u)),
                          mean(map k in u => atan2(imag(u), 2 + real(u))))
output products (a, b, c) = (inner(u, v), inner(imag(u), imag(v)), inner(imag(u), real(v)))

// Extremes.
output extremes (a, b, c, d, e) = (max(imag(u)), min(imag(u)), max(real(u)),
                                   min(map k in u => index(k, x) * real(u) + 2 index(k, y) * norm2(u) + imag(u)),
                                   max(norm2(u)))

// Bins: bins that are the same at the opposite mode, and others; values of any kind.
output even_bins = bins k in u into 12 by abs(index(k, x)) + 2 abs(index(k, y)) + (if index(k, z) == 0 then 0 else 1) =>
  (norm2(u), imag(u * v) * index(k, x), 1)
output odd_bins = bins k in u into 12 by index(k, x) + 2 index(k, y) + 5 => (norm2(u), imag(u) * index(k, z), 1)
output along = bins k in u into nx by index(k, x) + floor(nx / 2) => norm2(u)
output shifted = bins k in u into 20 by 10.5 + 3 imag(u) + index(k, z) => (1, real(u) + imag(v))

// Batches before, between and after the transformed dims.
let before = white_noise[b, x, z](3)
let between = white_noise[x, b, z](4)
let after = white_noise[x, z, b](5)
output before
output between
output after
let ub = fft(before, over = (x, z))
let um = fft(between, over = (x, z))
let ua = fft(after, over = (x, z))
output back_before = ifft(sum(ub, over = b))
output back_between = ifft(mean(um, over = b))
output back_after = ifft(sum(ua, over = b))
output most = max(norm2(um), over = b)
let least_of = min(imag(ua), over = b)
output least = least_of
output of_most = sum(max(norm2(um), over = b))
output of_least = sum(map k in least_of => index(k, z) * least_of)
output batch_sums (re, im, i) =
  (real(sum(ub, over = (x, z))), imag(sum(ub, over = (x, z))), sum(imag(ub), over = (x, z)))
output batch_moments (x, z) = (sum(map k in um => index(k, x) * norm2(um), over = (x, z)),
                               sum(map k in um => index(k, z) * norm2(um), over = (x, z)))
output batch_extremes (a, b) =
  (max(imag(ua), over = (x, z)), min(map k in ua => index(k, x) * norm2(ua) + imag(ua), over = (x, z)))
output rows (re, im) = (real(sum(fft(before, over = z), over = z)), imag(sum(fft(before, over = z), over = z)))
output columns (re, im) = (real(sum(ub, over = x)), imag(sum(ub, over = x)))
