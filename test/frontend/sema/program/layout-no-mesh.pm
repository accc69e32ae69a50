// A layout without a mesh, in the spec and by the flag: what to write.
// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// RUN: sed '/^layout/d' %s > %t.pm && not %pmc --emit=pm --layout 'x -> row' %t.pm 2>&1 | FileCheck %s --check-prefix=FLAG
dim x = 8
// CHECK: :[[#@LINE+1]]:13: error: there is no mesh; write 'mesh ranks(row = 1)'
layout x -> row
// FLAG: error: --layout: there is no mesh; write 'mesh ranks(row = 1)'
output f = white_noise[x](1)
