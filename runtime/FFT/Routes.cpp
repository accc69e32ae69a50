//===- Routes.cpp - Transforms over ranks ---------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Routes.h"

#include "runtime/Base/Text/Format.h"

using namespace pmrt;

/// The smallest number of cells of all ranks for which stages overlap. For
/// fewer cells, starting twice as many messages takes longer than the overlap
/// saves.
static constexpr int64_t fewestToOverlap = int64_t(1) << 15;

/// Whether stages i and i + 1 can overlap. Messages must have a stream of their
/// own. The transform must not be along the first dim, whose cells are divided
/// into pieces.
static bool overlaps(const Context &context,
                     const std::vector<FftStage> &stages, size_t i) {
  if (!context.gpu() || context.settings.plan == PlanRigor::Fixed ||
      context.transport->deviceMessages(*context.gpu()) !=
          DeviceMessages::Packed)
    return false;
  const FftStage &first = stages[i], &second = stages[i + 1];
  if ((first.mask == 0) == (second.mask == 0))
    return false;
  int64_t cells = 1;
  for (const int64_t extent : first.from.cells())
    cells *= extent;
  const FftStage &transform = first.mask ? first : second;
  return (transform.mask & 1) == 0 && cells >= fewestToOverlap;
}

/// The pairs of a route. A collective if two stages can overlap.
static std::vector<bool> findPairs(Context &context, const FftRoute &route,
                                   bool inPlace) {
  std::vector<bool> pairs(route.stages.size());
  const auto isArray = [](FftPlace place) {
    return place == FftPlace::In || place == FftPlace::Out;
  };
  for (size_t i = 0; i + 1 < pairs.size(); ++i) {
    if ((i > 0 && pairs[i - 1]) || !overlaps(context, route.stages, i))
      continue;
    // A piece must not overwrite the source of later pieces. Places may differ
    // between ranks.
    const FftPlace from = i == 0 ? FftPlace::In : route.places.after[i - 1],
                   to = route.places.after[i + 1];
    int64_t isSame =
        from == to || (inPlace && isArray(from) && isArray(to)) ? 1 : 0;
    context.world.reduce(PMRT_MAX, 1, &isSame);
    pairs[i] = isSame == 0;
  }
  return pairs;
}

FftRoutes &FftRoutes::of(Context &context) {
  if (!context.routes)
    context.routes = std::make_shared<FftRoutes>(context);
  return *context.routes;
}

FftRoute &FftRoutes::find(pmrt_loc loc, const FftTask &task,
                          const FftCapacities &capacities, int64_t size) {
  // All ranks must find it, or none, as what follows is a collective: so it is
  // not the bytes that tell arrays apart, which may be equal on some ranks.
  std::string key = fmt::format("{} {} {} {} {} {}", int(task.type), task.mask,
                                capacities.inPlace, capacities.kinds, size,
                                task.ordered && task.backward);
  for (const Layout *layout : {&task.in, &task.out})
    for (const Split &dim : layout->dims)
      key += fmt::format(" | {} {} {}", dim.cells, dim.grain,
                         fmt::join(dim.axes, ","));
  if (auto it = routes.find(key); it != routes.end())
    return it->second;
  auto stages = findStages(context.mesh, task);
  if (!stages)
    throw context.failure(loc,
                          fmt::format("internal error: no transposes lead "
                                      "from {} to {} for the dims {:#x}",
                                      shapeText(task.in.cells()),
                                      shapeText(task.out.cells()), task.mask));
  FftRoute found;
  found.places = placeStages(context.mesh, task, *stages, capacities, size);
  found.stages = std::move(*stages);
  found.pairs = findPairs(context, found, capacities.inPlace);
  // Uneven shards need uneven workspaces, on some ranks perhaps none.
  const int64_t need[] = {found.places.workA, found.places.workB};
  int64_t grows[] = {need[0] > workspace[0].size(),
                     need[1] > workspace[1].size()};
  context.world.reduce(PMRT_MAX, 2, grows);
  for (int i = 0; i < 2; ++i)
    if (grows[i]) {
      const int64_t bytes = std::max(need[i], workspace[i].size());
      context.giveBack(std::move(workspace[i]));
      workspace[i] = context.borrow(loc, bytes, "an FFT over ranks");
    }
  return routes.emplace(key, std::move(found)).first->second;
}

/// A transform of the descriptor; `size`: bytes of a real.
static FftTask taskOf(const Context &context, const Transform &transform,
                      int64_t &size) {
  auto layout = [&](const std::vector<int32_t> &dims) {
    Layout result;
    for (int32_t dim : dims)
      result.dims.push_back(
          splitOf(context.mesh, context.program.dims[size_t(dim)]));
    return result;
  };
  FftTask task;
  task.type = !isComplex(transform.from) ? FftType::RealToComplex
              : !isComplex(transform.to) ? FftType::ComplexToReal
                                         : FftType::Complex;
  task.mask = transform.mask;
  task.ordered = context.settings.plan == PlanRigor::Fixed;
  task.backward = transform.backward;
  task.in = layout(transform.in);
  task.out = layout(transform.out);
  size = transform.from == PMRT_F32 || transform.from == PMRT_C64 ? 4 : 8;
  return task;
}

FftRoute &FftRoutes::find(const Transform &transform) {
  int64_t size = 0;
  const FftTask task = taskOf(context, transform, size);
  const FftCapacities capacities = {
      context.bytesOf(transform.from, transform.in),
      context.bytesOf(transform.to, transform.out), transform.inPlace,
      Context::kindText(true, transform.from, transform.in) +
          Context::kindText(true, transform.to, transform.out)};
  return find(-1, task, capacities, size);
}

void pmrt::reserveForTransforms(Context &context) {
  if (context.alone())
    return;
  for (const Transform &transform : context.program.transforms) {
    int64_t size = 0;
    const FftTask task = taskOf(context, transform, size);
    const auto stages = findStages(context.mesh, task);
    if (!stages)
      continue; // reserveTransforms says so
    const bool back = task.type == FftType::ComplexToReal;
    context.reserve(back ? transform.from : transform.to,
                    back ? transform.in : transform.out,
                    fftCapacity(context.mesh, task, *stages, size));
  }
}

void pmrt::reserveTransforms(Context &context) {
  if (context.alone())
    return;
  for (const Transform &transform : context.program.transforms)
    (void)FftRoutes::of(context).find(transform);
}
