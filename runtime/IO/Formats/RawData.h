//===- RawData.h - Files of ISMRMRD -----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FORMATS_RAWDATA_H
#define PMRT_IO_FORMATS_RAWDATA_H

#include "runtime/IO/Formats/Source.h"

#include <optional>
#include <string>

namespace pmrt {

/// Raw data of ISMRMRD: readings, or the places where they were taken.
struct RawDataName {
  std::string group;
  bool isTrajectory = false;
};
/// Of an HDF5 file; nothing where it holds arrays.
std::optional<RawDataName> rawDataName(const SourceName &name);

} // namespace pmrt

#endif // PMRT_IO_FORMATS_RAWDATA_H
