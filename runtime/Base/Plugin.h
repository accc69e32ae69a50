//===- Plugin.h - Parts that are loaded when they are needed ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_PLUGIN_H
#define PMRT_BASE_PLUGIN_H

#include <string>

namespace pmrt {

/// A library of ours that needs what not every machine has, as MPI.
class Plugin {
public:
  /// Loads `file`, whose function `int versionFunction()` must say `version`.
  /// `global`: what it loads later sees its symbols.
  Plugin(const char *file, const char *versionFunction, int version,
         bool global);

  /// Why it is not there, each reason after "; ". Empty: it is.
  const std::string &problem() const { return reasons; }

  template <typename Function> Function *find(const char *name) const {
    return reinterpret_cast<Function *>(symbol(name));
  }

private:
  void *symbol(const char *name) const;

  void *library = nullptr; ///< stays loaded
  std::string reasons;
};

} // namespace pmrt

#endif // PMRT_BASE_PLUGIN_H
