// RUN: pm-opt %s -split-input-file -verify-diagnostics

!F = !pm.field<[x=8], f32>
func.func @complex(%n: i64) {
  // expected-error @+1 {{holds a 'complex<f64>', expected f32, f64, i64 or fields}}
  %store = pm.checkpoint_store %n of [!F, complex<f64>]
  return
}

// -----

!F = !pm.field<[x=8], f32>
func.func @save(%f: !F, %n: i64) {
  // expected-note @+1 {{of this checkpoint store}}
  %store = pm.checkpoint_store %n of [!F, f64]
  // expected-error @+1 {{has a state of types ('!pm.field<[x=8], f32>', 'i64'), expected ('!pm.field<[x=8], f32>', 'f64')}}
  pm.save %store at %n (%f, %n : !F, i64)
  return
}

// -----

!F = !pm.field<[x=8], f32>
func.func @restore(%n: i64) {
  // expected-note @+1 {{of this checkpoint store}}
  %store = pm.checkpoint_store %n of [!F]
  // expected-error @+1 {{has a state of types ('!pm.field<[x=8], f64>'), expected ('!pm.field<[x=8], f32>')}}
  %f = pm.restore %store at %n -> !pm.field<[x=8], f64>
  return
}

// -----

func.func @names(%e: f64) {
  // expected-error @+1 {{has 2 names, expected 1, one for each error}}
  pm.reversal ["u", "v"] (%e)
  return
}

// -----

func.func @comma(%e: f64) {
  // expected-error @+1 {{has the name 'u,v', expected one without commas}}
  pm.reversal ["u,v"] (%e)
  return
}
