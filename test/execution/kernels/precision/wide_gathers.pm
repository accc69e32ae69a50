// RUN: %pmc %s -o %t && %t --out %t.out --quiet
// A loop in a map that reads cells of an f64 field gives a field of f64 in a program with fields of f32.
dim x = 16
dim h = 10
let wide = bins q in [x] into h by index(q, x) => 1 + 1e-9 * index(q, x)
let counted = map q in [h] => loop s = 0 for k in 0 .. 1 => s + wide[h = mod(int(index(q, h)) + 3, 10)]
let repeated = map q in [h] => loop s = 0 while s < 0.5 => s + wide[h = mod(int(index(q, h)) + 3, 10)]
fn error_of(f) = max(map q in [h] => abs(f - 1 - 1e-9 * mod(int(index(q, h)) + 3, 10)))
assert error_of(counted) < 1e-14, "{} in a loop", error_of(counted)
assert error_of(repeated) < 1e-14, "{} in a loop with a condition", error_of(repeated)
