//===- Geometries.h - Where the cells of output images are ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_OUTPUTS_GEOMETRIES_H
#define PMRT_IO_OUTPUTS_GEOMETRIES_H

namespace pmrt {

class Context;

/// Chooses the geometry of every output whose format stores one: that of the
/// inputs over the same dims, else that of --like. Throws std::runtime_error if
/// --like cannot be read or fits no output.
void chooseGeometries(Context &context);

} // namespace pmrt

#endif // PMRT_IO_OUTPUTS_GEOMETRIES_H
