//===- ScheduleSizes.h - Numbers of the schedules ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They decide how long a program takes, and in which order sums are added.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_PROGRAM_SCHEDULESIZES_H
#define PMC_CODEGEN_PROGRAM_SCHEDULESIZES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace pmc::codegen {

struct ScheduleSizes {
  /// CPU: elements that a kernel handles at a time where it needs local arrays.
  int64_t chunk = 64;
  /// CPU: the fewest elements of a lattice that read meshes in blocks, and the
  /// mesh cells at the sites of a block.
  int64_t lattice = 1, cells = 16384;
  /// GPU: threads of a block.
  int64_t block = 256;
  /// GPU: the most threads of a row. What depends on the row alone is computed
  /// by all of them.
  int64_t group = 32;
  /// GPU: bytes that a thread accesses at once.
  int64_t access = 16;
  /// GPU: the most particles of a block that paints in tiles, and of those the
  /// most along the last dim.
  int64_t particles = 2048, row = 16;

  /// Those of the module around the op, which `pm.target` has.
  static ScheduleSizes get(mlir::Operation *op);

  /// From "chunk=128,group=64"; other sizes have their defaults. None, with
  /// a message in `error`, if the text is not such a list.
  static std::optional<ScheduleSizes> parse(llvm::StringRef text,
                                            std::string &error);
  /// The same from the attribute, and back: null if all are as above.
  static std::optional<ScheduleSizes> parse(mlir::Attribute attribute,
                                            std::string &error);
  mlir::DictionaryAttr getAttr(mlir::MLIRContext *context) const;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_PROGRAM_SCHEDULESIZES_H
