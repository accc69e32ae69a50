// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// CHECK: :[[#@LINE+2]]:6: error: a mesh cannot be called 'main'
// CHECK: :[[#@LINE+1]]:26: error: the mesh has more than 2^20 ranks
mesh main(row = 1048576, col = 2)
let a = 1
