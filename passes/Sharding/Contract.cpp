//===- Contract.cpp - Contractions over ranks -----------------------------===//
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

struct ContractModel
    : ShardableOpInterface::ExternalModel<ContractModel, ContractOp> {
  /// Every rank sums over what it has of the dims that are summed over; along
  /// the others each makes its own part.
  void getLocalForm(Operation *, const Layout &, LocalForm &form) const {
    for (DimAttr dim : form.operands[0])
      if (findDim(form.results[0], dim.getLabel()) < 0)
        llvm::append_range(form.partial[0], dim.getAxes());
  }
};

} // namespace

void pmc::passes::registerContractSharding(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ContractOp::attachInterface<ContractModel>(*context);
  });
}
