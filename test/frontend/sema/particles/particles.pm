// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Paint and readout.
param box: length = 100 Mpc/h
dim x = 8, y = 8, z = 8 over box
dim t = 8
let one = constant[x, y](1 Mpc/h)
let disp = (one, one)
let pure = zeros[x, y] + 1
// CHECK: :[[#@LINE+2]]:36: error: there is no window "cix"; did you mean 'cic'?
// CHECK: :[[#@LINE+1]]:36: note: windows are "ngp", "cic", "tsc", "pcs" and {support = …, weight = u => …}
let a = paint[x, y](disp, window = "cix")
// CHECK: :[[#@LINE+1]]:36: error: the window is one of "ngp", "cic", "tsc", "pcs" or {support = …, weight = u => …}
let b = paint[x, y](disp, window = 3)
// CHECK: :[[#@LINE+1]]:21: error: the component along 'x' is a pure number, but the dim's length is in Mpc/h
let c = paint[x, y]((pure, pure))
// CHECK: :[[#@LINE+1]]:24: error: the mesh has 3 dims, [x, y, z], but this has 2 components
let d = paint[x, y, z](disp)
// CHECK: :[[#@LINE+1]]:9: error: the mesh [x, z] is not a refinement of the particles' lattice [x, y]
let e = paint[x, z](disp)
// CHECK: :[[#@LINE+1]]:21: error: displacements are a vector of real fields over the same dims, not int
let f = paint[x, y](3)
// CHECK: :[[#@LINE+1]]:21: error: displacements are a vector of real fields over the same dims, not (field[x, y], field[x, z])
let g = paint[x, y]((one, constant[x, z](1 Mpc/h)))
// CHECK: :[[#@LINE+1]]:21: error: displacements are a vector of real fields over the same dims, not vector complex field[kx, ky] in Mpc/h
let h = paint[x, y]((fft(one), fft(one)))
// CHECK: :[[#@LINE+1]]:36: error: the weight is a number or a field, or a tuple or record of them, not string
let i = paint[x, y](disp, weight = "a")
// CHECK: :[[#@LINE+1]]:36: error: the weight is a number or a field of the particles, field[x, y], not field[x]
let j = paint[x, y](disp, weight = zeros[x])
// CHECK: :[[#@LINE+1]]:33: error: the mesh has 3 dims, [x, y, z], but this has 2 components
let k = readout(zeros[x, y, z], disp)
// CHECK: :[[#@LINE+1]]:9: error: 'kx' is a Fourier dim; a mesh has space dims
let l = readout(fft(one), disp)
// CHECK: :[[#@LINE+1]]:17: error: 'readout' reads fields over the same dims, not (field[x, y], field[x])
let m = readout((one, zeros[x]), disp)
// CHECK: :[[#@LINE+1]]:18: error: 'readout' reads fields over the same dims, not (field[x, y], complex field[x, y])
let m2 = readout((one, 1i * one), disp)
// CHECK: :[[#@LINE+1]]:17: error: 'readout' reads fields over the same dims, not int
let n = readout(3, disp)
// CHECK: :[[#@LINE+1]]:9: error: 'paint_at' requires dims: paint_at[x, y](…)
let o = paint_at(disp)
// CHECK: :[[#@LINE+1]]:24: error: the component along 't' is in Mpc/h, but the dim's length is a pure number
let p = paint_at[x, t]((constant[z](1 Mpc/h), constant[z](1 Mpc/h)))
// CHECK: :[[#@LINE+2]]:25: error: 'paint' works on whole fields and cannot be inside of a map
// CHECK: :[[#@LINE+1]]:9: note: the map begins here
let q = map u in one => paint[x, y](disp)
