// What test/bench/mri measures: data of a head, or a reconstruction of such data.
use mri, solvers, wavelets

const method in ("data", "cg", "wavelets", "fixed", "small", "spun", "zero", "tv") = "data"
const phantom in ("head", "body") = "head"
const n = 64
param weight = 0.002
param iterations: int = 30

dim c = 8
dim x = n, y = n, z = n over 240 mm
dim wide_x = 2 * n, wide_y = 2 * n, wide_z = 2 * n over 480 mm  // of "zero"
input kspace: complex field[c, x, y, z] optional
input maps: complex field[c, x, y, z] optional
input lines: field[x, y] optional

// Another one than the phantom that wavelets were tuned with: organs of weak contrast in a body that is wider than high, a spine,
// vessels along the body, and lesions.
fn body_phantom() = (
  (0.5, 0.9, 0.66, 0.95, 0.0, 0.0, 0.0, 0.0),
  (-0.12, 0.84, 0.6, 0.95, 0.0, 0.0, 0.0, 0.0),
  (0.13, 0.42, 0.36, 0.45, -0.36, 0.12, 0.15, 20 deg),
  (0.09, 0.2, 0.13, 0.28, 0.5, -0.05, 0.1, -35 deg),
  (0.16, 0.11, 0.075, 0.2, 0.36, -0.3, -0.2, 30 deg),
  (0.16, 0.11, 0.075, 0.2, -0.36, -0.3, -0.2, -30 deg),
  (0.2, 0.26, 0.12, 0.3, 0.2, 0.3, 0.2, 10 deg),
  (-0.3, 0.13, 0.11, 0.95, 0.0, -0.38, 0.0, 0.0),
  (0.45, 0.05, 0.045, 0.9, 0.05, -0.18, 0.0, 0.0),
  (0.4, 0.055, 0.04, 0.9, -0.08, -0.17, 0.0, 0.0),
  (0.15, 0.06, 0.06, 0.06, -0.45, 0.22, 0.1, 0.0),
  (-0.1, 0.04, 0.04, 0.04, -0.25, 0.02, 0.25, 0.0),
  (0.12, 0.03, 0.03, 0.03, -0.5, 0.0, 0.0, 0.0))

// As SigPy: FISTA with all coefficients of the image in the midst of zeros, where a filter never reaches around to its other side.
fn sense_in_zeros(data, maps, mask, weight, iterations: int) {
  let e = sense(maps, mask, c)
  let b = e.adjoint(data)
  fn shrink(v, t) {
    let padded = map q in [wide_x, wide_y, wide_z] => {
      let (i, j, k) = (index(q, wide_x), index(q, wide_y), index(q, wide_z))
      if i < n and j < n and k < n then v[x = int(min(i, n - 1)), y = int(min(j, n - 1)), z = int(min(k, n - 1))]
      else 0i
    }
    let image = inverse_wavelet(soft_threshold(wavelet(padded, "db4", 3), t), "db4", 3)
    map q in [x, y, z] => image[wide_x = int(index(q, x)), wide_y = int(index(q, y)), wide_z = int(index(q, z))]
  }
  fista(u => e.normal(u) - b, (v, t) => shrink(v, t * weight), b, 1 / e.bound, iterations).x
}

let shapes = if phantom == "head" then head_phantom() else body_phantom()
let head = centred_ifft(ellipsoids_kspace[x, y, z](shapes))
let coils = birdcage_maps[c, x, y, z](c)
let taken = random_mask[x, y](8, power = 1, centre = n / 8)
if method == "data" {
  output result_truth = head
  output result_maps = coils
  output result_mask = taken
  output result_data = sense(coils, taken, c).forward(head) + taken * k_noise[c, x, y, z](0.01, 1)
} else {
  let data = to_modes(kspace, over = (x, y, z))
  let mask = real(to_modes(lines, over = (x, y)))
  output result = if method == "cg" then cg_sense(data, maps, mask, c, weight, 0, iterations)
                  else if method == "wavelets" then wavelet_sense(data, maps, mask, c, weight, "db4", 3, iterations)
                  else if method == "fixed" then
                    wavelet_sense(data, maps, mask, c, weight, "db4", 3, iterations, shifts = 1)
                  else if method == "small" then
                    wavelet_sense(data, maps, mask, c, weight, "db2", 3, iterations, shifts = 1)
                  else if method == "spun" then wavelet_sense(data, maps, mask, c, weight, "db2", 3, iterations)
                  else if method == "zero" then sense_in_zeros(data, maps, mask, weight, iterations)
                  else tv_sense(data, maps, mask, c, weight, iterations)
}
