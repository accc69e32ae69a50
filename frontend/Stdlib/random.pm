// Random fields over the dims in brackets: uniform, Poisson, gamma and binomial numbers, and
// choices.
//
// Each element depends on the seed and on the indices of its cell alone, so that every mesh of
// ranks gives the same bits. Two calls with the same seed and dims give the same numbers:
// `split(seed, "name")` makes a seed for each use.
//
// Setup: dim x = 16, y = 16
//   let density = uniform[x, y](1)
//
// Internal: integer_of poisson_of gamma_of reparametrized reparametrized_adjoint reparametrized_tangent gamma_slope
//   gamma_slope_of binomial_of rejected_binomial log_binomial deviance log_excess

use math, special, fields

// Uniformly distributed numbers between 0 and 1; neither 0 nor 1 occurs.
// - seed: u64
// Value: field over the dims in brackets, without unit.
// Example: uniform[x, y](split(1, "mean"))
fn uniform[D](seed: u64) = map q in [D] => random(split(seed, q))

// Uniformly distributed ints from 0 to n − 1.
// - n: int, at least 1
// - seed: u64
// Value: field of ints over the dims in brackets.
// Example: integers[x, y](6, 1)
fn integers[D](n: int, seed: u64) {
  assert n >= 1, "integers: the number of values must be at least 1, found {}", n
  precise { map q in [D] => integer_of(n, split(seed, q)) }
}

// Poisson distributed counts.
// - mean: number or field over some of the dims, without unit, ≥ 0. For any other mean, the count is
//   NaN
// - seed: u64
// Value: real field over the dims in brackets. Its derivative with respect to the mean is 0.
// Source: Hörmann (1993), PTRS, for means of 10 and more
// Example: poisson_counts[x, y](20 * density, 2)
fn poisson_counts[D](mean, seed: u64) = map q in [D] => poisson_of(mean, split(seed, q))

// Gamma distributed numbers with the scale 1. For a scale s, multiply them by s.
// - shape: number or field over some of the dims, without unit, ≥ 0. For the shape 0, the value is 0,
//   and for a negative shape or NaN, it is NaN
// - seed: u64
// Value: real field over the dims in brackets. Its derivative with respect to the shape is that at a
//   fixed value of the cumulative distribution function.
// Source: Marsaglia & Tsang (2000); Figurnov, Mohamed & Mnih (2018) for the derivative
// Cost: a derivative sums a series of about x + 9 √x + 40 terms, for the value x.
// Example: gamma[x, y](2.5, 3)
fn gamma[D](shape, seed: u64) =
  reparametrized(map q in [D] => gamma_of(shape, split(seed, q)), map q in [D] => shape + 0.0)

// x, with the derivative with respect to the shape a at a fixed value of the cumulative distribution function.
@adjoint(reparametrized_adjoint)
@tangent(reparametrized_tangent, reparametrized)
fn reparametrized(x, a) = x
fn reparametrized_adjoint(x, a, w) = (w, gamma_slope(reparametrized(x, a), a) * w)
fn reparametrized_tangent(x, a, d) = d[0] + gamma_slope(reparametrized(x, a), a) * d[1]
fn gamma_slope(x, a) = precise { map q in x => gamma_slope_of(x, a) }

// The number of successes in n trials.
// - n: number or field over some of the dims, whole numbers ≥ 0
// - p: number or field over some of the dims, the probability of success, 0 to 1. For any other n or
//   p, the value is NaN
// - seed: u64
// Value: real field over the dims in brackets. Its derivative with respect to p is 0.
// Source: Hörmann (1993), BTRS; Devroye (1986), X.4.3
// Example: binomial[x, y](100, density, 4)
fn binomial[D](n, p, seed: u64) = map q in [D] => binomial_of(n, p, split(seed, q))

