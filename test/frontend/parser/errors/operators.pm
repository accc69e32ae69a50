// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// Operators of other languages.

// CHECK: :[[#@LINE+1]]:10: error: there is no operator '**'; a power is written '^'
let a = 2**3
// CHECK: :[[#@LINE+1]]:7: error: there is no operator ':='; write 'let name = value'
let b := 3
// CHECK: :[[#@LINE+1]]:11: error: there is no operator '&&'; write 'and'
let c = a && b
// CHECK: :[[#@LINE+1]]:11: error: there is no operator '||'; write 'or'
let d = a || b
// CHECK: :[[#@LINE+1]]:3: error: there is no operator '+=' outside of 'f with {[z = i] += g}'; a name keeps its value
a += 1
// CHECK: :[[#@LINE+1]]:3: error: there is no operator '-='; a name keeps its value
a -= 1
// CHECK: :[[#@LINE+1]]:3: error: there is no operator '*='; a name keeps its value
a *= 1
// CHECK: :[[#@LINE+1]]:3: error: there is no operator '/='; a name keeps its value
a /= 1
// CHECK: :[[#@LINE+1]]:9: error: there is no operator '!'; write 'not'
let e = !a
// CHECK: :[[#@LINE+1]]:11: error: there is no operator '%'; write mod(a, b) of ints, or a - b * floor(a / b)
let f = a % b
// CHECK: :[[#@LINE+1]]:11: error: there is no operator '?'; write 'if a then b else c'
let g = a ? b : c
// CHECK: :[[#@LINE+1]]:7: error: expected '=', found '=='
let h == 3
// CHECK: :[[#@LINE+1]]:6: error: expected '{' or 'then', found '='
if a = 3 { print "three" }
// CHECK: note: '==' compares; 'let name = value' names a value
// CHECK: :[[#@LINE+1]]:15: error: comparisons are not chained
let i = a < b < c
// CHECK: note: join them with 'and': 'a < b and b < c'
// CHECK: :[[#@LINE+1]]:13: error: expected an expression, found 'not'
let j = a + not b
// CHECK: note: put 'not ...' in parentheses here
// CHECK: :[[#@LINE+1]]:9: error: expected an expression, found '+'
let k = +a
// An exponent is one number, name or call: no factor and no unit follows it.
// CHECK: :[[#@LINE+1]]:13: error: expected the end of the line, found 'b'
let l = a^2 b
// CHECK: :[[#@LINE+1]]:13: error: expected the end of the line, found '('
let m = a^2 (b)
// CHECK: :[[#@LINE+1]]:13: error: expected the end of the line, found 'a'
let n = 2^3 a
// CHECK: :[[#@LINE+1]]:14: error: expected the end of the line, found 'm'
let o = a^-2 m
// CHECK-NOT: error:
