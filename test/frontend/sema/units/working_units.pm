// RUN: not %pmc --emit=pm -D gap=25 %s 2>&1 | FileCheck %s
// Units in which numbers are stored and shown: messages name the working units.

// CHECK: error: -D gap=25: it has no unit, and must be in um
units um, s, kg
const gap = 2 mm
dim x = 8 over 4 um
let f = white_noise[x](1) * 1 um
// CHECK: :[[#@LINE+1]]:11: error: '+' requires equal units, not um and um/s
let a = f + 3 mm/s
// CHECK: :[[#@LINE+2]]:36: error: 'in s' requires a value in s, found one in um
// CHECK: :[[#@LINE+1]]:25: note: of this value
print "{} {}", mean(f), mean(f) in s
// CHECK: :[[#@LINE+1]]:13: error: 'in km/s' requires a value in um/s, found one in um
output f in km/s
// CHECK: :[[#@LINE+1]]:38: error: 'in percent' requires a pure number, found one in um
assert mean(f) > 0, "{}", mean(f) in percent
// Variables hide units of the same name; calls are no units.
let g = 3
let twice = 2 g + 2 min(g, 1)
// CHECK: :[[#@LINE+1]]:15: error: '+' requires equal units, not 1 and um
let b = twice + 5 um
let c = gap
