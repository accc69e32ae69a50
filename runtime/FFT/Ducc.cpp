//===- Ducc.cpp - The host's transforms by ducc0 -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Ducc.h"
#include "runtime/FFT/Lines/LineFilter.h"
#include "runtime/FFT/Share.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/Base/Text/Hash.h"

#include <algorithm>
#include <optional>

using namespace pmrt;

/// Of a plane that two passes handle one after the other: it stays in the
/// second-level cache between them.
static constexpr int64_t mostPlaneBytes = 1 << 20;

const std::vector<const LineInstructions *> &pmrt::lineInstructions() {
  static const auto all = [] {
    std::vector<const LineInstructions *> found;
#if defined(__x86_64__) && !defined(PMRT_NO_CLONES)
    if (__builtin_cpu_supports("x86-64-v4"))
      found.push_back(&pmrt_lines_avx512);
    if (__builtin_cpu_supports("x86-64-v3"))
      found.push_back(&pmrt_lines_avx2);
#endif
    found.push_back(&pmrt_lines_baseline);
    return found;
  }();
  return all;
}

namespace {

/// A pass over arrays, or over one plane of them.
class Pass {
public:
  /// `blocks`: of a pass along the last dim of a half spectrum, or null.
  Pass(const LinePass &pass, const LineTransform &transform, bool single,
       void *in, void *out, const ColumnBlocks *blocks = nullptr)
      : line(pass), transform(transform), blocks(blocks),
        sizeFrom(elementBytes(single, pass.kind == LineKind::RealToComplex)),
        sizeTo(elementBytes(single, pass.kind == LineKind::ComplexToReal)),
        in(static_cast<const char *>(pass.fromIn ? in : out)),
        out(static_cast<char *>(pass.toOut ? out : in)) {}

  /// Takes the loop out of the pass: its planes are given to `run`.
  void remove(const LineLoop &loop) {
    std::erase_if(line.loops, [&](const LineLoop &l) {
      return l.count == loop.count && l.from == loop.from && l.to == loop.to;
    });
    plane = loop;
  }

  /// Loops that go through dense memory together become one.
  void merge() {
    std::vector<LineLoop> merged;
    for (const LineLoop &loop : line.loops) {
      if (loop.count == 1)
        continue;
      if (!merged.empty() && merged.back().from == loop.count * loop.from &&
          merged.back().to == loop.count * loop.to)
        merged.back() = {merged.back().count * loop.count, loop.from, loop.to};
      else
        merged.push_back(loop);
    }
    side = merged.empty() ? LineLoop{1, 0, 0} : merged.back();
    if (!merged.empty())
      merged.pop_back();
    line.loops = std::move(merged);
    outer = 1;
    for (const LineLoop &loop : line.loops)
      outer *= loop.count;
  }

  /// Lines side by side that do not fill a vector, in every plane.
  int64_t rest() const {
    const int64_t lines = side.count % transform.lanes();
    return line.from != 1 && line.to != 1 ? lines : 0;
  }
  int64_t groups(int64_t without = 0) const {
    const int64_t lanes = transform.lanes();
    return (side.count - without + lanes - 1) / lanes * outer;
  }
  int64_t lanes() const { return transform.lanes(); }
  int64_t planeBytes() const {
    return std::max(outer * side.count * line.cellsOut() * sizeTo,
                    outer * side.count * line.cellsIn() * sizeFrom);
  }

  /// Groups of lines in a plane, but for the last `without` lines side by side.
  void run(int64_t atPlane, int64_t begin, int64_t end, int64_t without,
           void *workspace) const {
    const int64_t lanes = transform.lanes(), count = side.count - without;
    const int64_t each = (count + lanes - 1) / lanes;
    for (int64_t g = begin; g < end; ++g) {
      const int64_t first = g % each * lanes;
      group(atPlane, g / each, first, std::min(lanes, count - first), side,
            workspace);
    }
  }
  /// Transforms the last `some` adjacent lines of the planes [begin, end). Each
  /// vector has lines of different planes. There are at most as many planes as
  /// lanes.
  void runAcross(int64_t begin, int64_t end, int64_t some,
                 void *workspace) const {
    for (int64_t place = 0; place < outer; ++place)
      for (int64_t i = side.count - some; i < side.count; ++i)
        group(begin, place, i, end - begin, plane, workspace);
  }
  int64_t sideBySide() const { return side.count; }

private:
  static int64_t elementBytes(bool single, bool real) {
    return (single ? 4 : 8) * (real ? 1 : 2);
  }

