//===- HaloTest.cpp - Views beyond what a rank owns -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/WhiteNoise.h"
#include "runtime/Dist/HaloShape.h"
#include "test/runtime/Ranks.h"

#include "pmrt/particles.h"

#include <atomic>
#include <cmath>
#include <complex>

using namespace pmrt;
using namespace pmrt::test;

namespace {

const std::vector<Extents> meshes = {{1, 1}, {2, 1}, {1, 2}, {2, 2},
                                     {4, 1}, {3, 2}, {3, 3}, {8, 1}};

/// Where a view of a mesh has a cell; null if it does not reach there.
template <typename T>
T *cellOf(const pmrt_halo &view, T *mesh, const Extents &global) {
  int64_t row = 0;
  for (int32_t d = 0; d < view.rank; ++d) {
    const int64_t n = view.cells[d];
    const int64_t v = ((global[size_t(d)] - view.origin[d]) % n + n) % n;
    if (v >= view.extent[d])
      return nullptr;
    if (d + 1 == view.rank)
      return (view.whole ? mesh + row * view.extent[d]
                         : static_cast<T *>(view.rows[row])) +
             v;
    row += v * view.stride[d];
  }
  return nullptr;
}

/// visit(index, position) for all cells of a box.
template <typename Visit> void forCells(const Box &box, const Visit &visit) {
  Extents at(box.sides.size());
  for (int64_t i = 0; i < box.cells(); ++i) {
    int64_t rest = i;
    for (size_t d = at.size(); d-- > 0;) {
      at[d] = box.sides[d].offset + rest % box.sides[d].extent;
      rest /= box.sides[d].extent;
    }
    visit(i, at);
  }
}

int64_t linear(const Extents &at, const Extents &shape) {
  int64_t index = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    index = index * shape[d] + ((at[d] % shape[d]) + shape[d]) % shape[d];
  return index;
}

/// Exchange shows every cell within the widths; reduce adds one to every cell
/// for each rank that sees it, as a loop over all ranks says.
void check(const Extents &mesh, const Extents &shape,
           const std::vector<std::vector<std::string>> &cut, const Extents &lo,
           const Extents &hi) {
  SCOPED_TRACE(fmt::format("mesh {}, shape {}, widths {} and {}",
                           fmt::join(mesh, "x"), fmt::join(shape, "x"),
                           fmt::join(lo, ","), fmt::join(hi, ",")));
  Dims dims;
  std::vector<int32_t> indices;
  for (size_t d = 0; d < shape.size(); ++d)
    indices.push_back(dims.dim(shape[d], cut[d]));
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  std::vector<double> whole(static_cast<size_t>(count));
  for (size_t i = 0; i < whole.size(); ++i)
    whole[i] = double(i + 1);
  std::vector<double> sums(whole.size(), 0), want(whole.size(), 0);
  std::mutex lock;
  onRanks(mesh, dims.program, {}, [&](pmrt_context &ctx) {
    pmrt_array a = arrayOver(nullptr, PMRT_F64, indices);
    const Layout layout = layoutOf(ctx, a);
    const Box own = layout.box(ctx.mesh);
    std::vector<double> local = part(ctx, whole, a);
    a.data = local.data();

    // The cells within the widths, each once.
    Box reach = own;
    for (size_t d = 0; d < shape.size(); ++d)
      if (!layout.dims[d].axes.empty()) {
        const int64_t extent =
            std::min(shape[d], own.sides[d].extent + lo[d] + hi[d]);
        reach.sides[d] = {extent == shape[d] ? 0 : own.sides[d].offset - lo[d],
                          extent};
      }
    pmrt_halo *view =
        pmrt_halo_exchange(&ctx, nullptr, 0, &a, lo.data(), hi.data());
    forCells(reach, [&](int64_t, const Extents &at) {
      const double *cell = cellOf(*view, local.data(), at);
      ASSERT_NE(cell, nullptr);
      ASSERT_EQ(*cell, whole[size_t(linear(at, shape))]);
    });
    // A view that goes around has every cell once.
    for (size_t d = 0; d < shape.size(); ++d)
      ASSERT_EQ(view->extent[d], reach.sides[d].extent);
    // Generated code finds own rows so.
    for (int64_t row = view->own_begin; row < view->own_end; ++row)
      ASSERT_EQ(view->rows[row],
                local.data() + (row - view->own_begin) * shape.back());
    pmrt_halo_close(&ctx, 0, view);

    std::fill(local.begin(), local.end(), 0.0);
    view = pmrt_halo_open(&ctx, nullptr, 0, &a, lo.data(), hi.data());
    const double mine = double(ctx.mesh.rank() + 1);
    forCells(reach, [&](int64_t, const Extents &at) {
      *cellOf(*view, local.data(), at) += mine;
    });
    pmrt_halo_reduce(&ctx, nullptr, 0, view);
    EXPECT_TRUE(ctx.halos.empty());

    std::lock_guard guard(lock);
    forCells(own, [&](int64_t i, const Extents &at) {
      sums[size_t(linear(at, shape))] = local[size_t(i)];
    });
    // Copies along other axes do not meet: each has its own sum. Compare the
    // first one.
    if (isFirstCopy(ctx.mesh, layout.axes()))
      forCells(reach, [&](int64_t, const Extents &at) {
        want[size_t(linear(at, shape))] += mine;
      });
  });
  bool copies = false;
  for (size_t axis = 0; axis < mesh.size(); ++axis) {
    bool used = mesh[axis] == 1;
    for (const auto &names : cut)
      used = used || std::find(names.begin(), names.end(),
                               axis ? "col" : "row") != names.end();
    copies = copies || !used;
  }
  if (!copies)
    EXPECT_EQ(sums, want);
}

} // namespace

