// What is read is written again, and in other dims.
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim c = 3
dim x = 6 over 60 mm
dim y = 5 over 50 mm
input data: complex field[c, x, y]
input modes: complex field[c, dual(x), dual(y)] optional
input real: field[x, y] optional
output copy = data
if given(modes) {
  output spectrum = modes
  output low = modes[c = 0] * (map k in [dual(x), dual(y)] => if abs(index(k, x)) + abs(index(k, y)) < 2 then 1 else 0)
}
if given(real) {
  output twice = 2 * real
  output both (one, two) = (real, -real)
}
