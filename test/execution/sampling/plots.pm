// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_plots.py %t.out
// RUN: %python %S/../plots/report.py %t.out | FileCheck %s
// CHECK-DAG: picture traces.png
// CHECK-DAG: picture ranks.png
// The report contains traces and ranks of several chains. The pictures show the draws, and the same counts of ranks as SciPy.

use sampling
dim draw = 200, chain = 3, bin = 10
let starts = map q in [chain] => index(q, chain) - 1.0
let a = sample_batch[chain, draw](u => 0.5 * u^2 + 0.1 * u^4, starts, nuts(depth = 5, warmup = 100), seed = 1)
let n = map q in [draw] => index(q, draw)
let part = map q in [bin] => index(q, bin)
let counts = rank_counts[bin](a.chain, draw, chain)
plot traces = (n, a.chain[chain = 0], a.chain[chain = 1], a.chain[chain = 2]) xlabel "draw"
plot ranks = (part, counts[chain = 0], counts[chain = 1], counts[chain = 2]) xlabel "ranks"
output draws = a.chain
