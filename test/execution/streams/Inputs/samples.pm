// Training data: maps, and for each a number that is a linear function of it.
dim sample = 20, x = 6, y = 5
let maps = white_noise[sample, x, y](3)
let law = white_noise[x, y](4)
output maps
output answers = sum(maps * law, over = (x, y))
