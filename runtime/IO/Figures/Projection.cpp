//===- Projection.cpp - Maps of the sky and of discs ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Figures/Projection.h"

#include "runtime/Dist/Layout.h"
#include "runtime/IO/Files/Elements.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

using namespace pmrt;

/// The rings around a pole have 4, 8, ... pixels, those in between 4 nside.
int64_t pmrt::healpixRing(int64_t nside, double z, double phi) {
  const auto n = double(nside);
  const double turn = std::clamp(phi / (M_PI / 2), 0.0, 4.0 * (1 - 1e-16));
  if (std::abs(z) <= 2.0 / 3.0) {
    const double along = n * (0.5 + turn), across = 0.75 * n * z;
    const auto rising = int64_t(std::floor(along - across)),
               falling = int64_t(std::floor(along + across));
    const int64_t ring = nside + 1 + rising - falling; // from 1 on
    const int64_t isShifted = 1 - (ring & 1);
    int64_t place = (rising + falling - nside + isShifted + 1) / 2;
    place = (place + 4 * nside) % (4 * nside);
    return 2 * nside * (nside - 1) + (ring - 1) * 4 * nside + place;
  }
  const double part = turn - std::floor(turn),
               reach = n * std::sqrt(3 * (1 - std::abs(z)));
  const int64_t ring = int64_t(part * reach) + int64_t((1 - part) * reach) + 1;
  const int64_t place = int64_t(turn * double(ring)) % (4 * ring);
  return z > 0 ? 2 * ring * (ring - 1) + place
               : 12 * nside * nside - 2 * ring * (ring + 1) + place;
}

namespace {

/// Which cell is at a point of the page, u to the right and v up, from 0 to 1.
class Projection {
public:
  Projection(std::string name, std::vector<int64_t> cells)
      : name(std::move(name)), cells(std::move(cells)),
        nside(int64_t(std::lround(std::sqrt(double(this->cells[0]) / 12)))) {}

  bool find(double u, double v, int64_t *cell) const {
    return name == "polar" ? findInDisc(u, v, cell) : findOnSky(u, v, cell);
  }

private:
  static int64_t within(double part, int64_t count) {
    return std::clamp(int64_t(part * double(count)), int64_t(0), count - 1);
  }
  bool findInDisc(double u, double v, int64_t *cell) const {
    const double x = 2 * u - 1, y = 2 * v - 1, radius = std::hypot(x, y);
    if (radius > 1)
      return false;
    const double angle = std::atan2(y, x);
    cell[0] =
        within((angle < 0 ? angle + 2 * M_PI : angle) / (2 * M_PI), cells[0]);
    cell[1] = within(radius, cells[1]);
    return true;
  }
  /// Longitude 0 is in the middle, and grows to the left, as on the sky.
  bool findOnSky(double u, double v, int64_t *cell) const {
    const double x = 2 * u - 1, y = 2 * v - 1;
    if (x * x + y * y > 1)
      return false;
    const double theta = std::asin(y), wide = std::max(std::cos(theta), 1e-300),
                 z = std::clamp((2 * theta + std::sin(2 * theta)) / M_PI, -1.0,
                                1.0);
    const double longitude = -M_PI * std::clamp(x / wide, -1.0, 1.0),
                 phi = longitude < 0 ? longitude + 2 * M_PI : longitude;
    if (cells.size() == 1) {
      cell[0] = healpixRing(nside, z, phi);
      return true;
    }
    cell[0] = within(phi / (2 * M_PI), cells[0]);
    cell[1] = within(0.5 + std::asin(z) / M_PI, cells[1]);
    return true;
  }

  std::string name;
  std::vector<int64_t> cells;
  int64_t nside;
};

} // namespace

void pmrt::projectMap(Context &context, const pmrt_array &array,
                      Figure &figure) {
  const Layout layout = layoutOf(context, array);
  const Projection projection(figure.projection, layout.cells());
  figure.columns = figure.projection == "polar" ? 800 : 1000;
  figure.rows = figure.projection == "polar" ? 800 : 500;
  const auto count = size_t(figure.columns * figure.rows);
  double all = 1;
  for (int64_t cells : layout.cells())
    all *= double(cells);
  const int points =
      int(std::clamp(std::ceil(std::sqrt(all / double(count))), 2.0, 8.0));
  // Sums, then numbers of values that are finite.
  std::vector<double> sums(2 * count, 0.0);
  const Box mine = layout.box(context.mesh);
  if (isFirstCopy(context.mesh, layout.axes()) && mine.cells() > 0) {
    const auto element = pmrt_element(array.element);
    std::vector<char> copy;
    const void *data = context.device->read(
        array.data, mine.cells() * elementSize(element), copy);
    const size_t rank = mine.sides.size();
    visitAs(element, data, [&](auto value) {
      context.threads.forRange(figure.columns, [&](int64_t from, int64_t to) {
        int64_t cell[2] = {0, 0};
        auto add = [&](size_t at, double u, double v) {
          if (!projection.find(u, v, cell))
            return;
          int64_t index = 0;
          for (size_t d = 0; d < rank; ++d) {
            const Shard &side = mine.sides[d];
            const int64_t own = cell[d] - side.offset;
            if (own < 0 || own >= side.extent)
              return;
            index = index * side.extent + own;
          }
          const double one = value(index);
          if (!std::isfinite(one))
            return;
          sums[at] += one;
          sums[count + at] += 1;
        };
        for (int64_t i = from; i < to; ++i)
          for (int64_t j = 0; j < figure.rows; ++j)
            for (int p = 0; p < points; ++p)
              for (int q = 0; q < points; ++q)
                add(size_t(i * figure.rows + j),
                    (double(i) + (q + 0.5) / points) / double(figure.columns),
                    (double(j) + (p + 0.5) / points) / double(figure.rows));
      });
    });
  }
  context.world.reduce(PMRT_SUM, int64_t(sums.size()), sums.data());
  figure.values.resize(count);
  for (size_t i = 0; i < count; ++i)
    figure.values[i] = sums[count + i] > 0
                           ? sums[i] / sums[count + i]
                           : std::numeric_limits<double>::quiet_NaN();
}
