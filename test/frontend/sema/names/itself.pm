// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// CHECK: :[[#@LINE+1]]:5: error: a spec cannot use itself, and there is no other module 'itself'
use itself
