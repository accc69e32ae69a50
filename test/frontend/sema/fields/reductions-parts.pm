// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// A number among the fields of a tuple or a record is reduced over all dims to itself. It has no dim to be reduced over.
dim x = 4, y = 3
let f = zeros[x, y]
output a = sum((f, 2))[1]
output b = mean({f = f, n = 2}).n
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'sum' requires a field, not int
output c = sum((f, 2), over = x)[0]
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'mean' requires a field, not int
output d = mean((f, 2), over = x)[0]
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'mean' requires a field, not f64
output e = mean({f = f, n = 2.5}, over = y).f
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'max' requires a field, not int
output g = max((f, 2), over = x)[0]
// CHECK-NOT: error
