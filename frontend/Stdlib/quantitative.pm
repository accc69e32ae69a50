// Quantitative magnetic resonance imaging: maps of relaxation times and of diffusion from series of
// images, and images in a subspace of signals.
//
// A series is a field over a dim that counts its images, and over the dims of an image. Each cell
// has a fit of least squares. It is not finite where an image has no signal.
//
// Setup: use mri
//   dim echo = 8, weighting = 9, c = 4, v = 2, curve = 20
//   dim x = 16, y = 16 over 240 mm
//   let times = map q in [echo] => 10 ms * (index(q, echo) + 1)
//   let truth = map q in [x, y] => 30 ms + 1 ms * index(q, x)
//   let echoes = exp(-times / truth)
//   let b = map q in [weighting] => 100 * (index(q, weighting) + 1)
//   let g = for i in 0 .. 3 => map q in [weighting] => sin(index(q, weighting) * (i + 1.0)) / 2
//   let tensor = diffusion_tensor(exp(-1e-3 * b) + zeros[x, y], weighting, b, g)
//   let curves = map q in [echo, curve] => exp(-times / (20 ms + 5 ms * index(q, curve)))
//   let basis = subspace_basis[v](curves, echo, over = curve)
//   let maps = birdcage_maps[c, x, y](c)
//   let mask = random_mask[y](2, centre = 4)
//   let series = (1 + 0i) * echoes
//
// Internal: diffusion_step series_size

use math, fields, solvers, matrices, optim, mri

// ---- relaxation ----

// A fit of the signal A exp(−t/T₂) in each cell of a series of echoes: a straight line through log
// S with the weights S², then Gauss–Newton steps for A and 1/T₂.
// - images: real field over `echo` and the dims of the image, in any unit; values below 10⁻⁶ of the
//   largest one have no weight in the straight line
// - echo: dim that counts the echoes
// - times: field over `echo`, the echo times, in any unit
// - iterations: int, the number of Gauss–Newton steps
// Value: record `{amplitude, t2}` of fields over the dims of the image. amplitude is A, in the unit
//   of images, and t2 is T₂, in the unit of times.
// Source: Björck (1996), section 9.2
// Example: t2_map(echoes, echo, times).t2
fn t2_map(images, echo, times: field[echo], iterations: int = 5) {
  let one = unit_of(images)
  let least = 1e-6 * max(images)
  let w = map q in images => if images > least then (images / one)^2 else 0
  let y = map q in images => log(max(images, least) / one)
  let (n, a, b) = (sum(w, over = echo), sum(w * times, over = echo), sum(w * times^2, over = echo))
  let (c, d) = (sum(w * y, over = echo), sum(w * times * y, over = echo))
  let rate = (a * c - n * d) / (n * b - a^2)
  let start = {amplitude = one * exp((c + rate * a) / n), rate = rate}
  let end = loop s = start for i in 0 .. iterations => {
    // dS = e dA - A t e dR.
    let e = exp(-times * s.rate)
    let off = images - s.amplitude * e
    let (ee, et, tt) = (sum(e^2, over = echo), sum(times * e^2, over = echo), sum((times * e)^2, over = echo))
    let (re, rt) = (sum(off * e, over = echo), sum(off * times * e, over = echo))
    let det = ee * tt - et^2
    {amplitude = s.amplitude + (tt * re - et * rt) / det, rate = s.rate + (et * re - ee * rt) / (det * s.amplitude)}
  }
  {amplitude = end.amplitude, t2 = 1 / end.rate}
}

