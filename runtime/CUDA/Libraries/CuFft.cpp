//===- CuFft.cpp - Transforms by cuFFT ------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Libraries/CuFft.h"

#include "runtime/Base/Text/Format.h"

using namespace pmrt;
using namespace pmrt::cuda;

using Kind = FftProblem::Kind;

std::string CuFft::text(int error) {
  static constexpr const char *names[] = {
      "SUCCESS",       "INVALID_PLAN",   "ALLOC_FAILED",    "INVALID_TYPE",
      "INVALID_VALUE", "INTERNAL_ERROR", "EXEC_FAILED",     "SETUP_FAILED",
      "INVALID_SIZE",  "UNALIGNED_DATA", "INCOMPLETE_LIST", "INVALID_DEVICE",
      "PARSE_ERROR",   "NO_WORKSPACE",   "NOT_IMPLEMENTED", "LICENSE_ERROR",
      "NOT_SUPPORTED"};
  if (error < 0 || size_t(error) >= std::size(names))
    return fmt::format("error {}", error);
  return fmt::format("CUFFT_{} ({})", names[error], error);
}

const CuFft &pmrt::cuda::cufft() {
  static const auto loaded = load<CuFft>(
      {{{"libcufft.so.12", 13}, {"libcufft.so.11", 12}},
       "cuFFT was not found on this machine ({}); install it with the CUDA "
       "toolkit (package cuda-libraries, or pip install nvidia-cufft) and put "
       "its folder into LD_LIBRARY_PATH",
       "cuFFT has no function {}: version 11 or later is required"},
      driverVersion());
  return loaded;
}

//===----------------------------------------------------------------------===//
// What cuFFT can do at once
//===----------------------------------------------------------------------===//

std::string FftCall::key() const {
  std::string text = fmt::format("{} {}", int(kind), single);
  auto add = [&](const FftDim &d) {
    text += fmt::format(" {}:{}:{}", d.n, d.is, d.os);
  };
  add(batch);
  text += " |";
  for (const FftDim &d : dims)
    add(d);
  return text;
}

static bool isReal(Kind kind) {
  return kind == Kind::RealToComplex || kind == Kind::ComplexToReal;
}

/// cuFFT refuses real numbers that are not aligned as complex ones are.
static bool isAligned(Kind kind, const FftDim &loop) {
  return !isReal(kind) ||
         (kind == Kind::RealToComplex ? loop.is : loop.os) % 2 == 0;
}

/// One batch and loops from the dims that are not transformed (outermost
/// first): neighbors that are dense in each other are joined, and the longest
/// is the batch, of those after which the loops are aligned.
static void setBatches(FftCall &call, const std::vector<FftDim> &all) {
  std::vector<FftDim> joined;
  for (const FftDim &d : all) {
    if (d.n == 1)
      continue;
    if (!joined.empty() && joined.back().is == d.n * d.is &&
        joined.back().os == d.n * d.os)
      joined.back() = {joined.back().n * d.n, d.is, d.os};
    else
      joined.push_back(d);
  }
  const auto longest = std::max_element(
      joined.begin(), joined.end(), [&](const FftDim &a, const FftDim &b) {
        const bool first = isAligned(call.kind, a);
        return first != isAligned(call.kind, b) ? first : a.n < b.n;
      });
  if (longest == joined.end())
    return;
  call.batch = *longest;
  joined.erase(longest);
  call.loops = std::move(joined);
}

std::vector<FftCall> pmrt::cuda::fftCalls(const FftProblem &problem) {
  constexpr size_t most = 3;
  const size_t rank = problem.dims.size();
  const size_t outer = rank > most ? rank - most : 0;
  const bool real = isReal(problem.kind);
  // The last dims, between the arrays; a call for the others, as complex
  // numbers, where the array is complex.
  auto part = [&](size_t begin, size_t end, bool inner) {
    FftCall call;
    call.single = problem.single;
    call.kind = inner || !real                        ? problem.kind
                : problem.kind == Kind::RealToComplex ? Kind::Forward
                                                      : Kind::Backward;
    const bool onInput = !inner && problem.kind == Kind::ComplexToReal;
    call.fromIn = inner || onInput;
    call.toOut = !onInput;
    auto place = [&](FftDim d, bool halved) {
      if (inner)
        return d;
      // In place: the strides of one array. The halved dim is stored to n/2.
      const auto stride = onInput ? d.is : d.os;
      return FftDim{halved ? d.n / 2 + 1 : d.n, stride, stride};
    };
    for (size_t d = begin; d < end; ++d)
      call.dims.push_back(place(problem.dims[d], false));
    std::vector<FftDim> rest;
    for (size_t d = 0; d < rank; ++d)
      if (d < begin || d >= end)
        rest.push_back(place(problem.dims[d], real && d + 1 == rank));
    for (const FftDim &d : problem.batches)
      rest.push_back(place(d, false));
    std::stable_sort(
        rest.begin(), rest.end(),
        [](const FftDim &a, const FftDim &b) { return a.is > b.is; });
    setBatches(call, rest);
    return call;
  };
  std::vector<FftCall> calls = {part(outer, rank, true)};
  for (size_t end = outer; end > 0;) {
    const size_t begin = end > most ? end - most : 0;
    calls.push_back(part(begin, end, false));
    end = begin;
  }
  // The real side comes last.
  if (problem.kind == Kind::ComplexToReal)
    std::reverse(calls.begin(), calls.end());
  return calls;
}

