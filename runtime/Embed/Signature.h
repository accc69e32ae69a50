//===- Signature.h - What a program takes and gives -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_EMBED_SIGNATURE_H
#define PMRT_EMBED_SIGNATURE_H

#include "runtime/Core/Descriptor.h"

#include <optional>
#include <string>
#include <vector>

namespace pmrt {

/// An array that a program writes. A record has one for each member.
struct OutputArray {
  std::string name; ///< "density", "halos/mass"
  const Output *of = nullptr;
  std::string unit;
  std::vector<std::string> columns;
  std::vector<std::string> dims;  ///< names
  std::vector<int32_t> indices;   ///< of the descriptor's dims; of joined or
                                  ///< added dims -1
  std::vector<int32_t> fieldDims; ///< of the descriptor, before joining
  /// None if the compiler has not told.
  std::optional<std::vector<int64_t>> shape;
  pmrt_element element = PMRT_F64;
};

/// In the order of the descriptor, members of records one after the other.
std::vector<OutputArray> outputArrays(const Descriptor &program);

/// The shape that an input must have; of a table or a stream, empty.
std::vector<int64_t> inputShape(const Descriptor &program, const Input &input);
std::vector<std::string> dimNames(const Descriptor &program,
                                  const std::vector<int32_t> &dims);

/// JSON, as runtime/Embed/README.md describes it.
std::string signatureText(const Descriptor &program,
                          const std::vector<OutputArray> &outputs);

} // namespace pmrt

#endif // PMRT_EMBED_SIGNATURE_H
