//===- StateHead.h - The file that names states -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NAME.ckpt is text. Lines `KEY VALUE` say what runs that go on with the states
// share, then what a state holds, and which states there are. The last line is
// a hash of those before it.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_STATES_STATEHEAD_H
#define PMRT_IO_STATES_STATEHEAD_H

#include "runtime/Base/Text/Hash.h"
#include "runtime/Core/Descriptor.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pmrt {

/// One of the states that a run has had.
struct State {
  int64_t slot = 0;  ///< 0: there is none
  std::string token; ///< as randomToken gives it
};

/// A field of a state. Of its dims only the name, the cells that are stored,
/// the grain of shards and the axes count.
struct StateField {
  pmrt_element element = PMRT_F32;
  std::vector<Dim> dims;
};

struct StateHead {
  /// Of the lines of an identity, in their order.
  static constexpr std::array keys = {"spec",   "built", "parameters",
                                      "inputs", "mesh",  "transforms"};

  std::string identity; ///< lines: what is computed, how built, and so on
  std::vector<StateField> fields;
  int64_t numbers = 0;
  std::vector<State> states; ///< the newest one first

  /// What the line of the identity with this key says.
  std::string value(const std::string &key) const;
  /// The mesh of the run that wrote; empty if it is none.
  std::vector<Axis> mesh() const;
};

/// "row=2 col=3", and back: nothing if it is no such text.
std::string describeMesh(const std::vector<Axis> &axes);
std::vector<Axis> parseMesh(const std::string &text);

/// "f64[x=10:row,y=9:col+row,z=20/2]": cells, grain and axes of the dims.
std::string describeField(const StateField &field);

/// Of all fields, and how many numbers there are besides.
std::string describeFields(const std::vector<StateField> &fields,
                           int64_t numbers);

std::string textOf(const StateHead &head);
/// What the file at `path` (for messages) says. Throws std::runtime_error if
/// it is damaged, or none.
StateHead parseHead(const std::string &path, const std::string &text);

/// The file of the states of this name.
std::string headName(const std::string &name);
/// That of a rank's part of a state, and what it begins with.
std::string partName(const std::string &name, const State &state, int rank);
Digest ownerOf(const std::string &identity, const std::string &name,
               const State &state, int rank);

/// Returns the words of each of two identity lines that the other one lacks,
/// without their keys.
std::pair<std::string, std::string> differingWords(const std::string &a,
                                                   const std::string &b);

} // namespace pmrt

#endif // PMRT_IO_STATES_STATEHEAD_H
