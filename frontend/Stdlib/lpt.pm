// Lagrangian perturbation theory of first to third order: particles are displaced from their
// lattice by growing structure.
//
// The place of a particle is x = q + D1 ψ1 + D2 ψ2 + Da ψa + Db ψb + Dc ψc, where q is its site of
// the lattice. Its momentum is p = a² dx/d(H₀t) = a² E (f1 D1 ψ1 + f2 D2 ψ2 + Da′ ψa + Db′ ψb + Dc′
// ψc). The last three terms are of third order. The growth functions are those of `growth` and
// `third_order_growth`.
//
// Derivatives are in the dims of `over`. S is the second-order source.
//
// Setup: use cosmology
//   dim x = 16, y = 16, z = 16 over 100 Mpc/h
//   let c = flat_lcdm()
//   let delta = 0.1 * white_noise[x, y, z](1)
//   let dk = fft(delta)
//   let sk = fft(second_order_source(dk))
//
// Internal: lpt_potential

use cosmology, fields

// The particles at the scale factor a, to first, second or third order, from the linear overdensity
// at a = 1.
// - c: cosmology
// - delta: linear overdensity at a = 1, a real periodic field over the lattice of the particles
// - a: scale factor, above 0
// - order: int, 1, 2 or 3; orders above 1 require three dims
// - kernel: the derivatives, `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`, as in `gradient_kernel`; `"fd4"`
//   is that of FastPM
// - laplacian: `"exact"` or `"fd2"`, as in `inverse_laplacian_kernel`
// - d2: normalization of the second-order growth, `"fastpm"` or `"true"`, as in `growth`
// - over: dims along which the particles move; the other dims count a batch
// Value: record `{disp, mom, a}`. disp is x − q and mom is p, vectors of fields in the unit of
//   length, Mpc/h. Another order, or a ≤ 0, is an error.
// Source: Bouchet et al. (1995); Scoccimarro (1998)
// Cost: two transforms in first order and four in second order; with the kernel `"exact"` four and
//   14 in three dims. Third order takes 12 or 23 more, and stores about 20 fields. If the order is
//   known only at run time, the program reserves the memory of third order.
// Example: lpt(c, delta, a = 0.1).disp
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

// The particles at the scale factor a, to first or second order, as `lpt`. Use it for an order that
// is known only at run time: the program does not reserve the memory of third order.
// - c: cosmology
// - delta: linear overdensity at a = 1, a real periodic field over the lattice of the particles
// - a: scale factor, above 0
// - order: int, 1 or 2; order 2 requires three dims
// - kernel: the derivatives, `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`, as in `gradient_kernel`; `"fd4"`
//   is that of FastPM
// - laplacian: `"exact"` or `"fd2"`, as in `inverse_laplacian_kernel`
// - d2: normalization of the second-order growth, `"fastpm"` or `"true"`, as in `growth`
// - over: dims along which the particles move; the other dims count a batch
// Value: record `{disp, mom, a}` as of `lpt`.
// Source: Bouchet et al. (1995)
// Cost: two transforms in first order and four in second order; with the kernel `"exact"` four and
//   14 in three dims.
// Example: lpt_to_second_order(c, delta, a = 0.1, order = 1).disp
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
    if is_difference(kernel) then {
      // One potential for each vector: fewer fields exist at one time than with two.
      let phi1 = lpt_potential(dk, laplacian)
      let phi2 = 3 / 7 * lpt_potential(source, laplacian)
      let by_position = g.D1 * phi1 + g.D2 * phi2
      let by_momentum = w1 * phi1 + w2 * phi2
      {disp = for d in over => central_difference(by_position, d, kernel)
       mom = for d in over => central_difference(by_momentum, d, kernel)
       a = a}
    } else {
      let psi2 = 3 / 7 * lpt_displacement(source, kernel, laplacian)
      let psi1 = lpt_displacement(dk, kernel, laplacian)
      {disp = g.D1 * psi1 + g.D2 * psi2, mom = w1 * psi1 + w2 * psi2, a = a}
    }
  }
}

// The field whose gradient is the displacement: FT⁻¹[k⁻² δ_k].
fn lpt_potential(dk, laplacian) = ifft(map k in dk => inverse_laplacian_kernel(k, laplacian) * dk)

