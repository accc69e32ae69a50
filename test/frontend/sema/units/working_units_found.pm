// RUN: sed 's/LENGTH/4 mm/' %s | not %pmc --emit=pm - 2>&1 | FileCheck %s
// RUN: sed 's/LENGTH/8 * side/' %s | not %pmc --emit=pm - 2>&1 | FileCheck %s
// RUN: sed 's/LENGTH/2 * (side + half)/' %s | not %pmc --emit=pm - 2>&1 | FileCheck %s
// RUN: sed 's/LENGTH/-(-half)/' %s | not %pmc --emit=pm - 2>&1 | FileCheck %s
// RUN: sed 's/LENGTH/8 * width/' %s | not %pmc --emit=pm - 2>&1 | FileCheck %s
// RUN: sed 's/LENGTH/if cells > 6 then half else side/' %s | not %pmc --emit=pm - 2>&1 | FileCheck %s
// RUN: sed 's/LENGTH/1 mm/' %s | not %pmc --emit=pm - 2>&1 | FileCheck %s
// RUN: sed 's/LENGTH/0.001 m/' %s | not %pmc --emit=pm - 2>&1 | FileCheck %s --check-prefix=METERS
// RUN: sed 's/LENGTH/8/' %s | not %pmc --emit=pm - 2>&1 | FileCheck %s --check-prefix=KILOMETERS
// The first metric length of a dim chooses the unit of lengths: a number, a factor on either side, or what a name has.

const cells = 8
param side: f64 mm = 3 mm
param width = 3 mm
const half = 0.5 mm
dim x = cells over LENGTH
// CHECK: '+' requires equal units, not mm and s
// METERS: '+' requires equal units, not m and s
// KILOMETERS: '+' requires equal units, not km and s
let bad = 1 mm + 1 s
