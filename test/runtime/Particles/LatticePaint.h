//===- LatticePaint.h - Paints whose bodies are written in C++ --*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_TEST_PARTICLES_LATTICEPAINT_H
#define PMRT_TEST_PARTICLES_LATTICEPAINT_H

#include "runtime/Core/WhiteNoise.h"
#include "test/runtime/Support.h"

#include "pmrt/particles.h"

#include <cmath>
#include <vector>

namespace pmrt::test {

/// Particles on a lattice of l^3 sites, painted with a window of `support`
/// cells of equal weight onto (ratio l)^3 cells.
struct Paint {
  int64_t l, ratio, box = 0; ///< box: cells, if it is not the lattice's
  int32_t support;
  std::vector<float> u[3]; ///< displacements in mesh cells
  std::vector<float> mesh;
  std::vector<bool> isPainted; ///< empty if all are

  Paint(int64_t l, int64_t ratio, int32_t support, double amplitude)
      : l(l), ratio(ratio), support(support) {
    for (int d = 0; d < 3; ++d) {
      u[d].resize(size_t(l * l * l));
      fillNormal(uint64_t(d) + 1, 0, l * l * l, u[d].data());
      for (float &x : u[d])
        x = float(amplitude * std::clamp(double(x), -2.0, 2.0) + 0.31);
    }
    mesh.assign(size_t(cells() * cells() * cells()), 0);
  }
  int64_t cells() const { return box > 0 ? box : l * ratio; }

  /// The first cell. The runtime reports a position that is not finite or too
  /// large, but may ask for its cell before that.
  int64_t start(int d, int64_t i) const {
    const int64_t site = d == 0 ? i / (l * l) : d == 1 ? i / l % l : i % l;
    const double cells = std::floor(double(u[d][size_t(i)]));
    return site * ratio +
           (std::isnan(cells) ? 0 : int64_t(std::clamp(cells, -9e18, 9e18)));
  }
  bool paints(int64_t i) const {
    return isPainted.empty() || isPainted[size_t(i)];
  }
  /// Weights of different sizes make the order of additions visible.
  static float weight(int64_t i) { return 1.0f + 1e-3f * float(i % 1009); }
  void deposit(int64_t i) { deposit(i, mesh.data()); }
  template <typename Real> void deposit(int64_t i, Real *cell) {
    if (!paints(i))
      return;
    const int64_t n = cells();
    for (int64_t x = 0; x < support; ++x)
      for (int64_t y = 0; y < support; ++y)
        for (int64_t z = 0; z < support; ++z) {
          const int64_t at[3] = {start(0, i) + x, start(1, i) + y,
                                 start(2, i) + z};
          int64_t index = 0;
          for (int64_t c : at)
            index = index * n + ((c % n) + n) % n;
          cell[index] += weight(i);
        }
  }
};

inline void bounds(void *args, int64_t begin, int64_t end, double *partial) {
  auto &p = *static_cast<Paint *>(args);
  for (int64_t i = begin * p.l; i < end * p.l; ++i)
    for (int d = 0; d < 3 && p.paints(i); ++d) {
      const double low = std::floor(p.u[d][size_t(i)]);
      if (d < 2) {
        partial[2 * d] = std::fmin(partial[2 * d], low);
        partial[2 * d + 1] = std::fmin(partial[2 * d + 1], -low);
      }
      if (!std::isfinite(low))
        partial[4] = NAN;
      else if (partial[4] > 0)
        partial[4] = 0;
    }
}

inline void block(void *args, int64_t b0, int64_t e0, int64_t b1, int64_t e1) {
  auto &p = *static_cast<Paint *>(args);
  for (int64_t i = b0; i < e0; ++i)
    for (int64_t j = b1; j < e1; ++j)
      for (int64_t k = 0; k < p.l; ++k)
        p.deposit((i * p.l + j) * p.l + k);
}

inline void planes(void *args, int64_t begin, int64_t end, int32_t *plane) {
  auto &p = *static_cast<Paint *>(args);
  const int64_t n = p.cells();
  for (int64_t i = begin * p.l; i < end * p.l; ++i)
    plane[i] = p.paints(i) ? int32_t((p.start(0, i) % n + n) % n) : -1;
}

/// All that are listed are painted, as in programs.
inline void list(void *args, const int64_t *particles, int64_t count) {
  auto &p = *static_cast<Paint *>(args);
  for (int64_t i = 0; i < count; ++i) {
    EXPECT_TRUE(p.paints(particles[i])) << particles[i];
    p.deposit(particles[i]);
  }
}

inline constexpr pmrt_scatter_bodies latticeBodies = {
    bounds, block, planes, list, nullptr, nullptr, nullptr};

inline void run(Paint &p, int threads, bool lattice,
                const pmrt_scatter_bodies &bodies = latticeBodies) {
  auto context = makeContext({p.cells(), p.cells(), p.cells()}, threads);
  const pmrt_array mesh = array(p.mesh, PMRT_F32, 0, 3);
  const double ratio[2] = {double(p.ratio), double(p.ratio)};
  const pmrt_array *meshes[] = {&mesh};
  pmrt_scatter(context.get(), nullptr, 0, "paint", &bodies, &p, 1, meshes, p.l,
               p.l, p.l, p.support, ratio, lattice);
}

/// The sum over the mesh and every cell agree with painting in order.
inline void expectRight(const Paint &p) {
  Paint serial = p;
  std::fill(serial.mesh.begin(), serial.mesh.end(), 0.0f);
  for (int64_t i = 0; i < p.l * p.l * p.l; ++i)
    serial.deposit(i);
  for (size_t i = 0; i < p.mesh.size(); ++i)
    ASSERT_NEAR(p.mesh[i], serial.mesh[i], 1e-4 * (1 + serial.mesh[i]));
}

} // namespace pmrt::test

#endif // PMRT_TEST_PARTICLES_LATTICEPAINT_H
