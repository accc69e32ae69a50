//===- Passes.td - Buffers ---------------------------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_MEMORY_PASSES_TD
#define PMC_PASSES_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanMemory : Pass<"pm-plan-memory", "::mlir::ModuleOp"> {
  let summary = "place fields into buffers";
  let description = [{
    Every field of `main` gets a buffer: `pm.alloc` names it, `pm.plan` holds
    the buffers' types and when they are live, and ops take their buffer form.
    Fields that a loop or a branch hands on are one buffer; an op that may writes
    over an operand that nothing reads later. Only ops with
    `PlaceableOpInterface` can have field operands or results.

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
