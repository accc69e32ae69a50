// RUN: pm-opt %s --pm-count-modes --verify-diagnostics

!K = !pm.field<[kx=dual(4), ky=half(8)], f32>
!X = !pm.field<[kx=dual(4)], f32>

func.func @kept(%k: !K) -> !X {
  // expected-error@+1 {{a reduction over 'ky' that keeps 'kx' requires modes that are stored at the opposite 'kx'; reduce that as well, or use bins by its index: bins k in fk into 4 by index(k, x) + 2 => …}}
  %r = pm.reduce sum [kx=dual(4), ky=half(8)] ins(%k : !K) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !X
  return %r : !X
}
