// Samples of a probability density by its gradient, and estimates of the number of independent
// samples of a chain.
//
// A state is a pure number, a field over space dims, real or complex, or a tuple or record of them,
// as in `optim`. Its energy is −log of the density, plus any constant. The compiler computes the
// gradient of the energy. The total energy is that of the state plus half of the squared momentum.
//
// Setup: use random
//   dim draw = 20, chain = 2, x = 6
//   fn energy(s) = 0.5 sum(s^2)
//   let start = zeros[x]
//   let p = white_noise[x](1)
//   let numbers = white_noise[draw](1)
//
// Internal: shaped warn_of_equal chain_from report_state no_sums started recorded advanced lockstep
//   energies_of_chains are_fine picked chosen mean_spread_with mean_covariance_with hmc_moves
//   mclmc_moves mams_moves freedom first_window next_window window_end no_spread emptied
//   spread_with deviations_of identity_of covariance_with covariance_root factor_along factor_back
//   averaging averaging_step kept_metric require_dimensions trajectories leapfrog hmc_move
//   nuts_move nuts_branch nuts_moves nuts_branches turns_inside turn_inside is_turning are_turning
//   log_sum power_of_2 ones_of last_ones directed mclmc_tuned mclmc_move mams_steps mams_move
//   turned_direction require_steps require_trajectories leapfrogs microcanonical

use math, random, linalg, special

// ---- chains ----

// A chain of samples of a density, one for each cell of the dim in brackets.
//
// For several chains, use a loop over a dim: `loop n = 0.0 for i in chain => n stacking
// sample[draw](…, split(seed, i)).chain`.
// - energy: function of a state, −log of the density plus any constant
// - start: state, the first one; its energy and gradient must be finite. A tuple or record has the
//   members of the value of `noise`
// - method: `nuts()`, `hmc()`, `langevin()`, `mclmc()` or `mams()`
// - seed: u64; a chain depends on it, and not on the mesh of ranks, except for rounding
// - thin: int, the number of states of the method for each sample, at least 1
// - noise: function of a seed: standard normal numbers in the shape of a state. The default serves
//   numbers and fields. Tuples and records require a function, such as `k => {f =
//   white_noise[x](split(k, "f")), u = normal_of(split(k, "u"))}`
// - checkpoint: int, known at compile time, the number of states of the method, including the
//   warm-up, after which a program with `--checkpoint=DIR` writes its state. With `--resume`, the
//   chain continues from this state, with the same bits. With 0, no state is written
// - report: int, the number of states after which a line is printed. It has the energy, the mean
//   acceptance since the sample began, and the step size (in the warm-up) or the energy error and the
//   divergences of the sample. With 0, no line is printed
// Value: record of the following members. chain has the samples: each field has the dim in brackets
//   as its first dim. energy has their energies over this dim, as have accept, error, diverged and
//   gradients. accept is the mean acceptance probability of the trajectories of a sample. error is
//   the growth of the total energy on the last trajectory of a sample. diverged is 1 if a
//   trajectory of the sample diverged, and 0 otherwise. gradients is the number of gradients of a
//   sample; that of the first sample includes the warm-up. step is the step size after warm-up.
//   scale has the standard deviations that scale the steps, in the shape of a state, or the factor
//   of `dense_metric()`. last is the last state. The program ends with an error if the energy or
//   the gradient of the start is not finite, or if no proposal is accepted.
// Example: sample[draw](energy, start, nuts(warmup = 20), seed = 1).chain
fn sample[draw](energy, start, method, seed: u64, thin: int = 1, noise = k => normal_like(start, piece(draw, 1), k),
                checkpoint: int = 0, report: int = 0) {
  assert thin >= 1, "sample: thin must be at least 1, found {}", thin
  assert report >= 0, "sample: report must be at least 0, found {}", report
  let z = noise(split(seed, "start"))
  let first = shaped(start, z)
  let (e, g) = value_and_grad(energy)(first)
  assert finite((e, g)), "sample: the energy {} or its gradient is not finite at the start", e
  require_dimensions(z, method)
  let found =
    chain_from[draw](energy, first, (e, g), method, seed, thin, noise, checkpoint, report, zeros[draw], u => u)
  assert max(found.accept) > 0,
         "sample: no proposal was accepted in {} draws: the step size {} is too large, or the density is 0 around the start",
         cells(draw), found.step
  found
}

// The state s, with the dims of the fields of the state z.
fn shaped(s, z) = 0 * z + s

// Warns if the energies of the first states of all chains are equal, because the states are then
// probably equal: every chain computes the energy of its state in the same order. `e` is the field of
// the energies over the dim of the chains. `name` and `remedy` are parts of the message.
fn warn_of_equal(e, name: string, remedy: string) {
  warn if cells(dims(e)[0]) > 1 and max(e) == min(e),
       "{}: all chains start with the same energy, {}, as equal states have; R̂ is meaningful if the starts differ: {}",
       name, max(e), remedy
}

// `sample` without assertions, so that ranks can compute different chains. `slope` is the energy and
// the gradient of the start. `none` is 0 over the dims of the energies of all samples. `overall` is
// the mean over chains.
fn chain_from[draw](energy, start, slope, method, seed, thin: int, noise, checkpoint: int, report: int, none, overall) {
  let z = noise(split(seed, "start"))
  let begin = {
    s = shaped(start, z), e = slope[0], g = shaped(slope[1], z), own = method.start(z), scale = method.metric.start(z),
    tuned = method.tuner()
    moments = method.metric.none(z), window = first_window(method.warmup), sums = no_sums(slope[0])
    record = {s = none + 0 * z, e = none, accept = none, error = none, diverged = none, gradients = none}
  }
  // A single loop computes the warm-up and the samples, so that a checkpoint can be written in both.
  let count = method.warmup + thin * cells(draw)
  let end = loop c = begin for t in 0 .. count checkpoint every checkpoint => {
    let next = advanced(energy, started(c, method.warmup, t, thin), t, method, split(seed, "draw", t), noise, draw)
    if report > 0 and mod(t + 1, max(report, 1)) == 0 { report_state(next, method.warmup, t, thin, count, overall) }
    recorded(next, method.warmup, t, thin, draw)
  }
  let r = end.record
  {chain = r.s, energy = r.e, accept = r.accept, error = r.error, diverged = r.diverged, gradients = r.gradients
   step = end.tuned.step, scale = end.scale, last = end.s}
}

fn report_state(c, warmup: int, t: int, thin: int, count: int, overall) {
  let n = if t < warmup + thin then t + 1 else mod(t - warmup, max(thin, 1)) + 1
  if t < warmup {
    print "state {} of {} (warm-up): energy {:.6g}, acceptance {:.3f}, step size {:.4g}", t + 1, count,
          overall(c.e), overall(c.sums.accept) / n, c.tuned.step
  } else {
    print "state {} of {}: energy {:.6g}, acceptance {:.3f}, error of the total energy {:.3g}, {} divergences", t + 1,
          count, overall(c.e), overall(c.sums.accept) / n, overall(c.sums.error), overall(c.sums.diverged)
  }
}

fn no_sums(e) = {accept = 0 * e, error = 0 * e, diverged = 0 * e, gradients = 0 * e}

// Each sample begins with new sums, except for the first one, whose sums include the warm-up.
fn started(c, warmup: int, t: int, thin: int) =
  c with {sums = if t > warmup and mod(t - warmup, max(thin, 1)) == 0 then 0 * c.sums else c.sums}

// Stores a state as its sample. The last state of a sample, or of the warm-up, remains.
fn recorded(c, warmup: int, t: int, thin: int, draw) {
  let i = if t < warmup then 0 else div(t - warmup, max(thin, 1))
  let (r, count) = (c.record, if i == 0 then warmup + thin else thin)
  c with {record = {
    s = r.s with {[draw = i] = c.s}, e = r.e with {[draw = i] = c.e}
    accept = r.accept with {[draw = i] = c.sums.accept / count}, error = r.error with {[draw = i] = c.sums.error}
    diverged = r.diverged with {[draw = i] = min(c.sums.diverged, 1)}
    gradients = r.gradients with {[draw = i] = c.sums.gradients}
  }}
}

