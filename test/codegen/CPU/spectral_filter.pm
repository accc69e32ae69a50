// RUN: %pmc --emit=kernels %s -o %t.mlir && FileCheck %s < %t.mlir
// RUN: pm-opt --pm-lower-launches %t.mlir | FileCheck %s --check-prefix=CALL
// A filter of a spectrum is a kernel that the runtime calls between the passes of two transforms: with some rows of the spectrum, a part of each, and a block of
// memory for their modes. Its result takes the place of the input. Tables are read where they are, by the row's number.

dim x = 8, y = 8
let f = fft(white_noise[x, y](1))
output g = ifft(map k in f => (1 / (1 + index(k, x)^2)) * f)

// CHECK: pmk.spectral_filter @kernel.spectral_filter({{.*}}) from %[[FIELD:.*]] through %{{.*}} to %[[FIELD]] over 3 "spectral_filter" at
// CHECK: func.func private @kernel.spectral_filter(%[[TABLE:.*]]: !pmk.span<f32> {{.*}}, %{{.*}}: !pmk.span<complex<f32>> {{.*}}, %[[FIRST:.*]]: i64, %[[STEP:.*]]: i64, %[[COUNT:.*]]: i64, %[[FROM:.*]]: i64, %[[TO:.*]]: i64, %[[MODES:.*]]: !pmk.span<complex<f32>> {{.*}}, %[[NEXT:.*]]: i64)
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[COUNT]]
// CHECK: %[[STEPS:.*]] = arith.muli %[[J]], %[[STEP]]
// CHECK: %[[ROW:.*]] = arith.addi %[[FIRST]], %[[STEPS]]
// CHECK: arith.addi %{{.*}}, %[[ROW]]
// CHECK: pmk.load %[[TABLE]]
// CHECK: %[[PLACE:.*]] = arith.muli %[[J]], %[[NEXT]]
// CHECK: %[[LINE:.*]] = pmk.at %[[MODES]][%[[PLACE]]]
// CHECK: %[[SIZE:.*]] = arith.subi %[[TO]], %[[FROM]]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[SIZE]]
// CHECK: pmk.load %[[LINE]][%[[I]]]
// CHECK: pmk.store %{{.*}}, %[[LINE]][%[[I]]]
// CALL: llvm.call @pmrt_spectral_filter(