  void group(int64_t atPlane, int64_t place, int64_t first, int64_t lines,
             const LineLoop &next, void *workspace) const {
    int64_t read = atPlane * plane.from, write = atPlane * plane.to;
    for (size_t i = line.loops.size(); i-- > 0;) {
      read += place % line.loops[i].count * line.loops[i].from;
      write += place % line.loops[i].count * line.loops[i].to;
      place /= line.loops[i].count;
    }
    LineGroup group = {in + (read + first * side.from) * sizeFrom,
                       out + (write + first * side.to) * sizeTo,
                       lines,
                       line.from,
                       line.to,
                       next.from,
                       next.to};
    if (blocks) {
      group.width = blocks->width;
      group.blockStep = blocks->blockStep();
      group.restStep = blocks->rows;
      const int64_t rest = blocks->restBegin(0) + first;
      group.rest = line.kind == LineKind::ComplexToReal
                       ? const_cast<char *>(in) + (read + rest) * sizeFrom
                       : out + (write + rest) * sizeTo;
    }
    transform.run(group, workspace);
  }

  LinePass line;
  const LineTransform &transform;
  const ColumnBlocks *blocks;
  int64_t sizeFrom, sizeTo; ///< bytes of an element
  const char *in;
  char *out;
  LineLoop plane = {1, 0, 0};
  LineLoop side = {1, 0, 0}; ///< lines side by side
  int64_t outer = 1;         ///< places of such lines in a plane
};

/// The number of planes that a thread transforms at a time, at most `most`.
int64_t partOfPlanes(Threads &threads, int64_t planes, int64_t most) {
  return std::min(
      most, std::max<int64_t>(1, planes / (int64_t(threads.count()) * 4)));
}

/// Two passes plane by plane.
void runPlanes(Threads &threads, const Pass &first, const Pass &second,
               int64_t planes, size_t bytes) {
  const int64_t rest = second.rest();
  const int64_t lanes = second.lanes();
  // Few lines at the end of each plane are done for several planes at once.
  const bool apart = 0 < rest && rest <= lanes / 4 && planes >= lanes;
  const int64_t part = partOfPlanes(threads, planes, apart ? lanes : planes);
  share(threads, planes, part, bytes,
        [&](int64_t begin, int64_t end, void *workspace) {
          const int64_t without = apart ? rest : 0;
          for (int64_t plane = begin; plane < end; ++plane) {
            first.run(plane, 0, first.groups(), 0, workspace);
            second.run(plane, 0, second.groups(without), without, workspace);
          }
          if (apart)
            second.runAcross(begin, end, rest, workspace);
        });
}

/// A pass over whole arrays.
void runWhole(Threads &threads, Pass pass, size_t bytes) {
  pass.merge();
  const int64_t groups = pass.groups();
  share(threads, groups, partOf(groups, threads), bytes,
        [&](int64_t begin, int64_t end, void *workspace) {
          pass.run(0, begin, end, 0, workspace);
        });
}

} // namespace

/// The loop over planes that a pass and the next one have in common, as each of
/// them goes through it: what the one writes for an index, the other reads.
static std::optional<std::pair<LineLoop, LineLoop>>
sharedPlanes(const LinePass &first, const LinePass &second) {
  if (first.toOut == second.fromIn || first.loops.empty())
    return std::nullopt;
  const LineLoop &a = first.loops.front();
  // Planes are dense: nothing in them is further apart.
  const bool outermost =
      a.to > first.to &&
      std::all_of(first.loops.begin() + 1, first.loops.end(),
                  [&](const LineLoop &l) { return l.to < a.to; });
  if (a.count > 1 && outermost)
    for (const LineLoop &b : second.loops)
      if (a.count == b.count && a.to == b.from)
        return std::pair(a, b);
  return std::nullopt;
}

