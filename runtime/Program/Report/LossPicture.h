//===- LossPicture.h - Losses over iterations -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_REPORT_LOSSPICTURE_H
#define PMRT_PROGRAM_REPORT_LOSSPICTURE_H

#include "runtime/Core/Context.h"

#include <string>

namespace pmrt {

/// Of many points as many as can be seen: each part's least and largest ones.
std::vector<std::pair<double, double>>
thinnedLosses(const std::vector<std::pair<double, double>> &all);

/// A curve for each fit, in SVG for a page of HTML.
std::string lossCurves(const Context::Losses &losses);

/// From now on the first rank keeps DIR/losses.svg, with the losses so far, up
/// to date while fits run: written anew once a second at most. `lastPicture`
/// writes it once more, with all of them.
std::string lossPicturePath(const Context &context);
void watchLosses(Context &context);
void lastPicture(Context &context);

} // namespace pmrt

#endif // PMRT_PROGRAM_REPORT_LOSSPICTURE_H
