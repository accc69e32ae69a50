//===- transposes.h - The transposes of a distributed transform -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dim can be transformed where it lies whole on every rank. So a distributed
// transform alternates between transforming what is whole, and transposing. The
// way from one layout to another is searched among all layouts: the fewest
// transposes, and of those the fewest numbers that travel.
//
// The runtime makes these transposes and the compiler shows them in the IR:
// both look here. Nothing but the standard library is needed.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_TRANSPOSES_H
#define PMRT_TRANSPOSES_H

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace pmrt {

/// How a field is cut: the mesh axes that split each dim, row-major.
using Cut = std::vector<std::vector<int>>;

/// A transform of the dims in `mask`.
struct TransformTask {
  uint32_t mask = 0;
  /// The dim that has about half as many cells in Fourier space, as a bit; 0 if
  /// both sides are complex. `forward`: it is the output that has.
  uint32_t halved = 0;
  bool forward = true;
  Cut in, out;
  /// Cells of each dim, on either side.
  std::vector<int64_t> cellsIn, cellsOut;
  /// Ranks along each mesh axis.
  std::vector<int64_t> ranks;
  /// Dims are transformed from the last to the first, or, if `backward`, from
  /// the first to the last, whatever that costs: so the same numbers are
  /// rounded in the same order on every mesh.
  bool ordered = false, backward = false;

  bool isReal(uint32_t done) const {
    return halved && forward == !(done & halved);
  }
};

/// One step: `mask` is transformed in the layout `from`, or, if it is 0, the
/// field is transposed to the layout `to`. `done`: what was transformed before.
struct TransformStep {
  uint32_t mask = 0, done = 0;
  Cut from, to;
};

class TransposeSearch {
public:
  explicit TransposeSearch(const TransformTask &task) : task(task) {}

  /// The steps; nothing if no way was found. At first without gathers, for
  /// which there may be no capacity.
  std::optional<std::vector<TransformStep>> run() {
    for (bool gather : {false, true}) {
      findCandidates(gather);
      if (auto steps = search())
        return steps;
    }
    return std::nullopt;
  }

private:
  struct Node {
    Cut cut;
    uint32_t done = 0;
    auto operator<=>(const Node &) const = default;
  };
  struct Cost {
    int transposes = 0;
    double volume = 0;
    auto operator<=>(const Cost &) const = default;
  };
  /// How a node is reached: the node before, which transforms `mask` first.
  struct Best {
    Cost cost;
    Node before;
    uint32_t mask = 0;
  };

  /// Dijkstra over (cut, what is transformed); few nodes.
  std::optional<std::vector<TransformStep>> search() {
    std::map<Node, Best> best;
    std::set<std::pair<Cost, Node>> open;
    const Node first{task.in, 0};
    best[first] = {{0, 0}, first, 0};
    open.insert({Cost{0, 0}, first});
    while (!open.empty()) {
      const auto [cost, node] = *open.begin();
      open.erase(open.begin());
      if (best[node].cost != cost)
        continue;
      const uint32_t now = possible(node), done = node.done | now;
      if (done == task.mask && node.cut == task.out)
        return trace(best, node, now);
      for (const Cut &cut : candidates) {
        if (cut == node.cut)
          continue;
        const Node next{cut, done};
        const Cost total{cost.transposes + 1,
                         cost.volume + volume(node.cut, cut, done)};
        auto known = best.find(next);
        if (known != best.end() && !(total < known->second.cost))
          continue;
        best[next] = {total, node, now};
        open.insert({total, next});
      }
    }
    return std::nullopt;
  }

  /// All ways to place the axes that input or output use. An axis lies nowhere
  /// only if that is so at one end, or `gather`.
  void findCandidates(bool gather) {
    const size_t rank = task.in.size();
    std::vector<int> axes;
    for (int axis = 0; axis < int(task.ranks.size()); ++axis)
      if (uses(task.in, axis) || uses(task.out, axis))
        axes.push_back(axis);
    candidates = {task.in, task.out};
    std::vector<size_t> place(axes.size(), 0);
    for (;;) {
      Cut cut(rank);
      bool sane = true;
      for (size_t i = 0; i < axes.size(); ++i) {
        if (place[i] < rank)
          cut[place[i]].push_back(axes[i]);
        else
          sane = sane && (gather || !uses(task.in, axes[i]) ||
                          !uses(task.out, axes[i]));
      }
      for (size_t d = 0; d < rank; ++d)
        for (const Cut *end : {&task.in, &task.out})
          if (std::is_permutation(cut[d].begin(), cut[d].end(),
                                  (*end)[d].begin(), (*end)[d].end()))
            cut[d] = (*end)[d];
      if (sane && std::find(candidates.begin(), candidates.end(), cut) ==
                      candidates.end())
        candidates.push_back(std::move(cut));
      size_t i = 0;
      while (i < place.size() && ++place[i] > rank)
        place[i++] = 0;
      if (i == place.size())
        return;
    }
  }

  /// The dims that can be transformed here. The halved dim goes first on the
  /// way to complex numbers, and last on the way back.
  uint32_t possible(const Node &node) const {
    uint32_t whole = 0;
    for (size_t d = 0; d < node.cut.size(); ++d)
      if (node.cut[d].empty())
        whole |= 1u << d;
    whole &= task.mask & ~node.done;
    if (task.ordered)
      return inOrder(whole, node.done);
    if (task.halved && task.forward && !(node.done & task.halved))
      return whole & task.halved ? whole : 0;
    if (task.halved && !task.forward && (whole | node.done) != task.mask)
      return whole & ~task.halved;
    return whole;
  }

  /// Those of them that no other dim must come before.
  uint32_t inOrder(uint32_t whole, uint32_t done) const {
    uint32_t now = 0;
    const auto dims = int(task.in.size());
    for (int i = 0; i < dims; ++i) {
      const uint32_t dim = 1u << (task.backward ? i : dims - 1 - i);
      if (!(task.mask & ~done & dim))
        continue;
      if (!(whole & dim))
        break;
      now |= dim;
    }
    return now;
  }

  /// Numbers that travel, and more if ranks are left without work.
  double volume(const Cut &from, const Cut &to, uint32_t done) const {
    double moved = 1, cells = task.isReal(done) ? 1 : 2, idle = 1, copies = 1;
    for (size_t d = 0; d < from.size(); ++d) {
      const int64_t extent = done >> d & 1 ? task.cellsOut[d] : task.cellsIn[d];
      cells *= double(extent);
      int64_t parts = 1;
      for (size_t i = 0; i < to[d].size(); ++i) {
        const int64_t count = task.ranks[size_t(to[d][i])];
        parts *= count;
        if (i >= from[d].size() || from[d][i] != to[d][i])
          moved *= double(count);
      }
      if (parts > extent)
        idle = 1000;
      for (int axis : from[d])
        if (!uses(to, axis)) // a gather
          copies *= double(task.ranks[size_t(axis)]);
    }
    return idle * cells * (copies - 1 / moved) + 1;
  }

  static bool uses(const Cut &cut, int axis) {
    return std::any_of(cut.begin(), cut.end(), [&](const auto &axes) {
      return std::find(axes.begin(), axes.end(), axis) != axes.end();
    });
  }

  std::vector<TransformStep> trace(const std::map<Node, Best> &best, Node node,
                                   uint32_t mask) const {
    std::vector<TransformStep> steps; // backwards
    for (;;) {
      if (mask)
        steps.push_back({mask, node.done, node.cut, node.cut});
      const Best &way = best.at(node);
      if (way.cost.transposes == 0)
        break;
      steps.push_back({0, node.done, way.before.cut, node.cut});
      mask = way.mask;
      node = way.before;
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  const TransformTask &task;
  std::vector<Cut> candidates;
};

} // namespace pmrt

#endif // PMRT_TRANSPOSES_H
