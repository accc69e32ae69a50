// rint(x): the integer nearest to x, ties to even. Its derivative is that of x.
// RUN: %pmc %s -o %t && %t --out %t.out --format=npy | FileCheck %s
// RUN: %python -c "import numpy as np; f, r = (np.load('%t.out/' + n + '.npy') for n in ('f', 'r')); assert f.min() == -12 and (np.rint(f) == r).all() and (np.signbit(np.rint(f)) == np.signbit(r)).all()"
// RUN: %pmc --precision=f64 --target=cuda --emit=ptx %s | FileCheck %s --check-prefix=PTX
// PTX: cvt.rni.f64.f64

dim x = 49
param p = 0.5

let f = map q in [x] => 0.5 * index(q, x) - 12
output f = f
output r = rint(f)

// CHECK: constants 2 4 -2
print "constants {} {} {}", rint(2.5), rint(3.5), rint(-2.5)
// CHECK: numbers 2 -2 0
print "numbers {} {} {}", rint(5 * p), rint(-3 * p), rint(p)
// CHECK: slopes 12 12 2450
fn square(a) = rint(3 * a)^2
print "slopes {} {} {}", grad(square)(p), jvp(square)(p, tangent = 1)[1], grad(a => sum(f * rint(a * f)))(p)
