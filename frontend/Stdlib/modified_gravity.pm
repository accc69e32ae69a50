// Gravity that differs from general relativity, in the quasi-static limit: the normal branch of the
// model of Dvali, Gabadadze & Porrati (nDGP), f(R) of Hu & Sawicki with n = 1, and the symmetron. The
// background is that of the cosmology.
//
// A fifth force ∇χ adds to the force ∇∇⁻²δ of general relativity. χ is a potential in the unit of
// ∇⁻²δ, which is length². The models screen χ where matter is dense. `nonlinear_solution` of
// `multigrid` solves the equations of χ. The forces are for the argument `gravity` of `nbody`.
//
// A strength is a function (k, a) => μ, where μ is the ratio of the force of a small overdensity to
// that in general relativity.
//
// Setup: use cosmology, power, fields, lpt, nbody
//   dim x = 16, y = 16, z = 16 over 100 Mpc/h
//   let c = flat_lcdm(omega_m = 0.3)
//   let delta = smooth(white_noise[x, y, z](1), 9 Mpc/h)
//   let start = lpt(c, delta, a = 0.1)
//
// Internal: ndgp_problem ndgp_nonlinearity ndgp_parts mixed_square hu_sawicki_problem
//   hu_sawicki_scales hu_sawicki_cell cubic_root with_fifth without_lattice
//   symmetron_vacuum2 symmetron_problem symmetron_cell

use math, cosmology, fields, nbody, multigrid

// ---- nDGP ----

// The function β(a) = 1 + 2 E r (1 + E′/(3E)) of nDGP, where r is r_c H₀/c.
// - c: cosmology
// - a: scale factor, above 0
// - crossing: number above 0, the crossing scale r_c in units of c/H₀
// Value: number.
// Source: Koyama & Silva (2007); Winther et al. (2015)
// Example: ndgp_beta(c, 0.5, crossing = 1)
fn ndgp_beta(c, a, crossing) = 1 + 2 * crossing * E(c, a) * (1 + dlnE_dlna(c, a) / 3)

// The strength of nDGP, μ = 1 + 1/(3β), on all scales.
// - c: cosmology
// - crossing: number above 0, the crossing scale r_c in units of c/H₀
// Value: function (k, a) => μ.
// Source: Koyama & Silva (2007)
// Example: ndgp_strength(c, crossing = 1)(0.1 h/Mpc, 0.5)
fn ndgp_strength(c, crossing) = (k, a) => 1 + 1 / (3 * ndgp_beta(c, a, crossing))

// The potential χ of the fifth force of nDGP: ∇²χ + K ((∇²χ)² − Σ_ij (∂_i ∂_j χ)²) = δ/(3β) with K =
// omega_m r²/(β a³), where r is r_c H₀/c.
//
// Second derivatives are differences of order 2. The square of a mixed one is the mean of the
// squares of the four differences around a cell. Therefore the mean of the left-hand side is 0, as
// the mean of δ is.
// - c: cosmology
// - delta: overdensity, a real field over three dims with lengths, periodic, −1 or more
// - a: scale factor, above 0
// - crossing: number above 0, the crossing scale r_c in units of c/H₀
// - cycles: int, the number of cycles; each one reduces the residual 5 to 20 times
// - levels: int, the number of coarser grids; −1: all grids that halve the cells, down to 2
// - sweeps: int, the sweeps before and after the coarser grid
// - shape: `"V"` or `"W"`
// Value: field like delta in the unit of length². A crossing scale that is not above 0 is an error.
// Source: Koyama & Silva (2007); Winther et al. (2015)
// Example: ndgp_potential(c, delta, 0.5, crossing = 1, cycles = 2)
fn ndgp_potential(c, delta, a, crossing, cycles: int = 6, levels: int = -1, sweeps: int = 2, shape = "V") {
  assert crossing > 0, "ndgp: crossing = {}, expected a number above 0: r_c in units of c/H0", crossing
  let beta = ndgp_beta(c, a, crossing)
  let f = 1 / (3 * beta) * (delta - mean(delta, over = directions(delta)))
  let none = 0 * spacing(directions(delta)[0])^2 * delta
  nonlinear_solution(ndgp_problem(ndgp_nonlinearity(c, a, crossing)), none, f, cycles, levels, sweeps, shape)
}

// K of ndgp_potential.
fn ndgp_nonlinearity(c, a, crossing) = c.omega_m * crossing^2 / (ndgp_beta(c, a, crossing) * a^3)

