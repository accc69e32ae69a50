// RUN: %pmc --emit=pm %s | FileCheck %s
// A constant without fraction is a cell, as 'n / 2'.
const n = 8
dim x = n, z = n
output a = slice(white_noise[x, z](1), z = n / 2)
// CHECK: arith.constant 4.0
// CHECK: arith.constant 5.0
output b = slice(white_noise[x, z](1), z = n / 4 .. n - 1)
// CHECK: arith.constant 2.0
// CHECK: arith.constant 7.0
