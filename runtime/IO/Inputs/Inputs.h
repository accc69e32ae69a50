//===- Inputs.h - Fields and tables that the user gives ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_INPUTS_INPUTS_H
#define PMRT_IO_INPUTS_INPUTS_H

#include "runtime/Core/Context.h"

#include <memory>
#include <string>

namespace pmrt {

/// Looks at every given input: the file, its shape and element type, and the
/// whole of tables. With `values`, also reads every field and looks for values
/// that are not finite. Throws Exit::Usage. Returns a line an input, such as
/// "--delta_lin: lin.npy, 128x128x128 float32".
std::vector<std::string> checkInputs(Context &context, bool values);

/// The fields and what reading an input takes besides them fit into the memory
/// limit together. Throws Exit::Usage.
void checkReading(Context &context);

/// The given inputs, each with a hash of its values: "data=01234567...".
/// Reads them, every rank what it owns. On all ranks; throws Exit::Usage.
std::string describeContents(Context &context, pmrt_loc loc);

/// An input that was given, of that kind.
const Input &inputAt(Context &context, pmrt_loc loc, int32_t index,
                     InputKind kind);

} // namespace pmrt

#endif // PMRT_IO_INPUTS_INPUTS_H
