// RUN: not %pmc --emit=pm -I %S/../Inputs %s 2>&1 | FileCheck %s
// Modules: missing ones, names in two of them, names of modules not used.
use shapes, sizes
let a = area(2) + sides
// CHECK: :[[#@LINE+3]]:9: error: 'common' is in two of the modules used, 'shapes' and 'sizes'
// CHECK: note: this one
// CHECK: note: or this one
let b = common(3)
// CHECK: :[[#@LINE+1]]:9: error: undefined name 'area2'; did you mean 'area'?
let c = area2(3)
// CHECK: :[[#@LINE+2]]:9: error: undefined name 'eisenstein_hu'
// CHECK: error: undefined name 'missing'
let d = eisenstein_hu(3)
