// What test/bench/mri measures: data of a head, or a reconstruction of such data.
use mri

const method in ("data", "cg", "wavelets", "small", "spun", "tv") = "data"
const n = 64
param weight = 0.002
param iterations: int = 30

dim c = 8
dim x = n, y = n, z = n over 240 mm
input kspace: complex field[c, x, y, z] optional
input maps: complex field[c, x, y, z] optional
input lines: field[x, y] optional

let head = centred_ifft(ellipsoids_kspace[x, y, z](head_phantom()))
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
                  else if method == "small" then wavelet_sense(data, maps, mask, c, weight, "db2", 3, iterations)
                  else if method == "spun" then wavelet_sense(data, maps, mask, c, weight, "db2", 3, iterations, shifts = 100)
                  else tv_sense(data, maps, mask, c, weight, iterations)
}
