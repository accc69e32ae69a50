// RUN: %pmc %s -o %t && rm -rf %t.out && %t --out %t.out --quiet
// RUN: not %t --out %t.again --quiet --seen=%t.out/place.h5 2>&1 | FileCheck %s
// RUN: not %t --out %t.again --quiet --seen=%t.out/ratio.h5 2>&1 | FileCheck --check-prefix=PURE %s
// RUN: %t --out %t.again --quiet --seen=%t.out/speed.h5
// RUN: %python -c "import h5py, sys; print(h5py.File(sys.argv[1])['profile'].attrs['unit'])" %t.out/profile.h5 | FileCheck --check-prefix=COLUMNS %s
// What a program wrote in one unit is not read in another; columns say the unit of each.
input seen: field[x] km/s optional
dim x = 8 over 1 Mpc/h
let f = white_noise[x](1)
output place = 1 Mpc/h * f
output speed = 1 km/s * f
output ratio = f
output profile (a, b, c) = (place, f, speed^2)
print "{}", number(sum(if given(seen) then seen else speed), 1 km/s)
// CHECK: place.h5:/place is in Mpc/h, expected in km/s
// PURE: ratio.h5:/ratio is a pure number, expected in km/s
// COLUMNS: Mpc/h, 1, km^2/s^2
