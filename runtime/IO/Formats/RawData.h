//===- RawData.h - Files of ISMRMRD -----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FORMATS_RAWDATA_H
#define PMRT_IO_FORMATS_RAWDATA_H

#include "runtime/IO/Formats/Source.h"

#include <memory>
#include <string>

namespace pmrt {

/// Raw data in a group of an HDF5 file, or the trajectory of its samples. Lines
/// are read as they are asked for.
std::unique_ptr<Source> openRawData(const std::string &path,
                                    const std::string &group,
                                    bool isTrajectory);

} // namespace pmrt

#endif // PMRT_IO_FORMATS_RAWDATA_H
