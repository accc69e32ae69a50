// RUN: %pmc %s -O0 -o %t && %t --out %t.out --quiet && %pmc %s -o %t && %t --out %t.out --quiet
// RUN: not %t --out %t.out --quiet --what=1 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not %t --out %t.out --quiet --what=2 2>&1 | FileCheck %s --check-prefix=CELL
// RUN: not %t --out %t.out --quiet --what=3 2>&1 | FileCheck %s --check-prefix=EDGE
// RUN: not %t --out %t.out --quiet --what=4 2>&1 | FileCheck %s --check-prefix=SUM
// SCALAR: not_numbers.pm:[[#@LINE+29]]:{{[0-9]+}}: error: 'int' of what is not a number
// CELL: not_numbers.pm:[[#@LINE+29]]:{{[0-9]+}}: error: there is no cell -9223372036854775808 of 'x', which has 8
// EDGE: not_numbers.pm:[[#@LINE+29]]:{{[0-9]+}}: error: the index of a cell is not a number, of which 'int' makes -9223372036854775808
// SUM: not_numbers.pm:[[#@LINE+29]]:{{[0-9]+}}: error: the index of a cell is not a number
// Ints that come from what is not a number: no division makes a cell of them, bins leave them out, and as an index they are an error, as is
// such an int of a scalar.

param what: int = 0
param zero = 0.0
dim x = 8
let f = map q in [x] => if index(q, x) == 3 then zero / zero else 1.5 * index(q, x)
fn least(name, g) {
  let wrong = sum(map q in [x] =>
    if index(q, x) == 3 then (if g == -9223372036854775807 - 1 then 0 else 1) else (if g >= 0 and g < 16 then 0 else 1))
  assert wrong == 0, "{}: {} elements are wrong", name, wrong
}
least("mod", map q in [x] => mod(int(f), 16))
least("mod by 3", map q in [x] => mod(int(f), 3))
least("mod by an int", map q in [x] => mod(int(f), 3 + what))
least("div", map q in [x] => div(int(f), 2))
least("a sum", map q in [x] => mod(5 - 2 * int(f), 16))
least("an extreme", map q in [x] => mod(max(int(f), 0), 7))
let kept = map q in [x] => int(f)
least("of a field", map q in [x] => mod(kept, 5))
least("twice", map q in [x] => mod(div(int(f), 2) + 1, 7))
let chosen = map q in [x] => mod(if finite(f) then int(f) else 7, 4)
assert chosen[x = 3] == 3 and chosen[x = 2] == 3 and chosen[x = 1] == 1, "what is not chosen"
let counts = bins q in [x] into 16 by mod(int(f), 16) => 1
assert sum(counts) == 7, "{} in bins", sum(counts)
if what == 1 { print "{}", mod(int(zero / zero), 16) }
if what == 2 { print "{}", sum(map q in [x] => f[x = mod(int(f), 8)]) }
if what == 3 { print "{}", sum(map q in [x] => f[x = int(f), edge = "periodic"]) }
if what == 4 { print "{}", sum(map q in [x] => f[x = 2 * int(f) + 1, edge = "zero"]) }
// Of several numbers all must be: of a tuple, a record, a complex number, and fields.
let (good, bad) = (zero + 1, zero / zero)
assert not (finite((good, bad)) or finite((bad, good)) or finite({a = good, b = bad}) or finite((1, bad, 2))), "tuples"
assert not (finite(good + 1i * bad) or finite(bad + 1i * good)) and finite(good + 1i * good), "complex numbers"
assert finite((good, {a = good, b = (1, good)})) and not finite((good, {a = good, b = (1, bad)})), "tuples of records"
let whole = map q in [x] => index(q, x) + 1.0
assert finite((whole, good)) and not finite((whole, f)) and not finite((f, whole)) and not finite(whole + 1i * f),
       "fields"
let marked = map q in [x] => (if finite((whole, f)) then 1 else 0) + (if finite(f + 1i * whole) then 10 else 0) +
  (if finite(whole + 1i * f) then 100 else 0)
assert sum(marked) == 7 * 111, "elements: {}", sum(marked)
