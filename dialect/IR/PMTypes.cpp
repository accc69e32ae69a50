//===- PMTypes.cpp - Dims, fields and buffers -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Markers/Limits.h"
#include "dialect/IR/PM.h"
#include "dialect/IR/Verify.h"

#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace pmc::pm;

//===----------------------------------------------------------------------===//
// Dims: `x=128`, `x*2=256`, `x/2=64`, `kx=dual(128)`, `kz=half(128)`,
// `x=128@row`
//===----------------------------------------------------------------------===//

std::string DimAttr::getLabel() const {
  std::string label = isSpace() ? "" : "k";
  label += getName();
  if (getRefine() > 1)
    label += "*" + std::to_string(getRefine());
  else if (getRefine() < 1)
    label += "/" + std::to_string(-getRefine());
  return label;
}

/// As `parseKeywordOrString` reads it: in quotes, unless it is an identifier.
static void printName(raw_ostream &os, StringRef name) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  if (!name.empty() && !llvm::isDigit(name.front()) &&
      llvm::all_of(name, isPart)) {
    os << name;
    return;
  }
  os << '"';
  llvm::printEscapedString(name, os);
  os << '"';
}

static void printDim(raw_ostream &os, DimAttr dim) {
  const std::string label = dim.getLabel();
  const size_t end = dim.getName().size() + !dim.isSpace();
  printName(os, StringRef(label).take_front(end));
  os << StringRef(label).drop_front(end) << "=";
  if (dim.isSpace())
    os << dim.getExtent();
  else
    os << (dim.isHalf() ? "half(" : "dual(") << dim.getExtent() << ")";
  ArrayRef<StringAttr> axes = dim.getAxes();
  if (axes.empty())
    return;
  os << " on(";
  llvm::interleave(
      axes, os, [&](StringAttr axis) { printName(os, axis.getValue()); }, ",");
  os << ")";
}

static void printDims(raw_ostream &os, ArrayRef<DimAttr> dims) {
  os << "[";
  llvm::interleaveComma(dims, os, [&](DimAttr dim) { printDim(os, dim); });
  os << "]";
}

static FailureOr<DimAttr> parseDim(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  std::string name;
  int64_t refine = 1, extent = 0;
  if (parser.parseKeywordOrString(&name))
    return failure();
  if (succeeded(parser.parseOptionalStar())) {
    if (parser.parseInteger(refine))
      return failure();
  } else if (succeeded(parser.parseOptionalSlash())) {
    if (parser.parseInteger(refine))
      return failure();
    refine = -refine;
  }
  if (parser.parseEqual())
    return failure();
  DimKind kind = DimKind::Space;
  if (succeeded(parser.parseOptionalKeyword("dual")))
    kind = DimKind::Dual;
  else if (succeeded(parser.parseOptionalKeyword("half")))
    kind = DimKind::Half;
  if (kind == DimKind::Space) {
    if (parser.parseInteger(extent))
      return failure();
  } else {
    if (parser.parseLParen() || parser.parseInteger(extent) ||
        parser.parseRParen())
      return failure();
    if (name.size() < 2 || name.front() != 'k')
      return parser.emitError(loc)
             << "the dual of a dim is called k and its name, not '" << name
             << "'";
    name.erase(0, 1);
  }
  SmallVector<StringAttr> axes;
  if (succeeded(parser.parseOptionalKeyword("on"))) {
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
          std::string axis;
          if (parser.parseKeywordOrString(&axis))
            return failure();
          axes.push_back(StringAttr::get(parser.getContext(), axis));
          return success();
        }))
      return failure();
  }
  DimAttr dim = DimAttr::getChecked(
      [&] { return parser.emitError(loc); }, parser.getContext(),
      StringRef(name), extent, refine, kind, ArrayRef<StringAttr>(axes));
  if (!dim)
    return failure();
  return dim;
}

static ParseResult parseDims(AsmParser &parser,
                             SmallVectorImpl<DimAttr> &dims) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    FailureOr<DimAttr> dim = parseDim(parser);
    if (failed(dim))
      return failure();
    dims.push_back(*dim);
    return success();
  });
}

void DimAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printDim(printer.getStream(), *this);
  printer << ">";
}

Attribute DimAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<DimAttr> dim = parseDim(parser);
  if (failed(dim) || parser.parseGreater())
    return {};
  return *dim;
}

LogicalResult DimAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              StringRef name, int64_t extent, int64_t refine,
                              DimKind, ArrayRef<StringAttr> axes) {
  if (name.empty())
    return emitError() << "a dim needs a name";
  if (extent < 1)
    return emitError() << "dim '" << name << "' has extent " << extent
                       << ", expected at least 1";
  if (refine > -2 && (refine < 1 || extent % refine != 0))
    return emitError() << "dim '" << name << "' has extent " << extent
                       << ", which its factor " << refine << " does not divide";
  for (auto [i, axis] : llvm::enumerate(axes))
    if (llvm::is_contained(axes.take_front(i), axis))
      return emitError() << "mesh axis '" << axis.getValue() << "' splits dim '"
                         << name << "' twice";
  return success();
}

void DimsAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printDims(printer.getStream(), getDims());
  printer << ">";
}

Attribute DimsAttr::parse(AsmParser &parser, Type) {
  SmallVector<DimAttr> dims;
  if (parser.parseLess() || parseDims(parser, dims) || parser.parseGreater())
    return {};
  return DimsAttr::get(parser.getContext(), dims);
}

void pmc::pm::printDomain(OpAsmPrinter &printer, Operation *, DimsAttr domain) {
  printDims(printer.getStream(), domain.getDims());
}

ParseResult pmc::pm::parseDomain(OpAsmParser &parser, DimsAttr &domain) {
  SmallVector<DimAttr> dims;
  if (parseDims(parser, dims))
    return failure();
  domain = DimsAttr::get(parser.getContext(), dims);
  return success();
}

//===----------------------------------------------------------------------===//
// Fields and buffers
//===----------------------------------------------------------------------===//

template <class T> static void printGrid(AsmPrinter &printer, T type) {
  printer << "<";
  printDims(printer.getStream(), type.getDims());
  printer << ", " << type.getElementType() << ">";
}

template <class T> static Type parseGrid(AsmParser &parser) {
  SmallVector<DimAttr> dims;
  Type element;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseDims(parser, dims) || parser.parseComma() ||
      parser.parseType(element) || parser.parseGreater())
    return {};
  return T::getChecked([&] { return parser.emitError(loc); },
                       parser.getContext(), ArrayRef<DimAttr>(dims), element);
}

static LogicalResult verifyGrid(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<DimAttr> dims, Type element,
                                size_t most) {
  if (dims.empty() || dims.size() > most)
    return emitError() << "a field has 1 to " << most << " dims, not "
                       << dims.size();
  llvm::StringSet<> labels, axes;
  unsigned halves = 0;
  for (DimAttr dim : dims) {
    halves += dim.isHalf();
    if (!labels.insert(dim.getLabel()).second)
      return emitError() << "dim '" << dim.getLabel() << "' occurs twice";
    for (StringAttr axis : dim.getAxes())
      if (!axes.insert(axis.getValue()).second)
        return emitError() << "mesh axis '" << axis.getValue()
                           << "' splits two dims";
  }
  if (halves > 1)
    return emitError() << "a field has at most one half dim, not " << halves;
  Type scalar = element;
  if (auto complex = dyn_cast<ComplexType>(element))
    scalar = complex.getElementType();
  else if (element.isInteger(1) || element.isInteger(64))
    return success();
  if (!isReal(scalar) && !isReducedPrecision(element))
    return emitError() << "a field's element is f32, f64, complex of these, "
                          "bf16, f16, i1 or i64, not "
                       << element;
  return success();
}

void FieldType::print(AsmPrinter &printer) const { printGrid(printer, *this); }
Type FieldType::parse(AsmParser &parser) {
  return parseGrid<FieldType>(parser);
}
LogicalResult FieldType::verify(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<DimAttr> dims, Type element) {
  return verifyGrid(emitError, dims, element, mostProductDims);
}

void BufferType::print(AsmPrinter &printer) const { printGrid(printer, *this); }
Type BufferType::parse(AsmParser &parser) {
  return parseGrid<BufferType>(parser);
}
LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<DimAttr> dims, Type element) {
  return verifyGrid(emitError, dims, element, mostFieldDims);
}

void HaloType::print(AsmPrinter &printer) const { printGrid(printer, *this); }
Type HaloType::parse(AsmParser &parser) { return parseGrid<HaloType>(parser); }
LogicalResult HaloType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<DimAttr> dims, Type element) {
  return verifyGrid(emitError, dims, element, mostFieldDims);
}

ArrayRef<DimAttr> GridType::getDims() const {
  if (auto field = dyn_cast<FieldType>(*this))
    return field.getDims();
  return cast<BufferType>(*this).getDims();
}

Type GridType::getElementType() const {
  if (auto field = dyn_cast<FieldType>(*this))
    return field.getElementType();
  return cast<BufferType>(*this).getElementType();
}

int GridType::findDim(StringRef label) const {
  return pmc::pm::findDim(getDims(), label);
}

int pmc::pm::findDim(ArrayRef<DimAttr> dims, StringRef label) {
  for (auto [i, dim] : llvm::enumerate(dims))
    if (dim.getLabel() == label)
      return i;
  return -1;
}

SmallVector<StringAttr> pmc::pm::getAxes(ArrayRef<DimAttr> dims) {
  SmallVector<StringAttr> axes;
  for (DimAttr dim : dims)
    llvm::append_range(axes, dim.getAxes());
  return axes;
}

SmallVector<DimAttr> pmc::pm::withoutAxes(ArrayRef<DimAttr> dims) {
  return llvm::map_to_vector(dims,
                             [](DimAttr dim) { return dim.withoutAxes(); });
}

std::string pmc::pm::toString(ArrayRef<DimAttr> dims) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printDims(os, dims);
  return text;
}

unsigned pmc::pm::getElementBytes(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * getElementBytes(complex.getElementType());
  return (element.getIntOrFloatBitWidth() + 7) / 8;
}
