//===- Transposes.cpp - The transposes of a transform ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the runtime does when the program runs (runtime/FFT/Stages.cpp), for the
// reader of the IR: a search over how the field is split and which dims have
// been transformed.
//
//===----------------------------------------------------------------------===//

#include "passes/Sharding/Transposes.h"

#include <map>
#include <set>

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

/// The axes of every dim, by number.
using Cut = std::vector<std::vector<unsigned>>;

struct State {
  Cut cut;
  uint32_t done = 0;
  auto operator<=>(const State &) const = default;
};

class Search {
public:
  Search(GridType input, GridType output)
      : input(input), output(output), rank(input.getDims().size()) {
    for (unsigned d = 0; d < rank; ++d) {
      DimAttr from = input.getDims()[d], to = output.getDims()[d];
      if (from.isSpace() != to.isSpace())
        mask |= 1u << d;
      if (from.isHalf() != to.isHalf())
        halved = 1u << d;
    }
    start = getCut(input);
    goal = getCut(output);
    isForward = !isa<ComplexType>(input.getElementType());
  }

  std::optional<SmallVector<Transpose>> run() {
    if (axes.size() > 4)
      return std::nullopt; // too many ways to count them
    for (bool gather : {false, true}) {
      candidates.clear();
      findCandidates(gather);
      if (auto found = search())
        return found;
    }
    return std::nullopt;
  }

private:
  using Cost = std::pair<int, double>;
  struct Best {
    Cost cost;
    State before;
    uint32_t done = 0; // after what is transformed before the transpose
  };

  Cut getCut(GridType type) {
    Cut cut(rank);
    for (auto [d, dim] : llvm::enumerate(type.getDims()))
      for (StringAttr axis : dim.getAxes()) {
        auto *found = llvm::find(axes, axis);
        cut[d].push_back(unsigned(found - axes.begin()));
        if (found == axes.end())
          axes.push_back(axis);
      }
    return cut;
  }

  static bool uses(const Cut &cut, unsigned axis) {
    return llvm::any_of(
        cut, [&](const auto &list) { return llvm::is_contained(list, axis); });
  }

  /// All ways to place the axes. One lies nowhere only if that is so at an end,
  /// or if nothing else helps.
  void findCandidates(bool gather) {
    candidates = {start, goal};
    SmallVector<unsigned> place(axes.size(), 0);
    while (true) {
      Cut cut(rank);
      bool isSane = true;
      for (auto [axis, d] : llvm::enumerate(place)) {
        if (d < rank)
          cut[d].push_back(unsigned(axis));
        else
          isSane &= gather || !uses(start, axis) || !uses(goal, axis);
      }
      for (unsigned d = 0; d < rank; ++d)
        for (const Cut *end : {&start, &goal})
          if (std::is_permutation(cut[d].begin(), cut[d].end(),
                                  (*end)[d].begin(), (*end)[d].end()))
            cut[d] = (*end)[d];
      if (isSane && !llvm::is_contained(candidates, cut))
        candidates.push_back(std::move(cut));
      size_t i = 0;
      while (i < place.size() && ++place[i] > rank)
        place[i++] = 0;
      if (i == place.size())
        return;
    }
  }

  /// The halved dim goes first towards complex numbers, and last back.
  uint32_t getTransformable(const State &state) const {
    uint32_t whole = 0;
    for (unsigned d = 0; d < rank; ++d)
      if (state.cut[d].empty())
        whole |= 1u << d;
    whole &= mask & ~state.done;
    if (halved && isForward && !(state.done & halved))
      return whole & halved ? whole : 0;
    if (halved && !isForward && (whole | state.done) != mask)
      return whole & ~halved;
    return whole;
  }

  GridType getField(const Cut &cut, uint32_t done) const {
    SmallVector<DimAttr> dims;
    for (unsigned d = 0; d < rank; ++d) {
      SmallVector<StringAttr> names;
      for (unsigned axis : cut[d])
        names.push_back(axes[axis]);
      GridType side = done >> d & 1 ? output : input;
      dims.push_back(side.getDims()[d].withAxes(names));
    }
    Type element = !halved || (done & halved) ? output.getElementType()
                                              : input.getElementType();
    Type field = FieldType::get(input.getContext(), dims, element);
    return cast<GridType>(field);
  }

  double getVolume(const Cut &from, const Cut &to, uint32_t done) const {
    constexpr double ranks = 4;
    double moved = 1, copies = 1, cells = 1;
    GridType field = getField(from, done);
    for (DimAttr dim : field.getDims())
      cells *= double(dim.getStoredExtent());
    for (unsigned d = 0; d < rank; ++d) {
      for (size_t i = 0; i < to[d].size(); ++i)
        if (i >= from[d].size() || from[d][i] != to[d][i])
          moved *= ranks;
      for (unsigned axis : from[d])
        if (!uses(to, axis))
          copies *= ranks;
    }
    return cells * getElementBytes(field.getElementType()) *
           (copies - 1 / moved);
  }

  std::optional<SmallVector<Transpose>> search() {
    std::map<State, Best> best;
    std::set<std::pair<Cost, State>> open;
    const State first{start, 0};
    best[first] = {{0, 0}, first, 0};
    open.insert({{0, 0}, first});
    while (!open.empty()) {
      auto [cost, state] = *open.begin();
      open.erase(open.begin());
      if (best[state].cost != cost)
        continue;
      uint32_t done = state.done | getTransformable(state);
      if (done == mask && state.cut == goal)
        return trace(best, state);
      for (const Cut &cut : candidates) {
        if (cut == state.cut)
          continue;
        State next{cut, done};
        Cost total{cost.first + 1,
                   cost.second + getVolume(state.cut, cut, done)};
        auto known = best.find(next);
        if (known != best.end() && known->second.cost <= total)
          continue;
        best[next] = {total, state, done};
        open.insert({total, next});
      }
    }
    return std::nullopt;
  }

  SmallVector<Transpose> trace(std::map<State, Best> &best, State state) const {
    SmallVector<Transpose> transposes;
    for (Best *way = &best[state]; way->cost.first > 0; way = &best[state]) {
      transposes.push_back({getField(way->before.cut, way->done),
                            getField(state.cut, way->done)});
      state = way->before;
    }
    std::reverse(transposes.begin(), transposes.end());
    return transposes;
  }

  GridType input, output;
  unsigned rank;
  SmallVector<StringAttr> axes;
  uint32_t mask = 0, halved = 0;
  bool isForward = true;
  Cut start, goal;
  std::vector<Cut> candidates;
};

} // namespace

std::optional<SmallVector<Transpose>>
pmc::passes::findTransposes(GridType input, GridType output) {
  return Search(input, output).run();
}
