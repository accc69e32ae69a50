//===- MessageSink.h - Where the text of a run goes -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_TEXT_MESSAGESINK_H
#define PMRT_BASE_TEXT_MESSAGESINK_H

#include <string>

namespace pmrt {

/// Takes the text of a run. A run itself writes to no standard stream.
class MessageSink {
public:
  virtual ~MessageSink() = default;
  /// What the program prints. Returns why it was lost, or "".
  virtual std::string print(const std::string &text) = 0;
  /// Notes and warnings about the run, whole lines.
  virtual void message(const std::string &text) = 0;
};

/// The standard output and the standard error of the process.
MessageSink &standardStreams();

} // namespace pmrt

#endif // PMRT_BASE_TEXT_MESSAGESINK_H
