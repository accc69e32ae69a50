// RUN: %pmc %s --precision=f64 -o %t && %t --out %t.out --quiet && %python %S/check_complex.py %t.out
// Arithmetic and functions of complex fields and numbers, units and powers among them, against NumPy.

dim x = 64
param p = 0.7
param q = -1.3

let a = white_noise[x](1) + 1i * white_noise[x](2)
let b = white_noise[x](3) - 2i * white_noise[x](4)
let z = p + q * 1i
output a
output b
output product = a * b
output quotient = a / b
output by_number = a / z
output inverse = 2 / a
output sums = a - 3 b + z
output powers (cube, root) = (a^3, 1 / b^2)
output cube_inverse = a^(-3)
output waves = exp(1i * real(a) - 0.1 * imag(b))
output conjugate = conj(a) * b
output parts (re, im, size, angle, norm) = (real(b), imag(b), abs(b), arg(b), norm2(b))
output numbers = constant[x](1) * (z * z / (1 - z))
output sizes (whole, angle) = (constant[x](1) * abs(z), constant[x](1) * arg(z))
assert abs(arg(-3 - 4i) + 2.214297435588181) < 1e-15 and abs(atan2(2.0, -1.0) - 2.0344439357957027) < 1e-15,
       "angles of numbers"
output length_of = number(abs((3 Mpc/h) * a), 1 Mpc/h)
let wide = exp(20 * real(b)) * a
let axis = real(b) + 0i
output root = sqrt(wide)
output roots_of_axis = sqrt(axis)
output logarithm = log(wide)
output logarithms_of_axis = log(axis)
output sine = sin(4 * a)
output cosine = cos(4 * a)
output tangent = tan(9 * a)
output hyperbolic_sine = sinh(4 * a)
output hyperbolic_cosine = cosh(4 * a)
output hyperbolic_tangent = tanh(9 * a)
output power = wide^(0.37)
output complex_power = a^(0.4 - 1.1i)
output power_of_number = pow(2.5, a)
output power_of_zero = (0 * a)^(2 + 1i)
output ninth_power = a^(9)
output length_root = real(sqrt((4 (Mpc/h)^2) * a) / 1 Mpc/h)
assert abs(sqrt(-1 + 0i) - 1i) < 1e-15 and abs(log(1i) - 0.5i * pi) < 1e-15 and abs((1i)^(2i) - exp(-pi)) < 1e-15 and
       abs(tan(1 + 0.5i) - (sin(1 + 0.5i) / cos(1 + 0.5i))) < 1e-15, "functions of complex constants"
