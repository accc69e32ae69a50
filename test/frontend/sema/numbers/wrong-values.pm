// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Values of the wrong kind, in every place that looks at them.
param box: length = 100 Mpc/h
param flag: bool = false
param e: f64 = 2
dim x = 8, y = 8, z = 8 over box
let w = white_noise[x](1)
let dk = fft(w)
let vec = for q in (x, y) => 2.0
fn nothing() { print "x" }
// CHECK-DAG: :[[#@LINE+1]]:34: error: "fd5" is none of "fd4", "exact"; did you mean 'fd4'?
const kern in ("fd4", "exact") = "fd5"
// CHECK-DAG: :[[#@LINE+2]]:35: error: the value must be one of the strings in the list
// CHECK-DAG: :[[#@LINE+1]]:16: note: the range is given here
const kern2 in ("fd4", "exact") = 3
// CHECK-DAG: :[[#@LINE+1]]:17: error: a bound is a number, not bool
const bound in [true, 3] = 2
// CHECK-DAG: :[[#@LINE+1]]:23: error: 'v' is a list, and its default, of 1 to 256 numbers (a, b, …), is
param v: vector f64 = 3
// CHECK-DAG: :[[#@LINE+1]]:25: error: statements are not allowed in a map
let a = map i in x => { if flag { print "a" }; 1 }
// CHECK-DAG: :[[#@LINE+1]]:14: error: 'dims' requires a field, not int
let b = dims(3)
// CHECK-DAG: :[[#@LINE+1]]:32: error: 'index' requires one dim
let c = map i in w => index(i, (x, y))
// CHECK-DAG: :[[#@LINE+1]]:9: error: 'given' takes the name of a param or an input, or a member of a record
let d = given(3)
// CHECK-DAG: :[[#@LINE+1]]:15: error: 'w' is not a param or input of the spec, and 'given' requires one
let f = given(w)
// CHECK-DAG: :[[#@LINE+1]]:15: error: 'error' requires a text
let g = error(3)
// CHECK-DAG: :[[#@LINE+1]]:9: error: this is too large for an int
let h = 9999999999999999999
// CHECK-DAG: :[[#@LINE+1]]:9: error: one index selects a component
let i = vec[0, 1]
// CHECK-DAG: :[[#@LINE+1]]:13: error: the vector has no component 'z'; it has [x, y]
let j = vec[z]
// CHECK-DAG: :[[#@LINE+1]]:10: error: 'a' has no value
let k = {a = nothing()}
// CHECK-DAG: :[[#@LINE+1]]:28: error: the body of 'for' has no value
let l = for q in (1, 2) => nothing()
// CHECK-DAG: :[[#@LINE+1]]:13: error: the transform of field[kx] would have two halved dims; make it complex
let m = fft(real(dk))
// CHECK-DAG: :[[#@LINE+1]]:9: error: 'white_noise' requires dims: white_noise[x, y](…)
let n = white_noise(1)
// CHECK-DAG: :[[#@LINE+2]]:30: error: there is no window "cix"; did you mean 'cic'?
// CHECK-DAG: :[[#@LINE+1]]:30: note: windows are "ngp", "cic", "tsc", "pcs" and {support = …, weight = u => …}
let o = paint[x](w, window = "cix")
// CHECK-DAG: :[[#@LINE+1]]:9: error: 'atan2' works on real numbers
let p = atan2(1i, 2)
// CHECK-DAG: :[[#@LINE+1]]:16: error: 'print' cannot be in a constant
const nine = { print "a"; 9 }
