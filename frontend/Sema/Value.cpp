//===- Value.cpp - What expressions evaluate to ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Value.h"

#include "frontend/Parser/AST.h"
#include "frontend/Sema/Builtins.h"
#include "frontend/Sema/Types/Type.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace pmc;

struct Value::Detail {
  std::vector<Value> elements;
  std::vector<std::string> names;
  std::vector<Dim> dims; // of a field, of samples; or the dim
  std::vector<Dim> tags;
  std::optional<Dim> counted; // of a stream
  std::string text;
  Unit xUnit;
  const ast::FunctionStmt *function = nullptr;
  const ast::LambdaExpr *lambda = nullptr;
  const ModuleInfo *module = nullptr;
  unsigned locals = 0;
  Derivation derivation;
  Type known; // of a free value
  unsigned depth = 1;
  uint64_t size = 1;
};

Value Value::aggregate(Kind kind, std::shared_ptr<Detail> detail) {
  for (const Value &element : detail->elements) {
    detail->depth = std::max(detail->depth, element.getDepth() + 1);
    detail->size += element.getSize();
  }
  Value value(kind);
  value.detail = std::move(detail);
  return value;
}

Value Value::free(const Type &type) {
  auto detail = std::make_shared<Detail>();
  detail->known = type;
  return aggregate(Kind::Poison, std::move(detail));
}

const Type &Value::getKnown() const { return detail->known; }

bool Value::holdsFree() const {
  return isFree() || llvm::any_of(getElements(), [](const Value &element) {
           return element.holdsFree();
         });
}

Value Value::integer(int64_t number) {
  Value value(Kind::Int);
  value.bits = number;
  return value;
}

Value Value::real(double number, Unit unit) {
  Value value(Kind::Real);
  value.number = number;
  value.unit = unit;
  value.unit.factor = 1;
  return value;
}

Value Value::boolean(bool truth) {
  Value value(Kind::Bool);
  value.bits = truth;
  return value;
}

Value Value::string(std::string text) {
  auto detail = std::make_shared<Detail>();
  detail->text = std::move(text);
  return aggregate(Kind::String, std::move(detail));
}

Value Value::dim(Dim dim) {
  auto detail = std::make_shared<Detail>();
  detail->dims.push_back(std::move(dim));
  return aggregate(Kind::Dim, std::move(detail));
}

Value Value::scalar(Storage storage, Unit unit, const void *handle) {
  Value value(Kind::Scalar);
  value.storage = storage;
  value.unit = unit;
  value.unit.factor = 1;
  value.handle = handle;
  return value;
}

Value Value::asElement() const {
  Value result = *this;
  result.anElement = true;
  return result;
}

Value Value::asChoice() const { return asElement(); }

Value Value::asUnsigned() const {
  Value value = *this;
  value.storage = Storage::U64;
  return value;
}

Value Value::complex(Value re, Value im, Unit unit) {
  if (re.isPoison() || im.isPoison())
    return poison();
  auto detail = std::make_shared<Detail>();
  unit.factor = 1;
  detail->elements.push_back(re.withUnit(unit));
  detail->elements.push_back(im.withUnit(unit));
  Value value = aggregate(Kind::Complex, std::move(detail));
  value.unit = unit;
  return value;
}

Value Value::field(std::vector<Dim> dims, Storage element, Unit unit,
                   const void *handle) {
  auto detail = std::make_shared<Detail>();
  detail->dims = std::move(dims);
  Value value = aggregate(Kind::Field, std::move(detail));
  value.handle = handle;
  value.storage = element;
  value.unit = unit;
  value.unit.factor = 1;
  return value;
}

Value Value::table(Unit xUnit, Unit yUnit, const void *handle) {
  auto detail = std::make_shared<Detail>();
  detail->xUnit = xUnit;
  Value value = aggregate(Kind::Table, std::move(detail));
  value.handle = handle;
  value.unit = yUnit;
  return value;
}

/// The last member of a table over several axes.
static constexpr llvm::StringLiteral gridValues = "(values)";

Value Value::grid(std::vector<Value> axes, Value values) {
  std::vector<std::string> names;
  for (size_t i = 0; i < axes.size(); ++i)
    names.push_back("(axis " + std::to_string(i + 1) + ")");
  names.push_back(gridValues.str());
  axes.push_back(std::move(values));
  return record(std::move(names), std::move(axes));
}

bool Value::isGrid() const {
  return isRecord() && !getNames().empty() && getNames().back() == gridValues;
}

unsigned Value::getAxisCount() const {
  return isGrid() ? unsigned(getElements().size()) - 1 : 1;
}

