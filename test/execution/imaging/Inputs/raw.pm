use mri
dim c = 2
dim x = 16, y = 12 over 240 mm
input kspace: complex field[c, x, y]
output images = centred_ifft(to_modes(kspace, over = (x, y)))