// A fit of the signal a − b exp(−t/T₁) in each cell of a series: the best of several values of T₁,
// each with the best a and b, then Gauss–Newton steps for a, b and 1/T₁.
//
// The signal has a sign. Multiply complex images by a phase that makes them real first.
// - images: real field over `time` and the dims of the image, in any unit
// - time: dim that counts the images
// - times: field over `time`, the times after an inversion or a saturation, in any unit
// - low, high: numbers in the unit of times, 0 < low < high, the first and the last value of T₁
// - points: int, at least 2, the number of values of T₁, which have a constant ratio
// - iterations: int, the number of Gauss–Newton steps
// - look_locker: true for t1 = T₁ (b/a − 1), which corrects for the pulses of a Look–Locker series
// Value: record `{offset, change, t1}` of fields over the dims of the image. offset is a and change
//   is b, in the unit of images. t1 is in the unit of times. Arguments out of range end the program
//   with an error.
// Source: Barral et al. (2010); Deichmann & Haase (1992)
// Example: t1_map(1 - 2 * echoes, echo, times, low = 10 ms, high = 200 ms).t1
fn t1_map(images, time, times: field[time], low, high, points: int = 32, iterations: int = 5, look_locker = false) {
  assert low > 0 * low and high > low and points >= 2,
         "t1_map: low = {}, high = {}, points = {}; expected 0 < low < high and at least 2 points",
         number(low, unit_of(low)), number(high, unit_of(low)), points
  let n = cells(time)
  // The part of the signal that is along e = exp(-t/T1), after the constant.
  let level = mean(images, over = time)
  fn gain(t1) {
    let e = exp(-times / t1)
    let v = e - mean(e)
    sum(v * images, over = time)^2 / sum(v^2)
  }
  let none = 0 * gain(low)
  let (best, t1) =
    loop (best, t1) = (none - unit_of(none), 0 * level / unit_of(level) * low + low) for i in 0 .. points => {
      let at = low * exp(i / (points - 1) * log(high / low))
      let next = gain(at)
      (max(best, next), map q in next => if next > best then at else t1)
    }
  let e0 = exp(-times / t1)
  let off0 = e0 - mean(e0, over = time)
  let change0 = -sum(off0 * images, over = time) / sum(off0^2, over = time)
  let start = {offset = level + change0 * mean(e0, over = time), change = change0, rate = 1 / t1}
  let end = loop s = start for i in 0 .. iterations => {
    // dS = da - e db + b t e dR.
    let e = exp(-times * s.rate)
    let te = s.change * times * e
    let off = images - s.offset + s.change * e
    let (se, st) = (-sum(e, over = time), sum(te, over = time))
    let (ee, et, tt) = (sum(e^2, over = time), -sum(e * te, over = time), sum(te^2, over = time))
    let one = 0 * ee + n
    let step = solve(((one, se, st), (se, ee, et), (st, et, tt)),
                     (sum(off, over = time), -sum(off * e, over = time), sum(off * te, over = time)))
    {offset = s.offset + step[0], change = s.change + step[1], rate = s.rate + step[2]}
  }
  let found = 1 / end.rate
  {offset = end.offset, change = end.change, t1 = if look_locker then found * (end.change / end.offset - 1) else found}
}

// ---- stimulated echoes ----

// The echoes of a train of refocusing pulses by extended phase graphs, for an equilibrium
// magnetization of 1: the excitation by 90° about one axis, then pulses about the other axis, as
// Carr, Purcell, Meiboom and Gill place them (CPMG).
//
// Crushers, or the gradients of the readout, dephase the magnetization between pulses. States F₊,
// F₋ and Z of odd orders 2j + 1 are mixed by a pulse of the angle a, with c = cos² a/2 and d = sin²
// a/2: F₊′ = c F₊ + d F₋ + sin a Z, F₋′ = d F₊ + c F₋ − sin a Z and Z′ = cos a Z − ½ sin a (F₊ −
// F₋). Echo i is F₋′ of the order −1. Then orders grow by 2, F decays by exp(−spacing/T₂) and Z by
// exp(−spacing/T₁). Recovered magnetization has even orders, which make no echo.
// - angles: field over the dim that counts the echoes, the angle of each refocusing pulse in
//   radians
// - spacing: number, the time between echoes, in the unit of t1 and t2
// - t1, t2: numbers or fields over the dims of an image, the relaxation times, above 0
// - b1: number or field over the dims of an image; all angles are multiplied by b1
// - excitation: number, the angle of the excitation in radians
// Value: field over the dim of the echoes and the dims of t1, t2 and b1, without unit: echo i is at
//   the time (i + 1) spacing.
// Cost: n² steps for n echoes; stores 3 n states for each cell.
// Source: Hennig (1988); Weigel (2015), eqs. 15 to 18
// Example: epg_fse(map q in [echo] => 120 deg, 10 ms, 1 s, truth)
fn epg_fse(angles, spacing, t1, t2, b1 = 1.0, excitation = 90 deg) {
  let echo = dims(angles)[0]
  let order = piece(echo, cells(echo))
  let (e1, e2, half) = (exp(-spacing / t1), exp(-spacing / t2), exp(-0.5 * spacing / t2))
  let begin = sin(b1 * excitation) * half
  let none = 0 * begin * e1 + zeros[order]
  let ahead = map q in none => if index(q, order) == 0 then begin + 0 * none else 0
  let (end, echoes) = loop s = {ahead = ahead, back = none, along = none} for i in echo => {
    let a = b1 * angles[echo = i]
    let (c, d, turned) = (0.5 * (1 + cos(a)), 0.5 * (1 - cos(a)), sin(a))
    let ahead = c * s.ahead + d * s.back + turned * s.along
    let back = d * s.ahead + c * s.back - turned * s.along
    let first = back[order = 0]
    let moved = ahead[order = order - 1, edge = "zero"]
    let next = {
      ahead = e2 * (map q in moved => if index(q, order) == 0 then first + 0 * moved else moved)
      back = e2 * back[order = order + 1, edge = "zero"]
      along = e1 * (cos(a) * s.along - 0.5 * turned * (s.ahead - s.back))
    }
    next stacking half * first
  }
  echoes
}

