// RUN: %pmc %s -o %t && %t --out %t.out --quiet
// Diffusion tensors in f32, from weights that are 1e15 in the working unit s/km^2: the fit recovers those that made the images.
use quantitative, math
dim x = 6, y = 6, b = 16
let g = for i in 0 .. 3 => white_noise[b](i)
let size = sqrt(total(for c in g => c^2))
let along = for c in g => c / size
let weights = map q in [b] => if index(q, b) == 0 then 0 s/mm^2 else 1000 s/mm^2
let shape = white_noise[x, y](7)
let true_tensor = (8e-4 + 1e-4 * shape^2, 9e-4 + 1e-4 * sin(shape), 1e-3 + 0 * shape, 2e-4 * sin(shape),
                   1e-4 * cos(shape), -1e-4 * sin(2 * shape))
let (u, v, w) = along
let rows = (u^2, v^2, w^2, 2 * u * v, 2 * u * w, 2 * v * w)
let images = exp(total(for i in 0 .. 6 => -number(weights, 1 s/mm^2) * rows[i] * true_tensor[i]))
let found = diffusion_tensor(images, b, weights, along).tensor
let off = for i in 0 .. 6 => max(abs(number(found[i], 1 mm^2/s) - true_tensor[i]))
for i in 0 .. 6 { assert off[i] < 1e-8, "component {} is off by {} mm^2/s", i, off[i] }
