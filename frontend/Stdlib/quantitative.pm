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
//
// Internal: diffusion_step

use math, fields, solvers, matrices, mri

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

// The mean of the eigenvalues of a diffusion tensor, a third of its trace.
// - tensor: vector of six numbers or fields, as of `diffusion_tensor`
// Value: number or field in the unit of tensor.
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
