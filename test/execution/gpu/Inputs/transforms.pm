// Transforms of every kind, on dims that one mesh axis splits, the other, both or none.

dim x = 7, y = 12, z = 8 over 1
dim t = 5
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col

let noise = white_noise[x, y, z](1)
let batch = white_noise[t, x, y](2)
let modes = fft(noise)
output modes_re = real(modes)
output back = ifft(map k in modes => exp(-norm2(k) / 900) * modes)
output along_y = imag(fft(noise, over = y))
output along_xz = real(fft(noise, over = (x, z)))
let wave = fft(exp(1i * noise))
output waves = arg(wave)
output complex_back = imag(ifft(wave, over = (x, y, z)))
output of_batch = ifft(0.5 * fft(batch, over = (x, y)), over = (x, y))
output total = sum(noise)
