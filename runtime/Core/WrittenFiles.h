//===- WrittenFiles.h - The files that a run has written --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_WRITTENFILES_H
#define PMRT_CORE_WRITTENFILES_H

#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

namespace pmrt {

/// Paths of finished outputs in their order. A loop may write very many.
class WrittenFiles {
public:
  void add(const std::string &path) {
    paths.push_back(path);
    known.insert(path);
    if (whenAdded)
      whenAdded(path);
  }
  /// Called for each path, if set.
  std::function<void(const std::string &path)> whenAdded;
  bool contains(const std::string &path) const { return known.count(path) > 0; }
  auto begin() const { return paths.begin(); }
  auto end() const { return paths.end(); }

private:
  std::vector<std::string> paths;
  std::unordered_set<std::string> known;
};

} // namespace pmrt

#endif // PMRT_CORE_WRITTENFILES_H
