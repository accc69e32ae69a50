//===- ExchangeMemory.cpp - Memory of halos and messages ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/ExchangeMemory.h"

#include "runtime/Comm/Packed.h"
#include "runtime/Comm/Staged.h"
#include "runtime/Dist/Halo.h"
#include "runtime/Dist/Reshard.h"
#include "runtime/FFT/Routes.h"

#include <algorithm>
#include <set>

using namespace pmrt;

namespace {

/// The sizes of memory that is kept for later requests, as Context::borrow and
/// PackPool keep it.
class KeptSizes {
public:
  /// The size of the memory that a request gets.
  int64_t take(int64_t bytes) {
    if (bytes <= 0)
      return 0;
    if (const auto best = spare.lower_bound(bytes); best != spare.end()) {
      const int64_t size = *best;
      spare.erase(best);
      return size;
    }
    if (!spare.empty()) {
      held -= *spare.rbegin();
      spare.erase(std::prev(spare.end()));
    }
    held += bytes;
    peak = std::max(peak, held);
    return bytes;
  }
  void giveBack(int64_t size) {
    if (size > 0)
      spare.insert(size);
  }
  int64_t most() const { return peak; }

private:
  std::multiset<int64_t> spare;
  int64_t held = 0, peak = 0;
};

class ExchangeModel {
public:
  ExchangeModel(Context &context, int64_t distance)
      : context(context), distance(distance),
        how(context.gpu() ? context.transport->deviceMessages(*context.device)
                          : DeviceMessages::InPlace) {}

  void run() {
    // The second pass begins with the free memory of the first one, as a later
    // step of a loop does.
    for (int pass = 0; pass < 2; ++pass) {
      transforms();
      for (const ExchangeStep &step : context.program.exchanges)
        visit(step);
      for (const auto &[number, view] : views)
        close(view);
      views.clear();
    }
  }

  ExchangeMemory result() const {
    return {distance, halos.most(), mostRows,
            how == DeviceMessages::Staged ? staged : packs.most()};
  }

private:
  struct View {
    int64_t side = 0, rows = 0; ///< sizes of memory
    int64_t hostRows = 0, pack = 0;
    Messages reduce;
  };

  /// Takes memory for messages. Returns its size.
  int64_t pack(const Messages &messages) {
    const int self = context.transport->rank();
    if (how == DeviceMessages::Packed)
      return packs.take(packedBytes(messages, self));
    if (how == DeviceMessages::Staged)
      staged = std::max(staged, stagedBytes(messages, self));
    return 0;
  }

  void open(const ExchangeStep &step) {
    std::vector<int64_t> below, above;
    for (size_t d = 0; d < step.dims.size(); ++d) {
      const int64_t most = context.program.dims[size_t(step.dims[d])].stored(),
                    more = step.moves ? distance : 0;
      below.push_back(std::clamp<int64_t>(step.below[d] + more, 0, most));
      above.push_back(std::clamp<int64_t>(step.above[d] + more, 0, most));
    }
    HaloNeeds needs =
        haloNeeds(context, step.element, step.dims, below.data(), above.data());
    View &view = views[step.number];
    view.side = halos.take(needs.side);
    if (context.gpu())
      view.rows = halos.take(needs.rows);
    else
      view.hostRows = needs.rows;
    rows += view.hostRows;
    mostRows = std::max(mostRows, rows);
    if (step.kind == ExchangeStep::Kind::Paint)
      view.reduce = std::move(needs.reduce);
    else
      view.pack = pack(needs.exchange);
    if (step.kind == ExchangeStep::Kind::Exchange)
      packs.giveBack(std::exchange(view.pack, 0));
  }

  void close(const View &view) {
    packs.giveBack(view.pack);
    halos.giveBack(view.side);
    halos.giveBack(view.rows);
    rows -= view.hostRows;
  }

  void visit(const ExchangeStep &step) {
    using Kind = ExchangeStep::Kind;
    if (step.opens())
      return open(step);
    if (step.kind == Kind::Reshard) {
      const int64_t size = pack(reshard(step));
      if (step.number == 0)
        return packs.giveBack(size);
      views[step.number].pack = size;
      return;
    }
    const auto found = views.find(step.number);
    if (found == views.end())
      return;
    if (step.kind == Kind::Wait)
      return packs.giveBack(std::exchange(found->second.pack, 0));
    if (step.kind == Kind::Reduce)
      packs.giveBack(pack(found->second.reduce));
    close(found->second);
    views.erase(found);
  }

  Messages reshard(const ExchangeStep &step) const {
    const auto layoutOver = [&](const std::vector<int32_t> &dims) {
      Layout layout;
      for (const int32_t dim : dims)
        layout.dims.push_back(
            splitOf(context.mesh, context.program.dims[size_t(dim)]));
      return layout;
    };
    return move(elementSize(step.element), layoutOver(step.dims),
                layoutOver(step.to));
  }

  Messages move(int64_t size, const Layout &from, const Layout &to,
                const ReshardPiece &piece = {}) const {
    static char place; // nothing accesses the cells
    return reshardMessages(context.mesh, size, from, &place, to, &place, piece);
  }

  /// The transposes of transforms over ranks.
  void transforms() {
    if (!context.gpu() || context.alone())
      return;
    for (const Transform &transform : context.program.transforms) {
      const bool isSingle =
          transform.from == PMRT_F32 || transform.from == PMRT_C64;
      const FftRoute &route = FftRoutes::of(context).find(transform);
      for (size_t i = 0; i < route.stages.size(); ++i) {
        const FftStage &stage = route.stages[i];
        if (stage.mask != 0)
          continue;
        const int64_t count = route.piecesOf(i),
                      size = (isSingle ? 4 : 8) * (stage.realFrom ? 1 : 2);
        // If the transpose is the second stage of a pair, its pieces are pieces
        // of the source.
        const bool ofSource = !route.pairs[i];
        std::vector<int64_t> taken;
        for (int64_t k = 0; k < count; ++k)
          taken.push_back(
              pack(move(size, stage.from, stage.to, {k, count, ofSource})));
        for (const int64_t bytes : taken)
          packs.giveBack(bytes);
      }
    }
  }

  Context &context;
  const int64_t distance;
  const DeviceMessages how;
  KeptSizes halos, packs;
  std::map<int64_t, View> views;
  int64_t rows = 0, mostRows = 0, staged = 0;
};

} // namespace

ExchangeMemory pmrt::exchangeMemory(Context &context, int64_t distance) {
  ExchangeModel model(context, distance);
  model.run();
  return model.result();
}

std::vector<int64_t> pmrt::exchangeDistances(const Context &context) {
  int64_t widest = 0;
  for (const ExchangeStep &step : context.program.exchanges) {
    if (!step.opens() || !step.moves)
      continue;
    for (const int32_t index : step.dims) {
      const Dim &dim = context.program.dims[size_t(index)];
      if (context.mesh.parts(dim) > 1)
        widest = std::max(widest, dim.stored());
    }
  }
  std::vector<int64_t> distances = {0};
  for (int64_t next = 1; next < 2 * widest; next *= 2)
    distances.push_back(next);
  return distances;
}