// A cell's equation is quadratic in its ∇²χ, if the rest of Σ_ij (∂_i ∂_j χ)² is known that a Laplacian of the cell alone does not have
// (Chan & Scoccimarro 2009). Its root is written without a difference of nearly equal numbers. On the coarser grids the square root
// may not exist before the solution is near.
fn ndgp_problem(K) = {
  apply = (K, u) => {
    let (laplacian, squares) = ndgp_parts(u)
    laplacian + K * (laplacian^2 - squares)
  },
  relax = (K, u, f) => {
    let (laplacian, squares) = ndgp_parts(u)
    let n = total(for d in directions(u) => 1)
    let right = f + K * (squares - laplacian^2 / n)
    let root = 2 * right / (1 + sqrt(max(1 + 4 * K * (1 - 1 / n) * right, 0.01)))
    u + (laplacian - root) / total(for d in directions(u) => 2 / spacing(d)^2)
  },
  keep = (next, u) => next, coarser = K => K, data = K
}

// ∇²u, and the sum of the squares of all second derivatives.
fn ndgp_parts(u) {
  let list = directions(u)
  let n = total(for d in list => 1)
  let second = for d in list => (u[d + 1] + u[d - 1] - 2 u) / spacing(d)^2
  (total(second), total(for s in second => s^2) +
                  total(for i in 1 .. n => total(for j in 0 .. i => 2 * mixed_square(u, list[i], list[j]))))
}

fn mixed_square(u, d, e) =
  total(for a in (1, -1) => total(for b in (1, -1) => (u[d + a, e + b] - u[d + a] - u[e + b] + u)^2)) /
    (4 * spacing(d)^2 * spacing(e)^2)

// The force of nDGP, for the argument `gravity` of `nbody`.
// - c: cosmology
// - crossing: number above 0, the crossing scale r_c in units of c/H₀
// - cycles: int, the number of cycles
// - levels: int, the number of coarser grids; −1: all grids that halve the cells, down to 2
// - sweeps: int, the sweeps before and after the coarser grid
// - shape: `"V"` or `"W"`
// - force: function (mesh, scale) => scale ∇∇⁻² mesh, the force of general relativity, such as
//   `fourier_force()` or `multigrid()`
// Value: function (mesh, scale, a) => ∇(∇⁻²δ + χ), a vector of fields like mesh, for δ = scale · mesh
//   − 1.
// Source: Koyama & Silva (2007)
// Example: nbody(c, start, from = 0.1, to = 1, steps = 3, gravity = ndgp_force(c, crossing = 1)).disp
fn ndgp_force(c, crossing, cycles: int = 4, levels: int = -1, sweeps: int = 2, shape = "V", force = fourier_force()) =
  (mesh, scale, a) =>
    with_fifth(force(mesh, scale), ndgp_potential(c, scale * mesh - 1, a, crossing, cycles, levels, sweeps, shape))

fn with_fifth(g, chi) {
  let list = directions(chi)
  for i in 0 .. total(for d in list => 1) => g[i] + central_difference(chi, list[i], "fd4")
}

// ---- f(R) ----

// The square of the range of the fifth force of f(R) at the mean density, 1/m² = 2 ℓ²/q, comoving.
// ℓ² and q are those of `hu_sawicki_potential`.
// - c: cosmology with a cosmological constant
// - a: scale factor, above 0
// - f_r0: number above 0, −df/dR today, such as 1e-5
// Value: number in (Mpc/h)².
// Source: Hu & Sawicki (2007)
// Example: hu_sawicki_range2(c, 0.5, f_r0 = 1e-5)
fn hu_sawicki_range2(c, a, f_r0) {
  let s = hu_sawicki_scales(c, a, f_r0)
  2 * s.l2 / s.q
}

// l2 = f_R(a) a (c/H0)^2/(3 omega_m) with |f_R| of the background, and q = a^3 R/(9 omega_m H0^2) with its R = 3 H0^2 (omega_m/a^3 + 4 omega_de).
fn hu_sawicki_scales(c, a, f_r0) {
  let now = c.omega_m + 4 * omega_de(c)
  let curvature = c.omega_m / a^3 + 4 * omega_de(c)
  {l2 = f_r0 * (now / curvature)^2 * a * (2997.92458 Mpc/h)^2 / (3 * c.omega_m), q = a^3 * curvature / (3 * c.omega_m)}
}