// Random indices along a dim. The probability of an index is proportional to its weight.
//
// It is the first index at which the sum of weights exceeds a random part of the total.
// - weights: field over one dim, finite, ≥ 0, with a sum above 0. Other weights end the program with
//   an error
// - seed: u64
// Value: field of ints over the dims in brackets.
// Cost: a cumulative sum, and 40 reads for each number.
// Example: choice[y](density[y = 0], 5)
fn choice[D](weights, seed: u64) {
  let list = dims(weights)
  let c = list[0]
  let whole = sum(weights)
  let least = min(weights)
  assert least >= 0 and whole > 0 and finite(whole),
         "choice: the weights must be finite and at least 0, and one of them above 0: the smallest is {}, and their sum is {}",
         least, whole
  // Sums of more than 2²⁴ weights are not exact in f32.
  precise {
    let edges = cumsum(weights, over = c)
    map q in [D] => {
      let part = whole * random(split(seed, q))
      let (low, high) = loop (low, high) = (0, cells(c) - 1) for i in 0 .. 40 => {
        let m = div(low + high, 2)
        let isBelow = edges[c = m] <= part
        (if isBelow and low < high then m + 1 else low, if isBelow then high else m)
      }
      low
    }
  }
}

// ---- one number of a seed ----

// In a map, the loops of both branches of an `if` are evaluated: each one ends at once where the other branch counts.

// Above 2³², the high and the low 31 bits are drawn one by one until the number is below n: a single random number has 52 bits.
fn integer_of(n: int, seed) =
  if n <= 4294967296 then min(int(n * random(seed)), n - 1) else {
    let blocks = div(n - 1, 2147483648) + 1
    let (k, tries) = loop (k, i) = (n, 0) while k >= n and n > 4294967296 and i < 1000 =>
      (int(blocks * random(split(seed, 2 * i))) * 2147483648 + int(2147483648 * random(split(seed, 2 * i + 1))), i + 1)
    k
  }

// Gaps between arrivals add up to the mean if there are few; else Hormann's transformed rejection (1993, PTRS).
fn poisson_of(mean, seed) {
  let given = fixed(mean)
  if given < 10 then {
    let (time, count) = loop (t, k) = (-log(random(split(seed, 0))), 0) while t < given and given < 10 =>
      (t - log(random(split(seed, k + 1))), k + 1)
    if given >= 0 then 1.0 * count else log(-1 - abs(given))
  } else {
    let m = max(given, 10)
    let b = 0.931 + 2.53 * sqrt(m)
    let a = 0.02483 * b - 0.059
    let size = 1.1239 + 1.1328 / (b - 3.4)
    let inside = 0.9277 - 3.6224 / (b - 2)
    let (k, done, tries) = loop (k, done, i) = (0 * m, given < 10, 0) while not done and i < 1000 => {
      let u = random(split(seed, 2 * i)) - 0.5
      let v = random(split(seed, 2 * i + 1))
      let edge = 0.5 - abs(u)
      let n = floor((2 * a / edge + b) * u + m + 0.43)
      let safe = max(n, 0)
      let isInside = edge >= 0.07 and v <= inside
      let isPossible = n >= 0 and (edge >= 0.013 or v <= edge)
      let isBelow = log(v * size / (a / (edge * edge) + b)) <= -m * deviance((safe - m) / m) - log_excess(safe)
      (n, isInside or (isPossible and isBelow), i + 1)
    }
    k
  }
}

// Marsaglia & Tsang 2000; of shapes below 1 by the gamma distribution of shape + 1.
fn gamma_of(shape, seed) {
  let a = fixed(shape)
  let d = (if a < 1 then a + 1 else a) - 1 / 3
  let c = 1 / sqrt(9 * d)
  let (x, done, tries) = loop (x, done, i) = (0 * d, false, 0) while not done and i < 1000 => {
    let z = normal_of(split(seed, 2 * i))
    let t = 1 + c * z
    let v = t * t * t
    let u = random(split(seed, 2 * i + 1))
    let safe = if v > 0 then v else 1
    (d * v, v > 0 and log(u) < 0.5 * z * z + d - d * v + d * log(safe), i + 1)
  }
  if a < 1 then x * exp(log(random(split(seed, "power"))) / a) else x
}

// -(dP/da)/(dP/dx) of the incomplete gamma function P(a, x) = sum x^(a + n) exp(-x)/gamma(a + n + 1).
// Below 2^-120, the distribution is a power of x. From a = 1e7 on, the approximation of Wilson & Hilferty (1931) has an error of
// 1/a, and the series would be long.
fn gamma_slope_of(x, a) {
  let u = max(x, pow(2.0, -120))
  // The loop updates the difference of psi(a + n + 1) and log u, because both may be large while their difference is small.
  let start = (0, 1 / a, digamma_of(a + 1) - log(u), 0 * a, 0 * a)
  let (n, term, off, sum, size) =
    loop (n, term, off, sum, size) = start while a < 1e7 and (term > 1e-17 * size or a + n < u) =>
      (n + 1, term * u / (a + n + 1), off + 1 / (a + n + 1), sum + term * off, size + term)
  if a >= 1e7 then {
    let w = pow(u / a, 1 / 3)
    w^3 + 3 * w^2 * (1 / (9 * a) - 0.5 * (w - 1 + 1 / (9 * a)))
  } else if x >= u then u * sum
  else if x > 0 then x * (digamma_of(a + 1) - log(x)) / a
  else 0
}

