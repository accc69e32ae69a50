// RUN: %pmc --emit=pm %s | FileCheck %s
// Powers: products and roots where the exponent is known.
param a = 2.0
param b = 3.0
param n: int = 3
param l: length = 3 Mpc/h

// CHECK: %[[A:.*]] = pm.param_value "a"
// CHECK: %[[N:.*]] = pm.param_value "n"
// CHECK: %[[S:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK-NEXT: %[[C:.*]] = arith.mulf %[[A]], %[[S]]
// CHECK-NEXT: pm.print "cube {}"(%[[C]])
print "cube {}", a^3
// CHECK: arith.divf
// CHECK-NEXT: pm.print "inverse square
print "inverse square {}", a^-2
// CHECK-NOT: powf
// CHECK: math.sqrt %[[A]]
// CHECK-NEXT: pm.print "root
print "root {}", a^0.5
// CHECK-NOT: powf
// CHECK: math.sqrt %[[A]]
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.constant
// CHECK-NEXT: arith.divf
// CHECK-NEXT: pm.print "three halves
print "three halves {}", a^-1.5
// CHECK: math.powf
print "any {} {}", a^b, a^9
// CHECK: math.powf
// CHECK: arith.muli %[[N]], %[[N]]
print "int {}", n^2
// CHECK: arith.constant 1.000000e+00
// CHECK: pm.print "one
print "one {}", a^0
// -a^2 is -(a^2); 2^3^2 is 2^9.
// CHECK: arith.negf
// CHECK: arith.constant 5.120000e+02 : f64
print "{} {}", -a^2, 2^3^2
// Units follow.
print "{}", number((l^3)^(1/3), 1 Mpc/h) + number(sqrt(l * l), 1 Mpc/h)
