// RUN: pm-opt %s --pm-shard -verify-diagnostics -split-input-file

pm.mesh @ranks axes = ["row"] extents = [1]
// expected-note@+1 {{'x' is laid out here}}
pm.layout "x" -> ["row"]
// expected-note@+1 {{'y' is laid out here}}
pm.layout "y" -> ["row"]
func.func @main() {
  %seed = arith.constant 1 : i64
  // expected-error@+1 {{the mesh axis "row" splits two dims of [x=8, y=8], 'x' and 'y'}}
  %f = pm.white_noise %seed -> !pm.field<[x=8, y=8], f32>
  %a = pm.white_noise %seed -> !pm.field<[x=8], f32>
  %b = pm.white_noise %seed -> !pm.field<[y=8], f32>
  // No field over the whole domain, but a domain.
  // expected-error@+1 {{the mesh axis "row" splits two dims of [x=8, y=8], 'x' and 'y'}}
  %s = pm.reduce sum [x=8, y=8] ins(%a, %b : !pm.field<[x=8], f32>, !pm.field<[y=8], f32>) {
  ^bb0(%c: f32, %d: f32):
    %e = arith.mulf %c, %d : f32
    pm.yield %e : f32
  } scalars f64
  pm.print "{}"(%s)
  return
}

// -----

// A dual's own layout.
pm.mesh @ranks axes = ["row"] extents = [1]
// expected-note@+1 {{'y' is laid out here}}
pm.layout "y" -> ["row"]
// expected-note@+1 {{'kx' is laid out here}}
pm.layout "kx" -> ["row"]
func.func @main() {
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !pm.field<[x=8, y=8], f32>
  // expected-error@+1 {{the mesh axis "row" splits two dims of [kx=half(8), y=8], 'kx' and 'y'}}
  %k = pm.fft %f over ["x"] raw : !pm.field<[x=8, y=8], f32> -> !pm.field<[kx=half(8), y=8], complex<f32>>
  return
}

// -----

// An op that cannot tell.
pm.mesh @ranks axes = ["row"] extents = [1]
pm.layout "x" -> ["row"]
func.func @main() {
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !pm.field<[x=8], f32>
  // expected-error@+1 {{'pm.copy' op uses fields but does not implement ShardableOpInterface}}
  %g = pm.copy %f : !pm.field<[x=8], f32> -> !pm.field<[x=8], f32>
  return
}