template <typename T> static void checkComplex(pmrt_element element) {
  Dims dims;
  const std::vector<int32_t> indices = {dims.dim(12, {"row"}), dims.dim(3, {})};
  onRanks({3, 1}, dims.program, {}, [&](pmrt_context &ctx) {
    std::vector<std::complex<T>> local(4 * 3);
    pmrt_array mesh = arrayOver(local.data(), element, indices);
    const Extents widths = {1, 0};
    pmrt_halo *view =
        pmrt_halo_open(&ctx, nullptr, 0, &mesh, widths.data(), widths.data());
    const int64_t first = 4 * ctx.mesh.rank();
    for (int64_t x = first - 1; x <= first + 4; ++x)
      for (int64_t z = 0; z < 3; ++z)
        *cellOf(*view, local.data(), {x, z}) += std::complex<T>(1, 2);
    pmrt_halo_reduce(&ctx, nullptr, 0, view);
    for (size_t i = 0; i < local.size(); ++i) {
      const bool isShared = i / 3 == 0 || i / 3 == 3;
      EXPECT_EQ(local[i], std::complex<T>(isShared ? 2 : 1, isShared ? 4 : 2));
    }
  });
}

TEST(Halo, AddsBothPartsOfComplexNumbers) {
  checkComplex<float>(PMRT_C64);
  checkComplex<double>(PMRT_C128);
}

TEST(Halo, AnyWidthOnAnyMesh) {
  const std::vector<std::pair<Extents, Extents>> widths = {
      {{0, 0, 0}, {0, 0, 0}}, {{1, 1, 1}, {1, 1, 1}},
      {{2, 0, 1}, {0, 3, 2}}, {{5, 4, 3}, {4, 6, 2}},
      {{0, 9, 0}, {7, 0, 0}}, {{99, 99, 99}, {99, 99, 99}}};
  for (const Extents &mesh : meshes)
    for (const auto &[lo, hi] : widths)
      for (const auto &cut : layouts(3))
        check(mesh, {9, 10, 8}, cut, lo, hi);
}

TEST(Halo, LinesAndPlanes) {
  for (const Extents &mesh : {Extents{3, 1}, Extents{2, 2}, Extents{8, 1}})
    for (int64_t width : {0, 1, 3, 20}) {
      for (const auto &cut : layouts(2))
        check(mesh, {9, 8}, cut, {width, width}, {width, width});
      for (const auto &cut : layouts(1))
        check(mesh, {11}, cut, {width}, {1});
    }
}

