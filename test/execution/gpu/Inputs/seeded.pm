// Every kind of kernel: more rows than thread groups on a GPU of one processor, longer ones than a group. What follows
// 'square' in memory is used later on.
dim x = 13, y = 11, z = 130 over 1
let a = white_noise[x, y, z](1)
let move = for d in (0, 1, 2) => 0.02 * white_noise[x, y, z](2 + d)
output square = a^2 + 1
let phase = sum(exp(1i * a))
output phases (re, im) = (real(phase), imag(phase))
output profile = sum(a, over = (x, y))
output density = paint[x, y, z](move)
output force = readout(a, move)
