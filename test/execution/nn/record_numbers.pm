// Numbers among the fields of a record are written and read again, exactly, on one rank and on several.
// RUN: %pmc %s -o %t && %t --quiet --out %t.out | FileCheck %s
// RUN: %python -c "import h5py; f = h5py.File('%t.out/state.h5')['state']; print(f['step'][()], f['step'].dtype, f['rate'][()], f['rate'].dtype, f['done'][()], f['parts/1'].shape, [f[n].attrs['unit'] for n in ('w', 'far', 'near')])" | FileCheck %s --check-prefix=FILE
// RUN: %t --quiet --start=5 --rate=7 --out %t.again --old=%t.out/state.h5:/state | FileCheck %s
// RUN: %t --quiet --start=5 --rate=7 --out %t.again --old=%t.out/state.h5:/state --mesh=row=2 --transport=threads | FileCheck %s
// RUN: %python -c "import h5py; a, b = h5py.File('%t.out/state.h5')['state'], h5py.File('%t.again/copy.h5')['copy']; assert all((a[n][()] == b[n][()]).all() for n in ('w', 'step', 'rate', 'done', 'parts/0', 'parts/1', 'seed', 'far', 'near'))"
param start: int = 9007199254740993
param rate: f64 = 0.1
param seed: u64 = 18446744073709551615
dim x = 4
mesh ranks(row = 1)
layout x -> row
let state = {w = white_noise[x](1), step = start, rate = rate, done = start > 3, parts = (-7, white_noise[x](2)),
             seed = seed, far = 2.5 Mpc/h, near = 1 km * white_noise[x](3)}
output state
input old: like state optional
output copy = old
// CHECK: 9007199254740993 0.1 1 -7 18446744073709551615 2.5
print "{} {} {} {} {} {:.1f}", old.step, old.rate, if old.done then 1 else 0, old.parts[0], old.seed,
      number(old.far, 1 Mpc/h)
// FILE: [9007199254740993] int64 [0.1] float64 [1] (4,) ['', 'Mpc/h', 'km']
