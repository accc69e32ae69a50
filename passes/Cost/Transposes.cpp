//===- Transposes.cpp - The steps of a transform over ranks ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Cost/Transposes.h"

#include "dialect/IR/Markers/PMDeterministic.h"

#include "pmrt/transposes.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::cost;

/// The axes that are used, in the mesh's order: so the runtime numbers them.
static SmallVector<StringAttr> getUsedAxes(GridType input, GridType output,
                                           MeshOp mesh) {
  SmallVector<StringAttr> used;
  if (!mesh)
    return used;
  for (auto axis : mesh.getAxes().getAsRange<StringAttr>())
    if (llvm::is_contained(getAxes(input.getDims()), axis) ||
        llvm::is_contained(getAxes(output.getDims()), axis))
      used.push_back(axis);
  return used;
}

static pmrt::Cut getCut(GridType type, ArrayRef<StringAttr> axes) {
  pmrt::Cut cut;
  for (DimAttr dim : type.getDims()) {
    cut.emplace_back();
    for (StringAttr axis : dim.getAxes())
      cut.back().push_back(int(llvm::find(axes, axis) - axes.begin()));
  }
  return cut;
}

std::optional<SmallVector<FourierStep>>
pmc::cost::findSteps(GridType input, GridType output, MeshOp mesh,
                     const Ranks &ranks, bool backward) {
  SmallVector<StringAttr> axes = getUsedAxes(input, output, mesh);
  if (axes.size() > 4)
    return std::nullopt; // too many ways to count them
  pmrt::TransformTask task;
  task.forward = !isa<ComplexType>(input.getElementType());
  task.ordered = mesh && isDeterministic(mesh);
  task.backward = backward;
  task.in = getCut(input, axes);
  task.out = getCut(output, axes);
  for (StringAttr axis : axes) {
    auto known = ranks.find(axis.getValue());
    task.ranks.push_back(known == ranks.end() ? 2 : known->second);
  }
  for (auto [d, from, to] :
       llvm::enumerate(input.getDims(), output.getDims())) {
    if (from.isSpace() != to.isSpace())
      task.mask |= 1u << d;
    if (from.isHalf() != to.isHalf())
      task.halved = 1u << d;
    task.cellsIn.push_back(from.getStoredExtent());
    task.cellsOut.push_back(to.getStoredExtent());
  }
  auto steps = pmrt::TransposeSearch(task).run();
  if (!steps)
    return std::nullopt;

  auto getField = [&](const pmrt::Cut &cut, uint32_t done) {
    SmallVector<DimAttr> dims;
    for (auto [d, numbers] : llvm::enumerate(cut)) {
      SmallVector<StringAttr> names;
      for (int axis : numbers)
        names.push_back(axes[axis]);
      GridType side = done >> d & 1 ? output : input;
      dims.push_back(side.getDims()[d].withAxes(names));
    }
    Type element = !task.halved || (done & task.halved)
                       ? output.getElementType()
                       : input.getElementType();
    Type field = FieldType::get(input.getContext(), dims, element);
    return cast<GridType>(field);
  };
  SmallVector<FourierStep> found;
  for (const pmrt::TransformStep &step : *steps) {
    FourierStep one{{},
                    getField(step.from, step.done),
                    getField(step.to, step.done | step.mask)};
    for (unsigned d = 0; d < input.getDims().size(); ++d)
      if (step.mask >> d & 1)
        one.dims.push_back(d);
    found.push_back(one);
  }
  return found;
}
