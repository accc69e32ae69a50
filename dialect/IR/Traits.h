//===- Traits.h - What ops of the dialect have in common --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_TRAITS_H
#define PMC_DIALECT_IR_TRAITS_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace pmc::pm {

/// Whether memory planning has given the op buffers.
bool hasBuffers(mlir::Operation *op);
/// None on fields. On buffers: the inputs are read, and so is what the body
/// reads at other elements; the outs are written.
void appendEffectsOfBuffers(
    mlir::Operation *op, llvm::MutableArrayRef<mlir::OpOperand> outs,
    llvm::SmallVectorImpl<
        mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>
        &effects);

/// Reads buffers and writes those in `outs`, if the op has any.
template <class Op>
class EffectsOfBuffers : public mlir::OpTrait::TraitBase<Op, EffectsOfBuffers> {
public:
  void getEffects(llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<
                      mlir::MemoryEffects::Effect>> &effects) {
    auto op = llvm::cast<Op>(this->getOperation());
    if constexpr (requires { op.getOutsMutable(); }) {
      mlir::MutableOperandRange outs = op.getOutsMutable();
      appendEffectsOfBuffers(op, outs, effects);
    } else {
      appendEffectsOfBuffers(op, {}, effects);
    }
  }
};

/// May be evaluated where its result is not needed, but for its buffer form.
template <class Op>
class SpeculatableOnFields
    : public mlir::OpTrait::TraitBase<Op, SpeculatableOnFields> {
public:
  mlir::Speculation::Speculatability getSpeculatability() {
    return hasBuffers(this->getOperation()) ? mlir::Speculation::NotSpeculatable
                                            : mlir::Speculation::Speculatable;
  }
};

template <class Op>
class IsExpanded : public mlir::OpTrait::TraitBase<Op, IsExpanded> {};

template <class Op>
class KeepsModes : public mlir::OpTrait::TraitBase<Op, KeepsModes> {};

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_TRAITS_H
