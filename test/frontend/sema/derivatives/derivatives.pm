// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Derivatives.
param n: int = 3
param b: bool = true
dim x = 8, y = 8 over 10 Mpc/h
let w = white_noise[x, y](1)
let r = 3 Mpc/h
fn energy(s, r: length, count: int = 2, name: string = "a") = sum(s^2) * r^2 * count
// CHECK: :[[#@LINE+1]]:19: error: 'grad' requires a function, not field[x, y]
let a1 = 1 + grad(w)
// CHECK: :[[#@LINE+1]]:29: error: the function has no parameter 'q'
let a2 = grad(energy, wrt = q)(w, r)
// CHECK: :[[#@LINE+1]]:29: error: the function has no parameter 'cuont'
let a3 = grad(energy, wrt = cuont)(w, r)
// CHECK: :[[#@LINE+2]]:29: error: there is no derivative with respect to 'count', which is int; expected numbers, fields or tables
// CHECK: :[[#@LINE-8]]:25: note: the parameter is declared here
let a4 = grad(energy, wrt = count)(w, r)
// CHECK: :[[#@LINE+2]]:29: error: there is no derivative with respect to 'name', which is string; expected numbers, fields or tables
// CHECK: :[[#@LINE-11]]:41: note: the parameter is declared here
let a5 = grad(energy, wrt = name)(w, r)
// CHECK: :[[#@LINE+1]]:29: error: the parameter 's' is named twice
let a6 = grad(energy, wrt = (s, s))(w, r)
// CHECK: :[[#@LINE+1]]:29: error: 'wrt' takes names of parameters of the function: wrt = a, or wrt = (a, b)
let a7 = grad(energy, wrt = 3)(w, r)
// CHECK: :[[#@LINE+1]]:23: error: there is no derivative with respect to 'u', which is int; expected numbers, fields or tables
let a8 = grad(u => u)(n)
// CHECK: :[[#@LINE+1]]:31: error: there is no derivative with respect to 'u', which holds bool; expected numbers, fields or tables
let a9 = grad(u => u.a * u.a)({a = 1.0, c = b})
// CHECK: :[[#@LINE+1]]:36: error: there is no derivative with respect to 'u', which is bool field[x, y]; expected numbers, fields or tables
let b1 = grad(u => sum(u) * 1.0)(w > 0)
// CHECK: :[[#@LINE+1]]:10: error: 'grad' requires a function whose value is a real number, not field[x, y]; see 'vjp' for others
let b2 = grad(u => 2 * u)(w)
// CHECK: :[[#@LINE+1]]:10: error: 'value_and_grad' requires a function whose value is a real number, not int
let b3 = value_and_grad(u => round(n))(2.0)
// CHECK: :[[#@LINE+1]]:34: error: the schedule is "keep", "revolve" or "reverse", not "all"
let b4 = grad(energy, schedule = "all")
// CHECK: :[[#@LINE+1]]:10: error: schedule = "revolve" requires snapshots = …, the number of states that are kept
let b5 = grad(energy, schedule = "revolve")
// CHECK: :[[#@LINE+1]]:35: error: 'snapshots' belongs to schedule = "revolve"
let b6 = grad(energy, snapshots = 3)
// CHECK: :[[#@LINE+1]]:57: error: 'snapshots' must be from 1 to 1048576, not 0
let b7 = grad(energy, schedule = "revolve", snapshots = 0)
// CHECK: :[[#@LINE+1]]:10: error: the derivative with respect to 'r' requires an argument 'r'
let b8 = grad(energy, wrt = r)(w)
// CHECK: :[[#@LINE+1]]:10: error: 'jvp' requires an argument 'tangent' behind those of the function
let b9 = jvp(u => u^2)(w)
// CHECK: :[[#@LINE+1]]:37: error: 'tangent' holds int instead of one like field[x, y]
let c1 = jvp(u => u^2)(w, tangent = 3)
// CHECK: :[[#@LINE+1]]:44: error: 'cotangent' holds field[x, y] instead of one like f64
let c2 = vjp(u => sum(u^2))(w, cotangent = w)
