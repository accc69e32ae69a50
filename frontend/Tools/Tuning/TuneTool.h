//===- TuneTool.h - The fastest layout of a program -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_TUNING_TUNETOOL_H
#define PMC_FRONTEND_TOOLS_TUNING_TUNETOOL_H

namespace pmc {

class Compiler;

/// The subcommand: compares layouts of the compiler's program on a machine; the
/// exit code.
int tune(Compiler &compiler);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_TUNING_TUNETOOL_H
