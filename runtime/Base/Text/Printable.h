//===- Printable.h - Texts that cannot command a terminal -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs and the compiler print names of files, flags and texts of files that
// others wrote. Both use this filter, so it needs the C++ library only.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_TEXT_PRINTABLE_H
#define PMRT_BASE_TEXT_PRINTABLE_H

#include <string>
#include <string_view>

namespace pmrt {

/// The text with control characters as "\\x1b", except for the ends of lines
/// and tabulators, so that no name or text of a file can command a terminal.
std::string printable(std::string_view text);

} // namespace pmrt

#endif // PMRT_BASE_TEXT_PRINTABLE_H
