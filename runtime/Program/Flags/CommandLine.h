//===- CommandLine.h - The flags of a program -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_FLAGS_COMMANDLINE_H
#define PMRT_PROGRAM_FLAGS_COMMANDLINE_H

#include "runtime/Core/Context.h"

#include <string>
#include <vector>

namespace pmrt {

/// What a command line asks for.
struct Launch {
  enum class Action { Run, Help, Version };

  Action action = Action::Run;
  Settings settings;
  std::vector<LaunchValue> params;
  std::vector<std::string> files; ///< one an input
  std::vector<Axis> mesh;
};

/// Parses the flags; throws Exit::Usage with a message that names the flag, the
/// value and what is allowed.
Launch parseCommandLine(const Descriptor &program, int argc,
                        const char *const *argv);

/// Flags that every program has; a parameter must not be named like one.
const std::vector<std::string> &reservedFlags();

} // namespace pmrt

#endif // PMRT_PROGRAM_FLAGS_COMMANDLINE_H
