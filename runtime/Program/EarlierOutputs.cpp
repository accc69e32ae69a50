//===- EarlierOutputs.cpp - What an earlier run has left ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/EarlierOutputs.h"

#include "runtime/Base/Error.h"
#include "runtime/Program/Flags/Targets.h"
#include "runtime/Program/Report/LossPicture.h"

#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <vector>

using namespace pmrt;
namespace fs = std::filesystem;

/// The records of a run, which go with its outputs.
static constexpr const char *records[] = {"run.json", "report.html"};

/// Whether a name is `pattern`, in which each '*' stands for the number of an
/// iteration.
static bool matches(const std::string &name, const std::string &pattern) {
  size_t at = 0;
  for (const char c : pattern) {
    if (c != '*') {
      if (at >= name.size() || name[at] != c)
        return false;
      ++at;
      continue;
    }
    const size_t begin = at + (at < name.size() && name[at] == '-');
    at = begin;
    while (at < name.size() &&
           std::isdigit(static_cast<unsigned char>(name[at])))
      ++at;
    if (at == begin)
      return false;
  }
  return at == name.size();
}

EarlierOutputs::EarlierOutputs(Context &context)
    : context(context),
      aside((fs::path(context.settings.out) / ("earlier." + context.token))
                .string()) {
  std::vector<std::string> patterns;
  for (const Target &target : targetsOf(context))
    patterns.push_back(target.path.filename().string());
  // Only a fit writes it, which the program does not tell beforehand.
  patterns.push_back(fs::path(lossPicturePath(context)).filename().string());
  std::error_code error;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(context.settings.out, error)) {
    const std::string name = entry.path().filename().string();
    const fs::file_status status = entry.symlink_status(error);
    if (fs::is_regular_file(status) || fs::is_symlink(status))
      for (const std::string &pattern : patterns)
        if (name != records[0] && name != records[1] && matches(name, pattern))
          names.insert(name);
  }
  if (names.empty())
    return;
  fs::create_directory(aside, error);
  for (const std::string &name : names) {
    if (!error)
      fs::rename(fs::path(context.settings.out) / name, fs::path(aside) / name,
                 error);
    if (error)
      throw usageError(
          "[PM9007] --out: cannot move {} of an earlier run to {}: {}", name,
          aside, error.message());
  }
  for (const char *name : records)
    fs::rename(fs::path(context.settings.out) / name, fs::path(aside) / name,
               error);
  context.written.whenAdded = [this](const std::string &path) { forget(path); };
}

EarlierOutputs::~EarlierOutputs() { context.written.whenAdded = nullptr; }

void EarlierOutputs::forget(const std::string &path) {
  std::error_code error;
  const fs::path file = fs::path(path).filename();
  if (names.erase(file.string()) > 0)
    fs::remove(fs::path(aside) / file, error);
  if (names.empty())
    removeFolder();
}

void EarlierOutputs::giveBack() {
  std::error_code error;
  const fs::path out(context.settings.out);
  for (const std::string &name : std::set<std::string>(names))
    if (!fs::exists(fs::symlink_status(out / name, error))) {
      fs::rename(fs::path(aside) / name, out / name, error);
      names.erase(name);
    }
  if (names.empty())
    removeFolder();
}

void EarlierOutputs::removeFolder() {
  std::error_code error;
  for (const char *name : records)
    fs::remove(fs::path(aside) / name, error);
  fs::remove(aside, error);
}
