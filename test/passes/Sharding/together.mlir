// RUN: pm-opt %s --pm-batch-collectives | FileCheck %s

// Small fields that are reduced in the same way travel together, whatever their dims; large ones alone.

!A = !pm.field<[a=16], f64>
!B = !pm.field<[b=32], f64>
!C = !pm.field<[a=16], f32>
!L = !pm.field<[l=8193], f64>
pm.mesh @ranks axes = ["row", "col"] extents = [1, 1]

// CHECK-LABEL: func.func @together
// CHECK-SAME: (%[[A:.*]]: !pm.partial<!pm.field<[a=16], f64>, sum over [row]>, %[[B:.*]]: !pm.partial<!pm.field<[b=32], f64>, sum over [row]>)
// CHECK-NEXT: %[[R:.*]]:3 = pm.reduce_fields sum over ["row"](%[[A]], %[[B]], %[[A]]) : {{.*}} -> !pm.field<[a=16], f64>, !pm.field<[b=32], f64>, !pm.field<[a=16 on(row)], f64>
// CHECK-NEXT: pm.output "r"(%[[R]]#0 :
// CHECK-NEXT: pm.output "s"(%[[R]]#1 :
// CHECK-NEXT: pm.output "t"(%[[R]]#2 :
func.func @together(%a: !pm.partial<!A, sum over [row]>, %b: !pm.partial<!B, sum over [row]>) {
  %r = pm.reduce_fields sum over ["row"](%a) : !A -> !A
  %s = pm.reduce_fields sum over ["row"](%b) : !B -> !B
  %t = pm.reduce_fields sum over ["row"](%a) : !A -> !pm.field<[a=16 on(row)], f64>
  pm.output "r"(%r : !A)
  pm.output "s"(%s : !B)
  pm.output "t"(%t : !pm.field<[a=16 on(row)], f64>)
  return
}

// CHECK-LABEL: func.func @apart
// CHECK-COUNT-6: pm.reduce_fields {{[a-z]+}} over {{.*}}](%{{[a-z0-9]+}}) :
// CHECK-NOT: pm.reduce_fields
func.func @apart(%a: !pm.partial<!A, sum over [row]>, %d: !pm.partial<!A, sum over [col, row]>, %b: !pm.partial<!B, sum over [row]>,
                 %e: !pm.partial<!B, max over [row]>, %c: !pm.partial<!C, sum over [row]>, %l: !pm.partial<!L, sum over [row]>) {
  // Another kind, other axes, another element, too large, needed before.
  %r = pm.reduce_fields sum over ["row"](%a) : !A -> !A
  %s = pm.reduce_fields max over ["row"](%e) : !B -> !B
  %t = pm.reduce_fields sum over ["row", "col"](%d) : !A -> !A
  %u = pm.reduce_fields sum over ["row"](%c) : !C -> !C
  %v = pm.reduce_fields sum over ["row"](%l) : !L -> !L
  pm.output "r"(%r : !A)
  %w = pm.reduce_fields sum over ["row"](%b) : !B -> !B
  pm.output "rest"(%s : !B)
  pm.output "t"(%t : !A)
  pm.output "u"(%u : !C)
  pm.output "v"(%v : !L)
  pm.output "w"(%w : !B)
  return
}
