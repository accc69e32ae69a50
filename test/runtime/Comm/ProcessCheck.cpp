//===- ProcessCheck.cpp - Collectives between processes -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Run by mpirun, or with --rendezvous=FILE, with 4 processes; every one checks
// its own part. The exit code is the number of checks that failed.
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Processes/Launcher.h"
#include "runtime/Comm/Processes/Processes.h"
#include "runtime/Core/WhiteNoise.h"
#include "test/runtime/Ranks.h"

#include <cmath>
#include <complex>

using namespace pmrt;
using namespace pmrt::test;

namespace {

int failures = 0;

void check(bool good, const std::string &what) {
  if (good)
    return;
  ++failures;
  fmt::print(stderr, "failed: {}\n", what);
}

/// From every layout to every other, in messages that are much smaller and
/// larger than the pieces they travel in.
void reshards(pmrt_context &ctx,
              const std::vector<std::vector<int32_t>> &cuts) {
  int64_t cells = 1;
  for (int32_t dim : cuts[0])
    cells *= ctx.program.dims[size_t(dim)].extent;
  std::vector<double> whole(static_cast<size_t>(cells));
  for (size_t i = 0; i < whole.size(); ++i)
    whole[i] = double(i);
  for (const auto &from : cuts)
    for (const auto &to : cuts) {
      pmrt_array in = arrayOver(nullptr, PMRT_F64, from);
      pmrt_array out = arrayOver(nullptr, PMRT_F64, to);
      std::vector<double> source = part(ctx, whole, in);
      const std::vector<double> want = part(ctx, whole, out);
      std::vector<double> got(want.size());
      in.data = source.data();
      out.data = got.data();
      pmrt_reshard(&ctx, nullptr, -1, &in, &out);
      check(got == want, fmt::format("reshard {} to {}", fmt::join(from, ","),
                                     fmt::join(to, ",")));
    }
}

/// Every rank adds its number to all cells of its view.
void halos(pmrt_context &ctx, const std::vector<int32_t> &dims,
           const Extents &lo, const Extents &hi) {
  pmrt_array a = arrayOver(nullptr, PMRT_F64, dims);
  const Layout layout = layoutOf(ctx, a);
  const Box own = layout.box(ctx.mesh);
  std::vector<double> cells(static_cast<size_t>(own.cells()), 0.0);
  a.data = cells.data();
  pmrt_halo *view = pmrt_halo_open(&ctx, nullptr, -1, &a, lo.data(), hi.data());
  for (int64_t x = 0; x < view->extent[0]; ++x)
    for (int64_t y = 0; y < view->extent[1]; ++y)
      for (int64_t z = 0; z < view->extent[2]; ++z) {
        const int64_t row = x * view->stride[0] + y * view->stride[1];
        double *cell = view->whole ? cells.data() + row * view->extent[2]
                                   : static_cast<double *>(view->rows[row]);
        cell[z] += double(ctx.mesh.rank() + 1);
      }
  pmrt_halo_reduce(&ctx, nullptr, -1, view);

  // What all ranks' views add up to, cell by cell.
  std::vector<double> want(cells.size(), 0.0);
  for (int64_t rank = 0; rank < ctx.mesh.ranks(); ++rank) {
    const Box theirs = layout.box(ctx.mesh, ctx.mesh.coordinates(rank));
    for (int64_t i = 0; i < own.cells(); ++i) {
      int64_t rest = i;
      bool inside = true;
      for (size_t d = 3; d-- > 0;) {
        const int64_t n = layout.dims[d].cells;
        const int64_t cell = own.sides[d].offset + rest % own.sides[d].extent;
        rest /= own.sides[d].extent;
        const bool split = !layout.dims[d].axes.empty();
        const int64_t below = split ? lo[d] : 0, above = split ? hi[d] : 0;
        const int64_t ahead =
            ((cell - theirs.sides[d].offset + below) % n + n) % n;
        inside = inside &&
                 ahead < std::min(n, below + theirs.sides[d].extent + above);
      }
      want[size_t(i)] += inside ? double(rank + 1) : 0.0;
    }
  }
  check(cells == want, fmt::format("halo of {} and {}", fmt::join(lo, ","),
                                   fmt::join(hi, ",")));
}

void transforms(pmrt_context &ctx, const Descriptor &program,
                const std::vector<int32_t> &space,
                const std::vector<int32_t> &dual,
                const std::vector<int32_t> &wholeSpace,
                const std::vector<int32_t> &wholeDual, int64_t n) {
  std::vector<double> noise(static_cast<size_t>(n * n * n));
  fillNormal(3, 0, n * n * n, noise.data());
  std::vector<std::complex<double>> reference(
      static_cast<size_t>(n * n * (n / 2 + 1)));
  {
    pmrt_context alone(program, ctx.settings, {}, {}, ctx.mesh.axes());
    pmrt_array a = arrayOver(noise.data(), PMRT_F64, wholeSpace);
    pmrt_array b = arrayOver(reference.data(), PMRT_C128, wholeDual);
    std::vector<double> copy = noise;
    a.data = copy.data();
    pmrt_fft(&alone, nullptr, -1, 1, 7, &a, &b);
  }
  pmrt_array a = arrayOver(nullptr, PMRT_F64, space);
  pmrt_array b = arrayOver(nullptr, PMRT_C128, dual);
  std::vector<double> local = part(ctx, noise, a);
  const auto want = part(ctx, reference, b);
  std::vector<std::complex<double>> got(want.size());
  std::vector<double> back(local.size());
  a.data = local.data();
  b.data = got.data();
  pmrt_fft(&ctx, nullptr, -1, 1, 7, &a, &b);
  double error = 0;
  for (size_t i = 0; i < want.size(); ++i)
    error = std::max(error, std::abs(got[i] - want[i]));
  check(error < 1e-10, fmt::format("transform: {}", error));
  a.data = back.data();
  pmrt_fft(&ctx, nullptr, -1, 0, 7, &b, &a);
  error = 0;
  for (size_t i = 0; i < back.size(); ++i)
    error = std::max(error, std::abs(back[i] / double(n * n * n) - local[i]));
  check(error < 1e-12, fmt::format("and back: {}", error));
}

void sums(pmrt_context &ctx, int32_t whole, int32_t split) {
  const auto n = size_t(ctx.program.dims[size_t(whole)].extent);
  std::vector<float> mine(n), total(n);
  for (size_t i = 0; i < n; ++i)
    mine[i] = float(i % 7) * float(ctx.mesh.rank() + 1);
  const pmrt_array in = arrayOver(mine.data(), PMRT_F32, {whole});
  pmrt_array out = arrayOver(total.data(), PMRT_F32, {split});
  const pmrt_array *from = &in, *to = &out;
  pmrt_reduce_fields(&ctx, nullptr, -1, 3, PMRT_SUM, 1, &from, &to);
  const int64_t first = pmrt_local_offset(&ctx, split);
  for (int64_t i = 0; i < pmrt_local_extent(&ctx, split); ++i)
    check(total[size_t(i)] == float((first + i) % 7) * 10, "reduce-scatter");
  pmrt_reduce_fields(&ctx, nullptr, -1, 3, PMRT_SUM, 1, &from, &from);
  for (size_t i = 0; i < n; ++i)
    check(mine[i] == float(i % 7) * 10, "all-reduce of a field");
  // Started, each before the one before has ended.
  std::vector<std::vector<float>> fields(4, mine);
  std::array<pmrt_pending *, 4> pending = {};
  for (size_t f = 0; f < 4; ++f) {
    for (size_t i = 0; i < n; ++i)
      fields[f][i] = float(i % 7 + f) * float(ctx.mesh.rank() + 1);
    const pmrt_array array = arrayOver(fields[f].data(), PMRT_F32, {whole});
    const pmrt_array *field = &array;
    pending[f] = pmrt_reduce_fields_start(&ctx, nullptr, -1, 3, PMRT_SUM, 1,
                                          &field, &field);
  }
  for (size_t f : {2, 0, 3, 1}) {
    pmrt_wait(&ctx, nullptr, -1, pending[f]);
    for (size_t i = 0; i < n; ++i)
      check(fields[f][i] == float(i % 7 + f) * 10, "a started all-reduce");
  }
}

void run(const std::shared_ptr<Transport> &transport) {
  Dims dims;
  std::vector<std::vector<int32_t>> small, large;
  for (const auto &cut : layouts(3)) {
    small.push_back(
        {dims.dim(7, cut[0]), dims.dim(9, cut[1]), dims.dim(10, cut[2])});
    if (cut[0].size() + cut[1].size() + cut[2].size() == 2)
      large.push_back(
          {dims.dim(100, cut[0]), dims.dim(90, cut[1]), dims.dim(130, cut[2])});
  }
  const int64_t n = 30;
  const std::vector<std::string> none;
  auto dim = [&](const char *axis, DimKind kind) {
    return dims.dim(n, axis ? std::vector<std::string>{axis} : none, kind);
  };
  const std::vector<int32_t> space = {dim("row", DimKind::Space),
                                      dim("col", DimKind::Space),
                                      dim(nullptr, DimKind::Space)};
  const std::vector<int32_t> dual = {dim(nullptr, DimKind::Dual),
                                     dim("row", DimKind::Dual),
                                     dim("col", DimKind::Half)};
  const std::vector<int32_t> wholeSpace(3, space[2]);
  const std::vector<int32_t> wholeDual = {dual[0], dual[0],
                                          dim(nullptr, DimKind::Half)};
  const int32_t line = dims.dim(100003, none),
                cut = dims.dim(100003, {"col", "row"});
  Settings settings;
  settings.threads = 2;
  settings.quiet = true;
  settings.plan = PlanRigor::Measure;
  pmrt_context ctx(dims.program, settings, {}, {}, meshOf({2, 2}), transport);
  reshards(ctx, small);
  large.resize(4);
  reshards(ctx, large);
  for (int64_t width : {0, 1, 9, 40})
    halos(ctx, space, {width, width, width}, {width, 2, 1});
  transforms(ctx, dims.program, space, dual, wholeSpace, wholeDual, n);
  sums(ctx, line, cut);
  ctx.world.barrier();
}

} // namespace

int main(int argc, char **argv) {
  const std::string flag = argc > 1 ? argv[1] : "", name = "--rendezvous=";
  std::shared_ptr<Transport> transport =
      flag.starts_with(name)
          ? makeTcpTransport(flag.substr(name.size()), plainLauncher().rank,
                             plainLauncher().size, 60, plainLauncher().ways)
          : makeMpiTransport();
  try {
    run(transport);
  } catch (const std::exception &e) {
    check(false, e.what());
  }
  transport->leave(failures ? Exit::Failure : Exit::Done);
  return std::min(failures, 99);
}
