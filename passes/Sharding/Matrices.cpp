//===- Matrices.cpp - Dense matrices over ranks ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PMMatrixOps.h"
#include "dialect/Mesh/Layout.h"
#include "passes/Sharding/Models.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace pmc::pm;

namespace {

/// Every rank has whole matrices: those of its part of the batch. It shares
/// them with the ranks along axes that split rows or columns.
template <class Op>
struct MatrixModel : ShardableOpInterface::ExternalModel<MatrixModel<Op>, Op> {
  void getLocalForm(Operation *op, const Layout &, LocalForm &form) const {
    auto batch = size_t(cast<Op>(op).getBatch());
    bool isSplit = false;
    auto gather = [&](SmallVector<DimAttr> &dims) {
      for (auto [i, dim] : llvm::enumerate(dims))
        if (i >= batch && !dim.getAxes().empty()) {
          isSplit = true;
          dim = dim.withoutAxes();
        }
    };
    llvm::for_each(form.operands, gather);
    llvm::for_each(form.results, gather);
    if (isSplit)
      remark::missed(op->getLoc(),
                     remark::RemarkOpts::name("gathered").category("pm-shard"))
          << "the layout splits rows or columns of matrices: every rank "
             "gathers and computes whole matrices";
  }
};

template <class... Ops> void attach(MLIRContext *context) {
  (Ops::template attachInterface<MatrixModel<Ops>>(*context), ...);
}

} // namespace

void pmc::passes::registerMatrixSharding(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    attach<MatrixProductOp, SolveOp, LeastSquaresOp, CholeskyOp, LogDetOp,
           EighOp, SvdOp>(context);
  });
}
