// RUN: not pmc check %s 2>&1 | FileCheck %s
// Arguments of split and random, and functions of complex numbers that are not finite.

dim x = 4
// CHECK: :[[#@LINE+1]]:15: error: 'split': expected an int, found f64; int(x) rounds down
let a = split(0.5, "a")
// CHECK: :[[#@LINE+1]]:18: error: 'split': expected an int, found f64; the name of a stream is a string
let b = split(1, 0.5)
// CHECK: :[[#@LINE+1]]:23: error: 'split': expected an int, found f64; int(x) rounds down
let c = split(1, "c", 0.5)
// CHECK: :[[#@LINE+1]]:16: error: 'random': expected an int as the seed, found f64; int(x) rounds down
let d = random(2.5)
let e = map q in [x] => random(split(1, q))
// CHECK: :[[#@LINE+1]]:9: error: 'log': the result must be finite; use another argument
let f = log(0i)
// CHECK: :[[#@LINE+1]]:9: error: 'sin' requires a pure number, not complex in km
let g = sin((1 km) * (1 + 2i))
