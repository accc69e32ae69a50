//===- Fourier.cpp - What transforms cost ---------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Cost/Models.h"
#include "passes/Cost/Transposes.h"

using namespace mlir;
using namespace pmc::pm;

namespace pmc::cost {

bool isSingle(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return element.isF32();
}

/// The rows along the dims of one step.
static void addRows(OpCost &cost, const FourierStep &step) {
  MLIRContext *context = step.from.getContext();
  // Where all numbers are complex, a halved dim has about half of its cells.
  bool isForward = !isa<ComplexType>(step.from.getElementType());
  GridType spectrum = isForward ? step.to : step.from;
  for (unsigned d : step.dims) {
    DimAttr before = step.from.getDims()[d], after = step.to.getDims()[d];
    RowTransforms rows;
    rows.isReal = before.isHalf() || after.isHalf();
    rows.isSingle = isSingle(step.from.getElementType());
    rows.length = before.getExtent();
    SmallVector<DimAttr> others;
    for (unsigned i = 0; i < spectrum.getDims().size(); ++i)
      if (i != d)
        others.push_back(spectrum.getDims()[i]);
    rows.batch = getCells(context, others);
    cost.transforms.push_back(rows);
  }
}

namespace {

template <class Op>
struct FourierCost : CostOpInterface::ExternalModel<FourierCost<Op>, Op> {
  OpCost getCost(Operation *op, const Ranks &ranks) const {
    OpCost cost(op->getContext());
    cost.part = Part::Transforms;
    auto input = cast<GridType>(op->getOperand(0).getType());
    auto output = cast<GridType>(
        (op->getNumOperands() > 1 ? op->getOperand(1) : op->getResult(0))
            .getType());
    cost.read = getBytes(input);
    cost.written = getBytes(output);
    cost.isSingle = isSingle(input.getElementType());
    auto meshes = op->getParentOfType<ModuleOp>().template getOps<MeshOp>();
    auto steps = findSteps(withoutSingleAxes(input, ranks),
                           withoutSingleAxes(output, ranks),
                           meshes.empty() ? MeshOp() : *meshes.begin(), ranks,
                           std::is_same_v<Op, IFFTOp>);
    if (!steps)
      return cost;
    for (const FourierStep &step : *steps)
      if (step.dims.empty())
        cost.messages.push_back(getReshard(step.from, step.to));
      else
        addRows(cost, step);
    return cost;
  }
  Sweeps getSweeps(Operation *op) const {
    auto transform = cast<Op>(op);
    return {{transform.getInput()}, SmallVector<Value>(transform.getOuts())};
  }
  /// The way with the fewest bytes is taken.
  bool dependsOnRanks(Operation *) const { return true; }
};

} // namespace

void registerFourierCosts(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    FFTOp::attachInterface<FourierCost<FFTOp>>(*context);
    IFFTOp::attachInterface<FourierCost<IFFTOp>>(*context);
  });
}

} // namespace pmc::cost
