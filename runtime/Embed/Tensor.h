//===- Tensor.h - Strided arrays of a caller --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_EMBED_TENSOR_H
#define PMRT_EMBED_TENSOR_H

#include "pmrt/embed.h"
#include "runtime/Base/Threads.h"
#include "runtime/Dist/Layout.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pmrt {

/// "64x64x64 (x, y, z)", for messages.
std::string shapeText(const std::vector<int64_t> &shape,
                      const std::vector<std::string> &names);

/// A dense row-major tensor.
pmrt_tensor denseTensor(void *data, pmrt_element element,
                        const std::vector<int64_t> &shape);

std::vector<int64_t> shapeOf(const pmrt_tensor &tensor);

/// Whether its elements are dense and row-major.
bool isDense(const pmrt_tensor &tensor);

/// What is wrong with the tensor itself, or "".
std::string tensorProblem(const pmrt_tensor &tensor);

/// Whether elements of `from` can be read as `to`: the same, or floats of
/// another precision.
bool converts(pmrt_element from, pmrt_element to);

/// Copies the box `part` of a tensor to dense memory, converted to `element`.
void readBox(Threads &threads, const pmrt_tensor &from, const Box &part,
             pmrt_element element, void *to);

/// Copies elements to the places [first, first + count) of a tensor, counted in
/// row-major order. They have the tensor's type.
void writeElements(const pmrt_tensor &to, int64_t first, int64_t count,
                   const char *from);

} // namespace pmrt

#endif // PMRT_EMBED_TENSOR_H
