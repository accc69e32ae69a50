//===- TerminalPicture.h - Pictures in a terminal ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FIGURES_TERMINALPICTURE_H
#define PMRT_IO_FIGURES_TERMINALPICTURE_H

#include <cstdint>
#include <string>
#include <vector>

namespace pmrt {

/// Pixels of three bytes, row by row from the top.
struct Pixels {
  int columns = 0, rows = 0;
  std::vector<uint8_t> bytes;
};

/// Two pixels a character, the lower half in the text's colour.
std::string halfBlocks(const Pixels &pixels);
/// Six rows at a time, in 216 colours.
std::string sixels(const Pixels &pixels);
/// The whole file of a PNG, which the terminal decodes.
std::string kittyPicture(const std::string &png, int columns);

/// What the terminal at standard error can: "kitty" or "sixel" if it says so,
/// else "blocks". Its width is a number of characters.
std::string terminalKind();
int terminalWidth();

} // namespace pmrt

#endif // PMRT_IO_FIGURES_TERMINALPICTURE_H
