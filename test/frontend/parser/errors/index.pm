// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// Indices of neighbors, and what stands among them.
// CHECK: :[[#@LINE+1]]:25: error: 'z' is given twice
let a = f[x + 1, z = 1, z = 2]
// CHECK: :[[#@LINE+1]]:33: error: 'edge' is given twice
let b = f[x + 1, edge = "zero", edge = "clamp"]
// CHECK: :[[#@LINE+1]]:33: error: a positional index behind a named one
let c = f[x + 1, edge = "zero", y + 1]
// CHECK: :[[#@LINE+1]]:24: error: only fields have an edge, and this is a call
let d = g[x, y, edge = "zero"](1)
// CHECK: :[[#@LINE+1]]:21: error: expected an expression, found ']'
let e = f[x, edge = ]
// CHECK: :[[#@LINE+1]]:11: error: only fields have cells, and this is a call
let h = g[x = 1](1)
