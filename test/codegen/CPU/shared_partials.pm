// Sums to small fields share one piece of the stack, of the size that the largest one needs. Otherwise a spec with many
// of them has a frame of megabytes, which ends the program when it starts.

// RUN: %pmc %s --cpu=x86-64-v3 --emit=llvm | FileCheck %s
// RUN: %pmc %s -o %t && %t --quiet | FileCheck %s --check-prefix=VALUES

// CHECK: {{%[0-9]+ = alloca .64 x double}}
// CHECK-NOT: {{%[0-9]+ = alloca .[0-9][0-9]+ x double}}
// VALUES: 1024 2048 3072

dim x = 32, y = 32, z = 64
let f = map q in [x, y, z] => 1.0
let first = sum(f, over = (x, y))
let second = sum(2 f, over = (x, y))
let third = sum(3 * sqrt(f), over = (y, z))
print "{} {} {}", first[z = 5], second[z = 5], third[x = 3] / 2
