// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// What a differentiated function captured has an error, which is said once.
dim x = 8, y = 8
// CHECK: :[[#@LINE+1]]:12: error: undefined name 'nothing'
let data = nothing
fn misfit(s) = sum((s - data)^2)
let (v, g) = value_and_grad(misfit)(white_noise[x, y](1))
let h = grad(grad(misfit))(white_noise[x, y](1))
// CHECK-NOT: error
