//===- Animation.h - Plots of a loop, one after the other -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FIGURES_ANIMATION_H
#define PMRT_IO_FIGURES_ANIMATION_H

#include "runtime/Core/Context.h"

namespace pmrt {

/// Writes DIR/NAME.png for every plot in a loop, an animated picture of its
/// frames NAME_000.png and so on; of a run that has been resumed, with those
/// before. Where the program ffmpeg is found, NAME.mp4 as well. A collective.
void animateFrames(Context &context);

} // namespace pmrt

#endif // PMRT_IO_FIGURES_ANIMATION_H
