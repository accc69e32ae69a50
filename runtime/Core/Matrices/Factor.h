//===- Factor.h - What sums of products are made of -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_MATRICES_FACTOR_H
#define PMRT_CORE_MATRICES_FACTOR_H

#include "runtime/Base/ReducedPrecision.h"

#include "pmrt/pmrt.h"

namespace pmrt {

/// An array that is multiplied: of the result's element, f32 or f64, or of a
/// one of reduced precision, which is converted where it is read.
struct Factor {
  const void *data = nullptr;
  pmrt_element element = PMRT_F64;

  bool isReduced() const { return element == PMRT_BF16 || element == PMRT_F16; }
  /// Whether there are products of it whose sum is of this element.
  bool makes(pmrt_element sum) const {
    return (sum == PMRT_F32 || sum == PMRT_F64) &&
           (element == sum || isReduced());
  }

  /// `use` of the data as what it is, for a result of T.
  template <typename T, typename Use> decltype(auto) visit(Use &&use) const {
    if (element == PMRT_BF16)
      return use(static_cast<const Brain *>(data));
    if (element == PMRT_F16)
      return use(static_cast<const Half *>(data));
    return use(static_cast<const T *>(data));
  }
};

} // namespace pmrt

#endif // PMRT_CORE_MATRICES_FACTOR_H
