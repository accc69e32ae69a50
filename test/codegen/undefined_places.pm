// RUN: %pmc --sanitize=address --emit=llvm %s | FileCheck %s
// Kernels that are alike but for their places stay apart where each one reports its own place.
dim x = 8, y = 8
input f: field[x]
input g: field[y]
// CHECK-DAG: undefined_places.pm:[[#@LINE+1]]:29\00
let a = map q in f => 1.0 * int(f)
// CHECK-DAG: undefined_places.pm:[[#@LINE+1]]:29\00
let b = map q in g => 1.0 * int(g)
output o = a
output p = b
