// RUN: not %pmc --emit=pm --layout='x->row, y->row, w->row, z->rov, x->col, t->(col,col)' %s 2>&1 | FileCheck %s
// --layout replaces the spec's.
// CHECK: error: --layout: there is no dim 'w' to lay out
// CHECK: error: --layout: the mesh has no axis 'rov'; did you mean 'row'?
// CHECK: error: --layout: 'x' has two layouts
// CHECK: note: in --layout 'x->row, y->row, w->row, z->rov, x->col, t->(col,col)'
// CHECK: error: --layout: the axis 'col' splits 't' twice
// CHECK: note: in --layout 'x->row, y->row, w->row, z->rov, x->col, t->(col,col)'
dim x = 8, y = 8, z = 8, t = 8
mesh gpus(row = 1, col = 1)
layout z -> row
// CHECK: :[[#@LINE+3]]:9: error: the mesh axis 'row' splits two dims of field[x, y], 'x' and 'y'
// CHECK: note: 'x' is laid out by --layout 'x->row, y->row, w->row, z->rov, x->col, t->(col,col)'
// CHECK: note: 'y' is laid out by --layout 'x->row, y->row, w->row, z->rov, x->col, t->(col,col)'
let a = white_noise[x, y](1)
let b = white_noise[y, z](1)
