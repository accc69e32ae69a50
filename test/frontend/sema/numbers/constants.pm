// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Constants: values, ranges, choices.
param box: length = 100 Mpc/h
// CHECK: :[[#@LINE+1]]:13: error: division by zero
const a = 1 / 0
// CHECK: :[[#@LINE+1]]:7: error: the value of 'b' depends on itself
const b = c
const c = b
// CHECK: :[[#@LINE+1]]:7: error: the value of 'cc' depends on itself
const cc in [cc, 3] = 2
// CHECK: :[[#@LINE+1]]:31: error: the result is too large for an int
const d = 9223372036854775807 + 1
// CHECK: :[[#@LINE+1]]:17: error: the result is too large for f64
const e = 1e300 * 1e300
// CHECK: :[[#@LINE+1]]:11: error: 'sqrt' of -1: the result is not a number
const f = sqrt(-1)
// CHECK: :[[#@LINE+1]]:11: error: 'log' of 0: the result is not a number
const g = log(0)
// CHECK: :[[#@LINE+1]]:12: error: the result is too large for an int
const h = 2^100
// CHECK: :[[#@LINE+2]]:26: error: 'i' = 9 is not in [2, 4]
// CHECK: :[[#@LINE+1]]:17: note: the range is given here
const i: int in [2, 4] = 9
// CHECK: :[[#@LINE+2]]:21: error: 'j' = 1 is not in (0, 1)
// CHECK: :[[#@LINE+1]]:12: note: the range is given here
const j in (0, 1) = 1
// CHECK: :[[#@LINE+2]]:29: error: "cut" is none of "cat", "bat"; did you mean 'cat'?
// CHECK: :[[#@LINE+1]]:12: note: the range is given here
const k in ("cat", "bat") = "cut"
// CHECK: :[[#@LINE+1]]:16: error: 'l' must be int, not f64
const l: int = 1.5
// CHECK: :[[#@LINE+2]]:11: error: this must be known when the spec is compiled, but 'box' is a param
// CHECK: :[[#@LINE-30]]:7: note: 'box' is defined here
const m = box
// CHECK: :[[#@LINE+1]]:11: error: a const is a number, a bool or a string, not vector int
const n = (1, 2)
// CHECK: :[[#@LINE+2]]:13: error: the bound is in Mpc/h, the value is in km
// CHECK: :[[#@LINE+1]]:22: error: the bound is in Mpc/h, the value is in km
const o in (0 Mpc/h, 1 Mpc/h) = 3 km
// CHECK: :[[#@LINE+1]]:19: error: 'p' must be f64 in Mpc/h, not int
const p: length = 3
// CHECK: :[[#@LINE+1]]:19: error: 'q' must be string, not int
const q: string = 3
// CHECK: :[[#@LINE+1]]:15: error: this works on fields, and there can be no fields in a constant
const r = sum(zeros[x])
// CHECK: :[[#@LINE+1]]:11: error: this must be known when the spec is compiled, but the length of 'x' is known when it runs
const s = length(x)
dim x = 4 over box
