//===- Routes.h - Transforms over ranks -------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_ROUTES_H
#define PMRT_FFT_ROUTES_H

#include "runtime/Core/Context.h"
#include "runtime/FFT/Stages.h"

#include <map>
#include <string>
#include <vector>

namespace pmrt {

/// Lets the descriptor's transforms do with less workspace, by a little more
/// capacity in their complex arrays. Before the memory plan is made.
void reserveForTransforms(Context &context);

/// The workspace of the descriptor's transforms, before anything runs. Throws
/// on all ranks if it does not fit into memory.
void reserveTransforms(Context &context);

/// Makes the plans of the descriptor's transforms on a GPU, so that the size of
/// their workspace is known. On the host, plans are made later, because they
/// are measured with the arrays.
void planTransforms(Context &context);

/// Pieces of a transform that overlaps with the messages of a transpose.
constexpr int64_t overlappedPieces = 2;

/// The steps of a transform over ranks.
struct FftRoute {
  std::vector<FftStage> stages;
  FftPlaces places;
  /// For each stage, whether it overlaps with the next one. One of them is a
  /// transform and the other a transpose. All ranks have the same values. No
  /// stage is in two pairs.
  std::vector<bool> pairs;
  bool planned = false; ///< there is a plan for every step

  int64_t piecesOf(size_t stage) const {
    return pairs[stage] || (stage > 0 && pairs[stage - 1]) ? overlappedPieces
                                                           : 1;
  }
};

/// The ways of a context's transforms, each found once, and their workspace: of
/// all transforms, one runs at a time.
class FftRoutes {
public:
  explicit FftRoutes(Context &context) : context(context) {}
  FftRoutes(const FftRoutes &) = delete;
  FftRoutes &operator=(const FftRoutes &) = delete;

  /// The context's, made if need be.
  static FftRoutes &of(Context &context);

  /// The first call for a task is a collective. Throws an internal error if
  /// there is no way. `size`: bytes of a real.
  FftRoute &find(pmrt_loc loc, const FftTask &task,
                 const FftCapacities &capacities, int64_t size);
  void *workA() const { return workspace[0].data(); }
  void *workB() const { return workspace[1].data(); }
  int64_t workBytes() const {
    return workspace[0].size() + workspace[1].size();
  }

  /// The route of a transform of the descriptor.
  FftRoute &find(const Transform &transform);

private:
  Context &context;
  std::map<std::string, FftRoute> routes;
  Pages workspace[2];
};

} // namespace pmrt

#endif // PMRT_FFT_ROUTES_H
