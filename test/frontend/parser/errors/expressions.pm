// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// Expressions that miss something.

// CHECK: :[[#@LINE+1]]:12: error: expected an expression, found the end of the line
let a = 1 +
let b = 1
// CHECK: :[[#@LINE+1]]:9: error: expected an expression, found '['
let c = [1, 2]
// CHECK: note: a list is written '(a, b, c)'
// CHECK: :[[#@LINE+1]]:11: error: expected the end of the line, found 'b'
let d = a b
// CHECK: note: multiply with '*'; only a number directly in front of a name or '(' multiplies without
// CHECK: :[[#@LINE+1]]:11: error: expected the end of the line, found 'if'
let e = a if b else c
// CHECK: note: a choice is written 'if condition then a else b'
// CHECK: :[[#@LINE+1]]:11: error: expected the end of the line, found '..'
let f = 0 .. 3
// CHECK: note: a range 'a .. b' is allowed after 'in' and as an argument
// CHECK: :[[#@LINE+1]]:11: error: expected the end of the line, found '=>'
let g = 3 => a
// CHECK: note: before '=>' stands 'name' or '(name, name)'
// CHECK: :[[#@LINE+1]]:9: error: write 'true'
let h = True
// CHECK: :[[#@LINE+1]]:9: error: write 'false'
let i = False
// CHECK: :[[#@LINE+1]]:9: error: a function without a name is written 'x => value'
let j = lambda x: x
// CHECK: :[[#@LINE+1]]:11: error: expected the name of a member, found '*'
let k = v.*0
// CHECK: :[[#@LINE+1]]:9: error: expected an expression, found 'while'
let l = while a { b }
// CHECK: note: a loop is written 'loop x = start while condition => next'
// CHECK: :[[#@LINE+1]]:24: error: expected an expression, found 'print'
let l2 = for i in e => print "x"
// CHECK: note: 'print' begins a statement: write it in '{ }', before a value
// CHECK: :[[#@LINE+1]]:18: error: a positional argument behind a named one
let m = f(a = 1, b)
// CHECK: :[[#@LINE+1]]:11: error: expected an expression, found ']'
let o = v[]
// CHECK: :[[#@LINE+1]]:10: error: expected an expression, found ')'
let p = ()
// CHECK: :[[#@LINE+1]]:8: error: expected an expression, found the end of the line
let q =
let r = 1
// CHECK: :[[#@LINE+1]]:11: error: expected the end of the line, found a string
let s = a "doc"
// CHECK-NOT: error:
let zf = f[plane = i]
// CHECK: :[[#@LINE+1]]:25: error: expected an expression, found ']'
let zg = 2 * f[z = 0 .. ] + 1
