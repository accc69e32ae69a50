// RUN: %pmc --emit=pm %s | FileCheck %s
// RUN: %pmc --emit=pm --schedule=revolve:3 %s | FileCheck %s --check-prefix=REVOLVE
// RUN: %pmc --emit=pm --schedule=reverse %s | FileCheck %s --check-prefix=REVERSE
// Derivatives are ops on functions of the run-time parts of what they are applied to.
param a = 1.0
dim x = 8, y = 8 over 8 Mpc/h
let w = white_noise[x, y](1)
let offset = 2 * a

fn cost(s, b = 3.0, name = "no number") = b * sum(s^2)
fn moved(p, h) = {disp = p.disp + h * p.mom, mom = p.mom}

// Captured values come first; a number that the compiler knows is an operand if it is differentiated.
// CHECK: func.func private @cost(%{{.*}}: !pm.field<[x=8, y=8], f32>) -> f64
// CHECK: func.func private @cost_1(%{{.*}}: !pm.field<[x=8, y=8], f32>, %{{.*}}: f64) -> f64
// CHECK: func.func private @primal(%{{.*}}: f64, %{{.*}}: !pm.field<[x=8, y=8], f32>) -> !pm.field<[x=8, y=8], f32>
// CHECK: func.func private @moved(%{{.*}}: !pm.field<[x=8, y=8], f32>, %{{.*}}: !pm.field<[x=8, y=8], f32>) -> (
// A derivative of a derivative is one of a function that has it.
// CHECK: func.func private @primal_1(
// CHECK: pm.vjp @cost_2(
// An adjoint by hand: (operands, cotangents of results) -> cotangents of operands.
// CHECK: func.func private @clip({{.*}} attributes {pm.adjoint = @clip_adjoint}
// CHECK: func.func private @clip_adjoint(%{{.*}}: !pm.field<[x=8, y=8], f32>, %{{.*}}: f64, %{{.*}}: !pm.field<[x=8, y=8], f32>) -> (!pm.field<[x=8, y=8], f32>, f64)
@adjoint(straight)
fn clip(f, most) = min(f, most)
fn straight(f, most, w) = (w, 0)

// CHECK: func.func @main()
// CHECK: %[[W:.*]] = pm.white_noise
// CHECK: %[[ONE:.*]] = arith.constant 1.0{{.*}} : f64
// CHECK: %{{.*}}:2 = pm.vjp @cost(%[[W]]) wrt [0] of [0](%[[ONE]]) schedule {{ ?}}keep :
// REVOLVE: pm.vjp @cost({{.*}} schedule {{ ?}}revolve 3
// REVERSE: pm.vjp @cost({{.*}} schedule {{ ?}}reverse :
output g = grad(cost)(w)
// The order of the names is that of the derivatives, not that of the op.
// CHECK: %[[G:.*]]:3 = pm.vjp @cost_1(%[[W]], %{{.*}}) wrt [0, 1] of [0]
// CHECK: pm.output "field"(%[[G]]#1
let (value, both) = value_and_grad(cost, wrt = (b, s))(w, 3)
output field = both[1]
print "{}", both[0]
// CHECK: pm.vjp @primal(%{{.*}}, %[[W]]) wrt [1] of [0](%[[W]]) schedule {{ ?}}revolve 2
// REVERSE: pm.vjp @primal({{.*}} schedule {{ ?}}revolve 2
output pulled = vjp(u => sin(u) * offset, schedule = "revolve", snapshots = 2)(w, cotangent = w)[1]
// Records: the members in order.
// CHECK: %[[J:.*]]:4 = pm.jvp @moved(%[[W]], %[[W]]) wrt [0, 1] along(%{{.*}}, %{{.*}}) :
// CHECK: pm.output "along"(%[[J]]#3
output along = jvp(moved)({disp = w, mom = w}, 0.1, {disp = 2 w, mom = 3 w})[1].mom
// CHECK: pm.jvp @primal_1(%[[W]]) wrt [0] along(%[[W]])
output hessian = jvp(grad(cost))(w, 3.0, tangent = w)[1]
// Instances are shared.
// CHECK: pm.vjp @cost(%[[W]])
output again = grad(cost)(w)
output clipped = grad(f => sum(clip(f, a)^2))(w)