// One more state of the chain. In warm-up the step size and the scale adapt.
fn advanced(energy, c, t: int, method, seed, noise, draw) {
  let isWarming = t < method.warmup
  let next = method.move(energy, c, seed, noise, draw)
  let tuned = if isWarming then method.tune(c.tuned, next, t == method.warmup - 1) else c.tuned
  let isOpen = isWarming and t >= c.window.first and t < c.window.last
  let moments = if isOpen then method.metric.more(c.moments, next.s) else c.moments
  let isFull = isWarming and t == c.window.end - 1
  let sums = {
    accept = c.sums.accept + next.accept, error = next.error, gradients = c.sums.gradients + next.gradients
    diverged = (if isWarming then 0 * next.diverged else c.sums.diverged + next.diverged)
  }
  {
    s = next.s, e = next.e, g = next.g, own = next.own
    scale = if isFull then method.metric.scale(moments) else c.scale
    tuned = if isFull then method.restart(tuned) else tuned
    moments = if isFull then method.metric.empty(moments) else moments
    window = if isFull then next_window(c.window) else c.window
    sums = sums, record = c.record
  }
}

// Chains of samples, one for each cell of the first dim in brackets. The second one counts the
// samples of a chain.
// - energy: function of a state, −log of the density plus any constant
// - start: function of a seed: the first state of a chain. A tuple or record has the members of the
//   value of `noise`. Starts that are wider apart than the density make R̂ meaningful
// - method: `nuts()`, `hmc()`, `langevin()`, `mclmc()` or `mams()`
// - seed: u64
// - thin: int, as for `sample`
// - noise: function of a seed, as for `sample`
// Value: record, as of `sample`, whose members have the dim of the chains as first dim. The program
//   prints a warning if all chains start with the same energy.
// Cost: the chains are computed one after the other. If the layout splits the dim of the chains, and
//   no dim of the state, each rank computes its own chains and sends no messages.
// Example: sample_chains[chain, draw](energy, k => 2 * white_noise[x](k), nuts(warmup = 20), seed = 1).step
fn sample_chains[C, draw](energy, start, method, seed: u64, thin: int = 1,
                          noise = k => normal_like(start(seed), piece(draw, 1), k)) {
  assert thin >= 1, "sample_chains: thin must be at least 1, found {}", thin
  let z = noise(split(seed, "start"))
  require_dimensions(z, method)
  let number = map q in [C] => index(q, C)
  let found = each C in number => {
    let i = int(number)
    let first = shaped(start(split(split(seed, "chain"), i)), z)
    let (e, g) = value_and_grad(energy)(first)
    let chain = chain_from[draw](energy, first, (e, g), method, split(seed, i), thin, noise, 0, 0, zeros[draw], u => u)
    {chain = chain, energy = e, is_finite = if finite((e, g)) then 1.0 else 0.0, accept = max(chain.accept)}
  }
  assert min(found.is_finite) > 0, "sample_chains: the energy or its gradient is not finite at the start of {} chains",
         sum(1 - found.is_finite)
  warn_of_equal(found.energy, "sample_chains", "use the seed in 'start', as in k => white_noise[x](k)")
  assert min(found.accept) > 0,
         "sample_chains: no proposal of a chain was accepted in {} draws: the step size is too large, or the density is 0 around the start",
         cells(draw)
  found.chain
}

// Chains of samples that are computed together, as one field over all chains. The first dim in
// brackets is that of the chains, and the second one counts the samples of a chain.
//
// All chains take steps of the same size. Except with `nuts`, they also take the same number of steps
// for each state. Each chain accepts or rejects its own proposal. With `nuts`, each chain has its own
// tree, and chains with short trajectories wait for the longest one. The warm-up estimates one step
// size, from the mean acceptance of all chains, and one scale, from the states of all chains.
// - energy: function of the states of all chains: a field over the dim of the chains, with −log of
//   the density of each chain, plus any constant. The energy of a chain must depend on the state of
//   this chain only. For a function f of one state, use `s => each chain in s => f(s)`
// - start: the first states: field with the dim of the chains, or a tuple or record of such fields
//   with the members of the value of `noise`. R̂ is meaningful if the starts are farther apart than
//   the width of the density
// - method: `nuts()`, `hmc()`, `langevin()`, `mclmc()` or `mams()`
// - seed: u64
// - thin: int, as for `sample`
// - noise: function of a seed: standard normal numbers in the shape of `start`, as for `sample`. The
//   dims of its fields can have any order, because fields align by their names
// - checkpoint: int, as for `sample`
// - report: int, as for `sample`; the numbers of a line are means over chains
// Value: record, as of `sample_chains`, but with one step and one scale: step is a number, and scale
//   has the shape of the state of one chain. The dims of `chain` have the order of the dims of
//   `noise`. gradients counts the steps that a chain takes. A chain whose trajectory diverges keeps
//   its state while the others continue. The program ends with an error if the energy or the gradient
//   of a start is not finite, or if a chain accepts no proposal. It prints a warning if all chains
//   start with the same energy.
// Cost: one operation on a field for all chains. With `nuts`, all chains take the time of the
//   longest trajectory. If the layout splits the dim of the chains, ranks exchange a few numbers for
//   each state, or with `nuts` for each step. In the warm-up, they also exchange sums in the shape of
//   a state. The energies have the precision of fields.
// Example: sample_batch[chain, draw](s => 0.5 sum(s^2, over = x), white_noise[chain, x](2), hmc(warmup = 20), seed = 1).step
fn sample_batch[C, draw](energy, start, method, seed: u64, thin: int = 1,
                         noise = k => normal_like(start, piece(draw, 1), k), checkpoint: int = 0, report: int = 0) {
  assert thin >= 1, "sample_batch: thin must be at least 1, found {}", thin
  assert report >= 0, "sample_batch: report must be at least 0, found {}", report
  let chains = lockstep[C](energy, piece(draw, 1))
  let z = noise(split(seed, "start"))
  let first = shaped(start, z)
  let (e, g) = chains.slope(first)
  let flawed = cells(C) - sum(are_fine(e, chains.inner(g, g), 2 * abs(e) + 1))
  assert flawed == 0, "sample_batch: the energy or its gradient is not finite at the start of {} chains", flawed
  warn_of_equal(e, "sample_batch", "give 'start' the dim of the chains, as in s + white_noise[chain, x](1)")
  let d = freedom(z) / cells(C)
  assert d >= method.least, "{}: the state has {} dimensions, expected at least {}; use hmc", method.name, d,
         method.least
  let metric = method.metric
  let together = method with {
    start = z => method.batch.start(z, d, chains)
    move = (energy, c, seed, noise, draw) => method.batch.move(chains, c, seed, noise, draw)
    tune = (a, next, isLast) => method.batch.tune(a, next, isLast)
    metric = metric with {
      start = z => metric.start(sum(z, over = C))
      none = z => metric.none(sum(z, over = C))
      more = (m, s) => metric.many(m, s, C)
    }
  }
  let found =
    chain_from[draw](energy, first, (e, g), together, seed, thin, noise, checkpoint, report, zeros[C, draw],
                     f => mean(f))
  let stuck = cells(C) - sum(sign(max(found.accept, over = draw)))
  assert stuck == 0,
         "sample_batch: {} chains accepted no proposal in {} draws: the step size {} is too large, or the density is 0 around their starts",
         stuck, cells(draw), found.step
  found
}

// Functions of the states of all chains: energies and their gradients, inner products for each
// chain, and a random number for each chain.
fn lockstep[C](energy, one) = {
  slope = s => vjp(u => energies_of_chains[C](energy(u), one))(s, cotangent = constant[C](1.0))
  // This derivative with respect to a factor t of each chain works for states of every form.
  inner = (a, b) => grad(t => inner(t * a, b))(constant[C](1.0))
  random = seed => map q in [C] => random(split(seed, q))
}
fn energies_of_chains[C](energy, one) {
  let (list, own) = (dims(0 * energy + zeros[one]), dims(zeros[C])[0])
  if total(for d in list => 1) == 2 and total(for d in list => if d == own then 1 else 0) == 1 then energy
  else error("sample_batch: the energy must be a field over the dim of the chains; sum over the dims of a state only, as in sum(s^2, over = x), and give 'start' the dim of the chains, as in s + white_noise[chain, x](1)")
}

// 1 for each chain with a finite energy below `most` and a finite gradient, and 0 for other chains.
// `square` is the square of the gradient.
fn are_fine(e, square, most) = map q in e => if finite(e) and finite(square) and e < most then 1.0 else 0.0

// a for chains with c = 1, and b for chains with c = 0, for each member of a record.
fn picked(c, a, b) = (b, a)[map q in c => int(c)]

