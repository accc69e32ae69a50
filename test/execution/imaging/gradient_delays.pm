// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.one --quiet
// RUN: %t --out %t.ranks --quiet --mesh row=2 --transport=threads --threads=1
// gradient_delays finds the delays with which the data of spokes were made.

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
