//===- Plans.cpp - FFTW plans and wisdom ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Plans.h"

#include "runtime/Base/Format.h"
#include "runtime/Base/Hash.h"
#include "runtime/FFT/Library.h"
#include "runtime/FFT/Wisdom.h"

#include <cstdlib>
#include <mutex>
#include <type_traits>

using namespace pmrt;

//===----------------------------------------------------------------------===//
// Problems
//===----------------------------------------------------------------------===//

std::string FftProblem::key() const {
  std::string text = fmt::format("{} {} {} {} {}", int(kind), single, inPlace,
                                 alignmentIn, alignmentOut);
  for (const auto *list : {&dims, &batches}) {
    text += " |";
    for (const fftw_iodim64 &d : *list)
      text += fmt::format(" {}:{}:{}", d.n, d.is, d.os);
  }
  return text;
}

std::string FftProblem::describe() const {
  std::vector<int64_t> shape;
  for (const fftw_iodim64 &d : dims)
    shape.push_back(d.n);
  const bool real = kind == Kind::RealToComplex || kind == Kind::ComplexToReal;
  return fmt::format("{} {} {}", real ? "real" : "complex", shapeText(shape),
                     single ? "f32" : "f64");
}

FftProblem pmrt::fftProblem(const Context &context, pmrt_loc loc, bool forward,
                            uint32_t mask, const FftSide &in,
                            const FftSide &out) {
  const std::vector<int64_t> &from = in.shape, &to = out.shape;
  auto fail = [&](const char *what) {
    return context.failure(
        loc, fmt::format("internal error: FFT {} to {} {}, mask {}: {}",
                         elementName(pmrt_element(in.element)), shapeText(to),
                         elementName(pmrt_element(out.element)), mask, what));
  };
  if (from.size() != to.size())
    throw fail("ranks differ");
  if (mask == 0 || (mask >> from.size()) != 0)
    throw fail("no such dims");

  const auto a = pmrt_element(in.element), b = pmrt_element(out.element);
  FftProblem p;
  using Kind = FftProblem::Kind;
  p.single = a == PMRT_F32 || a == PMRT_C64;
  const pmrt_element real = p.single ? PMRT_F32 : PMRT_F64;
  const pmrt_element complex = p.single ? PMRT_C64 : PMRT_C128;
  if (a == real && b == complex && forward)
    p.kind = Kind::RealToComplex;
  else if (a == complex && b == real && !forward)
    p.kind = Kind::ComplexToReal;
  else if (a == complex && b == complex)
    p.kind = forward ? Kind::Forward : Kind::Backward;
  else
    throw fail("no such transform");

  // The transform of a real field halves the last transformed dim.
  int halved = -1;
  if (p.kind == Kind::RealToComplex || p.kind == Kind::ComplexToReal)
    for (size_t d = 0; d < from.size(); ++d)
      if (mask >> d & 1)
        halved = int(d);
  int64_t strideIn = 1, strideOut = 1;
  for (size_t d = from.size(); d-- > 0;) {
    const bool transformed = mask >> d & 1;
    const int64_t n = p.kind == Kind::ComplexToReal ? to[d] : from[d];
    const int64_t half = n / 2 + 1;
    const int64_t wantIn =
        int(d) == halved && p.kind == Kind::ComplexToReal ? half : n;
    const int64_t wantOut =
        int(d) == halved && p.kind == Kind::RealToComplex ? half : n;
    if (from[d] != wantIn || to[d] != wantOut)
      throw fail("extents do not fit");
    (transformed ? p.dims : p.batches).push_back({n, strideIn, strideOut});
    strideIn *= from[d];
    strideOut *= to[d];
  }
  // FFTW takes the last dim of a real transform as the halved one.
  std::reverse(p.dims.begin(), p.dims.end());
  std::reverse(p.batches.begin(), p.batches.end());
  p.bytesIn = strideIn * elementSize(a);
  p.bytesOut = strideOut * elementSize(b);
  p.inPlace = in.data == out.data;
  if (p.inPlace && a != b)
    throw fail("in place needs complex to complex");
  auto alignment = [&](void *data) {
    return p.single ? fftwf_alignment_of(static_cast<float *>(data))
                    : fftw_alignment_of(static_cast<double *>(data));
  };
  p.alignmentIn = alignment(in.data);
  p.alignmentOut = alignment(out.data);
  return p;
}

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

