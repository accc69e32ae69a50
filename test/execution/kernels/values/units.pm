// RUN: %pmc %s -o %t && %t --out %t.out --quiet && %t --out %t.out --quiet --echo=45 --width=2500 --scaled=2.5 --turn=180 --share=7 --tilt=-60 --step=-7 --turns=30,45
// RUN: %t --help | FileCheck %s
// RUN: not %t --out %t.out --quiet --echo=2000 2>&1 | FileCheck %s --check-prefix=RANGE
// Every unit by its value: prefixes of lengths and their inverses, angles, and powers and roots of them.

fn same(a, b) = abs(a / b - 1) < 1e-14

assert same(number(2500 kpc/h, 1 Mpc/h), 2.5) and same(number(3 Gpc/h, 1 Mpc/h), 3000), "Mpc/h"
assert same(number(2 h/kpc, 1 h/Mpc), 2000) and same(number(5 h/Gpc, 1 h/Mpc), 0.005), "h/Mpc"
assert same(number(2500 kpc, 1 Mpc), 2.5) and same(number(3 Gpc, 1 Mpc), 3000), "Mpc"
assert same(number(240 mm, 1 km), 2.4e-4) and same(number(3 m, 2 cm), 150), "meters"
assert same(30 ms * 100 Hz, 3) and same(5 us * 2 kHz, 0.01) and same(number(42.58 MHz/T * 25 mT, 1 kHz), 1064.5),
       "scanners"
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
assert same(number(echo, 1 s), if given(echo) then 0.045 else 0.03) and same(number(width, 1 Mpc/h), 2.5), "{} {}",
       echo, width
assert same(number(scaled, 1 m), if given(scaled) then 0.0025 else -0.0025), "{}", scaled
// Angles and ratios are numbers, and have units, too. A bound without a unit is in that of the param.
unit percent = 0.01
param turn in [-360, pi] = 5 deg
param share = 5 percent
param tilt: f64 deg in [-90 deg, 90] = 30 arcmin
param step in [-9, 1 mm] = -5 mm
param turns: list = (10 deg, 20 deg)
assert same(turn, if given(turn) then pi else pi / 36) and same(share, if given(share) then 0.07 else 0.05), "{} {}",
       turn, share
assert same(tilt, if given(tilt) then -pi / 3 else pi / 360) and
       same(number(step, 1 mm), if given(step) then -7 else -5), "{} {}", tilt, step
assert same(turns[1], if given(turn) then pi / 4 else pi / 9), "{}", turns[1]
// CHECK: --echo=NUMBER{{.*}}in ms, in (0, 1000), default 30{{$}}
// CHECK: --width=NUMBER{{.*}}in kpc/h, in (0, 5000), default 2500{{$}}
// CHECK: --turn=NUMBER{{.*}}in deg, in [-360, 180], default 5{{$}}
// CHECK: --share=NUMBER{{.*}}in percent, default 5{{$}}
// CHECK: --tilt=NUMBER{{.*}}in deg, in [-90, 90], default 0.5{{$}}
// CHECK: --step=NUMBER{{.*}}in mm, in [-9, 1], default -5{{$}}
// CHECK: --turns.1=NUMBER{{.*}}in deg, default 20{{$}}
// RANGE: error: --echo: 2000 is out of range, expected a number in (0, 1000) (in ms)
