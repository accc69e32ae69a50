//===- Format.h - Sizes and times for people --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_TEXT_FORMAT_H
#define PMRT_BASE_TEXT_FORMAT_H

#include "runtime/Base/Text/Printable.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace pmrt {

/// "512 B", "64.0 MiB".
std::string bytesText(double bytes);
/// "1.50 ms", "12.3 s", "2 min 05 s", "1 h 02 min".
std::string secondsText(double seconds);
/// "128x128x65", "scalar" for no extents.
std::string shapeText(const std::vector<int64_t> &shape);
/// "[3, 4, 5]", the multi-index of `linear` in `shape`.
std::string indexText(const std::vector<int64_t> &shape, int64_t linear);
/// The time, "2026-11-22T20:50:31Z".
std::string utcNow();
/// Writes and flushes. Returns what went wrong, or ""; a closed pipe, at
/// a pipe or a closed stream, is nothing wrong.
std::string printTo(std::FILE *stream, const std::string &text);
/// Writes a message to standard error, printable.
void printMessage(const std::string &text);
/// Index of the candidate closest to `word` by edit distance, if it is close
/// enough to be a typing mistake; -1 otherwise.
int closest(const std::string &word,
            const std::vector<std::string> &candidates);

} // namespace pmrt

#endif // PMRT_BASE_TEXT_FORMAT_H
