// A program becomes the derivative of its outputs with respect to params and inputs.

// RUN: pm-opt %s --pm-derivative-entry="kind=vjp wrt=f,a of=g,s schedule=revolve snapshots=3" | FileCheck %s --check-prefix=VJP
// RUN: pm-opt %s --pm-derivative-entry="kind=jvp wrt=a of=g" | FileCheck %s --check-prefix=JVP
// RUN: pm-opt %s --pm-derivative-entry="kind=vjp wrt=f of=s" --pm-derivative-entry="kind=jvp wrt=f,a,cotangent/s of=gradient/f" --pm-derivative-entry="kind=jvp wrt=tangent/f of=tangent/gradient/f" | FileCheck %s --check-prefix=AGAIN
// RUN: not pm-opt %s --pm-derivative-entry="wrt=box of=s" 2>&1 | FileCheck %s --check-prefix=LENGTH
// RUN: not pm-opt %s --pm-derivative-entry="wrt=n of=s" 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not pm-opt %s --pm-derivative-entry="wrt=b of=s" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not pm-opt %s --pm-derivative-entry="wrt=a of=h" 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: echo 'module {}' | not pm-opt --pm-derivative-entry="wrt=a of=s" 2>&1 | FileCheck %s --check-prefix=MAIN
// RUN: not pm-opt %s --pm-derivative-entry="wrt=a of=loop" 2>&1 | FileCheck %s --check-prefix=LOOP

// A param that a function reads is its last argument, and that of its callers.
// VJP: pm.input "cotangent/g/0" : !pm.field<[x=4], f32>
// VJP: pm.input "cotangent/g/1" : !pm.field<[x=4], f32>
// VJP: pm.param "cotangent/s" : f64 "f64"
// VJP: func.func private @scale(%[[U:.*]]: !pm.field<[x=4], f32>, %[[A:.*]]: f64)
// VJP-NOT: pm.param_value
// VJP: arith.truncf %[[A]]
// VJP: func.func private @pmc.forward(%{{.*}}: !pm.field<[x=4], f32>, %[[B:.*]]: f64)
// VJP: call @scale(%{{.*}}, %[[B]])
// VJP-NOT: pm.print
// VJP-NOT: pm.output
// VJP: func.func @main
// VJP: %[[F:.*]] = pm.input_value "f"
// VJP: %[[P:.*]] = pm.param_value "a"
// VJP: %[[C0:.*]] = pm.input_value "cotangent/g/0"
// VJP: %[[C1:.*]] = pm.input_value "cotangent/g/1"
// VJP: %[[CS:.*]] = pm.param_value "cotangent/s"
// VJP: %[[D:.*]]:5 = pm.vjp @pmc.forward(%[[F]], %[[P]]) wrt [0, 1] of [0, 1, 2](%[[C0]], %[[C1]], %[[CS]]) schedule revolve 3
// VJP: pm.output "gradient/f"(%[[D]]#3
// VJP: pm.output "gradient/a"(%[[D]]#4

// JVP: pm.param "tangent/a" : f64 "f64"
// JVP: func.func @main
// JVP: %[[T:.*]] = pm.param_value "tangent/a"
// JVP: %[[D:.*]]:4 = pm.jvp @pmc.forward(%{{.*}}) wrt [0] along(%[[T]])
// JVP: pm.output "tangent/g"(%[[D]]#2, %[[D]]#3 : {{.*}}) {columns = ["p", "q"], flatten}

// Derivatives of derivatives. A param that only the second one differentiates is an argument of the first one, too.
// AGAIN: pm.input "tangent2/tangent/f"
// AGAIN: pm.input "tangent/f"
// AGAIN: pm.param "tangent/a"
// AGAIN: pm.param "tangent/cotangent/s"
// AGAIN: func.func private @pmc.forward(%[[F:[^:]*]]: {{[^)]*}}, %[[A:[^:]*]]: f64
// AGAIN: call @scale(%[[F]], %[[A]])
// AGAIN: func.func private @pmc.forward2(%[[F2:[^:]*]]: {{[^)]*}}, %[[A2:[^:]*]]: f64, %[[C2:[^:]*]]: f64
// AGAIN: pm.vjp @pmc.forward(%[[F2]], %[[A2]]) wrt [0] of [0](%[[C2]])
// AGAIN: func.func private @pmc.forward3(
// AGAIN: pm.jvp @pmc.forward2(
// AGAIN: pm.jvp @pmc.forward3({{.*}} along(
// AGAIN: pm.output "tangent2/tangent/gradient/f"

// LENGTH: error: [PM0811] the derivative is with respect to 'box', which sets a length; lengths have no derivatives
// WHOLE: error: [PM0811] the derivative is with respect to 'n' of type 'i64', expected real or complex numbers, or fields of them
// NONE: error: [PM0811] the derivative is with respect to 'b', which is not a param or an input
// OUTPUT: error: [PM0811] the derivative is of 'h', which is not an output
// MAIN: error: [PM0811] a program needs a function 'main'
// LOOP: error: [PM0811] the derivative is of 'loop', which is written in a loop or under a condition

!F = !pm.field<[x=4], f32>
pm.param "a" : f64 "f64" {default_value = 2.0 : f64}
pm.param "box" : f64 "f64" {default_value = 2.0 : f64}
pm.param "n" : i64 "int" {default_value = 2 : i64}
pm.dim "x" = 4 length {
  %0 = pm.param_value "box" : f64
  pm.yield %0 : f64
}
pm.input "f" : !F
func.func private @scale(%u: !F) -> !F {
  %a = pm.param_value "a" : f64
  %r = pm.map [x=4] ins(%u : !F) {
  ^bb0(%v: f32):
    %s = arith.truncf %a : f64 to f32
    %w = arith.mulf %s, %v : f32
    pm.yield %w : f32
  } -> !F
  return %r : !F
}
func.func @main() {
  %f = pm.input_value "f" -> !F
  %g = call @scale(%f) : (!F) -> !F
  %a = pm.param_value "a" : f64
  pm.print "{}"(%a)
  pm.output "g"(%f, %g : !F, !F) {columns = ["p", "q"], flatten}
  %s = arith.mulf %a, %a : f64
  pm.output "s"(%s : f64)
  %true = arith.constant true
  scf.if %true {
    pm.output "loop"(%s : f64)
  }
  return
}
