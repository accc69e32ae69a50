// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Where 'precise' cannot be.
dim x = 8 over 1
let f = white_noise[x](1)
fn halved(u) = precise { u / 2 }
// CHECK: :[[#@LINE+1]]:26: error: undefined name 'missing'
let b = halved(precise { missing })
// CHECK: :[[#@LINE+1]]:27: error: 'precise' works on whole fields and cannot be inside of a map
let a = map q in f => 2 * precise { f + 1 }
// CHECK: :[[#@LINE+1]]:23: error: 'precise' works on fields, and there can be no fields in the function of a table
let t = tabulate(u => precise { u^2 }, from = 0, to = 1, points = 3)
// CHECK-NOT: error:
let c = halved(f)
output c
