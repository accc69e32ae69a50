// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet
// Cross spectra, transfer functions and correlations of fields that are multiples and sums of each other; the window of
// painted white noise; shells of a box whose sides differ in cells.

use fields, spectra

dim x = 16, y = 20, z = 18 over 100 Mpc/h

let a = white_noise[x, y, z](1)
let b = white_noise[x, y, z](2)
let sum_ab = a + b

let (k, paa, modes) = power_spectrum(a)
let (k2, pbb, modes2) = power_spectrum(b)
let (k3, pab, modes3) = cross_spectrum(a, b)
let (k4, pss, modes4) = power_spectrum(sum_ab)
let volume = 1e6 (Mpc/h)^3
let off = max(abs(pss - paa - pbb - 2 pab)) / volume
assert off < 1e-14, "P(a+b) is off by {}", off

let (k5, T) = transfer_function(a, -3 a)
assert abs(max(T) - 3) < 1e-12, "transfer of -3 a: {}", max(T)
let (k6, r) = correlation(a, -3 a)
assert abs(min(r) + 1) < 1e-12, "correlation with -3 a: {}", min(r)

// All modes with m < 8: 2103 with the mean, which is left out.
assert sum(modes) == 2102, "modes {}", sum(modes)

// A windowed field has its spectrum back.
let fk = fft(a)
let seen = ifft(map k in fk => fk * window_kernel(k, "tsc"))
let (k7, ptsc, modes7) = power_spectrum(seen, compensate = "tsc")
assert max(abs(ptsc - paa)) / max(paa) < 1e-12, "TSC compensation is off by {}", max(abs(ptsc - paa)) / max(paa)
assert max(abs(compensate(seen, "tsc") - a)) < 1e-10, "compensate is off by {}", max(abs(compensate(seen, "tsc") - a))
