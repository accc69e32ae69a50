// RUN: %pmc --emit=ast %s | FileCheck %s
// Units of the user, bounded loops and `each`, which are made of other expressions.

// CHECK: Unit inch [2.5399999999999997e-05 km]
unit inch = 25.4 mm
dim c = 3
// CHECK: Let a
// CHECK-NEXT: Loop (u, n)
// CHECK-NEXT: init: Tuple
// CHECK-NEXT: Number 1
// CHECK-NEXT: Number 0
// CHECK-NEXT: while: Binary >
// CHECK-NEXT: Ref u
// CHECK-NEXT: Number 2 [2.5399999999999997e-05 km]
// CHECK-NEXT: most: Number 5
// CHECK-NEXT: body: Binary +
let a = loop (u, n) = (1.0, 0) while u > 2 inch at most 5 => (u, n) + 1
// CHECK: Let b
// CHECK-NEXT: Index
// CHECK-NEXT: Loop each 0 for each c
// CHECK-NEXT: init: Number 0
// CHECK-NEXT: begin: Ref c
// CHECK-NEXT: body: Stack
// CHECK-NEXT: next: Ref each 0
// CHECK-NEXT: stacked: Block
// CHECK-NEXT: Let f
// CHECK-NEXT: Index
// CHECK-NEXT: Ref f
// CHECK-NEXT: cell c: Ref each c
// CHECK: Let g
// CHECK: result: Binary +
// CHECK: index: Number 1
let b = each c in (f, g) => f + g
// CHECK: Let c
// CHECK-NEXT: Collect q
// CHECK-NEXT: in: Ref f
// CHECK-NEXT: where: Binary >
// CHECK: into: Number 8
// CHECK-NEXT: body: Tuple
let c = collect q in f where f > 1 into 8 => (f, g)
// CHECK: Let d
// CHECK-NEXT: Collect q
// CHECK-NEXT: dim: Ref x
// CHECK-NEXT: where: Ref where
// CHECK-NEXT: into: Ref collect
let d = collect q in [x] where (where) into collect => g
// Names elsewhere.
// CHECK: Let collect
let collect = where + 1
// CHECK: Let unit
let unit = 3
// CHECK: Let each
let each = unit + 1
// CHECK: Let at
let at = loop most = each while most < 9 => most + unit
