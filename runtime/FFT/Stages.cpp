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