// The strength of f(R), μ = 1 + 1/3 k²/(k² + m²), where 1/m² is `hu_sawicki_range2`.
// - c: cosmology with a cosmological constant
// - f_r0: number above 0, −df/dR today, such as 1e-5
// Value: function (k, a) => μ; k is in 1/length.
// Source: Pogosian & Silvestri (2008)
// Example: hu_sawicki_strength(c, f_r0 = 1e-5)(0.1 h/Mpc, 0.5)
fn hu_sawicki_strength(c, f_r0) = (k, a) => {
  let y = k^2 * hu_sawicki_range2(c, a, f_r0)
  1 + y / (3 * (1 + y))
}

// The potential χ of the fifth force of f(R) of Hu & Sawicki with n = 1: χ = ℓ² (u − 1) with ℓ² ∇²u +
// q (u^(−1/2) − 1) = δ/3.
//
// u is f_R relative to the background. ℓ² = |f_R(a)| a (c/H₀)²/(3 omega_m) with |f_R(a)| = f_r0 (R(1)/
// R(a))², q = a³ R(a)/(9 omega_m H₀²) and R(a) = 3 H₀² (omega_m/a³ + 4 omega_de). The Laplacian is
// the difference of order 2. Each cell solves its cubic equation for √u (Bose et al. 2017).
// - c: cosmology with a cosmological constant
// - delta: overdensity, a real field over dims with lengths, periodic, −1 or more
// - a: scale factor, above 0
// - f_r0: number above 0, −df/dR today, such as 1e-5
// - cycles: int, the number of cycles; each one reduces the residual 10 to 50 times
// - levels: int, the number of coarser grids; −1: all grids that halve the cells, down to 2
// - sweeps: int, the sweeps before and after the coarser grid
// - shape: `"V"` or `"W"`
// Value: field like delta in (Mpc/h)². Dark energy that is not a cosmological constant, and an f_r0
//   that is not above 0, are errors.
// Source: Hu & Sawicki (2007); Oyaizu (2008); Bose et al. (2017)
// Example: hu_sawicki_potential(c, delta, 0.5, f_r0 = 1e-5, cycles = 2)
fn hu_sawicki_potential(c, delta, a, f_r0, cycles: int = 6, levels: int = -1, sweeps: int = 2, shape = "V") {
  assert c.w0 == -1 and c.wa == 0, "hu_sawicki: w0 = {}, wa = {}, expected -1 and 0: a cosmological constant", c.w0,
         c.wa
  assert f_r0 > 0, "hu_sawicki: f_r0 = {}, expected a number above 0, such as 1e-5", f_r0
  let s = hu_sawicki_scales(c, a, f_r0)
  let u = nonlinear_solution(hu_sawicki_problem(s), 1 + 0 * delta, delta / 3 + s.q, cycles, levels, sweeps, shape)
  s.l2 * (u - 1)
}

// For N(u) = l2 ∇²u + q/√u. A correction from the coarser grid leaves a tenth of u at least, because u must stay above 0.
fn hu_sawicki_problem(s) = {
  apply = (s, u) => s.l2 * laplacian_difference(u) + s.q / sqrt(u),
  relax = (s, u, f) => {
    let beside = total(for d in directions(u) => (u[d + 1] + u[d - 1]) / spacing(d)^2)
    let weight = s.l2 * total(for d in directions(u) => 2 / spacing(d)^2)
    let r = s.q / weight
    map i in u => hu_sawicki_cell((f - s.l2 * beside) / weight, r)
  },
  keep = (next, u) => max(next, 0.1 * u), coarser = s => s, data = s
}

fn hu_sawicki_cell(p, r) = cubic_root(p, r)^2

// The root above 0 of w^3 + p w = r, for r above 0, by Newton's method from a number near it, from which each step is well defined.
fn cubic_root(p, r) {
  let start = if p > 0 then min(pow(r, 1 / 3), r / max(p, 1e-30)) else max(pow(r, 1 / 3), sqrt(max(-p, 0)))
  loop w = start for i in 0 .. 6 => (2 * w^3 + r) / (3 * w^2 + p)
}

