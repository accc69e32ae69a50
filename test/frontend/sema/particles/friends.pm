// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Positions, the linking length and the box of friends of friends.
use catalogs
dim x = 8, y = 8
dim p = 5, z = 3
let f = white_noise[x, y](1) * 1 Mpc
let pos = (f, f)
let long = 1 Mpc
// CHECK: :[[#@LINE+1]]:28: error: 'friends_of_friends' requires a vector of one to three real fields over the same dims, not
let a = friends_of_friends(3.0, long)
// CHECK: :[[#@LINE+1]]:28: error: 'friends_of_friends' requires a vector of one to three real fields over the same dims, not
let b = friends_of_friends((f, white_noise[p](1) * 1 Mpc), long)
// CHECK: :[[#@LINE+1]]:28: error: 'friends_of_friends' requires a vector of one to three real fields over the same dims, not 4 coordinates
let c = friends_of_friends((f, f, f, f), long)
// CHECK: :[[#@LINE+1]]:28: error: 'friends_of_friends' requires a vector of one to three real fields over the same dims, not
let d = friends_of_friends((f + 1i * f, f), long)
// CHECK: :[[#@LINE+1]]:28: error: the coordinates are in Mpc and a pure number, expected one unit
let e = friends_of_friends((f, white_noise[x, y](1)), long)
// CHECK: :[[#@LINE+1]]:33: error: a linking length is a pure number, but the positions are in Mpc
let g = friends_of_friends(pos, 0.2)
// CHECK: :[[#@LINE+1]]:33: error: a linking length is a number, not
let h = friends_of_friends(pos, f)
// CHECK: :[[#@LINE+1]]:39: error: the box has 1 side, but positions have 2 coordinates
let i = friends_of_friends(pos, long, long)
// CHECK: :[[#@LINE+1]]:39: error: the box has 3 sides, but positions have 2 coordinates
let j = friends_of_friends(pos, long, (long, long, 0))
// CHECK: :[[#@LINE+1]]:39: error: a side of the box is a pure number, but the positions are in Mpc
let k = friends_of_friends(pos, long, (long, 3))
// CHECK: :[[#@LINE+1]]:28: error: 'friends_of_friends' works on positions over space dims, but 'ky' is a Fourier dim
let l = friends_of_friends(norm2(fft(white_noise[x, y](1) + 0i, over = y)), 1)
// CHECK: :[[#@LINE+1]]:72: error: positions and a box with components over (x, y) and over (x, z)
let m = friends_of_friends(for u in (x, y) => white_noise[x, y](1), 1, for u in (x, z) => 8)
// CHECK: :[[#@LINE+1]]:28: error: 'friends_of_friends' works on whole fields and cannot be inside of a map
let n = map q in [x, y] => friends_of_friends(pos, long)
// CHECK: :[[#@LINE+1]]:9: error: 'halo_catalog' requires 1 dim, here are 2
let o = halo_catalog[p, z]({disp = pos, mom = pos})
