//===- FigureData.h - The values of a plot, in its picture ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FIGURES_FIGUREDATA_H
#define PMRT_IO_FIGURES_FIGUREDATA_H

#include "runtime/IO/Figures/Figure.h"

#include <optional>
#include <string>
#include <vector>

namespace pmrt {

/// A PNG with what it shows, for `pmc report A B`: curves without their bands,
/// maps without contours, as means of f32 on at most 192 cells a side.
std::string withFigure(const std::string &png, const Figure &figure);
/// A frame with all that draws it again, and what it was drawn with.
std::string withWholeFigure(const std::string &png, const Figure &figure,
                            const std::vector<PanelRanges> &ranges);
struct WholeFigure {
  Figure figure;
  std::vector<PanelRanges> ranges;
};
std::optional<WholeFigure> wholeFigureIn(const std::string &png);
/// Nothing if it has none. Throws std::runtime_error if it is damaged.
std::optional<Figure> figureIn(const std::string &png);
/// The picture alone.
std::string withoutFigure(const std::string &png);

} // namespace pmrt

#endif // PMRT_IO_FIGURES_FIGUREDATA_H
