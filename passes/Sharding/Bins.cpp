//===- Bins.cpp - Binned sums over ranks ----------------------------------===//
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

struct BinsModel : ShardableOpInterface::ExternalModel<BinsModel, BinsOp> {
  /// Every rank fills all bins from its own elements.
  void getLocalForm(Operation *op, const Layout &, LocalForm &form) const {
    for (OpResult result : op->getResults()) {
      unsigned number = result.getResultNumber();
      form.results[number] = withoutAxes(form.results[number]);
      form.partial[number] = getAxes(form.domain);
    }
  }
};

} // namespace

void pmc::passes::registerBinsSharding(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    BinsOp::attachInterface<BinsModel>(*context);
  });
}
