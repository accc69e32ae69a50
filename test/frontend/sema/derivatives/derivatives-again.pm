// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Functions that second derivatives differentiate in place of a function with a tangent by hand.
dim x = 8, y = 8 over 10 Mpc/h
let w = white_noise[x, y](1)

// CHECK: :[[#@LINE+1]]:17: error: undefined name 'nowhere'
@tangent(twice, nowhere)
fn f1(u) = 2 u
fn twice(u, d) = 2 d
// CHECK: :[[#@LINE+1]]:17: error: the second part of the tangent of 'f2' is a function, but 'w' is a let
@tangent(twice, w)
fn f2(u) = 2 u
// CHECK: :[[#@LINE+1]]:17: error: the value that 'g3' gives holds f64 instead of one like field[x, y]
@tangent(twice, g3)
fn f3(u) = 2 u
fn g3(u) = 1.5
let a3 = f3(w)
// CHECK: :[[#@LINE+1]]:18: error: 'g4' gives (field[x, y], int), expected a value like that of 'f4', made of real and complex numbers
@tangent(twin_4, g4)
fn f4(u) = (2 u, map q in u => int(index(q, x)))
fn g4(u) = (u, 0)
fn twin_4(u, d) = (2 d, 0)
let a4 = f4(w)
