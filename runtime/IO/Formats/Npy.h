//===- Npy.h - NumPy's file format ------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FORMATS_NPY_H
#define PMRT_IO_FORMATS_NPY_H

#include "pmrt/pmrt.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pmrt {

/// The header of a .npy file.
struct NpyHeader {
  std::string descr; ///< "<f4"
  bool fortran = false;
  std::vector<int64_t> shape;
  int64_t dataOffset = 0; ///< bytes
};

/// Parses the header at the beginning of a file of `fileSize` bytes, of which
/// `bytes` holds the first ones. Throws std::runtime_error that says what is
/// wrong ("is not a .npy file").
NpyHeader parseNpyHeader(const std::string &bytes);

/// A version 1 header, C order, little endian, padded to 64 bytes.
std::string npyHeader(pmrt_element element, const std::vector<int64_t> &shape);

} // namespace pmrt

#endif // PMRT_IO_FORMATS_NPY_H
