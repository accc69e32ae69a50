// RUN: %pmc --emit=ast %s | FileCheck %s
// Every declaration and statement.

// CHECK: Module
// CHECK-NEXT: Use (cosmology, spectra)
use cosmology, spectra

// CHECK-NEXT: Const n: int in [min, max] "particles a side"
// CHECK-NEXT:   min: Number 2
// CHECK-NEXT:   max: Number 8192
// CHECK-NEXT:   Number 128
const n: int in [2, 8192] = 128   "particles a side"
// CHECK-NEXT: Const kernel in ("fd4", "exact")
// CHECK-NEXT:   String "fd4"
const kernel in ("fd4", "exact") = "fd4"
// CHECK-NEXT: Const plain
// CHECK-NEXT:   Number 1.5
const plain = 1.5

// CHECK-NEXT: Param box: f64 [Mpc/h] in (min, inf) "box \"side\"\n\\\t"
// CHECK-NEXT:   min: Number 0
// CHECK-NEXT:   Number 400 [Mpc/h]
param box: length in (0, inf) = 400 Mpc/h  "box \"side\"\n\\\t"
// CHECK-NEXT: Param slope in [-inf, max)
// CHECK-NEXT:   max: Number 3
param slope in [-inf, 3)
// CHECK-NEXT: Param needed: f64 [km/s]
param needed: f64 km/s
// CHECK-NEXT: Param flag: bool
// CHECK-NEXT:   Bool false
param flag: bool = false

// CHECK-NEXT: Input delta: field/3 optional "overdensity"
// CHECK-NEXT:   dim: Ref x
// CHECK-NEXT:   dim: Ref y
// CHECK-NEXT:   dim: Ref z
input delta: field[x, y, z] optional  "overdensity"
// CHECK-NEXT: Input pk: table
input pk: table

// CHECK-NEXT: Dim
// CHECK-NEXT:   x: Ref n
// CHECK-NEXT:   y: Binary *
// CHECK-NEXT:     Number 2
// CHECK-NEXT:     Ref n
// CHECK-NEXT:   z: Number 128
// CHECK-NEXT:   over: Ref box
dim x = n, y = 2 n,
    z = 128 over box
// CHECK-NEXT: Dim
// CHECK-NEXT:   batch: Number 8
dim batch = 8
// CHECK-NEXT: Mesh gpus
// CHECK-NEXT:   row: Number 1
// CHECK-NEXT:   col: Number 2
mesh gpus(row = 1, col = 2)
// CHECK-NEXT: Layout x -> (row), y -> (row, col)
layout x -> row, y -> (row, col)

// CHECK-NEXT: Fn fd4
// CHECK-NEXT:   Param w
// CHECK-NEXT:   body: Ref w
fn fd4(w) = w
// CHECK-NEXT: Fn force[D] -> vector field/1
// CHECK-NEXT:   Param delta: field/1 [K]
// CHECK-NEXT:     dim: Ref D
// CHECK-NEXT:   Param b: int
// CHECK-NEXT:     default: Number 1
// CHECK-NEXT:   result dim: Ref D
// CHECK-NEXT:   body: Block
// CHECK-NEXT:     result: Ref delta
fn force[D](delta: field[D] K, b: int = 1) -> vector field[D] { delta }
// CHECK-NEXT: Fn none
// CHECK-NEXT:   body: Number 1
fn none() =
  1

// CHECK-NEXT: Fn types -> complex
// CHECK-NEXT:   Param a: f64
// CHECK-NEXT:   Param b: complex [K]
// CHECK-NEXT:   Param c: string
// CHECK-NEXT:   Param d: u64
// CHECK-NEXT:   Param e: vector complex field/1
// CHECK-NEXT:     dim: Call
// CHECK-NEXT:       callee: Ref refine
// CHECK:        Param f: vector f64 [Mpc/h]
// CHECK-NEXT:   body: Ref b
fn types(a: f64, b: complex K, c: string, d: u64,
         e: vector complex field[refine(x, 2)], f: vector length) -> complex
  = b

