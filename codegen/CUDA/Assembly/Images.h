//===- Images.h - What a GPU loads ------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_ASSEMBLY_IMAGES_H
#define PMC_CODEGEN_CUDA_ASSEMBLY_IMAGES_H

#include "pmrt/pmrt_cuda.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace pmc::codegen {

/// A pmrt_image, before it is a program's.
struct Image {
  pmrt_image_kind kind;
  unsigned arch;
  std::string data;
};

/// Gives the program's pmrt_device_code its contents. The module, in the LLVM
/// dialect, is the program's or one that is linked with it.
void embedImages(mlir::ModuleOp module, llvm::ArrayRef<Image> images);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_ASSEMBLY_IMAGES_H
