//===- Handles.cpp - What handles are at run time -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Common/Handles.h"

#include "pmrt/pmrt.h"

#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

template <typename Handle>
static void addReplacement(AttrTypeReplacer &replacer) {
  replacer.addReplacement([](Handle handle) -> Type {
    return LLVM::LLVMPointerType::get(handle.getContext());
  });
}

void pmc::codegen::replaceHandleTypes(ModuleOp module) {
  AttrTypeReplacer replacer;
  addReplacement<TableType>(replacer);
  addReplacement<HaloType>(replacer);
  addReplacement<ReachType>(replacer);
  addReplacement<PendingType>(replacer);
  addReplacement<TapeType>(replacer);
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

Value pmc::codegen::createReach(LoweringContext &context, OpBuilder &builder) {
  return context.frame(builder, builder.getI64Type(), 2 * PMRT_MAX_RANK);
}

Value pmc::codegen::getBelow(Value reach) { return reach; }

Value pmc::codegen::getAbove(OpBuilder &builder, Location loc, Value reach) {
  return LLVM::GEPOp::create(builder, loc, reach.getType(),
                             builder.getI64Type(), reach,
                             ArrayRef<LLVM::GEPArg>{PMRT_MAX_RANK});
}

Value pmc::codegen::reductionCode(LoweringContext &context, OpBuilder &builder,
                                  Reduction kind) {
  int64_t code = kind == Reduction::Sum   ? PMRT_SUM
                 : kind == Reduction::Min ? PMRT_MIN
                                          : PMRT_MAX;
  return context.constant(builder, code, 32);
}
