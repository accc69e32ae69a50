// RUN: %pmc --explain=json --machine laptop %s | %python -c "import json, sys; print(sorted({(op['op'], op['times']) for op in json.load(sys.stdin)['ops']}))" | FileCheck %s
// A loop with checkpoints is counted from its first iteration on, as one without. Nothing is restored, and every iteration may save.
// CHECK: [('map', 1), ('map', 100), ('output', 1), ('reduce', 100), ('restore', 0), ('save', 60), ('save', 100), ('spectral_filter', 60), ('white_noise', 1)]
use optim
dim x = 16, y = 16 over 1
let f = white_noise[x, y](1)
fn loss(s) = sum((s - f)^2)
optimize s from zeros[x, y] minimizing loss(s) with adam(rate = 0.1) for 100 iterations checkpoint every 10
output s
let w = loop g = f for i in 0 .. 60 checkpoint every 7 => ifft(0.9 * fft(g))
output w
