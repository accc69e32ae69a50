// RUN: pm-opt %s --split-input-file --verify-diagnostics

func.func @grid(%t: !pm.table, %i: i64, %f: !pm.field<[x=4], f32>) {
  %s = pm.row_sums %t
  // expected-error@+1 {{adds a '!pm.field<[x=4], f32>', expected a 1-D field of f64}}
  pm.add_to_rows %s[%i] %f : !pm.field<[x=4], f32>
  return
}

// -----

func.func @read(%t: !pm.table, %x: f64) -> f64 {
  // expected-error@+1 {{is used as a table, expected nothing but sums of its rows}}
  %s = pm.row_sums %t
  // expected-note@+1 {{used here}}
  %y = pm.lookup %s at %x
  return %y : f64
}
