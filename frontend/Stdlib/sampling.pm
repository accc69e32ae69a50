// Samples of a probability density by its gradient. A state is a number, a field, real or complex, or a tuple or record of them, as in
// `optim`; its energy is -log of the density, but for a constant.

// Hamiltonian Monte Carlo (Duane et al. 1987): the state after one more trajectory of leapfrog steps, or the old one if that
// is rejected.
//
//   s, e       the state and its energy
//   p          its momentum: standard normal numbers in the shape of s, new ones for every trajectory
//   draw       a number from 0 to 1, likewise
//   allowed    s -> whether the energy is defined there
//
// Value: {s, energy, taken, error}: taken is 1 if the trajectory was accepted, else 0; error is what the energy of state and momentum
// has grown by, at most `most`.
fn hmc_step(energy, s, e, p, draw, step, leaps: int, allowed = s => true, most = 1000) {
  let before = e + 0.5 inner(p, p)
  let (s1, p1, e1, good) = hmc_trajectory(energy, s, p, step, leaps, allowed, before + most)
  let error = if good then e1 + 0.5 inner(p1, p1) - before else most
  if good and draw < exp(min(-error, 0)) then {s = s1, energy = e1, taken = 1.0, error = error}
  else {s = s, energy = e, taken = 0.0, error = error}
}

// Where the steps lead to: (state, momentum, energy, whether that is to be trusted). A trajectory whose steps are too long for where it goes
// diverges, and soon computes infinities that end the program. It is over as soon as its energy is `limit` or no number (as in Stan).
fn hmc_trajectory(energy, s, p, step, leaps: int, allowed, limit) =
  loop (s, p, e, good) = (s, p, 0.0, true) for i in 0 .. leaps + 1 =>
    if good then {
      // Half a kick first and last.
      let (e, g) = value_and_grad(energy)(s)
      let p_next = p - (if i == 0 or i == leaps then 0.5 step else step) * g
      let s_next = s + (if i == leaps then 0.0 else step) * p_next
      (s_next, p_next, e, finite((e, g)) and e + 0.5 inner(p, p) < limit and allowed(s_next))
    } else (s, p, e, false)