// A fit of the signal A `epg_fse`(…, T₂, B₁) in each cell of a series of spin echoes, with
// stimulated echoes: Levenberg's method with Marquardt's scaling, from the values of `t2_map`.
//
// B₁ and 2 − B₁ have nearly the same signal if all refocusing angles are 180°. The fit then finds
// the value on the side of its start.
// - images: real field over `echo` and the dims of the image, in any unit, positive where there is
//   a signal
// - echo: dim that counts the echoes
// - angles: field over `echo`, the angle of each refocusing pulse in radians
// - spacing: number, the time between echoes, in any unit
// - t1: number or field over the dims of the image, T₁, in the unit of spacing
// - b1: number or field over the dims of the image: the start of B₁, or B₁ itself without
//   `fit_b1`
// - fit_b1: bool; if false, B₁ is known
// - excitation: number, the angle of the excitation in radians
// - iterations: int, the number of steps
// - damping: number, the damping of the first step; it is divided by 10 after a step that lowers
//   the cost, and multiplied by 10 otherwise
// Value: record `{amplitude, t2, b1, cost}` of fields over the dims of the image. amplitude is A, in
//   the unit of images, t2 is in the unit of spacing, and cost is Σ (S − images)² over the echoes.
// Source: Lebel & Wilman (2010); Marquardt (1963)
// Cost: `epg_fse` with three derivatives in each step.
// Example: stimulated_t2_map(echoes, echo, map q in [echo] => 160 deg, 10 ms, 1 s).t2
fn stimulated_t2_map(images, echo, angles, spacing, t1, b1 = 0.9, fit_b1 = true, excitation = 90 deg,
                     iterations: int = 20, damping = 0.001) {
  let one = unit_of(images)
  let seen = images / one
  let times = map q in [echo] => (index(q, echo) + 1) * spacing
  let begin = t2_map(images, echo, times)
  let least = spacing / times[echo = cells(echo) - 1]
  let same = 0 * begin.amplitude / one
  // The rate in 1/spacing.
  let rate = elementwise(t => clamp(if t > 0 * t then spacing / t else 0, 0.1 * least, 10), begin.t2)
  fn train(rate, b1) = epg_fse(angles, spacing, t1, spacing / rate, b1, excitation)
  fn cost_of(p) = sum((p[0] * train(p[1], p[2]) - seen)^2, over = echo)
  let p0 = (begin.amplitude / one, rate, b1 + same)
  let fit = loop s = {p = p0, cost = cost_of(p0), strength = damping + same} for i in 0 .. iterations => {
    let p = s.p
    let (shape, by_rate) = jvp(r => train(r, p[2]))(p[1], tangent = 1 + same)
    let by_b1 = if fit_b1 then jvp(b => train(p[1], b))(p[2], tangent = 1 + same)[1] else 0 * shape
    let slopes = (shape, p[0] * by_rate, p[0] * by_b1)
    let residual = p[0] * shape - seen
    let g = for u in slopes => sum(u * residual, over = echo)
    let A = for u in slopes => for v in slopes => sum(u * v, over = echo)
    let next = elementwise(v => marquardt_step(v.p, v.g, v.A, v.strength), {p = p, g = g, A = A, strength = s.strength})
    elementwise(v => {
      let is_lower = v.lower < v.cost and v.next[1] > 0
      {p = for i in 0 .. 3 => if is_lower then v.next[i] else v.p[i]
       cost = if is_lower then v.lower else v.cost
       strength = if is_lower then max(0.1 * v.strength, 1e-10) else min(10 * v.strength, 1e10)}
    }, {p = p, cost = s.cost, strength = s.strength, next = next, lower = cost_of(next)})
  }
  {amplitude = one * fit.p[0], t2 = spacing / fit.p[1], b1 = fit.p[2], cost = one^2 * fit.cost}
}