TEST(Halo, OneRankHasItsRowsAsTheyAre) {
  Dims dims;
  const int32_t n = dims.dim(4, {"row"});
  onRanks({1, 1}, dims.program, {}, [&](pmrt_context &ctx) {
    std::vector<float> data(64);
    const pmrt_array a = arrayOver(data.data(), PMRT_F32, {n, n, n});
    const int64_t wide[] = {3, 3, 3};
    pmrt_halo *view = pmrt_halo_open(&ctx, nullptr, 0, &a, wide, wide);
    EXPECT_EQ(view->whole, 1);
    EXPECT_EQ(view->rows, nullptr);
    pmrt_halo_reduce(&ctx, nullptr, 0, view);
  });
}

TEST(Halo, BytesAreTheHaloAndNoMore) {
  // A shard of 8 x 8 x 32 of 16 x 16 x 32, a cell on each side: a frame of
  // 10 x 10 - 8 x 8 rows.
  Dims dims;
  const std::vector<int32_t> d = {dims.dim(16, {"row"}), dims.dim(16, {"col"}),
                                  dims.dim(32, {})};
  onRanks({2, 2}, dims.program, {}, [&](pmrt_context &ctx) {
    std::vector<float> data(8 * 8 * 32);
    const pmrt_array a = arrayOver(data.data(), PMRT_F32, d);
    const int64_t one[] = {1, 1, 1};
    ctx.profile.enable();
    pmrt_halo_close(&ctx, 0,
                    pmrt_halo_exchange(&ctx, nullptr, 3, &a, one, one));
    pmrt_halo_reduce(&ctx, nullptr, 4,
                     pmrt_halo_open(&ctx, nullptr, 4, &a, one, one));
    int seen = 0;
    for (const auto &row : ctx.profile.rows())
      if (row.name == "halo_exchange" || row.name == "halo_reduce") {
        EXPECT_EQ(row.bytes, 36 * 32 * 4);
        EXPECT_EQ(row.calls, 1);
        EXPECT_EQ(row.loc, row.name == "halo_exchange" ? 3 : 4);
        ++seen;
      }
    EXPECT_EQ(seen, 2);
  });
}

TEST(Halo, TooWideIsRefusedWithNumbers) {
  Dims dims;
  const std::vector<int32_t> d = {dims.dim(64, {"row"}), dims.dim(64, {}),
                                  dims.dim(64, {})};
  Settings settings;
  settings.memoryLimit = 700000;
  const std::string text = messageOf([&] {
    onRanks({4}, dims.program, settings, [&](pmrt_context &ctx) {
      std::vector<float> data(16 * 64 * 64);
      const pmrt_array a = arrayOver(data.data(), PMRT_F32, d);
      const int64_t lo[] = {16, 0, 0}, hi[] = {16, 0, 0}, wide[] = {30, 0, 0};
      pmrt_halo_close(&ctx, 0,
                      pmrt_halo_exchange(&ctx, nullptr, 0, &a, lo, hi));
      pmrt_halo_exchange(&ctx, nullptr, 0, &a, wide, hi);
    });
  });
  EXPECT_CONTAINS(text, "a halo of 30x0x0 cells below and 16x0x0 above needs");
  EXPECT_CONTAINS(text, "736.0 KiB");
  EXPECT_CONTAINS(text, "of --memory-limit");
}

