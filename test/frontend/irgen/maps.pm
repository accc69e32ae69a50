// RUN: %pmc --emit=pm %s | FileCheck %s
// RUN: %pmc --emit=pm --precision=f64 %s | FileCheck %s --check-prefix=F64
// Elementwise arithmetic, map, coordinates, broadcast; where f64 is rounded.
param box: length = 8 Mpc/h
param factor = 2.0
dim x = 8, y = 8 over box
dim t = 3

// CHECK: func.func @main()
// CHECK: %[[FACTOR:.*]] = pm.param_value "factor"
// CHECK: %[[LENGTH:.*]] = pm.length "x"
// CHECK: %[[H:.*]] = arith.divf %[[LENGTH]]
// CHECK: %[[W:.*]] = pm.white_noise
let w = white_noise[x, y](1)

// One map an operation; the scalar is rounded where it meets the element.
// CHECK: %[[SCALED:.*]] = pm.map [x=8, y=8] ins(%[[W]] : !pm.field<[x=8, y=8], f32>) {
// CHECK-NEXT: ^bb0(%[[E:.*]]: f32):
// CHECK-NEXT: %[[R:.*]] = arith.truncf %[[FACTOR]] : f64 to f32
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[R]], %[[E]] : f32
// CHECK-NEXT: pm.yield %[[P]] : f32
// F64-NOT: truncf
// F64: ^bb0(%{{.*}}: f64)
let scaled = factor * w
output scaled

// One map for the whole body; coordinates are f64.
// CHECK: pm.map [x=8, y=8] ins(%[[W]] :
// CHECK-NEXT: ^bb0(%[[E:.*]]: f32):
// CHECK-NEXT: %[[I:.*]] = pm.coordinate "x"
// CHECK-NEXT: %[[X:.*]] = arith.mulf %[[I]], %[[H]] : f64
// CHECK-NEXT: %[[J:.*]] = pm.coordinate "y"
// CHECK: arith.addf %[[X]], %{{.*}} : f64
// CHECK: %[[R:.*]] = arith.truncf %{{.*}} : f64 to f32
// CHECK-NEXT: arith.mulf %[[R]], %[[E]] : f32
let ramp = map q in w => (q[x] + q[y] * index(q, x)) * w
output ramp

// A vector body gives a vector; dims in brackets; fields over fewer dims are broadcast.
// CHECK: %[[LINE:.*]] = pm.white_noise {{.*}} -> !pm.field<[y=8], f32>
// CHECK: pm.map [t=3, x=8, y=8] ins(%[[LINE]] : !pm.field<[y=8], f32>) {
// CHECK: pm.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK-NEXT: } -> !pm.field<[t=3, x=8, y=8], f32>, !pm.field<[t=3, x=8, y=8], f32>
let line = white_noise[y](2)
let pair = map q in [t, x, y] => (line + 1, line * index(q, t))
output pair

// CHECK: pm.map [x=8, y=8] ins(%[[W]], %[[LINE]] :
let sum_of_both = w + line
output sum_of_both

// Both sides are computed, then one is taken.
// CHECK: arith.cmpf ogt
// CHECK-NOT: scf.if
// CHECK: arith.select
let positive = map q in w => if w > 0 then w else -w
output positive

// Comparisons give fields of bools, which count as 0 and 1.
// CHECK: %[[B:.*]] = pm.map {{.*}}
// CHECK: -> !pm.field<[x=8, y=8], i1>
// CHECK: pm.reduce sum [x=8, y=8] ins(%[[B]]
// CHECK-NEXT: ^bb0(%{{.*}}: i1)
// CHECK: arith.select
print "{}", sum(w > 0)