static bool anyPoison(llvm::ArrayRef<Value> elements) {
  return llvm::any_of(
      elements, [](const Value &e) { return e.isPoison() && !e.isFree(); });
}

Value Value::tuple(std::vector<Value> elements, std::vector<Dim> tags) {
  if (anyPoison(elements))
    return poison();
  auto detail = std::make_shared<Detail>();
  detail->elements = std::move(elements);
  detail->tags = std::move(tags);
  return aggregate(Kind::Tuple, std::move(detail));
}

Value Value::record(std::vector<std::string> names,
                    std::vector<Value> elements) {
  auto detail = std::make_shared<Detail>();
  detail->elements = std::move(elements);
  detail->names = std::move(names);
  return aggregate(Kind::Record, std::move(detail));
}

Value Value::range(Value begin, Value end) {
  auto detail = std::make_shared<Detail>();
  detail->elements = {std::move(begin), std::move(end)};
  return aggregate(Kind::Range, std::move(detail));
}

Value Value::closure(const ast::FunctionStmt *function,
                     const ast::LambdaExpr *lambda, const ModuleInfo *module,
                     std::vector<std::string> captured,
                     std::vector<Value> values, unsigned locals) {
  auto detail = std::make_shared<Detail>();
  detail->elements = std::move(values);
  detail->names = std::move(captured);
  detail->function = function;
  detail->lambda = lambda;
  detail->module = module;
  detail->locals = locals;
  return aggregate(Kind::Closure, std::move(detail));
}

Value Value::builtin(BuiltinId id) {
  Value value(Kind::Builtin);
  value.bits = int64_t(id);
  return value;
}

Value Value::derivative(Value function, std::vector<std::string> parameters,
                        const Derivation &derivation) {
  auto detail = std::make_shared<Detail>();
  detail->elements.push_back(std::move(function));
  detail->names = std::move(parameters);
  detail->derivation = derivation;
  return aggregate(Kind::Derivative, std::move(detail));
}

Value Value::coordinate(unsigned map) {
  Value value(Kind::Coordinate);
  value.bits = map;
  return value;
}

Value Value::stream(std::string name, std::string along, std::optional<Dim> dim,
                    std::vector<Dim> sample, Storage element, Unit unit) {
  auto detail = std::make_shared<Detail>();
  detail->text = std::move(name);
  detail->names.push_back(std::move(along));
  detail->counted = std::move(dim);
  detail->dims = std::move(sample);
  Value value = aggregate(Kind::Stream, std::move(detail));
  value.storage = element;
  value.unit = unit;
  value.unit.factor = 1;
  return value;
}

Value Value::withElements(std::vector<Value> elements) const {
  if (kind != Kind::Record && anyPoison(elements))
    return poison();
  auto copy = std::make_shared<Detail>(*detail);
  copy->elements = std::move(elements);
  copy->depth = 1;
  copy->size = 1;
  Value value = aggregate(kind, std::move(copy));
  value.unit = unit;
  value.anyUnit = anyUnit;
  return value;
}

Value Value::withUnit(Unit newUnit) const {
  newUnit.factor = 1;
  if (kind == Kind::Int) {
    if (newUnit.isNumber())
      return *this;
    return real(double(bits), newUnit);
  }
  Value value = *this;
  value.unit = newUnit;
  value.anyUnit = false;
  if (kind == Kind::Complex)
    return complex(getRe(), getIm(), newUnit);
  return value;
}

Value Value::withAnyUnit() const {
  Value value = *this;
  if (kind == Kind::Real || kind == Kind::Scalar || kind == Kind::Field ||
      kind == Kind::Complex)
    value.anyUnit = true;
  return value;
}

Quantity Value::getQuantity() const {
  if (isFree())
    return detail->known.getQuantity();
  if (isConstZero())
    return Quantity::zero();
  return anyUnit ? Quantity::open(unit) : Quantity::known(unit);
}

Value Value::withQuantity(const Quantity &quantity) const {
  Value value = withUnit(quantity.getUnit());
  return quantity.isOpen() ? value.withAnyUnit() : value;
}

bool Value::hasAnyUnit() const { return anyUnit || isConstZero(); }

bool Value::isIntLike() const {
  return kind == Kind::Int ||
         (kind == Kind::Scalar &&
          (storage == Storage::I64 || storage == Storage::U64));
}

bool Value::isUnsigned() const {
  return kind == Kind::Scalar && storage == Storage::U64;
}

bool Value::isBoolLike() const {
  return kind == Kind::Bool || (kind == Kind::Scalar && storage == Storage::I1);
}

