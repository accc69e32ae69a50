// RUN: pm-opt %s -split-input-file -verify-diagnostics

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%a: f64) {
  // expected-error@+1 {{'pm.all_reduce' op expects at least one mesh axis}}
  %r = pm.all_reduce sum over [] (%a) : f64
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%a: f64) {
  // expected-error@+1 {{'pm.all_reduce' op names axis "row" twice}}
  %r = pm.all_reduce sum over ["row", "row"] (%a) : f64
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%a: f64) {
  // expected-error@+1 {{'pm.all_reduce' op has 1 values and 2 results, expected as many, at least one}}
  %r:2 = pm.all_reduce sum over ["row"] (%a) : f64, f64
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
// A partial sum is used before it is reduced.
func.func @f(%f: !F) -> f64 {
  // expected-note@+1 {{every rank reduces its own part here, by 'pm.reduce'}}
  %s = pm.reduce sum [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } scalars f64
  // expected-error@+1 {{'arith.addf' op uses a value that is partial over mesh axes (row), expected pm.all_reduce before}}
  %t = arith.addf %s, %s : f64
  return %t : f64
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  // expected-note@+1 {{here, by 'pm.reduce'}}
  %s = pm.reduce max [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } scalars f64
  // expected-error@+1 {{'pm.all_reduce' op combines by sum what was reduced by max}}
  %t = pm.all_reduce sum over ["row"] (%s) : f64
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  // expected-note@+1 {{made here, by 'pm.reduce'}}
  %s = pm.reduce sum [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } scalars f64
  // expected-error@+1 {{'pm.all_reduce' op reduces over mesh axes (row, col) what is partial over (row)}}
  %t = pm.all_reduce sum over ["row", "col"] (%s) : f64
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  // expected-note@+1 {{every rank reduces its own part here, by 'pm.reduce'}}
  %s = pm.reduce sum [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !pm.field<[y=8], f64>
  // expected-error@+1 {{'pm.output' op uses a value that is partial over mesh axes (row), expected pm.reduce_fields before}}
  pm.output "s"(%s : !pm.field<[y=8], f64>)
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  // expected-note@+1 {{here, by 'pm.reduce'}}
  %s = pm.reduce max [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !pm.field<[y=8], f64>
  // expected-error@+1 {{'pm.reduce_fields' op combines by sum what was reduced by max}}
  %t = pm.reduce_fields sum over ["row"](%s) : !pm.field<[y=8], f64> -> !pm.field<[y=8], f64>
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %bin: i64) -> !pm.field<[b=4], f64> {
  // expected-note@+1 {{every rank reduces its own part here, by 'pm.bins'}}
  %s = pm.bins [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %bin, %e : i64, f32
  } -> !pm.field<[b=4], f64>
  // expected-error@+1 {{'func.return' op uses a value that is partial over mesh axes (row), expected pm.reduce_fields before}}
  return %s : !pm.field<[b=4], f64>
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
// A painted mesh is used before halos are added.
func.func @f(%u: !F, %r: !pm.reach) {
  // expected-note@+1 {{painted here, by 'pm.scatter'}}
  %m, %h = pm.scatter cic [x=8 on(row), y=8] reach(%r) ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  } -> !F halo !H
  // expected-error@+1 {{'pm.output' op uses a mesh of which other ranks hold parts, expected pm.halo_reduce before}}
  pm.output "m"(%m : !F)
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%u: !F, %r: !pm.reach) {
  // expected-error@+1 {{'pm.scatter' op has a halo with 2 uses, expected one pm.halo_reduce}}
  %m, %h = pm.scatter cic [x=8 on(row), y=8] reach(%r) ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  } -> !F halo !H
  %a = pm.halo_reduce %m, %h : !F, !H -> !F
  %b = pm.halo_reduce %m, %h : !F, !H -> !F
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%u: !F) {
  // expected-error@+1 {{'pm.scatter' op has no reach and 0 halos, expected a reach and 1, as axes split [x=8 on(row), y=8]}}
  %m = pm.scatter cic [x=8 on(row), y=8] ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  } -> !F
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%u: !W, %r: !pm.reach) {
  // expected-error@+1 {{'pm.scatter' op has a reach and 0 halos, expected neither, as no axis splits [x=8, y=8]}}
  %m = pm.scatter cic [x=8, y=8] reach(%r) ins(%u : !W) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  } -> !W
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%u: !W, %r: !pm.reach) {
  // expected-error@+1 {{'pm.scatter' op paints on [x=8 on(row), y=8], expected axis 'row' to split the domain [x=8, y=8] too}}
  %m, %h = pm.scatter cic [x=8, y=8] reach(%r) ins(%u : !W) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  } -> !F halo !H
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%u: !F, %r: !pm.reach) {
  // expected-error@+1 {{'pm.scatter' op has the halo '!pm.halo<[x=8, y=8], f32>' of the mesh '!pm.field<[x=8 on(row), y=8], f32>'}}
  %m, %h = pm.scatter cic [x=8 on(row), y=8] reach(%r) ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  } -> !F halo !pm.halo<[x=8, y=8], f32>
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
// Particles split over more axes than the mesh: a partial sum.
!P = !pm.field<[p=8 on(row,col)], f32>
!M = !pm.field<[x=8 on(row)], f32>
!MH = !pm.halo<[x=8 on(row)], f32>
func.func @f(%u: !P, %r: !pm.reach) {
  %m, %h = pm.scatter cic [p=8 on(row,col)] free reach(%r) ins(%u : !P) {
  ^bb0(%e: f32):
    pm.yield %e, %e : f32, f32
  } -> !M halo !MH
  // expected-note@+1 {{every rank reduces its own part here, by 'pm.halo_reduce'}}
  %w = pm.halo_reduce %m, %h : !M, !MH -> !M
  // expected-error@+1 {{'pm.output' op uses a value that is partial over mesh axes (col), expected pm.reduce_fields before}}
  pm.output "m"(%w : !M)
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  // expected-error@+1 {{'pm.reshard' op makes '!pm.field<[x=8, y=4], f32>' of '!pm.field<[x=8 on(row), y=8], f32>', expected that they differ in their axes only}}
  %g = pm.reshard %f : !F -> !pm.field<[x=8, y=4], f32>
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  // expected-error@+1 {{'pm.reshard' op expects one result or one out, has 0}}
  pm.reshard %f : !F
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  // expected-note@+1 {{started here, by 'pm.reshard_start'}}
  %g, %p = pm.reshard_start %f : !F -> !W pending
  // expected-error@+1 {{'pm.output' op uses a field that is on its way, expected pm.reshard_wait before}}
  pm.output "g"(%g : !W)
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %g: !W, %p: !pm.pending) {
  // expected-error@+1 {{'pm.reshard_wait' op waits for what is no result of pm.reshard_start}}
  %h = pm.reshard_wait %f, %g, %p : !F, !W -> !W
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  %g, %p = pm.reshard_start %f : !F -> !W pending
  // expected-error@+1 {{'pm.reshard_wait' op makes '!pm.field<[x=8 on(row), y=8], f32>', expected what arrives, '!pm.field<[x=8, y=8], f32>'}}
  %h = pm.reshard_wait %f, %g, %p : !F, !W -> !F
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  // expected-error@+1 {{'pm.reduce_fields' op reduces over axis "row", which splits the input's dim 'x'}}
  %g = pm.reduce_fields sum over ["row"](%f) : !F -> !F
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !W) {
  // expected-error@+1 {{'pm.reduce_fields' op makes '!pm.field<[x=8 on(row), y=8], f32>' of '!pm.field<[x=8, y=8], f32>', expected that they differ in the axes reduced over only}}
  %g = pm.reduce_fields sum over ["col"](%f) : !W -> !F
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !pm.field<[x=8], i1>) {
  // expected-error@+1 {{'pm.reduce_fields' op reduces fields of 'i1', expected real or complex elements}}
  %g = pm.reduce_fields sum over ["col"](%f) : !pm.field<[x=8], i1> -> !pm.field<[x=8], i1>
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!C = !pm.field<[x=8, y=8], complex<f32>>
func.func @f(%f: !C) {
  // expected-error@+1 {{'pm.reduce_fields' op takes the min of fields of 'complex<f32>', expected real elements}}
  %g = pm.reduce_fields min over ["row"](%f) : !C -> !C
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!C = !pm.field<[x=8, y=8], complex<f32>>
func.func @f(%f: !C, %g: !W) {
  // expected-error@+1 {{'pm.reduce_fields' op has fields of 'complex<f32>' and 'f32', expected one element}}
  %h:2 = pm.reduce_fields sum over ["row"](%f, %g) : !C, !W -> !C, !W
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!C = !pm.field<[x=8, y=8], complex<f32>>
func.func @f(%f: !W) {
  // expected-error@+1 {{'pm.reduce_fields' op has 2 inputs and 1 results, expected as many, at least one}}
  %g = pm.reduce_fields sum over ["row"](%f, %f) : !W, !W -> !W
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  // expected-error@+1 {{'pm.reach' op yields 1 values, expected one a mesh dim, 2}}
  %r = pm.reach cic [x=8 on(row), y=8] of [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  }
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %i: i64) {
  // expected-error@+1 {{'pm.reach' op yields a 'i64', expected f32 or f64}}
  %r = pm.reach cic [x=8 on(row), y=8] of [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %i : f32, i64
  }
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  // expected-error@+1 {{'pm.reach' op has a mesh over [x=12 on(row), y=8], which does not refine [x=8 on(row), y=8]}}
  %r = pm.reach cic [x=8 on(row), y=8] of [x=12 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e : f32, f32
  }
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %r: !pm.reach) {
  // expected-error@+1 {{'pm.halo_exchange' op has 1 meshes and 2 halos, expected as many, at least one}}
  %h:2 = pm.halo_exchange %f reach %r : !F -> !H, !H
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %w: !W, %r: !pm.reach) {
  // expected-error@+1 {{'pm.halo_exchange' op has meshes over [x=8 on(row), y=8] and [x=8, y=8], expected the same dims}}
  %h:2 = pm.halo_exchange %f, %w reach %r : !F, !W -> !H, !H
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %r: !pm.reach) {
  // expected-error@+1 {{'pm.halo_exchange' op has the halo '!pm.halo<[x=8 on(row), y=8], f64>' of the mesh '!pm.field<[x=8 on(row), y=8], f32>'}}
  %h = pm.halo_exchange %f reach %r : !F -> !pm.halo<[x=8 on(row), y=8], f64>
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %r: !pm.reach) {
  // expected-note@+1 {{started here, by 'pm.halo_exchange'}}
  %h = pm.halo_exchange start %f reach %r : !F -> !H
  // expected-error@+1 {{'pm.halo_close' op uses a halo that is on its way, expected pm.halo_wait before}}
  pm.halo_close %h : !H
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %r: !pm.reach) {
  %h = pm.halo_exchange %f reach %r : !F -> !H
  // expected-error@+1 {{'pm.halo_wait' op waits for a halo that was not started}}
  %g = pm.halo_wait %h : !H
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%h: !H) {
  // expected-error@+1 {{'pm.halo_close' op closes a halo that is no result of pm.halo_exchange}}
  pm.halo_close %h : !H
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
// expected-note@+1 {{the halo is made here}}
func.func @f(%f: !F, %h: !H) {
  // expected-error@+1 {{'pm.halo_reduce' op expects a mesh of a pm.scatter and its halo, has others}}
  %g = pm.halo_reduce %f, %h : !F, !H -> !F
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %h: !H) {
  // expected-error@+1 {{'pm.halo_reduce' op makes '!pm.field<[x=8, y=8], f32>' of '!pm.field<[x=8 on(row), y=8], f32>', expected the same type}}
  %g = pm.halo_reduce %f, %h : !F, !H -> !W
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) -> !F {
  %m = pm.map [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    // expected-error@+1 {{'pm.interpolate' op has 0 halos, expected 1 for meshes over [x=8 on(row), y=8]}}
    %v = pm.interpolate cic (%f : !F) at (%e, %e : f32, f32) -> f32
    pm.yield %v : f32
  } -> !F
  return %m : !F
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %h: !H) -> !F {
  %m = pm.map [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    // expected-error@+1 {{'pm.interpolate' op has a halo that is no result of pm.halo_exchange}}
    %v = pm.interpolate cic (%f : !F) halos(%h : !H) at (%e, %e : f32, f32) -> f32
    pm.yield %v : f32
  } -> !F
  return %m : !F
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %g: !F, %r: !pm.reach) -> !F {
  // expected-note@+1 {{exchanged here}}
  %h = pm.halo_exchange %g reach %r : !F -> !H
  %m = pm.map [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    // expected-error@+1 {{'pm.interpolate' op has a halo of another mesh than it reads}}
    %v = pm.interpolate cic (%f : !F) halos(%h : !H) at (%e, %e : f32, f32) -> f32
    pm.yield %v : f32
  } -> !F
  return %m : !F
}
