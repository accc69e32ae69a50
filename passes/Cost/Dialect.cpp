//===- Dialect.cpp - The cost dialect and its interface -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Cost/Cost.h"
#include "passes/Cost/Models.h"

#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pmc::cost;

#include "passes/Cost/CostEnums.cpp.inc"

#include "passes/Cost/CostDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "passes/Cost/CostAttrs.cpp.inc"

#include "passes/Cost/CostInterfaces.cpp.inc"

void CostDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "passes/Cost/CostAttrs.cpp.inc"
      >();
}

void ExprAttr::print(AsmPrinter &printer) const {
  printer << "<\"" << toText() << "\">";
}

Attribute ExprAttr::parse(AsmParser &parser, Type) {
  std::string text, error;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseString(&text) || parser.parseGreater())
    return {};
  ExprAttr expr = parseExpr(parser.getContext(), text, error);
  if (!expr)
    parser.emitError(loc) << error;
  return expr;
}

void pmc::cost::registerCostModels(DialectRegistry &registry) {
  registry.insert<CostDialect>();
  // What an op costs is an attribute: who has the ops may ask.
  registry.addExtension(+[](MLIRContext *context, pmc::pm::PMDialect *) {
    context->loadDialect<CostDialect>();
  });
  registerDomainCosts(registry);
  registerFieldCosts(registry);
  registerFourierCosts(registry);
  registerMessageCosts(registry);
  registerNumberCosts(registry);
}
