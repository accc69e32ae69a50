//===- Fourier.cpp - What transforms cost ---------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PMSpectralOps.h"
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

/// Adds the steps of a transform.
void addTransform(OpCost &cost, Operation *op, GridType from, GridType to,
                  bool backward, const Ranks &ranks) {
  auto meshes = op->getParentOfType<ModuleOp>().getOps<MeshOp>();
  auto steps =
      findSteps(withoutSingleAxes(from, ranks), withoutSingleAxes(to, ranks),
                meshes.empty() ? MeshOp() : *meshes.begin(), ranks, backward);
  if (!steps)
    return;
  for (const FourierStep &step : *steps)
    if (step.dims.empty())
      cost.messages.push_back(getReshard(step.from, step.to));
    else
      addRows(cost, step);
}

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
    addTransform(cost, op, input, output, std::is_same_v<Op, IFFTOp>, ranks);
    return cost;
  }
  Sweeps getSweeps(Operation *op) const {
    auto transform = cast<Op>(op);
    return {{transform.getInput()}, SmallVector<Value>(transform.getOuts())};
  }
  /// The way with the fewest bytes is taken.
  bool dependsOnRanks(Operation *) const { return true; }
};

/// The passes along the last transformed dim, and the body between them, go
/// through the spectrum once. Between ranks or passes it is in memory.
struct SpectralFilterCost
    : CostOpInterface::ExternalModel<SpectralFilterCost, SpectralFilterOp> {
  OpCost getCost(Operation *op, const Ranks &ranks) const {
    auto filter = cast<SpectralFilterOp>(op);
    OpCost cost(op->getContext());
    cost.part = Part::Transforms;
    auto input = cast<GridType>(filter.getInput().getType());
    GridType spectrum = filter.getSpectrumType();
    auto output = cast<GridType>(filter.getOuts().empty()
                                     ? filter.getResults()[0].getType()
                                     : filter.getOuts()[0].getType());
    cost.read = getBytes(input);
    for (Value other : filter.getInputs())
      cost.read = cost.read + getBytes(cast<GridType>(other.getType()));
    cost.written = getBytes(output);
    if (isInMemory(filter)) {
      cost.read = cost.read + getBytes(spectrum);
      cost.written = cost.written + getBytes(spectrum);
    }
    cost.isSingle = isSingle(input.getElementType());
    addTransform(cost, op, input, spectrum, /*backward=*/false, ranks);
    addBody(cost, cast<DomainOpInterface>(op), ranks);
    addTransform(cost, op, spectrum, output, /*backward=*/true, ranks);
    return cost;
  }
  Sweeps getSweeps(Operation *op) const {
    auto filter = cast<SpectralFilterOp>(op);
    Sweeps sweeps;
    sweeps.read.push_back(filter.getInput());
    llvm::append_range(sweeps.read, filter.getInputs());
    if (filter.getOuts().empty())
      return sweeps;
    sweeps.written.push_back(filter.getOuts()[0]);
    if (isInMemory(filter)) {
      sweeps.read.push_back(filter.getOuts()[1]);
      sweeps.written.push_back(filter.getOuts()[1]);
    }
    return sweeps;
  }
  bool dependsOnRanks(Operation *) const { return true; }

private:
  static bool isInMemory(SpectralFilterOp filter) {
    auto input = cast<GridType>(filter.getInput().getType());
    return filter.getOver().size() > 1 || !getAxes(input.getDims()).empty();
  }
};

} // namespace

void registerFourierCosts(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    FFTOp::attachInterface<FourierCost<FFTOp>>(*context);
    IFFTOp::attachInterface<FourierCost<IFFTOp>>(*context);
    SpectralFilterOp::attachInterface<SpectralFilterCost>(*context);
  });
}

} // namespace pmc::cost
