// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// let, output, plot, print, assert.

// CHECK: :[[#@LINE+1]]:5: error: expected a name, found '3'
let 3 = 4
// CHECK: :[[#@LINE+1]]:4: error: expected a name, found the end of the line
let
// CHECK: :[[#@LINE+1]]:5: error: expected a name, found 'for'
let for = 3
// CHECK: note: 'for' is a keyword
// CHECK: :[[#@LINE+1]]:6: error: expected a name, found ')'
let () = 3
// CHECK: :[[#@LINE+1]]:9: error: expected a name, found '1'
let (a, 1) = 3
// CHECK: :[[#@LINE+1]]:6: error: 'let' takes no type; it is that of the value
let b: f64 = 3
// CHECK: :[[#@LINE+1]]:6: error: expected '=', found '('
let f(x) = x
// CHECK: note: functions are declared with 'fn'
// CHECK: :[[#@LINE+1]]:7: error: expected '=', found '3'
let b 3
// CHECK: :[[#@LINE+1]]:7: error: expected the name of the output, found the end of the line
output
// CHECK: :[[#@LINE+1]]:15: error: expected the name of a column, found ')'
output power () = a
// CHECK: :[[#@LINE+1]]:15: error: expected the name of a column, found '3'
output power (3) = a
// CHECK: :[[#@LINE+1]]:5: error: expected what to plot, found the end of the line
plot
// CHECK: :[[#@LINE+1]]:17: error: expected 'log' or 'linear', found 'lin'
plot dmap scale lin
// CHECK: :[[#@LINE+1]]:18: error: expected 'log' or 'linear', found 'gray'
plot dmap yscale gray
// CHECK: :[[#@LINE+1]]:18: error: expected 'sequential', 'diverging', 'cyclic', 'inferno', 'gray' or 'mask', found 'jet'
plot dmap colors jet
// CHECK: :[[#@LINE+1]]:19: error: expected a text in quotes, found 'a'
plot dmap labels (a)
// CHECK: :[[#@LINE+1]]:7: error: expected a text in quotes, found 'a'
print a
// CHECK: note: values are printed where it has '{}': "a = {}", a
// CHECK: :[[#@LINE+1]]:6: error: expected a text in quotes, found '('
print("hello")
// CHECK: note: 'print' has no parentheses
// CHECK: :[[#@LINE+1]]:7: error: expected a condition, found the end of the line
assert
// CHECK: :[[#@LINE+1]]:11: error: expected a text in quotes, found '3'
assert a, 3 + 4
// CHECK-NOT: error:
