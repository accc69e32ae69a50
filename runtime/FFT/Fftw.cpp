//===- Fftw.cpp - The host's transforms by FFTW --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Fftw.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/Base/Text/Hash.h"
#include "runtime/FFT/Library.h"
#include "runtime/FFT/Wisdom.h"

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <type_traits>

using namespace pmrt;

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

/// FFTW's planner is not re-entrant and its wisdom belongs to the process.
static std::mutex planner;

extern "C" {
/// Runs FFTW's jobs on the arena of the thread that planned or executes.
static void parallelLoop(void *(*work)(char *), char *jobs, size_t size,
                         int count, void *) {
  Threads::spread(count, [=](int job) { work(jobs + size_t(job) * size); });
}
}

template <bool single> static void initLibrary() {
  static std::once_flag once;
  std::call_once(once, [] {
    Fftw<single>::initThreads();
    Fftw<single>::setCallback(parallelLoop, nullptr);
  });
}

/// FFTW knows solvers with threads only if it is told before anything else. One
/// without takes no wisdom of one with them, and what it writes is of no use to
/// the others: so also a rank that begins with what another has found.
static void importWisdom(bool single, const std::string &text) {
  if (single) {
    initLibrary<true>();
    Fftw<true>::importWisdom(text.c_str());
  } else {
    initLibrary<false>();
    Fftw<false>::importWisdom(text.c_str());
  }
}

static std::vector<fftw_iodim64> dimsOf(const std::vector<FftDim> &dims) {
  std::vector<fftw_iodim64> made;
  for (const FftDim &dim : dims)
    made.push_back({dim.n, dim.is, dim.os});
  return made;
}

