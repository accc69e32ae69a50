// RUN: not %pmc --emit=pm --layout='x=row' %s 2>&1 | FileCheck %s
// --layout that is none.
// CHECK: error: --layout 'x=row' is not of the form 'x->row, y->col'
dim x = 8
mesh gpus(row = 1)
