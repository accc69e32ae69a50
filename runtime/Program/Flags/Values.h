//===- Values.h - Numbers, sizes and meshes on the command line -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_FLAGS_VALUES_H
#define PMRT_PROGRAM_FLAGS_VALUES_H

#include "runtime/Core/Descriptor.h"

#include <string>
#include <vector>

namespace pmrt {

// All throw Exit::Usage.

/// A parameter's value: a number (optionally followed by the parameter's own
/// unit) or true/false, in the parameter's range.
ParamValue parseParam(const Parameter &param, const std::string &text);

/// Whether a value is what the parameter allows. Throws an error that begins
/// with `name`, the parameter's or its flag's, and shows `text`.
void checkParam(const Parameter &param, const ParamValue &value,
                const std::string &name, const std::string &text);

/// A whole number of at least `least`.
int64_t parseCount(const std::string &flag, const std::string &text,
                   int64_t least);

/// "8GiB", "500M", "1.5e9": bytes.
int64_t parseBytes(const std::string &flag, const std::string &text);

/// "90s", "30min", "1.5h", "90": seconds, more than 0.
double parseDuration(const std::string &flag, const std::string &text);

/// "row=2,col=4".
std::string meshText(const std::vector<Axis> &axes);
/// "row=2, col=4" over the default mesh, in any order.
std::vector<Axis> parseMesh(std::vector<Axis> axes, const std::string &text);

} // namespace pmrt

#endif // PMRT_PROGRAM_FLAGS_VALUES_H
