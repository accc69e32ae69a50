// Order statistics and places of extremes, of fields of finite real numbers. All work by reductions, so that no cell moves between ranks.
use math

// The indices of the first cell, in the order of the dims, with the greatest or the least value: an int for each dim.
fn argmax(f) = place_of(f, max(f))
fn argmin(f) = place_of(f, min(f))

fn place_of(f, value) {
  let list = for d in dims(f) => d
  let n = total(for d in list => 1)
  let strides = for i in 0 .. n => product(for j in 0 .. n => if j > i then cells(list[j]) else 1)
  let none = strides[0] * cells(list[0])
  let place = min(map q in f => if f == value then total(for i in 0 .. n => index(q, list[i]) * strides[i]) else none)
  for i in 0 .. n => mod(div(int(place), strides[i]), cells(list[i]))
}

// The number that has a part p of the numbers below it, 0 <= p <= 1, linearly between neighbors in their order, as NumPy's.
fn quantile(f, p) {
  assert p >= 0 and p <= 1, "quantile: the part must be between 0 and 1, found {}", p
  let place = p * (product(for d in dims(f) => cells(d)) - 1)
  let k = int(place)
  let below = order_statistic(f, k)
  let top = max(f)
  let above = if sum(f <= below) > k + 1 then below else min(map q in f => if f > below then f else top)
  below + (place - k) * (above - below)
}

fn median(f) = quantile(f, 0.5)

// The number with k others before it in rising order. Its value is sought by halving, until no number is between the ends.
fn order_statistic(f, k: int) {
  let (low, high) = loop (low, high) = (fixed(min(f)), fixed(max(f))) while low < 0.5 * low + 0.5 * high and
    0.5 * low + 0.5 * high < high => {
      let m = 0.5 * low + 0.5 * high
      if sum(f <= m) > k then (low, m) else (m, high)
    }
  let top = max(f)
  if sum(f <= low) > k then min(f) else min(map q in f => if f > low then f else top)
}