const LineTransform &DuccPlans::transform(const FftProblem &problem,
                                          const LinePass &pass) {
  const int64_t lanes =
      problem.single ? instructions.lanesSingle : instructions.lanesDouble;
  // Arrays of few lines, as seen from all ranks.
  const bool alone = problem.wholeCells / pass.n < lanes;
  auto &found = transforms[{pass.kind, problem.single, pass.n, alone}];
  if (!found)
    found.reset(instructions.make(pass.kind, problem.single, pass.n, alone));
  return *found;
}

void DuccPlans::plan(pmrt_loc, const FftProblem &problem, void *, void *) {
  for (const LinePass &pass : linePasses(problem))
    transform(problem, pass);
}

void DuccPlans::planTogether(pmrt_loc loc, const FftProblem *problem, void *in,
                             void *out) {
  if (problem)
    plan(loc, *problem, in, out);
}

void DuccPlans::run(pmrt_loc, const FftProblem &problem, void *in, void *out) {
  runPasses(problem, linePasses(problem), in, out);
}

void DuccPlans::runPasses(const FftProblem &problem,
                          std::span<const LinePass> passes, void *in,
                          void *out) {
  size_t bytes = 0;
  for (const LinePass &pass : passes)
    bytes = std::max(bytes, transform(problem, pass).workspaceBytes());
  auto passAt = [&](size_t i) {
    return Pass(passes[i], transform(problem, passes[i]), problem.single, in,
                out);
  };
  Threads &threads = context.threads;
  for (size_t i = 0; i < passes.size(); ++i) {
    if (const auto planes = i + 1 < passes.size()
                                ? sharedPlanes(passes[i], passes[i + 1])
                                : std::nullopt) {
      Pass first = passAt(i), second = passAt(i + 1);
      first.remove(planes->first);
      first.merge();
      second.remove(planes->second);
      second.merge();
      const int64_t count = planes->first.count;
      if (first.planeBytes() <= mostPlaneBytes && count >= threads.count()) {
        runPlanes(threads, first, second, count, bytes);
        ++i;
        continue;
      }
    }
    runWhole(threads, passAt(i), bytes);
  }
}

namespace {

/// The passes along the last two dims of a half spectrum in blocks.
struct BlockPasses {
  bool isForward;
  Pass rows, columns, rest; ///< rest: columns behind the blocks
  bool hasRest;

  template <typename Rows, typename Columns>
  void inOrder(const Rows &runRows, const Columns &runColumns) const {
    if (isForward)
      runRows();
    runColumns();
    if (!isForward)
      runRows();
  }
};

void runWhole(Threads &threads, const BlockPasses &passes, size_t bytes) {
  passes.inOrder([&] { runWhole(threads, passes.rows, bytes); },
                 [&] {
                   runWhole(threads, passes.columns, bytes);
                   if (passes.hasRest)
                     runWhole(threads, passes.rest, bytes);
                 });
}

/// Runs the passes plane by plane. `planes`: the loops over planes of the first
/// and the second pass. Returns false if planes are too large, or too few.
bool runPlanes(Threads &threads, BlockPasses passes,
               const std::pair<LineLoop, LineLoop> &planes, size_t bytes) {
  const auto &[first, second] = planes;
  passes.rows.remove(passes.isForward ? first : second);
  passes.columns.remove(passes.isForward ? second : first);
  passes.rest.remove(passes.isForward ? second : first);
  for (Pass *pass : {&passes.rows, &passes.columns, &passes.rest})
    pass->merge();
  const int64_t count = first.count;
  if (passes.rows.planeBytes() > mostPlaneBytes || count < threads.count())
    return false;
  // A vector of the remaining columns has a line of each plane.
  const int64_t part =
      partOfPlanes(threads, count, std::min(count, passes.rest.lanes()));
  share(threads, count, part, bytes,
        [&](int64_t begin, int64_t end, void *workspace) {
          const auto runRest = [&] {
            if (passes.hasRest)
              passes.rest.runAcross(begin, end, passes.rest.sideBySide(),
                                    workspace);
          };
          if (!passes.isForward)
            runRest();
          for (int64_t plane = begin; plane < end; ++plane)
            passes.inOrder(
                [&] {
                  passes.rows.run(plane, 0, passes.rows.groups(), 0, workspace);
                },
                [&] {
                  passes.columns.run(plane, 0, passes.columns.groups(), 0,
                                     workspace);
                });
          if (passes.isForward)
            runRest();
        });
  return true;
}

} // namespace

