// A simulation and its reversal by hand, as the schedule "reverse" does it: how far the recovered state is from the first one,
// vectors as wholes, relative to the rms. Then a loop that spreads states so far that the first one cannot be recovered.
use cosmology, power, fields, lpt, nbody

const n = 32
const steps = 8
param spreads: int = 3
dim x = n, y = n, z = n over 100 Mpc/h
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col

let c = flat_lcdm()
fn force_at(s) = force(s.disp)
fn kicked(i) = kick(growth(c, time(i)), growth(c, sqrt(time(i - 1) * time(i))), growth(c, sqrt(time(i) * time(i + 1))))
fn drifted(i) = drift(growth(c, sqrt(time(i) * time(i + 1))), growth(c, time(i)), growth(c, time(i + 1)))
fn time(i) = 0.1 + 0.9 * min(max(i, 0), steps) / steps

fn forward(start) = loop s = start for i in 0 .. steps + 1 => {
  let mom = s.mom + kicked(i) * force_at(s)
  {disp = s.disp + drifted(i) * mom, mom = mom}
}
fn back(end) = loop s = end for j in 0 .. steps + 1 => {
  let disp = s.disp - drifted(steps - j) * s.mom
  {disp = disp, mom = s.mom - kicked(steps - j) * force_at({disp = disp})}
}
fn energy(start) {
  let s = forward(start)
  inner(s.disp, s.disp)
}
fn rms(v) = sqrt(inner(v, v))

let start = lpt(c, colour(white_noise[x, y, z](1), spectrum(eisenstein_hu(c))), a = 0.1)
let first = {disp = start.disp, mom = start.mom}  // without its time, which no gradient is by
let again = back(forward(first))
print "{:.6e} {:.6e}", rms(again.disp - first.disp) / rms(first.disp), rms(again.mom - first.mom) / rms(first.mom)
let pull = grad(energy, schedule = "reverse")(first)
print "{:.17e}", inner(pull, pull)

fn spread(f) {
  let end = loop (u, v) = (f, zeros[x, y, z]) for i in 0 .. spreads => {
    let w = v + 2 u
    (u + w, w)
  }
  sum(end[0] * end[1])
}
let steep = grad(spread, schedule = "reverse")(white_noise[x, y, z](2))
print "{:.17e}", mean(steep^2)
