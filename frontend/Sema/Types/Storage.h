//===- Storage.h - Types of numbers in programs -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_TYPES_STORAGE_H
#define PMC_FRONTEND_SEMA_TYPES_STORAGE_H

#include <cstdint>

namespace pmc {

/// How a program stores a number, or an element of a field.
enum class Storage : uint8_t {
  None, ///< of values that are no numbers
  I1,   ///< a bool
  I64,
  U64,
  F32,
  F64,
  ComplexF32,
  ComplexF64,
};

inline bool isFloat(Storage storage) {
  return storage == Storage::F32 || storage == Storage::F64;
}
inline bool isComplex(Storage storage) {
  return storage == Storage::ComplexF32 || storage == Storage::ComplexF64;
}
/// The storage of a complex number with parts of type `real`.
inline Storage complexOf(Storage real) {
  return real == Storage::F32 ? Storage::ComplexF32 : Storage::ComplexF64;
}

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_TYPES_STORAGE_H