bool Value::isRealNumber() const {
  return isConstNumber() || (kind == Kind::Scalar && storage != Storage::I1);
}

bool Value::isConstZero() const {
  return (kind == Kind::Int && bits == 0) ||
         (kind == Kind::Real && number == 0 && unit.isNumber());
}

std::optional<int64_t> Value::getConstInt() const {
  if (kind == Kind::Int)
    return bits;
  if (kind == Kind::Real && unit.isNumber() && std::floor(number) == number &&
      std::abs(number) < 9e15)
    return int64_t(number);
  return std::nullopt;
}

std::optional<double> Value::getConstReal() const {
  if (kind == Kind::Int)
    return double(bits);
  if (kind == Kind::Real)
    return number;
  return std::nullopt;
}

llvm::StringRef Value::getString() const { return detail->text; }
const Unit &Value::getXUnit() const { return detail->xUnit; }

llvm::ArrayRef<Value> Value::getElements() const {
  return detail ? llvm::ArrayRef<Value>(detail->elements)
                : llvm::ArrayRef<Value>();
}
llvm::ArrayRef<std::string> Value::getNames() const { return detail->names; }
DimList Value::getTags() const {
  return detail ? DimList(detail->tags) : DimList();
}
const Dim &Value::getDim() const { return detail->dims.front(); }
const Dim *Value::getCounted() const {
  return detail->counted ? &*detail->counted : nullptr;
}
DimList Value::getDims() const { return detail->dims; }

bool Value::hasTypeOf(const Value &other) const {
  return kind == other.kind && storage == other.storage &&
         (!isField() || getDims() == other.getDims());
}

const Value *Value::findMember(llvm::StringRef name) const {
  for (auto [member, value] : llvm::zip_equal(detail->names, detail->elements))
    if (member == name)
      return &value;
  return nullptr;
}

const ast::FunctionStmt *Value::getFunction() const { return detail->function; }
const ast::LambdaExpr *Value::getLambda() const { return detail->lambda; }
const ModuleInfo *Value::getModule() const { return detail->module; }
unsigned Value::getCapturedLocals() const { return detail->locals; }
const Derivation &Value::getDerivation() const { return detail->derivation; }
unsigned Value::getDepth() const { return detail ? detail->depth : 1; }
uint64_t Value::getSize() const { return detail ? detail->size : 1; }

static std::string describeScalarType(Storage storage) {
  switch (storage) {
  case Storage::I1:
    return "bool";
  case Storage::I64:
    return "int";
  case Storage::U64:
    return "u64";
  default:
    return "f64";
  }
}

std::string Value::describeType() const {
  switch (kind) {
  case Kind::Poison:
    return isFree() ? detail->known.describeType() : "an error";
  case Kind::Nothing:
    return "nothing";
  case Kind::Int:
    return "int";
  case Kind::Real:
    return "f64";
  case Kind::Bool:
    return "bool";
  case Kind::String:
    return "string";
  case Kind::Dim:
    return "the dim '" + getDim().getLabel() + "'";
  case Kind::Scalar:
    return describeScalarType(storage);
  case Kind::Complex:
    return "complex";
  case Kind::Field: {
    std::string prefix = pmc::isComplex(storage)   ? "complex "
                         : storage == Storage::I1  ? "bool "
                         : storage == Storage::I64 ? "int "
                                                   : "";
    return prefix + "field" + describeDims(getDims());
  }
  case Kind::Table:
    return "table";
  case Kind::Tuple: {
    llvm::ArrayRef<Value> elements = getElements();
    if (elements.empty())
      return "an empty tuple";
    if (llvm::all_of(elements, [](const Value &e) { return e.isDim(); })) {
      std::vector<Dim> dims;
      for (const Value &element : elements)
        dims.push_back(element.getDim());
      return "the dims " + describeDims(dims);
    }
    std::string first = elements[0].describeType();
    if (elements.size() > 1 && !elements[0].isFree() &&
        llvm::all_of(elements, [&](const Value &e) {
          return e.getKind() == elements[0].getKind() && !e.isTuple() &&
                 e.describeType() == first;
        }))
      return "vector " + first;
    if (elements.size() > 4)
      return "a tuple of " + std::to_string(elements.size());
    std::string text = "(";
    for (const Value &element : elements) {
      if (text.size() > 1)
        text += ", ";
      text += element.isTuple() ? "a tuple" : element.describeType();
    }
    return text + ")";
  }
  case Kind::Record: {
    if (isGrid())
      return "table over " + std::to_string(getAxisCount()) + " axes";
    std::string text = "record {" + llvm::join(getNames(), ", ") + "}";
    return text.size() < 60 ? text : std::string("a record");
  }
  case Kind::Range:
    return "a range";
  case Kind::Closure:
    return "a function";
  case Kind::Derivative:
    return "the derivative of a function";
  case Kind::Builtin:
    return "the function '" + getBuiltinInfo(getBuiltin()).name.str() + "'";
  case Kind::Coordinate:
    return "coordinate vector";
  case Kind::Stream:
    return "a stream, of which only samples are read: " + getString().str() +
           "[" + getNames()[0] + " = i]";
  }
  return "a value";
}

