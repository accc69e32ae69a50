// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet && %t --signal=1e-30 --out %t.out --quiet
// RUN: %pmc %s -O0 --precision=f32 -o %t && %t --out %t.out --quiet
// Coils and data without signal. ESPIRiT finds the maps of the other coils where the first one receives nothing, and 0 in a slice of a
// stack that is empty. What is made of zeros is 0.

use mri, solvers

param signal = 1.0
dim z = 3 over 30 mm
dim c = 3, v = 2
dim x = 18, y = 16 over 240 mm

let disk =
  map q in [z, x, y] => if index(q, z) != 1 and (index(q, x) - 9)^2 + (index(q, y) - 8)^2 < 40 then 1 + 0i else 0i
let coils = map q in [z, c, x, y] => {
  let slope = 0.04 * (index(q, c) - 1.5) * (index(q, y) - 8)
  if index(q, c) == 0 then 0i else exp(1i * (index(q, c) + 0.1 * index(q, x))) * (1 + slope)
}
let truth = coils / sqrt(sum(norm2(coils), over = c))
let k = signal * centred_fft(truth * disk, over = (x, y))
let maps = each z in k => espirit_maps(k, c, 3, 10)
let phase = sum(conj(truth) * maps, over = c)
let off = sum(norm2(maps - truth * phase), over = c)
let worst = max(map q in disk => if abs(disk) > 0 then off else 0)
assert worst < 0.01, "maps are off by {}", worst
assert min(map q in disk => if abs(disk) > 0 then abs(phase) else 1) > 0.99, "maps without a coil are smaller than 1"
assert max(abs(maps[z = 1])) == 0, "maps of an empty slice"
let stack = each z in (k, maps) => cg_sense(k, maps, measured(k, c), c)
assert max(abs(stack[z = 1])) == 0 and min(map q in disk => if abs(disk) > 0 then abs(stack) / signal else 1) > 0.95,
       "a stack with an empty slice"

let empty = 0 * k[z = 1]
let none = espirit(empty, c, 3, 10)
assert max(abs(none.maps)) == 0 and max(none.value) == 0, "maps without a signal"
assert max(abs(low_resolution_maps(empty, c))) == 0 and max(abs(coil_compression[v](empty, c))) == 0,
       "coils without a signal"
let mask = measured(k[z = 0], c)
let good = maps[z = 0]
fn all_zero(data, maps, mask) {
  assert max(abs(wavelet_sense(data, maps, mask, c, 0.01, levels = 1, iterations = 3))) == 0, "wavelet_sense"
  assert max(abs(tv_sense(data, maps, mask, c, 0.01, iterations = 3))) == 0, "tv_sense"
  assert max(abs(cg_sense(data, maps, mask, c, 0.01, iterations = 3))) == 0, "cg_sense"
  assert max(abs(tgv_image(sense(maps, mask, c), data, 0.01, iterations = 3))) == 0, "tgv_image"
}
all_zero(empty, good, mask)
all_zero(k[z = 0], 0 * good, mask)
all_zero(k[z = 0], good, 0 * mask)
assert max(abs(shrink_rank(empty, 0.1, c))) == 0, "shrink_rank"
assert max(abs(coil_combine(centred_ifft(empty), 0 * good, c))) == 0, "coil_combine"
let p = power_iteration(u => 0 * u, disk, 3)
let q = power_iteration(u => 2 * u, 0 * disk, 3)
assert p.value == 0 and q.value == 0 and max(abs(p.vector)) == 0 and max(abs(q.vector)) == 0, "power_iteration"
