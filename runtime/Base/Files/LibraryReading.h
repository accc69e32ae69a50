//===- LibraryReading.h - A file that another library reads -----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_FILES_LIBRARYREADING_H
#define PMRT_BASE_FILES_LIBRARYREADING_H

namespace pmrt {

/// While it exists, a library reads a file on this thread. Some libraries crash
/// on damaged files. Such a crash ends the program with an error that names the
/// file (RecorderSignals), and exit code 1, because the input is at fault.
class LibraryReading {
public:
  /// Both texts must stay until the end. `advice`: what the user can do.
  LibraryReading(const char *file, const char *advice)
      : file(file), advice(advice) {
    current = this;
  }
  ~LibraryReading() { current = outer; }
  LibraryReading(const LibraryReading &) = delete;
  LibraryReading &operator=(const LibraryReading &) = delete;

  /// The innermost one of this thread, or null. Safe in a signal's handler.
  static const LibraryReading *get() { return current; }
  const char *getFile() const { return file; }
  const char *getAdvice() const { return advice; }

private:
  static thread_local const LibraryReading *current;
  const LibraryReading *outer = current;
  const char *file, *advice;
};

} // namespace pmrt

#endif // PMRT_BASE_FILES_LIBRARYREADING_H
