// What is printed reads back as itself: ops on fields, in both forms.
// RUN: pm-opt %s | FileCheck %s
// RUN: pm-opt %s --mlir-print-op-generic | pm-opt | FileCheck %s

!f = !pm.field<[x=8, y=4], f32>
!g = !pm.field<[x=8], f32>
!k = !pm.field<[kx=dual(8), ky=half(4)], complex<f32>>
!m = !pm.field<[x*2=16, y*2=8], f32>
!h = !pm.field<[m=3], f64>
!fb = !pm.buffer<[x=8, y=4], f32>
!kb = !pm.buffer<[kx=dual(8), ky=half(4)], complex<f32>>
!hb = !pm.buffer<[m=3], f64>

// CHECK-LABEL: func.func @values(
func.func @values(%a: !f, %b: !g, %mesh: !m, %seed: i64, %bin: i64) {
  // CHECK: %[[MAP:.*]]:2 = pm.map [x=8, y=4] ins(%{{.*}}, %{{.*}} : !pm.field<[x=8, y=4], f32>, !pm.field<[x=8], f32>) {
  // CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
  // CHECK:   pm.coordinate "y"
  // CHECK:   pm.yield %{{.*}}, %{{.*}} : f32, f64
  // CHECK: } -> !pm.field<[x=8, y=4], f32>, !pm.field<[x=8, y=4], f64>
  %map:2 = pm.map [x=8, y=4] ins(%a, %b : !f, !g) {
  ^bb0(%e: f32, %g: f32):
    %y = pm.coordinate "y"
    pm.yield %g, %y : f32, f64
  } -> !f, !pm.field<[x=8, y=4], f64>
  // CHECK: pm.reduce max [x=8, y=4] ins(
  // CHECK: } scalars f64
  %max = pm.reduce max [x=8, y=4] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } scalars f64
  // CHECK: pm.reduce sum [x=8, y=4] ins(
  // CHECK: } -> !pm.field<[x=8], f32>
  %sum = pm.reduce sum [x=8, y=4] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !g
  // CHECK: pm.bins [x=8, y=4] ins(
  // CHECK:   pm.yield %{{.*}}, %{{.*}} : i64, f32
  // CHECK: } -> !pm.field<[m=3], f64>
  %bins = pm.bins [x=8, y=4] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %bin, %e : i64, f32
  } -> !h
  // CHECK: } -> !pm.field<[m=3, p=5], f64>
  %cells = pm.bins [x=8, y=4] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %bin, %e : i64, f32
  } -> !pm.field<[m=3, p=5], f64>
  // CHECK: pm.scatter cic [x=8, y=4] ins(
  // CHECK: } -> !pm.field<[x*2=16, y*2=8], f32>
  %scatter = pm.scatter cic [x=8, y=4] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  } -> !m
  // CHECK: pm.scatter tsc [x=8, y=4] free ins(
  %free = pm.scatter tsc [x=8, y=4] free ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  } -> !pm.field<[u=5, v=5], f32>
  // CHECK: pm.map [x=8, y=4] ins(
  // CHECK:   pm.interpolate cic(%{{.*}} : !pm.field<[x*2=16, y*2=8], f32>) at(%{{.*}}, %{{.*}} : f32, f32) -> f32
  %read = pm.map [x=8, y=4] ins(%a : !f) {
  ^bb0(%e: f32):
    %v = pm.interpolate cic (%mesh : !m) at (%e, %e : f32, f32) -> f32
    pm.yield %v : f32
  } -> !f
  // CHECK: pm.paint cic %{{.*}}, %{{.*}} weight %{{.*}} : !pm.field<[x=8, y=4], f32> : !pm.field<[x=8, y=4], f32>, !pm.field<[x=8, y=4], f32> -> !pm.field<[x*2=16, y*2=8], f32>
  %painted = pm.paint cic %a, %a weight %a : !f : !f, !f -> !m
  // CHECK: pm.paint pcs free %{{.*}} : !pm.field<[x=8], f32> -> !pm.field<[u=5], f32>
  %one = pm.paint pcs free %b : !g -> !pm.field<[u=5], f32>
  // CHECK: pm.readout ngp %{{.*}} at %{{.*}}, %{{.*}} : !pm.field<[x*2=16, y*2=8], f32> at !pm.field<[x=8, y=4], f32>, !pm.field<[x=8, y=4], f32> -> !pm.field<[x=8, y=4], f32>
  %readout = pm.readout ngp %mesh at %a, %a : !m at !f, !f -> !f
  // CHECK: %[[K:.*]] = pm.fft %{{.*}} over ["x", "y"] : !pm.field<[x=8, y=4], f32> -> !pm.field<[kx=dual(8), ky=half(4)], complex<f32>>
  %k = pm.fft %a over ["x", "y"] : !f -> !k
  // CHECK: pm.ifft %[[K]] over ["x", "y"] raw : !pm.field<[kx=dual(8), ky=half(4)], complex<f32>> -> !pm.field<[x=8, y=4], f32>
  %back = pm.ifft %k over ["x", "y"] raw : !k -> !f
  // CHECK: pm.white_noise %{{.*}} -> !pm.field<[x=8, y=4], f32>
  %noise = pm.white_noise %seed -> !f
  // CHECK: pm.contract %{{.*}}, %{{.*}} : !pm.field<[x=8, y=4], f32>, !pm.field<[x=8], f32> -> !pm.field<[y=4], f32>
  %products = pm.contract %a, %b : !f, !g -> !pm.field<[y=4], f32>
  return
}

