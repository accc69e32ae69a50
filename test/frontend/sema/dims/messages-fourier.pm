// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Fourier dims where space dims are wanted, found when a function is used.
dim x = 8, y = 8 over 10 Mpc/h
dim u = 4 over 1 Mpc/h
let w = white_noise[x, y](1)
let wk = fft(w)
let vk = fft(white_noise[u](1))
// CHECK: :[[#@LINE+2]]:35: error: 'kx' is a Fourier dim; a mesh has space dims
// CHECK: note: in 'mesh', instantiated here
fn mesh[D](f: complex field[D]) = paint[D]((w, w), window = "cic")
// CHECK: :[[#@LINE+2]]:47: error: 'kx' is a Fourier dim; refine the space dim
// CHECK: note: in 'fine', instantiated here
fn fine[D](f: complex field[D]) = white_noise[refine(D, 2)](1)
// CHECK: :[[#@LINE+2]]:60: error: field[kx, ky, ku] has two halved dims
// CHECK: note: in 'twice', instantiated here
fn twice[D, E](f: complex field[D], g: complex field[E]) = white_noise[D, E](1)
let a = mesh(wk)
let b = fine(wk)
let c = twice(wk, vk)
