//===- Cfl.h - Files of BART ------------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NAME.cfl holds complex numbers of two floats, little endian, the first index
// the fastest. NAME.hdr says in text how many there are along each of 16 dims.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FORMATS_CFL_H
#define PMRT_IO_FORMATS_CFL_H

#include "runtime/IO/Formats/Source.h"

#include <memory>
#include <string>
#include <vector>

namespace pmrt {

std::unique_ptr<Source> openCfl(const std::string &path);

/// The path of the text for that of the numbers, NAME.hdr for NAME.cfl.
std::string cflHeaderPath(const std::string &path);

/// The text. `shape`: along BART's dims, the fastest first.
std::string cflHeader(const std::vector<int64_t> &shape,
                      const std::string &creator);

} // namespace pmrt

#endif // PMRT_IO_FORMATS_CFL_H
