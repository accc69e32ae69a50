// Programs for test/bench/mri_models: data of a head, and its reconstructions without known coils.
use mri, nufft, parallel_imaging, quantitative

const method in ("data", "flat", "flat_stiff", "flat_sense", "flat_jsense", "solid", "solid_stiff", "solid_jsense",
                 "radial", "radial_stiff", "radial_jsense", "t2", "t1") = "data"
const n = 64
const depth = 32
param noise = 0.001
param steps: int = 9
param tolerance = 0.01  // of "t2" and "t1"

dim c = 8, echo = 16, spoke = 48, along = 2 * n
dim x = n, y = n, z = depth over 240 mm
dim u = depth, v = depth over 240 mm  // the sides of "solid"
input kspace: complex field[c, x, y] optional
input solid: complex field[c, u, v, z] optional
input samples: complex field[c, spoke, along] optional
input series: complex field[c, echo, x, y] optional
input lines: field[x, y] optional
input solid_lines: field[u, v] optional
input series_lines: field[echo, x, y] optional

let k = radial[spoke, along](n)
let t2_times = map q in [echo] => 0.01 * (index(q, echo) + 1)
let t1_times = map q in [echo] => 0.05 + 0.25 * index(q, echo)
fn is_measured(i, t) = mod(int(i) + int(t), 4) == 0 or abs(i) < 6

// Coils by joint estimation from the mean of all echoes, which together sample all lines.
fn encoding(data, mask) {
  let (count, all) = (sum(mask, over = echo), sum(data, over = echo))
  let mixed = map m in all => if count > 0 then all / count else 0
  sense(nlinv(mixed, map m in count => if count > 0 then 1.0 else 0.0, c, steps = steps).maps, mask, c)
}

if method == "data" {
  let head = centred_ifft(ellipsoids_kspace[x, y, z](head_phantom()))[z = depth / 2]
  let maps = birdcage_maps[c, x, y](c)
  let mask = random_mask[x, y](2, power = 1, centre = n / 4)
  output flat_truth = abs(head) * root_sum_of_squares(maps, c)
  output flat_mask = mask
  output flat_data = mask * (centred_fft(maps * head) + k_noise[c, x, y](noise, 1))
  let head3 = centred_ifft(ellipsoids_kspace[u, v, z](head_phantom()))
  let maps3 = birdcage_maps[c, u, v, z](c)
  let mask3 = random_mask[u, v](2, power = 1, centre = depth / 4)
  output solid_truth = abs(head3) * root_sum_of_squares(maps3, c)
  output solid_mask = mask3
  output solid_data = mask3 * (centred_fft(maps3 * head3) + k_noise[c, u, v, z](noise, 1))
  output radial_data =
    nufft(maps * head, k, 1e-5) + noise * (white_noise[c, spoke, along](2) + 1i * white_noise[c, spoke, along](3))
  output places (x, y) = (k[0], k[1])
  let body = real(head)
  let t2 = map q in [x, y] => 0.05 + 0.06 * sin(6 * q[x] / length(x))^2
  let t1 = map q in [x, y] => 0.5 + 0.8 * sin(6 * q[x] / length(x))^2
  let series_mask = map q in [echo, dual(y)] => if is_measured(index(q, y), index(q, echo)) then 1.0 else 0.0
  let scatter = k_noise[echo, c, x, y](noise, 1, over = (x, y))
  output t2_truth = t2
  output t1_truth = t1
  output inside = map q in body => if body > 0.15 then 1.0 else 0.0
  output series_mask = series_mask * real(1 + 0 * k_grid[x, y]())
  output t2_data = series_mask * (centred_fft(maps * (body * exp(-t2_times / t2)), over = (x, y)) + scatter)
  output t1_data = series_mask * (centred_fft(maps * (body * (1 - 2 * exp(-t1_times / t1))), over = (x, y)) + scatter)
} else if method == "flat" or method == "flat_stiff" {
  let mask = real(to_modes(lines, over = (x, y)))
  let data = to_modes(kspace, over = (x, y))
  output image = abs((if method == "flat" then nlinv(data, mask, c, steps)
                      else nlinv(data, mask, c, steps, stiffness = 220)).image)
} else if method == "solid" or method == "solid_stiff" {
  let mask = real(to_modes(solid_lines, over = (u, v)))
  let data = to_modes(solid, over = (u, v, z))
  output image = abs((if method == "solid" then nlinv(data, mask, c, steps)
                      else nlinv(data, mask, c, steps, stiffness = 220)).image)
} else if method == "flat_sense" {
  let mask = real(to_modes(lines, over = (x, y)))
  let data = to_modes(kspace, over = (x, y))
  output image = abs(cg_sense(data, espirit_maps(data, c, width = n / 4), mask, c, 0.001, 0, 30))
} else if method == "flat_jsense" {
  let mask = real(to_modes(lines, over = (x, y)))
  let data = to_modes(kspace, over = (x, y))
  output image = abs(cg_sense(data, jsense_maps(data, mask, c), mask, c, 0.001, 0, 30))
} else if method == "solid_jsense" {
  let mask = real(to_modes(solid_lines, over = (u, v)))
  let data = to_modes(solid, over = (u, v, z))
  output image = abs(cg_sense(data, jsense_maps(data, mask, c), mask, c, 0.001, 0, 30))
} else if method == "radial_jsense" {
  let e = nufft_sense(nufft_jsense_maps[c, x, y](samples, k, c, 1e-3), k, c, tolerance = 1e-3)
  output image = abs(cg_image(e, samples, 0.01, 0, 30))
} else if method == "radial" or method == "radial_stiff" {
  output image = abs((if method == "radial" then nufft_nlinv[c, x, y](samples, k, c, 1e-3, steps)
                      else nufft_nlinv[c, x, y](samples, k, c, 1e-3, steps, stiffness = 220)).image)
} else {
  let data = to_modes(series, over = (x, y))
  let mask = real(to_modes(series_lines, over = (x, y)))
  let e = encoding(data, mask)
  if method == "t2" { output image = t2_image(e, data, echo, t2_times, tolerance = tolerance).t2 }
  if method == "t1" {
    output image = t1_image(e, data, echo, t1_times, 0.8, look_locker = false, tolerance = tolerance).t1
  }
}