// The next states: each chain accepts or rejects the end of its trajectory.
fn chosen(chains, c, end, error, seed, most, gradients) {
  let accept = end.good * exp(min(-1 * error, 0))
  let draw = chains.random(split(seed, "accept"))
  let isTaken = map q in draw => if draw < accept then 1.0 else 0.0
  let next = picked(isTaken, {s = end.s, e = end.e, g = end.g}, {s = c.s, e = c.e, g = c.g})
  {
    s = next.s, e = next.e, g = next.g, own = c.own, accept = accept, error = end.good * error + (1 - end.good) * most,
    gradients = 0 * accept + gradients
    diverged = 1 - end.good
  }
}

// Standard normal numbers in the shape of a number or a field. Both parts of a complex field are
// normal.
// - s: number, or field over space dims
// - one: dim of one cell that s lacks
// - seed: u64
// Value: like s.
// Example: normal_like(start, piece(draw, 1), 1)
fn normal_like(s, one, seed: u64) {
  let shape = 0 * s + zeros[one]
  let list = dims(shape)
  let (first, second) = (white_noise[list](split(seed, 0)), white_noise[list](split(seed, 1)))
  // The root of -1 is i if s is complex, and not a number otherwise.
  let z = map q in shape => {
    let root = sqrt(shape - 1)
    if finite(root) then first + root * second else first + 0 * shape
  }
  z[one = 0]
}

// The number of real numbers of a state: the numbers of its noise z that are not 0.
fn freedom(z) {
  let (re, im) = (sign(abs(real(z))), sign(abs(imag(z))))
  inner(re, re) + inner(im, im)
}

// ---- warm-up ----

// The windows of Stan (Stan Development Team, reference manual, 15.2). The first 75 and the last 50
// states of warm-up estimate no scale. Between them, the first window has 25 states, each next
// window has twice as many, and the last window has the rest. A warm-up below 150 states has one
// window after 15 % of the states and before the last 10 %.
fn first_window(warmup: int) {
  let isShort = warmup < 150
  let first = if isShort then int(0.15 * warmup) else 75
  let last = warmup - (if isShort then int(0.1 * warmup) else 50)
  let size = if isShort then last - first else 25
  {first = first, last = last, size = size, end = window_end(first, size, last)}
}
fn next_window(w) = w with {size = 2 * w.size, end = window_end(w.end, 2 * w.size, w.last)}
fn window_end(from, size, last) = if from + 3 * size >= last then last else from + size

// Means and variances of states by Welford's method (1962).
fn no_spread(z) = {n = 0.0, mean = 0 * z, squares = 0 * abs(z), per = 1 + sign(abs(imag(z)))}
fn emptied(m) = m with {n = 0.0, mean = 0 * m.mean, squares = 0 * m.squares}
fn spread_with(m, s) {
  let n = m.n + 1
  let off = s - m.mean
  let mean = m.mean + 1 / n * off
  // Of complex numbers half, which is the variance of each part.
  {n = n, mean = mean, squares = m.squares + real(conj(off) * (s - mean)), per = m.per}
}
// The same after all chains have added a state (Chan, Golub & LeVeque 1983, eq. 2.1).
fn mean_spread_with(m, s, chain) {
  let n = m.n + cells(chain)
  let center = mean(s, over = chain)
  let (off, away) = (center - m.mean, s - center)
  let between = m.n * cells(chain) / n * real(conj(off) * off)
  {n = n, mean = m.mean + cells(chain) / n * off,
   squares = m.squares + sum(real(conj(away) * away), over = chain) + between,
   per = m.per}
}

// Standard deviations with the regularization of Stan: 5 more states with the variance 1e-3.
fn deviations_of(m) = sqrt(m.n / (m.n + 5) / max(m.n - 1, 1) * m.squares / m.per + 5e-3 / (m.n + 5))

// The metric of steps scaled by the standard deviation of each number of a state.
// Value: record of functions, for the argument `metric` of a method.
// Source: Stan Development Team, reference manual, 15.2
// Example: sample[draw](energy, start, nuts(warmup = 20, metric = diagonal_metric()), seed = 2).scale
fn diagonal_metric() = {
  start = z => 0 * abs(z) + 1
  none = z => no_spread(z)
  more = (m, s) => spread_with(m, s)
  many = (m, s, chain) => mean_spread_with(m, s, chain)
  empty = m => emptied(m)
  scale = m => deviations_of(m)
  along = (scale, u) => scale * u
  back = (scale, g) => scale * g
}

// The metric of steps scaled by the Cholesky factor of the covariance of all numbers of a state,
// for strong correlations in few dimensions.
//
// The covariance is that of the states in growing windows of the warm-up, as in Stan: n/(n + 5) of
// the sample covariance of n states, plus 10⁻³ · 5/(n + 5).
// Value: record of functions, for the argument `metric` of a method. A state must be a real field
//   over one dim; any other one is an error at compile time.
// Source: Stan Development Team, reference manual, 15.2
// Cost: stores d² numbers for d dimensions; d² operations for each step, and d³ at the end of each
//   window.
// Example: sample[draw](energy, start, nuts(warmup = 20, metric = dense_metric()), seed = 2).scale
fn dense_metric() = {
  start = z => identity_of(z)
  none = z => {n = 0.0, mean = 0 * z, squares = 0 * identity_of(z)}
  more = (m, s) => covariance_with(m, s)
  many = (m, s, chain) => mean_covariance_with(m, s, chain)
  empty = m => emptied(m)
  scale = m => covariance_root(m)
  along = (L, u) => factor_along(L, u)
  back = (L, g) => factor_back(L, g)
}

// The metric of steps with given standard deviations, which the warm-up does not change. For example,
// the deviations are 1/√F for the diagonal F of a Fisher matrix.
// - deviations: standard deviations in the shape of a state, above 0, real: a field, a number, or a
//   tuple or record of them
// Value: record of functions, for the argument `metric` of a method.
// Source: Girolami & Calderhead (2011), section 5, with a constant diagonal metric
// Example: sample[draw](energy, start, hmc(warmup = 20, metric = fixed_metric(constant[x](0.5))), seed = 2).scale
fn fixed_metric(deviations) {
  let away = 1 - sign(deviations)
  assert inner(away, away) == 0, "fixed_metric: all deviations must be above 0"
  kept_metric(z => 0 * abs(z) + deviations, (scale, u) => scale * u, (scale, g) => scale * g)
}

// The metric of steps L u for a linear function L, which the warm-up does not change. The covariance
// of the state should be about L Lᵀ. For a field, L can be the square root of its power spectrum.
// - root: function of a state u: L u
// - transposed: function of a state g: Lᵀ g. The default is correct for self-adjoint functions
// Value: record of functions, for the argument `metric` of a method. `scale` of the chain is empty.
// Source: Neal (2011), section 5.4.1; Jasche & Wandelt (2013), section 3.3
// Cost: in addition, two calls of `root` or `transposed` for each step.
// Example: sample[draw](energy, start, hmc(warmup = 20, metric = operator_metric(u => u + 0.1 * sum(u))), seed = 2).step
fn operator_metric(root, transposed = root) =
  kept_metric(z => {none = 0.0}, (scale, u) => root(u), (scale, g) => transposed(g))

fn kept_metric(start, along, back) = {
  start = z => start(z)
  none = z => {kept = start(z)}
  more = (m, s) => m
  many = (m, s, chain) => m
  empty = m => m
  scale = m => m.kept
  along = along
  back = back
}

fn identity_of(z) {
  let x = if total(for d in dims(z) => 1) == 1 then dims(z)[0]
          else error("dense_metric: a state must be a real field over one dim; use diagonal_metric() for others")
  let other = piece(x, cells(x))
  map q in [x, other] => if index(q, x) == index(q, other) then 1.0 + 0 * z else 0 * z
}
fn covariance_with(m, s) {
  let n = m.n + 1
  let off = s - m.mean
  let mean = m.mean + 1 / n * off
  let (x, other) = (dims(m.squares)[0], dims(m.squares)[1])
  {n = n, mean = mean, squares = m.squares + off * (s - mean)[x = other]}
}
fn mean_covariance_with(m, s, chain) {
  let n = m.n + cells(chain)
  let center = mean(s, over = chain)
  let (off, away) = (center - m.mean, s - center)
  let (x, other) = (dims(m.squares)[0], dims(m.squares)[1])
  let within = sum(away * away[x = other], over = chain)
  {n = n, mean = m.mean + cells(chain) / n * off
   squares = m.squares + within + m.n * cells(chain) / n * off * off[x = other]}
}
fn covariance_root(m) {
  let (x, other) = (dims(m.squares)[0], dims(m.squares)[1])
  let C = m.n / (m.n + 5) / max(m.n - 1, 1) * m.squares
  let ridge = 5e-3 / (m.n + 5)
  cholesky(map q in C => if index(q, x) == index(q, other) then C + ridge else C, x, other)
}
fn factor_along(L, u) {
  let (x, other) = (dims(L)[0], dims(L)[1])
  sum(L * u[x = other], over = other)
}
fn factor_back(L, g) {
  let (x, other) = (dims(L)[0], dims(L)[1])
  sum(L * g, over = x)[other = x]
}

