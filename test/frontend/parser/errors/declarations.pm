// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// use, const, param, input, dim, mesh, layout.

// CHECK: :[[#@LINE+1]]:16: error: expected the name of a module, found a string
use cosmology, "spectra"
// CHECK: :[[#@LINE+1]]:7: error: expected the name of the constant, found '3'
const 3 = 4
// CHECK: :[[#@LINE+1]]:8: error: expected '=', found the end of the line
const n
// CHECK: :[[#@LINE+1]]:12: error: expected '[' or '(', found '2'
const n in 2 .. 3 = 4
// CHECK: note: a range is written '[a, b]' with its ends, '(a, b)' without, or '("a", "b")' with choices
// CHECK: :[[#@LINE+1]]:15: error: expected ',', found '..'
const n in [2 .. 3] = 4
// CHECK: :[[#@LINE+1]]:18: error: expected ']' or ')', found '4'
const n in [2, 3 4) = 4
// CHECK: :[[#@LINE-1]]:12: note: to match this '['
// CHECK: :[[#@LINE+1]]:17: error: expected ']' or ')', found ','
const m in (1, 2, 3) = 2
// CHECK: note: a range has two bounds; choices are strings, '("a", "b")'
// CHECK: :[[#@LINE+1]]:20: error: expected a string, found 'b'
const k in ("fd4", b) = "fd4"
// CHECK: :[[#@LINE+1]]:7: error: expected the name of the parameter, found '4'
param 4
// CHECK: :[[#@LINE+1]]:7: error: expected the name of the input, found 'if'
input if: table
// CHECK: :[[#@LINE+1]]:9: error: expected ':', found the end of the line
input pk
// CHECK: :[[#@LINE+1]]:5: error: expected the name of a dim, found '3'
dim 3 = 4
// CHECK: :[[#@LINE+1]]:7: error: expected '=', found '3'
dim x 3
// CHECK: :[[#@LINE+1]]:6: error: expected the name of the mesh, found '('
mesh (a = 1)
// CHECK: :[[#@LINE+1]]:7: error: expected '(', found the end of the line
mesh g
// CHECK: note: as in 'mesh gpus(row = 1, col = 1)'
// CHECK: :[[#@LINE+1]]:8: error: expected the name of a mesh axis, found '1'
mesh g(1)
// CHECK: :[[#@LINE+1]]:10: error: expected '->', found '='
layout x = row
// CHECK: :[[#@LINE+1]]:13: error: expected the name of a mesh axis, found '1'
layout x -> 1
// CHECK: :[[#@LINE+1]]:14: error: expected the name of a mesh axis, found ')'
layout x -> ()
// CHECK: :[[#@LINE+1]]:8: error: expected the name of a dim, found '1'
layout 1 -> row
// CHECK-NOT: error:
