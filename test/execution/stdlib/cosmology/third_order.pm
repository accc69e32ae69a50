// RUN: %pmc %s -O0 -o %t --precision=f64 && %t --out %t.out --quiet && %python %S/check_third_order.py %t.out
// Displacements and momenta of third order of three crossed plane waves, in closed form; growth of third order in matter domination, and in
// curved space against SciPy; and that random displacements solve the equation of motion to third order, in NumPy.

use math, cosmology, fields, lpt

dim x = 16, y = 16, z = 16 over 100 Mpc/h
dim layer = 2, time = 4

let A = 0.5
let kf = 2 pi / length(x)
let c = cosmology(omega_m = 1)
let delta = map q in [x, y, z] => A * (cos(kf * q[x]) + cos(kf * q[y]) + cos(kf * q[z]))
let second = lpt(c, delta, 0.8, order = 2, kernel = "exact", d2 = "true")
let third = lpt(c, delta, 0.8, order = 3, kernel = "exact", d2 = "true")

// phi = -A/K^2 sum cos Kx_i and chi = -A^2/(2 K^2) sum_(i<j) cos Kx_i cos Kx_j. det phi_ab = A^3 cos cos cos; each pair of waves i, j has
// a potential and a curl of its own, and the pair and the third wave have -3/2 A^3 cos cos cos together.
fn wave(j, p) = kf * p[(x, y, z)[j]]
fn pair_of(p, i: int, j: int) {
  let (u, v) = (wave(i, p), wave(j, p))
  -(10 / 21) / (8 * kf) * (sin(u) + (2 * sin(2 * u) * cos(v) + sin(u) * cos(2 * v)) / 5) +
    1 / (140 * kf) * (2 * sin(u) * cos(2 * v) - sin(2 * u) * cos(v))
}
fn all_of(p, i: int, j: int, m: int) =
  (1 / 3 - 1.5 * 10 / 21) / (3 * kf) * sin(wave(i, p)) * cos(wave(j, p)) * cos(wave(m, p))
let psi3 = map p in delta => A^3 * (
  pair_of(p, 0, 1) + pair_of(p, 0, 2) + all_of(p, 0, 1, 2),
  pair_of(p, 1, 0) + pair_of(p, 1, 2) + all_of(p, 1, 0, 2),
  pair_of(p, 2, 0) + pair_of(p, 2, 1) + all_of(p, 2, 0, 1))
fn off(name, u, v) {
  let most = sqrt(max(norm2(u - v)) / max(norm2(v)))
  assert most < 1e-8, "{} is off by {} of its largest", name, most
}
off("displacement", third.disp - second.disp, 0.8^3 * psi3)
off("momentum", third.mom - second.mom, 3 * 0.8^3 * sqrt(0.8) * psi3)
let eds = third_order_growth(c, 0.4)
let numbers = (eds.Da, eds.Db, eds.Dc, eds.dDa / 3, eds.dDb / 3, eds.dDc / 3)
for i in 0 .. 6 { assert abs(numbers[i] / 0.4^3 - 1) < 1e-9, "growth {} in matter domination: {}", i, numbers[i] }
let other = third_order_growth(c, 0.4, today = raw_growth(c, 0.5))
assert abs(other.Da / (8 * eds.Da) - 1) < 1e-9, "normalized to a = 0.5: {}", other.Da

// One plane wave in any direction has a first order only.
let oblique = fft(map q in [x, y, z] => A * cos(kf * (q[x] + 2 * q[y] - q[z])))
let none = third_order_sources(oblique, fft(second_order_source(oblique, "exact")), "exact")
let rest = third_order_displacement(none, 1, 1, 1, "exact")
assert max(norm2(rest)) < 1e-12 (Mpc/h)^2, "the third order of a plane wave is {}", max(norm2(rest))
// Other kernels are factors; a batch, each of it alone.
let dk = fft(delta)
let sk = fft(second_order_source(dk, "fd4", "fd2"))
fn with_kernels(dk, sk, over) =
  third_order_displacement(third_order_sources(dk, sk, "fd4", "fd2", over), 1, 0.5, 2, "fd4", "fd2", over)
let one = with_kernels(dk, sk, (x, y, z))
let factor = (8 * sin(kf * spacing(x)) - sin(2 * kf * spacing(x))) / (6 * spacing(x)) /
  (2 * sin(kf * spacing(x) / 2) / spacing(x))^2
let of_determinant = third_order_displacement(third_order_sources(dk, 0 * sk, "fd4", "fd2"), 1, 0, 0, "fd4", "fd2")
let f3 = (factor * (8 * sin(kf * spacing(x)) - sin(2 * kf * spacing(x))) / (6 * spacing(x)))^3 * factor
off("kernels", of_determinant[x], map p in delta => A^3 * f3 / 9 * sin(wave(0, p)) * cos(wave(1, p)) * cos(wave(2, p)))
// The determinant with differences in real space, from factors in Fourier space.
fn bent(a, b) {
  ifft(map k in dk =>
    gradient_kernel(k, a, "fd6") * gradient_kernel(k, b, "fd6") * inverse_laplacian_kernel(k, "exact") * dk)
}
let determinant = bent(x, x) * (bent(y, y) * bent(z, z) - bent(y, z)^2) -
  bent(x, y) * (bent(x, y) * bent(z, z) - bent(y, z) * bent(x, z)) +
  bent(x, z) * (bent(x, y) * bent(y, z) - bent(y, y) * bent(x, z))
let by_differences = ifft(third_order_sources(dk, sk, "fd6").determinant)
assert max(abs(by_differences - determinant)) < 1e-12, "the determinant by differences is off by {}",
       max(abs(by_differences - determinant))
let two = map q in [layer, x, y, z] => delta * (1 + index(q, layer))
let batch = lpt(c, two, 0.8, order = 3, over = (x, y, z))
off("batch", (for e in (x, y, z) => (batch.disp[e])[layer = 1]), lpt(c, 2 * delta, 0.8, order = 3).disp)

let lower = lpt_to_second_order(c, two, 0.8, laplacian = "fd2", d2 = "true", over = (x, y, z))
off("lpt_to_second_order", (for e in (x, y, z) => (lower.disp[e])[layer = 1]),
    lpt(c, 2 * delta, 0.8, laplacian = "fd2", d2 = "true").disp)

// For NumPy: modes up to 2, so that products have no aliases.
let wk = fft(white_noise[x, y, z](1))
let random =
  ifft(map k in wk =>
    if total(for d in (x, y, z) => if abs(index(k, d)) > 2 then 1 else 0) > 0 or norm2(k) == 0 then 0 else wk)
let (_, states) = loop u = 0.0 for i in time => {
  let s = lpt(c, random, 0.25 * (i + 1), order = 3, kernel = "exact", d2 = "true")
  u stacking (s.disp, s.mom)
}
output disp = states[0]
output mom = states[1]
let curved = third_order_growth(cosmology(omega_m = 0.3, omega_k = 0.1, w0 = -0.9, wa = 0.2), 0.7)
output growth (Da, Db, Dc, dDa, dDb, dDc) =
  (curved.Da, curved.Db, curved.Dc, curved.dDa, curved.dDb, curved.dDc)
