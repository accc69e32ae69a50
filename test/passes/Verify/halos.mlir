// RUN: pm-opt %s --pm-verify-stage=stage=sharded --split-input-file --verify-diagnostics

// Halos and the fields that they belong to, which types do not tell apart.

!F = !pm.field<[x=8 on(row), y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
func.func @main(%u: !F, %r: !pm.displacement_bound) {
  // expected-error@+1 {{'pm.scatter' op has a halo with 2 uses, expected one pm.halo_reduce}}
  %m, %h = pm.scatter cic [x=8 on(row), y=8] bound(%r) ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  } -> !P halo !PH
  %a = pm.halo_reduce %m, %h : !P, !PH -> !F
  %b = pm.halo_reduce %m, %h : !P, !PH -> !F
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
func.func @main(%u: !F, %p: !P, %r: !pm.displacement_bound) {
  // expected-note@+1 {{the halo is made here}}
  %m, %h = pm.scatter cic [x=8 on(row), y=8] bound(%r) ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  } -> !P halo !PH
  // expected-error@+1 {{'pm.halo_reduce' op expects a mesh of a pm.scatter and its halo, has others}}
  %a = pm.halo_reduce %p, %h : !P, !PH -> !F
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @main(%f: !F, %g: !F, %r: !pm.displacement_bound) -> !F {
  // expected-note@+1 {{exchanged here}}
  %h = pm.halo_exchange %g bound %r : !F -> !H
  %m = pm.map [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    // expected-error@+1 {{'pm.interpolate' op has a halo of another mesh than it reads}}
    %v = pm.interpolate cic (%f : !F) halos(%h : !H) at (%e, %e : f32, f32) -> f32
    pm.yield %v : f32
  } -> !F
  return %m : !F
}

// -----

!f = !pm.field<[x=8 on(row)], f32>
!h = !pm.halo<[x=8 on(row)], f32>
func.func @main(%f: !f, %g: !f) -> !f {
  %m = pm.margin [x=8 on(row)] below [0] above [1]
  // expected-note@+1 {{exchanged here}}
  %s = pm.halo_exchange start %g bound %m : !f -> !pm.in_flight<!h>
  %h = pm.halo_wait %s : !pm.in_flight<!h>
  %r = pm.map [x=8 on(row)] {
    // expected-error@+1 {{has a halo of another mesh than it reads}}
    %a = pm.neighbor %f[1] halo(%h : !h) : !f -> f32
    pm.yield %a : f32
  } -> !f
  return %r : !f
}

// -----

// A halo may come from elsewhere, as through a loop.
!f = !pm.field<[x=8 on(row)], f32>
!h = !pm.halo<[x=8 on(row)], f32>
func.func @main(%f: !f, %first: !h, %n: index) -> !f {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %h = scf.for %i = %zero to %n step %one iter_args(%halo = %first) -> !h {
    scf.yield %halo : !h
  }
  %r = pm.map [x=8 on(row)] {
    %a = pm.neighbor %f[1] halo(%h : !h) : !f -> f32
    pm.yield %a : f32
  } -> !f
  return %r : !f
}

// -----

// Each halo belongs to the mesh of its position, not to the first one.

!F = !pm.field<[x=8 on(row), y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @main(%f: !F, %g: !F, %r: !pm.displacement_bound) -> !F {
  // expected-note@+1 {{exchanged here}}
  %h:2 = pm.halo_exchange %f, %g bound %r : !F, !F -> !H, !H
  %m = pm.map [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    %v = pm.interpolate cic (%f : !F) halos(%h#0 : !H) at (%e, %e : f32, f32) -> f32
    %w = pm.interpolate cic (%g : !F) halos(%h#1 : !H) at (%e, %e : f32, f32) -> f32
    // expected-error@+1 {{'pm.interpolate' op has a halo of another mesh than it reads}}
    %x = pm.interpolate cic (%f : !F) halos(%h#1 : !H) at (%e, %e : f32, f32) -> f32
    %a = arith.addf %v, %w : f32
    %b = arith.addf %x, %a : f32
    pm.yield %b : f32
  } -> !F
  return %m : !F
}

// -----

// Each halo belongs to the mesh of its position, not to the first one; here the other way.

!F = !pm.field<[x=8 on(row), y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @main(%f: !F, %g: !F, %r: !pm.displacement_bound) -> !F {
  // expected-note@+1 {{exchanged here}}
  %h:2 = pm.halo_exchange %f, %g bound %r : !F, !F -> !H, !H
  %m = pm.map [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    %v = pm.interpolate cic (%f : !F) halos(%h#0 : !H) at (%e, %e : f32, f32) -> f32
    %w = pm.interpolate cic (%g : !F) halos(%h#1 : !H) at (%e, %e : f32, f32) -> f32
    // expected-error@+1 {{'pm.interpolate' op has a halo of another mesh than it reads}}
    %x = pm.interpolate cic (%g : !F) halos(%h#0 : !H) at (%e, %e : f32, f32) -> f32
    %a = arith.addf %v, %w : f32
    %b = arith.addf %x, %a : f32
    pm.yield %b : f32
  } -> !F
  return %m : !F
}
