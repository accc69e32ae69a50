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
// And not over other lengths.
// RUN: %t --out %t.again --quiet --box=2 --wide=%t.out/wave.h5
// RUN: not %t --out %t.again --quiet --box=3 --wide=%t.out/wave.h5 2>&1 | FileCheck --check-prefix=BOX %s
// RUN: %pmc %s -D cells=true -o %t && %t --out %t.again --quiet --wide=%t.out/wave.h5
param box: length = 2 Mpc/h
input wide: field[y, z] optional
const cells = false
dim y = 6 over (if cells then 1 else box)
dim z = 5 over (if cells then 1 else 7 km)
let w = white_noise[y, z](2)
output wave = if given(wide) then wide else w
// BOX: error: --wide: {{.*}}wave.h5:/wave has the length 2 Mpc/h along 'y', expected 3 Mpc/h
// CHECK: place.h5:/place is in Mpc/h, expected in km/s
// PURE: ratio.h5:/ratio is a pure number, expected in km/s
// COLUMNS: Mpc/h, 1, km^2/s^2
