//===- Passes.td - Buffers ---------------------------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_MEMORY_PASSES_TD
#define PMC_PASSES_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def FilterSpectra : Pass<"pm-filter-spectra", "::mlir::func::FuncOp"> {
  let summary = "run maps over modes between the passes of transforms";
  let description = [{
    For CPUs. A transform, an elementwise map over its modes and the inverse transform
    over the same dims become a `pm.spectral_filter`, if nothing else reads the
    spectrum or the map's result, and if the cost model counts fewer bytes. Lines along
    the first transformed dim, one for each lane of a vector, take at most 1 MiB. A remark
    `filter` gives the bytes before and after. On GPUs the three ops stay, because a
    library transforms there.

    ```mlir
    %s = pm.fft %f over ["x", "y"] raw : ...            // before
    %m = pm.map [kx=dual(64), ky=half(64)] ins(%s : ...) { ... }
    %r = pm.ifft %m over ["x", "y"] : ...

    %r, %memory = pm.spectral_filter %f over ["x", "y"] // after
        through [kx=dual(64), ky=half(64)] { ... }
    ```
  }];
}

def PlanMemory : Pass<"pm-plan-memory", "::mlir::ModuleOp"> {
  let summary = "place fields into buffers";
  let description = [{
    Every field of `main` gets a buffer: `pm.alloc` names it, `pm.plan` holds
    the buffers' types and when they are live, and ops take their buffer form.
    Fields that a loop or a branch hands on are one buffer; an op that may writes
    over an operand that nothing reads later. Only ops with
    `PlaceableOpInterface` can have field operands or results.

    In a module with the attribute `pm.embedded`, ops overwrite only inputs that they must overwrite.
    The attribute `caller` of `pm.plan` has a text for each buffer. It names the input or output whose
    memory of the caller can replace the buffer: `caller = ["input f", "", "output g"]`.

    Where a value must survive being overwritten a `pm.copy` is inserted; its
    `reason` attribute and a remark (category `pm-plan-memory`) say why.

    ```mlir
    %b = pm.map [x=8] ins(%a : !F) { ... } -> !F  // before

    pm.map [x=8] ins(%0 : !B) outs(%0 : !B) { ... }   // after
    ```
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

#endif // PMC_PASSES_MEMORY_PASSES_TD
