// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Operands that an operator has nothing to do with.
param box: length = 100 Mpc/h
param e: f64 = 2
dim x = 8, y = 8, z = 8 over box
// CHECK-DAG: :[[#@LINE+1]]:9: error: 'max' works on real numbers, not on complex and int
let q = max(1i, 2)
// CHECK-DAG: :[[#@LINE+1]]:9: error: '-' does not work on string
let r = -"a"
// CHECK-DAG: :[[#@LINE+1]]:12: error: the exponent must be known when the spec is compiled, because the base is in Mpc/h
let s = box^e
// CHECK-DAG: :[[#@LINE+1]]:9: error: a field has 1 to 12 dims, not 13
let t = zeros[x, y, refine(x, 2), refine(y, 2), refine(x, 4), refine(y, 4), refine(x, 8), refine(y, 8), refine(x, 16),
              refine(y, 16), refine(x, 32), refine(y, 32), z]
