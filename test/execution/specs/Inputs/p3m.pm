// Forces between charges in a periodic box: the long range by a mesh, the short range by pairs (P3M).
use math

dim x = 32, y = 32, z = 32 over 1
dim p = 100, q = 100
dim axis = 3
input position: field[axis, p]
let split = 0.06  // the length that divides the ranges

let at = for i in 0 .. 3 => slice(position, axis = i)

// Long range: the potential of Gaussian clouds, 4 pi exp(-k^2 s^2) / k^2, without the window of the paint and the readout.
let density = paint_at[x, y, z](at, window = "pcs") * cells(x)^3
fn window(k) = product(for d in (x, y,
                                 z) => {
                                   let u = k[d] * length(d) / cells(d) / 2
                                   if abs(u) > 1e-9 then (sin(u) / u)^4 else 1
                                 })
let mesh = fft(density)
let potential =
  map k in mesh => if norm2(k) > 0 then 4 pi * exp(-norm2(k) * split^2) / norm2(k) / window(k)^2 * mesh else 0
let far = readout_at(for d in (x, y, z) => ifft(map k in potential => -1i * k[d] * potential), at, window = "pcs")

// Short range: the rest of the nearest image.
let other = for a in at => a[p = q]
let d = for i in 0 .. 3 => { let u = at[i] - other[i]; u - round(u) }
let r = sqrt(norm2(d))
let rest =
  map i in r => if r > 0 then (erfc(r / (2 * split)) / r + exp(-r^2 / (4 * split^2)) / (split * sqrt(pi))) / r^2 else 0
let near = for u in d => sum(rest * u, over = q)
output force = far + near
