// RUN: pm-opt %s --pm-batch-collectives=bucket-bytes=4096 | FileCheck %s
// RUN: pm-opt %s --pm-batch-collectives=bucket-bytes=4095 | FileCheck %s --check-prefix=LESS
// RUN: pm-opt %s --pm-batch-collectives | FileCheck %s --check-prefix=DEFAULT
// RUN: not pm-opt %s --pm-batch-collectives=bucket-bytes=-1 2>&1 | FileCheck %s --check-prefix=BUCKET
// RUN: not pm-opt %s --pm-batch-collectives=small-bytes=-5 2>&1 | FileCheck %s --check-prefix=SMALL
// BUCKET: error: bucket-bytes of pm-batch-collectives is -1, expected 0 bytes or more
// SMALL: error: small-bytes of pm-batch-collectives is -5, expected 0 bytes or more

// What travels together is cut into buckets, each in the place of its last field: of 1024 bytes four fit into 4096, and three into one byte less.

!A = !pm.field<[a=128], f64>
!P = !pm.partial<!A, sum over [row]>
pm.mesh @ranks axes = ["row"] extents = [1]

// CHECK-LABEL: func.func @fields
// CHECK-NEXT: pm.reduce_fields sum over ["row"](%arg0, %arg1, %arg2, %arg3) :
// CHECK-NEXT: pm.output "first"
// CHECK-NEXT: pm.reduce_fields sum over ["row"](%arg4, %arg5) :
// CHECK-NOT: pm.reduce_fields
// LESS-LABEL: func.func @fields
// LESS-NEXT: pm.reduce_fields sum over ["row"](%arg0, %arg1, %arg2) :
// LESS-NEXT: pm.output "first"
// LESS-NEXT: pm.reduce_fields sum over ["row"](%arg3, %arg4, %arg5) :
// LESS-NOT: pm.reduce_fields
// DEFAULT-LABEL: func.func @fields
// DEFAULT-NEXT: pm.reduce_fields sum over ["row"](%arg0, %arg1, %arg2, %arg3) :
// DEFAULT-NEXT: pm.output "first"
// DEFAULT-NEXT: pm.reduce_fields sum over ["row"](%arg4, %arg5) :
func.func @fields(%a: !P, %b: !P, %c: !P, %d: !P, %e: !P, %f: !P) {
  %0 = pm.reduce_fields sum over ["row"](%a) : !A -> !A
  %1 = pm.reduce_fields sum over ["row"](%b) : !A -> !A
  %2 = pm.reduce_fields sum over ["row"](%c) : !A -> !A
  %3 = pm.reduce_fields sum over ["row"](%d) : !A -> !A
  pm.output "first"(%0 : !A)
  %4 = pm.reduce_fields sum over ["row"](%e) : !A -> !A
  %5 = pm.reduce_fields sum over ["row"](%f) : !A -> !A
  pm.output "rest"(%4 : !A)
  pm.output "last"(%5 : !A)
  return
}