TEST(DisplacementBound, IsTheMostOfAllRanks) {
  Dims dims;
  const std::vector<int32_t> d = {dims.dim(16, {"row"}), dims.dim(16, {})};
  onRanks({4}, dims.program, {}, [&](pmrt_context &ctx) {
    const pmrt_array a = arrayOver(nullptr, PMRT_F32, d);
    const double first = 4.0 * double(ctx.mesh.rank());
    double lowest[] = {first, -5}, highest[] = {first + 3, 30};
    int64_t lo[2], hi[2];
    pmrt_displacement_bound(&ctx, nullptr, 0, &a, lowest, highest, 2, lo, hi);
    EXPECT_EQ(lo[0], 0);
    EXPECT_EQ(hi[0], 1); // the window's second cell
    EXPECT_EQ(lo[1], 0); // not split
    EXPECT_EQ(hi[1], 0);
    if (ctx.mesh.rank() == 2)
      lowest[0] = first - 2.0;
    if (ctx.mesh.rank() == 3)
      highest[0] = first + 1e9;
    pmrt_displacement_bound(&ctx, nullptr, 0, &a, lowest, highest, 2, lo, hi);
    EXPECT_EQ(lo[0], 2);
    EXPECT_EQ(hi[0], 16);             // the whole box
    lowest[0] = lowest[1] = INFINITY; // no particles
    highest[0] = highest[1] = -INFINITY;
    pmrt_displacement_bound(&ctx, nullptr, 0, &a, lowest, highest, 2, lo, hi);
    EXPECT_EQ(lo[0] + hi[0], 0);
    // One rank has particles, all in one cell.
    if (ctx.mesh.rank() == 1)
      lowest[0] = highest[0] = first - 3;
    pmrt_displacement_bound(&ctx, nullptr, 0, &a, lowest, highest, 2, lo, hi);
    EXPECT_EQ(lo[0], 3);
    EXPECT_EQ(hi[0], 0);
  });
  for (double bad : {double(NAN), double(INFINITY)})
    EXPECT_CONTAINS(messageOf([&] {
                      onRanks({2}, dims.program, {}, [&](pmrt_context &ctx) {
                        const pmrt_array a = arrayOver(nullptr, PMRT_F32, d);
                        double lowest[] = {0, 0}, highest[] = {1, 1};
                        if (ctx.mesh.rank() == 1)
                          highest[0] = bad;
                        int64_t lo[2], hi[2];
                        pmrt_displacement_bound(&ctx, nullptr, 0, &a, lowest,
                                                highest, 2, lo, hi);
                      });
                    }),
                    "position is not finite, or too large");
}

//===----------------------------------------------------------------------===//
// Paint through a view
//===----------------------------------------------------------------------===//

namespace {

/// A CIC paint of n^3 particles as a compiled program does it.
struct Painter {
  int64_t n = 0;
  Box lattice;
  std::vector<double> displacement; ///< 3 a particle, in cells
  double *cells = nullptr;          ///< of this rank
  pmrt_halo *view = nullptr;
  int64_t rows1 = 0;

  double position(int64_t row, int64_t z, int d) const {
    const int64_t local = row * lattice.sides[2].extent + z;
    const int64_t site[] = {lattice.sides[0].offset + row / rows1,
                            lattice.sides[1].offset + row % rows1,
                            lattice.sides[2].offset + z};
    return double(site[d]) + displacement[size_t(3 * local + d)];
  }

  void deposit(int64_t row, int64_t z) const {
    Extents first(3);
    double t[3];
    for (int d = 0; d < 3; ++d) {
      const double x = position(row, z, d);
      first[size_t(d)] = int64_t(std::floor(x));
      t[d] = x - std::floor(x);
    }
    for (int corner = 0; corner < 8; ++corner) {
      Extents at = first;
      double weight = 1;
      for (int d = 0; d < 3; ++d) {
        const bool upper = corner >> d & 1;
        at[size_t(d)] += upper;
        weight *= upper ? t[d] : 1 - t[d];
      }
      *cellOf(*view, cells, at) += weight;
    }
  }

  static Painter &of(void *args) { return *static_cast<Painter *>(args); }

