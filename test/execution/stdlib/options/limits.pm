// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet
// Library functions at the limits of their arguments: fields of zeros and of equal values, plateaus, ends of ranges.
use cosmology, fields, lensing, math, optim, sky, solvers, spectra, wavelets

dim x = 16, y = 12 over 3
dim many = 64
dim e2 = 2, e3 = 3, e4 = 4, e5 = 5, e8 = 8, e9 = 9
fn is(name, a, b) {
  assert abs(a - b) <= 1e-12, "{}: {}, expected {}", name, a, b
}
let f = white_noise[x, y](1)
let none = zeros[x, y]
let flat = constant[x, y](2.5)

// ---- maps ----
is("peaks, equal values", sum(peaks(flat)), 0)
let spike = map q in [x, y] => if index(q, x) == 3 and index(q, y) == 5 then 1.0 else 0.0
is("peaks, one", sum(peaks(spike)), 1)
is("peaks, two equal neighbors", sum(peaks(spike + spike[x + 1, y - 1])), 0)
is("peaks, at the edge", sum(peaks(spike[x + 3, y + 5])), 1)
is("peak_counts, the lower end", sum(peak_counts(spike, 1, 0.5, 2)), 1)
is("peak_counts, the upper end", sum(peak_counts(spike, 0, 0.5, 2)), 0)
is("histogram, the lower end", sum(histogram(flat, 2.5, 1, 2)), cells(x) * cells(y))
is("histogram, the upper end", sum(histogram(flat, 0.5, 1, 2)), 0)
is("histogram, below", sum(histogram(flat, 2.6, 1, 2)), 0)
is("aperture_mass, equal values", max(abs(aperture_mass(flat, 0.4))), 0)

// ---- fields ----
is("smooth, mean", mean(smooth(f + 2, 0.3)), mean(f) + 2)
is("gradient, equal values", max(abs(gradient(flat)[0])), 0)
is("divergence, equal values", max(abs(divergence((flat, flat)))), 0)
is("inverse_laplacian, mean", mean(inverse_laplacian(f + 3)), 0)
is("colour, mean", mean(colour(f + 3, k => 1.0)), 0)
is("transfer_function, zeros", max(transfer_function(none, f)[1]), 0)
is("correlation, zeros", max(abs(correlation(none, f)[1])), 0)
is("correlation, in phase", max(abs(correlation(f, 3 f)[1] - correlation(f, 3 f)[1]^2)), 0)

// ---- bins by edges, of every number about a power of two; at edges, below and beyond ----
let at = map q in [many] => index(q, many) / 2 - 2
fn check_edges[E](name) {
  let edges = map q in [E] => index(q, E)^1.5
  let reached = map q in [many, E] => if at >= edges then 1.0 else 0.0
  let places = map q in at => 1.0 * bin_along(at, edges)
  is(name, max(abs(places - sum(reached, over = E) + 1)), 0)
}
check_edges[e2]("bin_along, 2")
check_edges[e3]("bin_along, 3")
check_edges[e4]("bin_along, 4")
check_edges[e5]("bin_along, 5")
check_edges[e8]("bin_along, 8")
check_edges[e9]("bin_along, 9")

// ---- lenses: second derivatives are those of the first, also at the highest modes ----
let bent = lens(f)
is("lens, first and second", max(abs(bent.tidal[1] - gradient(bent.deflection[0])[1])), 0)
is("lens, second and first", max(abs(bent.tidal[1] - gradient(bent.deflection[1])[0])), 0)

// ---- shrinking ----
is("soft_threshold, at the threshold", max(abs(soft_threshold(flat, 2.5))), 0)
is("soft_threshold, below", max(abs(soft_threshold(-1 * flat, 2) + 0.5)), 0)
is("wavelet_shrink, 0", max(abs(wavelet_shrink(f, 0, levels = 2) - f)), 0)

// ---- cosmology ----
let c = flat_lcdm()
is("growth, today", growth(c, 1).D1, 1)
is("comoving_distance, today", number(comoving_distance(c, 1), 1 Mpc/h), 0)
is("scale_factor, here", scale_factor(c, 0 Mpc/h), 1)
is("efficiency_of, behind the source", efficiency_of(c, 900 Mpc/h, 800 Mpc/h), 0)
is("source_distribution, behind the last source", source_distribution(c, z => z^2, 0.2)(comoving_distance(c, 1 / 1.5)),
   0)

// ---- optimization: at a minimum, each method stays; from 0, each one moves ----
fn valley(s) = 0.5 sum(s^2)
fn hill(s) = 0.5 sum((s - 1)^2)
fn moved(method, f) = max(abs(minimize(f, none, method, iterations = 3)[0]))
is("gradient_descent, minimum", moved(gradient_descent(0.1), valley), 0)
is("adam, minimum", moved(adam(0.1), valley), 0)
is("lamb, minimum", moved(lamb(0.1), valley), 0)
is("lbfgs, minimum", moved(lbfgs(), valley), 0)
fn moves(name, method) {
  let far = moved(method, hill)
  assert far > 0.05, "{} does not leave 0: {}", name, far
}
moves("gradient_descent", gradient_descent(0.1))
moves("sgd", sgd(0.1))
moves("adam", adam(0.1))
moves("adamw", adamw(0.1))
moves("lamb", lamb(0.1))
moves("lbfgs", lbfgs())
moves("averaged", averaged(sgd(0.1), 0.5))
