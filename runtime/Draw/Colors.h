//===- Colors.h - Colour maps and the colours of curves ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_DRAW_COLORS_H
#define PMRT_DRAW_COLORS_H

#include <cstddef>
#include <string>

namespace pmrt {

struct Colour {
  double r = 0, g = 0, b = 0;
};

/// A map's colour at t in [0, 1]: "sequential" (the default), "inferno",
/// "gray", "diverging", "cyclic", or "mask" of two colours.
Colour colormap(const std::string &name, double t);

/// Told apart by the colour-blind, too; they begin again after `curveColours`.
constexpr size_t curveColours = 7;
Colour curveColour(size_t curve);

} // namespace pmrt

#endif // PMRT_DRAW_COLORS_H
