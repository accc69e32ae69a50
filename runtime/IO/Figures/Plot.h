//===- Plot.h - Pictures of a program ---------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FIGURES_PLOT_H
#define PMRT_IO_FIGURES_PLOT_H

#include "runtime/Core/Context.h"
#include "runtime/IO/Figures/Figure.h"

namespace pmrt {

/// By libpmrt_plot.so. Throws Exit::Usage, with what is missing.
decltype(pmrt_plot_plugin_draw) *drawingFunction();
decltype(pmrt_plot_plugin_shrink) *shrinkingFunction();
decltype(pmrt_plot_plugin_animate) *animatingFunction();
/// For tests: where each text is, in the folder that $PMRT_PLOT_LAYOUT names.
void tellLayout(const std::string &name, const Drawing &drawing);

} // namespace pmrt

#endif // PMRT_IO_FIGURES_PLOT_H
