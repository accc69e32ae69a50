//===- Ducc.cpp - The host's transforms by ducc0 -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Ducc.h"
#include "runtime/FFT/LineFilter.h"
#include "runtime/FFT/Share.h"

#include "runtime/Base/Format.h"
#include "runtime/Base/Hash.h"

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
  Pass(const LinePass &pass, const LineTransform &transform, bool single,
       void *in, void *out)
      : line(pass), transform(transform),
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
  /// The last lines of planes [begin, end), at most as many planes as lanes:
  /// the lines of one vector are in different planes.
  void runRest(int64_t begin, int64_t end, void *workspace) const {
    for (int64_t place = 0; place < outer; ++place)
      for (int64_t i = side.count - rest(); i < side.count; ++i)
        group(begin, place, i, end - begin, plane, workspace);
  }

private:
  static int64_t elementBytes(bool single, bool real) {
    return (single ? 4 : 8) * (real ? 1 : 2);
  }

  void group(int64_t atPlane, int64_t place, int64_t first, int64_t lines,
             const LineLoop &next, void *workspace) const {
    int64_t read = atPlane * plane.from + first * side.from,
            write = atPlane * plane.to + first * side.to;
    for (size_t i = line.loops.size(); i-- > 0;) {
      read += place % line.loops[i].count * line.loops[i].from;
      write += place % line.loops[i].count * line.loops[i].to;
      place /= line.loops[i].count;
    }
    transform.run({in + read * sizeFrom, out + write * sizeTo, lines, line.from,
                   line.to, next.from, next.to},
                  workspace);
  }

  LinePass line;
  const LineTransform &transform;
  int64_t sizeFrom, sizeTo; ///< bytes of an element
  const char *in;
  char *out;
  LineLoop plane = {1, 0, 0};
  LineLoop side = {1, 0, 0}; ///< lines side by side
  int64_t outer = 1;         ///< places of such lines in a plane
};

/// Two passes plane by plane.
void runPlanes(Threads &threads, const Pass &first, const Pass &second,
               int64_t planes, size_t bytes) {
  const int64_t rest = second.rest();
  const int64_t lanes = second.lanes();
  // Few lines at the end of each plane are done for several planes at once.
  const bool apart = 0 < rest && rest <= lanes / 4 && planes >= lanes;
  const int64_t part =
      std::min(apart ? lanes : planes,
               std::max<int64_t>(1, planes / (int64_t(threads.count()) * 4)));
  share(threads, planes, part, bytes,
        [&](int64_t begin, int64_t end, void *workspace) {
          const int64_t without = apart ? rest : 0;
          for (int64_t plane = begin; plane < end; ++plane) {
            first.run(plane, 0, first.groups(), 0, workspace);
            second.run(plane, 0, second.groups(without), without, workspace);
          }
          if (apart)
            second.runRest(begin, end, workspace);
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
    Pass pass = passAt(i);
    pass.merge();
    const int64_t groups = pass.groups();
    share(threads, groups, partOf(groups, threads), bytes,
          [&](int64_t begin, int64_t end, void *workspace) {
            pass.run(0, begin, end, 0, workspace);
          });
  }
}

void DuccPlans::filter(pmrt_loc loc, Threads &threads,
                       const FftProblem &forward, const FftProblem &backward,
                       const FftFilter &filter, void *in, void *spectrum,
                       void *out) {
  const std::vector<LinePass> there = linePasses(forward),
                              back = linePasses(backward);
  const LinePass &last = there.back(), &first = back.front();
  const auto lines = LineFilter::make(last, first, filter);
  if (!lines)
    return FftPlans::filter(loc, threads, forward, backward, filter, in,
                            spectrum, out);
  runPasses(forward, std::span(there).first(there.size() - 1), in, spectrum);
  lines->run(threads, transform(forward, last), transform(backward, first),
             last.fromIn ? in : spectrum, first.toOut ? out : spectrum);
  runPasses(backward, std::span(back).subspan(1), spectrum, out);
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
