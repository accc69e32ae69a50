param big: f64 = 1
dim x = 8
let w = white_noise[x](1)
// A bin beyond what an integer holds.
let counts =
  bins q in w into 4 by big + 0 * w => 1
print "total {}", sum(counts)
