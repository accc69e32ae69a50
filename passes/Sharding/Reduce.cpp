//===- Reduce.cpp - Reductions over ranks ---------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Mesh/Layout.h"
#include "passes/Sharding/Models.h"

using namespace mlir;
using namespace pmc::pm;

namespace {

struct ReduceModel
    : ShardableOpInterface::ExternalModel<ReduceModel, ReduceOp> {
  /// Every rank reduces its own part.
  void getLocalForm(Operation *op, const Layout &, LocalForm &form) const {
    form.kind = cast<ReduceOp>(op).getKind();
    for (OpResult result : op->getResults()) {
      unsigned number = result.getResultNumber();
      for (DimAttr dim : form.domain)
        if (findDim(form.results[number], dim.getLabel()) < 0)
          llvm::append_range(form.partial[number], dim.getAxes());
    }
  }
};

} // namespace

void pmc::passes::registerReduceSharding(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ReduceOp::attachInterface<ReduceModel>(*context);
  });
}
