//===- PMFieldOp.td - What ops on fields share -------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_PMFIELDOP_TD
#define PMC_DIALECT_PMFIELDOP_TD

include "dialect/IR/PMBase.td"
include "dialect/Interfaces/Interfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class PM_Op<string mnemonic, list<Trait> traits = []>
    : Op<PM_Dialect, mnemonic, traits>;

/// An op on fields. In the buffer form, after memory planning, `outs` hold what
/// were results.
class PM_FieldOp<string mnemonic, list<Trait> traits = []>
    : PM_Op<mnemonic, traits>;

class PM_NativeTrait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::pmc::pm";
}

/// Pure on fields. The buffer form reads buffers and writes `outs`, so that it
/// is neither dead nor free to move.
def PM_PureOnFields : TraitList<[PM_NativeTrait<"EffectsOfBuffers">,
    PM_NativeTrait<"SpeculatableOnFields">, MemoryEffectsOpInterface,
    ConditionallySpeculatable]>;

#endif // PMC_DIALECT_PMFIELDOP_TD
