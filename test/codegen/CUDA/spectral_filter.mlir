// RUN: pm-opt %s --pm-attach-target=kind=cuda --pm-plan-memory --pm-pass-context --pm-lower-ops --verify-diagnostics

func.func @main() {
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !pm.field<[x=8], f32>
  // expected-error@+1 {{runs between the passes of a transform, which only CPUs can, and the target is cuda; leave out pm-filter-spectra}}
  %r, %memory = pm.spectral_filter %f over ["x"] through [kx=half(8)] {
  ^bb0(%mode: complex<f32>):
    pm.yield %mode : complex<f32>
  } : !pm.field<[x=8], f32> -> !pm.field<[x=8], f32>, !pm.field<[kx=half(8)], complex<f32>>
  pm.output "r"(%r : !pm.field<[x=8], f32>)
  return
}
