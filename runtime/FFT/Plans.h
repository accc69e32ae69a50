//===- Plans.h - FFTW plans and wisdom --------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_PLANS_H
#define PMRT_FFT_PLANS_H

#include "pmrt/pmrt.h"
#include "runtime/Core/Context.h"
#include "runtime/FFT/Stages.h"

#include <algorithm>
#include <fftw3.h>
#include <map>
#include <string>
#include <vector>

namespace pmrt {

/// What a plan depends on, besides threads and rigor (those of the context).
struct FftProblem {
  enum class Kind { RealToComplex, ComplexToReal, Forward, Backward };
  Kind kind = Kind::Forward;
  bool single = false;
  bool inPlace = false;
  int alignmentIn = 0, alignmentOut = 0;
  std::vector<fftw_iodim64> dims;    ///< transformed, logical extents
  std::vector<fftw_iodim64> batches; ///< not transformed
  int64_t bytesIn = 0, bytesOut = 0;

  /// Everything above as text: the key of the plan cache.
  std::string key() const;
  /// "real 128x128x128 f32".
  std::string describe() const;
};

/// One side of a transform: what a rank holds of an array.
struct FftSide {
  pmrt_element element = PMRT_F32;
  std::vector<int64_t> shape;
  void *data = nullptr;

  bool empty() const {
    return std::find(shape.begin(), shape.end(), 0) != shape.end();
  }
};

/// Checks shapes and elements, throws an internal error at `loc` if they do not
/// fit a transform.
FftProblem fftProblem(const Context &context, pmrt_loc loc, bool forward,
                      uint32_t mask, const FftSide &in, const FftSide &out);

/// Lets the descriptor's transforms do with less workspace, by a little more
/// room in their complex arrays. Before the memory plan is made.
void makeRoomForTransforms(Context &context);

/// The workspace of the descriptor's transforms, before anything runs. Throws
/// on all ranks if it does not fit into memory.
void reserveTransforms(Context &context);

/// "estimate", "measure" or "patient".
const char *rigorText(PlanRigor rigor);

/// What the last bits of this run's transforms depend on: how they were
/// planned, and a hash of the plans made so far, of all ranks. "none" without
/// any. A collective.
std::string describePlans(Context &context);

/// Where a run with --checkpoint keeps what FFTW knew, so that the one that
/// goes on from there makes the same plans.
std::string checkpointWisdom(const Context &context, bool single);

/// The plans of a context. Plans are measured once per machine and kept as
/// FFTW wisdom in $XDG_CACHE_HOME/pmc or ~/.cache/pmc.
class FftPlans {
public:
  explicit FftPlans(Context &context);
  ~FftPlans();
  FftPlans(const FftPlans &) = delete;
  FftPlans &operator=(const FftPlans &) = delete;

  /// The context's, made if need be.
  static FftPlans &of(Context &context);

  /// Makes the plan. Overwrites `in` and `out`; if they are null, measures on
  /// temporary memory instead.
  void plan(pmrt_loc loc, const FftProblem &problem, void *in, void *out);
  /// The same on all ranks at once, of which some may have nothing to do
  /// (null): ranks with the same problem get the same plan.
  void planTogether(pmrt_loc loc, const FftProblem *problem, void *in,
                    void *out);
  /// Transforms; plans on temporary memory if `plan` was not called.
  void execute(pmrt_loc loc, const FftProblem &problem, void *in, void *out);

  /// The steps of a transform over ranks, and its workspace, found once.
  struct Route {
    std::vector<FftStage> stages;
    FftPlaces places;
    bool planned = false; ///< there is a plan for every step
  };
  /// The first call for a task is a collective. Throws an internal error if
  /// there is no way. `size`: bytes of a real.
  Route &route(pmrt_loc loc, const FftTask &task, const FftRooms &rooms,
               int64_t size);
  /// The workspace of all transforms over ranks, of which one runs at a time.
  void *workA() const { return workspace[0].data(); }
  void *workB() const { return workspace[1].data(); }
  int64_t workBytes() const {
    return workspace[0].size() + workspace[1].size();
  }

  /// Hash of the plans of this run: equal hashes, equal FFT arithmetic.
  std::string hash() const;
  /// All that FFTW knows in this process.
  static std::string knowledge(bool single);
  /// Where wisdom is kept for a precision; empty if there is no cache folder.
  static std::string wisdomFile(bool single);

private:
  struct Plan {
    void *handle = nullptr;
    bool single = false;
    std::string text;
  };

  Plan make(pmrt_loc loc, const FftProblem &problem, void *in, void *out);
  template <bool single>
  Plan makeTyped(pmrt_loc loc, const FftProblem &problem, void *in, void *out);
  void shareWisdom(const FftProblem *problem, bool leads, int leader);
  void loadWisdom(bool single);
  void saveWisdom(bool single);

  Context &context;
  bool loaded[2] = {false, false};
  bool announced = false;
  bool complained = false;
  std::map<std::string, Plan> plans;
  std::map<std::string, Route> routes;
  Pages workspace[2];
};

} // namespace pmrt

#endif // PMRT_FFT_PLANS_H
