// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet && %python %S/check_spectra_numpy.py %t.out
// Power and cross spectra in a box whose sides differ in length and in cells, with every window divided out, the
// kernels of windows, gradients and inverse Laplacians, smoothing, and the attributes of files, against NumPy.

use fields, spectra

param radius: length = 7 Mpc/h
dim x = 16 over 100 Mpc/h
dim y = 12 over 60 Mpc/h
dim z = 15 over 150 Mpc/h
dim sample = 2

let a = white_noise[x, y, z](1)
let b = a + white_noise[x, y, z](2)
output a
output b
output raw (k, P, modes) = power_spectrum(a)
output cross (k, P, modes) = cross_spectrum(a, b)
output ngp (k, P, modes) = power_spectrum(a, compensate = "ngp")
output cic (k, P, modes) = power_spectrum(a, compensate = "cic")
output tsc (k, P, modes) = power_spectrum(a, compensate = "tsc")
output pcs (k, P, modes) = cross_spectrum(a, b, compensate = "pcs")
output window_ngp = windowed(a, "ngp")
output window_cic = windowed(a, "cic")
output window_tsc = windowed(a, "tsc")
output window_pcs = windowed(a, "pcs")
output slope_exact flatten = gradient(a)
output slope_fd2 flatten = gradient(a, "fd2")
output slope_fd4 flatten = gradient(a, "fd4")
output slope_fd6 flatten = gradient(a, "fd6")
output difference_fd2 flatten = for d in (x, y, z) => central_difference(a, d, "fd2")
output difference_fd4 flatten = for d in (x, y, z) => central_difference(a, d)
output difference_fd6 flatten = for d in (x, y, z) => central_difference(a, d, "fd6")
output inverse_exact = inverse_laplacian(a)
output inverse_fd2 = inverse_laplacian(a, "fd2")
output smoothed = smooth(a, radius)
output batch = white_noise[sample, x](3)

fn windowed(f, window) {
  let fk = fft(f)
  ifft(map k in fk => window_kernel(k, window) * fk)
}
