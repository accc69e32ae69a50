// RUN: %pmc %s -O0 --precision=f64 -o %t && %python %S/check_solver_iterates.py %t
// Each solver's iterates against SciPy and NumPy, on complex fields, and derivatives of what they find against differences.

use solvers, mri

param steps: int = 3
param weight = 0.2
dim x = 12, y = 8 over 1

let w = white_noise[x, y](1)
let b = white_noise[x, y](2) + 1i * white_noise[x, y](3)
let start = white_noise[x, y](4) + 1i * white_noise[x, y](5)

// Self-adjoint and positive definite.
fn A(u, extra = 0.0) {
  let uk = fft(u)
  let moved = map k in uk => (-1.2 * sin(2 pi * index(k, x) / cells(x)) - 0.6 * cos(4 pi * index(k, y) / cells(y))) * uk
  (2 + extra + w^2) * u + ifft(moved)
}

fn plain(v, t) = v
fn l1(v, t) = soft_threshold(v, weight * t)
fn gradient_of(u) = A(u) - b
fn K(u) = differences(u)
fn KT(u) = differences_adjoint(u)
fn ball(u, t) = into_ball(u, weight)
fn box(v, t) = clamp_complex(v, 0.3)
fn clamp_complex(v, most) = min(max(real(v), -most), most) + 1i * min(max(imag(v), -most), most)
fn group(v, t) = group_soft_threshold(v, weight * t)
fn inner_solve(v, old) = conjugate_gradients(u => A(u) + 0.7 * KT(K(u)), b + 0.7 * KT(v), old, 1e-15, 200).x

output data (w, b, start) = (w + 0i, b, start)
output cg_x = conjugate_gradients(A, b, 0 * b, 0, steps).x
output cg_from = conjugate_gradients(A, b, start, 0, steps).x
output solution = cg(A, b, 1e-14, 200)
let p = power_iteration(A, start, steps)
output eigenvector = p.vector
let restarted = fista(gradient_of, l1, start, 0.08, steps)
output fista_x = restarted.x
output fista_plain = fista(gradient_of, box, start, 0.08, steps, restart = false).x
let pd = condat_vu(gradient_of, box, ball, K, KT, start, 0.06, 0.4, steps)
output condat_x = pd.x
output condat_dual (u, v) = (pd.dual[0], pd.dual[1])
output admm_x = admm(inner_solve, group, K, start, 0.7, steps).x
output pogm_x = pogm(gradient_of, l1, start, 0.08, steps).x
output pogm_plain = pogm(gradient_of, box, start, 0.08, steps, restart = false).x
fn energy_of(u) = 0.5 inner(u, A(u)) - inner(b, u)
let searched = fista_search(energy_of, l1, start, 0.9, steps, shrink = 0.6)
output search_x = searched.x
let searched_plain = fista_search(energy_of, box, start, 0.9, steps, restart = false)
output search_plain = searched_plain.x
// Of these, until they meet a tolerance.
fn in_turns(v, t, i) = soft_threshold(v, weight * t * (1 + 1 / (1 + i)))
let (pogm_end, search_end) = (pogm(gradient_of, l1, start, 0.08, 200, tolerance = 1e-3),
                              fista_search(energy_of, l1, start, 0.9, 200, tolerance = 1e-3))
let (condat_end, admm_end) = (condat_vu(gradient_of, box, ball, K, KT, start, 0.06, 0.4, 200, tolerance = 1e-3),
                              admm(inner_solve, group, K, start, 0.7, 60, tolerance = 1e-2))
let turns_end = fista_in_turns(gradient_of, in_turns, start, 0.08, 200, tolerance = 1e-3, restart = false)
output ends (pogm, search, condat, admm, turns) = (pogm_end.x, search_end.x, condat_end.x, admm_end.x, turns_end.x)
output counts = (pogm_end.count, search_end.count, condat_end.count, admm_end.count, turns_end.count)
output step_sizes = (searched.step, searched_plain.step)
output numbers = (p.value, restarted.change, pd.change, conjugate_gradients(A, b, start, 0, steps).residual)

// Stopping.
let stopped = conjugate_gradients(A, b, 0 * b, 1e-5, 200)
let size = sqrt(inner(b, b))
assert stopped.residual <= 1e-5 * size and stopped.residual > 1e-8 * size and stopped.count < 60, "{} {}",
       stopped.residual, stopped.count
