//===- PlotFormat.h - Files of pictures -------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_PLOTFORMAT_H
#define PMRT_BASE_PLOTFORMAT_H

#include <cstdint>
#include <string>

namespace pmrt {

enum class PlotFormat { Png, Svg, Pdf, None };

/// "plot1.png"; "" for None.
inline std::string pictureFile(const std::string &name, PlotFormat format) {
  switch (format) {
  case PlotFormat::Png:
    return name + ".png";
  case PlotFormat::Svg:
    return name + ".svg";
  case PlotFormat::Pdf:
    return name + ".pdf";
  case PlotFormat::None:
    break;
  }
  return "";
}

/// What stands for the iterations in the names of files that are written in
/// loops.
inline std::string iterationsMark(int64_t loops) {
  std::string mark;
  for (int64_t i = 0; i < loops; ++i)
    mark += "_*";
  return mark;
}

} // namespace pmrt

#endif // PMRT_BASE_PLOTFORMAT_H
