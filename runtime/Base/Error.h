//===- Error.h - What the runtime throws ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_ERROR_H
#define PMRT_BASE_ERROR_H

#include <cstdint>
#include <exception>
#include <fmt/format.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace pmrt {

/// Exit codes of a generated program.
enum class Exit : int {
  Done = 0,
  Usage = 1,         ///< wrong flags or wrong input
  Failure = 2,       ///< failure while running
  Suspended = 75,    ///< stopped by a signal, its state kept: --resume goes on
  Interrupted = 130, ///< Ctrl-C or SIGTERM
};

/// Returns the message with its code, such as `[PM9001]`, at the end of its
/// first line. In the source, a message begins with its code. If a message
/// contains another message, both have codes. The last code remains, which is
/// that of the contained message. A message without a code gets the code of
/// internal errors, or that of failures of the system. frontend/doc/errors
/// explains the codes.
std::string coded(const std::string &message);

/// The same for a warning, but the first code remains, so that a warning that
/// contains the message of an error keeps its own code.
std::string codedWarning(const std::string &message);

/// A failure with the place in the `.pm` file that it belongs to (empty when
/// it belongs to the command line), and notes at other places.
class Error : public std::runtime_error {
public:
  struct Note {
    std::string location;
    std::string message;
  };

  Error(Exit exit, std::string location, const std::string &message)
      : std::runtime_error(exit == Exit::Interrupted ? message
                                                     : coded(message)),
        code(exit), place(std::move(location)) {}

  Exit exit() const { return code; }
  const std::string &location() const { return place; }
  const std::vector<Note> &notes() const { return attached; }

  /// All ranks have found the same: it is printed once, and names no rank.
  Error everywhere() && {
    common = true;
    return std::move(*this);
  }
  bool isEverywhere() const { return common; }

  /// It was found in step `at`, from 0, of a loop of `of` steps; 0: not known.
  Error &inStep(int64_t at, int64_t of) {
    loopStep = at;
    loopSteps = of;
    return *this;
  }
  /// -1: in no loop.
  int64_t step() const { return loopStep; }
  int64_t steps() const { return loopSteps; }

  Error &note(std::string location, std::string message) {
    attached.push_back({std::move(location), std::move(message)});
    return *this;
  }

private:
  Exit code;
  std::string place;
  std::vector<Note> attached;
  bool common = false;
  int64_t loopStep = -1, loopSteps = 0;
};

/// Thrown by runtime calls after Ctrl-C, so that destructors clean up.
class Interrupted : public std::exception {
public:
  const char *what() const noexcept override { return "interrupted"; }
};

/// An error found before anything runs: a wrong flag, a wrong input.
template <typename... Args>
Error usageError(fmt::format_string<Args...> format, Args &&...args) {
  return Error(Exit::Usage, "",
               fmt::format(format, std::forward<Args>(args)...));
}

} // namespace pmrt

#endif // PMRT_BASE_ERROR_H