template <bool single>
static typename Fftw<single>::Plan callPlanner(const FftProblem &p, void *in,
                                               void *out, unsigned flags) {
  using Lib = Fftw<single>;
  using Real = typename Lib::Real;
  using Complex = typename Lib::Complex;
  const auto rank = int(p.dims.size()), batches = int(p.batches.size());
  const std::vector<fftw_iodim64> transformed = dimsOf(p.dims),
                                  repeated = dimsOf(p.batches);
  const auto *dims = transformed.data(), *loops = repeated.data();
  switch (p.kind) {
  case FftProblem::Kind::RealToComplex:
    return Lib::planR2C(rank, dims, batches, loops, static_cast<Real *>(in),
                        static_cast<Complex *>(out), flags);
  case FftProblem::Kind::ComplexToReal:
    return Lib::planC2R(rank, dims, batches, loops, static_cast<Complex *>(in),
                        static_cast<Real *>(out), flags | FFTW_DESTROY_INPUT);
  case FftProblem::Kind::Forward:
  case FftProblem::Kind::Backward:
    return Lib::planC2C(rank, dims, batches, loops, static_cast<Complex *>(in),
                        static_cast<Complex *>(out),
                        p.kind == FftProblem::Kind::Forward ? FFTW_FORWARD
                                                            : FFTW_BACKWARD,
                        flags);
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// FftwPlans
//===----------------------------------------------------------------------===//

FftwPlans::~FftwPlans() {
  std::lock_guard lock(planner);
  for (auto &[key, plan] : plans) {
    if (plan.single)
      Fftw<true>::destroy(static_cast<fftwf_plan>(plan.handle));
    else
      Fftw<false>::destroy(static_cast<fftw_plan>(plan.handle));
  }
}

void FftwPlans::loadWisdom(bool single) {
  if (std::exchange(loaded[single], true))
    return;
  std::vector<std::string> paths = {wisdomPath(single)};
  // What is known already is not replaced by what comes later.
  if (context.settings.resume)
    paths.insert(paths.begin(), keptPlansPath(context, single));
  for (const std::string &path : paths)
    // A damaged file is as good as none; planning writes a new one.
    if (const std::string text = readWisdom(path); !text.empty())
      importWisdom(single, text);
}

template <bool single> static std::string currentWisdom() {
  initLibrary<single>();
  char *text = Fftw<single>::exportWisdom();
  std::string copy = text ? text : "";
  std::free(text);
  return copy;
}

void FftwPlans::saveWisdom(bool single) {
  const std::string path = wisdomPath(single);
  if (path.empty())
    return;
  WisdomLock lock(path);
  // Keep what another program has learned meanwhile.
  if (const std::string text = readWisdom(path); !text.empty())
    importWisdom(single, text);
  const std::string problem = writeWisdom(
      path, single ? currentWisdom<true>() : currentWisdom<false>());
  if (!problem.empty() && !std::exchange(complained, true))
    context.progress.warn(fmt::format(
        "warning: [PM9209] FFT plans cannot be saved: {}", problem));
}

template <bool single>
FftwPlans::Plan FftwPlans::makeTyped(pmrt_loc loc, const FftProblem &problem,
                                     void *in, void *out) {
  using Lib = Fftw<single>;
  std::lock_guard lock(planner);
  initLibrary<single>();
  Lib::planWithThreads(context.threads.count());

  unsigned flags = 0;
  switch (context.settings.plan) {
  case PlanRigor::Estimate:
    flags = FFTW_ESTIMATE;
    break;
  case PlanRigor::Measure:
    flags = FFTW_MEASURE;
    break;
  case PlanRigor::Patient:
    flags = FFTW_PATIENT;
    break;
  case PlanRigor::Fixed:
    throw context.failure(loc, "internal error: a fixed plan of an array");
  }
  const bool measures = context.settings.plan != PlanRigor::Estimate;
  if (measures)
    loadWisdom(single);

  // A plan is for an alignment only; estimated and known plans touch no data.
  Pages scratchIn, scratchOut;
  bool known = !measures;
  typename Lib::Plan plan = nullptr;
  context.threads.run([&] {
    if (!in) {
      scratchIn = Pages(problem.bytesIn + 64);
      in = scratchIn.data() + problem.alignmentIn;
      if (problem.inPlace) {
        out = in;
      } else {
        scratchOut = Pages(problem.bytesOut + 64);
        out = scratchOut.data() + problem.alignmentOut;
      }
    }
    if (measures) {
      plan = callPlanner<single>(problem, in, out, flags | FFTW_WISDOM_ONLY);
      known = plan != nullptr;
    }
    if (!plan) {
      if (measures && problem.bytesIn > (1 << 20) &&
          !std::exchange(announced, true))
        context.progress.announce(
            "planning FFTs; the plans are saved for later runs ...");
      const Waiting waiting(context.progress,
                            "planning FFTs: " + problem.describe());
      plan = callPlanner<single>(problem, in, out, flags);
    }
  });
  if (!plan)
    throw context.failure(loc,
                          fmt::format("FFTW has no plan for the transform {}",
                                      problem.describe()));
  if (!known)
    saveWisdom(single);

  Plan result;
  result.handle = plan;
  result.single = single;
  char *text = Lib::print(plan);
  result.text = text ? text : "";
  std::free(text);
  return result;
}

FftwPlans::Plan FftwPlans::make(pmrt_loc loc, const FftProblem &problem,
                                void *in, void *out) {
  return problem.single ? makeTyped<true>(loc, problem, in, out)
                        : makeTyped<false>(loc, problem, in, out);
}

void FftwPlans::plan(pmrt_loc loc, const FftProblem &problem, void *in,
                     void *out) {
  const std::string key = problem.key();
  if (!plans.contains(key))
    plans.emplace(key, make(loc, problem, in, out));
}

void FftwPlans::shareWisdom(const FftProblem *problem, bool leads, int leader) {
  std::string text;
  int64_t single = problem && problem->single;
  if (leads) {
    std::lock_guard lock(planner);
    text = single ? currentWisdom<true>() : currentWisdom<false>();
  }
  context.world.broadcast(&single, sizeof single, leader);
  text = context.world.broadcast(text, leader);
  if (leads)
    return;
  std::lock_guard lock(planner);
  importWisdom(single, text);
}

void FftwPlans::planTogether(pmrt_loc loc, const FftProblem *problem, void *in,
                             void *out) {
  const bool measures = context.settings.plan != PlanRigor::Estimate;
  if (context.alone() || !measures) {
    if (problem)
      plan(loc, *problem, in, out);
    return;
  }
  // The first rank of those with the same problem measures; the others, whose
  // clocks might choose otherwise, get its wisdom.
  int64_t hash = 0;
  if (problem && !plans.contains(problem->key()))
    hash = std::max<int64_t>(1, int64_t(hashOf(problem->key()).words[0] >> 1));
  const std::vector<int64_t> hashes = context.world.gather(hash);
  std::vector<int> leaders;
  for (size_t r = 0; r < hashes.size(); ++r)
    if (hashes[r] != 0 &&
        size_t(std::find(hashes.begin(), hashes.end(), hashes[r]) -
               hashes.begin()) == r)
      leaders.push_back(int(r));
  auto leads = [&](int leader) { return leader == context.transport->rank(); };
  if (std::any_of(leaders.begin(), leaders.end(), leads))
    plan(loc, *problem, in, out);
  for (int leader : leaders)
    shareWisdom(problem, leads(leader), leader);
  if (problem)
    plan(loc, *problem, in, out);
}

void FftwPlans::run(pmrt_loc loc, const FftProblem &problem, void *in,
                    void *out) {
  plan(loc, problem, nullptr, nullptr);
  void *handle = plans.find(problem.key())->second.handle;
  auto typed = [&]<bool single>(std::bool_constant<single>) {
    using Lib = Fftw<single>;
    using Real = typename Lib::Real;
    using Complex = typename Lib::Complex;
    auto *plan = static_cast<typename Lib::Plan>(handle);
    switch (problem.kind) {
    case FftProblem::Kind::RealToComplex:
      return Lib::runR2C(plan, static_cast<Real *>(in),
                         static_cast<Complex *>(out));
    case FftProblem::Kind::ComplexToReal:
      return Lib::runC2R(plan, static_cast<Complex *>(in),
                         static_cast<Real *>(out));
    case FftProblem::Kind::Forward:
    case FftProblem::Kind::Backward:
      return Lib::runC2C(plan, static_cast<Complex *>(in),
                         static_cast<Complex *>(out));
    }
  };
  context.threads.run([&] {
    if (problem.single)
      typed(std::true_type());
    else
      typed(std::false_type());
  });
}

std::string FftwPlans::hash() const {
  if (plans.empty())
    return "";
  std::string all;
  for (const auto &[key, plan] : plans)
    all += key + "\n" + plan.text + "\n";
  return hashOf(all).text();
}

std::string FftwPlans::method() const {
  return fmt::format("--plan {} --threads {}", rigorText(context.settings.plan),
                     context.threads.count());
}

std::string FftwPlans::knowledge(bool single) const {
  std::lock_guard lock(planner);
  return single ? currentWisdom<true>() : currentWisdom<false>();
}

std::string FftwPlans::forecast(bool single) const {
  const std::string path = wisdomPath(single);
  const bool there = !path.empty() && std::filesystem::exists(path);
  return fmt::format("{}, {} {}", rigorText(context.settings.plan),
                     there ? "wisdom in" : "no wisdom yet in",
                     path.empty() ? "(no cache folder)" : path);
}

/// The planner registers its solvers, and knows what it has measured before.
template <bool single> static void usePlanner() {
  initLibrary<single>();
  using Lib = Fftw<single>;
  if (const std::string text = readWisdom(wisdomPath(single)); !text.empty())
    Lib::importWisdom(text.c_str());
  std::vector<double> real(1024), complex(1024);
  const fftw_iodim64 dims[] = {{8, 64, 40}, {8, 8, 5}, {8, 1, 1}};
  auto *a = reinterpret_cast<typename Lib::Real *>(real.data());
  auto *b = reinterpret_cast<typename Lib::Complex *>(complex.data());
  if (auto plan = Lib::planR2C(3, dims, 0, nullptr, a, b, FFTW_ESTIMATE)) {
    Lib::runR2C(plan, a, b);
    Lib::destroy(plan);
  }
}

void FftwPlans::warmUp(bool single) {
  std::lock_guard lock(planner);
  if (single)
    usePlanner<true>();
  else
    usePlanner<false>();
}
