// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// What is not a token, and how other languages write what we have.

// CHECK: :[[#@LINE+1]]:11: error: comments start with '//'
let a = 1 # one error for all of them
let b = 2 # here is another
// CHECK: :[[#@LINE+1]]:11: error: comments run from '//' to the end of the line
let c = 3 /* several
   lines */
// CHECK: :[[#@LINE+1]]:13: error: '\' does not continue a line
let d = 3 + \
  4
// CHECK: note: a line goes on in the next inside '( )' and '[ ]', and if it ends with an operator or a comma
// CHECK: :[[#@LINE+1]]:9: error: numbers are decimal
let e = 0x1F
// CHECK: :[[#@LINE+1]]:10: error: expected a digit behind the decimal point
let f = 2. + 1
// CHECK: note: write '2.0'
// CHECK: :[[#@LINE+1]]:9: error: a number has a digit before its decimal point
let g = .5
// CHECK: :[[#@LINE+1]]:10: error: digits are not grouped with '_'
let h = 1_000
// CHECK: :[[#@LINE+1]]:9: error: the string has no closing quote on its line
let i = "abc
// CHECK: :[[#@LINE+1]]:9: error: strings have double quotes
let j = 'abc'
// CHECK: :[[#@LINE+1]]:11: error: no such escape in a string
let k = "a\q"
// CHECK: note: there are '\n', '\t', '\"' and '\\'
// CHECK: :[[#@LINE+1]]:9: error: the integer does not fit in 64 bits
let l = 18446744073709551616
// CHECK: note: write it with a decimal point or an exponent if it is meant as f64
// CHECK: :[[#@LINE+1]]:10: error: the number is out of the range of f64
let m = -1e999
// CHECK: :[[#@LINE+1]]:10: error: there is no operator '@'; a product of matrices is a sum over the dim that they share
let n = a@b
// CHECK: :[[#@LINE+1]]:9: error: unexpected character '''
let o = 'a
// CHECK-NOT: error:
