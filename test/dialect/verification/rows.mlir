// RUN: pm-opt %s --split-input-file --verify-diagnostics

func.func @grid(%t: !pm.table, %i: i64, %f: !pm.field<[x=4], f32>) {
  %s = pm.row_sums %t
  // expected-error@+1 {{adds a '!pm.field<[x=4], f32>', expected a 1-D field of f64}}
  pm.add_to_rows %s[%i] %f : !pm.field<[x=4], f32>
  return
}

// -----

func.func @read(%t: !pm.table, %x: f64) -> f64 {
  // expected-note@+1 {{prior use here}}
  %s = pm.row_sums %t
  // expected-error@+1 {{use of value '%s' expects different type than prior uses: '!pm.table' vs '!pm.row_sums'}}
  %y = pm.lookup %s at %x
  return %y : f64
}

// -----

func.func @add(%t: !pm.table, %i: i64, %y: f64) {
  // expected-error@+2 {{use of value '%t' expects different type than prior uses: '!pm.row_sums' vs '!pm.table'}}
  // expected-note@-2 {{prior use here}}
  pm.add_to_row %t[%i] %y
  return
}
