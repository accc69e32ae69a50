// RUN: %pmc %s -o %t --precision=f64
// RUN: %t --out %t.out --quiet && %python %S/check_particles.py %t.out 1 1e-13
// RUN: %t --width=4e7 --threads=1 --out %t.out --quiet && %python %S/check_particles.py %t.out 1 1e-6
// RUN: %pmc %s -o %t -D boost=2 --precision=f64
// RUN: %t --width=30 --out %t.out --quiet && %python %S/check_particles.py %t.out 2 1e-12
// RUN: %pmc %s -o %t && %t --out %t.out --quiet && %python %S/check_particles.py %t.out 1 3e-6
// All windows in one, two and three dims of unlike, odd and even sides, on equal and finer meshes, with displacements
// within a cell and of many boxes, against windows written down once more.

const boost = 1
param width = 0.7  "rms displacement in lattice cells"

dim x = 5 over 50 Mpc/h
dim y = 31 over 62 Mpc/h
dim z = 70 over 35 Mpc/h

let volume = (10 Mpc/h * width * white_noise[x, y, z](1), 2 Mpc/h * width * white_noise[x, y, z](2),
              0.5 Mpc/h * width * white_noise[x, y, z](3))
let plane = (2 Mpc/h * width * white_noise[y, z](4), 0.5 Mpc/h * width * white_noise[y, z](5))
let noise = white_noise[z](6)
let line = for d in dims(noise) => 0.5 Mpc/h * width * noise
let weight = white_noise[x, y, z](7)
let field3 = (white_noise[refine(x, boost), refine(y, boost), refine(z, boost)](8),
              white_noise[refine(x, boost), refine(y, boost), refine(z, boost)](9))
let field2 = white_noise[refine(y, boost), refine(z, boost)](10)
let field1 = white_noise[refine(z, boost)](11)

output volume flatten
output plane flatten
output line
output weight
output field3
output field2
output field1

output ngp_paint3 = paint[refine(x, boost), refine(y, boost), refine(z, boost)](volume, window = "ngp", weight = weight)
output ngp_paint2 = paint[refine(y, boost), refine(z, boost)](plane, window = "ngp")
output ngp_paint1 = paint[refine(z, boost)](line, window = "ngp")
output ngp_read3 = readout(field3, volume, window = "ngp")
output ngp_read2 = readout(field2, plane, window = "ngp")
output ngp_read1 = readout(field1, line, window = "ngp")

output cic_paint3 = paint[refine(x, boost), refine(y, boost), refine(z, boost)](volume, window = "cic", weight = weight)
output cic_paint2 = paint[refine(y, boost), refine(z, boost)](plane, window = "cic")
output cic_paint1 = paint[refine(z, boost)](line, window = "cic")
output cic_read3 = readout(field3, volume, window = "cic")
output cic_read2 = readout(field2, plane, window = "cic")
output cic_read1 = readout(field1, line, window = "cic")

output tsc_paint3 = paint[refine(x, boost), refine(y, boost), refine(z, boost)](volume, window = "tsc", weight = weight)
output tsc_paint2 = paint[refine(y, boost), refine(z, boost)](plane, window = "tsc")
output tsc_paint1 = paint[refine(z, boost)](line, window = "tsc")
output tsc_read3 = readout(field3, volume, window = "tsc")
output tsc_read2 = readout(field2, plane, window = "tsc")
output tsc_read1 = readout(field1, line, window = "tsc")

output pcs_paint3 = paint[refine(x, boost), refine(y, boost), refine(z, boost)](volume, window = "pcs", weight = weight)
output pcs_paint2 = paint[refine(y, boost), refine(z, boost)](plane, window = "pcs")
output pcs_paint1 = paint[refine(z, boost)](line, window = "pcs")
output pcs_read3 = readout(field3, volume, window = "pcs")
output pcs_read2 = readout(field2, plane, window = "pcs")
output pcs_read1 = readout(field1, line, window = "pcs")
