//===- MemoryPort.h - Inputs and outputs in memory --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_MEMORYPORT_H
#define PMRT_CORE_MEMORYPORT_H

#include "pmrt/pmrt.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace pmrt {

class Context;
class Table;
struct NamedArray;

/// Takes the place of files in a run that a process has embedded. All ranks of
/// the run share it and call it at the same time.
class MemoryPort {
public:
  virtual ~MemoryPort() = default;

  /// Whether every rank hands over all that it holds, also what others hold.
  virtual bool wantsParts() const { return false; }
  virtual bool isGiven(size_t input) const = 0;
  /// Memory of the caller that replaces a buffer of the memory plan in the next
  /// run; null: none. `bytes`: the size of the buffer.
  virtual void *memoryOf(size_t buffer, int64_t bytes) const = 0;
  /// Copies this rank's part of an input to `out`, unless `out` is the memory
  /// of the input. Throws std::runtime_error if the input does not fit.
  virtual void readField(Context &context, size_t input,
                         const pmrt_array &out) = 0;
  virtual std::unique_ptr<Table> readTable(size_t input) = 0;
  /// Takes this rank's part of an output. `iterations`: as in the name of its
  /// file ("_003", or "" outside of loops). A collective. Throws on all ranks.
  virtual void write(Context &context, pmrt_loc loc, const std::string &name,
                     const std::string &iterations,
                     const std::vector<NamedArray> &arrays) = 0;
  /// Receives the picture of a plot on the first rank. `file`: the contents of
  /// a file in the format that the settings of the run select. `name`: the name
  /// of the file without its ending.
  virtual void draw(const std::string &name, const std::string &file) = 0;
};

} // namespace pmrt

#endif // PMRT_CORE_MEMORYPORT_H
