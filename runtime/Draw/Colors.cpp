//===- Colors.cpp - Colour maps and the colours of curves -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Draw/Colors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

using namespace pmrt;

static Colour fromBits(uint32_t rgb) {
  return {double(rgb >> 16) / 255, double(rgb >> 8 & 255) / 255,
          double(rgb & 255) / 255};
}

/// Evenly spaced colours, between which one goes straight.
static const std::vector<uint32_t> &stops(const std::string &name) {
  static const std::vector<uint32_t> // matplotlib's, but for gray
      viridis = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725},
      inferno = {0x000004, 0x210c4a, 0x57106e, 0x8a226a, 0xbc3754,
                 0xe45a31, 0xf98e09, 0xf9cb35, 0xfcffa4},
      diverging = {0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7,
                   0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b, 0x67001f},
      cyclic = {0xe2d9e2, 0x9ebbc9, 0x6785be, 0x5e43a5, 0x2f1436,
                0x8e2c50, 0xba6657, 0xceac94, 0xe2d9e2},
      gray = {0x000000, 0xffffff}, mask = {0xf2efe6, 0x0b3c5d};
  return name == "inferno"     ? inferno
         : name == "diverging" ? diverging
         : name == "cyclic"    ? cyclic
         : name == "gray"      ? gray
         : name == "mask"      ? mask
                               : viridis;
}

Colour pmrt::colormap(const std::string &name, double t) {
  const auto &all = stops(name);
  if (name == "mask")
    return fromBits(all[t < 0.5 ? 0 : 1]);
  const double at = std::clamp(t, 0.0, 1.0) * double(all.size() - 1);
  const size_t from = std::min(size_t(at), all.size() - 2);
  const Colour a = fromBits(all[from]), b = fromBits(all[from + 1]);
  const double part = at - double(from);
  return {std::lerp(a.r, b.r, part), std::lerp(a.g, b.g, part),
          std::lerp(a.b, b.b, part)};
}

Colour pmrt::curveColour(size_t curve) {
  // Okabe and Ito's, without the yellow, which is faint on white.
  static constexpr uint32_t all[curveColours] = {
      0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000};
  return fromBits(all[curve % curveColours]);
}
