// RUN: %pmc %s -o %t
// RUN: %t --quiet --out %t.out | FileCheck %s --check-prefix=DEFAULT
// RUN: %t --quiet --out %t.out --z_s=1,2.5,3 --widths.1=7 | FileCheck %s --check-prefix=GIVEN
// RUN: %t --quiet --out %t.out --widths=3,4 --widths.1=7 --z_s.0=5 --z_s=1,2.5,3 | FileCheck %s --check-prefix=BOTH
// RUN: not %t --quiet --out %t.out --z_s=1,2 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not %t --quiet --out %t.out --z_s=1,,2 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %t --quiet --out %t.out --z_s=1,30,2 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: %t --help | FileCheck %s --check-prefix=HELP
// Params of several numbers.
param z_s: list in (0, 20) = (0.5, 1, 2)  "redshifts of sources"
param widths: list ms = (10 ms, 20 ms)
param plain = (3.0, 4.0)

fn of(z) = z[0] * z[1] * z[2]^2
print "{} {} {} {}", z_s[0], total(z_s), number(total(widths), 1 ms), norm2(plain)
print "{} {}", grad(of)(z_s)[2], if given(z_s) then 1 else 0

// DEFAULT: 0.5 3.5 30 25
// DEFAULT-NEXT: 2 0
// GIVEN: 1 6.5 17 25
// GIVEN-NEXT: 15 1
// BOTH: 5 10.5 10 25
// FEW: error: --z_s: '1,2' has 2 numbers, separated by commas, expected 3
// NONE: error: --z_s.1: ''
// RANGE: error: --z_s.1
// HELP: --z_s=NUMBER,
// HELP: 3 numbers, or one by one:
// HELP: --z_s.0=NUMBER
// HELP: redshifts of sources