//===----------------------------------------------------------------------===//
// CuFftPlans
//===----------------------------------------------------------------------===//

void CuFftPlans::clear() {
  for (const auto &[key, plan] : plans)
    (void)cufft().destroy(plan.handle);
  plans.clear();
  work = Pages();
  lines = Pages();
}

void CuFftPlans::check(int error, const FftProblem &problem,
                       const char *action) const {
  if (error != 0)
    throw context.failure(
        context.current,
        fmt::format("[PM9011] cuFFT cannot {} the transform {}: {}", action,
                    problem.describe(), CuFft::text(error)));
}

static int typeOf(const FftCall &call) {
  switch (call.kind) {
  case Kind::RealToComplex:
    return call.single ? 0x2a : 0x6a;
  case Kind::ComplexToReal:
    return call.single ? 0x2c : 0x6c;
  case Kind::Forward:
  case Kind::Backward:
    break;
  }
  return call.single ? 0x29 : 0x69;
}

CuFftPlans::Plan &CuFftPlans::planOf(const FftProblem &problem,
                                     const FftCall &call) {
  const std::string key = call.key();
  if (auto it = plans.find(key); it != plans.end())
    return it->second;
  const CuFft &lib = cufft();
  const size_t rank = call.dims.size();
  // Strides as the extents of arrays around the transformed ones: the dims of
  // dense arrays are multiples of each other.
  long long n[3], inEmbed[3], outEmbed[3];
  for (size_t d = 0; d < rank; ++d) {
    n[d] = call.dims[d].n;
    inEmbed[d] = d ? call.dims[d - 1].is / call.dims[d].is : n[d];
    outEmbed[d] = d ? call.dims[d - 1].os / call.dims[d].os : n[d];
  }
  const FftDim &last = call.dims.back();
  Plan plan;
  check(lib.create(&plan.handle), problem, "plan");
  auto attempt = [&](int error) {
    if (error != 0)
      (void)lib.destroy(plan.handle);
    check(error, problem, "plan");
  };
  attempt(lib.autoAllocate(plan.handle, 0));
  attempt(lib.makePlan(plan.handle, int(rank), n, inEmbed, last.is,
                       call.batch.is, outEmbed, last.os, call.batch.os,
                       typeOf(call), call.batch.n, &plan.work));
  attempt(lib.setStream(plan.handle, stream));
  try {
    reserve(problem, work, workNeeded, int64_t(plan.work));
  } catch (...) {
    (void)lib.destroy(plan.handle);
    throw;
  }
  return plans.emplace(key, plan).first->second;
}

void CuFftPlans::reserve(const FftProblem &problem, Pages &pages,
                         int64_t &needed, int64_t bytes) {
  const int64_t before = std::max(pages.size(), needed);
  if (bytes <= before)
    return;
  const int64_t fields = context.placement().total + context.borrowedBytes();
  // In a run, the memory that other calls have allocated counts, too.
  const int64_t all =
      bytes + std::max(fields + workBytes() - before,
                       context.device->allocatedBytes() - pages.size());
  if (all > context.memoryLimit())
    throw context.failure(
        context.current,
        fmt::format(
            "[PM9009] the workspace of cuFFT for the transform {} needs {} of "
            "memory, {} with the fields, more than the {}",
            problem.describe(), bytesText(double(bytes)),
            bytesText(double(all)), context.memoryLimitText()));
  if (context.settings.dryRun) {
    needed = bytes;
    return;
  }
  pages = Pages();
  pages = Pages(bytes, &memory);
}

void CuFftPlans::plan(pmrt_loc, const FftProblem &problem, void *, void *) {
  const std::vector<FftCall> calls = fftCalls(problem);
  if (isByLines(calls))
    return planLines(problem);
  for (const FftCall &call : calls)
    (void)planOf(problem, call);
}

bool CuFftPlans::isByLines(const std::vector<FftCall> &calls) const {
  return context.settings.plan == PlanRigor::Fixed ||
         !std::all_of(calls.begin(), calls.end(), [](const FftCall &call) {
           return std::all_of(
               call.loops.begin(), call.loops.end(),
               [&](const FftDim &loop) { return isAligned(call.kind, loop); });
         });
}

