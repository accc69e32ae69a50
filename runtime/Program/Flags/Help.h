//===- Help.h - What a program says of its flags ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_FLAGS_HELP_H
#define PMRT_PROGRAM_FLAGS_HELP_H

#include "runtime/Core/Descriptor.h"

#include <string>

namespace pmrt {

/// The fields of a record come from one file: `net/first/weight` from that of
/// --net.
std::string inputFlag(const Input &input);

/// The text of --help.
std::string helpText(const Descriptor &program, const std::string &command);
/// The text of --version.
std::string versionText(const Descriptor &program);

} // namespace pmrt

#endif // PMRT_PROGRAM_FLAGS_HELP_H