// The displacement ψ_d = FT⁻¹[i k̃_d k⁻² δ_k]. Its divergence is −δ.
// - dk: transform of the overdensity δ
// - kernel: the derivatives, `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`, as in `gradient_kernel`; `"fd4"`
//   is that of FastPM
// - laplacian: `"exact"` or `"fd2"`, as in `inverse_laplacian_kernel`
// Value: vector with a field for each transformed dim, in the unit of δ times length.
// Source: Zel'dovich (1970)
// Cost: one transform, or one for each dim if the kernel is `"exact"`.
// Example: lpt_displacement(dk)
fn lpt_displacement(dk, kernel = "fd4", laplacian = "exact") =
  if is_difference(kernel) then {
    let phi = lpt_potential(dk, laplacian)
    for d in directions(dk) => central_difference(phi, d, kernel)
  } else
    for d in directions(dk) => ifft(map k in dk =>
      1i * (gradient_kernel(k, d, kernel) * inverse_laplacian_kernel(k, laplacian)) * dk)

// The source of second order, S = Σ_(a<b) (φ_aa φ_bb − φ_ab²), where φ_ab is a second derivative of
// φ = ∇⁻²δ.
// - dk: transform of the overdensity δ, over three dims
// - kernel: the derivatives, `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`, as in `gradient_kernel`; `"fd4"`
//   is that of FastPM
// - laplacian: `"exact"` or `"fd2"`, as in `inverse_laplacian_kernel`
// Value: real field in the unit of δ squared.
// Source: Bouchet et al. (1995)
// Cost: one transform, or six if the kernel is `"exact"`.
// Example: second_order_source(dk)
fn second_order_source(dk, kernel = "fd4", laplacian = "exact") {
  let psi = lpt_displacement(dk, kernel, laplacian)
  fn phi(a, b) =
    if is_difference(kernel) then central_difference(psi[a], b, kernel)
    else
      ifft(map k in dk =>
        -(gradient_kernel(k, a, kernel) * gradient_kernel(k, b, kernel) * inverse_laplacian_kernel(k, laplacian)) * dk)
  let (x, y, z) = directions(dk)
  let xx = phi(x, x)
  let yy = phi(y, y)
  let xx_yy = xx * yy
  let xx_plus_yy = xx + yy
  xx_yy + xx_plus_yy * phi(z, z) - phi(x, y)^2 - phi(x, z)^2 - phi(y, z)^2
}

// The transformed sources of third order, from φ = ∇⁻²δ and χ = ∇⁻²S with indices for derivatives.
// - dk: transform of the overdensity δ, over three dims
// - sk: transform of the second-order source S
// - kernel: the derivatives, `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`, as in `gradient_kernel`; `"fd4"`
//   is that of FastPM
// - laplacian: `"exact"` or `"fd2"`, as in `inverse_laplacian_kernel`
// - over: the three dims of the derivatives; the other dims count a batch
// Value: record `{determinant, mixed, curl}` of transforms. determinant is det φ_ab. mixed is ½
//   Σ_ab (φ_ab χ_ab − φ_aa χ_bb). curl is the vector Σ_c ∇φ_c × ∇χ_c.
// Source: Bouchet et al. (1995)
// Cost: seven transforms, or 17 if the kernel is `"exact"`.
// Example: third_order_sources(dk, sk).curl
fn third_order_sources(dk, sk, kernel = "fd4", laplacian = "exact", over = directions(dk)) {
  fn derivative_of(fk, slopes, a, b) =
    if is_difference(kernel) then -central_difference(slopes[a], b, kernel)
    else
      ifft(map k in fk =>
        gradient_kernel(k, a, kernel) * gradient_kernel(k, b, kernel) * inverse_laplacian_kernel(k, laplacian) * fk)
  let first = lpt_displacement(dk, kernel, laplacian)
  let second = lpt_displacement(sk, kernel, laplacian)
  let (x, y, z) = for d in over => d
  fn phi(a, b) = derivative_of(dk, first, a, b)
  fn chi(a, b) = derivative_of(sk, second, a, b)
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

// A ψa + B ψb + C ψc for three numbers: the displacement with the divergence A/3 determinant +
// 10/21 B mixed and the curl C/7 curl.
// - sources: record of `third_order_sources`
// - A, B, C: numbers, such as Da, Db and Dc of `third_order_growth`
// - kernel: the derivatives, `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`, as in `gradient_kernel`; `"fd4"`
//   is that of FastPM
// - laplacian: `"exact"` or `"fd2"`, as in `inverse_laplacian_kernel`
// - over: the three dims of the derivatives; the other dims count a batch
// Value: vector of three real fields in the unit of length.
// Source: Bouchet et al. (1995)
// Cost: three transforms.
// Example: third_order_displacement(third_order_sources(dk, sk), 1.0, 1.0, 1.0)
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
