// RUN: %pmc --emit=pm %s | FileCheck %s
// A function is called with a constant and with an int of a map: the order of the calls does not change the types.
// CHECK: pm.output "real"({{.*}}[x=8], f32>)
// CHECK: pm.output "whole"({{.*}}[x=8], i64>)
// CHECK: pm.output "other"({{.*}}[x=8], i64>)
// CHECK: pm.output "last"({{.*}}[x=8], f32>)
dim x = 8
fn filled(a) = map q in [x] => a
fn again(a) = map q in [x] => a
output real = filled(16777217)
output whole = filled(int(16777217.0))
output other = again(int(16777217.0))
output last = again(16777217)
