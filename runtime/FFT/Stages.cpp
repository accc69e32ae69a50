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
      for (int axis : from[d])
        if (!uses(to, axis)) // a gather
          copies *= double(mesh.axes()[size_t(axis)].extent);
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

namespace {

/// Looks at all ways to place the data between the steps; there are few steps.
class PlaceSearch {
public:
  PlaceSearch(const Mesh &mesh, const FftTask &task,
              const std::vector<FftStage> &stages, const FftRooms &rooms,
              int64_t size)
      : stages(stages), rooms(rooms),
        mayDestroy(rooms.inPlace || task.type == FftType::ComplexToReal) {
    for (const FftStage &stage : stages)
      needs.push_back(fftBytes(mesh, stage.to, stage.realTo, size));
  }

  FftPlaces run() {
    now.after.assign(stages.size(), FftPlace::Out);
    step(0, FftPlace::In, 0);
    return best;
  }

private:
  bool same(FftPlace a, FftPlace b) const {
    auto isArray = [](FftPlace place) {
      return place == FftPlace::In || place == FftPlace::Out;
    };
    return a == b || (rooms.inPlace && isArray(a) && isArray(b));
  }

  bool fits(size_t i, FftPlace place) const {
    switch (place) {
    case FftPlace::In:
      return mayDestroy && needs[i] <= rooms.in;
    case FftPlace::Out:
      return needs[i] <= rooms.out;
    case FftPlace::WorkA:
    case FftPlace::WorkB:
      return true;
    }
    return false;
  }

  /// `strays`: transforms so far that could stay where they are, but do not.
  /// Those cost twice the memory traffic, and FFTW has slower plans for them.
  void step(size_t i, FftPlace from, int strays) {
    const auto cost = std::pair(now.workA + now.workB, strays);
    if (found && cost >= bestCost)
      return;
    if (i == stages.size()) {
      found = true;
      best = now;
      bestCost = cost;
      return;
    }
    // Transposes, and transforms between real and complex numbers, cannot stay
    // where they are.
    const FftStage &stage = stages[i];
    const bool moves = stage.mask == 0 || stage.realFrom != stage.realTo;
    const bool last = i + 1 == stages.size();
    for (FftPlace place :
         {FftPlace::Out, FftPlace::In, FftPlace::WorkA, FftPlace::WorkB}) {
      if (last ? place != FftPlace::Out : !fits(i, place))
        continue;
      const bool stays = same(from, place);
      if (stays && moves)
        continue;
      const auto workA = now.workA, workB = now.workB;
      if (place == FftPlace::WorkA)
        now.workA = std::max(workA, needs[i]);
      if (place == FftPlace::WorkB)
        now.workB = std::max(workB, needs[i]);
      now.after[i] = place;
      step(i + 1, place, strays + (!stays && !moves));
      now.workA = workA;
      now.workB = workB;
    }
  }

  const std::vector<FftStage> &stages;
  FftRooms rooms;
  bool mayDestroy;
  std::vector<int64_t> needs; ///< bytes after each step
  FftPlaces now, best;
  bool found = false;
  std::pair<int64_t, int> bestCost;
};

} // namespace

FftPlaces pmrt::placeStages(const Mesh &mesh, const FftTask &task,
                            const std::vector<FftStage> &stages,
                            const FftRooms &rooms, int64_t size) {
  return PlaceSearch(mesh, task, stages, rooms, size).run();
}

int64_t pmrt::fftRoom(const Mesh &mesh, const FftTask &task,
                      const std::vector<FftStage> &stages, int64_t size) {
  const Layout &end = task.type == FftType::ComplexToReal ? task.in : task.out;
  const int64_t own = fftBytes(mesh, end, false, size);
  int64_t most = own;
  for (const FftStage &stage : stages)
    if (!stage.realTo)
      most = std::max(most, fftBytes(mesh, stage.to, false, size));
  return most - own <= own / 16 ? most : own;
}
