// RUN: not %pmc %s -D what=tolerance 2>&1 | FileCheck %s --check-prefix=TOLERANCE
// RUN: not %pmc %s -D what=fine 2>&1 | FileCheck %s --check-prefix=TOLERANCE
// RUN: not %pmc run %s -O0 -D what=weight -- --quiet --out %t.out 2>&1 | FileCheck %s --check-prefix=WEIGHT
// RUN: not %pmc run %s -O0 -D what=rings -- --quiet --out %t.out 2>&1 | FileCheck %s --check-prefix=RINGS
// RUN: not %pmc run %s -O0 -D what=lines -- --quiet --out %t.out 2>&1 | FileCheck %s --check-prefix=LINES
// RUN: not %pmc run %s -O0 -D what=threshold -- --quiet --out %t.out 2>&1 | FileCheck %s --check-prefix=THRESHOLD
// RUN: not %pmc run %s -O0 -D what=kernel -- --quiet --out %t.out 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not %pmc run %s -O0 -D what=width -- --quiet --out %t.out 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not %pmc run %s -O0 -D what=spirit -- --quiet --out %t.out 2>&1 | FileCheck %s --check-prefix=SPIRIT
// RUN: not %pmc run %s -O0 -D what=missing -- --quiet --out %t.out 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not %pmc run %s -O0 -D what=wide -- --quiet --out %t.out 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not %pmc run %s -O0 -D what=narrow -- --quiet --out %t.out 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not %pmc run %s -O0 -D what=rank -- --quiet --out %t.out 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not %pmc run %s -O0 -D what=patch -- --quiet --out %t.out 2>&1 | FileCheck %s --check-prefix=PATCH
// SPIRIT: error: spirit: kernel = 4, expected an odd number of modes
// MISSING: error: spirit: the mask lacks 180 of the width = 6 middle modes of the coils along each dim
// WIDE: error: spirit: kernel = 9, expected at most width = 8 modes
// NARROW: error: spirit: width = 24 modes, but the image has fewer cells along a dim; expected at most as many
// RANK: error: sake: rank = 46, expected 1 to 45, the number of modes of a patch in all coils
// PATCH: error: sake: kernel = 13, expected 1 to the number of cells along each dim
// KERNEL: error: espirit: kernel = 12, expected 1 to width = 8 modes
// WIDTH: error: espirit: width = 24 modes, but the image has fewer cells along a dim; expected at most as many
// TOLERANCE: error: the tolerance of a nufft is 1e-12 to 1e-2
// WEIGHT: error: a reconstruction has a weight below 0
// RINGS: error: birdcage_maps: 5 coils cannot be divided into 2 rings of equal size
// LINES: error: a mask has -4 lines in the middle, expected 0 or more
// THRESHOLD: error: patches have singular values above 0 times the largest, expected a threshold from 0 to 1
// Arguments that have no meaning end the compiler or the program.

use mri, nufft, parallel_imaging

const what = "weight"
param number = -0.1
dim c = 5, s = 4
dim x = 12, y = 12 over 1

let f = white_noise[x, y](1)
let k = (white_noise[s](2), white_noise[s](3))
if what == "tolerance" { print "{}", max(abs(nufft(f, k, 0.02))) }
if what == "fine" { print "{}", max(abs(nufft(f, k, 1e-13))) }
if what == "weight" { print "{}", max(abs(tv_image(denoising(), f, number))) }
if what == "rings" { print "{}", max(abs(birdcage_maps[c, x, y](c, rings = 2))) }
if what == "lines" { print "{}", sum(uniform_mask[x, y](2, -4)) }
if what ==
  "threshold" {
  print "{}", max(abs(espirit_maps(centred_fft(birdcage_maps[c, x, y](c) * f), c, 2, 6, threshold = 0.0)))
}
let coils = centred_fft(birdcage_maps[c, x, y](c) * f)
if what == "kernel" { print "{}", max(abs(espirit_maps(coils, c, kernel = 12, width = 8))) }
if what == "width" { print "{}", max(abs(espirit_maps(coils, c))) }
let whole = constant[dual(x), dual(y)](1.0)
if what == "spirit" { print "{}", max(abs(spirit(coils, whole, c, kernel = 4, width = 8))) }
if what == "missing" { print "{}", max(abs(spirit(coils, 0 * whole, c, kernel = 3, width = 6))) }
if what == "wide" { print "{}", max(abs(spirit(coils, whole, c, kernel = 9, width = 8))) }
if what == "narrow" { print "{}", max(abs(spirit(coils, whole, c))) }
if what == "rank" { print "{}", max(abs(sake(coils, whole, c, rank = 46, kernel = 3))) }
if what == "patch" { print "{}", max(abs(sake(coils, whole, c, rank = 4, kernel = 13))) }
