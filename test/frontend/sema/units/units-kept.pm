// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// What is made of values with a unit has one: 'sin' of it is an error that names it.
param v: f64 km/s = 3 km/s
param box: length = 100 Mpc/h
input seen: field[x, y] km/s
dim x = 8, y = 8 over box
let f = v * white_noise[x, y](1)
let fk = fft(f)
let disp = for d in (x, y) => 1 Mpc/h * white_noise[x, y](2)
let z = zeros[x, y]

// Particles.
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km/s
let a = sin(sum(paint(disp, weight = f)))
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km/s
let b = sin(sum(paint_at[x, y](disp, weight = f)))
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km/s
let c = sin(sum(paint(disp, weight = v)))
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km/s
let d = sin(sum(paint(disp, weight = 1 km/s)))
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km/s
let e = sin(sum(readout(f, disp)))
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km/s
let g = sin(sum(readout_at((f, f), disp)[1]))
// What is 0 fits every unit, painted too.
let h = f + paint(disp, weight = z)

// Fields, transforms, reductions.
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km/s
let i = sin(seen)
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km/s
let j = sin(real(ifft(fft(f, over = x), over = x)))
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km/s
let k = sin(slice(f, y = 3))
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km/s
let l = sin(mean(f, over = x))
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km/s
let m = sin(max(f))
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km/s
let n = sin(imag(sum(fk)))
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km/s
let o = sin(bins q in f into 4 by index(q, x) => f)
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km^2/s^2
let p = sin(inner(f, f))
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km^3/s^3
let q = sin(inner(fk, norm2(fk)))
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km^2/s^2
let r = sin(norm2(fk))
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km/s
let s = sin(abs(fk))
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km/s
let t = sin(max(f, 0))
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in km/s
let u = sin(constant[x, y](v))
