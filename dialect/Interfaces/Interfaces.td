//===- Interfaces.td - What passes ask of an op ------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_INTERFACES_TD
#define PMC_DIALECT_INTERFACES_TD

include "mlir/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// Loops over a domain of named dims
//===----------------------------------------------------------------------===//

def PM_DomainOpInterface : OpInterface<"DomainOpInterface"> {
  let cppNamespace = "::pmc::pm";
  let description = [{
    An op that evaluates one region for every element of a domain of named
    dims. Inputs are fields over the domain's dims or a subset of them; the
    region's arguments are their elements, in order. Loop fusion works on this
    interface alone.
  }];
  let methods = [
    InterfaceMethod<"The dims of the iteration space, outermost first.",
                    "::llvm::ArrayRef<::pmc::pm::DimAttr>", "getDomainDims">,
    InterfaceMethod<"Changes them: to the same dims, split in another way.",
                    "void", "setDomainDims",
                    (ins "::llvm::ArrayRef<::pmc::pm::DimAttr>":$dims)>,
    InterfaceMethod<"The fields read elementwise.", "::mlir::OperandRange",
                    "getDomainInputs">,
    InterfaceMethod<"The same, to change.", "::mlir::MutableOperandRange",
                    "getDomainInputsMutable">,
    InterfaceMethod<"The body: one argument per input.", "::mlir::Block *",
                    "getDomainBody">,
  ];
}

//===----------------------------------------------------------------------===//
// Differentiation
//===----------------------------------------------------------------------===//

def PM_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::pmc::pm";
  let description = [{
    y = f(x), differentiated on the global view, where the op stands: at the top
    of a function, or in the body of a loop over a domain, where values are
    elements. Operands and results of the op are at hand where its derivative is
    built.
  }];
  let methods = [
    InterfaceMethod<"dy = J dx: sets the tangents of the results.",
      "::llvm::LogicalResult", "buildTangent",
      (ins "::mlir::OpBuilder &":$builder, "::pmc::pm::Tangents &":$tangents)>,
    InterfaceMethod<[{
        xbar = J^T ybar: adds to the cotangents of what the op reads, in the inner
        product that counts Hermitian pairs of half spectra twice, and in which
        a complex number is two real ones.
      }],
      "::llvm::LogicalResult", "buildAdjoint",
      (ins "::mlir::OpBuilder &":$builder,
           "::pmc::pm::Cotangents &":$cotangents)>,
  ];
}

//===----------------------------------------------------------------------===//
// Sharding
//===----------------------------------------------------------------------===//

def PM_ShardableOpInterface : OpInterface<"ShardableOpInterface"> {
  let cppNamespace = "::pmc::pm";
  let description = [{
    How an op with fields runs on one rank's parts of them. A field's sharding is
    a function of its type and the layout; the op says where local work requires or
    gives something else, and the sharding pass inserts the messages. Needed by
    every op that takes or makes fields and is not a structured one.
  }];
  let methods = [
    InterfaceMethod<[{
        Changes what differs from the defaults in `form`: fields are taken and
        made as the layout has them, along a domain's dims as it splits the
        domain, and no result is partial.
      }],
      "void", "getLocalForm",
      (ins "const ::pmc::pm::Layout &":$layout, "::pmc::pm::LocalForm &":$form),
      "", [{ return; }]>,
    InterfaceMethod<[{
        Inserts what gets the cells that the op touches beyond the parts that it
        is given, and what brings back those that it made. Operands, results and
        attributes are local by now.
      }],
      "::llvm::LogicalResult", "buildHalos", (ins "::mlir::OpBuilder &":$builder),
      "", [{ return ::mlir::success(); }]>,
  ];
}

//===----------------------------------------------------------------------===//
// Memory placement
//===----------------------------------------------------------------------===//

def PM_PlaceableOpInterface : OpInterface<"PlaceableOpInterface"> {
  let cppNamespace = "::pmc::pm";
  let description = [{
    An op with field operands or results that the memory-planning pass places
    into buffers. In its buffer form fields are `!pm.buffer` operands and
    results have become `outs` operands. An op whose `outs` come after all its
    other operands, and that has no region, needs no model.
  }];
  let methods = [
    InterfaceMethod<[{
        Whether the result may be written over the operand if nothing reads the
        operand later: true only if each element of the result depends on no
        other element of the operand than its own.
      }],
      "bool", "canShareBuffer",
      (ins "::mlir::OpOperand &":$operand, "::mlir::OpResult":$result),
      "", [{ return false; }]>,
    InterfaceMethod<"Whether the op spoils the operand's contents.",
      "bool", "destroysOperand", (ins "::mlir::OpOperand &":$operand),
      "", [{ return false; }]>,
    InterfaceMethod<[{
        Creates the buffer form: `operands` are the op's operands with buffers
        for fields, `outs` one buffer per field result. Scalar results stay.
      }],
      "::mlir::Operation *", "buildBufferForm",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
           "::mlir::ValueRange":$outs),
      "", [{ return ::pmc::pm::appendOuts(builder, $_op, operands, outs); }]>,
  ];
}

//===----------------------------------------------------------------------===//
// Reading at other cells
//===----------------------------------------------------------------------===//

def PM_MovedFieldOpInterface : OpInterface<"MovedFieldOpInterface"> {
  let cppNamespace = "::pmc::pm";
  let description = [{
    An op whose result has what other cells of its first operand have. Where
    they are told by indices, a contraction may read them there.
  }];
  let methods = [
    InterfaceMethod<[{
        Appends the index along each dim of the operand, by labels of the
        result's dims; false if the cells are not told by indices.
      }],
      "bool", "getLabeledIndexes",
      (ins "::llvm::SmallVectorImpl<::pmc::pm::LabeledIndex> &":$indexes)>,
  ];
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

def PM_LowerableOpInterface : OpInterface<"LowerableOpInterface"> {
  let cppNamespace = "::pmc::pm";
  let description = [{
    Turns an op's buffer form into loops and runtime calls. Implemented by
    external models in codegen, one file an op.
  }];
  let methods = [
    InterfaceMethod<"Emits the code for the op before it. The caller erases it.",
      "::llvm::LogicalResult", "lower",
      (ins "::pmc::codegen::LoweringContext &":$context)>,
  ];
}

#endif // PMC_DIALECT_INTERFACES_TD
