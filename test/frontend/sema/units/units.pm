// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Units: both parties are named.
param box: length = 100 Mpc/h
param v: f64 km/s = 3 km/s
dim x = 8 over box
// CHECK: :[[#@LINE+3]]:13: error: '+' requires equal units, not Mpc/h and km/s
// CHECK: :[[#@LINE+2]]:9: note: this is in Mpc/h
// CHECK: :[[#@LINE+1]]:15: note: this is in km/s
let a = box + v
// CHECK: :[[#@LINE+3]]:13: error: '-' requires equal units, not Mpc/h and 1
// CHECK: :[[#@LINE+2]]:9: note: this is in Mpc/h
// CHECK: :[[#@LINE+1]]:15: note: this is a pure number
let b = box - 1
// CHECK: :[[#@LINE+3]]:13: error: '<' requires equal units, not Mpc/h and km/s
// CHECK: :[[#@LINE+2]]:9: note: this is in Mpc/h
// CHECK: :[[#@LINE+1]]:15: note: this is in km/s
let c = box < v
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not f64 in Mpc/h
let d = sin(box)
// CHECK: :[[#@LINE+1]]:9: error: 'exp' requires a pure number, not f64 in km/s
let e = exp(v)
// CHECK: :[[#@LINE+1]]:12: error: the exponent of '^' requires a pure number, not f64 in Mpc/h
let f = box^box
// CHECK: :[[#@LINE+1]]:12: error: the exponent of '^' requires a pure number, not f64 in km/s
let g = box^v
// CHECK: :[[#@LINE+1]]:12: error: Mpc/h cannot be raised to this power
let h = box^0.123
// CHECK: :[[#@LINE+1]]:10: error: the exponent of '^' requires a pure number, not f64 in Mpc/h
let i = 2^box
// CHECK: :[[#@LINE+3]]:9: error: 'max' requires equal units, not Mpc/h and km/s
// CHECK: :[[#@LINE+2]]:13: note: this is in Mpc/h
// CHECK: :[[#@LINE+1]]:18: note: this is in km/s
let j = max(box, v)
// CHECK: :[[#@LINE+1]]:9: error: this is in Mpc/h, not in Mpc
let k = number(box, 1 Mpc)
// CHECK: :[[#@LINE+3]]:9: error: 'atan2' requires equal units, not Mpc/h and km/s
// CHECK: :[[#@LINE+2]]:15: note: this is in Mpc/h
// CHECK: :[[#@LINE+1]]:20: note: this is in km/s
let l = atan2(box, v)
fn speed(u: f64 km/s) = u
// CHECK: :[[#@LINE+1]]:15: error: 'u' of 'speed' must be f64 in km/s, not f64 in Mpc/h
let m = speed(box)
// CHECK: :[[#@LINE+1]]:15: error: 'u' of 'speed' must be f64 in km/s, not int
let n = speed(1)
// CHECK: :[[#@LINE+2]]:37: error: the value of 'twice' must be f64 in km/s, not f64 in Mpc/h
// CHECK: :[[#@LINE+2]]:9: note: in 'twice', instantiated here
fn twice(u: length) -> f64 km/s = 2 u
let o = twice(box)
// CHECK: :[[#@LINE+3]]:30: error: '+' requires equal units, not Mpc/h and km/s
// CHECK: :[[#@LINE+2]]:25: note: this is in Mpc/h
// CHECK: :[[#@LINE+1]]:32: note: this is in km/s
let p = map q in [x] => q[x] + v
// CHECK: :[[#@LINE+3]]:15: error: '+' requires equal units, not Mpc and Mpc/h
// CHECK: :[[#@LINE+2]]:9: note: this is in Mpc
// CHECK: :[[#@LINE+1]]:17: note: this is in Mpc/h
let r = 1 Mpc + 1 Mpc/h
// What may be zero fits every unit.
let s = box + 0
let t = max(box, 0)
let w = loop y = 0 for i in 0 .. 3 => y + i * box
// CHECK: :[[#@LINE+3]]:11: error: '+' requires equal units, not Mpc/h and km/s
// CHECK: :[[#@LINE+2]]:9: note: this is in Mpc/h
// CHECK: :[[#@LINE+1]]:13: note: this is in km/s
let z = w + v
