// RUN: pm-opt %s -split-input-file -verify-diagnostics

!f = !pm.field<[x=8], complex<f32>>
func.func @complex(%f: !f) {
  // expected-error@+1 {{stores '!pm.field<[x=8], complex<f32>>', expected real elements}}
  %a = pm.stored %f as bf16 : !f
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @format(%f: !f) {
  // expected-error@+1 {{stores as 'f32', expected bf16 or f16}}
  %a = pm.stored %f as f32 : !f
  return
}

// -----

!f = !pm.field<[x=8], bf16>
func.func @again(%f: !f) {
  // expected-error@+1 {{stores '!pm.field<[x=8], bf16>', expected real elements}}
  %a = pm.stored %f as f16 : !f
  return
}
