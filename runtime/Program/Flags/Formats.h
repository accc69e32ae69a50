//===- Formats.h - Which output goes to which kind of file ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_FLAGS_FORMATS_H
#define PMRT_PROGRAM_FLAGS_FORMATS_H

#include "runtime/Core/Context.h"

#include <string>

namespace pmrt {

/// Parses --format: "npy", or "h5,image=nii". Throws Exit::Usage, also where an
/// output is none that such a file can hold.
void parseFormats(const Descriptor &program, const std::string &text,
                  Settings &settings);

/// The same, written out.
std::string formatsText(const Settings &settings);

} // namespace pmrt

#endif // PMRT_PROGRAM_FLAGS_FORMATS_H
