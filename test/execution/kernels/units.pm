// RUN: %pmc %s -o %t && %t --out %t.out --quiet
// Every unit by its value: prefixes of lengths and their inverses, angles, and powers and roots of them.

fn same(a, b) = abs(a / b - 1) < 1e-14

assert same(number(2500 kpc/h, 1 Mpc/h), 2.5) and same(number(3 Gpc/h, 1 Mpc/h), 3000), "Mpc/h"
assert same(number(2 h/kpc, 1 h/Mpc), 2000) and same(number(5 h/Gpc, 1 h/Mpc), 0.005), "h/Mpc"
assert same(number(2500 kpc, 1 Mpc), 2.5) and same(number(3 Gpc, 1 Mpc), 3000), "Mpc"
assert same(number(240 mm, 1 km), 2.4e-4) and same(number(3 m, 2 cm), 150), "metres"
assert same(30 ms * 100 Hz, 3) and same(5 us * 2 kHz, 0.01) and same(number(42.58 MHz/T * 25 mT, 1 kHz), 1064.5), "scanners"
assert same(180 deg, pi) and same(60 arcmin, 1 deg) and same(1 rad, 1), "angles {} {}", 180 deg, 60 arcmin
assert same(number(sqrt(4 (kpc/h)^2), 1 Mpc/h), 0.002) and same(number((2 kpc)^3, 1 Mpc^3), 8e-9), "powers"
assert same(number(70 km/s/Mpc * 2 Mpc, 1 km/s), 140) and same(number(2 Msun * 3 K, 1 K * 1 Msun), 6), "products"
assert same(number(sqrt(9 kpc * 4 kpc), 1 Mpc), 0.006), "roots of products"
