// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Values and bounds of whole numbers; names that flags have.
dim x = 3
// CHECK: :[[#@LINE+1]]:16: error: 'q' is declared as u64, its default is int
param q: u64 = -1
// CHECK: :[[#@LINE+1]]:21: error: bounds are f64, which cannot hold this one exactly; the nearest is 18446744073709551616
param r: u64 in [0, 18446744073709551615] = 1
// CHECK: :[[#@LINE+1]]:18: error: bounds are f64, which cannot hold this one exactly; the nearest is 9007199254740992
param s: int in [9007199254740993, inf) = 9007199254740994
// CHECK: :[[#@LINE+1]]:44: error: the default is not in the range
param u: u64 in [0, 9223372036854775808] = 9223372036854775809
// CHECK: :[[#@LINE+1]]:7: error: a param cannot be called 'threads', because --threads is a flag of every program; choose another name
param threads: int = 1
// CHECK: :[[#@LINE+1]]:7: error: a param cannot be called 'dry_run', because --dry-run is a flag
param dry_run = 1
// CHECK: :[[#@LINE+1]]:7: error: an input cannot be called 'out', because --out is a flag
input out: table