// ---- maps from k-space ----

// The parameters p of a model of a series, from k-space, by the iteratively regularized
// Gauss–Newton method for |E M(p) − data|².
//
// Step n minimizes |E (M(p) + M′(p) d) − data|² + α |p + d − start|², with α = max(start_weight ·
// reductionⁿ, least_weight), by conjugate gradients. The compiler computes M′.
// - e: encoding operator of a series, such as `sense(maps, mask, coil)` with a mask over the dim
//   that counts the images
// - model: function p => M(p), a field over the dims of the image and the dim that counts the
//   images
// - data: samples, as of `e.forward`
// - start: record of fields over the dims of the image, real or complex, without unit: the first p.
//   One penalty serves all parameters, so that numbers about 1 are best
// - steps: int, the number of Gauss–Newton steps
// - start_weight: number, α of the first step, relative to |E M′|² for parameters about 1
// - reduction: number, the ratio of α of successive steps
// - least_weight: number, the least α; more noise requires a larger one
// - tolerance: number, as for `conjugate_gradients`, in each step
// - iterations: int, the largest number of iterations of conjugate gradients in each step
// Value: record like start.
// Source: Wang et al. (2018); Bakushinsky (1992)
// Cost: one `e.normal`, and M′ and its transpose, for each iteration of each step.
// Example: let begin = {amplitude = 0i * zeros[x, y], rate = constant[x, y](1.0)}
//   model_image(sense(maps, mask, c), p => p.amplitude * exp(-p.rate * times / (40 ms)), sense(maps, mask, c).forward(series), begin, 3)
fn model_image(e, model, data, start, steps: int = 10, start_weight = 1.0, reduction = 0.3, least_weight = 1e-3,
               tolerance = 0.01, iterations: int = 100) {
  fn series_of(p) = (1 + 0i) * model(p)
  let end = loop (p, alpha) = (start, 1.0 * start_weight) for i in 0 .. steps => {
    let weight = max(alpha, least_weight)
    let series = series_of(p)
    // The dims of the operator may have another order.
    fn back(r) = vjp(series_of)(p, cotangent = map q in series => r)[1]
    let right = back(e.adjoint(data - e.forward(series))) + weight * (start - p)
    let step =
      conjugate_gradients(d => back(e.normal(jvp(series_of)(p, tangent = d)[1])) + weight * d, right, 0 * right,
                          tolerance, iterations, warns = false).x
    (p + step, alpha * reduction)
  }
  end[0]
}

// A and T₂ of the series A exp(−t/T₂) from the k-space of several coils, without images of single
// echoes, by `model_image`.
//
// The parameters are A/a and log(t2_start/T₂)/0.3, where a is the size of A in the data: the
// penalty draws T₂ to t2_start where there is no signal.
// - e: encoding operator of a series, such as `sense(maps, mask, coil)` with a mask over `echo`
// - data: samples, as of `e.forward`, in any unit
// - echo: dim that counts the images
// - times: field over `echo`, the echo times, in any unit
// - t2_start: number in the unit of times, the first T₂
// - steps, start_weight, reduction, least_weight, tolerance, iterations: as for `model_image`
// Value: record `{amplitude, t2}` of fields over the dims of the image: a complex field in the unit
//   of the data, and a real field in the unit of times.
// Source: Wang et al. (2018); Sumpf et al. (2011)
// Example: t2_image(sense(maps, mask, c), sense(maps, mask, c).forward(series), echo, times, steps = 3).t2
fn t2_image(e, data, echo, times: field[echo], t2_start = mean(times), steps: int = 10, start_weight = 1.0,
            reduction = 0.3,
            least_weight = 1e-3, tolerance = 0.01, iterations: int = 100) {
  let size = series_size(e, data, echo)
  let none = 0 * size.image
  let p = model_image(e, p => p.amplitude * exp(-times / t2_start * exp(0.3 * p.log_rate)), 1 / size.value * data,
                      {amplitude = none, log_rate = real(none)}, steps, start_weight, reduction, least_weight,
                      tolerance,
                      iterations)
  {amplitude = size.value * p.amplitude, t2 = t2_start * exp(-0.3 * p.log_rate)}
}

