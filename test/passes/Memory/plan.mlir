// RUN: pm-opt %s --pm-plan-memory --split-input-file --remarks-filter=pm-plan-memory 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: pm-opt %s --pm-plan-memory --split-input-file | pm-opt --split-input-file -o /dev/null

!F = !pm.field<[x=8, y=8], f32>
!K = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>

// A loop carries a field in one buffer, in which the first transform's result
// has capacity too; the map writes over it. That transform destroys the spectrum,
// which is read again, so that it works on a copy.
// CHECK: pm.plan [!pm.buffer<[x=8, y=8], f32>, !pm.buffer<[kx=dual(8), ky=half(8)], complex<f32>>
// CHECK-LABEL: func.func @main
// CHECK: %[[F:.*]] = pm.alloc 0 : !pm.buffer<[x=8, y=8], f32>
// CHECK: %[[K:.*]] = pm.alloc 1
// CHECK: pm.white_noise %{{.*}} outs(%[[F]] :
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: pm.fft %[[F]] over ["x", "y"] raw outs(%[[K]] :
// CHECK: pm.copy %[[K]] outs(%[[COPY:[0-9]+]] : {{.*}} {reason = "pm.ifft destroys its operand, which is read later"}
// CHECK: pm.ifft %[[COPY]] {{.*}} outs(%[[F]] :
// CHECK-NOT: pm.copy
// CHECK: pm.ifft %[[K]] {{.*}} outs(%[[B:[0-9]+]] :
// CHECK: pm.map [x=8, y=8] ins(%[[F]], %[[B]] : {{.*}} outs(%[[F]] :
// CHECK: }
// CHECK: pm.output "f"(%[[F]] : !pm.buffer
// REMARK: [Missed] copy {{.*}}a field is copied: pm.ifft destroys its operand, which is read later
// REMARK: [Analysis] plan {{.*}}4 buffers, 896 bytes at the peak, 1 copies
func.func @main() {
  %seed = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  %f = pm.white_noise %seed -> !F
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> (!F) {
    %k = pm.fft %a over ["x", "y"] raw : !F -> !K
    %p = pm.ifft %k over ["x", "y"] : !K -> !F
    %q = pm.ifft %k over ["x", "y"] : !K -> !F
    %s = pm.map [x=8, y=8] ins(%p, %q : !F, !F) {
    ^bb0(%e: f32, %g: f32):
      %t = arith.addf %e, %g : f32
      pm.yield %t : f32
    } -> !F
    scf.yield %s : !F
  }
  pm.output "f"(%r : !F)
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>

// Two fields that a loop exchanges: three copies, none of which is lost.
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = pm.alloc 0
// CHECK: %[[B:.*]] = pm.alloc 1
// CHECK: scf.for
// CHECK: pm.copy %[[B]] outs(%[[T:[0-9]+]] : {{.*}} {reason = "scf.yield hands on a field that is live at the same time as what it becomes"}
// CHECK: pm.copy %[[A]] outs(%[[B]] :
// CHECK: pm.copy %[[T]] outs(%[[A]] :
// CHECK: }
// CHECK: pm.output "a"(%[[A]], %[[B]]
// REMARK: 3 copies
func.func @main() {
  %seed = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  %f = pm.white_noise %seed -> !F
  %g = pm.white_noise %seed -> !F
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f, %b = %g) -> (!F, !F) {
    scf.yield %b, %a : !F, !F
  }
  pm.output "a"(%r#0, %r#1 : !F, !F)
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>
!L = !pm.field<[x=8], f32>

// A branch that hands on a field read later copies it; a scalar result stays.
// A broadcast input is not overwritten, nor a mesh that is read at other
// elements.
// CHECK-LABEL: func.func @main
// CHECK: %[[F:.*]] = pm.alloc 0
// CHECK: %[[S:.*]] = scf.if %{{.*}} -> (f64) {
// CHECK: pm.copy %[[F]] outs(%[[R:[0-9]+]] : {{.*}} {reason
// CHECK: } else {
// CHECK: pm.map {{.*}} ins(%[[F]] : {{.*}}) outs(%[[R]] :
// CHECK: }
// CHECK: pm.output "r"(%[[F]], %[[R]]
// CHECK: pm.map {{.*}} ins(%[[R]], %[[L:[0-9]+]] : {{.*}}) outs(%[[R]] :
// CHECK: pm.map {{.*}} ins(%[[R]] : {{.*}}) outs(%[[O:[0-9]+]] :
// CHECK: pm.interpolate cic(%[[R]] :
// CHECK: pm.output "o"(%[[O]]
// REMARK: 1 copies
func.func @main() {
  %seed = arith.constant 1 : i64
  %c = pm.param_value "c" : i1
  %one = arith.constant 1.0 : f64
  %f = pm.white_noise %seed -> !F
  %r:2 = scf.if %c -> (!F, f64) {
    scf.yield %f, %one : !F, f64
  } else {
    %m = pm.map [x=8, y=8] ins(%f : !F) {
    ^bb0(%e: f32):
      %t = arith.addf %e, %e : f32
      pm.yield %t : f32
    } -> !F
    %s = pm.reduce sum [x=8, y=8] ins(%m : !F) {
    ^bb0(%e: f32):
      pm.yield %e : f32
    } scalars f64
    scf.yield %m, %s : !F, f64
  }
  pm.output "r"(%f, %r#0 : !F, !F)
  pm.print "{}"(%r#1)
  %l = pm.white_noise %seed -> !L
  %p = pm.map [x=8, y=8] ins(%r#0, %l : !F, !L) {
  ^bb0(%e: f32, %g: f32):
    %t = arith.addf %e, %g : f32
    pm.yield %t : f32
  } -> !F
  %o = pm.map [x=8, y=8] ins(%p : !F) {
  ^bb0(%e: f32):
    %t = pm.interpolate cic (%p : !F) at (%e, %e : f32, f32) -> f32
    pm.yield %t : f32
  } -> !F
  pm.output "o"(%o : !F)
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>

// What a while loop carries.
// CHECK-LABEL: func.func @main
// CHECK: %[[F:.*]] = pm.alloc 0
// CHECK-NOT: pm.alloc
// CHECK: scf.while (%{{.*}} = %{{.*}}) : (i64) -> i64 {
// CHECK: pm.map {{.*}} ins(%[[F]] : {{.*}}) outs(%[[F]] :
// CHECK: pm.output "f"(%[[F]]
// REMARK: 1 buffers, 256 bytes at the peak, 0 copies
func.func @main() {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %f = pm.white_noise %zero -> !F
  %r:2 = scf.while (%a = %f, %i = %zero) : (!F, i64) -> (!F, i64) {
    %more = arith.cmpi slt, %i, %one : i64
    scf.condition(%more) %a, %i : !F, i64
  } do {
  ^bb0(%a: !F, %i: i64):
    %m = pm.map [x=8, y=8] ins(%a : !F) {
    ^bb0(%e: f32):
      %t = arith.addf %e, %e : f32
      pm.yield %t : f32
    } -> !F
    %next = arith.addi %i, %one : i64
    scf.yield %m, %next : !F, i64
  }
  pm.output "f"(%r#0 : !F)
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>
!L = !pm.field<[x=8], f32>

// The line is read (at 2 * 2) as long as its reader writes (at 2 * 2 + 1): the
// two may not share memory.
// CHECK: pm.plan [!pm.buffer<[x=8], f32>, !pm.buffer<[x=8, y=8], f32>] starts [3, 5] ends [5, 7]
func.func @main() {
  %seed = arith.constant 1 : i64
  %l = pm.white_noise %seed -> !L
  %p = pm.map [x=8, y=8] ins(%l : !L) {
  ^bb0(%e: f32):
    %t = arith.addf %e, %e : f32
    pm.yield %t : f32
  } -> !F
  pm.output "p"(%p : !F)
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>

// A choice between fields is a branch that copies one of them.
// CHECK-LABEL: func.func @main
// CHECK: %[[F:.*]] = pm.alloc 0
// CHECK: %[[G:.*]] = pm.alloc 1
// CHECK: scf.if
// CHECK-NOT: pm.copy
// CHECK: } else {
// CHECK-NEXT: pm.copy %[[G]] outs(%[[F]] :
// CHECK: pm.output "r"(%[[F]] :
func.func @main() {
  %seed = arith.constant 1 : i64
  %c = pm.param_value "c" : i1
  %f = pm.white_noise %seed -> !F
  %g = pm.white_noise %seed -> !F
  %r = arith.select %c, %f, %g : !F
  pm.output "r"(%r : !F)
  return
}
