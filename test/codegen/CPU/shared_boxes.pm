// RUN: %pmc --emit=kernels %s | FileCheck %s
// RUN: %pmc --emit=kernels %s | pm-opt --pm-lower-launches | FileCheck %s --check-prefix=CALL
// A paint and a reading at the same positions get one number. The call of the first one has the negative number: it forgets earlier boxes.
// CHECK: pmk.parallel_scatter {{.*}} {pm.boxes = 1 : i64}
// CHECK: pmk.parallel_blocks {{.*}} {pm.boxes = 1 : i64}
// CALL: %[[FIRST:.*]] = arith.constant -1 : i64
// CALL: llvm.store %[[FIRST]], %{{.*}} : i64
// CALL: llvm.call @pmrt_scatter(
// CALL: llvm.inttoptr %{{.*}} : i64 to !llvm.ptr
// CALL: llvm.call @pmrt_parallel_blocks(
use fields
dim x = 8, y = 8, z = 8 over 50
let disp = for d in (x, y, z) => white_noise[x, y, z](1)
let mesh = paint[x, y, z](disp)
output force = readout((mesh, mesh^2, mesh^3), disp)
