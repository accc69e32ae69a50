// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
dim x = 4, y = 3
let (f, g) = (white_noise[x](1), white_noise[y](2))
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'elementwise' requires fields of the same dims, not field[x] and field[y]
output a = elementwise(u => u[0] + u[1], (f, g))
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'unit_of' works on numbers and fields, not on string
print "{}", unit_of("km")
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: '+' requires equal units, not km and s
print "{}", unit_of(2 km) + unit_of(3 s)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}'sum'
output b = elementwise(u => u - sum(u), f)
