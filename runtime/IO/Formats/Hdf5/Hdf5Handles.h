//===- Hdf5Handles.h - What reading and writing HDF5 share ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FORMATS_HDF5HANDLES_H
#define PMRT_IO_FORMATS_HDF5HANDLES_H

#include "runtime/Base/Files/LibraryReading.h"
#include "runtime/IO/Formats/Hdf5/Hdf5.h"

#include "pmrt/pmrt.h"

#include <array>
#include <hdf5.h>
#include <string>
#include <utility>

namespace pmrt::hdf5 {

/// A handle that closes itself.
class Id {
public:
  Id(hid_t id, herr_t (*close)(hid_t)) : id(id), closer(close) {}
  ~Id() {
    if (id >= 0)
      closer(id);
  }
  Id(Id &&other) noexcept
      : id(std::exchange(other.id, -1)), closer(other.closer) {}
  Id(const Id &) = delete;
  Id &operator=(const Id &) = delete;
  operator hid_t() const { return id; }
  bool good() const { return id >= 0; }
  /// Closes now; false if that failed.
  bool close() { return closer(std::exchange(id, -1)) >= 0; }

private:
  hid_t id;
  herr_t (*closer)(hid_t);
};

/// Takes the lock, and keeps HDF5 from printing its own error stacks.
class Session {
public:
  Session();
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;
};

/// A session that reads this file.
class ReadSession {
public:
  /// The path must stay until the end.
  explicit ReadSession(const std::string &path)
      : reading(path.c_str(), damagedHdf5Advice) {}

private:
  Session session;
  LibraryReading reading;
};

/// The innermost reason of the last failure.
std::string reason();
/// The names of the parts of complex numbers, as h5py has them.
inline constexpr std::array<const char *, 2> complexParts = {"r", "i"};
/// A new type, for files (little endian) or memory.
hid_t typeOf(pmrt_element element, bool memory,
             const std::array<const char *, 2> &parts = complexParts);

} // namespace pmrt::hdf5

#endif // PMRT_IO_FORMATS_HDF5HANDLES_H
