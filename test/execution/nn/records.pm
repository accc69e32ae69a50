// Arithmetic on records of fields and of lists of records; a record as an unknown and as an output, whose file has a dataset a field, which
// inputs read again; the same on several ranks.
// RUN: %pmc %s --precision=f64 -o %t && %t --quiet --out %t.out | FileCheck %s
// RUN: %t --quiet --mesh=row=2 --transport=threads --out %t.split | FileCheck %s
// RUN: %python -c "import h5py; f = h5py.File('%t.out/net.h5'); names = []; f.visit(names.append); print(*names, f['net/layers/1/weight'].shape, f['net/first/weight'].attrs['dimensions'])" | FileCheck %s --check-prefix=FILE
// RUN: cmp %t.out/net.h5 %t.split/net.h5
// RUN: %t --quiet --out %t.again --first=%t.out/net.h5:/net/first/weight --last=%t.out/net.h5:/net/layers/1/bias | FileCheck %s --check-prefix=AGAIN
// RUN: %t --quiet --out %t.more --again=%t.out/doubled.h5:/doubled | FileCheck %s --check-prefix=RECORD
// RUN: %t --quiet --mesh=row=2 --transport=threads --out %t.more --again=%t.out/doubled.h5:/doubled | FileCheck %s --check-prefix=RECORD
// The file itself may have ":/" in its name: folder "with:" here.
// RUN: rm -rf %t.with: && mkdir %t.with: && cp %t.out/doubled.h5 %t.with:/again.h5
// RUN: %t --quiet --out %t.more --again=%t.with:/again.h5:/doubled | FileCheck %s --check-prefix=RECORD
// RUN: %python -c "import h5py; h5py.File('%t.with:/again.h5', 'a').move('doubled', 'again')"
// RUN: %t --quiet --out %t.more --again=%t.with:/again.h5 | FileCheck %s --check-prefix=RECORD
// RUN: %t --quiet --out %t.more --first=%t.with:/again.h5:/again/first/weight --last=%t.out/net.h5:/net/layers/1/bias | FileCheck %s --check-prefix=TWICE
// RUN: not %t --quiet --out %t.more --again=%t.out/doubled.h5 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: %t --help | FileCheck %s --check-prefix=HELP
// RUN: not %t --quiet --format=npy --out %t.npy 2>&1 | FileCheck %s --check-prefix=NPY
use nn, optim

dim sample = 6, c = 4, o = 8
mesh ranks(row = 1)
layout sample -> row
input first: field[o, c] optional
input last: field[o] optional

let w = {first = dense_start[c, o](1),
         layers = ({weight = white_noise[o](2), bias = zeros[o]}, {weight = white_noise[o](3), bias = zeros[o] + 2})}
let half = 0.5 * w
let back = half + half - w
// CHECK: 0.000 0.250 1.000
print "{:.3f} {:.3f} {:.3f}", inner(back, back), inner(half, half) / inner(w, w),
      inner(sqrt(w^2), abs(-w)) / inner(w, w)
assert sum(w).layers[1].bias == 16
assert max(max(w, 1).first.bias) == 1

let f = white_noise[sample, c](4)
fn net(w) = sum(tanh(dense(f, w.first, c)) * w.layers[0].weight + w.layers[1].bias * w.layers[1].weight, over = o)
fn loss(w) = mean((net(w) - 1)^2)
optimize fitted from w minimizing loss(fitted) with lamb(0.05, clip = 1) for 30 iterations history losses
// CHECK: fell to a part of {{0\.[0-4]}}
print "fell to a part of {:.1f}", loss(fitted) / loss(w)
output net = w
input again: like w optional
// CHECK: {{^}}again 0.0
// RECORD: {{^}}again 1.0
print "again {:.1f}", inner(again - w, again - w) / inner(w, w)
if given(again) {
  // RECORD: 0.000
  print "{:.3f}", inner(again - 2 * w, again - 2 * w)
}
output doubled = 2 * w
if given(first) and given(last) {
  // AGAIN: 0.0 2.0
  // TWICE: {{^}}{{[1-9.]+}} 2.0
  print "{:.1f} {:.1f}", max(abs(first - w.first.weight)), max(last)
}
// FILE: net net/first net/first/bias net/first/weight net/layers net/layers/0 net/layers/0/bias net/layers/0/weight net/layers/1 net/layers/1/bias net/layers/1/weight (8,) ['o' 'c']
// GROUP: --again/{{.*}}: {{.*}} has no dataset '/again/{{[a-z0-9/]+}}'; it has{{.*}} the groups '/doubled'
// HELP: --again=FILE {{.*}}record of 6 fields, as an output of it is written:
// NPY: error: --format: output 'net' cannot be a .npy file: it is a record of 6, and this format stores only one array; use net=h5
