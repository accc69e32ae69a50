// RUN: %pmc --emit=pm %s | FileCheck %s
// RUN: %pmc --emit=pm -D n=16 -D kernel=exact -D scale=0.25 -D length=2kpc/h %s | FileCheck %s --check-prefix=DEFINED
// RUN: %pmc --emit=pm --layout='y -> (row, col)' %s | FileCheck %s --check-prefix=LAYOUT
// Declarations become ops; -D and --layout replace what the spec says.

// CHECK: module @declarations
const n: int in [2, 8192] = 8  "cells"
const kernel in ("fd4", "exact") = "fd4"
const scale = 0.5
const length = 1 Mpc/h
const half = n / 2
// CHECK-NEXT: pm.param "box" : f64 "f64"
// CHECK-SAME: default_value = 4.000000e+02 : f64, doc = "box side", min_open, minimum = 0.000000e+00 : f64, unit = "Mpc/h"
param box: length in (0, inf) = 400 Mpc/h  "box side"
// CHECK-NEXT: pm.param "omega" : f64 "f64"
// CHECK-SAME: max_open, maximum = 1.000000e+00 : f64, min_open, minimum = 0.000000e+00 : f64
param omega in (0, 1) = 0.25
// CHECK-NEXT: pm.param "speed"
// CHECK-SAME: default_value = 3.000000e+00 : f64, max_open, maximum = 1.000000e+01 : f64, minimum = 0.000000e+00 : f64, unit = "km/s"
param speed: f64 km/s in [0, 10) = 3 km/s
// CHECK-NEXT: pm.param "seed" : i64 "u64" {{.*}}default_value = -1 : i64
param seed: u64 = 18446744073709551615
// CHECK-NEXT: pm.param "steps" : i64 "int" {{.*}}default_value = 10 : i64
param steps: int = 10
// CHECK-NEXT: pm.param "flag" : i1 "bool" {{.*}}default_value = true
param flag: bool = true
// CHECK-NEXT: pm.param "needed" : f64 "f64"{{$}}
param needed: f64

// CHECK: pm.mesh @gpus axes = ["row", "col"] extents = [2, 2]
// CHECK: pm.layout "x" -> ["row"]
// CHECK: pm.layout "y" -> ["col"]
// LAYOUT-NOT: pm.layout "x"
// LAYOUT: pm.layout "y" -> ["row", "col"]
// LAYOUT-NOT: pm.layout
mesh gpus(row = 2, col = 1 + 1)
layout x -> row, y -> (col)

// CHECK: pm.dim "x" = 8 length {
// CHECK-NEXT: %[[BOX:.*]] = pm.param_value "box" : f64
// CHECK-NEXT: pm.yield %[[BOX]] : f64
// CHECK: pm.dim "y" = 4 length
// CHECK: pm.dim "t" = 3 length {
// CHECK-NEXT: %[[THREE:.*]] = arith.constant 3.000000e+00 : f64
// CHECK-NEXT: pm.yield %[[THREE]] : f64
// DEFINED: pm.dim "x" = 16
// DEFINED: pm.dim "y" = 8
dim x = n, y = half over box
dim t = 3

// CHECK: pm.input "data" : !pm.field<[x=8, y=4], f32> {doc = "some data", optional}
input data: field[x, y] optional  "some data"
// CHECK: pm.input "tab" : !pm.table
input tab: table
// CHECK: pm.input "speeds" : !pm.field<[x=8, y=4], f32> {unit = "km/s"}
input speeds: field[x, y] km/s
// CHECK: pm.input "waves" : !pm.field<[x=8], complex<f32>>
input waves: complex field[x]

// CHECK: func.func @main()
// CHECK: pm.print "fd4 {}"
// DEFINED: arith.constant 2.500000e-01 : f64
// DEFINED: pm.print "exact {}"
// DEFINED: arith.constant 2.000000e-03 : f64
print "{} {}", kernel, scale
print "{}", length
