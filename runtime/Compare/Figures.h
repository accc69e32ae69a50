//===- Figures.h - Figures of two runs --------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMPARE_FIGURES_H
#define PMRT_COMPARE_FIGURES_H

#include "runtime/IO/Figures/Figure.h"

namespace pmrt {

/// Two figures of one name in one: curves over one another, each over its own
/// x; maps side by side on one scale, and their difference if they have the
/// same pixels. One figure for every panel.
std::vector<Figure> compareFigures(const Figure &a, const Figure &b);

} // namespace pmrt

#endif // PMRT_COMPARE_FIGURES_H
