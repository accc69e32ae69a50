//===- KernelEnums.td - Choices of the pmk dialect ---------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_KERNELS_KERNELENUMS_TD
#define PMC_CODEGEN_KERNELS_KERNELENUMS_TD

include "mlir/IR/EnumAttr.td"

def PMK_Space : I32EnumAttr<"Space", "where memory is", [
    I32EnumAttrCase<"Global", 0, "global">,
    I32EnumAttrCase<"Shared", 1, "shared">]> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::pmc::pmk";
}

def PMK_Scope : I32EnumAttr<"Scope", "who else adds", [
    I32EnumAttrCase<"Device", 0, "device">,
    I32EnumAttrCase<"Block", 1, "block">]> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::pmc::pmk";
}

def PMK_Grid : I32EnumAttr<"Grid", "what is counted", [
    I32EnumAttrCase<"Threads", 0, "threads">,
    I32EnumAttrCase<"Blocks", 1, "blocks">]> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::pmc::pmk";
}

#endif // PMC_CODEGEN_KERNELS_KERNELENUMS_TD
