// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Only real matrices have the sign of a determinant.
use linalg
dim x = 3, i = 4, j = 4
let a = white_noise[x, i, j](1)
// CHECK: :[[#@LINE+1]]:30: error: the sign of a determinant requires real matrices, not complex field[x, i, j]
let b = lapack("det_sign", a + 0i, i, j)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: the sign of a determinant requires real matrices, not complex field[x, i, j]
let c = slogdet(a + 0i, i, j)
