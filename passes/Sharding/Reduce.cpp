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
  void getLocalForm(Operation *op, const Layout &, LocalForm &form) const {
    auto reduce = cast<ReduceOp>(op);
    form.kind = reduce.getKind();
    // Parts of fields are summed over ranks; for other reductions, the axes
    // move from the dims that are reduced to one that stays.
    if (!reduce.getFields().empty() && form.kind != Reduction::Sum)
      form.setDomain(op, keepReducedWhole(form.domain, form.results.front()));
    for (OpResult result : op->getResults()) {
      unsigned number = result.getResultNumber();
      for (DimAttr dim : form.domain)
        if (findDim(form.results[number], dim.getLabel()) < 0)
          llvm::append_range(form.partial[number], dim.getAxes());
    }
  }

private:
  static SmallVector<DimAttr> keepReducedWhole(ArrayRef<DimAttr> domain,
                                               ArrayRef<DimAttr> kept) {
    SmallVector<DimAttr> dims(domain);
    SmallVector<StringAttr> moved;
    for (DimAttr &dim : dims)
      if (findDim(kept, dim.getLabel()) < 0) {
        llvm::append_range(moved, dim.getAxes());
        dim = dim.withoutAxes();
      }
    DimAttr &receiver = dims[findDim(dims, kept.front().getLabel())];
    SmallVector<StringAttr> axes(receiver.getAxes());
    axes.append(moved);
    receiver = receiver.withAxes(axes);
    return dims;
  }
};

} // namespace

void pmc::passes::registerReduceSharding(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ReduceOp::attachInterface<ReduceModel>(*context);
  });
}
