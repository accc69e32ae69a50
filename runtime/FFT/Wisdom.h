//===- Wisdom.h - Where FFTW's wisdom is kept -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_WISDOM_H
#define PMRT_FFT_WISDOM_H

#include <string>

namespace pmrt {

/// The wisdom file of this machine's processor and FFTW version, below
/// $XDG_CACHE_HOME/pmc or $HOME/.cache/pmc; empty if neither is set.
std::string wisdomPath(bool single);

/// The file's text; empty if it cannot be read.
std::string readWisdom(const std::string &path);

/// Replaces the file in one step. Returns what went wrong, or "".
std::string writeWisdom(const std::string &path, const std::string &text);

/// Held while one process reads, merges and writes.
class WisdomLock {
public:
  explicit WisdomLock(const std::string &path);
  ~WisdomLock();
  WisdomLock(const WisdomLock &) = delete;
  WisdomLock &operator=(const WisdomLock &) = delete;

private:
  int file = -1;
};

} // namespace pmrt

#endif // PMRT_FFT_WISDOM_H
