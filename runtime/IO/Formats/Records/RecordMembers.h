//===- RecordMembers.h - The numbers of a record ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The members of a record as formats of particles treat them: the path of a
// member, and the values of members that are numbers. Such members become
// attributes of a file.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FORMATS_RECORDMEMBERS_H
#define PMRT_IO_FORMATS_RECORDMEMBERS_H

#include "runtime/Core/Descriptor.h"
#include "runtime/IO/Formats/Stream.h"

#include <optional>
#include <string>
#include <vector>

namespace pmrt {

/// The path of a member without the index of a component: `Header/MassTable`
/// and 1 from `Header/MassTable/1`.
struct ComponentPath {
  std::string path;
  std::optional<size_t> component;

  explicit ComponentPath(const std::string &text);
};

/// Whether member `i` of a record is a number, or an element of a list of
/// numbers. A field over a dim with one cell is not a number.
bool isNumberOf(const Descriptor &program, const Output &output, size_t i);
/// The same for a member with the attributes of its file.
bool isNumberOf(const NamedArray &array);

/// The reason why the components of a vector in a record cannot be columns of
/// one array; "" if they can. Lists of numbers can have several types and
/// units.
std::string problemOfVectors(const Descriptor &program, const Output &output);

/// The path of an array in its record: its name without that of the output.
std::string pathInRecord(const NamedArray &array);

/// The product of extents.
int64_t elementsOf(const std::vector<int64_t> &shape);

/// The number of rows of an array that this rank's file contains.
int64_t rowsOf(const Stream &stream);

/// The number of rows in the files of all ranks.
int64_t allRowsOf(const Stream &stream);

/// The values of a member that is a number, or a list of numbers of the same
/// type. Every rank has them. Throws std::runtime_error for complex numbers.
std::vector<double> numbersOf(const NamedArray &array);

/// The same for ints, without rounding. Empty for numbers of other types.
std::vector<int64_t> intsOf(const NamedArray &array);

/// Whether f64 represents an int exactly.
bool isExact(int64_t number);

} // namespace pmrt

#endif // PMRT_IO_FORMATS_RECORDMEMBERS_H
