// Cahn and Hilliard's equation in um: 1/um^4 overflows f32 in km. Inputs in other units, and what the user asks for.
const n = 16
dim x = n, y = n over 8 um
mesh m(row = 1, col = 1)
layout x -> row, y -> col

param width = 0.35 um          "of the interface"
param mobility: f64 mm^2/min = 1e-4 mm^2/min
param steps: int = 20
input c0: field[x, y] percent  "concentration"
input flow: field[y] in nm/ms  "velocity along x"

let c1 = c0 * 1
let dt = 2 ms
let stiff = mobility * width^2 * dt
fn step(c) {
  let force = fft(c^3 - c)
  let ck = fft(c)
  ifft(map k in ck => (ck - mobility * dt * norm2(k) * force) / (1 + stiff * norm2(k)^2))
}
let c = loop s = c1 for i in 0 .. steps => step(s)
let ck = fft(c)
let curvature = ifft(map k in ck => norm2(k)^2 * ck)
output c
output curvature
output rate in mm^-4/min = curvature * (1 / (4 s))
output speed = map q in [x, y] => flow * 1
output faster in km/s = 2 * flow
output mixed (v, t) in um = (flow * (3 s), flow * (2 min))
print "width {} or {:.1f} of {:.3g}", width, width in nm, mobility * (1 s)
print "{:.2f} um, {:.1f}", width, 30 percent in percent
print "{:.4g} {:.4g}", 3 N/m^2 in Pa, 12 A * (2 V) / (3 s)
