// Initial conditions of a small N-body simulation by Newton's method, with conjugate gradients for its equations.
use math, solvers

dim x = 8, y = 8, z = 8 over 8
input data: field[x, y, z]

fn pull(f) {
  let fk = fft(f)
  // The mode -N/2 has no odd derivative.
  for d in (x, y, z) =>
    ifft(map k in fk => if norm2(k) > 0 and abs(k[d]) < 3.1 then 1i * k[d] / norm2(k) * fk else 0)
}
fn simulated(s) {
  let first = pull(s)
  let (disp, speed) = loop (disp, speed) = (0.3 * first, 0.3 * first) for i in 0 .. 2 => {
    let faster = speed + 0.2 * readout(pull(paint(disp, window = "tsc")), disp, window = "tsc")
    (disp + 0.5 * faster, faster)
  }
  paint(disp, window = "tsc")
}
fn cost(s) = 0.5 sum((simulated(s) - data)^2) / 0.5^2 + 0.5 sum(s^2)

let none = zeros[x, y, z]
output slope = grad(cost)(white_noise[x, y, z](1))
output noise = white_noise[x, y, z](1)
let found = loop s = none for i in 0 .. 5 => {
  let g = grad(cost)(s)
  s - cg(v => jvp(grad(cost))(s, tangent = v)[1], g, tolerance = 1e-4, iterations = 60)
}
output found
print "{:.12} {:.12}", cost(none), cost(found)
