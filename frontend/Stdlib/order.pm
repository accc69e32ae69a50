// Quantiles and the places of extremes, of fields of finite real numbers. All functions use
// reductions, so that no cell moves between ranks.
//
// Setup: dim x = 16, y = 16
//   let f = white_noise[x, y](1)
//
// Internal: place_of

use math

// The indices of the first element with the largest value, in the order of the dims.
// - f: real field
// Value: an int for each dim of f; for a field over one dim, write `argmax(f)[0]`.
// Cost: two reductions.
// Example: argmax(f)[0]
fn argmax(f) = place_of(f, max(f))

// The indices of the first element with the smallest value, in the order of the dims.
// - f: real field
// Value: an int for each dim of f; for a field over one dim, write `argmin(f)[0]`.
// Cost: two reductions.
// Example: argmin(f)[1]
fn argmin(f) = place_of(f, min(f))

fn place_of(f, value) {
  let list = for d in dims(f) => d
  let n = total(for d in list => 1)
  let strides = for i in 0 .. n => product(for j in 0 .. n => if j > i then cells(list[j]) else 1)
  let none = strides[0] * cells(list[0])
  let place = min(map q in f => if f == value then total(for i in 0 .. n => index(q, list[i]) * strides[i]) else none)
  for i in 0 .. n => mod(div(int(place), strides[i]), cells(list[i]))
}

// The value below which a fraction p of all numbers is. It is linear between neighboring numbers,
// as in NumPy.
// - f: real field; any unit
// - p: number from 0 to 1; another one ends the program with an error
// Value: number in the unit of f. It has the derivatives of the one or two numbers that determine
//   it.
// Cost: about one reduction for each bit of precision.
// Example: quantile(f, 0.9)
fn quantile(f, p) {
  assert p >= 0 and p <= 1, "quantile: the part must be between 0 and 1, found {}", p
  let place = p * (product(for d in dims(f) => cells(d)) - 1)
  let k = int(place)
  let below = order_statistic(f, k)
  let top = max(f)
  let above = if sum(f <= below) > k + 1 then below else min(map q in f => if f > below then f else top)
  below + (place - k) * (above - below)
}

// `quantile(f, 0.5)`.
// - f: real field; any unit
// Value: number in the unit of f.
// Cost: about one reduction for each bit of precision.
// Example: median(f)
fn median(f) = quantile(f, 0.5)

// The number that has k others before it in ascending order, by bisection until no number is
// between the ends.
// - f: real field; any unit
// - k: int, from 0 to the number of elements − 1
// Value: number in the unit of f.
// Cost: about one reduction for each bit of precision.
// Example: order_statistic(f, 3)
fn order_statistic(f, k: int) {
  let (low, high) = loop (low, high) = (fixed(min(f)), fixed(max(f))) while low < 0.5 * low + 0.5 * high and
    0.5 * low + 0.5 * high < high => {
      let m = 0.5 * low + 0.5 * high
      if sum(f <= m) > k then (low, m) else (m, high)
    }
  let top = max(f)
  if sum(f <= low) > k then min(f) else min(map q in f => if f > low then f else top)
}