  static void bounds(void *args, int64_t begin, int64_t end, double *partial) {
    const Painter &p = of(args);
    for (int64_t row = begin; row < end; ++row)
      for (int64_t z = 0; z < p.lattice.sides[2].extent; ++z)
        for (int d = 0; d < 2; ++d) {
          const int64_t site = d ? p.lattice.sides[1].offset + row % p.rows1
                                 : p.lattice.sides[0].offset + row / p.rows1;
          const double first = std::floor(p.position(row, z, d)) - double(site);
          partial[2 * d] = std::min(partial[2 * d], first);
          partial[2 * d + 1] = std::min(partial[2 * d + 1], -first);
          partial[4] = 0;
        }
  }
  static void block(void *args, int64_t b0, int64_t e0, int64_t b1,
                    int64_t e1) {
    const Painter &p = of(args);
    for (int64_t i = b0; i < e0; ++i)
      for (int64_t j = b1; j < e1; ++j)
        for (int64_t z = 0; z < p.lattice.sides[2].extent; ++z)
          p.deposit(i * p.rows1 + j, z);
  }
  static void planes(void *args, int64_t begin, int64_t end, int32_t *plane) {
    const Painter &p = of(args);
    const int64_t depth = p.lattice.sides[2].extent;
    for (int64_t row = begin; row < end; ++row)
      for (int64_t z = 0; z < depth; ++z) {
        const auto first = int64_t(std::floor(p.position(row, z, 0)));
        const int64_t v = (first - p.view->origin[0]) % p.n;
        plane[row * depth + z] = int32_t(v < 0 ? v + p.n : v);
      }
  }
  static void list(void *args, const int64_t *particles, int64_t count) {
    const Painter &p = of(args);
    const int64_t depth = p.lattice.sides[2].extent;
    for (int64_t i = 0; i < count; ++i)
      p.deposit(particles[i] / depth, particles[i] % depth);
  }
};

/// The painted mesh of a displacement field over a mesh of ranks.
std::vector<double> paint(const Extents &mesh, int64_t n,
                          const std::vector<double> &displacement,
                          int threads) {
  Dims dims;
  const std::vector<int32_t> d = {dims.dim(n, {"row"}), dims.dim(n, {"col"}),
                                  dims.dim(n, {})};
  std::vector<double> result(static_cast<size_t>(n * n * n));
  std::mutex lock;
  Settings settings;
  settings.threads = threads;
  onRanks(mesh, dims.program, settings, [&](pmrt_context &ctx) {
    pmrt_array a = arrayOver(nullptr, PMRT_F64, d);
    Painter painter;
    painter.n = n;
    painter.lattice = layoutOf(ctx, a).box(ctx.mesh);
    const auto shape = painter.lattice.shape();
    painter.rows1 = shape[1];
    double lowest[3] = {1e300, 1e300, 1e300}, highest[3] = {-1e300, -1e300, 0};
    std::vector<double> cells(static_cast<size_t>(painter.lattice.cells()));
    a.data = painter.cells = cells.data();
    forCells(painter.lattice, [&](int64_t, const Extents &at) {
      for (int k = 0; k < 3; ++k)
        painter.displacement.push_back(
            displacement[size_t(3 * linear(at, {n, n, n}) + k)]);
    });
    for (int64_t row = 0; row < shape[0] * shape[1]; ++row)
      for (int64_t z = 0; z < n; ++z)
        for (int k = 0; k < 3; ++k) {
          const double first = std::floor(painter.position(row, z, k));
          lowest[k] = std::min(lowest[k], first);
          highest[k] = std::max(highest[k], first);
        }
    int64_t lo[3], hi[3];
    pmrt_displacement_bound(&ctx, nullptr, 0, &a, lowest, highest, 2, lo, hi);
    painter.view = pmrt_halo_open(&ctx, nullptr, 0, &a, lo, hi);
    const pmrt_scatter_bodies bodies = {
        Painter::bounds, Painter::block, Painter::planes, Painter::list,
        nullptr,         nullptr,        nullptr};
    const pmrt_array *meshes[] = {&a};
    const double ratio[] = {1, 1};
    const int64_t first[] = {painter.lattice.sides[0].offset,
                             painter.lattice.sides[1].offset};
    pmrt_scatter_halo(&ctx, nullptr, 0, "paint", &bodies, &painter, 1, meshes,
                      painter.view, first, shape[0], shape[1], n, 2, ratio, 1);
    pmrt_halo_reduce(&ctx, nullptr, 0, painter.view);
    std::lock_guard guard(lock);
    forCells(painter.lattice, [&](int64_t i, const Extents &at) {
      result[size_t(linear(at, {n, n, n}))] = cells[size_t(i)];
    });
  });
  return result;
}

} // namespace

