// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Reductions that would need modes which are not stored.
dim x = 8, y = 8, t = 2
let f = white_noise[x, y](1)
let u = fft(f)
// A function for which it is not known of every argument.
fn total_of(r) = sum(r)
// CHECK: :[[#@LINE-1]]:18: error: this counts every mode of the full spectrum
print "{} {}", total_of(map k in u => exp(index(k, x))), total_of(norm2(u))
// CHECK: :[[#@LINE+1]]:9: error: a reduction over 'ky' that keeps 'kx' requires modes that are stored at the opposite 'kx'; reduce that as well, or use bins by its index: bins k in fk into 8 by index(k, x) + 4 => …
let a = sum(norm2(u), over = y)
output a
// A dim of two cells has no opposite modes.
output c = sum(norm2(fft(white_noise[t, y](1))), over = y)
// CHECK: :[[#@LINE+3]]:21: error: this counts every mode of the full spectrum, but the value of a field over [kx=dual(8), ky=half(8)] is not known at the modes that 'ky' does not store; reduce the complex field, or compute the number inside of the sum or the bins
// CHECK: :[[#@LINE+1]]:13: note: the field comes from here
let mixed = loop r = (map k in u => index(k, x) * real(u) + imag(u)) for i in 0 .. 3 => 2 r
print "{} {}", 1.0, sum(mixed)
fn parts(v) = map k in v => real(v) + imag(v)
// CHECK: :[[#@LINE+1]]:9: error: the cotangent of a field over [kx=dual(8), ky=half(8)] counts at every mode of the full spectrum, but it is not known that this field and its cotangent are both even, or both odd, in the mode
let d = vjp(parts)(u, cotangent = norm2(u))[1]
output e = real(d)
// The same parity on both sides.
output g = real(vjp(v => imag(v))(u, cotangent = imag(u^2))[1])
