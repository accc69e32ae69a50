//===- Outputs.h - What a program writes ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_OUTPUTS_H
#define PMRT_IO_OUTPUTS_H

#include "runtime/Core/Context.h"
#include "runtime/IO/Hdf5.h"

#include <functional>
#include <string>
#include <vector>

namespace pmrt {

/// An array to be written: a function that copies elements [begin, end), in C
/// order, to `out`, so that the whole never exists twice.
struct Stream {
  pmrt_element element = PMRT_F64;
  std::vector<int64_t> shape;
  std::function<void(int64_t begin, int64_t end, char *out)> copy;
  /// Set if the elements lie in memory as they are; `copy` is not used then.
  const char *data = nullptr;
};

/// Writes `DIR/NAME.h5` or `DIR/NAME.npy`. Throws std::runtime_error.
void writeArray(Context &context, const std::string &name, const Stream &stream,
                const std::vector<Attribute> &attributes);

/// Attributes of every file: program, versions, hash, parameters.
std::vector<Attribute> programAttributes(const Context &context);

} // namespace pmrt

#endif // PMRT_IO_OUTPUTS_H
