// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_gradient_delays.py %t.one
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2 --transport=threads --threads=1 && %python %S/check_gradient_delays.py %t.ranks
// gradient_delays finds the delays with which the data of spokes were made. Its steps are those of NumPy, with a large weight.

use mri, nufft, fields

mesh ranks(row = 1)
layout spoke -> row
dim c = 3, spoke = 24, along = 40
dim x = 16, y = 14 over 240 mm

let maps = birdcage_maps[c, x, y](c)
let truth = smooth(white_noise[x, y](1), 40 mm) + 1i * smooth(white_noise[x, y](2), 40 mm)
let k = radial[spoke, along](13, golden = true)
// The positions of delayed samples, which are between those of two samples, follow from the formula of a line.
let moved = (k[0] +
             0.6 *
               (map q in k[0] => if index(q, along) < 39 then k[0][along = int(min(index(q, along) + 1, 39))] - k[0]
                                 else k[0] - k[0][along = int(max(index(q, along) - 1, 0))]),
             k[1] -
               0.45 *
                 (map q in k[1] => if index(q, along) < 39 then k[1][along = int(min(index(q, along) + 1, 39))] - k[1]
                                   else k[1] - k[1][along = int(max(index(q, along) - 1, 0))]))
let data = nufft(maps * truth, moved, 1e-8)
let found = gradient_delays(data, k, maps, c, along, iterations = 6, weight = 1e-6, solves = 60, tolerance = 1e-7)
let off = abs(found[0] - 0.6) + abs(found[1] + 0.45)
assert off < 1e-3, "the delays are {} and {}, expected 0.6 and -0.45", found[0], found[1]
let plain = gradient_delays(data + 0.02 * (white_noise[c, spoke, along](3) + 1i * white_noise[c, spoke, along](4)), k,
                            maps, c, along)
assert abs(plain[0] - 0.6) + abs(plain[1] + 0.45) < 0.05, "with noise, the delays are {} and {}", plain[0], plain[1]

// The data are noise, so that the image cannot fit them.
dim line = 6, at = 5, four = 4
dim u = 5, v = 4 over 200 mm
let few_places = (map q in [line, at] => 2.4 * sin(0.7 * index(q, at) + 1.3 * index(q, line)),
                  map q in [line, at] => 1.9 * cos(0.9 * index(q, at) - 2.1 * index(q, line)))
let few_maps = 1 + 0.5 * white_noise[c, u, v](7) + 0.5i * white_noise[c, u, v](8)
let few_data = white_noise[c, line, at](5) + 1i * white_noise[c, line, at](6)
output few_places_of (u, v) = few_places
output few_maps
output few_data
fn after(n: int) =
  gradient_delays(few_data, few_places, few_maps, c, at, iterations = n, weight = 0.7, solves = 200, tolerance = 1e-11)
let (first, second) = (after(1), after(2))
output delays = map q in [four] => if index(q, four) == 0 then first[0]
                                   else if index(q, four) == 1 then first[1]
                                   else if index(q, four) == 2 then second[0] else second[1]