std::string Value::describe() const {
  if (isFree())
    return detail->known.describe();
  std::string text = describeType();
  switch (kind) {
  case Kind::Real:
  case Kind::Scalar:
  case Kind::Complex:
  case Kind::Field:
    if (!unit.isNumber())
      text += " in " + unit.str();
    break;
  case Kind::Tuple:
    if (llvm::StringRef(text).starts_with("vector ") &&
        getElements()[0].isElementwise() &&
        !getElements()[0].getUnit().isNumber() &&
        llvm::all_of(getElements(), [&](const Value &e) {
          return e.getUnit().agrees(getElements()[0].getUnit());
        }))
      text += " in " + getElements()[0].getUnit().str();
    break;
  default:
    break;
  }
  return text;
}

static Type::Element elementOf(Storage storage) {
  if (storage == Storage::I1)
    return Type::Element::Bool;
  if (isComplex(storage))
    return Type::Element::Complex;
  return isFloat(storage) ? Type::Element::Real : Type::Element::Int;
}

static Type plainTypeOf(const Value &value) {
  using Kind = Type::Kind;
  switch (value.getKind()) {
  case Value::Kind::Poison:
    return value.isFree() ? value.getKnown() : Type();
  case Value::Kind::Int:
    return {Kind::Number, Type::Element::Int, value.getQuantity()};
  case Value::Kind::Real:
    return {Kind::Number, Type::Element::Real, value.getQuantity()};
  case Value::Kind::Bool:
    return Type::boolean();
  case Value::Kind::Scalar:
    return {Kind::Number, elementOf(value.getStorage()), value.getQuantity()};
  case Value::Kind::Complex:
    return {Kind::Number, Type::Element::Complex, value.getQuantity()};
  case Value::Kind::Field:
    return {Kind::Field, elementOf(value.getStorage()), value.getQuantity()};
  case Value::Kind::String:
    return Kind::Text;
  case Value::Kind::Dim:
    return Kind::Dim;
  case Value::Kind::Table:
    return Kind::Table;
  case Value::Kind::Closure:
  case Value::Kind::Builtin:
  case Value::Kind::Derivative:
    return Kind::Function;
  case Value::Kind::Nothing:
  case Value::Kind::Range:
    return Kind::Other;
  case Value::Kind::Record:
    return value.isGrid() ? Type(Kind::Table) : Type();
  case Value::Kind::Tuple:
  case Value::Kind::Coordinate:
  case Value::Kind::Stream:
    return {};
  }
  return {};
}

Type pmc::typeOf(const Value &value, bool named) {
  if (!named || value.isFree())
    return plainTypeOf(value);
  const Type type = plainTypeOf(value);
  return type.isKnown() ? type.withText(value.describeType()) : type;
}

bool pmc::forEachMember(
    const Value &value, const std::string &path,
    llvm::function_ref<bool(const Value &, const std::string &)> visit) {
  if (value.isPoison())
    return false;
  if (!value.isRecord() && !value.isTuple())
    return visit(value, path);
  for (auto [i, part] : llvm::enumerate(value.getElements())) {
    std::string name =
        value.isRecord() ? value.getNames()[i] : std::to_string(i);
    if (!forEachMember(part, path + "/" + name, visit))
      return false;
  }
  return true;
}

bool pmc::hasSameMembers(const Value &a, const Value &b) {
  return a.getNames().size() == b.getNames().size() &&
         llvm::all_of(a.getNames(), [&](const std::string &name) {
           return b.findMember(name);
         });
}

std::vector<Value> pmc::partsLike(const Value &value, const Value &like) {
  std::vector<Value> parts;
  if (value.isTuple() && like.isTuple())
    for (size_t place : findPlaces(value.getTags(), like.getTags()))
      parts.push_back(value.getElements()[place]);
  if (!parts.empty())
    return parts;
  if (!value.isRecord() || !like.isRecord())
    return value.getElements();
  for (const std::string &name : like.getNames())
    parts.push_back(*value.findMember(name));
  return parts;
}
