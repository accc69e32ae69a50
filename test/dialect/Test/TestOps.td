//===- TestOps.td - Ops with every interface and none ------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_DIALECT_TESTOPS_TD
#define PMC_TEST_DIALECT_TESTOPS_TD

include "dialect/IR/PMBase.td"
include "dialect/Interfaces/Interfaces.td"
include "passes/Cost/Cost.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def PMTest_Dialect : Dialect {
  let name = "pmtest";
  let cppNamespace = "::pmc::test";
  let summary = "What a new op of another dialect looks like.";
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def PMTest_LinearOp : Op<PMTest_Dialect, "linear", [
    AttrSizedOperandSegments, SingleBlock,
    DeclareOpInterfaceMethods<PM_DomainOpInterface>,
    DeclareOpInterfaceMethods<PM_DifferentiableOpInterface>,
    PM_ShardableOpInterface,
    DeclareOpInterfaceMethods<PM_PlaceableOpInterface, ["canShareBuffer", "buildBufferForm"]>,
    DeclareOpInterfaceMethods<Cost_CostOpInterface>]> {
  let summary = "a linear function of every element";
  let description = [{
    r(i) = body(a(i)), where the body is linear in its argument, and so its own
    derivative and, on real fields, its own adjoint. With no `input` r = body(),
    a constant.
  }];
  let arguments = (ins PM_DimsAttr:$domain, Variadic<PM_Grid>:$inputs,
                       Variadic<PM_Buffer>:$outs);
  let results = (outs Optional<PM_Field>:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<Domain>($domain) (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict-with-keyword $body
    (`->` type($result)^)?
  }];
}

def PMTest_OpaqueOp : Op<PMTest_Dialect, "opaque"> {
  let summary = "works on buffers, and no target has a lowering for it";
  let arguments = (ins Variadic<PM_Buffer>:$buffers);
  let assemblyFormat = "`(` $buffers `:` type($buffers) `)` attr-dict";
}

#endif // PMC_TEST_DIALECT_TESTOPS_TD
