//===- Folder.cpp - The states in a folder --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Inspect/Folder.h"

#include "runtime/Base/Files/WholeFile.h"
#include "runtime/Core/Mesh.h"
#include "runtime/IO/States/StateParts.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <sys/stat.h>

using namespace pmrt;
using namespace pmrt::inspect;
namespace fs = std::filesystem;

int Checkpoint::ranks() const { return int(Mesh(head.mesh(), 0).ranks()); }

std::string Checkpoint::part(const State &state, int rank) const {
  return (fs::path(folder) / partName(name, state, rank)).string();
}

const Found *Checkpoint::newest() const {
  const auto whole =
      std::find_if(states.begin(), states.end(),
                   [](const Found &one) { return one.problem.empty(); });
  return whole == states.end() ? nullptr : &*whole;
}

bool Checkpoint::isWhole() const {
  return problem.empty() &&
         std::all_of(states.begin(), states.end(),
                     [](const Found &one) { return one.problem.empty(); });
}

static std::string timeOf(const std::string &path) {
  struct stat facts = {};
  std::tm utc = {};
  char text[64] = "";
  if (stat(path.c_str(), &facts) == 0 && gmtime_r(&facts.st_mtime, &utc))
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

static Found lookAt(const Checkpoint &checkpoint, const State &state) {
  Found found;
  found.state = state;
  found.written = timeOf(checkpoint.part(state, 0));
  const Mesh mesh(checkpoint.head.mesh(), 0);
  Threads threads(1);
  try {
    for (int rank = 0; rank < checkpoint.ranks(); ++rank) {
      std::error_code error;
      const auto size = fs::file_size(checkpoint.part(state, rank), error);
      found.parts += !error;
      found.bytes += error ? 0 : int64_t(size);
    }
    const ForeignParts all(
        threads, mesh, checkpoint.head.fields, checkpoint.head.numbers,
        [&](int rank) { return checkpoint.part(state, rank); });
    for (int rank = 0; rank < checkpoint.ranks(); ++rank)
      PartReader(
          checkpoint.part(state, rank),
          ownerOf(checkpoint.head.identity, checkpoint.name, state, rank))
          .readAll(all.bytesOfPart(rank));
  } catch (const std::runtime_error &e) {
    found.problem = e.what();
  }
  return found;
}

static Checkpoint lookAt(const fs::path &file) {
  for (int attempt = 0;; ++attempt) {
    Checkpoint found{
        file.stem().string(), file.parent_path().string(), {}, "", {}};
    std::string text;
    try {
      text = readWholeFile(file.string());
      found.head = parseHead(file.string(), text);
    } catch (const std::runtime_error &e) {
      found.problem = e.what();
    }
    for (const State &state : found.head.states)
      found.states.push_back(lookAt(found, state));
    // A run that writes here may have removed what it does not name any more.
    if (found.isWhole() || attempt == 8)
      return found;
    try {
      if (readWholeFile(file.string()) == text)
        return found;
    } catch (const std::runtime_error &) {
      return found;
    }
  }
}

Folder pmrt::inspect::look(const std::string &path) {
  if (!fs::is_directory(path))
    throw std::runtime_error(fmt::format("the folder {} does not exist", path));
  Folder folder;
  folder.path = path;
  std::vector<fs::path> heads, parts;
  for (const fs::directory_entry &entry : fs::directory_iterator(path)) {
    if (entry.path().extension() == ".ckpt")
      heads.push_back(entry.path());
    else if (entry.path().extension() == ".state")
      parts.push_back(entry.path());
  }
  if (heads.empty())
    throw std::runtime_error(
        fmt::format("{} has no states: it contains no NAME.ckpt", path));
  std::sort(heads.begin(), heads.end());
  std::set<std::string> named;
  bool all = true; // whether it is known what is named
  for (const fs::path &head : heads) {
    const Checkpoint &found = folder.checkpoints.emplace_back(lookAt(head));
    all &= found.problem.empty();
    for (const Found &one : found.states)
      for (int rank = 0; rank < found.ranks(); ++rank)
        named.insert(partName(found.name, one.state, rank));
  }
  for (const fs::path &part : parts) {
    std::error_code error;
    const auto size = fs::file_size(part, error);
    if (!all || error || named.contains(part.filename().string()))
      continue;
    ++folder.left;
    folder.leftBytes += int64_t(size);
  }
  return folder;
}
