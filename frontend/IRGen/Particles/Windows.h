//===- Windows.h - Windows of paints and readouts ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_PARTICLES_WINDOWS_H
#define PMC_FRONTEND_IRGEN_PARTICLES_WINDOWS_H

#include "frontend/IRGen/Calls.h"

namespace pmc {

class Generator;

/// Components that name dims of the mesh, in their order there.
Value alignedWith(const Value &vector, DimList mesh);

/// The windows that calls name or describe.
class Windows {
public:
  explicit Windows(Generator &generator) : g(generator) {}

  pm::WindowAttr of(BuiltinCall &call, unsigned index);
  bool addBatch(llvm::ArrayRef<pm::DimAttr> mesh, const Argument &arg,
                bool free, llvm::SmallVectorImpl<mlir::Value> &fields,
                pm::WindowAttr &window);

  /// The mesh's dims that the components of a vector are along; empty if the
  /// vector does not say which.
  llvm::SmallVector<bool> findAddressed(llvm::ArrayRef<pm::DimAttr> mesh,
                                        const Value &vector, size_t count);

private:
  pm::WindowAttr fitWindow(const Argument &arg);
  pm::WindowAttr fitWeight(const Argument &arg, const Value &weight,
                           int64_t support, double accuracy);
  std::optional<double> weightAt(const Argument &arg, const Value &weight,
                                 double x);

  Generator &g;
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_PARTICLES_WINDOWS_H
