// RUN: %pmc %s --precision=f64 -o %t && %t --out %t.out --quiet
// RUN: %pmc %s --precision=f32 -D shift=-1e-9 -o %t && %t --out %t.out --quiet
// Positions are in [0, L) wherever particles have gone, also a rounding error below 0 and many turns away; painting there
// loses no weight, and a whole number of turns changes nothing.

use particles

const shift = -1e-20
dim x = 12, y = 10, z = 7
let f = white_noise[x, y, z](1)

fn moved(by) = for d in (x, y, z) => constant[x, y, z](by)
fn inside(by) {
  let p = positions({disp = moved(by), mom = moved(0)})
  let low = min(min(p[0]), min(min(p[1]), min(p[2])))
  let high = max(max(p[0] - 12), max(max(p[1] - 10), max(p[2] - 7)))
  if low >= 0 and high < 0 then 1 else 0
}
let counts = for by in (shift, -1e-12, 0, 420, -420, 4200000, 0.3, -0.3) => inside(by)
assert total(counts) == 8, "{} of 8 shifts leave all positions in the box", total(counts)

// 420 is a multiple of all sides; 3 · 420 · 1e4 keeps its fraction in f32 as in f64.
fn readings(by) = for w in ("ngp", "cic", "tsc", "pcs") => readout(f, moved(by), window = w)
let here = readings(0)
let turned = for by in (420, -420, 4200000, -4200000) => readings(by)
let off = for t in turned => for w in 0 .. 4 => max(abs(t[w] - here[w]))
let most = total(for t in off => total(t))
assert most == 0, "whole turns change readings by {}", most
let weights = for by in (shift, -1e-12, 4199999.75, -0.3) => for w in ("ngp", "cic", "tsc", "pcs") =>
  abs(sum(paint[x, y, z](moved(by), window = w)) - 840)
assert total(for w in weights => total(w)) < 0.01, "paints lose {}", total(for w in weights => total(w))

// 49 · (1/49) is rounded to less than 1: whole turns end in cell 0, not beyond the last one.
dim w = 49
let line = white_noise[w](2)
let around = for by in (49, -49, 98, 147, 294, -294, 4900000) =>
  max(abs(readout(line, for d in (w) => constant[w](by), window = "ngp") - line))
assert total(around) == 0, "whole turns of 49 cells change readings by {}", total(around)