void CuFftPlans::execute(const FftProblem &problem, const FftCall &call,
                         char *from, char *to) {
  const CuFft &lib = cufft();
  Plan &plan = planOf(problem, call);
  const int handle = plan.handle;
  // A later plan may have needed more, elsewhere.
  if (std::exchange(plan.workPlace, work.data()) != work.data())
    check(lib.setWork(handle, work.data()), problem, "run");
  auto start = [&] {
    switch (call.kind) {
    case Kind::RealToComplex:
      return (call.single ? lib.r2c : lib.d2z)(handle, from, to);
    case Kind::ComplexToReal:
      return (call.single ? lib.c2r : lib.z2d)(handle, from, to);
    case Kind::Forward:
      return (call.single ? lib.c2c : lib.z2z)(handle, from, to, -1);
    case Kind::Backward:
      return (call.single ? lib.c2c : lib.z2z)(handle, from, to, 1);
    }
    return 0;
  };
  check(start(), problem, "run");
}

/// Bytes of an element on either side.
static int64_t sizeIn(const FftProblem &problem, Kind kind) {
  const int64_t real = problem.single ? 4 : 8;
  return kind == Kind::RealToComplex ? real : 2 * real;
}

static int64_t sizeOut(const FftProblem &problem, Kind kind) {
  const int64_t real = problem.single ? 4 : 8;
  return kind == Kind::ComplexToReal ? real : 2 * real;
}

void CuFftPlans::run(pmrt_loc, const FftProblem &problem, void *in, void *out) {
  const std::vector<FftCall> calls = fftCalls(problem);
  if (isByLines(calls))
    return runLines(problem, in, out);
  for (const FftCall &call : calls) {
    char *from = static_cast<char *>(call.fromIn ? in : out);
    char *to = static_cast<char *>(call.toOut ? out : in);
    int64_t count = 1;
    for (const FftDim &loop : call.loops)
      count *= loop.n;
    for (int64_t i = 0; i < count; ++i) {
      int64_t rest = i, a = 0, b = 0;
      for (size_t d = call.loops.size(); d-- > 0;) {
        const FftDim &loop = call.loops[d];
        a += rest % loop.n * loop.is;
        b += rest % loop.n * loop.os;
        rest /= loop.n;
      }
      execute(problem, call, from + a * sizeIn(problem, call.kind),
              to + b * sizeOut(problem, call.kind));
    }
  }
}

//===----------------------------------------------------------------------===//
// Line by line
//===----------------------------------------------------------------------===//

/// cuFFT transforms real lines of odd lengths in pairs, which the bits depend
/// on: they go as complex ones.
static bool isPaired(const LinePass &pass) {
  return isReal(pass.kind) && pass.n % 2 != 0;
}

FftCall pmrt::cuda::lineCall(const FftProblem &problem, const LinePass &pass) {
  // Enough to fill a GPU; its data fits into the cache.
  constexpr int64_t most = int64_t(1) << 21;
  FftCall call;
  call.kind = !isPaired(pass)                    ? pass.kind
              : pass.kind == Kind::RealToComplex ? Kind::Forward
                                                 : Kind::Backward;
  call.single = problem.single;
  call.dims = {{pass.n, 1, 1}};
  const int64_t all = std::max<int64_t>(1, problem.wholeCells / pass.n);
  const int64_t lines = std::min(all, std::max<int64_t>(1, most / pass.n));
  call.batch = isPaired(pass) ? FftDim{lines, pass.n, pass.n}
                              : FftDim{lines, pass.cellsIn(), pass.cellsOut()};
  return call;
}

namespace {

/// Lines one behind the other, on one side of a call.
struct LineBlock {
  int64_t stride = 0; ///< cells from one to the next
  int64_t size = 0;   ///< bytes of a cell
  int64_t lines = 0;

  /// So that the data behind it is aligned, too.
  int64_t bytes() const {
    constexpr int64_t alignment = 256;
    return (lines * stride * size + alignment - 1) / alignment * alignment;
  }
};

} // namespace

static LineBlock blockIn(const FftProblem &problem, const FftCall &call) {
  return {call.batch.is, sizeIn(problem, call.kind), call.batch.n};
}

static LineBlock blockOut(const FftProblem &problem, const FftCall &call) {
  return {call.batch.os, sizeOut(problem, call.kind), call.batch.n};
}

void CuFftPlans::planLines(const FftProblem &problem) {
  for (const LinePass &pass : linePasses(problem)) {
    const FftCall call = lineCall(problem, pass);
    reserve(problem, lines, linesNeeded,
            blockIn(problem, call).bytes() + blockOut(problem, call).bytes());
    (void)planOf(problem, call);
  }
}