TEST(Halo, PaintIsThatOfOneRankHoweverFarParticlesGo) {
  const int64_t n = 24;
  std::vector<double> noise(static_cast<size_t>(3 * n * n * n));
  fillNormal(5, 0, int64_t(noise.size()), noise.data());
  for (double width : {0.3, 4.0, 40.0}) {
    std::vector<double> displacement = noise;
    for (double &u : displacement)
      u *= width;
    const std::vector<double> want = paint({1, 1}, n, displacement, 2);
    double total = 0;
    for (double cell : want)
      total += cell;
    EXPECT_NEAR(total, double(n * n * n), 1e-6);
    for (const Extents &mesh : {Extents{2, 2}, Extents{4, 1}, Extents{3, 2}}) {
      const std::vector<double> got = paint(mesh, n, displacement, 2);
      for (size_t i = 0; i < got.size(); ++i)
        ASSERT_NEAR(got[i], want[i], 1e-11);
      EXPECT_EQ(got, paint(mesh, n, displacement, 1)); // whatever the threads
    }
  }
}

TEST(Halo, PaintWithoutAViewOntoASplitMeshIsAnInternalError) {
  Dims dims;
  const int32_t x = dims.dim(8, {"row"});
  EXPECT_CONTAINS(messageOf([&] {
                    onRanks({2}, dims.program, {}, [&](pmrt_context &ctx) {
                      std::vector<double> cells(4);
                      const pmrt_array a =
                          arrayOver(cells.data(), PMRT_F64, {x});
                      const pmrt_scatter_bodies bodies = {};
                      const double ratio[] = {1, 1};
                      const pmrt_array *meshes[] = {&a};
                      pmrt_scatter(&ctx, nullptr, 0, "paint", &bodies, nullptr,
                                   1, meshes, 4, 1, 1, 2, ratio, 1);
                    });
                  }),
                  "paint without a halo onto dim 'd0', which 2 ranks share");
}

TEST(HaloShape, HasEveryCellOnceHoweverWide) {
  for (int64_t n = 1; n <= 7; ++n)
    for (int64_t parts = 1; parts <= std::min<int64_t>(n, 3); ++parts) {
      std::vector<Shard> owners;
      for (int64_t p = 0, begin = 0; p < parts; ++p) {
        const int64_t end = (p + 1) * n / parts;
        owners.push_back({begin, end - begin});
        begin = end;
      }
      for (const Shard &own : owners)
        for (int64_t lo = 0; lo <= n + 1; ++lo)
          for (int64_t hi = 0; hi <= n + 1; ++hi) {
            const HaloShape shape(Box{{own}}, {n}, {lo}, {hi});
            const Shard &view = shape.view().sides[0];
            ASSERT_EQ(view.extent, std::min(n, own.extent + lo + hi))
                << n << own.extent << lo << hi;
            ASSERT_EQ(shape.below(0), std::min(lo, n - own.extent));
            ASSERT_EQ((view.offset + shape.below(0)) % n, own.offset);
            // The owners' pieces together are the view.
            std::vector<int> seen(size_t(view.extent), 0);
            for (const Shard &owner : owners)
              for (const HaloPiece &piece : shape.pieces(Box{{owner}})) {
                const Shard &in = piece.inView.sides[0],
                            &of = piece.inMesh.sides[0];
                ASSERT_EQ(in.extent, of.extent);
                for (int64_t i = 0; i < in.extent; ++i) {
                  ASSERT_EQ((view.offset + in.offset + i) % n, of.offset + i);
                  ASSERT_GE(of.offset + i, owner.offset);
                  ASSERT_LT(of.offset + i, owner.offset + owner.extent);
                  ++seen[size_t(in.offset + i)];
                }
              }
            ASSERT_EQ(seen, std::vector<int>(seen.size(), 1));
          }
    }
}
