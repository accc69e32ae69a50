// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// Units of the user, bounded loops and `each`.

// CHECK: :[[#@LINE+1]]:6: error: there is a unit 'mm' already
unit mm = 3 m
// CHECK: :[[#@LINE+1]]:13: error: expected a number, found '('
unit pair = (1, 2)
// CHECK: note: a unit is a number of others: 'unit inch = 25.4 mm'
// CHECK: :[[#@LINE+1]]:13: error: a unit is a positive number of other units
unit none = 0 m
unit inch = 25.4 mm
// CHECK: :[[#@LINE+1]]:6: error: there is a unit 'inch' already
unit inch = 1 m
// CHECK: :[[#@LINE+1]]:14: error: a unit is a positive number of other units
unit wrong = 2i m
// CHECK: :[[#@LINE+1]]:14: error: unknown unit 'inch2'
param a: f64 inch2 = 3 inch
// CHECK: note: did you mean 'inch'?
// CHECK: :[[#@LINE+1]]:21: error: expected '=>', found '+'
let b = each c in f + 1 => f
// CHECK: :[[#@LINE+1]]:24: error: expected 'where', found 'into'
let c = collect q in f into 8 => f
// CHECK: :[[#@LINE+1]]:36: error: expected 'into', found '=>'
let d = collect q in f where f > 1 => f
// CHECK: :[[#@LINE+1]]:46: error: expected '=>', found 'f'
let e = collect q in f where f > 1 into 8 by f => f
// CHECK: :[[#@LINE+1]]:40: error: expected '=>', found 'least'
let h = loop u = f while max(u) > 1 at least 3 => u
// CHECK: :[[#@LINE+1]]:56: error: expected the end of the line, found 'stacking'
let j = loop u = 0 * f while max(u) > 1 at most 3 => u stacking u
// CHECK: :[[#@LINE+1]]:42: error: expected '=>', found the end of the line
let r = loop u = 1.0 while true at most 3
// CHECK: :[[#@LINE+1]]:15: error: 'unit' is allowed only at the top level
fn inside() { unit foot = 3 inch; 2 }
// CHECK: :[[#@LINE+1]]:16: error: expected a text in quotes, found ')'
plot f labels ()