// CHECK-LABEL: func.func @buffers(
func.func @buffers(%a: !fb, %k: !kb, %h: !hb, %seed: i64, %bin: i64) {
  // CHECK: pm.map [x=8, y=4] ins(%{{.*}} : !pm.buffer<[x=8, y=4], f32>) outs(%{{.*}} : !pm.buffer<[x=8, y=4], f32>) {
  pm.map [x=8, y=4] ins(%a : !fb) outs(%a : !fb) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  }
  // CHECK: pm.bins [x=8, y=4] ins(%{{.*}} : !pm.buffer<[x=8, y=4], f32>) outs(%{{.*}} : !pm.buffer<[m=3], f64>)
  pm.bins [x=8, y=4] ins(%a : !fb) outs(%h : !hb) {
  ^bb0(%e: f32):
    pm.yield %bin, %e : i64, f32
  }
  // CHECK: pm.scatter cic [x=8, y=4] ins(%{{.*}}) outs(%{{.*}} : !pm.buffer<[x=8, y=4], f32>) {
  pm.scatter cic [x=8, y=4] ins(%a : !fb) outs(%a : !fb) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  }
  // CHECK: pm.fft %{{.*}} over ["x", "y"] outs(%{{.*}} : !pm.buffer<[kx=dual(8), ky=half(4)], complex<f32>>) : !pm.buffer<[x=8, y=4], f32>
  pm.fft %a over ["x", "y"] outs(%k : !kb) : !fb
  // CHECK: pm.ifft %{{.*}} over ["x", "y"] outs(%{{.*}} : !pm.buffer<[x=8, y=4], f32>) : !pm.buffer<[kx=dual(8), ky=half(4)], complex<f32>>
  pm.ifft %k over ["x", "y"] outs(%a : !fb) : !kb
  // CHECK: pm.white_noise %{{.*}} outs(%{{.*}} : !pm.buffer<[x=8, y=4], f32>)
  pm.white_noise %seed outs(%a : !fb)
  // CHECK: pm.contract %{{.*}}, %{{.*}} outs(%{{.*}} : !pm.buffer<[x=8, y=4], f32>) : !pm.buffer<[x=8, y=4], f32>, !pm.buffer<[x=8, y=4], f32>
  pm.contract %a, %a outs(%a : !fb) : !fb, !fb
  return
}
