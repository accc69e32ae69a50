//===- EarlierOutputs.h - What an earlier run has left ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run that fails must not have outputs of another run beside its record, and
// a run that fails must not lose outputs either. So a run takes the files that
// it will replace aside, into a folder of its own, before it computes. Each of
// them is removed when its new file is there.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_EARLIEROUTPUTS_H
#define PMRT_PROGRAM_EARLIEROUTPUTS_H

#include "runtime/Core/Context.h"

#include <set>
#include <string>

namespace pmrt {

class EarlierOutputs {
public:
  /// Takes them aside. Throws Exit::Usage if one cannot be moved.
  explicit EarlierOutputs(Context &context);
  ~EarlierOutputs();
  EarlierOutputs(const EarlierOutputs &) = delete;
  EarlierOutputs &operator=(const EarlierOutputs &) = delete;

  /// When the run is done: what it has not replaced, such as later iterations
  /// of a loop, comes back.
  void giveBack();
  /// Where they are; empty if there are none.
  std::string folder() const { return names.empty() ? "" : aside; }

private:
  void forget(const std::string &path);
  void removeFolder();

  Context &context;
  std::string aside;
  std::set<std::string> names; ///< of outputs that are there
};

} // namespace pmrt

#endif // PMRT_PROGRAM_EARLIEROUTPUTS_H
