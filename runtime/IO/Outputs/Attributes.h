//===- Attributes.h - What a file says of its numbers ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_OUTPUTS_ATTRIBUTES_H
#define PMRT_IO_OUTPUTS_ATTRIBUTES_H

#include "runtime/Core/Context.h"
#include "runtime/IO/Formats/Hdf5/Hdf5.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pmrt {

/// Of an array.
struct DimNames {
  std::vector<std::string> names;
  std::vector<double> lengths;
  std::vector<std::string> texts; ///< "100 Mpc/h"
  /// 2π / length for dims of Fourier space, and 0 for others.
  std::vector<double> wavenumbers;
  std::string half; ///< the dim that stores half of a spectrum; "": none
};
DimNames dimNamesOf(const Context &ctx, std::span<const int32_t> dims);

/// The program, how it was made, and its parameters.
std::vector<Attribute> programAttributes(const Context &context);
/// The same, and an output's unit, dims, lengths, wavenumbers and columns.
std::vector<Attribute> outputAttributes(const Context &context,
                                        const Output &output,
                                        const DimNames &dims);

} // namespace pmrt

#endif // PMRT_IO_OUTPUTS_ATTRIBUTES_H
