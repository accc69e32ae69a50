//===- PMPartial.cpp - What is partial, and what is in flight -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Markers/PMOwnerComputes.h"
#include "dialect/IR/Verify.h"

using namespace mlir;
using namespace pmc::pm;

Type pmc::pm::getUnderlying(Type type) {
  if (auto partial = dyn_cast<PartialType>(type))
    return partial.getType();
  if (auto inFlight = dyn_cast<InFlightType>(type))
    return inFlight.getType();
  return type;
}

FieldType pmc::pm::getField(Type type) {
  return dyn_cast<FieldType>(getUnderlying(type));
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

LogicalResult InFlightType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Type type) {
  if (isa<FieldType, HaloType>(type))
    return success();
  return emitError() << "a field or a halo is in flight, not " << type;
}

LogicalResult PartialType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Type type, Reduction,
                                  ArrayRef<StringAttr> axes) {
  if (!isa<FieldType, HaloType>(type) && !type.isF64())
    return emitError() << "a number of f64, a field or a halo is partial, not "
                       << type;
  if (axes.empty())
    return emitError() << "a partial value has at least one mesh axis";
  for (auto [one, next] : llvm::zip(axes, axes.drop_front()))
    if (one.getValue() == next.getValue())
      return emitError() << "names axis " << one << " twice";
  return success();
}

static SmallVector<StringAttr> sorted(ArrayRef<StringAttr> axes) {
  SmallVector<StringAttr> inOrder(axes);
  llvm::sort(inOrder, [](StringAttr a, StringAttr b) {
    return a.getValue() < b.getValue();
  });
  return inOrder;
}

Type PartialType::getOver(Type type, Reduction kind,
                          ArrayRef<StringAttr> axes) {
  if (axes.empty())
    return type;
  SmallVector<StringAttr> inOrder = sorted(axes);
  inOrder.erase(llvm::unique(inOrder), inOrder.end());
  return get(type.getContext(), type, kind, inOrder);
}

void PartialType::print(AsmPrinter &printer) const {
  printer << "<" << getType() << ", " << stringifyReduction(getKind())
          << " over [";
  llvm::interleaveComma(getAxes(), printer, [&](StringAttr axis) {
    printer.printKeywordOrString(axis.getValue());
  });
  printer << "]>";
}

Type PartialType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  StringRef name;
  SmallVector<StringAttr> axes;
  auto parseAxis = [&]() -> ParseResult {
    std::string axis;
    if (parser.parseKeywordOrString(&axis))
      return failure();
    axes.push_back(StringAttr::get(parser.getContext(), axis));
    return success();
  };
  if (parser.parseLess() || parser.parseType(type) || parser.parseComma() ||
      parser.parseKeyword(&name) || parser.parseKeyword("over") ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseAxis) ||
      parser.parseGreater())
    return {};
  std::optional<Reduction> kind = symbolizeReduction(name);
  if (!kind) {
    parser.emitError(loc) << "is reduced by '" << name
                          << "', expected sum, min or max";
    return {};
  }
  SmallVector<StringAttr> inOrder = sorted(axes);
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    type, *kind, ArrayRef<StringAttr>(inOrder));
}

//===----------------------------------------------------------------------===//
// Text of ops
//===----------------------------------------------------------------------===//

static Type getPart(Type type, ReductionAttr kind, ArrayAttr axes) {
  if (isa<BufferType>(type))
    return type;
  SmallVector<StringAttr> names(axes.getAsRange<StringAttr>());
  return PartialType::getOver(type, kind.getValue(), names);
}

void pmc::pm::printParts(OpAsmPrinter &printer, Operation *, TypeRange parts,
                         ReductionAttr, ArrayAttr) {
  llvm::interleaveComma(parts, printer,
                        [&](Type part) { printer << getUnderlying(part); });
}

ParseResult pmc::pm::parseParts(OpAsmParser &parser,
                                SmallVectorImpl<Type> &parts,
                                ReductionAttr kind, ArrayAttr axes) {
  SmallVector<Type> results;
  return parsePartsOf(parser, parts, results, kind, axes);
}

void pmc::pm::printPartsOf(OpAsmPrinter &printer, Operation *, TypeRange,
                           TypeRange results, ReductionAttr, ArrayAttr) {
  llvm::interleaveComma(results, printer);
}

ParseResult pmc::pm::parsePartsOf(OpAsmParser &parser,
                                  SmallVectorImpl<Type> &parts,
                                  SmallVectorImpl<Type> &results,
                                  ReductionAttr kind, ArrayAttr axes) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseTypeList(results))
    return failure();
  for (Type type : results) {
    if (!type.isF64() && !isa<FieldType, BufferType>(type))
      return parser.emitError(loc)
             << "combines " << type << ", expected a number of f64 or a field";
    parts.push_back(getPart(type, kind, axes));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult pmc::pm::verifyPartial(Operation *op, Type type,
                                     ArrayRef<StringAttr> axes,
                                     Reduction kind) {
  Type expected = op->hasAttr(ownerComputesName)
                      ? getUnderlying(type)
                      : PartialType::getOver(getUnderlying(type), kind, axes);
  if (type == expected)
    return success();
  return op->emitOpError("has the result ")
         << type << ", expected " << expected;
}

LogicalResult pmc::pm::verifyParts(Operation *op, TypeRange parts,
                                   ReductionAttr kind, ArrayAttr axes) {
  for (Type part : parts)
    if (Type expected = getPart(getUnderlying(part), kind, axes);
        part != expected)
      return op->emitOpError("combines ") << part << ", expected " << expected;
  return success();
}
