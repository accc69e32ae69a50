//===- BlockedElements.h - Elements in blocks of a lattice ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_BLOCKEDELEMENTS_H
#define PMC_CODEGEN_CPU_BLOCKEDELEMENTS_H

#include "codegen/CPU/Blocks/BlockReading.h"
#include "codegen/CPU/RowLoop.h"

namespace pmc::codegen {

/// The op's only reading, if its elements should be computed in blocks of
/// lattice sites.
pm::InterpolateOp getBlockedReading(pm::DomainOpInterface op,
                                    const ScheduleSizes &sizes);

/// Elements that read several meshes around their lattice sites. The runtime
/// calls the kernel with blocks of sites and a copy of the cells that they
/// read. Blocks that read too many cells are computed in rows. A reading with a
/// cell has no rows, because its fields are not in memory: another kernel fills
/// the copy.
class BlockedElements : public Elements {
public:
  BlockedElements(pm::DomainOpInterface op, pm::InterpolateOp reading,
                  LoweringContext &context, mlir::OpBuilder &host,
                  llvm::StringRef title);

  llvm::SmallVector<Kernel *> getKernels() override {
    if (reading.isComputed())
      return {&block};
    return {&kernel, &block};
  }
  void forElements(Body &body, Element element) override;
  void launch() override;

private:
  void emitBlock(Body &body, Element element);
  void emitBox();
  void emitFill();
  mlir::Value getRenewal();

  pm::InterpolateOp reading;
  Kernel block, box;
  std::optional<Kernel> fill;
  std::unique_ptr<BlockReading> reader;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_BLOCKEDELEMENTS_H
