// RUN: pm-opt %s --pm-expand-all | FileCheck %s --check-prefix=EXPANDED
// RUN: pm-opt %s --pm-expand-all --pm-optimize | FileCheck %s

// Shifts are maps of one reading, the transposed ones of some more at the edge; fusion makes one loop of them and
// of what reads them.

!f = !pm.field<[x=8, y=6], f32>

// EXPANDED-LABEL: func.func @main

// Everything but the neighbors of what is not computed at each of them is one loop: elements are read as such.
// CHECK-LABEL: func.func @main
// CHECK: %[[F:.*]] = pm.white_noise
// CHECK: %[[ALL:.*]]:5 = pm.map [x=8, y=6] ins(%[[F]] : {{.*}}) {
// CHECK-NEXT: ^bb0(%[[E:.*]]: f32):
// CHECK-DAG: %[[ROOT:.*]] = math.sqrt %[[E]]
// CHECK-DAG: pm.neighbor %[[F]][-7 clamp, 6 zero]
// CHECK-DAG: pm.neighbor %[[F]][-3, 2]
// CHECK-DAG: %[[BESIDE:.*]] = pm.neighbor %[[F]][0, 1] :
// CHECK-DAG: %[[PAIR:.*]] = arith.addf %[[E]], %[[BESIDE]]
// CHECK-DAG: arith.mulf %[[E]], %[[THREE:.*]] : f32
// CHECK-DAG: %[[DOWN:.*]] = pm.neighbor %[[F]][-1, 0]
// CHECK-DAG: arith.mulf %[[DOWN]], %[[THREE]]
// CHECK-DAG: %[[UP:.*]] = pm.neighbor %[[F]][3, 0]
// CHECK-DAG: arith.mulf %[[UP]], %[[THREE]]
// CHECK-DAG: %[[MORE:.*]] = arith.addf %[[E]], %[[THREE]]
// CHECK: pm.yield %{{.*}}, %[[ROOT]], %{{.*}}, %[[MORE]], %[[PAIR]] :
// CHECK: pm.map [x=8, y=6] {
// CHECK-NEXT: pm.neighbor %[[ALL]]#3[1 zero, 0]
// CHECK: pm.map [x=8, y=6] {
// CHECK-NEXT: pm.neighbor %[[ALL]]#4[0, 2]
// CHECK: pm.output "pair"
// What follows from another result is not kept beside it.
// CHECK: pm.map [x=8, y=6] ins(%[[ALL]]#1 : {{.*}}) {
// CHECK-NEXT: ^bb0(%[[C:.*]]: f32):
// CHECK-DAG: arith.mulf %[[C]], %[[THREE_:.*]] : f32
// CHECK-DAG: pm.neighbor %[[ALL]]#1[1, 0]
// CHECK-NOT: pm.map
func.func @main() {
  %seed = arith.constant 1 : i64
  %c = arith.constant 3.0 : f32
  %f = pm.white_noise %seed -> !f

  // The least offset that reads the same cells.
  // EXPANDED: pm.neighbor %{{.*}}[-3, 2] : {{.*}}
  %a = pm.shift %f[13, -4] : !f
  // EXPANDED: pm.neighbor %{{.*}}[-7 clamp, 6 zero] : {{.*}}
  %b = pm.shift %f[-20 clamp, 20 zero] : !f
  // The last cell is read by all that lie less than the offset from it.
  // EXPANDED: %[[A:.*]] = pm.neighbor %{{.*}}[-2 zero, 0] : {{.*}}
  // EXPANDED: %[[B:.*]] = pm.neighbor %{{.*}}[-1 zero, 0] : {{.*}}
  // EXPANDED: %[[X:.*]] = pm.coordinate "x"
  // EXPANDED: %[[LAST:.*]] = arith.cmpf oeq, %[[X]],
  // EXPANDED: arith.select %[[LAST]], %[[B]],
  // EXPANDED: pm.neighbor %{{.*}}[0, 0] : {{.*}}
  %d = pm.shift transposed %f[2 clamp, 0] : !f
  // EXPANDED: pm.neighbor %{{.*}}[0, 1 zero] : {{.*}}
  // EXPANDED: pm.neighbor %{{.*}}[0, -1 zero] : {{.*}}
  // EXPANDED: %[[Y:.*]] = pm.coordinate "y"
  %e = pm.shift transposed %f[0, -1 reflect] : !f
  %sum = pm.map [x=8, y=6] ins(%a, %b, %d, %e : !f, !f, !f, !f) {
  ^bb0(%p: f32, %q: f32, %r: f32, %s: f32):
    %t = arith.addf %p, %q : f32
    %u = arith.addf %r, %s : f32
    %v = arith.mulf %t, %u : f32
    pm.yield %v : f32
  } -> !f
  pm.output "sum" (%sum : !f)

  // A cheap map of one element is computed at every neighbor, and neighbors of neighbors are some.
  %scaled = pm.map [x=8, y=6] ins(%f : !f) {
  ^bb0(%p: f32):
    %q = arith.mulf %p, %c : f32
    pm.yield %q : f32
  } -> !f
  %up = pm.shift %scaled[1, 0] : !f
  %up3 = pm.shift %up[2, 0] : !f
  %down = pm.shift %scaled[-1, 0] : !f
  %back = pm.shift %up[-1, 0] : !f
  %both = pm.map [x=8, y=6] ins(%up3, %down, %back : !f, !f, !f) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.subf %p, %q : f32
    %t = arith.addf %s, %r : f32
    pm.yield %t : f32
  } -> !f
  pm.output "scaled" (%both : !f)

  // Not what is not a 0 where there is none, nor what reads several elements.
  %more = pm.map [x=8, y=6] ins(%f : !f) {
  ^bb0(%p: f32):
    %q = arith.addf %p, %c : f32
    pm.yield %q : f32
  } -> !f
  %inside = pm.shift %more[1 zero, 0] : !f
  pm.output "more" (%inside : !f)
  %beside = pm.shift %f[0, 1] : !f
  %pair = pm.map [x=8, y=6] ins(%f, %beside : !f, !f) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    pm.yield %s : f32
  } -> !f
  %far = pm.shift %pair[0, 2] : !f
  pm.output "pair" (%far : !f)
  %root:2 = pm.map [x=8, y=6] ins(%f : !f) {
  ^bb0(%p: f32):
    %s = math.sqrt %p : f32
    %t = arith.mulf %s, %c : f32
    pm.yield %s, %t : f32, f32
  } -> !f, !f
  %above = pm.shift %root#0[1, 0] : !f
  %rest = pm.map [x=8, y=6] ins(%above, %root#1 : !f, !f) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    pm.yield %s : f32
  } -> !f
  pm.output "rest" (%rest : !f)
  return
}
