// Differences of meshes that only readings use. Particles that move by 2.3 boxes together are mostly in the tile of their particle block,
// and the others are mostly outside of it. There are all windows, finer meshes, one and two dims, a small mesh, and two sources.
// Each reading has its own dims, so that readings are not fused.
use fields

mesh ranks(row = 1, col = 1)
fn slope(h, kernel = "fd4") = for d in directions(h) => central_difference(h, d, kernel)
dim x0 = 24, y0 = 20, z0 = 40 over 1
dim x1 = 24, y1 = 20, z1 = 40 over 1
dim x2 = 12, y2 = 20, z2 = 40 over 1
dim x3 = 24, y3 = 20, z3 = 18 over 1
dim x4 = 24, y4 = 20, z4 = 18 over 1
dim x5 = 24, y5 = 20, z5 = 40 over 1
dim x6 = 20, y6 = 12, z6 = 40 over 1
dim x7 = 12, y7 = 10, z7 = 20 over 1
dim x8 = 12, y8 = 10, z8 = 20 over 1
dim x9 = 6, y9 = 7, z9 = 300 over 1
dim x10 = 32, y10 = 40 over 1
dim x11 = 16, y11 = 20 over 1
dim x12 = 64 over 1
dim x13 = 24, y13 = 20, z13 = 16 over 1
layout x0 -> row, y0 -> col, x1 -> row, y1 -> col, x2 -> row, y2 -> col, x3 -> row, y3 -> col, x4 -> row, y4 -> col,
       x5 -> row, y5 -> col, x6 -> row, y6 -> col, x7 -> row, y7 -> col, x8 -> row, y8 -> col, x9 -> row, y9 -> col,
       x10 -> row, x11 -> row, x12 -> row, x13 -> row, y13 -> col
let f0 = white_noise[x0, y0, z0](4)
output ngp = readout(slope(f0, kernel = "fd2"),
                     (2.3 + 0.03 * white_noise[x0, y0, z0](1), 2.3 + 0.03 * white_noise[x0, y0, z0](2),
                      2.3 + 0.03 * white_noise[x0, y0, z0](3)), window = "ngp")
let f1 = white_noise[x1, y1, z1](8)
output cic = readout(slope(f1, kernel = "fd4"),
                     (2.3 + 0.03 * white_noise[x1, y1, z1](5), 2.3 + 0.03 * white_noise[x1, y1, z1](6),
                      2.3 + 0.03 * white_noise[x1, y1, z1](7)), window = "cic")
let f2 = white_noise[x2, y2, z2](12)
output tsc = readout(slope(f2, kernel = "fd4"),
                     (2.3 + 0.03 * white_noise[x2, y2, z2](9), 2.3 + 0.03 * white_noise[x2, y2, z2](10),
                      2.3 + 0.03 * white_noise[x2, y2, z2](11)), window = "tsc")
let f3 = white_noise[x3, y3, z3](16)
output pcs = readout(slope(f3, kernel = "fd4"),
                     (2.3 + 0.03 * white_noise[x3, y3, z3](13), 2.3 + 0.03 * white_noise[x3, y3, z3](14),
                      2.3 + 0.03 * white_noise[x3, y3, z3](15)), window = "pcs")
let f4 = white_noise[x4, y4, z4](20)
output six = readout(slope(f4, kernel = "fd6"),
                     (2.3 + 0.03 * white_noise[x4, y4, z4](17), 2.3 + 0.03 * white_noise[x4, y4, z4](18),
                      2.3 + 0.03 * white_noise[x4, y4, z4](19)), window = "cic")
let f5 = white_noise[x5, y5, z5](24)
output gone = readout(slope(f5, kernel = "fd4"),
                      (0.2 * white_noise[x5, y5, z5](21), 0.2 * white_noise[x5, y5, z5](22),
                       0.2 * white_noise[x5, y5, z5](23)), window = "cic")
let f6 = white_noise[x6, y6, z6](28)
output gone_pcs = readout(slope(f6, kernel = "fd4"),
                          (0.2 * white_noise[x6, y6, z6](25), 0.2 * white_noise[x6, y6, z6](26),
                           0.2 * white_noise[x6, y6, z6](27)), window = "pcs")
let f7 = white_noise[refine(x7, 2), refine(y7, 2), refine(z7, 2)](32)
output fine = readout(slope(f7, kernel = "fd4"),
                      (2.3 + 0.03 * white_noise[x7, y7, z7](29), 2.3 + 0.03 * white_noise[x7, y7, z7](30),
                       2.3 + 0.03 * white_noise[x7, y7, z7](31)), window = "cic")
let f8 = white_noise[refine(x8, 2), refine(y8, 2), refine(z8, 2)](36)
output fine_tsc = readout(slope(f8, kernel = "fd4"),
                          (0.2 * white_noise[x8, y8, z8](33), 0.2 * white_noise[x8, y8, z8](34),
                           0.2 * white_noise[x8, y8, z8](35)), window = "tsc")
let f9 = white_noise[x9, y9, z9](40)
output small = readout(slope(f9, kernel = "fd4"),
                       (0.2 * white_noise[x9, y9, z9](37), 0.2 * white_noise[x9, y9, z9](38),
                        0.2 * white_noise[x9, y9, z9](39)), window = "pcs")
let f10 = white_noise[x10, y10](44)
output plane = readout(slope(f10, kernel = "fd4"),
                       (2.3 + 0.03 * white_noise[x10, y10](41), 2.3 + 0.03 * white_noise[x10, y10](42)), window = "tsc")
let f11 = white_noise[refine(x11, 2), refine(y11, 2)](48)
output fine_plane = readout(slope(f11, kernel = "fd4"),
                            (0.2 * white_noise[x11, y11](45), 0.2 * white_noise[x11, y11](46)), window = "pcs")
let line_noise = white_noise[x12](49)
let f12 = white_noise[x12](52)
output line = readout(slope(f12, kernel = "fd4"), for d in dims(line_noise) => 2.3 + 0.03 * line_noise, window = "cic")
let f13 = white_noise[x13, y13, z13](56)
let g13 = white_noise[x13, y13, z13](57)
output two = readout(for d in directions(f13) => central_difference(f13, d) * central_difference(g13, d),
                     (2.3 + 0.03 * white_noise[x13, y13, z13](53), 2.3 + 0.03 * white_noise[x13, y13, z13](54),
                      2.3 + 0.03 * white_noise[x13, y13, z13](55)))
