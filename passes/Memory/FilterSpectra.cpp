//===- FilterSpectra.cpp - Maps of modes between two transforms -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transform, a map over its modes and the transform back go through the
// spectrum four times. If the map runs between the passes along the last
// transformed dim, the spectrum goes through memory half as often.
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PMSpectralOps.h"
#include "passes/Cost/Cost.h"
#include "passes/Passes.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace pmc::passes {
#define GEN_PASS_DEF_FILTERSPECTRA
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

/// Bytes of the lines that one vector of a processor transforms: a core's cache
/// holds them, or the map gains nothing there.
constexpr int64_t mostBlockBytes = 1 << 20;
constexpr int64_t vectorBytes = 64;

/// Three ops that are one filter.
struct Filter {
  FFTOp fft;
  MapOp map;
  IFFTOp ifft;
  unsigned mode; ///< the input of the map that is the spectrum
};

/// Whether the body needs nothing of other elements.
bool isElementwise(MapOp map) {
  llvm::SetVector<Value> above;
  getUsedValuesDefinedAbove(map.getBody(), above);
  bool readsFields = llvm::any_of(above, [](Value value) {
    return bool(getField(value.getType())) || isa<HaloType>(value.getType());
  });
  return !readsFields && !map.getWithin() && map.getResults().size() == 1;
}

/// The bytes of the lines along the dim whose passes are next to each other:
/// the first one that is transformed.
int64_t getBlockBytes(FFTOp fft) {
  auto input = cast<GridType>(fft.getInput().getType());
  for (DimAttr dim : input.getDims())
    for (StringRef label : fft.getOver().getAsValueRange<StringAttr>())
      if (dim.isSpace() && dim.getLabel() == label)
        return dim.getExtent() * vectorBytes;
  return 0;
}

std::optional<Filter> findFilter(IFFTOp ifft) {
  auto map = ifft.getInput().getDefiningOp<MapOp>();
  if (!map || map->getBlock() != ifft->getBlock() || !isElementwise(map) ||
      !map.getResult(0).hasOneUse())
    return std::nullopt;
  for (auto [i, input] : llvm::enumerate(map.getInputs())) {
    auto fft = input.getDefiningOp<FFTOp>();
    // What others read is in memory anyway.
    if (fft && fft.getRaw() && fft->getBlock() == map->getBlock() &&
        fft.getResult().hasOneUse() && fft.getOver() == ifft.getOver() &&
        fft.getResult().getType() == map.getResult(0).getType() &&
        getBlockBytes(fft) <= mostBlockBytes)
      return Filter{fft, map, ifft, unsigned(i)};
  }
  return std::nullopt;
}

SpectralFilterOp build(OpBuilder &builder, const Filter &filter) {
  auto [fft, map, ifft, mode] = filter;
  SmallVector<Value> inputs(map.getInputs());
  inputs.erase(inputs.begin() + mode);
  auto made = SpectralFilterOp::create(
      builder, builder.getFusedLoc({fft.getLoc(), map.getLoc(), ifft.getLoc()}),
      TypeRange{ifft.getResult().getType(), fft.getResult().getType()},
      fft.getInput(), fft.getOverAttr(), map.getDomainAttr(), inputs,
      ValueRange());
  IRMapping mapping;
  map.getBody().cloneInto(&made.getBody(), mapping);
  // The mode is the last argument.
  Block &body = made.getBody().front();
  BlockArgument before = body.getArgument(mode);
  BlockArgument last = body.addArgument(before.getType(), before.getLoc());
  before.replaceAllUsesWith(last);
  body.eraseArgument(mode);
  return made;
}

/// What ops read and write if there is one rank.
int64_t getBytes(ArrayRef<Operation *> ops) {
  pmc::cost::RankPosition alone;
  for (Operation *op : ops)
    for (Type type : op->getOperandTypes())
      if (auto field = dyn_cast<FieldType>(type))
        for (StringAttr axis : getAxes(field.getDims())) {
          alone.ranks[axis.str()] = 1;
          alone.index[axis.str()] = 0;
        }
  int64_t bytes = 0;
  for (Operation *op : ops) {
    auto cost = cast<pmc::cost::CostOpInterface>(op).getCost(alone.ranks);
    bytes += cost.read.evaluate(alone).value_or(0) +
             cost.written.evaluate(alone).value_or(0);
  }
  return bytes;
}

class FilterSpectraPass
    : public pmc::passes::impl::FilterSpectraBase<FilterSpectraPass> {
public:
  void runOnOperation() override {
    SmallVector<IFFTOp> transforms;
    getOperation()->walk([&](IFFTOp op) { transforms.push_back(op); });
    for (IFFTOp ifft : transforms)
      if (std::optional<Filter> filter = findFilter(ifft))
        rewrite(*filter);
  }

private:
  void rewrite(Filter filter) {
    OpBuilder builder(filter.ifft);
    SpectralFilterOp made = build(builder, filter);
    int64_t before = getBytes({filter.fft, filter.map, filter.ifft});
    int64_t after = getBytes({made});
    if (after >= before)
      return made.erase();
    remark::passed(made.getLoc(),
                   remark::RemarkOpts::name("filter").category(getArgument()))
        << llvm::formatv("a filter of the spectrum; {0} bytes of memory "
                         "traffic instead of {1}",
                         after, before)
               .str();
    filter.ifft.getResult().replaceAllUsesWith(made.getResult(0));
    filter.ifft->erase();
    filter.map->erase();
    filter.fft->erase();
  }
};

} // namespace
