//===- HaloCost.h - What cells of other ranks cost --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_HALOCOST_H
#define PMRT_PROGRAM_HALOCOST_H

#include "runtime/Core/Context.h"

namespace pmrt {

/// A table of the program's halos for --dry-run: bytes by how far particles
/// go. Empty if ranks share no mesh.
std::string haloText(const Context &context);

} // namespace pmrt

#endif // PMRT_PROGRAM_HALOCOST_H
