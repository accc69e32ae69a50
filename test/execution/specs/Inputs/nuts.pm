// Eight schools (Rubin 1981): effects of coaching with a common mean and scatter, by NUTS, without centering.
use sampling, random

dim chain = 4, draw = 2000, school = 8
input effect: field[school]
input error: field[school]

fn energy(s) {
  let (tau, jacobian) = positive(s.log_tau)
  let theta = s.mu + tau * s.eta
  // The prior of tau is half Cauchy with the scale 5, that of mu normal with 5.
  0.5 sum(((effect - theta) / error)^2) + 0.5 sum(s.eta^2) + 0.5 (s.mu / 5)^2 + log(1 + (tau / 5)^2) + jacobian
}
fn start(k) = {mu = normal_of(split(k, "mu")), log_tau = normal_of(split(k, "tau")),
               eta = white_noise[school](split(k, "eta"))}
let a =
  sample_chains[chain, draw](energy, k => start(k), nuts(warmup = 1000, target = 0.95), seed = 3, noise = k => start(k))
output mu = a.chain.mu
output tau = exp(a.chain.log_tau)
print "R-hat {:.3f} {:.3f}, effective {:.0f} {:.0f}, {} divergences", rhat(a.chain.mu, draw, chain),
      rhat(a.chain.log_tau, draw, chain),
      ess(a.chain.mu, draw, chain), ess(a.chain.log_tau, draw, chain), sum(a.diverged)
