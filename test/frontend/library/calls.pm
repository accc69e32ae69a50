// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// A mistake that shows in the library was made where the library is called: the message is there, and notes lead in.
use fields, lpt, nbody, cosmology, particles, spectra, sky
dim x = 8, y = 8, z = 8 over 100 Mpc/h
dim c = 3
let f = white_noise[x, y, z](1)
let s = {disp = for d in (x, y, z) => 1 Mpc/h * f}

// CHECK: calls.pm:[[#@LINE+4]]:9: error: record {disp} has no member 'mom'
// CHECK-NEXT: let a = velocities(s, 0.5)
// CHECK: particles.pm:{{[0-9]+}}:{{[0-9]+}}: note: found here, in 'velocities'
// CHECK-NOT: instantiated
let a = velocities(s, 0.5)
// The same mistake elsewhere is told too.
// CHECK: calls.pm:[[#@LINE+1]]:9: error: record {disp} has no member 'mom'
let b = velocities(s, 0.7)
// CHECK: calls.pm:[[#@LINE+2]]:27: error: kernel is "fd2", "fd4", "fd6" or "exact"
// CHECK: fields.pm:{{[0-9]+}}:{{[0-9]+}}: note: found here, in 'gradient_kernel'
fn slope(g) = gradient(g, "fd3")
// CHECK: fields.pm:{{[0-9]+}}:{{[0-9]+}}: note: in 'gradient_kernel', instantiated here
// CHECK-NOT: note: in 'gradient', instantiated here
// CHECK: calls.pm:[[#@LINE+1]]:9: note: in 'slope', instantiated here
let d = slope(f)
// CHECK: calls.pm:[[#@LINE+3]]:44: error: '==' does not compare int with string
// CHECK: note: 'kernel' of 'lpt': the derivatives, `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`, as in
// CHECK-SAME: `gradient_kernel`
let d1 = lpt(flat_lcdm(), f, 0.5, kernel = 4).disp
// CHECK: calls.pm:[[#@LINE+3]]:21: error: field[x, y, z] is not a vector with a component for 'x'; of a field, f[x = 0] is a cell,
// CHECK: note: found here, in 'as_vector'
// CHECK: note: 'v' of 'divergence': vector with a field for each dim of `over`
let d2 = divergence(f)
// CHECK: calls.pm:[[#@LINE+1]]:15: error: displacements have one component for each dim; of a batch of particles, take one set at a time: slice(f, c = i)
let e = force(for d in (x, y, z) => 1 Mpc/h * white_noise[c, x, y, z](2))
// CHECK: calls.pm:[[#@LINE+1]]:24: error: a spectrum is of one field, but this one has dims that count a batch; take one: slice(f, c = i)
let g = power_spectrum(white_noise[c, x, y, z](1))
// CHECK: calls.pm:[[#@LINE+1]]:27: error: a map of the sky is over two dims with lengths; of a batch of maps take one: slice(f, c = i)
let g2 = angular_spectrum(white_noise[c, x, y](1), 10, 10, 3)
// CHECK: calls.pm:[[#@LINE+1]]:27: error: a map of the sky is over two dims with lengths
let g3 = angular_spectrum(white_noise[x, y, z](1), 10, 10, 3)
// A function that is handed to the library is the user's.
// CHECK: calls.pm:[[#@LINE+1]]:28: error: '+' requires equal units, not 1 and Mpc/h
let h = integrate(u => 2 u + 1 Mpc/h, 0, 1)
use math, mri, wavelets
// Coils that are not those of the data, and a grid that wavelets cannot halve.
dim coil = 4, seven = 7
let none = uniform_mask[x, y](2)
let maps = birdcage_maps[coil, x, y](coil)
// CHECK: calls.pm:[[#@LINE+1]]:33: error: the data do not have the dim of the coils
let i = sense(maps, none, coil).adjoint(centred_fft(white_noise[seven, x, y](2)))
// CHECK: calls.pm:[[#@LINE+1]]:17: error: a wavelet transform requires a multiple of 2^levels cells along every dim
let j = wavelet(f, levels = 4)
// CHECK: calls.pm:[[#@LINE+1]]:20: error: a family of wavelets is "haar", "db2" to "db8", "sym4" or "sym8"
let l = wavelet(f, "db9")
