//===- PMDialect.cpp - The pm dialect -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PMMatrixOps.h"
#include "dialect/IR/PMRowOps.h"
#include "dialect/IR/PMSpectralOps.h"

#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pmc::pm;

#include "dialect/IR/PMDialect.cpp.inc"

#include "dialect/IR/PMEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/IR/PMAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/IR/PMTypes.cpp.inc"

void PMDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/IR/PMAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/IR/PMTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/IR/PMOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/IR/PMRowOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/IR/PMMatrixOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/IR/PMSpectralOps.cpp.inc"
      >();
}
