// RUN: %pmc %s -o %t && %t --quiet | FileCheck %s --match-full-lines

// Modes whose numbers only the running program knows, from below 0 to above, are those of numbers in the spec.
dim x = 6, y = 4
let f = map q in [x, y] => {
  let a = 2i * pi * index(q, x) / 6
  1 + 2 * exp(a) + 3 * exp(2 * a) + 4 * exp(-3 * a) + 5 * exp(-2 * a) + 6 * exp(-a)
}
let fk = fft(f, over = x)
// CHECK: -3 4 4
// CHECK-NEXT: -2 5 5
// CHECK-NEXT: -1 6 6
// CHECK-NEXT: 0 1 1
// CHECK-NEXT: 1 2 2
// CHECK-NEXT: 2 3 3
let all = loop s = 0.0 for i in -3 .. 3 {
  print "{} {:.6} {:.6}", i, mean(real(slice(fk, x = i))), mean(real(fk[x = i]))
  s + 1
}
// CHECK-NEXT: 4 1 3
print "{:.6} {:.6} {:.6}", mean(real(slice(fk, x = -3))), mean(real(slice(fk, x = 0))), mean(real(slice(fk, x = 2)))
