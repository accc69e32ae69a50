//===- WholeFile.h - All bytes of a file ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_WHOLEFILE_H
#define PMRT_BASE_WHOLEFILE_H

#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace pmrt {

/// Throws std::runtime_error where the file cannot be read.
inline std::string readWholeFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream read;
  read << stream.rdbuf();
  if (!stream)
    throw std::runtime_error(fmt::format("cannot read {}", path));
  return read.str();
}

} // namespace pmrt

#endif // PMRT_BASE_WHOLEFILE_H
