// A loop that carries one value of every kind.
dim x = 6, y = 5 over 1
let start = {n = 0, on = true, z = 1 + 0.5i, w = white_noise[x, y](1), mask = white_noise[x, y](2) > 0,
             pair = (1 km, 2.5)}
let s = loop s = start for i in 0 .. 7 checkpoint every 3 => {
  n = s.n + 2, on = not s.on, z = 1i * s.z, w = 0.5 * s.w, mask = map q in s.mask => not s.mask,
  pair = (2 * s.pair[0], -s.pair[1])}
print "{} {} {} {} {} {}", s.n, (if s.on then 1 else 0), real(s.z), imag(s.z), s.pair[0], s.pair[1]
print "{} {}", sum(s.w), sum(map q in s.mask => if s.mask then 1 else 0)
