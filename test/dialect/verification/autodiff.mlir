// RUN: pm-opt %s -split-input-file -verify-diagnostics

func.func @g(%s: f64) -> f64 {
  // expected-error@+1 {{'pm.jvp' op differentiates @missing, expected a function}}
  %0:2 = pm.jvp @missing(%s) wrt [0] along (%s) : (f64), (f64) -> (f64, f64)
  return %0#1 : f64
}

// -----

// expected-note@+1 {{of this function}}
func.func @f(%s: f64, %n: i64) -> (f64, i64) {
  return %s, %n : f64, i64
}
func.func @g(%s: f64) -> f64 {
  // expected-error@+1 {{'pm.vjp' op has arguments ('f64'), expected ('f64', 'i64')}}
  %0:3 = pm.vjp @f(%s) wrt [0] of [0] (%s) schedule keep : (f64), (f64) -> (f64, i64, f64)
  return %0#2 : f64
}

// -----

func.func @f(%s: f64, %n: i64) -> (f64, i64) {
  return %s, %n : f64, i64
}
func.func @g(%s: f64, %n: i64) {
  // expected-error@+1 {{'pm.jvp' op has 2 positions in 'wrt', but 1 values}}
  %0:3 = pm.jvp @f(%s, %n) wrt [0, 1] along (%s) : (f64, i64), (f64) -> (f64, i64, f64)
  return
}

// -----

func.func @f(%s: f64, %t: f64) -> f64 {
  return %s : f64
}
func.func @g(%s: f64) {
  // expected-error@+1 {{'pm.jvp' op has position 0 in 'wrt', expected more than 1 and less than 2}}
  %0:2 = pm.jvp @f(%s, %s) wrt [1, 0] along (%s, %s) : (f64, f64), (f64, f64) -> (f64, f64)
  return
}

// -----

func.func @f(%s: f64, %t: f64) -> f64 {
  return %s : f64
}
func.func @g(%s: f64) {
  // expected-error@+1 {{'pm.jvp' op has position 0 in 'wrt', expected more than 0 and less than 2}}
  %0:2 = pm.jvp @f(%s, %s) wrt [0, 0] along (%s, %s) : (f64, f64), (f64, f64) -> (f64, f64)
  return
}

// -----

func.func @f(%s: f64) -> (f64, f64) {
  return %s, %s : f64, f64
}
func.func @g(%s: f64) {
  // expected-error@+1 {{'pm.vjp' op has position 1 in 'of', expected more than 1 and less than 2}}
  %0:3 = pm.vjp @f(%s) wrt [0] of [1, 1] (%s, %s) schedule keep : (f64), (f64, f64) -> (f64, f64, f64)
  return
}

// -----

func.func @f(%s: f64, %n: i64) -> (f64, i64) {
  return %s, %n : f64, i64
}
func.func @g(%s: f64, %n: i64) {
  // expected-error@+1 {{'pm.vjp' op has a 'f64' for position 1 in 'of', expected a differentiable 'i64'}}
  %0:3 = pm.vjp @f(%s, %n) wrt [0] of [1] (%s) schedule keep : (f64, i64), (f64) -> (f64, i64, f64)
  return
}

// -----

func.func @f(%s: f64, %n: i64) -> (f64, i64) {
  return %s, %n : f64, i64
}
func.func @g(%s: f64, %n: i64) {
  // expected-error@+1 {{'pm.jvp' op has results ('f64', 'i64'), expected ('f64', 'i64', 'f64')}}
  %0:2 = pm.jvp @f(%s, %n) wrt [0] along (%s) : (f64, i64), (f64) -> (f64, i64)
  return
}

// -----

func.func @f(%s: f64, %n: i64) -> (f64, i64) {
  return %s, %n : f64, i64
}
func.func @g(%s: f64, %n: i64) {
  // expected-error@+1 {{'pm.vjp' op has 1 results, expected the 2 of the function first}}
  %0 = pm.vjp @f(%s, %n) wrt [] of [0] (%s) schedule keep : (f64, i64), (f64) -> (f64)
  return
}

// -----

func.func @f(%s: f64) -> f64 {
  return %s : f64
}
func.func @g(%s: f64) {
  // expected-error@+1 {{'pm.vjp' op has schedule revolve with no snapshots, expected at least 1 for revolve, and none for others}}
  %0:2 = pm.vjp @f(%s) wrt [0] of [0] (%s) schedule revolve : (f64), (f64) -> (f64, f64)
  return
}

// -----

func.func @f(%s: f64) -> f64 {
  return %s : f64
}
func.func @g(%s: f64) {
  // expected-error@+1 {{'pm.vjp' op has schedule revolve with 0 snapshots, expected at least 1 for revolve, and none for others}}
  %0:2 = pm.vjp @f(%s) wrt [0] of [0] (%s) schedule revolve 0 : (f64), (f64) -> (f64, f64)
  return
}

// -----

func.func @f(%s: f64) -> f64 {
  return %s : f64
}
func.func @g(%s: f64) {
  // expected-error@+1 {{'pm.vjp' op has schedule keep with 2 snapshots, expected at least 1 for revolve, and none for others}}
  %0:2 = pm.vjp @f(%s) wrt [0] of [0] (%s) schedule keep 2 : (f64), (f64) -> (f64, f64)
  return
}

// -----

func.func @g(%n: i64) {
  // expected-error@+1 {{'pm.checkpoint_store' op holds a 'i1', expected f32, f64, i64 or fields}}
  %0 = pm.checkpoint_store %n of [i1]
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>
func.func @g(%a: !F) {
  // expected-error@+1 {{'pm.paint' op has 1 orders, expected 2}}
  %0 = pm.paint cic %a, %a {orders = array<i64: 1>} : !F, !F -> !F
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>
func.func @g(%a: !F) {
  // expected-error@+1 {{'pm.readout' op has order -1, expected 0 or more}}
  %0 = pm.readout cic %a at %a, %a {orders = array<i64: 0, -1>} : !F at !F, !F -> !F
  return
}
