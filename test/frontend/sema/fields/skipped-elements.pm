// `_` skips elements of a tuple, at the top level and in blocks. It may occur several times in a pattern, and cannot be read.
// RUN: not %pmc %s --emit=pm -o /dev/null 2>&1 | FileCheck %s
// RUN: sed '/^print.* _$/d' %s > %t.pm && %pmc run %t.pm -- --quiet --out %t.out | FileCheck %s --check-prefix=VALUES
// VALUES: 2 5 7
let (_, b, _) = (1, 2, 3)
let (_, _) = (3, 4)
let inner = {
  let (_, p) = (4, 5)
  let (q, _) = (7, 8)
  (p, q)
}
print "{} {} {}", b, inner[0], inner[1]
// CHECK: :[[#@LINE+1]]:13: error: undefined name '_'
print "{}", _
