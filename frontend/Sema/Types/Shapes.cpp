//===- Shapes.cpp - What branches and loops have in common ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Types/Shapes.h"

#include "frontend/Sema/Types/DimMessages.h"
#include "frontend/Sema/Types/Type.h"

#include <algorithm>
#include <limits>

using namespace pmc;

Storage pmc::promote(const Value &a, const Value &b, Storage real) {
  if (a.isIntLike() && b.isIntLike())
    return Storage::I64;
  for (const Value *value : {&a, &b})
    if (value->isScalar() && value->getStorage() == real)
      return real;
  return Storage::F64;
}

Value pmc::epsilonOf(const Value &x) {
  double gap = std::numeric_limits<double>::epsilon();
  if (x.isTuple() || x.isRecord()) {
    for (const Value &part : x.getElements())
      gap = std::max(gap, *epsilonOf(part).getConstReal());
  } else if (x.getStorage() == Storage::F32 ||
             x.getStorage() == Storage::ComplexF32) {
    gap = std::numeric_limits<float>::epsilon();
  } else if (x.isComplex()) {
    for (const Value &part : x.getElements())
      gap = std::max(gap, *epsilonOf(part).getConstReal());
  }
  return Value::real(gap);
}

/// A number of which only the type is known.
static Value scalarShape(Storage storage, Unit unit, bool anyUnit) {
  Value shape = Value::scalar(storage, unit);
  return anyUnit ? shape.withAnyUnit() : shape;
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

/// The one of two fields of the same kind that has the higher precision; null
/// if they are of different kinds.
static const Value *findWider(const Value &a, const Value &b) {
  if (a.hasTypeOf(b))
    return &a;
  if (!isFloat(a.getStorage()) || !isFloat(b.getStorage()) ||
      a.getDims() != b.getDims())
    return nullptr;
  return b.getStorage() == Storage::F64 ? &b : &a;
}

static bool sameClosure(const Value &a, const Value &b) {
  return a.getFunction() == b.getFunction() && a.getLambda() == b.getLambda();
}

Shaped pmc::join(const Value &a, const Value &b, llvm::StringRef what,
                 Storage real) {
  if (a.isPoison() || b.isPoison())
    return Value::poison();
  auto mismatch = [&] {
    auto [first, second] = describeApart(a, b);
    return Shaped("[PM0308] " + what.str() + " differ: " + first + " and " +
                      second,
                  "this is " + first, "this is " + second);
  };
  using Kind = Value::Kind;
  const bool agree = !findConflict(what, a.getQuantity(), b.getQuantity());
  const Quantity common = unitOfSum(a.getQuantity(), b.getQuantity());
  const Unit &unit = common.getUnit();
  const bool anyUnit = common.isOpen();
  if (a.isBoolLike() && b.isBoolLike()) {
    if (a.is(Kind::Bool) && b.is(Kind::Bool) && a.getBool() == b.getBool())
      return a;
    return Value::scalar(Storage::I1);
  }
  if (a.isRealNumber() && b.isRealNumber()) {
    if (!agree)
      return mismatch();
    if (a.getKind() == b.getKind() && a.isConstNumber() &&
        *a.getConstReal() == *b.getConstReal() &&
        (a.is(Kind::Real) || a.getInt() == b.getInt()))
      return a.withUnit(unit);
    const Storage storage = promote(a, b, real);
    Value shape = scalarShape(storage, unit, anyUnit);
    bool isUnsigned = a.isUnsigned() || b.isUnsigned();
    return storage == Storage::I64 && isUnsigned ? shape.asUnsigned() : shape;
  }
  if (a.isNumber() && b.isNumber()) {
    if (!agree)
      return mismatch();
    auto part = [](const Value &v, bool re) {
      if (v.isComplex())
        return (re ? v.getRe() : v.getIm()).withUnit({});
      return re ? v.withUnit({}) : Value::integer(0);
    };
    const Shaped re = join(part(a, true), part(b, true), what, real);
    const Shaped im = join(part(a, false), part(b, false), what, real);
    if (re.shape.isPoison() || im.shape.isPoison())
      return re.shape.isPoison() ? re : im;
    return Value::complex(re.shape, im.shape, unit);
  }
  if (a.getKind() != b.getKind())
    return mismatch();
  switch (a.getKind()) {
  case Kind::Nothing:
    return a;
  case Kind::String:
  case Kind::Stream:
    return a.getString() == b.getString() ? Shaped(a) : mismatch();
  case Kind::Dim:
    return a.getDim() == b.getDim() ? Shaped(a) : mismatch();
  case Kind::Builtin:
    return a.getBuiltin() == b.getBuiltin() ? Shaped(a) : mismatch();
  case Kind::Field: {
    const Value *wider = findWider(a, b);
    if (!agree || !wider)
      return mismatch();
    Value field = wider->withUnit(unit);
    return anyUnit ? field.withAnyUnit() : field;
  }
  case Kind::Table:
    return agree && a.getXUnit().agrees(b.getXUnit()) ? Shaped(a) : mismatch();
  case Kind::Record:
    if (!hasSameMembers(a, b)) {
      // The members that both have, if these are all members of one.
      const Value &fewer = a.getNames().size() < b.getNames().size() ? a : b;
      const Value &more = &fewer == &a ? b : a;
      if (!llvm::all_of(fewer.getNames(), [&](const std::string &name) {
            return more.findMember(name);
          }))
        return mismatch();
      return join(fewer.withElements(partsLike(a, fewer)),
                  fewer.withElements(partsLike(b, fewer)), what, real);
    }
    break;
  case Kind::Closure:
    if (!sameClosure(a, b))
      return mismatch();
    break;
  case Kind::Tuple:
    if (std::string why = explainOrder(a, b); !why.empty())
      return Shaped("[PM0308] " + what.str() + " have " + why,
                    "this has components over " + describeDims(a.getTags()),
                    "this has components over " + describeDims(b.getTags()));
    break;
  case Kind::Range:
    break;
  default:
    return mismatch();
  }
  if (a.getElements().size() != b.getElements().size())
    return mismatch();
  std::vector<Value> parts;
  for (auto [x, y] : llvm::zip_equal(a.getElements(), partsLike(b, a))) {
    Shaped part = join(x, y, what, real);
    if (part.shape.isPoison())
      return part;
    parts.push_back(std::move(part.shape));
  }
  bool takesTags = a.isTuple() && a.getTags().empty();
  return (takesTags ? b : a).withElements(std::move(parts));
}

//===----------------------------------------------------------------------===//
// Components at an index of run time
//===----------------------------------------------------------------------===//

Shaped pmc::joinAll(llvm::ArrayRef<Value> parts, Storage real) {
  Shaped joined = parts.front();
  for (const Value &part : parts.drop_front()) {
    joined = join(joined.shape, part, "the components of this vector", real);
    if (joined.shape.isPoison())
      return joined;
  }
  return joined;
}

/// Numbers, fields, and tuples and records of them.
static bool isOfNumbers(const Value &value) {
  if (value.isTuple() || value.isRecord())
    return llvm::all_of(value.getElements(), isOfNumbers);
  return value.isElementwise();
}

std::string pmc::checkChoice(llvm::ArrayRef<Value> parts, const Value &index,
                             Storage real, bool isElement) {
  if (index.isUnsigned())
    return "[PM0303] the index of a component is an int, not " +
           index.describeType();
  if (parts.empty())
    return "[PM0313] a vector without components has none to choose";
  for (const Value &part : parts)
    if (!isOfNumbers(part))
      return "[PM0313] the index of a component must be known when the spec is "
             "compiled, "
             "because the components are not numbers or fields, but " +
             part.describeType();
  const bool isMapped = isElement || index.isField();
  if (!isMapped)
    return joinAll(parts, real).problem;
  std::vector<std::vector<Dim>> fields;
  if (index.isField())
    fields.push_back(index.getDims().vec());
  for (const Value &part : parts)
    if (part.isField())
      fields.push_back(part.getDims().vec());
  if (!isElement && broadcast(fields, /*isUnion=*/true).empty())
    return "[PM0313] the index of a component and the components are over dims "
           "that do "
           "not fit together";
  return "";
}

//===----------------------------------------------------------------------===//
// What loops carry
//===----------------------------------------------------------------------===//

Shaped pmc::carriedShape(const Value &value, Storage real) {
  using Kind = Value::Kind;
  switch (value.getKind()) {
  case Kind::Int:
    return scalarShape(Storage::I64, {}, value.hasAnyUnit());
  case Kind::Real:
    return scalarShape(Storage::F64, value.getUnit(), value.hasAnyUnit());
  case Kind::Bool:
    return Value::scalar(Storage::I1);
  case Kind::Scalar:
    return scalarShape(value.getStorage(), value.getUnit(), value.hasAnyUnit());
  case Kind::Complex: {
    auto part = [&](const Value &p) {
      const bool isReal = p.isScalar() && p.getStorage() == real;
      return Value::scalar(isReal ? real : Storage::F64, value.getUnit());
    };
    return Value::complex(part(value.getRe()), part(value.getIm()),
                          value.getUnit());
  }
  case Kind::Tuple:
  case Kind::Record: {
    std::vector<Value> parts;
    for (const Value &part : value.getElements()) {
      Shaped carried = carriedShape(part, real);
      if (carried.shape.isPoison())
        return carried;
      parts.push_back(std::move(carried.shape));
    }
    return value.withElements(std::move(parts));
  }
  case Kind::Coordinate:
  case Kind::Nothing:
    return Shaped(
        "[PM0708] a loop carries numbers, fields, and tuples and records of "
        "them, not " +
        value.describeType());
  default:
    return value;
  }
}

Value pmc::stackShape(const Value &one, const Dim &dim, Storage real) {
  if (one.isTuple() || one.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : one.getElements())
      parts.push_back(stackShape(part, dim, real));
    return one.withElements(std::move(parts));
  }
  if (!one.isElementwise())
    return Value::free(Type());
  std::vector<Dim> dims{dim};
  Storage storage = one.isComplex() ? complexOf(real) : Storage::F64;
  if (one.isField()) {
    dims.insert(dims.end(), one.getDims().begin(), one.getDims().end());
    storage = one.getStorage();
  }
  const Value stack = Value::field(std::move(dims), storage, one.getUnit());
  return one.hasAnyUnit() ? stack.withAnyUnit() : stack;
}

/// Whether two shapes hold the same types and units.
bool pmc::sameShape(const Value &a, const Value &b) {
  if (a.getKind() != b.getKind())
    return false;
  if (a.isStream())
    return a.getString() == b.getString();
  if (a.isScalar() || a.isField())
    return a.hasTypeOf(b) && a.hasAnyUnit() == b.hasAnyUnit() &&
           a.getUnit().agrees(b.getUnit());
  if (a.getElements().size() != b.getElements().size())
    return false;
  for (auto [x, y] : llvm::zip_equal(a.getElements(), b.getElements()))
    if (!sameShape(x, y))
      return false;
  return true;
}

/// The unit was never needed: a pure number.
Value pmc::settleUnits(const Value &shape) {
  if (shape.isScalar() || shape.isField())
    return shape.withUnit(shape.getUnit());
  if (shape.isComplex() || shape.getElements().empty())
    return shape;
  if (!shape.isTuple() && !shape.isRecord())
    return shape;
  std::vector<Value> parts;
  for (const Value &part : shape.getElements())
    parts.push_back(settleUnits(part));
  return shape.withElements(std::move(parts));
}
