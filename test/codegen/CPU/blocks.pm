// RUN: %pmc --emit=kernels --sizes=cells=1024 %s | FileCheck %s
// RUN: %pmc --emit=kernels --sizes=lattice=16384 %s | FileCheck %s --check-prefix=FEW
// RUN: %pmc --emit=kernels --sizes=cells=1024 %s | pm-opt --pm-lower-launches | FileCheck %s --check-prefix=CALL
// Particles of a lattice that read two meshes or more are computed in blocks of sites: in one kernel the box of cells that a block reads, in another one the
// block, in which one vector has a window's cells along the last dim of all meshes. A lattice with fewer sites than the size `lattice`, and a single mesh, are
// computed in rows.

// CHECK: pmk.parallel_blocks box @kernel.readout.box block @kernel.readout.block rows @kernel.readout(
// CHECK-SAME: by [2, 2, 32] reads {{.*}} support [3, 3, 3]
// CHECK: pmk.parallel_for @kernel.readout
// CHECK: func.func private @kernel.readout.block(
// CHECK: pmk.load {{.*}} unaligned : !pmk.span<f32> -> vector<8xf32>
// The values that eight elements read from both meshes are separated together.
// CHECK: pmk.load {{.*}} : !pmk.span<f32> -> vector<16xf32>
// CHECK: llvm.shufflevector {{.*}} [0, 2, 4, 6, 8, 10, 12, 14]
// CHECK: llvm.shufflevector {{.*}} [1, 3, 5, 7, 9, 11, 13, 15]
// FEW-NOT: parallel_blocks
// CALL: llvm.call @pmrt_parallel_blocks(
dim x = 16, y = 16, z = 32 over 50
let disp = for d in (x, y, z) => white_noise[x, y, z](1)
let (f, g) =
  (white_noise[refine(x, 2), refine(y, 2), refine(z, 2)](2), white_noise[refine(x, 2), refine(y, 2), refine(z, 2)](3))
output both = readout((f, g), disp, window = "tsc")
dim u = 16, v = 16 over 50
output one = readout(white_noise[u, v](4), for d in (u, v) => white_noise[u, v](5))