// Dual averaging of log(step), so that the mean acceptance becomes `target` (Hoffman & Gelman 2014,
// section 3.2.1: gamma = 0.05, t0 = 10, kappa = 0.75).
fn averaging(step) = {step = step, center = log(10 * step), mean = 0.0, bias = 0.0, t = 0.0}
fn averaging_step(a, accept, target, isLast) {
  let t = a.t + 1
  let bias = (1 - 1 / (t + 10)) * a.bias + (target - accept) / (t + 10)
  let x = a.center - sqrt(t) / 0.05 * bias
  let part = exp(-0.75 * log(t))
  let mean = part * x + (1 - part) * a.mean
  {step = exp(if isLast then mean else x), center = a.center, mean = mean, bias = bias, t = t}
}

// ---- methods ----

// Checks arguments that all methods have.
fn require_steps(name, warmup: int, step) {
  assert warmup >= 0, "{}: warmup must be at least 0, found {}", name, warmup
  assert step > 0, "{}: step must be above 0, found {}", name, step
}
fn require_trajectories(name, warmup: int, target, step, most) {
  require_steps(name, warmup, step)
  assert target > 0 and target < 1, "{}: target must be between 0 and 1, found {}", name, target
  assert most > 0, "{}: most must be above 0, found {}", name, most
}

// The No-U-Turn Sampler with multinomial weights and the iterative tree of NumPyro. The step size
// follows dual averaging, and the scale is the standard deviation of states in growing windows of
// the warm-up, as in Stan.
// - depth: int; a trajectory has at most 2^depth − 1 steps
// - warmup: int, the number of states before the chain, in which the step size and the scale adapt
// - target: the mean acceptance probability that the step size adapts to
// - step: the first step size; with `warmup = 0`, the step size of the chain
// - most: number; a trajectory on which the total energy grows by this value diverges and ends
// - metric: what scales the steps, such as `diagonal_metric()` or `dense_metric()`
// Value: record of functions, for the argument `method` of `sample`.
// Source: Hoffman & Gelman (2014); Betancourt (2017); Phan, Pradhan & Jankowiak (2019)
// Cost: one gradient for each step of a trajectory.
// Example: sample[draw](energy, start, nuts(depth = 5, warmup = 20), seed = 2).step
fn nuts(depth: int = 8, warmup: int = 500, target = 0.8, step = 0.1, most = 1000, metric = diagonal_metric()) {
  require_trajectories("nuts", warmup, target, step, most)
  if depth < 1 then error("nuts: depth must be at least 1; a trajectory has at most 2^depth - 1 steps")
  else trajectories((energy, c, seed, noise, draw) => nuts_move(energy, c, seed, noise, depth, draw, most, metric),
                    (chains, c, seed, noise, draw) =>
                      nuts_moves(chains, c, seed, noise, depth, piece(draw, depth), most, metric),
                    warmup, target, step, metric)
}

// Hamiltonian Monte Carlo with a fixed number of leapfrog steps. It adapts as `nuts`.
// - leaps: int, the number of steps of a trajectory
// - warmup: int, the number of states before the chain, in which the step size and the scale adapt
// - target: the mean acceptance probability that the step size adapts to
// - step: the first step size; with `warmup = 0`, the step size of the chain
// - jitter: the step size varies by this part between trajectories, up and down
// - most: number; a trajectory on which the total energy grows by this value diverges and ends
// - metric: what scales the steps, such as `diagonal_metric()` or `dense_metric()`
// Value: record of functions, for the argument `method` of `sample`.
// Source: Duane et al. (1987); Neal (2011), section 5.4.2.2
// Cost: one gradient for each step of a trajectory.
// Example: sample[draw](energy, start, hmc(leaps = 5, warmup = 20), seed = 3).energy
fn hmc(leaps: int = 10, warmup: int = 500, target = 0.8, step = 0.1, jitter = 0.2, most = 1000,
       metric = diagonal_metric()) {
  require_trajectories("hmc", warmup, target, step, most)
  assert leaps >= 1, "hmc: leaps must be at least 1, found {}", leaps
  assert jitter >= 0 and jitter < 1, "hmc: jitter must be at least 0 and below 1, found {}", jitter
  leapfrogs(leaps, warmup, target, step, jitter, most, metric)
}
fn leapfrogs(leaps: int, warmup: int, target, step, jitter, most, metric) =
  trajectories((energy, c, seed, noise, draw) => hmc_move(energy, c, seed, noise, leaps, jitter, most, metric),
               (chains, c, seed, noise, draw) => hmc_moves(chains, c, seed, noise, leaps, jitter, most, metric), warmup,
               target,
               step, metric)

// The Metropolis-adjusted Langevin algorithm: `hmc` with one step and without jitter.
// - warmup: int, the number of states before the chain, in which the step size and the scale adapt
// - target: the mean acceptance probability that the step size adapts to
// - step: the first step size; with `warmup = 0`, the step size of the chain
// - most: number; a trajectory on which the total energy grows by this value diverges and ends
// - metric: what scales the steps, such as `diagonal_metric()`
// Value: record of functions, for the argument `method` of `sample`.
// Source: Roberts & Tweedie (1996)
// Cost: one gradient for each state.
// Example: sample[draw](energy, start, langevin(warmup = 20), seed = 4, thin = 5).accept
fn langevin(warmup: int = 500, target = 0.574, step = 0.1, most = 1000, metric = diagonal_metric()) {
  require_trajectories("langevin", warmup, target, step, most)
  leapfrogs(1, warmup, target, step, 0.0, most, metric)
}

fn trajectories(move, moves, warmup: int, target, step, metric) = {
  warmup = warmup
  metric = metric
  least = 1
  name = "hmc"
  start = z => {none = 0.0}
  move = move
  tuner = () => averaging(step)
  tune = (a, next, isLast) => averaging_step(a, next.accept, target, isLast)
  restart = a => averaging(a.step)
  batch = {
    start = (z, d, chains) => {d = d}
    move = moves
    tune = (a, next, isLast) => averaging_step(a, mean(next.accept), target, isLast)
  }
}

// A leapfrog step of the state s with the scaled momentum u, the transposed scale times the
// momentum, and the gradient g. slope(s) is the energy and the gradient of a state.
fn leapfrog(slope, s, u, g, scale, step, metric) {
  let half = u - 0.5 * step * metric.back(scale, g)
  let s1 = s + step * metric.along(scale, half)
  let (e1, g1) = slope(s1)
  {s = s1, u = half - 0.5 * step * metric.back(scale, g1), e = e1, g = g1}
}

fn hmc_move(energy, c, seed, noise, leaps: int, jitter, most, metric) {
  let u = noise(split(seed, "momentum"))
  let h = c.e + 0.5 inner(u, u)
  let step = c.tuned.step * (1 + jitter * (2 * random(split(seed, "jitter")) - 1))
  let begin = {s = c.s, u = u, e = c.e, g = c.g, n = 0, isGood = true}
  let end = loop p = begin while p.isGood and p.n < leaps => {
    let q = leapfrog(s => value_and_grad(energy)(s), p.s, p.u, p.g, c.scale, step, metric)
    let isGood = finite((q.e, q.g)) and q.e + 0.5 inner(q.u, q.u) - h < most
    {s = q.s, u = q.u, e = q.e, g = q.g, n = p.n + 1, isGood = isGood}
  }
  let error = if end.isGood then end.e + 0.5 inner(end.u, end.u) - h else most
  let accept = if end.isGood then exp(min(-error, 0)) else 0.0
  let isTaken = random(split(seed, "accept")) < accept
  {
    s = if isTaken then end.s else c.s, e = if isTaken then end.e else c.e, g = if isTaken then end.g else c.g
    own = c.own, accept = accept, error = error, gradients = 1.0 * end.n, diverged = if end.isGood then 0.0 else 1.0
  }
}