// The force of f(R) of Hu & Sawicki with n = 1, for the argument `gravity` of `nbody`.
//
// A mesh with more cells than there are particles (`boost = 2`) resolves the lattice of the particles,
// whose density is far from uniform and changes the nonlinear force. Therefore χ is that of the mesh
// without the waves of the lattice: a mode is multiplied by B (2 − B), where B is that of the mean
// over the cube of a particle.
// - c: cosmology with a cosmological constant
// - f_r0: number above 0, −df/dR today, such as 1e-5
// - cycles: int, the number of cycles
// - levels: int, the number of coarser grids; −1: all grids that halve the cells, down to 2
// - sweeps: int, the sweeps before and after the coarser grid
// - shape: `"V"` or `"W"`
// - force: function (mesh, scale) => scale ∇∇⁻² mesh, the force of general relativity, such as
//   `fourier_force()` or `multigrid()`
// Value: function (mesh, scale, a) => ∇(∇⁻²δ + χ), a vector of fields like mesh, for δ = scale · mesh
//   − 1. scale is the number of cells for each particle.
// Source: Hu & Sawicki (2007)
// Cost: two transforms more where scale is above 1.
// Example: nbody(c, start, from = 0.1, to = 1, steps = 3, gravity = hu_sawicki_force(c, f_r0 = 1e-5)).disp
fn hu_sawicki_force(c, f_r0, cycles: int = 4, levels: int = -1, sweeps: int = 2, shape = "V",
                    force = fourier_force()) =
  (mesh, scale, a) =>
    with_fifth(force(mesh, scale),
               hu_sawicki_potential(c, scale * without_lattice(mesh, scale) - 1, a, f_r0, cycles, levels, sweeps,
                                    shape))

// A mesh of `scale` cells for each particle, times B (2 - B), where B is the mean over the cube of a particle. B is 0 for all waves of the
// lattice. B (2 - B) differs from 1 by the square of 1 - B only.
fn without_lattice(mesh, scale) =
  if scale <= 1 then mesh
  else {
    let mk = fft(mesh)
    let list = directions(mesh)
    let side = pow(scale, 1 / total(for d in list => 1))
    ifft(map k in mk => {
      let B = product(for d in list => sinc(0.5 * side * spacing(d) * k[d]))
      B * (2 - B) * mk
    })
  }

// ---- symmetron ----

// The strength of the symmetron, μ = 1 + 2 β² v² k²/(k² + m²) with v² = 1 − (a_ssb/a)³ and the
// comoving mass m = a v/λ₀, for a above a_ssb, and 1 before.
// - a_ssb: number above 0, the scale factor of the symmetry breaking
// - range: number in Mpc/h, the range λ₀ of the field today without matter
// - coupling: number, β
// Value: function (k, a) => μ; k is in 1/length.
// Source: Hinterbichler & Khoury (2010); Davis et al. (2012)
// Example: symmetron_strength(0.5, 1 Mpc/h, coupling = 1)(1 h/Mpc, 0.8)
fn symmetron_strength(a_ssb, range, coupling) = (k, a) => {
  let v2 = symmetron_vacuum2(a, a_ssb)
  let y = (k * range / a)^2
  1 + (if v2 > 0 then 2 * coupling^2 * v2 * y / (y + v2) else 0)
}

// The square of the field at the mean density, in units of the field without matter.
fn symmetron_vacuum2(a, a_ssb) = max(1 - (a_ssb / a)^3, 0)

// The potential χ of the fifth force of the symmetron: χ = 2 a (β λ₀)²/a_ssb³ (ψ² − v²) with
// 2 (λ₀/a)² ∇²ψ = ((a_ssb/a)³ (1 + δ) − 1) ψ + ψ³.
//
// ψ ≥ 0 is the field in units of the field without matter, and v² = 1 − (a_ssb/a)³. Before a_ssb, ψ
// and χ are 0. The field has the same sign in the whole box: there are no domain walls. The Laplacian
// is the difference of order 2. A sweep solves the cubic equation of each cell.
// - delta: overdensity, a real field over dims with lengths, periodic, −1 or more
// - a: scale factor, above 0
// - a_ssb: number above 0, the scale factor of the symmetry breaking
// - range: number in Mpc/h, the range λ₀ of the field today without matter
// - coupling: number, β
// - cycles: int, the number of cycles; each one reduces the residual 5 to 50 times
// - levels: int, the number of coarser grids; −1: all grids that halve the cells, down to 2
// - sweeps: int, the sweeps before and after the coarser grid
// - shape: `"V"` or `"W"`
// Value: field like delta in (Mpc/h)². A scale factor a_ssb or a range that is not above 0 is an error.
// Source: Hinterbichler & Khoury (2010); Davis et al. (2012); Llinares, Mota & Winther (2014)
// Example: symmetron_potential(delta, 0.8, 0.5, 1 Mpc/h, coupling = 1, cycles = 2)
fn symmetron_potential(delta, a, a_ssb, range, coupling, cycles: int = 6, levels: int = -1, sweeps: int = 2,
                       shape = "V") {
  assert a_ssb > 0, "symmetron: a_ssb = {}, expected a number above 0", a_ssb
  assert range > 0 * range, "symmetron: the range is {}, expected a length above 0", range
  let v2 = symmetron_vacuum2(a, a_ssb)
  let data = {l2 = 2 * (range / a)^2, s = (a_ssb / a)^3 * (1 + delta) - 1}
  let start = (if v2 > 0 then sqrt(v2) else 0) + 0 * delta
  let psi = nonlinear_solution(symmetron_problem(data), start, 0 * delta, cycles, levels, sweeps, shape)
  2 * a * (coupling * range)^2 / a_ssb^3 * (psi^2 - v2)
}

