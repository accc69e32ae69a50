//===- StateParts.h - The files that hold a state ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of a state is what one rank had: whose it is, its parts of the fields
// one after the other, numbers, and a hash of all this.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_STATES_STATEPARTS_H
#define PMRT_IO_STATES_STATEPARTS_H

#include "runtime/Base/Text/Hash.h"
#include "runtime/Dist/Layout.h"
#include "runtime/IO/Files/InputFile.h"
#include "runtime/IO/States/StateHead.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace pmrt {

/// What a part begins with.
struct PartHead {
  std::array<char, 16> mark = magic;
  Digest owner; ///< of the run, the state and the rank

  static constexpr std::array<char, 16> magic = {'p', 'm', 'c', ' ', 's', 't',
                                                 'a', 't', 'e', ' ', '2', '\n'};
};

/// Reads what a part holds, and finds out whether it is whole. Throws if not.
class PartReader {
public:
  /// `owner`: as it must say at its begin.
  PartReader(const std::string &path, const Digest &owner);

  /// Bytes of fields and numbers that are still to be read.
  int64_t left() const { return rest; }
  void read(void *data, int64_t bytes);
  /// All of it, to see whether it is whole: `bytes` of fields and numbers.
  void readAll(int64_t bytes);
  /// When all has been read.
  void finish();

private:
  InputFile file;
  Hash hash;
  int64_t at = 0, rest = 0;
};

/// The parts of a state that ranks of any mesh have written. What of them is
/// read here is not compared with its hash: look at the parts before.
class ForeignParts {
public:
  /// `mesh`: of the ranks that wrote. `path`: the part of one of them.
  ForeignParts(Threads &threads, const Mesh &mesh,
               std::vector<StateField> fields, int64_t numbers,
               std::function<std::string(int)> path);

  /// What a rank's part has of fields and numbers.
  int64_t bytesOfPart(int rank) const;
  /// These cells of a field.
  void readField(size_t field, const Box &mine, char *to) const;
  void readNumbers(int64_t *to) const;
  /// What a rank had of a field.
  Box boxOf(size_t field, int rank) const;

private:
  int64_t sizeOf(size_t field) const;
  /// Where a field begins in a rank's part; after the last one, the numbers.
  int64_t placeOf(size_t field, int rank) const;

  Threads &threads;
  const Mesh &mesh;
  std::vector<StateField> fields;
  std::vector<Layout> layouts; ///< of the fields, over `mesh`
  int64_t numbers;
  std::function<std::string(int)> path;
};

/// Removes the parts of all states of this name but these: of earlier ones, and
/// of runs that were killed before they could name theirs. Gives open handles
/// of them, to be closed.
std::vector<int> removeParts(const std::string &folder, const std::string &name,
                             const std::vector<State> &kept);

} // namespace pmrt

#endif // PMRT_IO_STATES_STATEPARTS_H
