//===- StateParts.cpp - The files that hold a state -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/States/StateParts.h"

#include "runtime/Base/Files/TemporaryFile.h"
#include "runtime/Base/Interrupts.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <sstream>
#include <unistd.h>

using namespace pmrt;
namespace fs = std::filesystem;

//===----------------------------------------------------------------------===//
// One part
//===----------------------------------------------------------------------===//

static std::string existing(const std::string &path) {
  if (!fs::exists(path))
    throw std::runtime_error(
        fmt::format("cannot read {}: it does not exist", path));
  return path;
}

PartReader::PartReader(const std::string &path, const Digest &owner)
    : file(existing(path)) {
  PartHead begin;
  rest = file.size() - int64_t(sizeof begin + sizeof(Digest));
  at = file.read(&begin, sizeof begin, 0);
  if (at < int64_t(sizeof begin) || rest < 0)
    throw std::runtime_error(
        fmt::format("cannot read {}: it is too short", path));
  hash.add(&begin, sizeof begin);
  if (begin.mark != PartHead::magic)
    throw std::runtime_error(fmt::format(
        "{} is not a part of a state in the format of this version of pmc",
        path));
  if (begin.owner != owner)
    throw std::runtime_error(fmt::format(
        "{} belongs to the state of another run or of another rank", path));
}

void PartReader::read(void *data, int64_t bytes) {
  const int64_t got = file.read(data, bytes, at);
  if (got != bytes)
    throw std::runtime_error(
        fmt::format("cannot read {}: it is too short", file.path()));
  hash.add(data, bytes);
  at += bytes;
  rest -= bytes;
}

void PartReader::readAll(int64_t bytes) {
  if (rest != bytes)
    throw std::runtime_error(
        fmt::format("{} is damaged: it has {} bytes of numbers, expected {}",
                    file.path(), rest, bytes));
  std::vector<char> buffer(size_t(1) << 20);
  while (rest > 0) {
    checkInterrupt();
    read(buffer.data(), std::min(rest, int64_t(buffer.size())));
  }
  finish();
}

void PartReader::finish() {
  Digest check;
  if (file.read(&check, sizeof check, at) != int64_t(sizeof check) ||
      check != hash.value())
    throw std::runtime_error(
        fmt::format("{} is damaged: its checksum is {}, expected {}",
                    file.path(), hash.value().text(), check.text()));
}

//===----------------------------------------------------------------------===//
// Parts of another mesh
//===----------------------------------------------------------------------===//

/// Bytes of a part that are read at a time.
static constexpr int64_t slabBytes = int64_t(4) << 20;

ForeignParts::ForeignParts(Threads &threads, const Mesh &mesh,
                           std::vector<StateField> fields, int64_t numbers,
                           std::function<std::string(int)> path)
    : threads(threads), mesh(mesh), fields(std::move(fields)), numbers(numbers),
      path(std::move(path)) {
  for (const StateField &field : this->fields) {
    Layout &layout = layouts.emplace_back();
    for (const Dim &dim : field.dims)
      layout.dims.push_back(splitOf(mesh, dim));
  }
}

int64_t ForeignParts::sizeOf(size_t field) const {
  return elementSize(fields[field].element);
}

Box ForeignParts::boxOf(size_t field, int rank) const {
  return layouts[field].box(mesh, mesh.coordinates(rank));
}

int64_t ForeignParts::placeOf(size_t field, int rank) const {
  auto place = int64_t(sizeof(PartHead));
  for (size_t i = 0; i < field; ++i)
    place += boxOf(i, rank).cells() * sizeOf(i);
  return place;
}

int64_t ForeignParts::bytesOfPart(int rank) const {
  return placeOf(fields.size(), rank) - int64_t(sizeof(PartHead)) + 8 * numbers;
}

void ForeignParts::readField(size_t field, const Box &mine, char *to) const {
  const int64_t size = sizeOf(field);
  std::set<std::vector<int64_t>> seen; // several ranks may have the same box
  std::vector<char> slab;
  for (int rank = 0; rank < mesh.ranks(); ++rank) {
    const Box theirs = boxOf(field, rank), common = intersect(mine, theirs);
    std::vector<int64_t> corner;
    for (const Shard &side : theirs.sides)
      corner.push_back(side.offset);
    if (common.cells() == 0 || !seen.insert(corner).second)
      continue;
    const InputFile file(path(rank));
    // Cells of the first dim lie together: those that both have, some at a
    // time.
    const int64_t layers = common.sides.empty() ? 1 : common.sides[0].extent;
    const int64_t layer =
        theirs.cells() / (theirs.sides.empty() ? 1 : theirs.sides[0].extent);
    const int64_t step =
        std::clamp(slabBytes / (layer * size), int64_t(1), layers);
    slab.resize(size_t(step * layer * size));
    for (int64_t begin = 0; begin < layers; begin += step) {
      checkInterrupt();
      const int64_t count = std::min(step, layers - begin);
      Box read = theirs, wanted = common;
      int64_t at = 0;
      if (!common.sides.empty()) {
        read.sides[0] =
            wanted.sides[0] = {common.sides[0].offset + begin, count};
        at = read.sides[0].offset - theirs.sides[0].offset;
      }
      if (file.read(slab.data(), count * layer * size,
                    placeOf(field, rank) + at * layer * size) !=
          count * layer * size)
        throw std::runtime_error(fmt::format("cannot read {}", path(rank)));
      transfer(threads, regionOf(slab.data(), size, read, wanted),
               regionOf(to, size, mine, wanted), Combine::Replace,
               fields[field].element);
    }
  }
}

void ForeignParts::readNumbers(int64_t *to) const {
  if (InputFile(path(0)).read(to, 8 * numbers, placeOf(fields.size(), 0)) !=
      8 * numbers)
    throw std::runtime_error(fmt::format("cannot read {}", path(0)));
}

std::vector<int> pmrt::removeParts(const std::string &folder,
                                   const std::string &name,
                                   const std::vector<State> &kept) {
  std::error_code error;
  std::vector<int> files;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(folder, error)) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with(name + ".") || !file.ends_with(".state"))
      continue;
    std::istringstream words(file.substr(name.size() + 1));
    std::string slot, token;
    if (!std::getline(words, slot, '.') || !std::getline(words, token, '.') ||
        !isToken(token) ||
        std::any_of(kept.begin(), kept.end(),
                    [&](const State &one) { return one.token == token; }) ||
        !fs::is_regular_file(entry.symlink_status(error)))
      continue;
    // A name may be chance; what we have written begins so.
    std::array<char, 16> mark = {};
    const int part = open(entry.path().c_str(),
                          O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (part < 0)
      continue;
    files.push_back(part);
    if (pread(part, mark.data(), mark.size(), 0) == ssize_t(mark.size()) &&
        mark == PartHead::magic)
      fs::remove(entry.path(), error);
  }
  return files;
}
