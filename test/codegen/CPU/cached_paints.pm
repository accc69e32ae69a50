// RUN: %pmc --emit=kernels --sizes=cells=1024 %s | FileCheck %s
// RUN: %pmc --emit=kernels --sizes=lattice=32768 %s | FileCheck %s --check-prefix=FEW
// RUN: %pmc --emit=kernels --sizes=cells=1024 %s | pm-opt --pm-lower-launches | FileCheck %s --check-prefix=CALL
// Particles of a lattice are painted in blocks of sites: one kernel finds the box of cells that a block touches, another one adds the block to a copy of
// the box. An addition is a vector of the window's cells along the last dim or, of several meshes, of one cell. Particles of a lattice with
// fewer sites than the size `lattice`, and those at free positions, are painted where the mesh is.

// CHECK: pmk.parallel_scatter {{.*}} support 2 cached @kernel.paint.box deposit @kernel.paint.deposit of{{.*}} by [4, 4, 64] widths [2, 2, 2] halos()
// CHECK: pmk.parallel_scatter {{.*}} support 3 cached {{.*}} widths [3, 3, 3]
// CHECK: pmk.parallel_scatter
// CHECK-NOT: cached @
// CHECK: func.func private @kernel.paint.deposit(
// CHECK: pmk.load {{.*}} : !pmk.span<f32> -> vector<2xf32>
// CHECK: pmk.store {{.*}} : vector<2xf32>, !pmk.span<f32>
// CHECK: func.func private @kernel.paint.deposit.1(
// CHECK: pmk.store {{.*}} : vector<4xf32>, !pmk.span<f32>
// FEW-NOT: cached @
// CALL: llvm.call @pmrt_scatter(
dim x = 16, y = 16, z = 64 over 50
let disp = for d in (x, y, z) => white_noise[x, y, z](1)
output one = paint[x, y, z](disp)
fn misfit(f) = inner(readout(f, disp, window = "tsc"), (disp[0], disp[1], disp[2]))
let (a, b, c) = grad(misfit)(disp)
output several = a
output others = b + c
dim p = 5000
output free = paint_at[x, y, z](for d in (x, y, z) => white_noise[p](7), window = "cic")
