// Quantitative magnetic resonance: maps of relaxation times and of diffusion from series of images, and images in a subspace of signals.
//
// A series is a field over a dim that counts its images, and over the dims of an image. `times` and the like are fields over the first of these
// alone, in any unit. Each cell has a fit of least squares. It is not finite where an image has no signal.

use math, fields, solvers, matrices, mri

// ---- relaxation ----

// {amplitude, t2} of the real signal A exp(-t/T2) with the echo times `times`. The start is a straight line through log S with the weights S^2, for
// echoes above 0. Then `iterations` steps of Gauss and Newton fit A and 1/T2 (Bjorck 1996, section 9.2). amplitude has the unit of images, and t2
// has the unit of times.
fn t2_map(images, echo, times, iterations: int = 5) {
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

// {offset, change, t1} of the real signal a - b exp(-t/T1) at the times after an inversion or a saturation. The start is the best of `points` values
// of T1 from `low` to `high`, in constant ratios, each with the best a and b (Barral et al. 2010). Then `iterations` steps of Gauss and Newton fit
// a, b and 1/T1. With `look_locker`, t1 is T1 (b/a - 1), which corrects for the pulses of a Look-Locker series (Deichmann & Haase 1992).
fn t1_map(images, time, times, low, high, points: int = 32, iterations: int = 5, look_locker = false) {
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

// ---- diffusion ----

// {signal, tensor} of the real signal S exp(-b g^T D g) (Basser, Mattiello & LeBihan 1994). The start is the linear fit of log S by least squares with
// the weights S^2. Then `iterations` steps of Gauss and Newton fit log S and D. `b` is over the dim `weighting`. `directions_of` has the three components
// of g over it; g has the length 1. A signal below 1e-6 of the largest has no weight. tensor is (xx, yy, zz, xy, xz, yz), in 1/unit of b.
fn diffusion_tensor(images, weighting, b, directions_of, iterations: int = 5) {
  let one = unit_of(images)
  let per = unit_of(b)
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

// The mean of a tensor's eigenvalues, and their fractional anisotropy, from 0 to 1 (Basser & Pierpaoli 1996, eq. 14); 0 of a tensor 0.
fn mean_diffusivity(tensor) = (tensor[0] + tensor[1] + tensor[2]) / 3
fn fractional_anisotropy(tensor) {
  let m = mean_diffusivity(tensor)
  let others = 2 * (tensor[3]^2 + tensor[4]^2 + tensor[5]^2)
  let size = tensor[0]^2 + tensor[1]^2 + tensor[2]^2 + others
  let off = (tensor[0] - m)^2 + (tensor[1] - m)^2 + (tensor[2] - m)^2 + others
  sqrt(1.5 * elementwise(s => if s.size > 0 * s.size then s.off / s.size else 0, {off = off, size = size}))
}

// ---- images in a subspace (T2 shuffling, Tamir et al. 2017) ----

// The basis over [v, echo] of cells(v) orthonormal curves that hold most of the energy of real `signals`, over `echo` and the dims `over`, which
// count examples: the first left singular vectors, by `iterations` of the power method each.
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

// The encoding operator of a series sum_v basis_v(echo) x_v, for data over [echo, coil] and modes: as `sense`, of images x over the first dim of
// `basis`. maps are over the coil and the image, mask is over some or all of echo and the transformed image dims.
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