void DuccPlans::runBlocks(const FftProblem &problem, const ColumnBlocks &blocks,
                          LinePass first, LinePass second, void *in,
                          void *out) {
  const bool isForward = problem.kind == LineKind::RealToComplex;
  LinePass &rows = isForward ? first : second;
  LinePass &columns = isForward ? second : first;
  blocks.placeRows(rows);
  const LinePass rest = blocks.rest(columns);
  columns = blocks.inBlocks(columns);
  const LineTransform &alongRows = transform(problem, rows),
                      &alongColumns = transform(problem, columns);
  // Columns are transformed in place.
  auto *spectrum = static_cast<char *>(isForward ? out : in);
  char *behind = spectrum + blocks.restBegin(0) * (problem.single ? 8 : 16);
  const BlockPasses passes = {
      isForward,
      Pass(rows, alongRows, problem.single, in, out, &blocks),
      Pass(columns, alongColumns, problem.single, spectrum, spectrum),
      Pass(rest, alongColumns, problem.single, behind, behind),
      blocks.rest() > 0,
  };
  const size_t bytes =
      std::max(alongRows.workspaceBytes(), alongColumns.workspaceBytes());
  const auto planes = sharedPlanes(first, second);
  if (!planes || !runPlanes(context.threads, passes, *planes, bytes))
    runWhole(context.threads, passes, bytes);
}

void DuccPlans::filter(pmrt_loc loc, Threads &threads,
                       const FftProblem &forward, const FftProblem &backward,
                       const FftFilter &filter, void *in, void *spectrum,
                       void *out) {
  const std::vector<LinePass> there = linePasses(forward),
                              back = linePasses(backward);
  const LinePass &last = there.back(), &first = back.front();
  auto blocks = ColumnBlocks::make(forward, backward);
  // Vectors of lines are not wider than a block.
  if (blocks && transform(forward, there.front()).lanes() == 1)
    blocks.reset();
  const auto lines =
      LineFilter::make(last, first, filter, blocks ? &*blocks : nullptr);
  if (!lines)
    return FftPlans::filter(loc, threads, forward, backward, filter, in,
                            spectrum, out);
  std::span<const LinePass> before(there.begin(), there.end() - 1),
      after(back.begin() + 1, back.end());
  if (blocks) {
    runBlocks(forward, *blocks, before[0], before[1], in, spectrum);
    before = before.subspan(2);
    after = after.first(after.size() - 2);
  }
  runPasses(forward, before, in, spectrum);
  lines->run(threads, transform(forward, last), transform(backward, first),
             last.fromIn ? in : spectrum, first.toOut ? out : spectrum);
  runPasses(backward, after, spectrum, out);
  if (blocks)
    runBlocks(backward, *blocks, back[back.size() - 2], back.back(), spectrum,
              out);
}

std::string DuccPlans::hash() const {
  if (transforms.empty())
    return "";
  std::string all = instructions.name;
  for (const auto &[key, transform] : transforms) {
    const auto &[kind, single, n, alone] = key;
    all += fmt::format(" {}:{}:{}:{}", int(kind), single, n, alone);
  }
  return hashOf(all).text();
}
