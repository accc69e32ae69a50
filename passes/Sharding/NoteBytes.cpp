//===- NoteBytes.cpp - What every message costs ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `bytes` is a formula of what one rank sends, in the extents of the mesh axes,
// for shards of one size: uneven ones differ from it a little. Of halos it is
// in the widths that the reach has measured: lo_x cells below and hi_x above
// along x. `transposes` is the number of transposes in a transform.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/Sharding/Transposes.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/StringExtras.h"

namespace pmc::passes {
#define GEN_PASS_DEF_NOTEBYTES
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// "row*col".
static std::string multiply(ArrayRef<StringAttr> axes) {
  return llvm::join(
      llvm::map_range(axes, [](StringAttr axis) { return axis.getValue(); }),
      "*");
}

/// "4*128*128*65": the whole field.
static std::string getWhole(GridType type) {
  std::string text = std::to_string(getElementBytes(type.getElementType()));
  for (DimAttr dim : type.getDims())
    text += "*" + std::to_string(dim.getStoredExtent());
  return text;
}

/// whole * (ranks-1) / (divisors): divisors may be none.
static std::string getShare(const std::string &whole,
                            ArrayRef<StringAttr> others,
                            ArrayRef<StringAttr> divisors) {
  std::string text = whole + "*(" + multiply(others) + "-1)";
  if (divisors.empty())
    return text;
  return text + "/(" + multiply(divisors) + ")";
}

/// Axes of `from` that do not stay where they are.
static SmallVector<StringAttr> getMoved(GridType from, GridType to) {
  SmallVector<StringAttr> moved;
  for (auto [before, after] : llvm::zip(from.getDims(), to.getDims()))
    for (auto [i, axis] : llvm::enumerate(before.getAxes()))
      if (i >= after.getAxes().size() || after.getAxes()[i] != axis)
        moved.push_back(axis);
  return moved;
}

/// A rank ends with 1/to of the field and had 1/moved of that.
static std::string getReshardBytes(GridType from, GridType to) {
  SmallVector<StringAttr> moved = getMoved(from, to);
  if (moved.empty())
    return "0";
  SmallVector<StringAttr> divisors(moved);
  divisors.append(getAxes(to.getDims()));
  return getShare(getWhole(to), moved, divisors);
}

/// Everybody sends the others' share of its own partial result, and, if all are
/// to have everything, its share of the whole one.
static std::string getReducedBytes(ArrayAttr axes, GridType from, GridType to) {
  SmallVector<StringAttr> reduced =
      llvm::to_vector(axes.getAsRange<StringAttr>());
  SmallVector<StringAttr> divisors = getAxes(to.getDims());
  if (from.getDims() != to.getDims())
    return getShare(getWhole(from), reduced, divisors);
  divisors.append(reduced);
  return getShare("2*" + getWhole(from), reduced, divisors);
}

/// The cells around the own ones: numbers if the reach is known.
static std::string getHaloBytes(HaloType halo, size_t count, MarginOp margin) {
  std::string with, own;
  for (auto [d, dim] : llvm::enumerate(halo.getDims())) {
    std::string extent = std::to_string(dim.getStoredExtent());
    for (StringAttr axis : dim.getAxes())
      extent += "/" + axis.getValue().str();
    if (!own.empty()) {
      own += "*";
      with += "*";
    }
    own += extent;
    std::string name = dim.getName().str();
    std::string more =
        margin ? std::to_string(margin.getBelow()[d] + margin.getAbove()[d])
               : "lo_" + name + "+hi_" + name;
    with += dim.getAxes().empty() ? extent : "(" + extent + "+" + more + ")";
  }
  return std::to_string(int64_t(count) *
                        getElementBytes(halo.getElementType())) +
         "*(" + with + "-" + own + ")";
}

namespace {

class NoteBytesPass : public pmc::passes::impl::NoteBytesBase<NoteBytesPass> {
public:
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (isa<FFTOp, IFFTOp>(op))
        return noteTransform(op);
      std::string bytes = getBytes(op);
      if (!bytes.empty())
        op->setAttr("bytes", StringAttr::get(&getContext(), bytes));
    });
  }

private:
  static std::string getBytes(Operation *op) {
    if (auto reduce = dyn_cast<AllReduceOp>(op))
      return std::to_string(8 * reduce.getValues().size());
    if (auto reach = dyn_cast<ReachOp>(op))
      return std::to_string(8 * (2 * reach.getMesh().getDims().size() + 1));
    if (auto exchange = dyn_cast<HaloExchangeOp>(op))
      return getHaloBytes(cast<HaloType>(exchange.getHalos()[0].getType()),
                          exchange.getHalos().size(),
                          exchange.getReach().getDefiningOp<MarginOp>());
    if (auto reduce = dyn_cast<HaloReduceOp>(op))
      return getHaloBytes(cast<HaloType>(reduce.getHalo().getType()), 1, {});
    if (isa<ReshardOp, ReshardStartOp>(op))
      return getReshardBytes(cast<GridType>(op->getOperand(0).getType()),
                             cast<GridType>(op->getResult(0).getType()));
    if (auto reduce = dyn_cast<ReduceFieldsOp>(op))
      return llvm::join(
          llvm::map_range(llvm::zip(reduce.getInputs(), reduce.getResults()),
                          [&](auto pair) {
                            auto [input, result] = pair;
                            return getReducedBytes(
                                reduce.getAxes(),
                                cast<GridType>(input.getType()),
                                cast<GridType>(result.getType()));
                          }),
          " + ");
    return "";
  }

  void noteTransform(Operation *op) {
    auto input = cast<GridType>(op->getOperand(0).getType());
    auto output = cast<GridType>(op->getResult(0).getType());
    if (getAxes(input.getDims()).empty() && getAxes(output.getDims()).empty())
      return;
    auto meshes = op->getParentOfType<ModuleOp>().getOps<MeshOp>();
    if (meshes.empty())
      return;
    auto transposes = findTransposes(input, output, *meshes.begin());
    if (!transposes)
      return;
    Builder builder(&getContext());
    op->setAttr("transposes",
                builder.getI64IntegerAttr(int64_t(transposes->size())));
    std::string bytes;
    for (const Transpose &transpose : *transposes) {
      if (!bytes.empty())
        bytes += " + ";
      bytes += getReshardBytes(transpose.from, transpose.to);
    }
    if (!bytes.empty())
      op->setAttr("bytes", builder.getStringAttr(bytes));
  }
};

} // namespace