/// visit(place, sizes) for the boxes that lines [begin, end) are, in order:
/// where each loop begins in it, and how far it goes.
template <typename Visit>
static void forBoxes(const std::vector<LineLoop> &loops, int64_t begin,
                     int64_t end, const Visit &visit) {
  while (begin < end) {
    std::vector<int64_t> place(loops.size()), sizes(loops.size(), 1);
    // As many whole inner loops as begin here and end in time.
    int64_t rest = begin, lines = 1;
    bool grows = true;
    for (size_t d = loops.size(); d-- > 0;) {
      const int64_t count = loops[d].count;
      place[d] = rest % count;
      rest /= count;
      if (grows) {
        sizes[d] = std::min(count - place[d], (end - begin) / lines);
        lines *= sizes[d];
        grows = sizes[d] == count;
      }
    }
    visit(place, sizes);
    begin += lines;
  }
}

namespace {

/// What is copied between an array and a block.
struct LineCopy {
  bool packs = true; ///< else back
  int64_t size = 0;  ///< bytes of a cell of the array
  int64_t first = 0; ///< cell of every line, and those behind it
  Combine combine = Combine::Replace;
  pmrt_element element = PMRT_I8; ///< that are added
};

} // namespace

static void copyLines(Device &device, const LinePass &pass, int64_t begin,
                      int64_t end, char *array, char *data,
                      const LineBlock &block, const LineCopy &copy) {
  const int64_t cells =
      (copy.packs ? pass.cellsIn() : pass.cellsOut()) - copy.first;
  const int64_t along = copy.packs ? pass.from : pass.to;
  array += copy.first * along * copy.size;
  data += copy.first * block.size;
  forBoxes(pass.loops, begin, end, [&](const auto &place, const auto &sizes) {
    Region there = {array, copy.size, {}, {}}, here = {data, copy.size, {}, {}};
    int64_t lines = 1;
    std::vector<int64_t> strides(sizes.size());
    for (size_t d = sizes.size(); d-- > 0;) {
      strides[d] = lines * block.stride;
      lines *= sizes[d];
    }
    auto add = [&](int64_t count, int64_t stride, int64_t packed) {
      there.counts.push_back(count);
      there.strides.push_back(stride * copy.size);
      here.counts.push_back(count);
      here.strides.push_back(packed * block.size);
    };
    // The array's neighbors are touched by neighboring threads.
    bool isAlong = false;
    for (size_t d = 0; d < sizes.size(); ++d) {
      const int64_t stride = copy.packs ? pass.loops[d].from : pass.loops[d].to;
      if (!isAlong && along > stride) {
        add(cells, along, 1);
        isAlong = true;
      }
      add(sizes[d], stride, strides[d]);
      there.base += place[d] * stride * copy.size;
    }
    if (!isAlong)
      add(cells, along, 1);
    if (copy.packs)
      device.transfer(there, here, copy.combine, copy.element);
    else
      device.transfer(here, there, copy.combine, copy.element);
    data += lines * block.stride * block.size;
  });
}

void CuFftPlans::runLines(const FftProblem &problem, void *in, void *out) {
  planLines(problem);
  Device &device = *context.device;
  for (const LinePass &pass : linePasses(problem)) {
    const FftCall call = lineCall(problem, pass);
    const LineBlock from = blockIn(problem, call), to = blockOut(problem, call);
    char *before = lines.data(), *after = before + from.bytes();
    char *source = static_cast<char *>(pass.fromIn ? in : out);
    char *target = static_cast<char *>(pass.toOut ? out : in);
    const LineCopy pack = {.packs = true, .size = sizeIn(problem, pass.kind)};
    const LineCopy unpack = {.packs = false,
                             .size = sizeOut(problem, pass.kind)};
    int64_t count = 1;
    for (const LineLoop &loop : pass.loops)
      count *= loop.count;
    // A block that has fewer lines is transformed as a whole, too.
    for (int64_t begin = 0; begin < count; begin += from.lines) {
      const int64_t end = std::min(count, begin + from.lines);
      if (isPaired(pass))
        device.zero(before, from.bytes());
      copyLines(device, pass, begin, end, source, before, from, pack);
      if (isPaired(pass) && pass.kind == Kind::ComplexToReal) {
        // Re sum of all modes = Re (mode 0 + 2 sum of half of them).
        LineCopy again = pack;
        again.first = 1;
        again.combine = Combine::Add;
        again.element = problem.single ? PMRT_C64 : PMRT_C128;
        copyLines(device, pass, begin, end, source, before, from, again);
      }
      execute(problem, call, before, after);
      copyLines(device, pass, begin, end, target, after, to, unpack);
    }
  }
}
