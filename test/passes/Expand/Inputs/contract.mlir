// What ranks do not share is summed by contractions, in order; what they share, exactly.
!a = !pm.field<[i=4, k=8], f32>
!b = !pm.field<[k=8, j=4], f32>
!c = !pm.field<[i=4, j=4], f32>
!d = !pm.field<[x=8, i=4, k=8], f32>
!e = !pm.field<[x=8, k=8, j=4], f32>
!g = !pm.field<[x=8, i=4], f32>
!h = !pm.field<[x=8, j=4], f32>
!u = !pm.field<[x=8, k=64], f32>
!w = !pm.field<[t=3], f32>
module attributes {pm.deterministic} {
  pm.mesh @ranks axes = ["row"] extents = [1]
  pm.layout "x" -> ["row"]

  // CHECK-LABEL: @whole
  // CHECK-NEXT: %[[C:.*]] = pm.contract %{{.*}}, %{{.*}} : {{.*}} -> !pm.field<[i=4, j=4], f32>
  // CHECK-NEXT: return %[[C]]
  func.func @whole(%a: !a, %b: !b) -> !c {
    %c = pm.contract %a, %b : !a, !b -> !c
    return %c : !c
  }

  // Along x by ranks: a sum of 8 numbers an element.
  // CHECK-LABEL: @part
  // CHECK: %[[P:.*]] = pm.contract %{{.*}}, %{{.*}} : {{.*}} -> !pm.field<[x=8, i=4, j=4], f32>
  // CHECK: arith.constant 2.400000e+01 : f64
  // CHECK: pm.reduce sum [x=8, i=4, j=4] ins(%[[P]]
  // CHECK: -> !pm.field<[i=4, j=4], f64>, !pm.field<[i=4, j=4], f64>
  func.func @part(%d: !d, %e: !e) -> !c {
    %c = pm.contract %d, %e : !d, !e -> !c
    return %c : !c
  }

  // What a contraction would keep for every x is more than it reads.
  // CHECK-LABEL: @loop
  // CHECK-NOT: pm.contract
  // CHECK: pm.reduce sum [x=8, i=4, j=4]
  // CHECK-NEXT: ^bb0(%[[L:.*]]: f32, %[[R:.*]]: f32):
  // CHECK-NEXT: arith.mulf %[[L]], %[[R]]
  func.func @loop(%g: !g, %h: !h) -> !c {
    %c = pm.contract %g, %h : !g, !h -> !c
    return %c : !c
  }

  // The gradient of a convolution along k in its taps.
  // CHECK-LABEL: @taps
  // CHECK: %[[T:.*]] = pm.convolve %{{.*}} -> !pm.field<[x=8, t=3], f32>
  // CHECK: pm.reduce sum [x=8, t=3] ins(%[[T]]
  func.func @taps(%u: !u, %o: !u) -> !w {
    %r = pm.convolve %u[0, -1 zero], %o {divisors = array<i64: 1, 1>, terms = [array<i64: 0, 1>, array<i64: 1, 1, 2, 1>]} : !u, !u -> !w
    return %r : !w
  }
}
