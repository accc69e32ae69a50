// RUN: %pmc %s --precision=f64 -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_owner_computes.py %t.one
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2,col=2 && %python %S/check_owner_computes.py %t.ranks %t.one
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=3,col=1 && %python %S/check_owner_computes.py %t.ranks %t.one
// RUN: %if mpi && !asan && !tsan %{ mpirun --oversubscribe --allow-run-as-root -n 2 %t --threads=1 --mesh row=2 --out %t.ranks --quiet --format=npy < /dev/null && %python %S/check_owner_computes.py %t.ranks %t.one %}
// RUN: %pmc %s --precision=f64 --layout 'c -> row, x -> col' -o %t && %t --out %t.ranks --quiet --format=npy --mesh row=2,col=2 && %python %S/check_owner_computes.py %t.ranks %t.one
// `each` over a dim that is split: every rank goes through its owned cells, with transforms, reductions, bins and loops; gradients by what is sliced
// and by what all cells share; a loop in which cells depend on each other. The same where slices are split, too. Against NumPy.

use fields, spectra

mesh gpus(row = 1, col = 1)
layout c -> row
dim c = 5
dim x = 12, y = 10 over 8
let f = white_noise[c, x, y](1)
let g = white_noise[c, x, y](2)
let shared = white_noise[x, y](3)
output f
output g
output shared

output scaled = each c in f => smooth(f, 0.7) / sqrt(mean(f^2))
output both = each c in (f, g) => f * shared + mean(f * g) * g
output numbers = each c in f => max(f)
let spectrum = each c in f => power_spectrum(f)
output power = spectrum[1]
output searched = each c in f => loop u = f while max(abs(u)) > 0.5 at most 30 => 0.8 * u
output by_field = grad(f => sum((each c in f => smooth(f, 0.7) / sqrt(mean(f^2)))^2 * g))(f)
output by_shared = grad(s => sum((each c in f => f * s / sqrt(mean((f * s)^2))) * g))(shared)
let waves = map q in [c, x, y] => f + 2i * g
let pair = {wave = waves, level = g}
output real_part = each c in waves => real(waves)
output imaginary_part = each c in waves => imag(waves)
output of_record = each c in pair => imag(pair.wave) * pair.level
output of_tuple = each c in (waves, g) => abs(waves)
output chained = loop u = shared for i in c => 0.5 * u + f[c = i]
