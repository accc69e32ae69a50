// RUN: %pmc -O0 %s --emit=asm -o - | FileCheck %s
// RUN: %pmc -O0 %s -o %t && %t --out %t.out --quiet | FileCheck %s --check-prefix=NUMBERS
// Functions with several numbers as results, without optimization: none of them goes over the x87 stack, from where LLVM
// fetches it with instructions that processors with AVX-512 refuse.
// CHECK-NOT: {{^[[:space:]]f(ld|st|xch)}}

param a = 3.0
fn three(a) = (a + 1, a * 2, a - 5)
fn four(a) = {sum = a + 1, twice = a * 2, root = sqrt(a + 1), less = a - 5}
fn five(a) = (a, a + 1, a + 2, a + 3, a + 4)
fn steps(a) = loop (u, v, w, s) = (a, 0.0, 1.0, 0.0) for i in 0 .. 3 => {
  let (x, y, z) = three(u + w)
  let r = four(x)
  let (p, q, o, m, n) = five(y)
  (0.5 * r.sum + r.root, z + q + v, r.less + s, r.twice + p + o + m + n)
}
let (u, v, w, s) = steps(a)
// The same in Python.
// NUMBERS: 38.2559 193.0593 120.3985 600.0361
print "{:.4f} {:.4f} {:.4f} {:.4f}", u, v, w, s