// The same for all chains together. A chain that diverges keeps its last state before the divergence.
fn hmc_moves(chains, c, seed, noise, leaps: int, jitter, most, metric) {
  let u = noise(split(seed, "momentum"))
  let h = c.e + 0.5 * chains.inner(u, u)
  let step = c.tuned.step * (1 + jitter * (2 * random(split(seed, "jitter")) - 1))
  let begin = {s = c.s, e = c.e, g = c.g, u = u, growth = 0 * h, good = 0 * h + 1}
  let end = loop p = begin for i in 0 .. leaps => {
    let q = leapfrog(s => chains.slope(s), p.s, p.u, p.g, c.scale, step, metric)
    let growth = q.e + 0.5 * chains.inner(q.u, q.u) - h
    let next = {s = q.s, e = q.e, g = q.g, u = q.u, growth = growth,
                good = are_fine(growth, chains.inner(q.g, q.g), most)}
    picked(p.good * next.good, next, p with {good = 0 * p.good})
  }
  chosen(chains, c, end, end.growth, seed, most, leaps)
}

fn nuts_move(energy, c, seed, noise, depth: int, draw, most, metric) {
  let u = noise(split(seed, "momentum"))
  let h = c.e + 0.5 inner(u, u)
  let end = {s = c.s, u = u, g = c.g}
  let begin = {
    left = end, right = end, s = c.s, e = c.e, g = c.g, sum = u, weight = 0.0, depth = 0, isGoing = true
    accept = 0.0, count = 0, error = 0.0, diverged = 0.0
  }
  let tree = loop t = begin while t.isGoing => {
    let isForward = random(split(seed, "direction", t.depth)) < 0.5
    let from = if isForward then t.right else t.left
    let step = if isForward then c.tuned.step else -c.tuned.step
    let b = nuts_branch(energy, from, c, h, step, power_of_2(t.depth), split(seed, "branch", t.depth),
                        piece(draw, depth), most, metric)
    let isWhole = not b.isTurning and b.diverged == 0
    let isTaken = isWhole and random(split(seed, "merge", t.depth)) < exp(min(b.weight - t.weight, 0))
    let tip = {s = b.s, u = b.u, g = b.g}
    let left = if isForward then t.left else tip
    let right = if isForward then tip else t.right
    let sum = t.sum + b.sum
    {
      left = left, right = right, sum = sum, weight = log_sum(t.weight, b.weight), depth = t.depth + 1
      s = if isTaken then b.pick_s else t.s, e = if isTaken then b.pick_e else t.e
      g = if isTaken then b.pick_g else t.g, error = if isTaken then b.pick_error else t.error
      accept = t.accept + b.accept, count = t.count + b.n, diverged = b.diverged
      isGoing = isWhole and t.depth + 1 < depth and not is_turning(left.u, right.u, sum)
    }
  }
  {s = tree.s, e = tree.e, g = tree.g, own = c.own, accept = tree.accept / max(tree.count, 1), error = tree.error,
   gradients = 1.0 * tree.count, diverged = tree.diverged}
}

// At most `count` steps from one end of the tree. For each subtree that is not complete, `momenta` has
// the momentum of its first leaf, and `sums` the sum of all momenta up to that leaf.
fn nuts_branch(energy, from, c, h, step, count, seed, level, most, metric) {
  // The level is the first dim, so that the values of a level are contiguous.
  let kept = zeros[level] + 0 * from.u
  let begin = {
    s = from.s, u = from.u, g = from.g, pick_s = from.s, pick_g = from.g, pick_e = 0.0, pick_error = 0.0,
    sum = 0 * from.u
    weight = -1e300, n = 0, isTurning = false, accept = 0.0, diverged = 0.0, momenta = kept, sums = kept
  }
  loop b = begin while b.n < count and not b.isTurning and b.diverged == 0 => {
    let q = leapfrog(s => value_and_grad(energy)(s), b.s, b.u, b.g, c.scale, step, metric)
    let growth = q.e + 0.5 inner(q.u, q.u) - h
    let isGood = finite((q.e, q.g)) and growth < most
    let error = if isGood then growth else most
    let weight = log_sum(b.weight, -error)
    let isTaken = isGood and random(split(seed, b.n)) < exp(-error - weight)
    let sum = b.sum + q.u
    let isFirst = mod(b.n, 2) == 0
    let top = ones_of(div(b.n, 2))
    let isTurning = if isFirst then false
                    else turns_inside(q.u, sum, b.momenta, b.sums, level, top, top - last_ones(b.n) + 1)
    {
      s = q.s, u = q.u, g = q.g, sum = sum, weight = weight, n = b.n + 1, isTurning = isTurning
      pick_s = if isTaken then q.s else b.pick_s, pick_g = if isTaken then q.g else b.pick_g
      pick_e = if isTaken then q.e else b.pick_e, pick_error = if isTaken then error else b.pick_error
      accept = b.accept + (if isGood then exp(min(-error, 0)) else 0.0), diverged = if isGood then 0.0 else 1.0
      momenta = if isFirst then b.momenta with {[level = top] = q.u} else b.momenta
      sums = if isFirst then b.sums with {[level = top] = sum} else b.sums
    }
  }
}

// Whether a subtree that ends with the momentum u has a U-turn. `sum` is the sum of all momenta of
// the branch.
fn turns_inside(u, sum, momenta, sums, level, top, bottom) {
  let (place, isTurning) = loop (i, isTurning) = (top, false) while i >= bottom and not isTurning => {
    let first = momenta[level = i]
    (i - 1, is_turning(first, u, sum - sums[level = i] + first))
  }
  isTurning
}

// `nuts_move` for all chains together. All chains double their trees at the same time. A chain whose
// trajectory has ended waits for the others. Conditions are 1 or 0 for each chain, not bools.
fn nuts_moves(chains, c, seed, noise, depth: int, level, most, metric) {
  let u = noise(split(seed, "momentum"))
  let h = c.e + 0.5 * chains.inner(u, u)
  let none = 0 * c.e
  let end = {s = c.s, u = u, g = c.g}
  let begin = {
    left = end, right = end, pick = {s = c.s, e = c.e, g = c.g, error = none}, sum = u, weight = none
    accept = none, count = none, diverged = none, going = none + 1
  }
  let (tree, doublings) = loop (t, j) = (begin, 0) while j < depth and max(t.going) > 0 => {
    let way = chains.random(split(seed, "direction", j))
    let forward = map q in way => if way < 0.5 then 1.0 else 0.0
    let branch =
      nuts_branches(chains, picked(forward, t.right, t.left), c, h, (2 * forward - 1) * c.tuned.step, t.going,
                    power_of_2(j), split(seed, "branch", j), level, most, metric)
    let whole = (1 - branch.turning) * (1 - branch.diverged)
    let draw = chains.random(split(seed, "merge", j))
    let share = whole * exp(min(branch.weight - t.weight, 0))
    let taken = map q in draw => if draw < share then 1.0 else 0.0
    let tip = {s = branch.s, u = branch.u, g = branch.g}
    let (left, right) = (picked(forward, t.left, tip), picked(forward, tip, t.right))
    let sum = t.sum + branch.sum
    let next = {
      left = left, right = right, pick = picked(taken, branch.pick, t.pick), sum = sum
      weight = log_sum(t.weight, branch.weight), accept = t.accept + branch.accept, count = t.count + branch.count
      diverged = branch.diverged, going = whole * (1 - are_turning(chains, left.u, right.u, sum))
    }
    (picked(t.going, next, t), j + 1)
  }
  let p = tree.pick
  {s = p.s, e = p.e, g = p.g, own = c.own, accept = tree.accept / max(tree.count, 1), error = p.error,
   gradients = tree.count, diverged = tree.diverged}
}

