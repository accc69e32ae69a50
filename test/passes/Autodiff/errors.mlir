// RUN: pm-opt %s --pm-autodiff --split-input-file --verify-diagnostics

!F = !pm.field<[x=8], f64>

func.func private @until(%f: !F, %c: i1) -> !F {
  // expected-error@+1 {{a loop over fields that ends on a condition has no adjoint, expected a loop with a number of steps}}
  %r = scf.while (%a = %f) : (!F) -> !F {
    scf.condition(%c) %a : !F
  } do {
  ^bb0(%a: !F):
    scf.yield %a : !F
  }
  return %r : !F
}
func.func @main(%f: !F, %c: i1) -> !F {
  // expected-note@+1 {{differentiated here}}
  %v:2 = pm.vjp @until(%f, %c) wrt [0] of [0] (%f) schedule keep : (!F, i1), (!F) -> (!F, !F)
  return %v#1 : !F
}

// -----

func.func private @rows(%s: f64) -> f64 {
  %from = arith.constant 0.0 : f64
  %n = arith.constant 16 : i64
  // expected-error@+1 {{a table has no derivative with respect to its ends, expected ends that do not depend on the variables of the derivative}}
  %t = pm.tabulate %from to %s points %n {
  ^bb0(%x: f64):
    pm.yield %x : f64
  }
  %y = pm.lookup %t at %s
  return %y : f64
}
func.func @main(%s: f64) -> f64 {
  // expected-note@+1 {{differentiated here}}
  %v:2 = pm.vjp @rows(%s) wrt [0] of [0] (%s) schedule keep : (f64), (f64) -> (f64, f64)
  return %v#1 : f64
}

// -----

func.func private @moved(%t: !pm.table, %s: f64) -> f64 {
  // expected-error@+1 {{a table has no derivative with respect to the x of its rows, expected an x that does not depend on the variables of the derivative}}
  %u = pm.transform %t {
  ^bb0(%x: f64, %y: f64):
    %z = arith.mulf %x, %s : f64
    pm.yield %z, %y : f64, f64
  }
  %y = pm.lookup %u at %s
  return %y : f64
}
func.func @main(%t: !pm.table, %s: f64) -> f64 {
  // expected-note@+1 {{differentiated here}}
  %v:2 = pm.jvp @moved(%t, %s) wrt [1] along (%s) : (!pm.table, f64), (f64) -> (f64, f64)
  return %v#1 : f64
}

// -----

func.func private @other(%s: f64) -> f64 {
  // expected-error@+1 {{'math.cbrt' has no derivative}}
  %y = math.cbrt %s : f64
  return %y : f64
}
func.func @main(%s: f64) -> f64 {
  // expected-note@+1 {{differentiated here}}
  %v:2 = pm.jvp @other(%s) wrt [0] along (%s) : (f64), (f64) -> (f64, f64)
  return %v#1 : f64
}

// -----

func.func private @until(%t: !pm.table, %s: f64, %c: i1) -> f64 {
  // expected-error@+1 {{a loop that ends on a condition has no derivative with respect to a table that it reads, expected a loop with a number of steps}}
  %r = scf.while (%a = %s) : (f64) -> f64 {
    scf.condition(%c) %a : f64
  } do {
  ^bb0(%a: f64):
    %y = pm.lookup %t at %a
    scf.yield %y : f64
  }
  return %r : f64
}
func.func @main(%t: !pm.table, %s: f64, %c: i1) -> !pm.table {
  // expected-note@+1 {{differentiated here}}
  %v:2 = pm.vjp @until(%t, %s, %c) wrt [0] of [0] (%s) schedule keep : (!pm.table, f64, i1), (f64) -> (f64, !pm.table)
  return %v#1 : !pm.table
}

// -----

!F = !pm.field<[x=8], f64>

func.func private @inside(%t: !pm.table, %f: !F) -> !F {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 3 : index
  %r = pm.map [x=8] ins(%f : !F) {
  ^bb0(%e: f64):
    // expected-error@+1 {{a loop in a loop over cells has no derivative with respect to a table that it reads; read the table outside of the loop}}
    %l = scf.for %i = %zero to %n step %one iter_args(%a = %e) -> f64 {
      %y = pm.lookup %t at %a
      scf.yield %y : f64
    }
    pm.yield %l : f64
  } -> !F
  return %r : !F
}
func.func @main(%t: !pm.table, %f: !F) -> !pm.table {
  // expected-note@+1 {{differentiated here}}
  %v:2 = pm.vjp @inside(%t, %f) wrt [0] of [0] (%f) schedule keep : (!pm.table, !F), (!F) -> (!F, !pm.table)
  return %v#1 : !pm.table
}

// -----

func.func private @moved(%t: !pm.table, %s: f64) -> f64 {
  // expected-error@+1 {{a table has no derivative with respect to the x of its rows, expected an x that does not depend on the variables of the derivative}}
  %u = pm.transform %t {
  ^bb0(%x: f64, %y: f64):
    %z = arith.addf %x, %y : f64
    pm.yield %z, %y : f64, f64
  }
  %y = pm.lookup %u at %s
  return %y : f64
}
func.func @main(%t: !pm.table, %s: f64) -> !pm.table {
  // expected-note@+1 {{differentiated here}}
  %v:2 = pm.vjp @moved(%t, %s) wrt [0] of [0] (%s) schedule keep : (!pm.table, f64), (f64) -> (f64, !pm.table)
  return %v#1 : !pm.table
}

// -----

// expected-error@+1 {{a gradient by a table has no adjoint; take its derivative in forward mode}}
func.func private @lookup(%t: !pm.table, %s: f64) -> f64 {
  %y = pm.lookup %t at %s
  %z = arith.mulf %y, %y : f64
  return %z : f64
}
func.func private @gradient(%t: !pm.table, %s: f64) -> !pm.table {
  %v:2 = pm.vjp @lookup(%t, %s) wrt [0] of [0] (%s) schedule keep : (!pm.table, f64), (f64) -> (f64, !pm.table)
  return %v#1 : !pm.table
}
func.func @main(%t: !pm.table, %s: f64) -> !pm.table {
  // expected-note@+1 {{differentiated here}}
  %v:2 = pm.vjp @gradient(%t, %s) wrt [0] of [0] (%t) schedule keep : (!pm.table, f64), (!pm.table) -> (!pm.table, !pm.table)
  return %v#1 : !pm.table
}

// -----

// expected-error@+1 {{a function whose adjoint is given has no derivative in forward mode; give its @tangent, too, take a gradient, or leave out its @adjoint}}
func.func private @twice(%a: f64) -> f64 attributes {pm.adjoint = @thrice} {
  %z = arith.addf %a, %a : f64
  return %z : f64
}
func.func private @thrice(%a: f64, %w: f64) -> f64 {
  %z = arith.mulf %a, %w : f64
  return %z : f64
}
func.func private @caller(%a: f64) -> f64 {
  // expected-note@+1 {{differentiated here}}
  %z = func.call @twice(%a) : (f64) -> f64
  return %z : f64
}
func.func @main(%s: f64) -> f64 {
  %v:2 = pm.jvp @caller(%s) wrt [0] along (%s) : (f64), (f64) -> (f64, f64)
  return %v#1 : f64
}
