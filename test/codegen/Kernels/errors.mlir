// RUN: pm-opt --split-input-file --verify-diagnostics %s

// expected-error@+1 {{a span has numbers or spans, not 'index'}}
func.func private @element(!pmk.span<index>)

// -----

func.func @load(%v: !pmk.span<f32>, %i: i64) {
  // expected-error@+1 {{has a value of type 'f64', expected 'f32' of '!pmk.span<f32>'}}
  %x = pmk.load %v[%i] : !pmk.span<f32> -> f64
  return
}

// -----

func.func @store(%v: !pmk.span<f32>, %i: i64) {
  // expected-error@+1 {{has a value of type 'i64', expected 'f32' of '!pmk.span<f32>'}}
  pmk.store %i, %v[%i] : i64, !pmk.span<f32>
  return
}

// -----

func.func @space(%p: !llvm.ptr) {
  // expected-error@+1 {{has an address of type '!llvm.ptr', expected '!llvm.ptr<3>' of '!pmk.span<f32, shared>'}}
  %v = pmk.span %p : !llvm.ptr -> !pmk.span<f32, shared>
  return
}

// -----

func.func @add(%v: !pmk.span<i1>, %i: i64, %x: i1) {
  // expected-error@+1 {{adds 'i1', expected floats or i64}}
  pmk.atomic_add device %x, %v[%i] : i1, !pmk.span<i1>
  return
}

// -----

func.func @chunk() {
  // expected-error@+1 {{has 20 elements, expected a multiple of 16}}
  %c = pmk.chunk 20 : !pmk.span<f32>
  return
}

// -----

func.func @table() {
  // expected-error@+1 {{has elements of type '!pmk.span<f32>', expected numbers}}
  %c = pmk.chunk 64 : !pmk.span<!pmk.span<f32>>
  return
}

// -----

func.func @branch(%c: i1) {
  scf.if %c {
    // expected-error@+1 {{must be in its function's first block}}
    %v = pmk.chunk 64 : !pmk.span<f32>
  }
  return
}

// -----

func.func @missing(%n: i64) {
  // expected-error@+1 {{starts @kernel, which is not a function}}
  pmk.parallel_for @kernel() over %n each %n "map" at 0
  return
}

// -----

// expected-note@+1 {{the kernel takes '!pmk.span<f64>', 'i64', 'i64'}}
func.func private @kernel(!pmk.span<f64>, i64, i64)
func.func @captures(%v: !pmk.span<f32>, %n: i64) {
  // expected-error@+1 {{hands over '!pmk.span<f32>' and 2 more}}
  pmk.parallel_for @kernel(%v) over %n each %n "map" at 0 : !pmk.span<f32>
  return
}
