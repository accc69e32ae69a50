//===- ValueKey.cpp - Keys of values --------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/ValueKey.h"

#include "frontend/Sema/Builtins.h"
#include "frontend/Sema/Types/Type.h"

#include <cstdint>
#include <type_traits>

using namespace pmc;

template <typename T> static void appendBits(std::string &key, const T &part) {
  if constexpr (std::is_pointer_v<T>)
    appendBits(key, reinterpret_cast<std::uintptr_t>(part));
  else
    key.append(reinterpret_cast<const char *>(&part), sizeof part);
}

static void appendUnit(std::string &key, const Unit &unit) {
  for (const auto exponent : unit.sixths)
    appendBits(key, exponent);
}

static void appendText(std::string &key, llvm::StringRef text) {
  appendBits(key, text.size());
  key += text;
}

static void appendDims(std::string &key, DimList dims) {
  appendBits(key, dims.size());
  for (const Dim &dim : dims) {
    appendText(key, dim.name);
    appendBits(key, dim.extent);
    appendBits(key, dim.refine);
    appendBits(key, dim.kind);
  }
}

void pmc::appendKey(std::string &key, const Value &value) {
  using Kind = Value::Kind;
  appendBits(key, value.getKind());
  appendBits(key, value.hasAnyUnit() && !value.isConstNumber());
  switch (value.getKind()) {
  case Kind::Poison:
    if (!value.isFree())
      break;
    appendText(key, value.describe());
    appendBits(key, value.getKnown().getElement());
    break;
  case Kind::Int:
    // An int of a map stays one, while another becomes a number of fields.
    appendBits(key, value.isElement());
    [[fallthrough]];
  case Kind::Bool:
    appendBits(key, value.getInt());
    break;
  case Kind::Real:
    appendBits(key, value.getReal());
    appendUnit(key, value.getUnit());
    break;
  case Kind::String:
    appendText(key, value.getString());
    break;
  case Kind::Stream:
    appendText(key, value.getString());
    appendDims(key, value.getDims());
    break;
  case Kind::Dim:
    appendDims(key, value.getDim());
    break;
  case Kind::Field:
    appendDims(key, value.getDims());
    [[fallthrough]];
  case Kind::Scalar:
    appendBits(key, value.getStorage());
    appendBits(key, value.isChoice());
    [[fallthrough]];
  case Kind::Complex:
    appendUnit(key, value.getUnit());
    break;
  case Kind::Table:
    appendUnit(key, value.getUnit());
    appendUnit(key, value.getXUnit());
    break;
  case Kind::Builtin:
    appendBits(key, value.getBuiltin());
    break;
  case Kind::Tuple:
    appendDims(key, value.getTags());
    break;
  case Kind::Derivative:
    appendBits(key, value.getDerivation().mode);
    appendBits(key, value.getDerivation().schedule);
    appendBits(key, value.getDerivation().snapshots);
    break;
  case Kind::Closure:
    appendBits(key, value.getFunction());
    appendBits(key, value.getLambda());
    break;
  default:
    break;
  }
  if (value.isRecord() || value.isClosure() || value.is(Kind::Derivative))
    for (const std::string &name : value.getNames())
      appendText(key, name);
  appendBits(key, value.getElements().size());
  for (const Value &element : value.getElements())
    appendKey(key, element);
}
