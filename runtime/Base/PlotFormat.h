//===- PlotFormat.h - Files of pictures -------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_PLOTFORMAT_H
#define PMRT_BASE_PLOTFORMAT_H

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

} // namespace pmrt

#endif // PMRT_BASE_PLOTFORMAT_H
