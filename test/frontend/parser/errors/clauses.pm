// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Clauses of statements that are twice, missing, or of another form.
dim x = 8, y = 8
let f = white_noise[x, y](1)
// CHECK: :[[#@LINE+1]]:19: error: 'contours' is given twice; write several values as (a, b)
plot f contours f contours 2 * f
// CHECK: :[[#@LINE+1]]:17: error: 'points' is given twice; write several values as (a, b)
plot f points f points f
// CHECK: :[[#@LINE+1]]:15: error: expected '(' and texts in quotes, found a string
plot f labels "a"
// CHECK: :[[#@LINE+1]]:16: error: expected a text in quotes, found ')'
plot f labels ()
// CHECK: :[[#@LINE+1]]:16: error: expected a text in quotes, found 'a'
plot f labels (a)
let s = loop a = 1.0 for i in 3 => a
// CHECK: :[[#@LINE+2]]:34: error: expected '..', found 'while'
// CHECK: note: a loop counts 'for i in 0 .. n', or the cells of a dim, 'for i in z'
let s0 = loop a = 1.0 for i in 3 while true => a
// CHECK: :[[#@LINE+1]]:18: error: expected 'dim = cell'
let v = f with {[0] = 1
// CHECK: :[[#@LINE+1]]:19: error: expected 'dim = cell'
let v2 = f with {[edge = "zero"] = 1
// CHECK: :[[#@LINE+1]]:31: error: expected '[dim = cell] = value'
let v3 = f with {[x = 0] = 1; y = 2
// CHECK: :[[#@LINE+1]]:10: error: expected '(', found 'g'
@adjoint g fn h(x) = x
// CHECK: :[[#@LINE+2]]:2: error: expected 'adjoint' or 'tangent', found 'inverse'
// CHECK: note: as in '@adjoint(g)', before 'fn f(x)'
@inverse(g)
// CHECK: :[[#@LINE+2]]:12: error: expected 'fn', found the end of the line
// CHECK: note: '@adjoint(g)' belongs to the function behind it
@adjoint(g)
let w = 1
// CHECK: :[[#@LINE+2]]:20: error: expected 'minimizing', found 'with'
// CHECK: note: as in 'optimize s from start minimizing loss(s) with adam() for 100 iterations'
optimize s2 from f with adam() for 3 iterations
// CHECK: :[[#@LINE+2]]:34: error: expected 'with' and an optimizer, found 'for'
// CHECK: note: as in 'with adam(rate = 0.1)', of the module 'optim'
optimize s3 from f minimizing s3 for 3 iterations
// CHECK: :[[#@LINE+2]]:45: error: expected 'for' and a number of iterations, found the end of the line
// CHECK: note: as in 'for 100 iterations', or 'for r in (4, 2), 100 iterations each'
optimize s4 from f minimizing s4 with adam()
// CHECK: :[[#@LINE+2]]:8: error: no such escape in a string
// CHECK: note: there are '\n', '\t', '\"' and '\\'
print "\q"
// CHECK: :[[#@LINE+2]]:11: error: expected the end of the line, found ':'
// CHECK: note: a ':' is allowed only between a declared name and its type; statements that belong together are written in '{ }'
let b = 1 : 2
