// Chains for test/bench/posteriors: statistics of densities with known moments, over [chain, draw], and ranks of simulation-based
// calibration. With only = K, only density K has chains, and with only = -1, none.
use sampling, random, fields, lpt, cosmology, particles

param seed: u64 = 1
const draws = 500
const only = 0
dim draw = draws, chain = 4
dim many = 512, two = 2, three = 3, five = 5, ten = 10, school = 8, one = 1
dim x = 8, y = 8 over 8
dim lx = 4, ly = 4, lz = 4 over 100 Mpc/h
dim sim = 400, rank = 31

// The chains of density k, and the number of gradients of each draw.
fn chains[D](energy, method, k) =
  if only == 0 or only == k then
    sample_chains[chain, draw](energy, key => 0.5 * white_noise[D](key), method, split(seed, k), thin = 2)
  else {chain = constant[chain, draw, D](0.5), gradients = zeros[chain, draw]}

// 1. Standard deviations from 0.1 to 10.
let width = map q in [many] => exp(log(100) * index(q, many) / 511 - log(10))
let a1 = chains[many](s => 0.5 sum((s / width)^2), nuts(10, 400), 1)
let s1 = a1.chain
output normal_512 (first, last, middle_square) =
  (s1[many = 0] / 0.1, s1[many = 511] / 10, (s1[many = 255] / width[many = 255])^2)
// 2. A correlation of 0.95, and 3. a chain of 0.9.
let a2 = chains[two](s => 0.5 * ((s[two = 0] - 0.95 * s[two = 1])^2 / (1 - 0.95^2) + s[two = 1]^2),
                     nuts(metric = dense_metric()), 2)
let s2 = a2.chain
output correlated (mean, square, product) = (s2[two = 0], s2[two = 0]^2, s2[two = 0] * s2[two = 1])
let a3 = chains[ten](s => 0.5 *
  (sum((s[ten = piece(ten, 9) + 1] - 0.9 * s[ten = piece(ten, 9)])^2) / 0.19 + s[ten = 0]^2), nuts(), 3)
let s3 = a3.chain
output autoregressive (end, square, product) = (s3[ten = 9], s3[ten = 9]^2, s3[ten = 8] * s3[ten = 9])
// 4. A funnel of width 1, and 5. a banana.
let a4 = chains[three](s => 0.5 * s[three = 0]^2 + 0.5 * (s[three = 1]^2 + s[three = 2]^2) * exp(-s[three = 0]) +
  s[three = 0], nuts(target = 0.95), 4)
let s4 = a4.chain
output funnel (v, v_square, x_square) = (s4[three = 0], s4[three = 0]^2, s4[three = 1]^2 * exp(-1 * s4[three = 0]))
let a5 = chains[two](s => 0.5 * s[two = 0]^2 + 0.5 * (s[two = 1] - s[two = 0]^2)^2, nuts(target = 0.9), 5)
let s5 = a5.chain
output banana (first_square, second, second_square) = (s5[two = 0]^2, s5[two = 1], s5[two = 1]^2)
// 6. Eight schools: (mu, log tau, z).
let effects = map q in [school] => (28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0)[int(index(q, school))]
let errors = map q in [school] => (15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0)[int(index(q, school))]
fn schools(s) {
  let (tau, jacobian) = positive(s[ten = 1])
  let z = s[ten = school + 2]
  0.5 * (s[ten = 0] / 5)^2 + log1p((tau / 5)^2) + jacobian + 0.5 sum(z^2) +
    0.5 sum(((s[ten = 0] + tau * z - effects) / errors)^2)
}
let a6 = chains[ten](schools, nuts(target = 0.9), 6)
let s6 = a6.chain
output schools_of (mu, mu_square, log_tau) = (s6[ten = 0], s6[ten = 0]^2, s6[ten = 1])
// 7. A field with a known spectrum, observed with noise.
let seen = colour(white_noise[x, y](split(seed, 70)), k => 4 / (1 + k^2)) + 0.7 * white_noise[x, y](split(seed, 71))
fn of_field(w) = 0.5 sum(w^2) + 0.5 sum(((colour(w, k => 4 / (1 + k^2)) - seen) / 0.7)^2)
let a7 = chains[x, y](of_field, mams(warmup = 500), 7)
let s7 = a7.chain
output field (corner, corner_square, product) =
  (s7[x = 0, y = 0], s7[x = 0, y = 0]^2, s7[x = 0, y = 0] * s7[x = 1, y = 0])
