// RUN: %pmc %s -o %t && %t --out %t.out --quiet && %t --out %t.out --quiet --echo=45 --width=2500 --scaled=2.5
// RUN: %t --help | FileCheck %s
// RUN: not %t --out %t.out --quiet --echo=2000 2>&1 | FileCheck %s --check-prefix=RANGE
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

// Zero has every unit. The other one has its own.
param long = 3 km
assert same(number(max(0, 3 km), 1 m), 3000) and same(number(min(3 km, 0) + 2 km, 1 m), 2000), "extremes of constants"
assert same(number(max(0, long), 1 m), 3000) and same(number(min(long, 0) + 2 km, 1 m), 2000), "extremes of params"
assert same(number(max(2 m, 3 km), 1 m), 3000) and same(number(abs(-3 km), 1 m), 3000), "extremes of two units"

// What the user gives is in the unit of the type or of the default.
param echo: f64 ms in (0, 1 s) = 30 ms
param width in (0, 5000) = 2500 kpc/h
param scaled: f64 mm = -0.25 cm
assert same(number(echo, 1 s), if given(echo) then 0.045 else 0.03) and same(number(width, 1 Mpc/h), 2.5), "{} {}", echo, width
assert same(number(scaled, 1 m), if given(scaled) then 0.0025 else -0.0025), "{}", scaled
// CHECK: --echo=NUMBER{{.*}}in ms, in (0, 1000), default 30{{$}}
// CHECK: --width=NUMBER{{.*}}in kpc/h, in (0, 5000), default 2500{{$}}
// RANGE: error: --echo: 2000 is out of range, expected a number in (0, 1000) (in ms)
