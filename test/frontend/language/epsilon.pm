// RUN: %pmc run %s | FileCheck %s --check-prefixes=ALL,F32
// RUN: %pmc --precision=f64 run %s | FileCheck %s --check-prefixes=ALL,F64
// The gap between 1 and the next number, in the precision of numbers and of fields.

dim x = 4
let f = white_noise[x](1)
// ALL: numbers 2.220446049250313e-16 2.220446049250313e-16
print "numbers {} {}", epsilon(2 km), epsilon(1 + 2i)
// F32-NEXT: fields 1.1920928955078125e-07 1.1920928955078125e-07 1.1920928955078125e-07
// F64-NEXT: fields 2.220446049250313e-16 2.220446049250313e-16 2.220446049250313e-16
print "fields {} {} {}", epsilon(f), epsilon((2.0, f)), epsilon({a = fft(f), b = 1.0})
// 1 + ε differs from 1, and 1 + ε/2 does not.
// ALL-NEXT: largest 1 0
print "largest {} {}", max((1 + epsilon(f) + 0 * f - 1) / epsilon(f)), max(1 + epsilon(f) / 2 + 0 * f - 1)
