// sigma8 of the table that comes with the reference data: 0.8159 as it is, another value if it is asked for.

use power

input pk: table
param sigma8 = 0.7

let s = sigma_r(spectrum(log_table(pk)), 8 Mpc/h)
assert abs(s - 0.8158966648) < 1e-7, "sigma8 of the table {}", s
let t = sigma_r(spectrum(scaled(log_table(pk), sigma8)), 8 Mpc/h)
assert abs(t - sigma8) < 1e-9, "sigma8 of the scaled table {}", t
