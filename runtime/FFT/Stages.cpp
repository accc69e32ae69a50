//===- Stages.cpp - A transform over ranks, step by step ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Stages.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace pmrt;

namespace {

/// The axes of every dim.
using Cut = std::vector<std::vector<int>>;

class Search {
public:
  /// `gather`: ranks may also hold copies, for which there may be no room.
  Search(const Mesh &mesh, const FftTask &task, bool gather)
      : mesh(mesh), task(task), rank(task.in.dims.size()) {
    for (size_t d = 0; d < rank; ++d) {
      start.push_back(task.in.dims[d].axes);
      goal.push_back(task.out.dims[d].axes);
      if (task.type != FftType::Complex && (task.mask >> d & 1))
        halved = 1u << d;
    }
    findCandidates(gather);
  }

  std::optional<std::vector<FftStage>> run() {
    // Dijkstra over (cut, what is transformed); few nodes.
    std::map<Node, Best> best;
    std::map<std::tuple<Cost, Node>, bool> open;
    const Node first{start, 0};
    best[first] = {{0, 0}, first, 0};
    open[{Cost{0, 0}, first}] = true;
    while (!open.empty()) {
      auto [cost, node] = open.begin()->first;
      open.erase(open.begin());
      if (best[node].cost != cost)
        continue;
      const uint32_t now = possible(node);
      const Node transformed{node.cut, node.done | now};
      if (transformed.done == task.mask && transformed.cut == goal)
        return trace(best, node, now);
      for (const Cut &cut : candidates) {
        if (cut == node.cut)
          continue;
        const Node next{cut, transformed.done};
        const Cost total{cost.transposes + 1,
                         cost.volume + volume(node.cut, cut, next.done)};
        auto it = best.find(next);
        if (it != best.end() && !(total < it->second.cost))
          continue;
        best[next] = {total, node, now};
        open[{total, next}] = true;
      }
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

  /// All ways to place the axes that input or output use. An axis lies nowhere
  /// only if that is so at one end, or there is no other way.
  void findCandidates(bool gather) {
    const uint32_t used = task.in.axes() | task.out.axes();
    std::vector<int> axes;
    for (int axis = 0; axis < int(mesh.axes().size()); ++axis)
      if (used >> axis & 1)
        axes.push_back(axis);
    candidates = {start, goal};
    std::vector<int> place(axes.size(), 0);
    for (;;) {
      Cut cut(rank);
      bool sane = true;
      for (size_t i = 0; i < axes.size(); ++i) {
        if (place[i] < int(rank))
          cut[size_t(place[i])].push_back(axes[i]);
        else
          sane = sane && (gather ||
                          !(task.in.axes() & task.out.axes() & 1u << axes[i]));
      }
      if (sane) {
        for (size_t d = 0; d < rank; ++d)
          for (const Cut *end : {&start, &goal})
            if (std::is_permutation(cut[d].begin(), cut[d].end(),
                                    (*end)[d].begin(), (*end)[d].end()))
              cut[d] = (*end)[d];
        if (std::find(candidates.begin(), candidates.end(), cut) ==
            candidates.end())
          candidates.push_back(std::move(cut));
      }
      size_t i = 0;
      while (i < place.size() && ++place[i] > int(rank))
        place[i++] = 0;
      if (i == place.size())
        return;
    }
  }

  /// The dims that can be transformed here. The halved dim goes first on the
  /// way to complex numbers, and last on the way back.
  uint32_t possible(const Node &node) const {
    uint32_t whole = 0;
    for (size_t d = 0; d < rank; ++d)
      if (node.cut[d].empty())
        whole |= 1u << d;
    whole &= task.mask & ~node.done;
    if (task.type == FftType::RealToComplex && !(node.done & halved))
      return whole & halved ? whole : 0;
    if (task.type == FftType::ComplexToReal && (whole | node.done) != task.mask)
      return whole & ~halved;
    return whole;
  }

  int64_t extent(size_t dim, uint32_t done) const {
    return done >> dim & 1 ? task.out.dims[dim].cells : task.in.dims[dim].cells;
  }

  /// Numbers that travel, and more if ranks are left without work.
  double volume(const Cut &from, const Cut &to, uint32_t done) const {
    double moved = 1, cells = isReal(done) ? 1 : 2, idle = 1, copies = 1;
    for (size_t d = 0; d < rank; ++d) {
      cells *= double(extent(d, done));
      int64_t parts = 1;
      for (size_t i = 0; i < to[d].size(); ++i) {
        const int64_t count = mesh.axes()[size_t(to[d][i])].extent;
        parts *= count;
        if (i >= from[d].size() || from[d][i] != to[d][i])
          moved *= double(count);
      }
      if (parts > extent(d, done))
        idle = 1000;
    }
    for (size_t d = 0; d < rank; ++d)
      for (size_t i = 0; i < from[d].size(); ++i)
        if (!uses(to, from[d][i])) // a gather
          copies *= double(mesh.axes()[size_t(from[d][i])].extent);
    return idle * cells * (copies - 1 / moved) + 1;
  }

  static bool uses(const Cut &cut, int axis) {
    return std::any_of(cut.begin(), cut.end(), [&](const auto &axes) {
      return std::find(axes.begin(), axes.end(), axis) != axes.end();
    });
  }

  bool isReal(uint32_t done) const {
    return task.type == FftType::RealToComplex   ? !(done & halved)
           : task.type == FftType::ComplexToReal ? (done & halved) != 0
                                                 : false;
  }

  Layout layout(const Cut &cut, uint32_t done) const {
    Layout result;
    for (size_t d = 0; d < rank; ++d) {
      Split split = done >> d & 1 ? task.out.dims[d] : task.in.dims[d];
      split.axes = cut[d];
      result.dims.push_back(std::move(split));
    }
    return result;
  }

  std::vector<FftStage> trace(const std::map<Node, Best> &best, Node node,
                              uint32_t last) const {
    std::vector<FftStage> stages; // backwards
    uint32_t mask = last;
    for (;;) {
      if (mask)
        stages.push_back({mask, layout(node.cut, node.done),
                          layout(node.cut, node.done | mask), isReal(node.done),
                          isReal(node.done | mask)});
      const Best &way = best.at(node);
      if (way.cost.transposes == 0)
        break;
      stages.push_back({0, layout(way.before.cut, node.done),
                        layout(node.cut, node.done), isReal(node.done),
                        isReal(node.done)});
      mask = way.mask;
      node = way.before;
    }
    std::reverse(stages.begin(), stages.end());
    return stages;
  }

  const Mesh &mesh;
  const FftTask &task;
  size_t rank;
  uint32_t halved = 0;
  Cut start, goal;
  std::vector<Cut> candidates;
};

} // namespace

std::optional<std::vector<FftStage>> pmrt::findStages(const Mesh &mesh,
                                                      const FftTask &task) {
  auto stages = Search(mesh, task, false).run();
  return stages ? stages : Search(mesh, task, true).run();
}

int64_t pmrt::fftBytes(const Mesh &mesh, const Layout &layout, bool real,
                       int64_t size) {
  return layout.box(mesh).cells() * size * (real ? 1 : 2);
}

FftPlaces pmrt::placeStages(const Mesh &mesh, const FftTask &task,
                            const std::vector<FftStage> &stages, bool inPlace,
                            int64_t size) {
  const bool realIn = task.type == FftType::RealToComplex;
  const bool realOut = task.type == FftType::ComplexToReal;
  const int64_t roomIn = fftBytes(mesh, task.in, realIn, size);
  const int64_t roomOut = fftBytes(mesh, task.out, realOut, size);
  // Transposes, and transforms between real and complex numbers, cannot stay
  // where they are.
  auto moves = [&](size_t i) {
    return stages[i].mask == 0 || stages[i].realFrom != stages[i].realTo;
  };
  FftPlaces places;
  places.after.assign(stages.size(), FftPlace::Out);
  for (size_t i = stages.size(); i-- > 1;) {
    // Where the data lies before step i, after step i - 1.
    const FftPlace target = places.after[i];
    const int64_t need =
        fftBytes(mesh, stages[i].from, stages[i].realFrom, size);
    auto good = [&](FftPlace place) {
      if (moves(i) && place == target)
        return false;
      const bool first = i == 1 && moves(0);
      if (place == FftPlace::In)
        return realOut && !first && need <= roomIn;
      if (place == FftPlace::Out)
        return need <= roomOut && !(first && inPlace);
      return true;
    };
    std::vector<FftPlace> order = {target, FftPlace::In, FftPlace::Out,
                                   FftPlace::WorkA, FftPlace::WorkB};
    places.after[i - 1] = *std::find_if(order.begin(), order.end(), good);
    if (places.after[i - 1] == FftPlace::WorkA)
      places.workA = std::max(places.workA, need);
    if (places.after[i - 1] == FftPlace::WorkB)
      places.workB = std::max(places.workB, need);
  }
  return places;
}
