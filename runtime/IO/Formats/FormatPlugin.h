//===- FormatPlugin.h - Plugins for kinds of files --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FORMATS_FORMATPLUGIN_H
#define PMRT_IO_FORMATS_FORMATPLUGIN_H

#include "runtime/Base/Error.h"
#include "runtime/Base/Plugin.h"

#include <fmt/format.h>
#include <stdexcept>
#include <string>

namespace pmrt {

/// A plugin that is loaded when the first such file is read or written.
struct FormatPlugin {
  const char *file;            ///< "libpmrt_nifti.so"
  const char *versionFunction; ///< of what it exports
  int version;
  const char *needs; ///< "NIfTI files need ...", for the message without it

  /// An exported function. Throws std::runtime_error that begins with `path`.
  template <typename Function>
  Function *find(const std::string &path, const char *name) const {
    const Plugin plugin = load();
    if (!plugin.problem().empty())
      throw std::runtime_error(
          fmt::format("{}: {}{}", path, needs, plugin.problem()));
    return plugin.find<Function>(name);
  }

  /// Throws Exit::Usage if files cannot be written here.
  void need() const {
    const Plugin plugin = load();
    if (!plugin.problem().empty())
      throw usageError("[PM9005] --format: {}{}", needs, plugin.problem());
  }

private:
  Plugin load() const {
    return {file, versionFunction, version, /*global=*/false};
  }
};

} // namespace pmrt

#endif // PMRT_IO_FORMATS_FORMATPLUGIN_H