// For N(u) = l2 ∇²u − s u − u³. A correction from the coarser grid reduces u at most to a tenth.
fn symmetron_problem(data) = {
  apply = (data, u) => data.l2 * laplacian_difference(u) - data.s * u - u^3,
  relax = (data, u, f) => {
    let beside = total(for d in directions(u) => (u[d + 1] + u[d - 1]) / spacing(d)^2)
    let weight = data.l2 * total(for d in directions(u) => 2 / spacing(d)^2)
    let s = data.s
    map i in u => symmetron_cell(weight + s, data.l2 * beside - f)
  },
  keep = (next, u) => max(next, 0.1 * u), coarser = data => {l2 = data.l2, s = halved(data.s)}, data = data
}

// The root u ≥ 0 of u³ + p u = r, or 0 if r is not above 0.
fn symmetron_cell(p, r) = if r > 0 then cubic_root(p, if r > 0 then r else 1) else 0 * r

// The force of the symmetron, for the argument `gravity` of `nbody`.
//
// On a mesh with more cells than there are particles, χ is that of the mesh without the waves of the
// lattice, as for `hu_sawicki_force`.
// - a_ssb: number above 0, the scale factor of the symmetry breaking
// - range: number in Mpc/h, the range λ₀ of the field today without matter
// - coupling: number, β
// - cycles: int, the number of cycles
// - levels: int, the number of coarser grids; −1: all grids that halve the cells, down to 2
// - sweeps: int, the sweeps before and after the coarser grid
// - shape: `"V"` or `"W"`
// - force: function (mesh, scale) => scale ∇∇⁻² mesh, the force of general relativity, such as
//   `fourier_force()` or `multigrid()`
// Value: function (mesh, scale, a) => ∇(∇⁻²δ + χ), a vector of fields like mesh, for δ = scale · mesh
//   − 1. scale is the number of cells for each particle.
// Source: Hinterbichler & Khoury (2010); Davis et al. (2012)
// Cost: two more transforms if scale is above 1.
// Example: nbody(c, start, from = 0.1, to = 1, steps = 3, gravity = symmetron_force(0.5, 1 Mpc/h, coupling = 1)).disp
fn symmetron_force(a_ssb, range, coupling, cycles: int = 4, levels: int = -1, sweeps: int = 2, shape = "V",
                   force = fourier_force()) =
  (mesh, scale, a) =>
    with_fifth(force(mesh, scale),
               symmetron_potential(max(scale * without_lattice(mesh, scale), 0) - 1, a, a_ssb, range, coupling, cycles,
                                   levels, sweeps, shape))

// ---- linear growth ----

// The linear growth D of waves of one wave number, from D″ + (2 + E′/E) D′ = 3/2 Omega_m(a) μ(k, a)
// D. In the early universe, D is the growth in general relativity that is 1 today.
//
// The ratio of the linear power spectrum to that in general relativity is (D/D1)², where D1 is that
// of `growth`.
// - c: cosmology
// - strength: function (k, a) => μ, such as `ndgp_strength(c, 1)`
// - k: number in 1/length
// - a: scale factor, above 0
// - today: growth in general relativity at a = 1, before normalization
// Value: record `{D, f}`, where f is d ln D/d ln a.
// Cost: 40 steps of an ordinary differential equation.
// Example: modified_growth(c, hu_sawicki_strength(c, 1e-5), 0.1 h/Mpc, 1).D
fn modified_growth(c, strength, k, a, today = raw_growth(c, 1)) {
  fn slope(t, y) {
    let (g, dg) = y
    let a = t^4
    let q = dlnE_dlna(c, a)
    4 / t * (dg, -(4 + q) * dg - (3 + q - 1.5 * Omega_m(c, a) * strength(k, a)) * g)
  }
  let (g, dg) = gragg(slope, (1.0, 0.0), from = 0.03, to = sqrt(sqrt(a)), steps = 40)
  {D = a * g / today.D1, f = 1 + dg / g}
}
