// RUN: pm-opt --pm-check-undefined %s | FileCheck %s
// A program for the sanitizers stops where what an op gives is undefined, and names the place.

// CHECK-DAG: llvm.mlir.global internal constant @[[DIVISION:.*]]("a division by zero\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[NUMBER:.*]]("a number does not fit into the integer that it is converted to\00")
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("{{.*}}undefined.mlir:{{[0-9]+}}:8\00")

// CHECK-LABEL: func.func @convert(
// CHECK-SAME: %[[X:.*]]: f64)
// CHECK: %[[LOW:.*]] = arith.constant -9.2233720368547758E+18 : f64
// CHECK: %[[ABOVE:.*]] = arith.cmpf oge, %[[X]], %[[LOW]] : f64
// CHECK: %[[HIGH:.*]] = arith.constant 9.2233720368547758E+18 : f64
// CHECK: %[[BELOW:.*]] = arith.cmpf olt, %[[X]], %[[HIGH]] : f64
// CHECK: %[[GOOD:.*]] = arith.andi %[[ABOVE]], %[[BELOW]] : i1
// CHECK: %[[BAD:.*]] = arith.xori %[[GOOD]], %{{.*}} : i1
// CHECK: scf.if %[[BAD]] {
// CHECK:   llvm.mlir.addressof @[[NUMBER]]
// CHECK:   llvm.call @pmrt_undefined(
// CHECK: arith.fptosi %[[X]]
func.func @convert(%x: f64) -> i64 {
  %i = arith.fptosi %x : f64 to i64
  return %i : i64
}

// CHECK-LABEL: func.func @divide(
// CHECK-SAME: %[[A:.*]]: i64, %[[B:.*]]: i64)
// CHECK: %[[GOOD:.*]] = arith.cmpi ne, %[[B]], %{{.*}} : i64
// CHECK: %[[BAD:.*]] = arith.xori %[[GOOD]], %{{.*}} : i1
// CHECK: scf.if %[[BAD]] {
// CHECK:   llvm.mlir.addressof @[[DIVISION]]
// CHECK:   llvm.call @pmrt_undefined(
// CHECK: arith.divsi %[[A]], %[[B]]
func.func @divide(%a: i64, %b: i64) -> i64 {
  %c = arith.divsi %a, %b : i64
  return %c : i64
}

// By what is known not to be 0, nothing is looked at.
// CHECK-LABEL: func.func @known(
// CHECK-NOT: scf.if
func.func @known(%a: i64) -> i64 {
  %two = arith.constant 2 : i64
  %c = arith.divsi %a, %two : i64
  return %c : i64
}
