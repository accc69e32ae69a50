// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// So is what functions expand to.
fn f0(x) = x + 1
// CHECK: :[[#@LINE+9]]:31: error: the program is too large: its functions and unrolled loops expand without end
// CHECK: :[[#@LINE+9]]:12: note: in 'f1', instantiated here
// CHECK: :[[#@LINE+9]]:26: note: in 'f2', instantiated here
// CHECK: :[[#@LINE+9]]:12: note: in 'f3', instantiated here
// CHECK: :[[#@LINE+9]]:26: note: in 'f4', instantiated here
// CHECK: :[[#@LINE+25]]:13: note: in 'f21', instantiated here
// CHECK: :[[#@LINE+25]]:13: note: in 'f22', instantiated here
// CHECK: :[[#@LINE+25]]:13: note: in 'f23', instantiated here
// CHECK: :[[#@LINE+25]]:9: note: in 'f24', instantiated here
fn f1(x) = f0(2 x + 1) - f0(3 x)
fn f2(x) = f1(2 x + 1) - f1(3 x)
fn f3(x) = f2(2 x + 1) - f2(3 x)
fn f4(x) = f3(2 x + 1) - f3(3 x)
fn f5(x) = f4(2 x + 1) - f4(3 x)
fn f6(x) = f5(2 x + 1) - f5(3 x)
fn f7(x) = f6(2 x + 1) - f6(3 x)
fn f8(x) = f7(2 x + 1) - f7(3 x)
fn f9(x) = f8(2 x + 1) - f8(3 x)
fn f10(x) = f9(2 x + 1) - f9(3 x)
fn f11(x) = f10(2 x + 1) - f10(3 x)
fn f12(x) = f11(2 x + 1) - f11(3 x)
fn f13(x) = f12(2 x + 1) - f12(3 x)
fn f14(x) = f13(2 x + 1) - f13(3 x)
fn f15(x) = f14(2 x + 1) - f14(3 x)
fn f16(x) = f15(2 x + 1) - f15(3 x)
fn f17(x) = f16(2 x + 1) - f16(3 x)
fn f18(x) = f17(2 x + 1) - f17(3 x)
fn f19(x) = f18(2 x + 1) - f18(3 x)
fn f20(x) = f19(2 x + 1) - f19(3 x)
fn f21(x) = f20(2 x + 1) - f20(3 x)
fn f22(x) = f21(2 x + 1) - f21(3 x)
fn f23(x) = f22(2 x + 1) - f22(3 x)
fn f24(x) = f23(2 x + 1) - f23(3 x)
let a = f24(0.5)