// CHECK-NEXT: Output density
// CHECK-NEXT:   Ref d
output density = d
// CHECK-NEXT: Output existing
output existing
// CHECK-NEXT: Output power (k, P, modes)
// CHECK-NEXT:   Tuple
// CHECK:      Output columns (a, b)
// CHECK-NEXT: Output position flatten
// CHECK-NEXT:   Ref v
output power (k, P, modes) = (a, b, c)
output columns (a, b)
output position flatten = v

// CHECK-NEXT: Plot
// CHECK-NEXT:   Ref density
plot density
// CHECK-NEXT: Plot scale log
// CHECK-NEXT:   Binary *
// CHECK-NEXT:     Number 2
// CHECK-NEXT:     Ref density
plot 2 density scale log
// CHECK-NEXT: Plot map1 scale linear
// CHECK-NEXT:   Call
// CHECK-NEXT:     callee: Ref slice
// CHECK-NEXT:     Ref density
// CHECK-NEXT:     z: Range
plot map1 = slice(density, z = 0 .. 8) scale linear
// CHECK:      Plot title "a {}" scale log xscale linear colors gray
// CHECK-NEXT:   Binary *
// CHECK-NEXT:     Ref colors
// CHECK-NEXT:     Ref title
plot colors * title colors gray xscale linear title "a {}" scale log
// CHECK:      Plot xlabel "a" ylabel "b" clabel "c"
// CHECK-NEXT:   Binary *
// CHECK-NEXT:     Ref xlabel
// CHECK-NEXT:     Ref clabel
plot xlabel * clabel clabel "c" ylabel "b" xlabel "a"
// CHECK:      Plot shared label "a" label "b"
// CHECK-NEXT:   Tuple
plot (a, b) labels ("a", "b") shared
// CHECK:      Plot
// CHECK-NEXT:   Binary *
// CHECK-NEXT:     Number 2
// CHECK-NEXT:     Ref labels
plot 2 labels
// CHECK:      Plot
// CHECK-NEXT:   Binary +
plot (a + b)

// CHECK:      Print "none"
// CHECK-NEXT: Print "a = {}, {}"
// CHECK-NEXT:   Ref a
// CHECK-NEXT:   Binary /
print "none"
print "a = {}, {}", a,
  b/c
// CHECK:      Assert ""
// CHECK-NEXT:   Binary >
// CHECK:      Assert "s8 is {}"
// CHECK-NEXT:   Binary >
// CHECK:        value: Ref s8
assert a > 0
assert s8 > 0, "s8 is {}", s8
// CHECK:      Warn "s8 is {}"
// CHECK-NEXT:   Binary >
// CHECK:        value: Ref s8
// CHECK-NEXT: Let twice
// CHECK-NEXT:   Binary +
// CHECK-NEXT:     Ref warn
// CHECK-NEXT:     Ref warn
warn if s8 > 2, "s8 is {}", s8
let twice = warn + warn

// CHECK-NEXT: If
// CHECK-NEXT:   Ref particles
// CHECK-NEXT:   then: Output a
// CHECK-NEXT:     Number 3
// CHECK-NEXT:   else: If
// CHECK-NEXT:     Ref other
// CHECK-NEXT:     then: Let b
// CHECK-NEXT:       Number 1
// CHECK-NEXT:     then: Plot
// CHECK-NEXT:       Ref b
// CHECK-NEXT:     else: Print "neither"
if particles {
  output a = 3
} else if other { let b = 1; plot b }
else {
  print "neither"
}

// CHECK-NEXT: Value
// CHECK-NEXT:   If
// CHECK-NEXT:     Ref a
// CHECK-NEXT:     then: Ref b
// CHECK-NEXT:     else: Ref c
if a then b else c
// CHECK-NEXT: Let (a, b)
// CHECK-NEXT:   Ref f
let (a, b) = f
