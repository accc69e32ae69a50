// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet && %t --out %t.out --quiet --mesh row=2 --transport=threads
// Values and derivatives of readings with a wide window, read together, along each direction: against differences of values.
use nufft
mesh ranks(row = 1)
layout x -> row
dim x = 24, y = 18, z = 16
let f = white_noise[x, y, z](1)
let s = for d in (x, y, z) => 0.3 * white_noise[x, y, z](2)
let v = for d in (x, y, z) => white_noise[x, y, z](3)
let along = (for i in 0 .. 3 => for j in 0 .. 3 => if i == j then v[i] else 0 * v[i])
fn check(window) {
  fn read(s) = readout(f, s, window = window)^2
  let h = 1e-5
  let worst = for k in 0 .. 3 => {
    let (value, slope) = jvp(read)(s, tangent = along[k])
    let difference = (1 / (2 * h)) * (read(s + h * along[k]) - read(s - h * along[k]))
    let apart = max(abs(slope - difference))
    assert max(abs(value - read(s))) < 1e-12, "{}: the value differs by {}", k, max(abs(value - read(s)))
    assert max(abs(slope)) > 0.1 and apart < 1e-6, "along direction {} the derivative differs by {}", k, apart
    apart
  }
  let g = grad(s => sum(read(s)))(s)
  let (whole, all) = jvp(s => sum(read(s)))(s, tangent = v)
  assert abs(inner(g, v) - all) < 1e-9 * abs(all), "grad {}, jvp {}", inner(g, v), all
  max(max(worst[0], worst[1]), worst[2])
}
print "{} {} {}", check("tsc"), check(kaiser_bessel(4)), check(kaiser_bessel(8))
