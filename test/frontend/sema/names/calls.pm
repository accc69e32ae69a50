// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Arguments.
fn f(size, depth = 2, width: f64 = 1) = size + depth + width
fn g[a, b](u) = u
fn h[D](u: field[D]) = u
dim x = 8, y = 8
// CHECK: :[[#@LINE+2]]:14: error: 'f' has no parameter 'widht'
// CHECK: :[[#@LINE-5]]:4: note: it is defined here
let a = f(1, widht = 3)
// CHECK: :[[#@LINE+2]]:20: error: 'f' has 3 parameters, here are more arguments
// CHECK: :[[#@LINE-8]]:4: note: it is defined here
let b = f(1, 2, 3, 4)
// CHECK: :[[#@LINE+2]]:21: error: the parameter 'size' is given twice
// CHECK: :[[#@LINE+1]]:11: note: the first time
let c = f(1, size = 2)
// CHECK: :[[#@LINE+2]]:9: error: 'f' requires an argument 'size'
// CHECK: :[[#@LINE-14]]:6: note: the parameter is declared here
let d = f(depth = 2)
// CHECK: :[[#@LINE+1]]:22: error: 'width' of 'f' must be f64, not string
let e = f(1, width = "w")
// CHECK: :[[#@LINE+2]]:9: error: 'f' has no dim parameters
// CHECK: :[[#@LINE-19]]:4: note: it is defined here
let i = f[x](1)
// CHECK: :[[#@LINE+2]]:9: error: the dims of 'g' do not follow from the arguments: write g[…](…)
// CHECK: :[[#@LINE-21]]:6: note: 'a' is declared here
let j = g(1)
// CHECK: :[[#@LINE+2]]:9: error: 'g' requires 2 dims, here are 1
// CHECK: :[[#@LINE-24]]:4: note: it is defined here
let k = g[x](1)
// CHECK: :[[#@LINE+1]]:14: error: 'u' of 'h' must be field[D], not field[x]; here its dims are [y]
let l = h[y](zeros[x])
let m = 3 (4)
// CHECK: :[[#@LINE+2]]:10: error: the function requires 1 argument, here are 2
// CHECK: :[[#@LINE+1]]:10: note: it is defined here
let n = (u => u)(1, 2)
// CHECK: :[[#@LINE+1]]:18: error: the arguments of '… => …' have no names
let o = (u => u)(u = 1)
// CHECK: :[[#@LINE+1]]:10: error: this function has no dim parameters
let p = (u => u)[x](1)
// CHECK: :[[#@LINE+1]]:17: error: 'sqrt' takes (x), here are more arguments
let q = sqrt(1, 2)
// CHECK: :[[#@LINE+1]]:9: error: 'sqrt' requires (x); 'x' is missing
let r = sqrt()
// CHECK: :[[#@LINE+1]]:14: error: 'sqrt' has no parameter 'y'
let s = sqrt(y = 2)
// CHECK: :[[#@LINE+1]]:9: error: 'sqrt' takes no dims
let t = sqrt[x](2)
// CHECK: :[[#@LINE+1]]:9: error: 'zeros' requires dims: zeros[x, y]
let u = zeros(3)
// CHECK: :[[#@LINE+1]]:9: error: f64 is not a function
let v = pi(3)
