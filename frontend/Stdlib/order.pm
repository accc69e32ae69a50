// Quantiles, the places of extremes and running extremes, of fields of finite real numbers. All
// functions use reductions or neighbors, so that no cell moves between ranks; only `bin_max` sorts.
//
// Setup: dim x = 16, y = 16
//   let f = white_noise[x, y](1)
//
// Internal: place_of cummax_along

use math

// The indices of the first element with the largest value, in the order of the dims. NaN counts as
// the largest and as the smallest value, as in NumPy.
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
  // The largest and the smallest of numbers with NaN are NaN.
  // Places are ints, because f32 has no odd numbers above 2²⁴.
  let place = min(map q in f =>
    if f == value or f != f then total(for i in 0 .. n => int(index(q, list[i])) * strides[i]) else int(none))
  for i in 0 .. n => mod(div(int(place), strides[i]), cells(list[i]))
}

// The value below which a fraction p of all numbers is. It is linear between neighboring numbers,
// as in NumPy.
// - f: real field; any unit
// - p: number from 0 to 1; another one ends the program with an error
// Value: number in the unit of f. It has the derivatives of the one or two numbers that determine
//   it.
// Source: Hyndman & Fan (1996), definition 7
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

// The largest element of f up to and including each element, along a dim, or along several dims one
// after the other (the running maximum). The running minimum is `-cummax(-f, over)`.
// - f: real field; any unit
// - over: dim, or dims in parentheses
// Value: like f. The derivative of an element is that of the largest element.
// Cost: one pass over f for each power of 2 below the number of cells. If the layout splits the dim,
//   each pass also sends a part of f.
// Example: cummax(f, over = x)
fn cummax(f, over) {
  let list = for d in over => d
  repeated(f, (g, i) => cummax_along(g, list[i]), total(for d in over => 1))
}

fn cummax_along(f, d) =
  repeated(f, (g, k) => max(g, g[d - 2^k, edge = "clamp"]), total(for k in 0 .. 31 => if 2^k < cells(d) then 1 else 0))

// The largest element of each bin of a field over one dim, such as the mass of the largest galaxy of
// each halo.
// - f: real field over one dim; any unit
// - bin: field of ints over the same dim, the index of the bin. Elements with an index outside of 0 …
//   n − 1 are omitted
// - n: int, known at compile time, the number of bins
// Value: tuple of two fields over a new dim of n cells: the largest elements, and the numbers of
//   elements. Both are 0 for a bin without elements.
// Cost: one sort, and one pass for the bins.
// Example: bin_max(white_noise[x](2), map q in [x] => mod(int(index(q, x)), 3), 3)
fn bin_max(f, bin, n: int) {
  let place = ranks(f, order = "descending", within = bin)
  bins q in f into n by bin => (if place == 0 then f else 0 * f, 1)
}
