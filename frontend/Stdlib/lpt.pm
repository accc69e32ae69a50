// Lagrangian perturbation theory: particles displaced from their lattice by growing structure.

use cosmology, fields

// The particles at a, to first or second order (Bouchet et al. 1995; Scoccimarro 1998), from the linear overdensity
// `delta` at a = 1:
//
//   x = q + D1 psi1 + D2 psi2
//   p = a^2 E (f1 D1 psi1 + f2 D2 psi2)
//
// Value: {disp, mom, a}, disp = x - q in Mpc/h; mom = p = a^2 dx/d(H0 t) in Mpc/h. kernel: "fd4" as FastPM, or "exact"; laplacian: see
// inverse_laplacian_kernel; d2: see growth; over: see fields.
fn lpt(c, delta, a, order: int = 2, kernel = "fd4", laplacian = "exact", d2 = "fastpm", over = directions(delta)) {
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
