// Oscillations of a plasma in SI units: electrons in one dim, in the field of their charge and of fixed ions.
use constants

dim x = 64 over 1 cm
dim p = 4096, time = 60
let n0 = 1e15 m^-3
let step = 0.1 ns

// The charge of the electrons and the ions, and the field with dE/dx = charge / epsilon_0.
fn field(at) {
  let charge = fft(e * n0 * (1 - paint_at[x](at) * cells(x) / cells(p)))
  ifft(map k in charge => if index(k, x) == 0 then 0 else -1i * charge / (k[x] * epsilon_0))
}
fn acceleration(at) = -e / m_e * readout_at(field(at), at)

let rest = map i in [p] => length(x) * (index(i, p) + 0.5) / cells(p)
let start = rest + 0.05 mm * sin(2 * pi * rest / length(x))
let ((at, speed), amplitude) = loop (at, speed) = (start, 0.5 * step * acceleration(start)) for i in time => {
  let moved = at + step * speed
  (moved, speed + step * acceleration(moved)) stacking max(abs(field(moved)))
}
output at in mm
output speed in km/s
output amplitude in V/m
