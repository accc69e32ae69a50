// RUN: pm-opt %s -split-input-file -verify-diagnostics

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%a: !pm.partial<f64, sum over [row]>) {
  // expected-error@+1 {{'pm.all_reduce' op expects at least one mesh axis}}
  %r = "pm.all_reduce"(%a) <{axes = [], kind = #pm<reduction sum>}> : (!pm.partial<f64, sum over [row]>) -> f64
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%a: !pm.partial<f64, sum over [row]>) {
  // expected-error@+1 {{'pm.all_reduce' op names axis "row" twice}}
  %r = pm.all_reduce sum over ["row", "row"] (%a) : f64
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%a: !pm.partial<f64, sum over [row]>) {
  // expected-error@+1 {{'pm.all_reduce' op has 1 values and 2 results, expected as many, at least one}}
  %r:2 = "pm.all_reduce"(%a) <{axes = ["row"], kind = #pm<reduction sum>}> : (!pm.partial<f64, sum over [row]>) -> (f64, f64)
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
// A partial sum is used before it is reduced.
func.func @f(%f: !F) -> f64 {
  // expected-note@+1 {{prior use here}}
  %s = pm.reduce sum [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } scalars !pm.partial<f64, sum over [row]>
  // expected-error@+1 {{use of value '%s' expects different type than prior uses: 'f64' vs '!pm.partial<f64, sum over [row]>'}}
  %t = arith.addf %s, %s : f64
  return %t : f64
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  // expected-note@+1 {{prior use here}}
  %s = pm.reduce max [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } scalars !pm.partial<f64, max over [row]>
  // expected-error@+1 {{use of value '%s' expects different type than prior uses: '!pm.partial<f64, sum over [row]>' vs '!pm.partial<f64, max over [row]>'}}
  %t = pm.all_reduce sum over ["row"] (%s) : f64
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  // expected-note@+1 {{prior use here}}
  %s = pm.reduce sum [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } scalars !pm.partial<f64, sum over [row]>
  // expected-error@+1 {{use of value '%s' expects different type than prior uses: '!pm.partial<f64, sum over [col, row]>' vs '!pm.partial<f64, sum over [row]>'}}
  %t = pm.all_reduce sum over ["row", "col"] (%s) : f64
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  // expected-note@+1 {{prior use here}}
  %s = pm.reduce sum [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !pm.partial<!pm.field<[y=8], f64>, sum over [row]>
  // expected-error@+1 {{use of value '%s' expects different type than prior uses: '!pm.field<[y=8], f64>' vs '!pm.partial<!pm.field<[y=8], f64>, sum over [row]>'}}
  pm.output "s"(%s : !pm.field<[y=8], f64>)
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  // expected-note@+1 {{prior use here}}
  %s = pm.reduce max [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !pm.partial<!pm.field<[y=8], f64>, max over [row]>
  // expected-error@+1 {{use of value '%s' expects different type than prior uses: '!pm.partial<!pm.field<[y=8], f64>, sum over [row]>' vs '!pm.partial<!pm.field<[y=8], f64>, max over [row]>'}}
  %t = pm.reduce_fields sum over ["row"](%s) : !pm.field<[y=8], f64> -> !pm.field<[y=8], f64>
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %bin: i64) -> !pm.field<[b=4], f64> {
  // expected-note@+1 {{prior use here}}
  %s = pm.bins [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %bin, %e : i64, f32
  } -> !pm.partial<!pm.field<[b=4], f64>, sum over [row]>
  // expected-error@+1 {{use of value '%s' expects different type than prior uses: '!pm.field<[b=4], f64>' vs '!pm.partial<!pm.field<[b=4], f64>, sum over [row]>'}}
  return %s : !pm.field<[b=4], f64>
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
// A painted mesh is used before halos are added.
func.func @f(%u: !F, %r: !pm.displacement_bound) {
  // expected-note@+1 {{prior use here}}
  %m, %h = pm.scatter cic [x=8 on(row), y=8] bound(%r) ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  } -> !P halo !PH
  // expected-error@+1 {{use of value '%m' expects different type than prior uses: '!pm.field<[x=8 on(row), y=8], f32>' vs '!pm.partial<!pm.field<[x=8 on(row), y=8], f32>, sum over [row]>'}}
  pm.output "m"(%m : !F)
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
func.func @f(%u: !F, %r: !pm.displacement_bound) {
  // expected-error@+1 {{'pm.scatter' op has the result '!pm.field<[x=8 on(row), y=8], f32>', expected '!pm.partial<!pm.field<[x=8 on(row), y=8], f32>, sum over [row]>'}}
  %m, %h = pm.scatter cic [x=8 on(row), y=8] bound(%r) ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  } -> !F halo !PH
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%u: !F) {
  // expected-error@+1 {{'pm.scatter' op has no displacement bound and 0 halos, expected a displacement bound and 1, as axes split [x=8 on(row), y=8]}}
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
func.func @f(%u: !W, %r: !pm.displacement_bound) {
  // expected-error@+1 {{'pm.scatter' op has a displacement bound and 0 halos, expected neither, as no axis splits [x=8, y=8]}}
  %m = pm.scatter cic [x=8, y=8] bound(%r) ins(%u : !W) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  } -> !W
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
func.func @f(%u: !W, %r: !pm.displacement_bound) {
  // expected-error@+1 {{'pm.scatter' op paints on [x=8 on(row), y=8], expected axis 'row' to split the domain [x=8, y=8] too}}
  %m, %h = pm.scatter cic [x=8, y=8] bound(%r) ins(%u : !W) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  } -> !F halo !PH
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
func.func @f(%u: !F, %r: !pm.displacement_bound) {
  // expected-error@+1 {{'pm.scatter' op has the halo '!pm.halo<[x=8, y=8], f32>' of the mesh '!pm.field<[x=8 on(row), y=8], f32>'}}
  %m, %h = pm.scatter cic [x=8 on(row), y=8] bound(%r) ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  } -> !P halo !pm.partial<!pm.halo<[x=8, y=8], f32>, sum over [row]>
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
!MP = !pm.partial<!M, sum over [row, col]>
!MHP = !pm.partial<!MH, sum over [row, col]>
!MC = !pm.partial<!M, sum over [col]>
func.func @f(%u: !P, %r: !pm.displacement_bound) {
  %m, %h = pm.scatter cic [p=8 on(row,col)] free bound(%r) ins(%u : !P) {
  ^bb0(%e: f32):
    pm.yield %e, %e : f32, f32
  } -> !MP halo !MHP
  // expected-note@+1 {{prior use here}}
  %w = pm.halo_reduce %m, %h : !MP, !MHP -> !MC
  // expected-error@+1 {{use of value '%w' expects different type than prior uses: '!pm.field<[x=8 on(row)], f32>' vs '!pm.partial<!pm.field<[x=8 on(row)], f32>, sum over [col]>'}}
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
  // expected-note@+1 {{prior use here}}
  %g, %p = pm.reshard_start %f : !F -> !pm.in_flight<!W> pending
  // expected-error@+1 {{use of value '%g' expects different type than prior uses: '!pm.field<[x=8, y=8], f32>' vs '!pm.in_flight<!pm.field<[x=8, y=8], f32>>'}}
  pm.output "g"(%g : !W)
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %g: !W, %p: !pm.pending) {
  // expected-error@+1 {{'pm.reshard_wait' op operand #1 must be field in flight or buffer, but got '!pm.field<[x=8, y=8], f32>'}}
  %h = pm.reshard_wait %f, %g, %p : !F, !W -> !W
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  %g, %p = pm.reshard_start %f : !F -> !pm.in_flight<!W> pending
  // expected-error@+1 {{'pm.reshard_wait' op makes '!pm.field<[x=8 on(row), y=8], f32>', expected what arrives, '!pm.field<[x=8, y=8], f32>'}}
  %h = pm.reshard_wait %f, %g, %p : !F, !pm.in_flight<!W> -> !F
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !pm.partial<!F, sum over [row]>) {
  // expected-error@+1 {{'pm.reduce_fields' op reduces over axis "row", which splits the input's dim 'x'}}
  %g = pm.reduce_fields sum over ["row"](%f) : !F -> !F
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !pm.partial<!W, sum over [col]>) {
  // expected-error@+1 {{'pm.reduce_fields' op makes '!pm.field<[x=8 on(row), y=8], f32>' of '!pm.field<[x=8, y=8], f32>', expected that they differ in the axes reduced over only}}
  %g = pm.reduce_fields sum over ["col"](%f) : !W -> !F
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !pm.partial<!pm.field<[x=8], i1>, sum over [col]>) {
  // expected-error@+1 {{'pm.reduce_fields' op reduces fields of 'i1', expected real or complex elements}}
  %g = pm.reduce_fields sum over ["col"](%f) : !pm.field<[x=8], i1> -> !pm.field<[x=8], i1>
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!C = !pm.field<[x=8, y=8], complex<f32>>
func.func @f(%f: !pm.partial<!C, min over [row]>) {
  // expected-error@+1 {{'pm.reduce_fields' op takes the min of fields of 'complex<f32>', expected real elements}}
  %g = pm.reduce_fields min over ["row"](%f) : !C -> !C
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!C = !pm.field<[x=8, y=8], complex<f32>>
func.func @f(%f: !pm.partial<!C, sum over [row]>, %g: !pm.partial<!W, sum over [row]>) {
  // expected-error@+1 {{'pm.reduce_fields' op has fields of 'complex<f32>' and 'f32', expected one element}}
  %h:2 = pm.reduce_fields sum over ["row"](%f, %g) : !C, !W -> !C, !W
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!C = !pm.field<[x=8, y=8], complex<f32>>
func.func @f(%f: !pm.partial<!W, sum over [row]>) {
  // expected-error@+1 {{'pm.reduce_fields' op has 2 inputs and 1 results, expected as many, at least one}}
  %g = pm.reduce_fields sum over ["row"](%f, %f) : !W, !W -> !W
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F) {
  // expected-error@+1 {{'pm.displacement_bound' op yields 1 values, expected one a mesh dim, 2}}
  %r = pm.displacement_bound cic [x=8 on(row), y=8] of [x=8 on(row), y=8] ins(%f : !F) {
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
  // expected-error@+1 {{'pm.displacement_bound' op yields a 'i64', expected f32 or f64}}
  %r = pm.displacement_bound cic [x=8 on(row), y=8] of [x=8 on(row), y=8] ins(%f : !F) {
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
  // expected-error@+1 {{'pm.displacement_bound' op has a mesh over [x=12 on(row), y=8], which does not refine [x=8 on(row), y=8]}}
  %r = pm.displacement_bound cic [x=8 on(row), y=8] of [x=12 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e : f32, f32
  }
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %r: !pm.displacement_bound) {
  // expected-error@+1 {{'pm.halo_exchange' op has 1 meshes and 2 halos, expected as many, at least one}}
  %h:2 = pm.halo_exchange %f bound %r : !F -> !H, !H
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %w: !W, %r: !pm.displacement_bound) {
  // expected-error@+1 {{'pm.halo_exchange' op has meshes over [x=8 on(row), y=8] and [x=8, y=8], expected the same dims}}
  %h:2 = pm.halo_exchange %f, %w bound %r : !F, !W -> !H, !H
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %r: !pm.displacement_bound) {
  // expected-error@+1 {{'pm.halo_exchange' op has the halo '!pm.halo<[x=8 on(row), y=8], f64>' of the mesh '!pm.field<[x=8 on(row), y=8], f32>'}}
  %h = pm.halo_exchange %f bound %r : !F -> !pm.halo<[x=8 on(row), y=8], f64>
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %r: !pm.displacement_bound) {
  // expected-note@+1 {{prior use here}}
  %h = pm.halo_exchange start %f bound %r : !F -> !pm.in_flight<!H>
  // expected-error@+1 {{use of value '%h' expects different type than prior uses: '!pm.halo<[x=8 on(row), y=8], f32>' vs '!pm.in_flight<!pm.halo<[x=8 on(row), y=8], f32>>'}}
  pm.halo_close %h : !H
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !F, %r: !pm.displacement_bound) {
  %h = pm.halo_exchange %f bound %r : !F -> !H
  // expected-error@+1 {{custom op 'pm.halo_wait' 'halo' must be halo in flight, but got '!pm.halo<[x=8 on(row), y=8], f32>'}}
  %g = pm.halo_wait %h : !H
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%h: !pm.partial<!H, sum over [row]>) {
  // expected-error@+1 {{'pm.halo_close' op operand #0 must be variadic of the cells around a rank's part of a mesh, but got '!pm.partial<!pm.halo<[x=8 on(row), y=8], f32>, sum over [row]>'}}
  "pm.halo_close"(%h) : (!pm.partial<!H, sum over [row]>) -> ()
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
func.func @f(%f: !pm.partial<!F, sum over [row]>, %h: !H) {
  // expected-error@+1 {{'pm.halo_reduce' op operand #1 must be partial halo, but got '!pm.halo<[x=8 on(row), y=8], f32>'}}
  %g = pm.halo_reduce %f, %h : !pm.partial<!F, sum over [row]>, !H -> !F
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
func.func @f(%f: !P, %h: !PH) {
  // expected-error@+1 {{'pm.halo_reduce' op makes '!pm.field<[x=8, y=8], f32>' of '!pm.field<[x=8 on(row), y=8], f32>', expected the same type}}
  %g = pm.halo_reduce %f, %h : !P, !PH -> !W
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
func.func @f(%f: !F, %h: !pm.in_flight<!H>) -> !F {
  %m = pm.map [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    // expected-error@+1 {{'pm.interpolate' op operand #3 must be variadic of the cells around a rank's part of a mesh, but got '!pm.in_flight<!pm.halo<[x=8 on(row), y=8], f32>>'}}
    %v = pm.interpolate cic (%f : !F) halos(%h : !pm.in_flight<!H>) at (%e, %e : f32, f32) -> f32
    pm.yield %v : f32
  } -> !F
  return %m : !F
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f64>
func.func @f(%f: !F, %h: !H) -> !F {
  %m = pm.map [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    // expected-error@+1 {{'pm.interpolate' op has the halo '!pm.halo<[x=8 on(row), y=8], f64>' of the mesh '!pm.field<[x=8 on(row), y=8], f32>'}}
    %v = pm.interpolate cic (%f : !F) halos(%h : !H) at (%e, %e : f32, f32) -> f32
    pm.yield %v : f32
  } -> !F
  return %m : !F
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
func.func @f(%f: !F) {
  // expected-error@+1 {{'pm.reduce' op has the result 'f64', expected '!pm.partial<f64, sum over [row]>'}}
  %s = pm.reduce sum [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } scalars f64
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
func.func @f(%w: !W) {
  // expected-error@+1 {{'pm.reduce' op has the result '!pm.partial<f64, sum over [row]>', expected 'f64'}}
  %s = pm.reduce sum [x=8, y=8] ins(%w : !W) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } scalars !pm.partial<f64, sum over [row]>
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
// What a rank finds in its own part.
func.func @f(%f: !F) {
  // expected-error@+1 {{'pm.reduce' op has the result '!pm.partial<f64, min over [row]>', expected 'f64'}}
  %s = pm.reduce min [x=8 on(row), y=8] ins(%f : !F) attributes {pm.own} {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } scalars !pm.partial<f64, min over [row]>
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
func.func @f(%s: !pm.partial<f64, sum over [row]>) {
  // expected-error@+1 {{'pm.all_reduce' op combines '!pm.partial<f64, sum over [row]>', expected '!pm.partial<f64, max over [row]>'}}
  %t = "pm.all_reduce"(%s) <{axes = ["row"], kind = #pm<reduction max>}> : (!pm.partial<f64, sum over [row]>) -> f64
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
func.func @f(%s: f64) {
  // expected-error@+1 {{'pm.all_reduce' op operand #0 must be variadic of partial number, but got 'f64'}}
  %t = "pm.all_reduce"(%s) <{axes = ["row"], kind = #pm<reduction sum>}> : (f64) -> f64
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
func.func @f(%w: !W) {
  // expected-error@+1 {{combines '!pm.in_flight<!pm.field<[x=8, y=8], f32>>', expected a number of f64 or a field}}
  %t = pm.reduce_fields sum over ["row"](%w) : !pm.in_flight<!W> -> !W
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
func.func @f(%f: !F, %r: !pm.displacement_bound) {
  // expected-error@+1 {{'pm.halo_exchange' op has the halo '!pm.halo<[x=8 on(row), y=8], f32>', expected one in flight, as it is started}}
  %h = pm.halo_exchange start %f bound %r : !F -> !H
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
func.func @f(%f: !F, %r: !pm.displacement_bound) {
  // expected-error@+1 {{'pm.halo_exchange' op has the halo '!pm.in_flight<!pm.halo<[x=8 on(row), y=8], f32>>', expected one that is there, as it is not started}}
  %h = pm.halo_exchange %f bound %r : !F -> !pm.in_flight<!H>
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
func.func @f(%p: !P, %h: !pm.partial<!H, sum over [col, row]>) {
  // expected-error@+1 {{'pm.halo_reduce' op has the mesh '!pm.partial<!pm.field<[x=8 on(row), y=8], f32>, sum over [row]>' and the halo '!pm.partial<!pm.halo<[x=8 on(row), y=8], f32>, sum over [col, row]>', expected sums over the same axes}}
  %m = pm.halo_reduce %p, %h : !P, !pm.partial<!H, sum over [col, row]> -> !pm.partial<!F, sum over [col]>
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
func.func @f(%p: !pm.partial<!F, sum over [col]>, %h: !pm.partial<!H, sum over [col]>) {
  // expected-error@+1 {{'pm.halo_reduce' op has the halo '!pm.partial<!pm.halo<[x=8 on(row), y=8], f32>, sum over [col]>', expected a sum over axes that split the mesh [x=8 on(row), y=8], all of them}}
  %m = pm.halo_reduce %p, %h : !pm.partial<!F, sum over [col]>, !pm.partial<!H, sum over [col]> -> !F
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
func.func @f(%p: !P, %h: !PH) {
  // expected-error@+1 {{'pm.halo_reduce' op has the result '!pm.partial<!pm.field<[x=8 on(row), y=8], f32>, sum over [row]>', expected '!pm.field<[x=8 on(row), y=8], f32>'}}
  %m = pm.halo_reduce %p, %h : !P, !PH -> !P
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
func.func @f(%f: !pm.partial<!W, sum over [col]>) {
  // expected-error@+1 {{'pm.reduce_fields_start' op makes '!pm.field<[x=8 on(row), y=8], f32>' of '!pm.field<[x=8, y=8], f32>', expected that they differ in the axes reduced over only}}
  %g, %p = pm.reduce_fields_start sum over ["col"](%f) : !W -> !pm.in_flight<!F> pending
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=8], f32>
!W = !pm.field<[x=8, y=8], f32>
func.func @f(%f: !pm.partial<!W, sum over [row]>) {
  %g, %p = pm.reduce_fields_start sum over ["row"](%f) : !W -> !pm.in_flight<!W> pending
  // expected-error@+1 {{'pm.reduce_fields_wait' op makes '!pm.field<[x=8 on(row), y=8], f32>', expected what arrives, '!pm.field<[x=8, y=8], f32>'}}
  %h = pm.reduce_fields_wait %p(%g) : !pm.in_flight<!W> -> !F
  return
}

// -----

!W = !pm.field<[x=8, y=8], f32>
func.func @f(%f: !pm.partial<!W, sum over [row]>) {
  %g, %p = pm.reduce_fields_start sum over ["row"](%f) : !W -> !pm.in_flight<!W> pending
  // expected-error@+1 {{'pm.reduce_fields_wait' op has 1 fields that arrive and 2 results, expected as many, at least one}}
  %h:2 = pm.reduce_fields_wait %p(%g) : !pm.in_flight<!W> -> !W, !W
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>
pm.mesh @ranks axes = ["row"] extents = [2]
func.func @other_element(%f: !pm.partial<!F, sum over [row]>) -> !pm.field<[x=8 on(row), y=8], f64> {
  // expected-error@+1 {{expected the same elements and as many cells along each dim}}
  %g = pm.reduce_fields sum over ["row"](%f) : !F -> !pm.field<[x=8 on(row), y=8], f64>
  return %g : !pm.field<[x=8 on(row), y=8], f64>
}

// -----

!F = !pm.field<[x=8, y=8], f32>
pm.mesh @ranks axes = ["row"] extents = [2]
func.func @other_cells(%f: !pm.partial<!F, sum over [row]>) -> !pm.field<[x=8 on(row), y=4], f32> {
  // expected-error@+1 {{expected the same elements and as many cells along each dim}}
  %g = pm.reduce_fields sum over ["row"](%f) : !F -> !pm.field<[x=8 on(row), y=4], f32>
  return %g : !pm.field<[x=8 on(row), y=4], f32>
}