// A random number of the standard normal distribution: mean 0, standard deviation 1.
// - seed: u64
// Value: number without unit.
// Source: Box & Muller 1958 (Ann. Math. Stat. 29, 610)
// Example: normal_of(split(1, "mean"))
fn normal_of(seed) = sqrt(-2 * log(random(split(seed, 0)))) * cos(2 * pi * random(split(seed, 1)))

// Gaps between successes add up to n if there are few (Devroye 1986, X.4.3); else Hormann's transformed rejection (1993, BTRS).
fn binomial_of(n, p, seed) {
  let trials = fixed(n)
  let chance = fixed(p)
  let isMany = chance > 0.5
  let few = if isMany then 1 - chance else chance
  let count = if trials * few < 10 then {
    // The chance of 0 has no gaps.
    let rate = if few > 0 then log1p(-few) else -1
    let (place, k) = loop (place, k) = (1 + floor(log(random(split(seed, 0))) / rate), 0) while few > 0 and
      place <= trials and trials * few < 10 =>
        (place + 1 + floor(log(random(split(seed, k + 1))) / rate), k + 1)
    1.0 * k
  } else rejected_binomial(trials, few, seed)
  let isPossible = trials >= 0 and chance >= 0 and chance <= 1
  if not isPossible then log(-1 - abs(trials * chance)) else if isMany then trials - count else count
}

// For p <= 0.5 and n p >= 10.
fn rejected_binomial(n, p, seed) {
  let deviation = sqrt(n * p * (1 - p))
  let b = 1.15 + 2.53 * deviation
  let a = 0.0248 * b + 0.01 * p - 0.0873
  let size = (2.83 + 5.1 / b) * deviation
  let inside = 0.92 - 4.2 / b
  let most = log_binomial(floor((n + 1) * p), n, p)
  let (k, done, tries) = loop (k, done, i) = (0 * n, n * p < 10, 0) while not done and i < 1000 => {
    let u = random(split(seed, 2 * i)) - 0.5
    let v = random(split(seed, 2 * i + 1))
    let edge = 0.5 - abs(u)
    let x = floor((2 * a / edge + b) * u + n * p + 0.5)
    let safe = min(max(x, 0), n)
    let isInside = edge >= 0.07 and v <= inside
    let isBelow = log(v * size / (a / (edge * edge) + b)) <= log_binomial(safe, n, p) - most
    (x, isInside or (x >= 0 and x <= n and isBelow), i + 1)
  }
  k
}

// The logarithm of the probability of k, but for what does not depend on k (Loader 2000).
fn log_binomial(k, n, p) {
  let m = n * p
  let rest = n * (1 - p)
  -m * deviance((k - m) / m) - rest * deviance((n - k - rest) / rest) - log_excess(k) - log_excess(n - k)
}

// (1 + x) log(1 + x) - x for x >= -1, without its cancellation where |x| is small.
fn deviance(x) {
  let y = if x > -1 then x else 0
  let near = x * x * (1 / 2 - x * (1 / 6 - x * (1 / 12 - x * (1 / 20 - x * (1 / 30 - x * (1 / 42 - x / 56))))))
  if abs(x) < 0.02 then near else if x > -1 then (1 + y) * log1p(y) - y else 1
}

// log k! - k log k + k for whole k >= 0, below 8 one of the list.
fn log_excess(k) {
  let large = max(k, 8)
  let small = (0, 1, 1.3068528194400544, 1.4959226032237263, 1.6328763858683826, 1.740302180611545, 1.8286943966417715,
               1.9037903176782223)
  if k >= 8 then 0.5 * log(2 * pi * large) + stirling(1 / large)
  else total(for i in 0 .. 8 => if k == i then small[i] else 0)
}