template <bool single>
static typename Fftw<single>::Plan callPlanner(const FftProblem &p, void *in,
                                               void *out, unsigned flags) {
  using Lib = Fftw<single>;
  using Real = typename Lib::Real;
  using Complex = typename Lib::Complex;
  const auto rank = int(p.dims.size()), batches = int(p.batches.size());
  const auto *dims = p.dims.data(), *loops = p.batches.data();
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
// FftPlans
//===----------------------------------------------------------------------===//

FftPlans::FftPlans(Context &context) : context(context) {}

FftPlans::~FftPlans() {
  std::lock_guard lock(planner);
  for (auto &[key, plan] : plans) {
    if (plan.single)
      Fftw<true>::destroy(static_cast<fftwf_plan>(plan.handle));
    else
      Fftw<false>::destroy(static_cast<fftw_plan>(plan.handle));
  }
}

FftPlans &FftPlans::of(Context &context) {
  if (!context.fft)
    context.fft = std::make_shared<FftPlans>(context);
  return *context.fft;
}

void FftPlans::loadWisdom(bool single) {
  if (std::exchange(loaded[single], true))
    return;
  std::vector<std::string> paths = {wisdomPath(single)};
  // What is known already is not replaced by what comes later.
  if (context.settings.resume)
    paths.insert(paths.begin(), checkpointWisdom(context, single));
  for (const std::string &path : paths)
    // A damaged file is as good as none; planning writes a new one.
    if (const std::string text = readWisdom(path); !text.empty()) {
      if (single)
        Fftw<true>::importWisdom(text.c_str());
      else
        Fftw<false>::importWisdom(text.c_str());
    }
}

template <bool single> static std::string currentWisdom() {
  char *text = Fftw<single>::exportWisdom();
  std::string copy = text ? text : "";
  std::free(text);
  return copy;
}

void FftPlans::saveWisdom(bool single) {
  const std::string path = wisdomPath(single);
  if (path.empty())
    return;
  WisdomLock lock(path);
  // Keep what another program has learned meanwhile.
  if (const std::string text = readWisdom(path); !text.empty()) {
    if (single)
      Fftw<true>::importWisdom(text.c_str());
    else
      Fftw<false>::importWisdom(text.c_str());
  }
  const std::string problem = writeWisdom(
      path, single ? currentWisdom<true>() : currentWisdom<false>());
  if (!problem.empty() && !std::exchange(complained, true))
    context.progress.announce(
        fmt::format("warning: FFT plans are not kept: {}", problem));
}

template <bool single>
FftPlans::Plan FftPlans::makeTyped(pmrt_loc loc, const FftProblem &problem,
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
            "planning FFTs, kept as wisdom for next time ...");
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

FftPlans::Plan FftPlans::make(pmrt_loc loc, const FftProblem &problem, void *in,
                              void *out) {
  return problem.single ? makeTyped<true>(loc, problem, in, out)
                        : makeTyped<false>(loc, problem, in, out);
}

void FftPlans::plan(pmrt_loc loc, const FftProblem &problem, void *in,
                    void *out) {
  if (context.device)
    return context.device->planFft(problem);
  const std::string key = problem.key();
  if (!plans.contains(key))
    plans.emplace(key, make(loc, problem, in, out));
}

void FftPlans::shareWisdom(const FftProblem *problem, bool leads, int leader) {
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
  if (single)
    Fftw<true>::importWisdom(text.c_str());
  else
    Fftw<false>::importWisdom(text.c_str());
}

void FftPlans::planTogether(pmrt_loc loc, const FftProblem *problem, void *in,
                            void *out) {
  const bool measures = context.settings.plan != PlanRigor::Estimate;
  if (context.alone() || !measures || context.device) {
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

FftPlans::Route &FftPlans::route(pmrt_loc loc, const FftTask &task,
                                 const FftRooms &rooms, int64_t size) {
  // All ranks must find it, or none, as what follows is a collective: so it is
  // not the bytes that tell arrays apart, which may be equal on some ranks.
  std::string key = fmt::format("{} {} {} {} {}", int(task.type), task.mask,
                                rooms.inPlace, rooms.kinds, size);
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
  Route found;
  found.places = placeStages(context.mesh, task, *stages, rooms, size);
  found.stages = std::move(*stages);
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
  task.in = layout(transform.in);
  task.out = layout(transform.out);
  size = transform.from == PMRT_F32 || transform.from == PMRT_C64 ? 4 : 8;
  return task;
}

void pmrt::makeRoomForTransforms(Context &context) {
  if (context.alone())
    return;
  for (const Transform &transform : context.program.transforms) {
    int64_t size = 0;
    const FftTask task = taskOf(context, transform, size);
    const auto stages = findStages(context.mesh, task);
    if (!stages)
      continue; // reserveTransforms says so
    const bool back = task.type == FftType::ComplexToReal;
    context.makeRoom(back ? transform.from : transform.to,
                     back ? transform.in : transform.out,
                     fftRoom(context.mesh, task, *stages, size));
  }
}

void pmrt::reserveTransforms(Context &context) {
  if (context.alone())
    return;
  for (const Transform &transform : context.program.transforms) {
    int64_t size = 0;
    const FftTask task = taskOf(context, transform, size);
    const FftRooms rooms = {
        context.bytesOf(transform.from, transform.in),
        context.bytesOf(transform.to, transform.out), transform.inPlace,
        Context::kindText(true, transform.from, transform.in) +
            Context::kindText(true, transform.to, transform.out)};
    FftPlans::of(context).route(-1, task, rooms, size);
  }
}

void FftPlans::execute(pmrt_loc loc, const FftProblem &problem, void *in,
                       void *out) {
  if (context.device)
    return context.device->fft(problem, in, out);
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

std::string FftPlans::hash() const {
  std::string all;
  for (const auto &[key, plan] : plans)
    all += key + "\n" + plan.text + "\n";
  return hashOf(all).text();
}

const char *pmrt::rigorText(PlanRigor rigor) {
  return rigor == PlanRigor::Estimate  ? "estimate"
         : rigor == PlanRigor::Measure ? "measure"
                                       : "patient";
}

std::string pmrt::describePlans(Context &context) {
  // Of several ranks, all have the object, or none: see reserveTransforms.
  if (!context.fft || context.device)
    return "none";
  const Digest mine = hashOf(context.fft->hash());
  Hash all;
  for (const uint64_t word : mine.words)
    for (const int64_t theirs : context.world.gather(int64_t(word)))
      all.add(&theirs, sizeof theirs);
  return fmt::format("--plan {} --threads {}, plans {}",
                     rigorText(context.settings.plan), context.threads.count(),
                     all.value().text());
}

std::string pmrt::checkpointWisdom(const Context &context, bool single) {
  return fmt::format("{}/{}.{}.wisdom", context.settings.checkpoint,
                     context.program.name, single ? "f32" : "f64");
}

std::string FftPlans::knowledge(bool single) {
  std::lock_guard lock(planner);
  return single ? currentWisdom<true>() : currentWisdom<false>();
}

std::string FftPlans::wisdomFile(bool single) { return wisdomPath(single); }
