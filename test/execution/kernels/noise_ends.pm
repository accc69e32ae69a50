// RUN: %pmc %s --precision=f64 -o %t && %t --out %t.out --quiet && %t --out %t.out --quiet --threads=3
// White noise is a function of the seed and the global index: fields that end before, at and behind the 512 numbers that
// the runtime makes at a time begin alike, also where rows are odd and several threads share the work.

dim a = 511
dim b = 512
dim c = 513
dim d = 1023
dim u = 33, v = 31  // 1023 cells
dim all = 1024

let long = white_noise[all](7)
fn off(f, shown) = max(abs(f - shown))

assert off(white_noise[a](7), first[a]()) == 0, "511 numbers are off by {}", off(white_noise[a](7), first[a]())
assert off(white_noise[b](7), first[b]()) == 0, "512 numbers are off by {}", off(white_noise[b](7), first[b]())
assert off(white_noise[c](7), first[c]()) == 0, "513 numbers are off by {}", off(white_noise[c](7), first[c]())
assert off(white_noise[d](7), first[d]()) == 0, "1023 numbers are off by {}", off(white_noise[d](7), first[d]())
assert off(white_noise[u, v](7), rows()) == 0, "rows of 31 are off by {}", off(white_noise[u, v](7), rows())
let moments = (mean(long), mean(long^2), mean(long^4))
assert abs(moments[0]) < 0.13 and abs(moments[1] - 1) < 0.2 and abs(moments[2] - 3) < 1.3, "moments {} {} {}",
       moments[0], moments[1], moments[2]

// The first numbers of `long`, by the nearest cell.
fn first[x]() = readout_at(long, for e in 0 .. 1 => map q in [x] => index(q, x) + 0.25, window = "ngp")
fn rows() =
  readout_at(long, for e in 0 .. 1 => map q in [u, v] => index(q, u) * cells(v) + index(q, v) + 0.25, window = "ngp")
