// What is read is written again, as images and as maps of the sky.
use healpix
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, pixel -> (row, col)
dim x = 6 over 60 Mpc/h
dim y = 5 over 50 Mpc/h
dim w = 4 over 1
dim pixel = npix(4)
input real: field[x, y] km/s
input sky: field[pixel] optional
input cube: field[x, y, w] optional
input counts: int field[x, y] optional
output twice = 2 * real
output both (one, two) = (real, -real)
output signs = real > 0 km/s
output place = map q in real => q
if given(cube) {
  output solid = cube + 1
}
if given(counts) {
  output count = counts
}
if given(sky) {
  output map_one = sky + 1
  output map_both (E, B) = (sky, 2 * sky)
}