output seen
// 8. Initial conditions of a density by second-order perturbation theory: virials s dE/ds of cells, and their sum.
let c = flat_lcdm()
fn density(w) = overdensity(lpt(c, 0.5 * smooth(w, 20 Mpc/h), 0.5, 2))
let observed = density(white_noise[lx, ly, lz](split(seed, 80))) + 0.1 * white_noise[lx, ly, lz](split(seed, 81))
fn of_lpt(w) = 0.5 sum(w^2) + 0.5 sum(((density(w) - observed) / 0.1)^2)
let g8 = growth(c, 0.5, "fastpm")
output observed
output growths = map q in [two] => if index(q, two) == 0 then g8.D1 else g8.D2
let a8 = chains[lx, ly, lz](of_lpt, nuts(6, 300), 8)
let s8 = a8.chain
let virials = each chain in s8 => each draw in s8 => {
  let v = s8 * grad(of_lpt)(s8)
  (sum(v), v[lx = 1, ly = 2, lz = 3], v[lx = 0, ly = 0, lz = 1])
}
output perturbed (all, one_cell, other_cell) = (virials[0] / 64, virials[1], virials[2])
// 9 to 20. Densities of single numbers.
fn of_number(energy, k) {
  let a = chains[one](s => energy(s[one = 0]), nuts(), k)
  {chain = a.chain[one = 0], gradients = a.gradients}
}
let a9 = of_number(u => u + 2 * log1p(exp(-u)), 9)
let s9 = a9.chain
output logistic (mean, square) = (s9, s9^2)
fn gamma_energy(u) {
  let (r, e) = positive(u)
  r - 2 * log(r) + e
}
let a10 = of_number(gamma_energy, 10)
let s10 = exp(a10.chain)
output gamma_3 (mean, square) = (s10, s10^2)
fn beta_energy(u) {
  let (p, e) = bounded(u, 0, 1)
  -log(p) - 3 * log(1 - p) + e
}
let a11 = of_number(beta_energy, 11)
let s11 = 1 / (1 + exp(-1 * a11.chain))
output beta_2_4 (mean, square) = (s11, s11^2)
let a12 = chains[three](s => 5 * log1p(sum(s^2) / 7), nuts(), 12)
let s12 = a12.chain
output student_7 (mean, square) = (s12[three = 1], s12[three = 1]^2)
let a13 = of_number(u => 0.25 * u^4, 13)
let s13 = a13.chain
output quartic (square, fourth) = (s13^2, s13^4)
let a14 = of_number(u => u + exp(-u), 14)
let s14 = a14.chain
output gumbel (mean, square) = (s14, s14^2)
let a15 = of_number(u => 0.5 * (u^2 + 1) - u - log1p(exp(-2 * u)), 15)
let s15 = a15.chain
output mixture (mean, square) = (s15, s15^2)
let a16 = of_number(u => 0.5 * exp(2 * u) - u, 16)
let s16 = exp(a16.chain)
output half_normal (mean, square) = (s16, s16^2)
let a17 = of_number(u => 0.5 * (u - 1)^2 / 0.09, 17)
let s17 = a17.chain
output log_normal (mean, log_square) = (exp(s17), s17^2)
let a18 = chains[two](s => 0.5 * (sqrt(sum(s^2) + 1e-12) - 2)^2 / 0.16, nuts(), 18)
let s18 = a18.chain
output ring (square, mean) = (sum(s18^2, over = two), s18[two = 0])
let design = map q in [five, ten] => cos(1.7 * index(q, five) * index(q, ten) + index(q, ten))
let response = map q in [ten] => sin(2.0 * index(q, ten))
let a19 = chains[five](s => 0.5 sum(s^2) + 0.5 sum((sum(design * s, over = five) - response)^2) / 0.25, nuts(), 19)
let s19 = a19.chain
output regression (first, last, square) = (s19[five = 0], s19[five = 4], s19[five = 2]^2)
fn mises_energy(u) {
  let (t, e) = bounded(u, -pi, pi)
  -2 * cos(t) + e
}
let a20 = of_number(mises_energy, 20)
let s20 = bounded(a20.chain, -pi, pi)[0]
output von_mises (cosine, sine) = (cos(s20), sin(s20))
output gradients_normal_512 = a1.gradients
output gradients_correlated = a2.gradients
output gradients_autoregressive = a3.gradients
output gradients_funnel = a4.gradients
output gradients_banana = a5.gradients
output gradients_schools_of = a6.gradients
output gradients_field = a7.gradients
output gradients_perturbed = a8.gradients
output gradients_logistic = a9.gradients
output gradients_gamma_3 = a10.gradients
output gradients_beta_2_4 = a11.gradients
output gradients_student_7 = a12.gradients
output gradients_quartic = a13.gradients
output gradients_gumbel = a14.gradients
output gradients_mixture = a15.gradients
output gradients_half_normal = a16.gradients
output gradients_log_normal = a17.gradients
output gradients_ring = a18.gradients
output gradients_regression = a19.gradients
output gradients_von_mises = a20.gradients

// Ranks of true parameters (a mean and the log of a width) among draws of their posterior for five data.
if only == 0 {
  let (none, ranks_of) = loop n = 0.0 for i in sim => {
    let key = split(split(seed, "sim"), i)
    let truth = white_noise[two](split(key, 0))
    let data = truth[two = 0] + exp(0.5 * truth[two = 1]) * white_noise[five](split(key, 1))
    fn energy(s) = 0.5 sum(s^2) + 0.5 sum((data - s[two = 0])^2) * exp(-s[two = 1]) + 2.5 * s[two = 1]
    let a = sample[rank](energy, 0 * truth, nuts(6, 150, target = 0.9), split(key, 2), thin = 8).chain
    n stacking sum(map q in a => if a < truth then 1.0 else 0.0, over = rank)
  }
  output ranks_of
}
