dim x = 8 over 8 mm
dim y = 6 over 6 mm
dim z = 4 over 4 mm

output volume = white_noise[x, y, z](1)
