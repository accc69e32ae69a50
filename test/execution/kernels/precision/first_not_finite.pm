// RUN: %pmc %s -o %t && not %t --out %t.out 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: %pmc --check-finite %s -o %t && not %t --out %t.out 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: %pmc --check-finite --precision=f64 %s -o %t && %t --out %t.out 2>&1 | FileCheck %s --check-prefix=WIDE

// Products with powers of micrometers leave the range of f32 if they are stored in km. With --check-finite the program ends at the expression that does so first, inside of the function.
units km
dim x = 8, y = 8 over 0.001 mm
fn stiff(f) = {
  let fk = fft(f)
  // FIRST: first_not_finite.pm:[[#@LINE+1]]:17: error: this is the first value that is not finite: a division by 0, a function outside of its domain, or a number beyond 3e38, where f32 ends, which --precision=f64 or other units avoid
  let quartic = map k in fk => norm2(k) * (norm2(k) * fk)
  ifft(quartic)
}
let f = white_noise[x, y](1)
// PLAIN: first_not_finite.pm:[[#@LINE+1]]:1: error: output 'g' is not finite: element [0, 0] is {{.*}}; compile with --check-finite to find the expression
output g = stiff(2 * f)
// WIDE-NOT: error
// WIDE: done
