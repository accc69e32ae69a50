//===- Sort.cpp - Sorts and groups over ranks -----------------------------===//
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

struct SortModel : ShardableOpInterface::ExternalModel<SortModel, SortOp> {
  /// Every rank has the dim as a whole: it sorts its own lines, which it shares
  /// with the ranks along the axes that split the dim.
  void getLocalForm(Operation *op, const Layout &, LocalForm &form) const {
    auto sort = cast<SortOp>(op);
    auto gather = [&](SmallVector<DimAttr> &dims) {
      int number = findDim(dims, sort.getDim());
      if (number >= 0)
        dims[size_t(number)] = dims[size_t(number)].withoutAxes();
    };
    llvm::for_each(form.operands, gather);
    llvm::for_each(form.results, gather);
  }
};

/// The op can be split without messages of the compiler, because the runtime
/// exchanges the points and labels.
struct FriendsModel
    : ShardableOpInterface::ExternalModel<FriendsModel, FriendsOp> {};

} // namespace

void pmc::passes::registerSortSharding(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    SortOp::attachInterface<SortModel>(*context);
    FriendsOp::attachInterface<FriendsModel>(*context);
  });
}
