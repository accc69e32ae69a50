//===- Register.cpp - Lowerings of the domain ops to CPU threads ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Register.h"

void pmc::codegen::registerCPUDomainLowerings(mlir::DialectRegistry &registry) {
  registerBinsLowering(registry);
  registerMapLowering(registry);
  registerReachLowering(registry);
  registerReduceLowering(registry);
  registerScatterLowering(registry);
}
