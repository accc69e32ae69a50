// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// if, for, map, bins and loop.

// CHECK: :[[#@LINE+1]]:14: error: expected 'then', found '{'
let a = if b { c }
// CHECK: note: an 'if' with a value is written 'if condition then a else b'
// CHECK: :[[#@LINE+1]]:14: error: expected 'then', found ':'
let a = if b : c
// CHECK: :[[#@LINE+1]]:20: error: expected 'else', found the end of the line
let a = if b then c
// CHECK: :[[#@LINE-1]]:9: note: an 'if' with a value has a value for both cases
// CHECK: :[[#@LINE+1]]:13: error: expected the name of the loop variable, found '3'
let a = for 3 in x => y
// CHECK: :[[#@LINE+1]]:15: error: expected 'in', found '='
let a = for i = 3
// CHECK: :[[#@LINE+1]]:26: error: expected '=>', found ':'
let a = for i in range(3): i
// CHECK: :[[#@LINE+1]]:13: error: expected the name of the coordinate, found '('
let a = map (k, q) in F => k
// CHECK: :[[#@LINE+1]]:20: error: expected '=>', found the end of the line
let a = map k in dk
// CHECK: :[[#@LINE+1]]:21: error: expected 'into', found 'by'
let a = bins k in F by 3 => 1
// CHECK: :[[#@LINE+1]]:28: error: expected 'by', found '=>'
let a = bins k in F into 3 => 1
// CHECK: :[[#@LINE+1]]:26: error: expected an expression, found 'by'
let a = bins k in F into by 3 => 1
// CHECK: :[[#@LINE+1]]:14: error: expected a name, found '3'
let a = loop 3 = 4
// CHECK: :[[#@LINE+1]]:16: error: expected '=', found 'in'
let a = loop x in 4
// CHECK: :[[#@LINE+1]]:20: error: expected 'for' or 'while', found '=>'
let a = loop x = 4 => x
// CHECK: :[[#@LINE+1]]:24: error: expected the name of the counter, found '3'
let a = loop x = 4 for 3 in 0 .. 2 => x
// CHECK: :[[#@LINE+1]]:31: error: expected '..', found 'to'
let a = loop x = 4 for i in n to 4 => x
// CHECK: note: a loop counts 'for i in 0 .. n'
// CHECK: :[[#@LINE+1]]:5: error: expected '{' or 'then', found ':'
if a: b
// CHECK: note: write 'if condition { statements }'
// CHECK: :[[#@LINE+2]]:14: error: expected '{', found 'b'
// An 'if' with an error in its condition has a body all the same.
if a {} else b
// CHECK: :[[#@LINE+2]]:4: error: expected an expression, found ','
// CHECK: :[[#@LINE+1]]:16: error: expected an expression, found '}'
if , { let z = }
// CHECK-NOT: error:
