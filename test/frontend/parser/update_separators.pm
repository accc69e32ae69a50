// RUN: %pmc --emit=ast %s | FileCheck %s
// Updates of cells are separated by commas, semicolons or newlines, also by several kinds and at the end.
dim x = 4
let f = zeros[x]
// CHECK-LABEL: Let a
// CHECK-COUNT-3: cell x
// CHECK-LABEL: Let b
let a = f with {[x = 0] = 1, [x = 1] += 2, [x = 2] = 3}
// CHECK-COUNT-3: cell x
// CHECK-LABEL: Let c
let b = f with {[x = 0] = 1; [x = 1] += 2; [x = 2] = 3}
// CHECK-COUNT-3: cell x
// CHECK-LABEL: Let d
let c = f with {
  [x = 0] = 1
  [x = 1] += 2
  [x = 2] = 3
}
// CHECK-COUNT-4: cell x
// CHECK-LABEL: Let e
let d = f with {
  [x = 0] = 1; [x = 1] += 2,
  [x = 2] = 3, [x = 3] = 4
}
// CHECK: cell x
// CHECK-NOT: cell x
let e = f with {[x = 0] = 1,}
