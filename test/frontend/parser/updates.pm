// RUN: %pmc --emit=ast %s | FileCheck %s

// CHECK-LABEL: Let changed
// CHECK-NEXT: With
// CHECK-NEXT:   Ref f
// CHECK-NEXT:   update: Cells
// CHECK-NEXT:     cell z: Ref i
// CHECK-NEXT:     Number 0
// CHECK-NEXT:   add: Cells
// CHECK-NEXT:     cell x: Number 1
// CHECK-NEXT:     cell y: Number 2
// CHECK-NEXT:     Ref g
let changed = f with {[z = i] = 0, [x = 1, y = 2] += g}

// CHECK-LABEL: Let stacked
// CHECK-NEXT: Loop s for i
// CHECK-NEXT:   init: Ref f
// CHECK-NEXT:   begin: Ref z
// CHECK-NEXT:   body: Stack
// CHECK-NEXT:     next: If
// CHECK:          stacked: Binary *
let stacked = loop s = f for i in z => if a then s else g stacking 2 * s

// The inner loop has it.
// CHECK-LABEL: Let inner
// CHECK-NEXT: Loop s for i
// CHECK:        body: Loop t for j
// CHECK:          body: Stack
let inner = loop s = f for i in 0 .. 3 => loop t = s for j in z => t stacking t

// CHECK-LABEL: Let block
// CHECK:      body: Block
// CHECK:        Stack
let block = loop s = f for i in z => {
  let g = 2 * s
  g stacking (g, s)
}