let enough = fista(gradient_of, l1, start, 0.08, 500, tolerance = 1e-6)
assert enough.change <= 1e-6 and enough.count > 5 and enough.count < 400, "{} {}", enough.change, enough.count
assert abs(inner(stopped.x - cg(A, b, 1e-5, 200), stopped.x)) < 1e-14, "cg differs from its iterations"

// Derivatives: of the solution, of iterations, and of what minimizes, by a number and by a field.
fn score(u) = sum(w * norm2(u)) + inner(start, u)
fn solved_for(e, f) = score(cg(u => A(u, e), f, 1e-13, 200))
fn iterated_for(e, f) = score(conjugate_gradients(u => A(u, e), f, start, 0, 4).x)
fn fista_for(e, f) = score(fista(u => A(u) - f, (v, t) => soft_threshold(v, e * t), start, 0.08, 12).x)
fn condat_for(e, f) = score(condat_vu(u => A(u) - f, plain, (u, t) => into_ball(u, e), K, KT, start, 0.06, 0.4, 12).x)
fn admm_for(e, f) = score(admm((v, old) => cg(u => A(u) + 0.7 * KT(K(u)), f + 0.7 * KT(v), 1e-13, 200),
                               (v, t) => group_soft_threshold(v, e * t), K, start, 0.7, 3).x)
fn power_for(e, f) = power_iteration(u => A(u) + e * norm2(f) * u, start, 5).value
fn check(name, f) {
  let h = 1e-5
  let (by_number, by_field) = grad(f, wrt = (e, f))(weight, b)
  let along = (f(weight + h, b + h * start) - f(weight - h, b - h * start)) / (2 * h)
  let off = abs(along / (by_number + inner(by_field, start)) - 1)
  assert off < 1e-6 and abs(by_number) > 1e-3, "derivatives of {} are off by {}", name, off
}
check(1, (e, f) => solved_for(e, f))
check(2, (e, f) => iterated_for(e, f))
check(3, (e, f) => fista_for(e, f))
check(4, (e, f) => condat_for(e, f))
check(5, (e, f) => admm_for(e, f))
check(6, (e, f) => power_for(e, f))
let (value, along) = jvp(iterated_for, wrt = f)(weight, b, tangent = start)
assert abs(along / inner(grad(iterated_for, wrt = f)(weight, b), start) - 1) < 1e-12, "jvp and grad differ"
let at_zero = grad(u => sum(norm2(soft_threshold(u, weight) - start)))(0 * b)
assert max(abs(at_zero)) == 0, "a derivative of the soft threshold at 0: {}", max(abs(at_zero))

// An operator with a unit: the same iterations, of a number and in a tuple, and the gradient of the solution.
let unit = 1 T/km
let with_unit = conjugate_gradients(u => unit * A(u), b * 1 T, 0 * b * 1 km, 0, steps)
let bare = conjugate_gradients(A, b, 0 * b, 0, steps)
assert max(abs(with_unit.x / 1 km - bare.x)) == 0 and number(with_unit.residual, 1 T) == bare.residual,
       "iterates with a unit"
assert max(abs(cg(u => unit * A(u), b * 1 T, 1e-14, 200) / 1 km - cg(A, b, 1e-14, 200))) == 0,
       "the solution with a unit"
fn energy_with_unit(e) = sum(norm2(number_of(cg(u => (1 + e) * (unit * A(u)), b * 1 T, 1e-14, 200), 1 km)))
fn energy(e) = sum(norm2(cg(u => (1 + e) * A(u), b, 1e-14, 200)))
fn number_of(z, u) = (1 / u) * z
assert abs(grad(energy_with_unit)(0.1) / grad(energy)(0.1) - 1) < 1e-10, "slopes with a unit {} and {}",
       grad(energy_with_unit)(0.1), grad(energy)(0.1)
let several = cg(u => (unit * A(u[0]), unit * 2 * u[1]), (b * 1 T, b * 2 T), 1e-14, 200)
assert max(abs(several[1] / 1 km - b)) < 1e-13, "a tuple with a unit"

// Forwards: the tangent of the solution, by a number that the operator depends on and by the right-hand side.
fn forward(e, f) = cg(u => A(u, e), f, 1e-14, 200)
let h = 1e-4
let along_both = (forward(weight + h, b + h * start) - forward(weight - h, b - h * start)) / (2 * h)
let (there, tangent) = jvp(forward, wrt = (e, f))(weight, b, tangent = (1.0, start))
assert max(abs(tangent - along_both)) < 1e-7 * max(abs(tangent)), "the tangent of cg is off by {}",
       max(abs(tangent - along_both))
