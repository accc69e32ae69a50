//===- Lists.h - Params of several numbers ----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_FLAGS_LISTS_H
#define PMRT_PROGRAM_FLAGS_LISTS_H

#include "runtime/Core/Descriptor.h"

namespace pmrt {

/// The params NAME.0, NAME.1, … of a list, one after the other.
struct ListFlag {
  std::string name;
  size_t first = 0, count = 0;
};
std::vector<ListFlag> listFlags(const Descriptor &program);

/// The numbers behind --NAME=1,2,3, as many as the list has.
std::vector<std::string> splitList(const ListFlag &list,
                                   const std::string &text);

} // namespace pmrt

#endif // PMRT_PROGRAM_FLAGS_LISTS_H
