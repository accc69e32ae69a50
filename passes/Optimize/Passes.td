//===- Passes.td - Better loops over the whole fields ------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_OPTIMIZE_PASSES_TD
#define PMC_PASSES_OPTIMIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def InlineFields : Pass<"pm-inline", "::mlir::ModuleOp"> {
  let summary = "inline the functions that work on fields";
  let description = [{
    Inlines functions that take, return or compute fields or tables, and those
    that are called in the body of a domain op. Functions of scalars stay, and
    so does what only they call. Calls of functions that only compute (no print,
    no assert) are marked `pm.pure`, and go if nothing uses their results.
    Functions that nothing calls any more go.

    ```mlir
    func.func private @twice(%a: !F) -> !F {      // before
      %r = pm.map ... ins(%a : !F) { ... } -> !F
      return %r : !F
    }
    %b = call @twice(%a) : (!F) -> !F

    %b = pm.map ... ins(%a : !F) { ... } -> !F    // after
    ```
    The inlined ops' locations are call sites: the library's line, called at the
    user's line.
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def Expand : Pass<"pm-expand", "::mlir::ModuleOp"> {
  let summary = "turn particle ops, normalized transforms and lengths into loops";
  let description = [{
    `pm.readout` becomes a map with `pm.interpolate` in its body, `pm.paint` a
    `pm.scatter`, both in mesh cells; a normalized `pm.fft` a raw one and a map
    by 1/N; `pm.length` the value of the dim's region. What comes out fuses with
    its neighbors.

    ```mlir
    %k = pm.fft %f over ["x"] : !F -> !K          // before

    %raw = pm.fft %f over ["x"] raw : !F -> !K    // after
    %k = pm.map [kx=half(8)] ins(%raw : !K) { /* times 1/8 */ } -> !K
    ```
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def FuseDomains : Pass<"pm-fuse", "::mlir::func::FuncOp"> {
  let summary = "fuse loops over one domain";
  let description = [{
    A map goes into the first op that reads its results element by element; it
    keeps those of its results that are read elsewhere too. A cheap map of one
    field (the FFT's factor) goes into all of its readers. Two maps that read
    the same field become one. None of this makes more fields live across an op
    that needs memory: a map that turns several fields into one stays before
    the transform that follows it.

    Results, inputs and body ops that nothing reads are dropped.

    ```mlir
    %b = pm.map [x=8] ins(%a : !F) { ... } -> !F  // before
    %s = pm.reduce sum [x=8] ins(%b : !F) { ... } scalars f64

    %s = pm.reduce sum [x=8] ins(%a : !F) { ... } scalars f64   // after
    ```
    Remarks (category `pm-fuse`): what was fused, and what could not be.
  }];
  let options = [
    Option<"cheapOperations", "cheap-operations", "unsigned", "6",
           "of a map of one field that goes into all of its readers">,
    Option<"neighborOperations", "neighbor-operations", "unsigned", "32",
           "at all neighbors together of a field that is computed where it is "
           "read">,
    Option<"derivedOperations", "derived-operations", "unsigned", "4",
           "of a result that is computed from another one where both are read">,
  ];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def MergePaints : Pass<"pm-merge-paints", "::mlir::func::FuncOp"> {
  let summary = "paint particles at one position once";
  let description = [{
    `pm.paint`s of one block with the same positions, window and mesh become one,
    in the place of the last, unless something needs the mesh before.

    ```mlir
    %a = pm.paint cic %u weight %v : !F -> !F          // before
    %b = pm.paint cic %u weight %w : !F -> !F

    %m:2 = pm.paint cic %u weight %v, %w : !F -> !F    // after
    ```
  }];
  let dependentDialects = ["::pmc::pm::PMDialect", "::mlir::arith::ArithDialect"];
}

def FindContractions : Pass<"pm-contract", "::mlir::func::FuncOp"> {
  let summary = "recognize sums of products of two fields";
  let description = [{
    A sum over dims of a product becomes a `pm.contract` where its factors are of
    two fields and each of these lacks a dim that the sum keeps: matrices, and
    batches of them. What else is a factor goes into a map of one of the two, over
    its own dims; the product over all dims is not made. Sums of few products
    stay loops, which fuse with what is around them.

    ```mlir
    %p = pm.map [i=64, k=64, j=64] ins(%a, %b : !A, !B) { ... a * b }  // before
    %c = pm.reduce sum [i=64, k=64, j=64] ins(%p : !P) { ... } -> !C

    %c = pm.contract %a, %b : !A, !B -> !C                             // after
    ```
    Where one of the fields is a view or a moved field, it becomes a `pm.convolve` of
    the field that this one reads; then any numbers of rows and columns will do.

    It runs before derivatives are taken, since those of a contraction are two
    contractions, and again when fields are inlined.

    Remarks (category `pm-contract`): what was recognized.
  }];
  let options = [
    Option<"fewestProducts", "fewest-products", "int64_t", "512",
           "below which a fused loop is as fast as a call">,
  ];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def ExactSums : Pass<"pm-exact-sums", "::mlir::func::FuncOp"> {
  let summary = "sums that are the same in any order";
  let description = [{
    In a module with `pm.deterministic`: where many numbers are added, in reductions,
    bins and paints, each is cut into two that are multiples of powers of two, so
    coarse that no sum of them rounds. For this, the largest of all is found first.
    So it does not matter how threads and ranks divide the work; the two sums are
    added at the end, and what was rounded is far below a sum's own last bit.

    ```mlir
    %s = pm.reduce sum [x=64] ins(%f : !F) { ... pm.yield %v }  // before

    %m = pm.reduce max [x=64] ins(%f : !F) { ... pm.yield |%v| } // after
    ... %c = 3 2^6 (the power of two above %m), %d = 2^-46 %c
    %h:2 = pm.reduce sum [x=64] ins(%f : !F) {
      ... %h = (%v + %c) - %c, %r = %v - %h, %l = (%r + %d) - %d
      pm.yield %h, %l : f64, f64
    }
    %s = %h#0 + %h#1
    ```
    A paint cuts what cells get: it becomes one with `exact`, on meshes of f64, of
    one word where the mesh is of f32 and particles have weights that are numbers,
    and are not more than 2^27, else of two. Sums of whole numbers, such as counts, and slices stay as they are.
  }];
  let dependentDialects = ["::pmc::pm::PMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def MergeReadings : Pass<"pm-merge-readings", "::mlir::func::FuncOp"> {
  let summary = "read meshes at one position once";
  let description = [{
    `pm.interpolate`s of one body at the same position become one, which finds the
    cells and their weights for all; values that nothing uses are not read. So
    a force and its derivatives take one look at each cell of the force.

    ```mlir
    %v = pm.interpolate cic (%f : !F) at (%u : f32) -> f32        // before
    %d = pm.interpolate cic (%f : !F) at (%u : f32) {orders = array<i64: 1>} -> f32

    %w:2 = pm.interpolate cic (%f, %f : !F, !F) at (%u : f32)     // after
        {orders = array<i64: 0, 1>} -> f32, f32
    ```
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def Narrow : Pass<"pm-narrow", "::mlir::func::FuncOp"> {
  let summary = "look only at the cells that a condition on an index leaves";
  let description = [{
    Maps that change a field only where an index along a dim is in a range, and
    sums to fields of what is 0 elsewhere, say so (`within`): updates of slices,
    the sums that read them, and the adjoints of both.

    ```mlir
    %r = pm.map [z=8, x=64] ins(%f, %g : ...) {                       // before
      %z = pm.coordinate "z"
      %c = arith.cmpf oeq, %z, %i_f64 : f64       // %i_f64 = sitofp %i
      %v = arith.select %c, %g_, %f_ : f32

    %r = pm.map [z=8, x=64] within "z"(%i, %end) ins(%f, %g : ...) {  // after
    ```
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def Demote : Pass<"pm-demote", "::mlir::func::FuncOp"> {
  let summary = "compute in the fields' precision what ends up in it";
  let description = [{
    In maps and scatters, f64 arithmetic on several coordinates or on fields,
    whose result is rounded to f32, is done in f32. Scalars and what depends on
    one coordinate are still computed in f64 and rounded then. Comparisons
    stay in f64; that of a sum of squares with zero becomes one for each square,
    which is the same and depends on one coordinate each. Reductions and bins
    stay as they are.

    ```mlir
    %s = arith.addf %kx2, %ky2 : f64              // before
    %t = arith.truncf %s : f64 to f32

    %a = arith.truncf %kx2 : f64 to f32           // after
    %b = arith.truncf %ky2 : f64 to f32
    %t = arith.addf %a, %b : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def AxisTables : Pass<"pm-axis-tables", "::mlir::func::FuncOp"> {
  let summary = "compute once an axis what depends on one coordinate";
  let description = [{
    In the bodies of ops over several dims, what depends on no element moves out
    of the body; an expression of one coordinate that costs more than reading
    its value becomes a map over that dim, which the op reads as a broadcast
    input.

    ```mlir
    pm.map [x=8, y=8] {                           // before
      %i = pm.coordinate "x"
      %s = math.sin %i : f64
      ...
    }

    %t = pm.map [x=8] { ... math.sin ... } -> !pm.field<[x=8], f64>   // after
    pm.map [x=8, y=8] ins(%t : !pm.field<[x=8], f64>) { ^bb0(%s: f64): ... }
    ```
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def HoistInvariants : Pass<"pm-hoist", "::mlir::func::FuncOp"> {
  let summary = "move what a loop repeats out of it, unless it is large";
  let description = [{
    Scalars and one-dimensional maps that do not depend on the loop move before
    it. Larger fields stay: they would take memory all through the loop.
  }];
}

def EliminateCommon : Pass<"pm-cse", "::mlir::func::FuncOp"> {
  let summary = "compute what several ops compute once";
  let description = [{
    As MLIR's `cse`, but for ops without effects only, and in linear time: the
    hash of an op contains its regions, in which maps of neighbors differ.
  }];
}

def WidenLate : Pass<"pm-widen-late", "::mlir::func::FuncOp"> {
  let summary = "make stored numbers longer only where they are read";
  let description = [{
    A field of bf16 or f16 (`pm.stored`) is what lives. Contractions and
    convolutions read it as it is; the map that makes it longer is repeated in
    front of each op that cannot.

    ```mlir
    %w = pm.map [x=8] ins(%n : !pm.field<[x=8], bf16>) { ... } -> !F  // before
    ...
    pm.output "w"(%w ...)

    ...                                                                // after
    %w = pm.map [x=8] ins(%n : !pm.field<[x=8], bf16>) { ... } -> !F
    pm.output "w"(%w ...)
    ```
  }];
}

def ComputeAtReaders : Pass<"pm-compute-at-readers", "::mlir::func::FuncOp"> {
  let summary = "compute differences of a field where meshes are read";
  let description = [{
    For CPUs, where particles of a lattice read meshes in blocks: the cells that a
    block reads are copied to a core's cache. A mesh that is a map of few
    neighbors, all periodic, and that only such readings use, is computed there.
    It is not stored, and on several ranks one halo of the map's field takes the
    place of those of the meshes. A remark `at-readers` names the map.

    ```mlir
    %g = pm.map [x=64, y=64] { ... pm.neighbor %f[-1, 0] ... }   // before
    %h = pm.map [x=64, y=64] { ... pm.neighbor %f[0, -1] ... }
    ... pm.interpolate cic(%g, %h : !F, !F) at(%u, %v : f32, f32) -> f32, f32

    ... pm.interpolate cic(%f : !F) taps [0, -1, 0, 0, 1, 0, ...] { ... }  // after
        at(%u, %v : f32, f32) -> f32, f32
    ```
  }];
  let options = [
    Option<"elements", "elements", "int64_t", "32768",
           "the fewest elements that read in blocks">,
  ];
}

def PaintStencils : Pass<"pm-paint-stencils", "::mlir::func::FuncOp"> {
  let summary = "compute stencils of painted meshes where particles are painted";
  let description = [{
    For CPUs, where particles of a lattice are painted in blocks: a block adds to a
    copy of the cells that it touches. A linear map of few neighbors, all periodic,
    whose fields one paint makes, and only for it, is computed there. Then the
    painted fields are not stored, and on several ranks their halos are not
    exchanged. A remark `at-paint` names the map.

    The adjoint of a reading of differences (`pm-compute-at-readers`) is such a map.

    ```mlir
    %a:2 = pm.scatter cic [x=64, y=64] ins(...) { ... pm.yield %u, %v, %p, %q }  // before
    %r = pm.map [x=64, y=64] { ... pm.neighbor %a#0[1, 0] ... pm.neighbor %a#1[0, 1] ... }

    %r = pm.scatter cic [x=64, y=64] ins(...) { ... pm.yield %u, %v, %p, %q }    // after
        taps [0, 1, 0, 1, 0, 1, ...] { ... }
    ```
  }];
  let options = [
    Option<"elements", "elements", "int64_t", "32768",
           "the fewest particles that are painted in blocks">,
  ];
}

def ShareBoxes : Pass<"pm-share-boxes", "::mlir::ModuleOp"> {
  let summary = "find the boxes of cells that particles touch once";
  let description = [{
    For CPUs, where blocks of particles are painted and read in copies of the boxes of
    cells that they touch. Paints and readings of one block of code with the same
    positions, window and mesh dims get the same number, `pm.boxes`. At run time the
    first one of them keeps its boxes for the others.

    ```mlir
    %m = pm.scatter cic [x=64, y=64] ins(%u, %v : ...) attributes {pm.boxes = 1} { ... }
    ```
  }];
  let options = [
    Option<"elements", "elements", "int64_t", "1",
           "the fewest particles that are painted and read in blocks">,
  ];
}

def SinkIntoChoices : Pass<"pm-sink-into-choices", "::mlir::func::FuncOp"> {
  let summary = "compute what follows from a reading only where it is made";
  let description = [{
    An `scf.if` that reads a mesh where a particle was painted yields zeros
    otherwise. What is computed from its results and is then zero, too, moves
    into it: products with guards, sums of such, and what only these use. There
    are no remarks; an `scf.if` without readings, or with few such ops behind
    it, stays.

    ```mlir
    %r = scf.if %met -> f32 { ... } else { scf.yield %zero }      // before
    %p = arith.mulf %r, %x
    %is = arith.cmpf oeq, %r, %zero
    %g = arith.select %is, %zero, %p
    %s = arith.addf %g, %g
    %sum = arith.addf %before, %s

    %r:2 = scf.if %met -> (f32, f32) {                            // after
      ...
      %s = arith.addf %g, %g
      scf.yield %read, %s
    } else { scf.yield %zero, %zero }
    %sum = arith.addf %before, %r#1
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def Prefetch : Pass<"pm-prefetch", "::mlir::func::FuncOp"> {
  let summary = "say which samples a loop needs next";
  let description = [{
    Behind each `pm.samples` of a loop stands a `pm.prefetch_samples` with the
    samples that will be read next: those of the next iteration behind the last
    one. Their numbers are computed as the loop will, from what is known by
    then. If that takes more than numbers, a remark (category `pm-prefetch`)
    says so.

    ```mlir
    %b = pm.samples "boxes"[%i : i64] -> !F             // before

    %b = pm.samples "boxes"[%i : i64] -> !F             // after
    %n = arith.addi %i, %step : i64
    pm.prefetch_samples "boxes"[%n : i64]
    ```
  }];
  let dependentDialects = ["::pmc::pm::PMDialect", "::mlir::arith::ArithDialect"];
}

def Recompute : Pass<"pm-recompute", "::mlir::func::FuncOp"> {
  let summary = "compute fields again after a loop that needs much memory";
  let description = [{
    The pass changes loops with the attribute `pm.recompute`. These compute
    derivatives for the schedules "reverse" and "revolve", which the user has
    chosen to save memory. A field that is computed before such a loop, and read
    only after it, is computed again after the loop. The condition is that
    transforms and maps compute it from fields that are live during the loop
    anyway, or from fields that take fewer bytes. A minimum cut determines the
    fields that stay in memory. The ops that are executed again must not move
    more bytes than one iteration of the loop. A remark (category
    `pm-recompute`) reports the number of fields and of bytes.

    ```mlir
    %g = pm.ifft %f ...                                   // before
    %h = pm.map ins(%g) ...
    %r = scf.for ... iter_args(%a = %h) { ... } {pm.recompute}
    %u = pm.map ins(%g, %r) ...

    %g = pm.ifft %f ...                                   // after
    %h = pm.map ins(%g) ...
    %r = scf.for ... iter_args(%a = %h) { ... } {pm.recompute}
    %again = pm.ifft %f ...
    %u = pm.map ins(%again, %r) ...
    ```
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

#endif // PMC_PASSES_OPTIMIZE_PASSES_TD
