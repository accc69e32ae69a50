//===- Passes.td - Work on the cells of blocks of particles *- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_STENCILS_PASSES_TD
#define PMC_PASSES_STENCILS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ComputeAtReaders : Pass<"pm-compute-at-readers", "::mlir::func::FuncOp"> {
  let summary = "compute differences of a field where meshes are read";
  let description = [{
    On CPUs, particles of a lattice read meshes in blocks. The cells that a block
    reads are copied to a core's cache. On GPUs (`tiles`), they are copied to the
    shared memory of a block of threads. A mesh is computed there if it is a map of
    few periodic neighbors, and if only such readings use it. The mesh is not
    stored. On several ranks, one halo of the map's field replaces the halos of the
    meshes. A remark `at-readers` names the map.

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
    Option<"tiles", "tiles", "bool", "false",
           "whether a GPU reads in tiles of shared memory">,
  ];
}

def PaintStencils : Pass<"pm-paint-stencils", "::mlir::func::FuncOp"> {
  let summary = "compute stencils of painted meshes where particles are painted";
  let description = [{
    On CPUs, particles of a lattice are painted in blocks. A block adds to a copy
    of the cells that it touches. A linear map of few periodic neighbors is computed
    there if one paint computes its fields and the map is their only use. Then the
    painted fields are not stored. On several ranks, their halos are not exchanged.
    A remark `at-paint` names the map.

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
    On CPUs, blocks of particles are painted and read in copies of the boxes of
    cells that they touch. Paints and readings of one block of code with the same
    positions, window and mesh dims get the same number, `pm.boxes`. At run time, the
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

def RenewBoxes : Pass<"pm-renew-boxes", "::mlir::func::FuncOp"> {
  let summary = "find the boxes of the next step where particles move";
  let description = [{
    In a loop, a map reads meshes at the positions of particles and overwrites these
    positions. In the next step, a paint or a reading that shares boxes with the map
    is at the new positions. If nothing else in the loop changes how positions are
    computed, the map gets `pm.renews_boxes`: its schedule finds the new box of a block
    while the new positions are in a core's cache. In the last step of the loop, it does
    not find boxes.

    ```mlir
    scf.for %i = %c0 to %n step %c1 {
      pm.scatter cic [x=64, y=64] ins(%u, %v : ...) outs(%m : ...) attributes {pm.boxes = 1} { ... }
      pm.map [x=64, y=64] ins(%u, %v : ...) outs(%u, %v : ...)
          attributes {pm.boxes = 1, pm.renews_boxes} { ... pm.interpolate ... }
    }
    ```
  }];
}

#endif // PMC_PASSES_STENCILS_PASSES_TD
