// RUN: pm-opt --pm-lower-domains --split-input-file --verify-diagnostics %s

func.func @reduce(%ctx: !llvm.ptr) {
  %0 = pm.alloc 0 : !pm.buffer<[x=6, z=7], f32>
  %1 = pm.alloc 1 : !pm.buffer<[x=6], f32>
  %2 = pm.alloc 2 : !pm.buffer<[z=7], f32>
  // expected-error@+1 {{has results over [x=6] and [z=7], expected the same dims}}
  pm.reduce sum [x=6, z=7] ins(%0 : !pm.buffer<[x=6, z=7], f32>) outs(%1, %2 : !pm.buffer<[x=6], f32>, !pm.buffer<[z=7], f32>) {
  ^bb0(%a: f32):
    pm.yield %a, %a : f32, f32
  }
  return
}

// -----

func.func @bins(%ctx: !llvm.ptr) {
  %0 = pm.alloc 0 : !pm.buffer<[x=6], f64>
  %1 = pm.alloc 1 : !pm.buffer<[m=4], f64>
  %2 = pm.alloc 2 : !pm.buffer<[m=5], f64>
  // expected-error@+1 {{has a result '!pm.buffer<[m=5], f64>', expected f64 over the same space dims}}
  pm.bins [x=6] ins(%0 : !pm.buffer<[x=6], f64>) outs(%1, %2 : !pm.buffer<[m=4], f64>, !pm.buffer<[m=5], f64>) {
  ^bb0(%a: f64):
    %b = arith.fptosi %a : f64 to i64
    pm.yield %b, %a, %a : i64, f64, f64
  }
  return
}

// -----

func.func @field(%ctx: !llvm.ptr, %f: !pm.field<[x=6], f32>) {
  // expected-error@+1 {{uses a field, expected buffers; run pm-plan-memory first}}
  %0 = pm.map [x=6] ins(%f : !pm.field<[x=6], f32>) {
  ^bb0(%a: f32):
    pm.yield %a : f32
  } -> !pm.field<[x=6], f32>
  return
}

// -----

// expected-error@+1 {{has no context argument; run pm-pass-context first}}
func.func @context() {
  %0 = pm.alloc 0 : !pm.buffer<[x=6], f32>
  pm.map [x=6] outs(%0 : !pm.buffer<[x=6], f32>) {
    %a = arith.constant 1.0 : f32
    pm.yield %a : f32
  }
  return
}