// At most `count` steps of each chain with `going` = 1, from one end of its tree. Each chain has its own
// `step`. A chain whose branch has ended waits for the others.
fn nuts_branches(chains, from, c, h, step, going, count, seed, level, most, metric) {
  let (none, kept) = (0 * h, zeros[level] + 0 * from.u)
  let begin = {
    s = from.s, u = from.u, g = from.g, pick = {s = from.s, e = none, g = from.g, error = none}, sum = 0 * from.u
    weight = none - 1e30, accept = none, count = none, turning = none, diverged = none, going = going
  }
  let (end, steps, all, total) = loop (b, n, momenta, sums) = (begin, 0, kept, kept)
    while n < count and max(b.going) > 0 => {
      let f = leapfrog(s => chains.slope(s), b.s, b.u, b.g, c.scale, step, metric)
      let growth = f.e + 0.5 * chains.inner(f.u, f.u) - h
      let good = are_fine(growth, chains.inner(f.g, f.g), most)
      let error = map q in good => if good > 0 then growth else most
      let weight = log_sum(b.weight, -1 * error)
      let draw = chains.random(split(seed, n))
      let share = good * exp(-1 * error - weight)
      let taken = map q in draw => if draw < share then 1.0 else 0.0
      let sum = b.sum + f.u
      let isFirst = mod(n, 2) == 0
      let top = ones_of(div(n, 2))
      let turning = if isFirst then none
                    else turn_inside(chains, f.u, sum, momenta, sums, level, top, top - last_ones(n) + 1)
      let next = {
        s = f.s, u = f.u, g = f.g, pick = picked(taken, {s = f.s, e = f.e, g = f.g, error = error}, b.pick), sum = sum
        weight = weight, accept = b.accept + good * exp(min(-1 * error, 0)), count = b.count + 1, turning = turning
        diverged = 1 - good, going = good * (1 - turning)
      }
      (picked(b.going, next, b), n + 1, if isFirst then momenta with {[level = top] = f.u} else momenta,
       if isFirst then sums with {[level = top] = sum} else sums)
    }
  end
}

// For each chain, 1 if its subtree has a U-turn and 0 otherwise, as for `turns_inside`.
fn turn_inside(chains, u, sum, momenta, sums, level, top, bottom) =
  loop turning = 0 * chains.inner(u, u) for i in bottom .. top + 1 => {
    let first = momenta[level = i]
    max(turning, are_turning(chains, first, u, sum - sums[level = i] + first))
  }

// The generalized criterion of Betancourt (2017, appendix A.4.2), with half of the ends as in
// NumPyro.
fn is_turning(left, right, sum) {
  let along = sum - 0.5 * (left + right)
  inner(left, along) <= 0 or inner(right, along) <= 0
}

fn are_turning(chains, left, right, sum) {
  let along = sum - 0.5 * (left + right)
  let (first, last) = (chains.inner(left, along), chains.inner(right, along))
  map q in first => if first <= 0 or last <= 0 then 1.0 else 0.0
}

// log(exp(a) + exp(b)).
fn log_sum(a, b) = max(a, b) + log1p(exp(-abs(a - b)))

// Of an int n >= 0: 2^n, the number of ones in base 2, and of the ones at its end.
fn power_of_2(n) = loop p = 1 for i in 0 .. n => 2 * p
fn ones_of(n) {
  let (rest, count) = loop (m, count) = (n, 0) while m > 0 => (div(m, 2), count + mod(m, 2))
  count
}
fn last_ones(n) {
  let (rest, count) = loop (m, count) = (n, 0) while mod(m, 2) == 1 => (div(m, 2), count + 1)
  count
}

// Microcanonical Langevin Monte Carlo without a Metropolis step: a state moves along a direction of
// length 1 that the gradient turns and that noise changes. It is efficient in many dimensions. The
// step size is finite, and therefore moments have a small bias.
// - warmup: int, the number of states before the chain, in which the step size and the scale adapt
// - step: the first step size; with `warmup = 0`, the step size of the chain
// - decoherence: the direction changes over the length decoherence · √d, for d dimensions
// - variance: the step size adapts so that the energy error has the variance variance · d
// - metric: what scales the steps, such as `diagonal_metric()`
// Value: record of functions, for the argument `method` of `sample`. A state of fewer than 2
//   dimensions is an error.
// Source: Robnik et al. (2023)
// Cost: one gradient for each state.
// Example: sample[draw](energy, start, mclmc(warmup = 20), seed = 5).last
fn mclmc(warmup: int = 1000, step = 0.1, decoherence = 1.0, variance = 5e-4, metric = diagonal_metric()) {
  require_steps("mclmc", warmup, step)
  assert decoherence > 0, "mclmc: decoherence must be above 0, found {}", decoherence
  assert variance > 0, "mclmc: variance must be above 0, found {}", variance
  microcanonical(warmup, step, decoherence, variance, metric)
}
fn microcanonical(warmup: int, step, decoherence, variance, metric) = {
  warmup = warmup
  metric = metric
  least = 2
  name = "mclmc"
  start = z => directed(z)
  move = (energy, c, seed, noise, draw) => mclmc_move(energy, c, seed, noise, decoherence, metric)
  tuner = () => {step = step, most = 1e300, sum = 0.0, weight = 0.0}
  tune = (a, next, isLast) => mclmc_tuned(a, next.error^2 / (next.own.d * variance), next.diverged, f => f, f => f)
  restart = a => a with {sum = 0.0, weight = 0.0}
  batch = {
    start = (z, d, chains) => {u = 1 / sqrt(chains.inner(z, z)) * z, d = d}
    move = (chains, c, seed, noise, draw) => mclmc_moves(chains, c, seed, noise, decoherence, metric)
    tune = (a, next, isLast) =>
      mclmc_tuned(a, next.error^2 / (next.own.d * variance), next.diverged, f => mean(f), f => max(f))
  }
}

fn require_dimensions(z, method) {
  let d = freedom(z)
  assert d >= method.least, "{}: the state has {} dimensions, expected at least {}; use nuts", method.name, d,
         method.least
}
fn directed(z) = {u = 1 / sqrt(inner(z, z)) * z, d = freedom(z)}

// The step size at which `ratio` is 1. `ratio` is the squared error divided by the desired one, and
// it grows with step^6. The step size is a mean over about 150 steps, in which ratios far from 1 have
// less weight. `overall` is the mean over chains, and `largest` is their maximum.
fn mclmc_tuned(a, ratio, diverged, overall, largest) {
  let xi = ratio + 1e-8
  let trust = select(diverged > 0, 0.0, exp(-0.5 * (log(xi) / 9)^2))
  let sum = 149 / 151 * a.sum + overall(trust * xi) / a.step^6
  let weight = 149 / 151 * a.weight + overall(trust)
  let most = if largest(diverged) > 0 then min(a.most, 0.8 * a.step) else a.most
  {step = min(if weight > 0 and sum > 0 then exp(log(weight / sum) / 6) else a.step, most), most = most, sum = sum,
   weight = weight}
}

fn mclmc_move(energy, c, seed, noise, decoherence, metric) {
  let (d, step) = (c.own.d, c.tuned.step)
  let (u1, grown1) = turned_direction(c.own.u, metric.back(c.scale, c.g), 0.5 * step, d, (a, b) => inner(a, b))
  let s = c.s + step * metric.along(c.scale, u1)
  let (e, g) = value_and_grad(energy)(s)
  let (u2, grown2) = turned_direction(u1, metric.back(c.scale, g), 0.5 * step, d, (a, b) => inner(a, b))
  let error = e - c.e + grown1 + grown2
  let isGood = finite((e, g)) and finite(error)
  let nu = sqrt(expm1(2 * step / (decoherence * sqrt(d))) / d)
  let u = (if isGood then u2 else -1 * c.own.u) + nu * noise(split(seed, "momentum"))
  {
    s = if isGood then s else c.s, e = if isGood then e else c.e, g = if isGood then g else c.g
    own = {u = 1 / sqrt(inner(u, u)) * u, d = d}, accept = if isGood then 1.0 else 0.0
    error = if isGood then error else 0.0, gradients = 1.0, diverged = if isGood then 0.0 else 1.0
  }
}

// The same for all chains together.
fn mclmc_moves(chains, c, seed, noise, decoherence, metric) {
  let (d, step) = (c.own.d, c.tuned.step)
  let (u1, grown1) = turned_direction(c.own.u, metric.back(c.scale, c.g), 0.5 * step, d, (a, b) => chains.inner(a, b))
  let s = c.s + step * metric.along(c.scale, u1)
  let (e, g) = chains.slope(s)
  let (u2, grown2) = turned_direction(u1, metric.back(c.scale, g), 0.5 * step, d, (a, b) => chains.inner(a, b))
  let error = e - c.e + grown1 + grown2
  let good = are_fine(error, chains.inner(g, g), 2 * abs(error) + 1)
  let nu = sqrt(expm1(2 * step / (decoherence * sqrt(d))) / d)
  let next = {s = s, e = e, g = g, u = u2, error = error}
  let kept = picked(good, next, {s = c.s, e = c.e, g = c.g, u = -1 * c.own.u, error = 0 * error})
  let u = kept.u + nu * noise(split(seed, "momentum"))
  {
    s = kept.s, e = kept.e, g = kept.g, own = {u = 1 / sqrt(chains.inner(u, u)) * u, d = d}, accept = good
    error = kept.error, gradients = 0 * good + 1, diverged = 1 - good
  }
}

