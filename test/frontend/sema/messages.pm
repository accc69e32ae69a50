// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// print and assert.
param box: length = 100 Mpc/h
dim x = 8
let w = white_noise[x](1)
// CHECK: :[[#@LINE+1]]:1: error: the text has more {} than there are values (1)
print "{} {}", box
// CHECK: :[[#@LINE+1]]:1: error: '{:d}' is not a number format; write {}, {:.3f} or {:.2e}
print "{:d}", 3
// CHECK: :[[#@LINE+1]]:1: error: '{0}' is not a number format; write {}, {:.3f} or {:.2e}
print "{0}", 3
// CHECK: :[[#@LINE+1]]:15: error: there is no {} in the text for this value
print "none", 3
// CHECK: :[[#@LINE+1]]:1: error: a single '}' in the text; write it twice, or {} for a value
print "{} }", 3
// CHECK: :[[#@LINE+1]]:1: error: a single '{' in the text; write it twice, or {} for a value
print "{", 3
// CHECK: :[[#@LINE+2]]:20: error: {} shows a number, not field[x]; reduce it, or use output
// CHECK: :[[#@LINE+1]]:23: error: {} shows a number, not complex; show its parts
print "{:.3f} {}", w, 1i
// CHECK: :[[#@LINE+1]]:13: error: {} shows a number, not record {a}
print "{}", {a = 1}
// CHECK: :[[#@LINE+1]]:8: error: the condition of 'assert' is a bool, not int
assert 3, "a number"
// CHECK: :[[#@LINE+1]]:1: error: assertion does not hold: one is not above two
assert 1 > 2, "one is not above two"
// CHECK: :[[#@LINE+1]]:1: error: assertion does not hold: condition is false
assert false
// CHECK: :[[#@LINE+1]]:1: error: the text has more {} than there are values (0)
assert box > 0, "{}"
let never = if box > 0 Mpc/h then { assert false, "fine"; 1 } else 2
