//===- Main.h - The life of a generated program -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_MAIN_H
#define PMRT_PROGRAM_MAIN_H

#include "runtime/Base/Memory/Device.h"

namespace pmrt {

/// pmrt_main, with a device a rank if `devices` makes them.
int runProgram(int argc, char **argv, const pmrt_program &program,
               const DeviceKind &devices);

} // namespace pmrt

#endif // PMRT_PROGRAM_MAIN_H
