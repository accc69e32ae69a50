// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Where derivatives cannot be, and adjoints by hand.
const c = grad(u => u^2)(3)
dim x = 8, y = 8 over 10 Mpc/h
let w = white_noise[x, y](1)
let data = white_noise[x, y](2)
fn checked(u) { assert u > 0, "u = {}", u; u^2 }
let a1 = map q in w => grad(checked)(w)
let a2 = map q in w => grad(u => u * sum(w))(w)
let a3 = map q in w => grad(u => u * max(map q in [x] => u))(w)

// CHECK: :[[#@LINE+1]]:10: error: undefined name 'nowhere'
@adjoint(nowhere)
fn f1(u) = u
// CHECK: :[[#@LINE+7]]:10: error: the adjoint of 'f2' is a function, but 'w' is a let
// CHECK: :[[#@LINE+8]]:10: error: the tangent of 't2' is a function, but 'w' is a let
// CHECK: :[[#@LINE-14]]:11: error: a derivative cannot be taken in a constant
// CHECK: :[[#@LINE-10]]:24: error: a function that is differentiated inside of a map can contain no assertions, prints or checked indexes; move them out of the function
// CHECK: :[[#@LINE-11]]:10: note: the map begins here
// CHECK: :[[#@LINE-11]]:38: error: 'sum' works on fields, and there can be no fields in a function that is differentiated inside of a map
// CHECK: :[[#@LINE-11]]:42: error: a map works on fields, and there can be no fields in a function that is differentiated inside of a map
@adjoint(w)
fn f2(u) = u
@tangent(w)
fn t2(u) = u
// CHECK: :[[#@LINE+1]]:10: error: a function with an adjoint depends on its parameters only, but 'f3' uses 'data'; make that a parameter
@adjoint(g3)
fn f3(u) = u * data
fn g3(u, w) = w
let b3 = f3(w)
// CHECK: :[[#@LINE+1]]:10: error: the tangent that 't4' gives holds f64 instead of one like field[x, y]
@tangent(t4)
fn t3(u) = 2 u
fn t4(u, d) = 1.5
let a9 = t3(w)
// CHECK: :[[#@LINE+1]]:10: error: 'g4' gives field[x, y], but is the adjoint of a function with 2 parameters; expected a tuple of that many, with 0 for those that have no derivative
@adjoint(g4)
fn f4(u, k) = u * k
fn g4(u, k, w) = w
let a4 = f4(w, 2)
// CHECK: :[[#@LINE+1]]:10: error: the cotangent of 'u' that 'g5' gives holds f64 instead of one like field[x, y]
@adjoint(g5)
fn f5(u) = 2 u
fn g5(u, w) = 1.5
let a5 = f5(w)
// CHECK: :[[#@LINE+1]]:10: error: the cotangent of 'h' that 'g8' gives holds field[x, y] instead of 0, because it is a function
@adjoint(g8)
fn f8(h, u) = h(u)
fn g8(h, u, w) = (w, w)
let slope = mean(w)
let a8 = f8(u => slope * u, w)
@adjoint(g6)
fn f6(u) = 2 u
fn g6(u, w) = 2 w
// CHECK: :[[#@LINE+2]]:24: error: 'f6' has an adjoint of its own and cannot be called inside of a map; call it with whole fields
// CHECK: :[[#@LINE+1]]:10: note: the map begins here
let a6 = map q in w => f6(w)
fn energy(s, r: length) = sum(s^2) * r^2
let r = 3 Mpc/h
// CHECK: :[[#@LINE+1]]:52: error: 'tangent' holds f64 instead of one like f64 in Mpc/h; its unit does not fit those of the other parts
let c3 = jvp(energy, wrt = (s, r))(w, r, tangent = (w, 1.0))
// CHECK: :[[#@LINE+3]]:38: error: '+' requires equal units, not Mpc/h and (Mpc/h)^2
// CHECK: :[[#@LINE+2]]:10: note: this is in Mpc/h
// CHECK: :[[#@LINE+1]]:40: note: this is in (Mpc/h)^2
let c4 = grad(energy, wrt = r)(w, r) + energy(w, r)
// A value that the compiler knows has no cotangent of its own.
// CHECK: :[[#@LINE+1]]:10: error: the cotangent of 'u' that 'g7' gives holds f64 instead of one like field[x, y]
@adjoint(g7)
fn f7(u) = 2.5i
fn g7(u, w) = 1.5
let a7 = f7(w)
// CHECK: :[[#@LINE+1]]:23: error: 'grad' takes 'wrt' by name: wrt = a
let c5 = grad(energy, energy)(w, r)
// A function has no derivative, and what it captured would be read as another part's.
fn holds(w) {
  let line = t => t * sum(w)
  (line, sum(w * w))
}
// CHECK: :[[#@LINE+1]]:10: error: the value of the differentiated function holds a function, which has no derivative; return the numbers and fields that it uses instead
let c6 = jvp(holds, wrt = w)(w, tangent = w)
// CHECK: :[[#@LINE+1]]:10: error: the value of the differentiated function holds
let c7 = vjp(holds, wrt = w)(w, cotangent = (0, 1.0))
// Nor has a function that is a part of an argument.
// CHECK: :[[#@LINE+1]]:10: error: the cotangent of 'h' that 'g9' gives holds field[x, y] instead of one like a function; the derivative of a function is 0
@adjoint(g9)
fn f9(h, u) {
  let (v, g) = h
  g(v) + u
}
fn g9(h, u, w) = ((w, w), w)
let a10 = f9((w, u => slope * u), w)