// Metropolis-adjusted microcanonical sampling: trajectories of constant speed, along a direction
// that the gradient turns, from a new random direction each. A trajectory is accepted with the
// probability min(1, exp(−growth of the total energy)), so that moments have no bias.
//
// The number of steps is ⌈(2 l − 1) r⌉, at least 1, for a random r from 0 to 1 and the mean number
// of steps l = length √d/step. The step size and the scale adapt as those of `nuts`.
// - warmup: int, the number of states before the chain, in which the step size and the scale adapt
// - target: the mean acceptance probability that the step size adapts to
// - step: the first step size; with `warmup = 0`, the step size of the chain
// - length: number, the mean length of a trajectory over √d, for d dimensions, in standard
//   deviations
// - leaps: int, the largest number of steps of a trajectory
// - most: number; a trajectory on which the total energy grows by this value diverges and ends
// - metric: what scales the steps, such as `diagonal_metric()` or `dense_metric()`
// Value: record of functions, for the argument `method` of `sample`. A state of fewer than 2
//   dimensions is an error.
// Source: Robnik, Cohn-Gordon & Seljak (2025), without noise in a trajectory
// Cost: one gradient for each step of a trajectory.
// Example: sample[draw](energy, start, mams(warmup = 20), seed = 5).accept
fn mams(warmup: int = 500, target = 0.9, step = 0.1, length = 1.0, leaps: int = 1000, most = 1000,
        metric = diagonal_metric()) {
  require_trajectories("mams", warmup, target, step, most)
  assert length > 0, "mams: length must be above 0, found {}", length
  assert leaps >= 1, "mams: leaps must be at least 1, found {}", leaps
  trajectories((energy, c, seed, noise, draw) => mams_move(energy, c, seed, noise, length, leaps, most, metric),
               (chains, c, seed, noise, draw) => mams_moves(chains, c, seed, noise, length, leaps, most, metric),
               warmup,
               target,
               step, metric) with {least = 2, name = "mams", start = z => directed(z)}
}

// A random number of steps of a trajectory, with the mean length · √d/step.
fn mams_steps(length, d, step, leaps: int, seed) {
  let wide = max(2 * length * sqrt(d) / step - 1, 1)
  clamp(1 + floor(wide * random(seed)), 1, leaps)
}

fn mams_move(energy, c, seed, noise, length, leaps: int, most, metric) {
  let (d, step) = (c.own.d, c.tuned.step)
  let z = noise(split(seed, "momentum"))
  let count = mams_steps(length, d, step, leaps, split(seed, "leaps"))
  let begin = {s = c.s, u = 1 / sqrt(inner(z, z)) * z, e = c.e, g = c.g, grown = 0.0, n = 0, isGood = true}
  let end = loop p = begin while p.isGood and p.n < count => {
    let (u1, grown1) = turned_direction(p.u, metric.back(c.scale, p.g), 0.5 * step, d, (a, b) => inner(a, b))
    let s = p.s + step * metric.along(c.scale, u1)
    let (e, g) = value_and_grad(energy)(s)
    let (u2, grown2) = turned_direction(u1, metric.back(c.scale, g), 0.5 * step, d, (a, b) => inner(a, b))
    let grown = p.grown + grown1 + grown2
    let isGood = finite((e, g)) and finite(grown) and e - c.e + grown < most
    {s = s, u = u2, e = e, g = g, grown = grown, n = p.n + 1, isGood = isGood}
  }
  let error = if end.isGood then end.e - c.e + end.grown else most
  let accept = if end.isGood then exp(min(-error, 0)) else 0.0
  let isTaken = random(split(seed, "accept")) < accept
  {
    s = if isTaken then end.s else c.s, e = if isTaken then end.e else c.e, g = if isTaken then end.g else c.g
    own = c.own, accept = accept, error = error, gradients = 1.0 * end.n, diverged = if end.isGood then 0.0 else 1.0
  }
}

// The same for all chains together, which take the same number of steps.
fn mams_moves(chains, c, seed, noise, length, leaps: int, most, metric) {
  let (d, step) = (c.own.d, c.tuned.step)
  let z = noise(split(seed, "momentum"))
  let count = mams_steps(length, d, step, leaps, split(seed, "leaps"))
  let none = 0 * c.e
  let begin = {s = c.s, e = c.e, g = c.g, u = 1 / sqrt(chains.inner(z, z)) * z, grown = none, growth = none,
               good = none + 1}
  let end = loop p = begin for i in 0 .. int(count) => {
    let (u1, grown1) = turned_direction(p.u, metric.back(c.scale, p.g), 0.5 * step, d, (a, b) => chains.inner(a, b))
    let s = p.s + step * metric.along(c.scale, u1)
    let (e, g) = chains.slope(s)
    let (u2, grown2) = turned_direction(u1, metric.back(c.scale, g), 0.5 * step, d, (a, b) => chains.inner(a, b))
    let grown = p.grown + grown1 + grown2
    let growth = e - c.e + grown
    let next = {s = s, e = e, g = g, u = u2, grown = grown, growth = growth,
                good = are_fine(growth, chains.inner(g, g), most)}
    picked(p.good * next.good, next, p with {good = none})
  }
  chosen(chains, c, end, end.growth, seed, most, count)
}

// The direction after `time` along a constant gradient g, and the growth of the kinetic energy
// (Robnik et al. 2023, eq. 11). `product` is the inner product.
fn turned_direction(u, g, time, d, product) {
  let size = sqrt(product(g, g))
  let down = -1 / max(size, 1e-30) * g
  let along = product(u, down)
  let delta = time * size / (d - 1)
  let zeta = exp(-delta)
  let next = (1 - zeta) * (1 + zeta + along * (1 - zeta)) * down + 2 * zeta * u
  (1 / sqrt(product(next, next)) * next, (d - 1) * (delta - log(2) + log(1 + along + (1 - along) * zeta^2)))
}

// ---- bounded parameters ----

// A parameter x = exp(u) > 0, as a function of a free u, and the term e = −log dx/du of the energy.
// The energy of u is that of x plus e.
// - u: number or field without unit
// Value: tuple (x, e). x is like u. e is a number, the sum over the elements of u.
// Source: Stan Development Team, reference manual, constraint transforms
// Example: positive(p)[0]
fn positive(u) = (exp(u), -inner(u, 0 * u + 1))

// A parameter x = low + (high − low)/(1 + exp(−u)) between two bounds, as a function of a free u,
// and the term e = −log dx/du of the energy. The energy of u is that of x plus e.
// - u: number or field without unit
// - low, high: numbers without unit, low < high
// Value: tuple (x, e). x is like u. e is a number, the sum over the elements of u.
// Source: Stan Development Team, reference manual, constraint transforms
// Example: bounded(p, 0.1, 0.5)[0]
fn bounded(u, low, high) {
  let half = tanh(0.5 * u)
  // -log of x' (1 - x') for x' = (1 + half)/2 without the cancellation at the ends.
  let size = abs(u)
  let e = size + 2 * log1p(exp(-size)) - log(high - low)
  (low + 0.5 * (high - low) * (1 + half), inner(e, 0 * u + 1))
}

// ---- diagnostics ----

