// RUN: %pmc %s -o %t --precision=f64
// RUN: %t --quiet --out %t.out
// RUN: %t --quiet --out %t.out --mesh row=2 --transport=threads
// RUN: %pmc %s -o %t --precision=f64 --target=cuda --emulate-gpu
// RUN: %t --quiet --out %t.out
// Over nine dims a particle touches 512 cells, of which no code is written out for each. All particles are moved alike, so that a window is a
// mean of neighbors, one dim after the other.
dim a = 3, b = 2, c = 2, d = 2, e = 2, f = 2, g = 2, h = 2, i = 2
mesh ranks(row = 1)
layout a -> row

let field = white_noise[a, b, c, d, e, f, g, h, i](1)
let w = white_noise[a, b, c, d, e, f, g, h, i](2)
fn far(k) = 0.05 + 0.1 * k
fn moved(by) = for k in 0 .. 9 => far(k) + by[k] * (1 + 0 * w)
fn all(u, change) =
  change(change(change(change(change(change(change(change(change(u, a, 0), b, 1), c, 2), d, 3), e, 4), f, 5), g, 6), h,
                7), i, 8)
fn close(u, v) = max(abs(u - v)) < 1e-13
// What is moved by nothing more.
let still = for k in 0 .. 9 => 0.0

assert close(paint[a, b, c, d, e, f, g, h, i](moved(still), weight = w),
             all(w, (u, d, k) => (1 - far(k)) * u + far(k) * u[d - 1])), "a paint"
let read = readout(field, moved(still))
assert close(read, all(field, (u, d, k) => (1 - far(k)) * u + far(k) * u[d + 1])), "a readout"
// Differentiated with respect to how far they are moved along a: of that dim alone the difference of neighbors is taken.
let slope = grad(by => sum(w * readout(field, for k in 0 .. 9 => far(k) + (if k == 0 then by else 0) + 0 * w)))(0.0)
let wanted = sum(w * all(field, (u, d, k) => if k == 0 then u[d + 1] - u else (1 - far(k)) * u + far(k) * u[d + 1]))
assert abs(slope - wanted) < 1e-12 * sum(w^2), "a slope"
// And a paint is the adjoint of a readout.
let back = grad(u => sum(w * readout(u, moved(still))))(field)
assert close(back, paint[a, b, c, d, e, f, g, h, i](moved(still), weight = w)), "an adjoint"
print "{:.15e} {:.15e}", sum(w * read), sum(field * back)
