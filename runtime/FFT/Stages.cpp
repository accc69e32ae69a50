//===- Stages.cpp - A transform over ranks, step by step ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Stages.h"

#include "pmrt/transposes.h"

#include <algorithm>

using namespace pmrt;

static TransformTask describe(const Mesh &mesh, const FftTask &task) {
  TransformTask made;
  made.mask = task.mask;
  made.forward = task.type != FftType::ComplexToReal;
  for (size_t d = 0; d < task.in.dims.size(); ++d) {
    if (task.type != FftType::Complex && (task.mask >> d & 1))
      made.halved = 1u << d;
    made.in.push_back(task.in.dims[d].axes);
    made.out.push_back(task.out.dims[d].axes);
    made.cellsIn.push_back(task.in.dims[d].cells);
    made.cellsOut.push_back(task.out.dims[d].cells);
  }
  for (const Axis &axis : mesh.axes())
    made.ranks.push_back(axis.extent);
  made.ordered = task.ordered;
  made.backward = task.backward;
  return made;
}

std::optional<std::vector<FftStage>> pmrt::findStages(const Mesh &mesh,
                                                      const FftTask &task) {
  const TransformTask search = describe(mesh, task);
  auto steps = TransposeSearch(search).run();
  if (!steps)
    return std::nullopt;
  auto layout = [&](const Cut &cut, uint32_t done) {
    Layout result;
    for (size_t d = 0; d < cut.size(); ++d) {
      Split split = done >> d & 1 ? task.out.dims[d] : task.in.dims[d];
      split.axes = cut[d];
      result.dims.push_back(std::move(split));
    }
    return result;
  };
  std::vector<FftStage> stages;
  for (const TransformStep &step : *steps) {
    const uint32_t done = step.done | step.mask;
    stages.push_back({step.mask, layout(step.from, step.done),
                      layout(step.to, done), search.isReal(step.done),
                      search.isReal(done)});
  }
  return stages;
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
              const std::vector<FftStage> &stages,
              const FftCapacities &capacities, int64_t size)
      : stages(stages), capacities(capacities),
        mayDestroy(capacities.inPlace || task.type == FftType::ComplexToReal) {
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
    return a == b || (capacities.inPlace && isArray(a) && isArray(b));
  }

  bool fits(size_t i, FftPlace place) const {
    switch (place) {
    case FftPlace::In:
      return mayDestroy && needs[i] <= capacities.in;
    case FftPlace::Out:
      return needs[i] <= capacities.out;
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
  FftCapacities capacities;
  bool mayDestroy;
  std::vector<int64_t> needs; ///< bytes after each step
  FftPlaces now, best;
  bool found = false;
  std::pair<int64_t, int> bestCost;
};

} // namespace

FftPlaces pmrt::placeStages(const Mesh &mesh, const FftTask &task,
                            const std::vector<FftStage> &stages,
                            const FftCapacities &capacities, int64_t size) {
  return PlaceSearch(mesh, task, stages, capacities, size).run();
}

int64_t pmrt::fftCapacity(const Mesh &mesh, const FftTask &task,
                          const std::vector<FftStage> &stages, int64_t size) {
  const Layout &end = task.type == FftType::ComplexToReal ? task.in : task.out;
  const int64_t own = fftBytes(mesh, end, false, size);
  int64_t most = own;
  for (const FftStage &stage : stages)
    if (!stage.realTo)
      most = std::max(most, fftBytes(mesh, stage.to, false, size));
  return most - own <= own / 16 ? most : own;
}
