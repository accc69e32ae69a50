// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Maps, coordinates and what may not be in them.
param box: length = 100 Mpc/h
input optional_data: field[x, y] optional
input pk: table
dim x = 8, y = 8, z = 8 over box
let xy = white_noise[x, y](1)
let xyz = white_noise[x, y, z](1)
let yx = white_noise[y, x](1)
// CHECK: :[[#@LINE+2]]:30: error: the map over [x, y] has no coordinate 'z'
// CHECK: :[[#@LINE+1]]:9: note: the map begins here
let a = map q in [x, y] => q[z]
// CHECK: :[[#@LINE+2]]:9: error: a map over [x, y] cannot read an element of field[x, y, z], which also has [z]: sum or slice the field before the map
// CHECK: :[[#@LINE+1]]:9: note: the map begins here
let b = map q in xy => xyz
// CHECK: :[[#@LINE+2]]:24: error: 'sum' works on whole fields and cannot be inside of a map
// CHECK: :[[#@LINE+1]]:9: note: the map begins here
let c = map q in xy => sum(xy)
// CHECK: :[[#@LINE+2]]:24: error: a map works on whole fields and cannot be inside of a map
// CHECK: :[[#@LINE+1]]:9: note: the map begins here
let d = map q in xy => map p in xy => xy
// CHECK: :[[#@LINE+1]]:9: error: the body of a map gives numbers, not string
let e = map q in xy => "text"
// CHECK: :[[#@LINE+1]]:18: error: a map runs over a field or dims, not over int
let f = map q in 3 => 1
// CHECK: :[[#@LINE+1]]:24: error: the optional input 'optional_data' would be read for every element; name it outside of the map: let data = if given(optional_data) then optional_data else …
let g = map q in xy => optional_data
// CHECK: :[[#@LINE+2]]:55: error: a map over [x, y] cannot read an element of field[x, y, z], which also has [z]: sum or slice the field before the map
// CHECK: :[[#@LINE+1]]:9: note: the map begins here
let h = map q in xy => loop u = xy for i in 0 .. 3 => xyz
// CHECK: :[[#@LINE+2]]:24: error: a table cannot be made inside of a map; make it before the map
// CHECK: :[[#@LINE+1]]:9: note: the map begins here
let i = map q in xy => tabulate(s => s, 0, 1, 10)
// CHECK: :[[#@LINE+2]]:47: error: a table cannot be made inside of a map; make it before the map
// CHECK: :[[#@LINE+1]]:9: note: the map begins here
let j = map q in xy => if xy > 0 then pk else transform(pk, (u, v) => (u, v))
// CHECK: :[[#@LINE+2]]:26: error: 'print' cannot be inside of a map
// CHECK: :[[#@LINE+1]]:9: note: the map begins here
let k = map q in xy => { print "x"; 1 }
// The order of dims does not matter.
let l = xy + yx
let m = xy + xyz
// A sum has the dims of both, but a comparison does not.
let n = xy + white_noise[x, z](1)
// CHECK: :[[#@LINE+1]]:13: error: '<' requires fields of the same dims, not field[x, y] and field[x, z]
let n2 = xy < white_noise[x, z](1)
// CHECK: :[[#@LINE+1]]:13: error: '+' requires fields of the same dims, not field[x, y] and complex field[kx, ky]
let n3 = xy + fft(xy)
// CHECK: :[[#@LINE+1]]:33: error: this must be a dim, not int
let o = map q in xy => index(q, 3)
// CHECK: :[[#@LINE+1]]:15: error: 'index' requires the variable of a map, not field[x, y]
let p = index(xy, x)
input pk2: table
// CHECK: :[[#@LINE+2]]:25: error: a table cannot be chosen inside of a map
// CHECK: :[[#@LINE+1]]:10: note: the map begins here
let r2 = map q in xy => if xy > 0 then pk else pk2
// CHECK: :[[#@LINE+1]]:15: error: the condition of 'if' is a bool, not bool field[x, y]; any(…) and all(…) make one bool of it, and a map chooses for each cell
let r = if xy > 0 then 1 else 2
// CHECK: :[[#@LINE+1]]:12: error: an index of field[x, y] names its dim: f[x = 0] is a cell, f[x + 1] a neighbor, slice(f, x = 0 .. 5) a mean, and f[x = p] a part over a dim p
let s = xy[0]
// CHECK: :[[#@LINE+1]]:9: error: the body of a map has no value
let t = map q in xy => {}
