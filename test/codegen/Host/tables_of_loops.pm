// RUN: %pmc --emit=llvm %s -o - | grep -c 'call i64 [@]pmrt_tables_mark' | FileCheck %s --check-prefix=MARKS
// The tables of a step end with it: in loops that are counted, in those with a condition, and in a loop within a loop. A loop without tables, and
// a table outside of loops, need no mark.
// MARKS: {{^4$}}
param n: int = 4
fn half(s) = interpolate(tabulate(y => y * s, from = 0, to = 1, points = 20), 0.5)
let a = loop a = 1.0 for i in 0 .. n => a + half(a)
let b = loop b = 1.0 while b < 10 => b + half(b)
let c = loop c = 1.0 for i in 0 .. n => loop d = c while d < 10 * c => d + half(d)
let e = loop e = 1.0 while e < 10 => 2 * e
print "{} {} {} {} {}", a, b, c, e, half(n)
