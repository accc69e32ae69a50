// RUN: %pmc %s -o %t 2>&1 | FileCheck %s
// A derivative that is 0 because ints have none is reported at the op, once. One that is not 0 is not.
dim x = 8
let f = white_noise[x](1)
// CHECK-NOT: :[[#@LINE+1]]:
let a = grad(f => sum(f[x = argsort(f)]^2))(f)
// CHECK: :[[#@LINE+1]]:23: warning: the derivative is 0: the value depends on the variables of the derivative through 'argsort' alone, whose ints have no derivative; read numbers at the order, as in f[x = argsort(f, x)], or use 'sort'
let b = grad(f => sum(argsort(f) * 0.5))(f)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: the derivative is 0: the value depends on the variables of the derivative through 'ranks' alone
let c = jvp(f => sum(ranks(f) * 0.5))(f, tangent = f)[1]
// CHECK: :[[#@LINE+1]]:23: warning: the derivative is 0: the value depends on the variables of the derivative through 'friends_of_friends' alone, whose ints have no derivative; sum the positions of each group
let e = grad(f => sum(friends_of_friends(f, 0.1) * 0.5))(f)
// CHECK-NOT: warning
let d = grad(f => sum(ranks(f) * f))(f)
print "{} {} {} {} {}", sum(a), sum(b), c, sum(d), sum(e)
