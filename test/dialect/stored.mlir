// RUN: pm-opt %s | pm-opt | FileCheck %s
// RUN: pm-opt %s --mlir-print-op-generic | pm-opt | FileCheck %s

!f = !pm.field<[x=8, y=4], f32>
!d = !pm.field<[kx=dual(8), ky=half(4)], f64>

// CHECK-LABEL: func.func @stored
func.func @stored(%f: !f, %d: !d) -> (!f, !d) {
  // CHECK: pm.stored %{{.*}} as bf16 : !pm.field<[x=8, y=4], f32>
  %a = pm.stored %f as bf16 : !f
  // CHECK: pm.stored %{{.*}} as f16 : !pm.field<[kx=dual(8), ky=half(4)], f64>
  %b = pm.stored %d as f16 : !d
  return %a, %b : !f, !d
}

// What it becomes: fields of its format.
// CHECK-LABEL: func.func private @fields(!pm.field<[x=8], bf16>, !pm.buffer<[x=8], f16>, !pm.halo<[x=8 on(row)], bf16>)
func.func private @fields(!pm.field<[x=8], bf16>, !pm.buffer<[x=8], f16>, !pm.halo<[x=8 on(row)], bf16>)
