// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Backslashes.
// CHECK: :[[#@LINE+2]]:11: error: '\' does not continue a line
// CHECK: note: a line goes on in the next inside '( )' and '[ ]', and if it ends with an operator or a comma
let c = 1 \
  + 1
// CHECK: :[[#@LINE+2]]:12: error: no such escape in a string
// CHECK: note: there are '\n', '\t', '\"' and '\\'
let s = "a \q"
