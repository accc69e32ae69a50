// Lagrangian perturbation theory: particles displaced from their lattice by growing structure.

use cosmology, fields

// The particles at a, to first, second or third order (Bouchet et al. 1995; Scoccimarro 1998), from the linear overdensity
// `delta` at a = 1:
//
//   x = q + D1 psi1 + D2 psi2 + Da psia + Db psib + Dc psic
//   p = a^2 E (f1 D1 psi1 + f2 D2 psi2 + Da' psia + Db' psib + Dc' psic)
//
// The last three are of third order: third_order_displacement, with third_order_growth.
// Value: {disp, mom, a}, disp = x - q in Mpc/h; mom = p = a^2 dx/d(H0 t) in Mpc/h. kernel: "fd4" as FastPM, or "exact"; laplacian: see
// inverse_laplacian_kernel; d2: see growth; over: see fields.
fn lpt(c, delta, a, order: int = 2, kernel = "fd4", laplacian = "exact", d2 = "fastpm", over = directions(delta)) {
  assert order >= 1 and order <= 3, "lpt: order = {}, expected 1, 2 or 3", order
  if order == 3 then {
    let second = lpt_to_second_order(c, delta, a, 2, kernel, laplacian, d2, over)
    let dk = fft(delta, over = over)
    let sk = fft(second_order_source(dk, kernel, laplacian), over = over)
    let third = third_order_sources(dk, sk, kernel, laplacian, over)
    let h = third_order_growth(c, a)
    let w = a^2 * E(c, a)
    second with {
      disp = second.disp + third_order_displacement(third, h.Da, h.Db, h.Dc, kernel, laplacian, over)
      mom = second.mom + third_order_displacement(third, w * h.dDa, w * h.dDb, w * h.dDc, kernel, laplacian, over)
    }
  } else lpt_to_second_order(c, delta, a, order, kernel, laplacian, d2, over)
}

// The same for order 1 or 2. Where the order is known in a run only, lpt reserves the memory of third order, too.
fn lpt_to_second_order(c, delta, a, order: int = 2, kernel = "fd4", laplacian = "exact", d2 = "fastpm",
                       over = directions(delta)) {
  assert a > 0, "lpt: a = {}, expected a scale factor above 0", a
  let g = growth(c, a, d2)
  let w1 = a^2 * E(c, a) * g.f1 * g.D1
  let w2 = a^2 * E(c, a) * g.f2 * g.D2
  let dk = fft(delta, over = over)
  if order == 1 then {
    let psi1 = lpt_displacement(dk, kernel, laplacian)
    {disp = g.D1 * psi1, mom = w1 * psi1, a = a}
  } else {
    let source = fft(second_order_source(dk, kernel, laplacian), over = over)
    let psi2 = 3 / 7 * lpt_displacement(source, kernel, laplacian)
    let psi1 = lpt_displacement(dk, kernel, laplacian)
    {disp = g.D1 * psi1 + g.D2 * psi2, mom = w1 * psi1 + w2 * psi2, a = a}
  }
}

// psi_d = FT^-1[i k~_d k^-2 delta_k]: its divergence is -delta.
fn lpt_displacement(dk, kernel = "fd4", laplacian = "exact") =
  for d in directions(dk) => ifft(map k in dk =>
    1i * (gradient_kernel(k, d, kernel) * inverse_laplacian_kernel(k, laplacian)) * dk)

// S = sum_{a<b} (phi_aa phi_bb - phi_ab^2), phi_ab the second derivatives of the inverse Laplacian of delta. One
// product is finished before the next derivative is made, so that few fields live at a time.
fn second_order_source(dk, kernel = "fd4", laplacian = "exact") {
  fn phi(a, b) = ifft(map k in dk =>
    -(gradient_kernel(k, a, kernel) * gradient_kernel(k, b, kernel) * inverse_laplacian_kernel(k, laplacian)) * dk)
  let (x, y, z) = directions(dk)
  let xx = phi(x, x)
  let yy = phi(y, y)
  let xx_yy = xx * yy
  let xx_plus_yy = xx + yy
  xx_yy + xx_plus_yy * phi(z, z) - phi(x, y)^2 - phi(x, z)^2 - phi(y, z)^2
}

// The sources of third order, transformed, from phi = laplacian^-1 delta and chi = laplacian^-1 S, S the second-order source, with
// indices for derivatives:
//
//   determinant   det phi_ab
//   mixed         sum_ab (phi_ab chi_ab - phi_aa chi_bb)/2
//   curl          a vector: component i is sum_c eps_ijl phi_cj chi_cl
//
// dk, sk: the transforms of delta and of S.
fn third_order_sources(dk, sk, kernel = "fd4", laplacian = "exact", over = directions(dk)) {
  fn derivative_of(fk, a, b) = ifft(map k in fk =>
    gradient_kernel(k, a, kernel) * gradient_kernel(k, b, kernel) * inverse_laplacian_kernel(k, laplacian) * fk)
  let (x, y, z) = for d in over => d
  fn phi(a, b) = derivative_of(dk, a, b)
  fn chi(a, b) = derivative_of(sk, a, b)
  let (xx, yy, zz, xy, xz, yz) = (phi(x, x), phi(y, y), phi(z, z), phi(x, y), phi(x, z), phi(y, z))
  let (cxx, cyy, czz, cxy, cxz, cyz) = (chi(x, x), chi(y, y), chi(z, z), chi(x, y), chi(x, z), chi(y, z))
  let determinant = xx * (yy * zz - yz^2) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
  let mixed = xy * cxy + xz * cxz + yz * cyz - 0.5 * (xx * (cyy + czz) + yy * (cxx + czz) + zz * (cxx + cyy))
  {determinant = fft(determinant, over = over)
   mixed = fft(mixed, over = over)
   curl = (fft(xy * cxz + yy * cyz + yz * czz - (xz * cxy + yz * cyy + zz * cyz), over = over),
           fft(xz * cxx + yz * cxy + zz * cxz - (xx * cxz + xy * cyz + xz * czz), over = over),
           fft(xx * cxy + xy * cyy + xz * cyz - (xy * cxx + yy * cxy + yz * cxz), over = over))}
}

// A psia + B psib + C psic for three numbers: the displacement whose divergence is A/3 determinant + 10/21 B mixed, and whose curl
// is C/7 curl.
fn third_order_displacement(sources, A, B, C, kernel = "fd4", laplacian = "exact", over = directions(sources.mixed)) {
  let (d, m) = (sources.determinant, sources.mixed)
  let list = for e in over => e
  for i in 0 .. 3 => {
    let (u, v) = (sources.curl[mod(i + 1, 3)], sources.curl[mod(i + 2, 3)])
    ifft(map k in d => {
      fn slope(j) = gradient_kernel(k, list[mod(j, 3)], kernel)
      let rotation = C / 7 * (slope(i + 1) * v - slope(i + 2) * u)
      1i * inverse_laplacian_kernel(k, laplacian) * (rotation - slope(i) * (A / 3 * d + 10 / 21 * B * m))
    })
  }
}