// The images a − b exp(−t/T₁*) of an inversion recovery, such as a Look–Locker series, from the
// k-space of several coils, without single images, by `model_image`.
//
// The parameters are a and b over the size of the series in the data, and log(t1_start/T₁*)/0.3:
// the penalty draws T₁* to t1_start where there is no signal.
// - e: encoding operator of a series, such as `sense(maps, mask, coil)` with a mask over `time`
// - data: samples, as of `e.forward`, in any unit
// - time: dim that counts the images
// - times: field over `time`, the times after the inversion, in any unit
// - t1_start: number in the unit of times, the first T₁*
// - look_locker: true for t1 = T₁* Re(b/a − 1), which corrects for the pulses of a Look–Locker
//   series; false for t1 = T₁*
// - steps, start_weight, reduction, least_weight, tolerance, iterations: as for `model_image`
// Value: record `{offset, change, t1}` of fields over the dims of the image: a and b, complex and in
//   the unit of the data, and t1, real and in the unit of times. t1 is 0 where a is 0.
// Source: Wang et al. (2018); Deichmann & Haase (1992)
// Example: t1_image(sense(maps, mask, c), sense(maps, mask, c).forward(series), echo, times, steps = 3).change
fn t1_image(e, data, time, times: field[time], t1_start = mean(times), look_locker = true, steps: int = 10,
            start_weight = 1.0,
            reduction = 0.3, least_weight = 1e-3, tolerance = 0.01, iterations: int = 100) {
  let size = series_size(e, data, time)
  let none = 0 * size.image
  let p = model_image(e, p => p.offset - p.change * exp(-times / t1_start * exp(0.3 * p.log_rate)),
                      1 / size.value * data, {offset = none, change = none, log_rate = real(none)}, steps, start_weight,
                      reduction, least_weight, tolerance, iterations)
  let found = t1_start * exp(-0.3 * p.log_rate)
  let square = norm2(p.offset)
  let factor = real(p.change * conj(p.offset))
  let part = map q in square => if square > 0 then factor / square - 1 else 0
  {offset = size.value * p.offset, change = size.value * p.change, t1 = if look_locker then found * part else found}
}

// The size of the images of a series where they have a signal: the root of Σ|g|⁴/Σ|g|², for g =
// E* data times the step to the minimum along g. `image` is one image of zeros.
fn series_size(e, data, time) {
  let g = e.adjoint(data)
  let image = mean(g, over = time)
  let r = range_root(g)
  let w = twice_times(r, g)
  let square = real(w * conj(w))
  let step = inner(w, w) / inner(w, e.normal(w))
  let value = twice_times(1 / r, step * sqrt(inner(square, square) / inner(w, w)))
  {value = value, image = 1 / value * (0 * image)}
}

// ---- diffusion ----

// A fit of the signal S exp(−b gᵀD g) in each cell of a series: linear least squares of log S with
// the weights S², then Gauss–Newton steps for log S and D. At least seven images are necessary.
// - images: real field over `weighting` and the dims of the image, in any unit; values below 10⁻⁶
//   of the largest one have no weight in the linear fit
// - weighting: dim that counts the images
// - b: field over `weighting`, the diffusion weights
// - directions_of: vector of three fields over `weighting`, the directions g, of length 1
// - iterations: int, the number of Gauss–Newton steps
// Value: record `{signal, tensor}` over the dims of the image. signal is S, in the unit of images.
//   tensor is a vector of the fields D_xx, D_yy, D_zz, D_xy, D_xz and D_yz, in 1/unit of b.
// Source: Basser, Mattiello & LeBihan (1994)
// Example: diffusion_tensor(exp(-1e-3 * b) + zeros[x, y], weighting, b, g).signal
fn diffusion_tensor(images, weighting, b, directions_of, iterations: int = 5) {
  let one = unit_of(images)
  // Weights of order 1, so that the equations are well scaled in f32 in any working units.
  let per = max(b)
  let r = number(b, per)
  let (g, h, k) = (directions_of[0], directions_of[1], directions_of[2])
  // d log S by log S(0) and the tensor.
  let design = (0 * r + 1, -r * g^2, -r * h^2, -r * k^2, -2 * r * g * h, -2 * r * g * k, -2 * r * h * k)
  let pure_images = number(images, one)
  let least = 1e-6 * max(pure_images)
  let w = map q in pure_images => if pure_images > least then pure_images^2 else 0
  let y = map q in pure_images => log(max(pure_images, least))
  let start = diffusion_step(design, w, w * y, weighting)
  let end = loop x = start for i in 0 .. iterations => {
    let s = exp(min(total(for j in 0 .. 7 => design[j] * x[j]), 600))
    let step = diffusion_step(design, s^2, s * (pure_images - s), weighting)
    for j in 0 .. 7 => x[j] + step[j]
  }
  {signal = one * exp(end[0]), tensor = for j in 0 .. 6 => end[j + 1] / per}
}

