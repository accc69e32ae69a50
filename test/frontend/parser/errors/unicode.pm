// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// Signs that come with copied text, and names that are not ASCII.

// CHECK: :[[#@LINE+1]]:5: error: unexpected character 'é' (U+00E9)
let éa = 3
// CHECK: note: names are made of ASCII letters, digits and '_'
// CHECK: :[[#@LINE+1]]:6: error: unexpected character 'δ' (U+03B4)
let aδb = 3
// CHECK: :[[#@LINE+1]]:23: error: unexpected character '×' (U+00D7); write '*'
let b = f("äöü", 3 × 4)
// CHECK: :[[#@LINE+1]]:11: error: unexpected character '−' (U+2212); write '-'
let c = 3 − 4
// CHECK: :[[#@LINE+1]]:11: error: unexpected character '≤' (U+2264); write '<='
let d = 3 ≤ 4
// CHECK: :[[#@LINE+1]]:11: error: unexpected character '²' (U+00B2); write '^2'
let e = a ²
// CHECK: :[[#@LINE+1]]:9: error: unexpected character 'π' (U+03C0); write 'pi'
let f = π
// CHECK: :[[#@LINE+1]]:7: error: unexpected character '“' (U+201C); write '"'
print “hello”
// CHECK: :[[#@LINE+1]]:11: error: unexpected character '∈' (U+2208)
let g = a ∈ b
// CHECK-NOT: error:
