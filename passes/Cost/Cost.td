//===- Cost.td - What an op costs --------------------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_COST_TD
#define PMC_PASSES_COST_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Cost_Dialect : Dialect {
  let name = "cost";
  let cppNamespace = "::pmc::cost";
  let summary = "Expressions of what ops cost.";
  let useDefaultAttributePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

def Cost_Kind : I32EnumAttr<"ExprKind", "what an expression is", [
    I32EnumAttrCase<"Constant", 0, "constant">,
    I32EnumAttrCase<"Symbol", 1, "symbol">,
    I32EnumAttrCase<"Sum", 2, "sum">,
    I32EnumAttrCase<"Product", 3, "product">,
    I32EnumAttrCase<"Max", 4, "max">,
    I32EnumAttrCase<"CeilDiv", 5, "ceildiv">,
    I32EnumAttrCase<"Part", 6, "part">,
    I32EnumAttrCase<"Common", 7, "common">,
    I32EnumAttrCase<"View", 8, "view">,
    I32EnumAttrCase<"Seen", 9, "seen">]> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::pmc::cost";
}

def Cost_ExprAttr : AttrDef<Cost_Dialect, "Expr"> {
  let mnemonic = "expr";
  let summary = "a whole number that depends on the mesh and on a rank's place";
  let description = [{
    `#cost.expr<"8*(40*8/row-5*8/row*8/row)">`. What is not in quotes here is text:

    - `128`, and names: `row` is the number of ranks along a mesh axis; other
      names (`lo_x`: cells that a halo has below along x) are given when it is
      evaluated;
    - `a+b`, `a-b`, `a*b`, `max(a, b)`, `ceildiv(a, b)`;
    - `128/row/col`: the cells that a rank has of 128, which these axes split, the
      first one outermost. It binds tightest;
    - `common(128/row, 128/col)`: the cells that it has in both ways;
    - `view(128/row, lo, hi)`: its cells, and so many below and above, each
      cell once;
    - `seen(128/row, lo, hi)`: how often its cells are in the views of the ranks
      of these axes, of all together.

    An axis of one rank splits nothing, and then there is nothing around a part.

    Constraints: 1. the text is such an expression;
    2. `common`, `view` and `seen` are of cells that are split, possibly times a
    number: `common(2*64/row, 2*64/col)`.
  }];
  let parameters = (ins "::pmc::cost::ExprKind":$kind, "int64_t":$value,
                        ArrayRefParameter<"::mlir::StringAttr">:$names,
                        ArrayRefParameter<"::pmc::cost::ExprAttr">:$operands);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    std::string toText() const;
    bool isConstant(int64_t number) const {
      return getKind() == ExprKind::Constant && getValue() == number;
    }
    /// Nothing if a name has no value there.
    std::optional<int64_t> evaluate(const ::pmc::cost::RankPosition &place) const;
  }];
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

def Cost_CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "::pmc::cost";
  let description = [{
    What one rank moves, computes and sends for an op, once. `--explain`, `tune`,
    the notes on messages and the profile of programs ask this interface, and
    nothing else knows what an op costs.
  }];
  let methods = [
    InterfaceMethod<[{
        Of an op in the body of a loop over a domain: for one element. `ranks`:
        how many there are along mesh axes, if that is known; what does not
        depend on it is the same.
      }],
      "::pmc::cost::OpCost", "getCost", (ins "const ::pmc::cost::Ranks &":$ranks)>,
    InterfaceMethod<[{
        Whether the cost depends on how many ranks there are, not only on which
        axes have one rank.
      }],
      "bool", "dependsOnRanks", (ins), "", "return false;">,
    InterfaceMethod<[{
        The fields of which the op reads or writes each cell of the rank,
        whatever the program computes: they bound its time from below.
      }],
      "::pmc::cost::Sweeps", "getSweeps", (ins), "", "return {};">,
  ];
}

#endif // PMC_PASSES_COST_TD