// The solution x of sum w d d^T x = sum d y, for the rows d of the design.
fn diffusion_step(design, w, y, weighting) =
  solve(for i in 0 .. 7 => for j in 0 .. 7 => sum(w * (design[i] * design[j]), over = weighting),
        for i in 0 .. 7 => sum(y * design[i], over = weighting))

// The mean of the eigenvalues of a diffusion tensor, a third of its trace.
// - tensor: vector of six numbers or fields, as of `diffusion_tensor`
// Value: number or field in the unit of tensor.
// Source: Basser & Pierpaoli (1996)
// Example: mean_diffusivity(tensor.tensor)
fn mean_diffusivity(tensor) = (tensor[0] + tensor[1] + tensor[2]) / 3

// The fractional anisotropy of a diffusion tensor, from 0 to 1 if no eigenvalue is negative.
// - tensor: vector of six numbers or fields, as of `diffusion_tensor`
// Value: number or field without unit, and 0 for a tensor that is 0.
// Source: Basser & Pierpaoli (1996), eq. 14
// Example: fractional_anisotropy(tensor.tensor)
fn fractional_anisotropy(tensor) {
  let m = mean_diffusivity(tensor)
  let others = 2 * (tensor[3]^2 + tensor[4]^2 + tensor[5]^2)
  let size = tensor[0]^2 + tensor[1]^2 + tensor[2]^2 + others
  let off = (tensor[0] - m)^2 + (tensor[1] - m)^2 + (tensor[2] - m)^2 + others
  sqrt(1.5 * elementwise(s => if s.size > 0 * s.size then s.off / s.size else 0, {off = off, size = size}))
}

// ---- images in a subspace ----

// Orthonormal curves that contain most of the energy of signals: the first left singular vectors,
// by power iteration. The dim in brackets counts the curves.
// - signals: real field over `echo` and over dims that count examples
// - echo: dim of the signals
// - over: dims of signals that count examples
// - iterations: int, the number of power iterations for each curve
// Value: real field over the dim in brackets and `echo`, without unit.
// Source: Tamir et al. (2017)
// Example: subspace_basis[v](curves, echo, over = curve)
fn subspace_basis[v](signals, echo, over = directions(signals), iterations: int = 60) {
  let second = piece(echo, cells(echo))
  let scaled = in_range(signals)
  let (last, products) = loop n = 0.0 for i in second => n stacking sum(scaled[echo = i] * scaled, over = over)
  let (end, basis) = loop s = {G = 0i + products, least = least_of_value(products)} for i in v => {
    let found = largest_vector(s.G, echo, iterations, s.least)
    {G = found.rest, least = found.least} stacking real(found.vector)
  }
  basis
}

// The encoding operator of a series Σ_v basis_v(echo) x_v, for the coefficients x over the dims of
// an image and the first dim of `basis` (T2 shuffling).
// - maps: field over the coil and the dims of the image, the sensitivities
// - mask: field over some or all of `echo` and the modes, 1 where k-space is measured and 0
//   elsewhere
// - coil: dim of the coils
// - basis: field over [v, echo] of orthonormal curves, as of `subspace_basis`
// - echo: dim that counts the images of the series
// Value: record `{forward, adjoint, normal, bound}`, as of `sense`. Data are over `echo`, the coil
//   and the modes.
// Source: Tamir et al. (2017)
// Example: subspace_sense(maps, mask, c, basis, echo).adjoint(centred_fft(maps * echoes))
fn subspace_sense(maps, mask, coil, basis, echo) {
  let v = dims(basis)[0]
  let e = sense(maps, mask, coil)
  {
    forward = x => e.forward(sum(basis * x, over = v))
    adjoint = y => sum(basis * e.adjoint(y), over = echo)
    normal = x => sum(basis * e.normal(sum(basis * x, over = v)), over = echo)
    // |basis| is 1.
    bound = e.bound
  }
}
