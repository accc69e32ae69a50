//===- Support.h - What the runtime's tests share ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_RUNTIME_SUPPORT_H
#define PMC_TEST_RUNTIME_SUPPORT_H

#include "runtime/Core/Context.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <unistd.h>

namespace pmrt::test {

/// A folder of one test that disappears with it.
class Folder {
public:
  Folder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "pmrt-test-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      throw std::runtime_error("no temporary folder");
    root = pattern;
  }
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(root, error);
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  std::string operator/(const std::string &name) const {
    return (root / name).string();
  }
  std::string path() const { return root.string(); }

  /// Names in the folder, or in one below it.
  std::vector<std::string> list(const std::string &below = "") const {
    std::vector<std::string> names;
    if (std::filesystem::exists(root / below))
      for (const auto &entry :
           std::filesystem::directory_iterator(root / below))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

private:
  std::filesystem::path root;
};

inline std::string slurp(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void spill(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// A context over space dims of the given extents (and "locations" l.pm:1:1,
/// l.pm:2:2), as a program would get it.
inline std::unique_ptr<pmrt_context>
makeContext(const std::vector<int64_t> &extents, int threads = 2,
            Settings settings = {}, Descriptor descriptor = {}) {
  descriptor.name = "test";
  descriptor.locations = {"l.pm:1:1", "l.pm:2:2"};
  for (int64_t extent : extents) {
    Dim dim;
    dim.name = std::string(1, char('a' + descriptor.dims.size()));
    dim.extent = extent;
    descriptor.dims.push_back(dim);
  }
  settings.threads = threads;
  settings.quiet = true;
  settings.progress = ProgressMode::Never;
  std::vector<LaunchValue> params(descriptor.params.size());
  std::vector<std::string> files(descriptor.inputs.size());
  return std::make_unique<pmrt_context>(std::move(descriptor), settings, params,
                                        files, std::vector<Axis>{});
}

/// An array over dims first, first + 1, ...
template <typename T>
pmrt_array array(std::vector<T> &data, pmrt_element element, int first,
                 int rank) {
  pmrt_array a = {};
  a.data = data.data();
  a.element = element;
  a.rank = rank;
  for (int d = 0; d < rank; ++d)
    a.dims[d] = first + d;
  return a;
}

/// The message of the exception that `body` throws; fails if it throws none.
template <typename Body> std::string messageOf(const Body &body) {
  try {
    body();
  } catch (const std::exception &e) {
    return e.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_NE(std::string(text).find(part), std::string::npos)                   \
      << "text: " << (text) << "\nexpected in it: " << (part)

} // namespace pmrt::test

#endif // PMC_TEST_RUNTIME_SUPPORT_H