// The effective number of draws for the mean of f: the number of independent draws with the same
// error.
//
// It follows from the autocorrelations within chains, up to the end of Geyer's initial monotone
// sequence, and from the variance within and between chains. There are no ranks of values.
// - f: real field over `draw`, over `chain` if there are several chains, and over any other dims
// - draw: dim that counts the draws of a chain
// - chain: dim that counts chains; by default there is one chain
// Value: number, or field over the other dims. It is not a number if f is constant.
// Source: Geyer (1992); Gelman et al. (2013), eq. 11.7
// Cost: two transforms along the draws.
// Example: ess(numbers, draw)
fn ess(f, draw, chain = piece(draw, 1)) {
  let x = f + zeros[chain]
  let (n, m) = (cells(draw), cells(chain))
  let all = mean(x, over = draw)
  let off = x - all
  // A sum over pairs at each lag, without those around the end.
  let wide = off[draw = piece(draw, 2 * n), edge = "zero"]
  let k = dims(map q in [piece(draw, 2 * n)] => 1.0)[0]
  let waves = fft(wide, over = k)
  let lagged = 2 * ifft(waves * conj(waves), over = k)
  let cov = mean(lagged, over = chain)
  let within = cov[k = 0] * n / (n - 1)
  let between = if m > 1 then sum((all - mean(all, over = chain))^2, over = chain) / (m - 1) else 0 * within
  let total_variance = within * (n - 1) / n + between
  fn rho(t) = 1 - (within - cov[k = t]) / total_variance
  let (total, last) = loop (total, last) = (0 * within, 0 * within + 1e30) for i in 0 .. div(n, 2) => {
    let pair = (if i == 0 then 1 + 0 * within else rho(2 * i)) + rho(2 * i + 1)
    let next = max(min(pair, last), 0)
    (total + next, next)
  }
  n * m / max(2 * total - 1, 1 / (log(n * m) / log(10)))
}

// Split R̂: the root of the variance of all draws over the variance within half chains. It is about
// 1 after convergence. Values above 1.01 are suspicious.
// - f: real field over `draw`, over `chain` if there are several chains, and over any other dims
// - draw: dim that counts the draws of a chain
// - chain: dim that counts chains; by default there is one chain
// Value: number, or field over the other dims. It is not a number if f is constant. Fewer than 4
//   draws are an error.
// Source: Gelman et al. (2013), eq. 11.4
// Example: rhat(white_noise[draw, chain](1), draw, chain)
fn rhat(f, draw, chain = piece(draw, 1)) {
  let x = f + zeros[chain]
  let n = cells(draw)
  assert n >= 4, "rhat requires at least 4 draws, found {}", n
  let h = max(div(n, 2), 2)
  let part = piece(draw, h)
  fn half(from) {
    let y = x[draw = part + from]
    let m = mean(y, over = part)
    (m, sum((y - m)^2, over = part) / (h - 1))
  }
  let ((m1, v1), (m2, v2)) = (half(0), half(n - h))
  let all = 0.5 * mean(m1 + m2, over = chain)
  let between = sum((m1 - all)^2 + (m2 - all)^2, over = chain) / (2 * cells(chain) - 1)
  let within = 0.5 * mean(v1 + v2, over = chain)
  sqrt((h - 1) / h + between / within)
}

// Normal numbers in the same order as the draws of all chains: Φ⁻¹((r − 3/8)/(N + 1/4)), where N is
// the number of draws and r is the rank of a draw, counted from 1.
//
// For densities with long tails, use `rhat` and `ess` of these numbers. They are the rank-normalized
// split R̂ and the bulk effective sample size. A histogram of `chain_ranks` for each chain shows
// whether the chains agree.
// - f: real field over `draw`, and over `chain` if there are several chains
// - draw: dim that counts the draws of a chain
// - chain: dim that counts chains; by default there is one chain
// Value: field like f, over chain and draw.
// Source: Vehtari et al. (2021), eq. 14
// Cost: sorts f.
// Example: rhat(rank_normalized(white_noise[draw, chain](1), draw, chain), draw, chain)
fn rank_normalized(f, draw, chain = piece(draw, 1)) {
  let n = cells(draw) * cells(chain)
  sqrt(2) * erfinv(2 * (chain_ranks(f, draw, chain) + 0.625) / (n + 0.25) - 1)
}

// The rank of each draw among the draws of all chains, counted from 0. Equal draws have the mean of
// their ranks.
// - f: real field over `draw`, and over `chain` if there are several chains
// - draw: dim that counts the draws of a chain
// - chain: dim that counts chains; by default there is one chain
// Value: field like f, over chain and draw.
// Source: Vehtari et al. (2021), section 5.1
// Cost: sorts f.
// Example: chain_ranks(white_noise[draw, chain](1), draw, chain)
fn chain_ranks(f, draw, chain = piece(draw, 1)) {
  let x = f + zeros[chain]
  let n = cells(draw)
  let all = piece(draw, n * cells(chain))
  let values = map q in [all] => x[chain = div(int(index(q, all)), n), draw = mod(int(index(q, all)), n)]
  let both = 0.5 * (ranks(values, all) + cells(all) - 1 - ranks(-1 * values, all))
  // A draw that is NaN has no rank.
  map q in [chain, draw] => if x == x then both[all = int(index(q, chain)) * n + int(index(q, draw))] else x
}

// The number of draws of each chain whose ranks are in each bin, for a rank plot. The cells of the dim
// in brackets are equal bins of ranks. The plot is flat if the chains have the same density.
// - f: real field over `draw`, and over `chain` if there are several chains
// - draw: dim that counts the draws of a chain
// - chain: dim that counts chains; by default there is one chain
// Value: field over chain and the dim in brackets. Its mean is cells(draw)/cells(bin).
// Source: Vehtari et al. (2021), section 5.1
// Cost: sorts f.
// Example: rank_counts[x](white_noise[draw, chain](1), draw, chain)
fn rank_counts[bin](f, draw, chain = piece(draw, 1)) {
  let r = chain_ranks(f, draw, chain)
  let n = cells(draw) * cells(chain)
  let part = map q in r => min(floor((r + 0.5) * cells(bin) / n), cells(bin) - 1)
  sum(map q in [chain, draw, bin] => if part == index(q, bin) then 1.0 else 0.0, over = draw)
}

// ---- single trajectories ----

// The state after one more trajectory of Hamiltonian Monte Carlo, or the old state if the
// trajectory is rejected. Use it in a loop of your own.
// - energy: function of a state, −log of the density plus any constant
// - s: state
// - e: number, the energy of s
// - p: momentum: standard normal numbers in the shape of s, new ones for each trajectory
// - draw: number from 0 to 1, a new random one for each trajectory
// - step: the step size
// - leaps: int, the number of leapfrog steps
// - allowed: function of a state that is true where the energy is defined
// - most: number; a trajectory on which the total energy grows by this value is rejected
// Value: record `{s, energy, taken, error}`: the state, its energy, 1 if the trajectory was
//   accepted and 0 otherwise, and the growth of the total energy, at most `most`.
// Source: Duane et al. (1987)
// Cost: leaps + 1 gradients.
// Example: hmc_step(energy, start, 0.0, p, 0.5, step = 0.1, leaps = 5).s
fn hmc_step(energy, s, e, p, draw, step, leaps: int, allowed = s => true, most = 1000) {
  let before = e + 0.5 inner(p, p)
  let (s1, p1, e1, good) = hmc_trajectory(energy, s, p, step, leaps, allowed, before + most)
  let error = if good then e1 + 0.5 inner(p1, p1) - before else most
  if good and draw < exp(min(-error, 0)) then {s = s1, energy = e1, taken = 1.0, error = error}
  else {s = s, energy = e, taken = 0.0, error = error}
}

// The end of a trajectory of leapfrog steps. The trajectory ends early where it diverges: where the
// total energy reaches a limit or is not finite, or where the energy is not defined.
// - energy: function of a state, −log of the density plus any constant
// - s: state
// - p: momentum in the shape of s
// - step: the step size
// - leaps: int, the number of leapfrog steps
// - allowed: function of a state that is true where the energy is defined
// - limit: number; a total energy of this value ends the trajectory
// Value: tuple (state, momentum, energy, whether the trajectory is valid).
// Source: Neal (2011), section 5.2.3
// Cost: leaps + 1 gradients.
// Example: hmc_trajectory(energy, start, p, 0.1, 5, s => true, 1000)[0]
fn hmc_trajectory(energy, s, p, step, leaps: int, allowed, limit) =
  loop (s, p, e, good) = (s, p, 0.0, true) for i in 0 .. leaps + 1 =>
    if good then {
      // Half a kick first and last.
      let (e, g) = value_and_grad(energy)(s)
      let p_next = p - (if i == 0 or i == leaps then 0.5 step else step) * g
      let s_next = s + (if i == leaps then 0.0 else step) * p_next
      (s_next, p_next, e, finite((e, g)) and e + 0.5 inner(p, p) < limit and allowed(s_next))
    } else (s, p, e, false)
