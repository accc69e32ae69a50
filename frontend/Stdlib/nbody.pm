// Particle-mesh N-body simulation as FastPM does it (Feng, Chu, Seljak & McDonald 2016).

use math, cosmology, fields

// The particles at `to` (a scale factor) from the particles at `from`, in `steps` kick-drift-kick cycles, equally
// spaced in a. A cycle kicks from a to sqrt(a b) with the force at a, drifts from a to b, and kicks from sqrt(a b) to b
// with the force at b. The two kicks with one force make one, so that `steps` + 1 equal rounds do it: a force, a kick,
// a drift. The first round has no kick before its time, and the last one neither kick nor drift behind it.
//
// boost: force mesh cells a side for each particle a side; kernel, laplacian: see fields; window: of paint and readout.
// checkpoint: rounds between the states that a program with --checkpoint=DIR keeps; 0: none.
fn nbody(c, start, from, to, steps: int, boost: int = 1, kernel = "fd4", laplacian = "exact", window = "cic",
         checkpoint: int = 0) {
  fn time(i) = from + (to - from) * clamp(i, 0, steps) / steps
  loop s = start for i in 0 .. steps + 1 checkpoint every checkpoint => {
    let now = growth(c, time(i))
    let before = growth(c, sqrt(time(i - 1) * time(i)))
    let after = growth(c, sqrt(time(i) * time(i + 1)))
    let next = growth(c, time(i + 1))
    let g = force(s.disp, boost, kernel, laplacian, window)
    let mom = s.mom + kick(now, before, after) * g
    {disp = s.disp + drift(after, now, next) * mom, mom = mom}
  }
}

// g_d = FT^-1[-i k~_d k^-2 delta_k] at the particles: FastPM's sign, `kick` has another minus. delta is their
// overdensity on a mesh of boost cells a side for each of them (its mean does not matter).
fn force[D](disp: vector field[D], boost: int = 1, kernel = "fd4", laplacian = "exact", window = "cic") {
  let cells_each = boost^total(for d in D => 1)
  let dk = fft(paint[refine(D, boost)](disp, window = window))
  let g = for d in dims(dk) => ifft(map k in dk =>
    -1i * (cells_each * gradient_kernel(k, d, kernel) * inverse_laplacian_kernel(k, laplacian)) * dk)
  readout(g, disp, window = window)
}
