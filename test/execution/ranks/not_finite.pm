// RUN: %pmc %s -o %t && %t --bad=10 --mesh row=2,col=2 --transport=threads --out %t.out --quiet
// RUN: not %t --mesh row=2,col=2 --transport=threads --out %t.out --quiet 2>&1 | FileCheck %s
// RUN: not %t --out %t.out --quiet 2>&1 | FileCheck %s
// RUN: not %t --mesh row=2,col=2 --transport=threads --out %t.out --quiet --bad=10 --bad_y=1 2>&1 | FileCheck %s
// RUN: not %t --mesh row=2,col=2 --transport=threads --out %t.out --quiet --bad=10 --bad_z=1 2>&1 | FileCheck %s
// RUN: not %t --mesh row=1,col=4 --transport=threads --out %t.out --quiet --bad=10 --bad_y=1 2>&1 | FileCheck %s
// A position that is not finite, along a dim that is split or not, is found on any mesh, and reported once by all ranks.

mesh ranks(row = 1, col = 1)
layout x -> row, z -> col
dim x = 16 over 16 Mpc/h
dim y = 16 over 16 Mpc/h
dim z = 16 over 16 Mpc/h
param bad = 1.0
param bad_y = 10.0
param bad_z = 10.0
let noise = white_noise[x, y, z](1)
let places = 1 Mpc/h * (log(noise + bad), log(noise + bad_y), log(noise + bad_z))
// CHECK: not_finite.pm:[[#@LINE + 1]]:18: error: position is not finite, or too large
output painted = paint[x, y, z](places)
// CHECK-NOT: error
