//===- ScheduleSizes.cpp - Numbers of the schedules -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Program/ScheduleSizes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pmc::codegen;

static constexpr StringLiteral targetName = "pm.target", sizesName = "sizes";

namespace {

/// A size by its name, and what it may be.
struct Size {
  StringLiteral name;
  int64_t ScheduleSizes::*value;
  int64_t least, most;
};

} // namespace

static constexpr Size all[] = {
    // A vector of f32 has 16 elements.
    {"chunk", &ScheduleSizes::chunk, 16, 4096},
    {"lattice", &ScheduleSizes::lattice, 1, int64_t(1) << 40},
    {"cells", &ScheduleSizes::cells, 16, int64_t(1) << 20},
    {"block", &ScheduleSizes::block, 32, 1024},
    {"group", &ScheduleSizes::group, 1, 1024},
    {"access", &ScheduleSizes::access, 4, 16},
    {"particles", &ScheduleSizes::particles, 32, 65536},
    {"row", &ScheduleSizes::row, 1, 1024},
};

static bool set(ScheduleSizes &sizes, StringRef name, int64_t number,
                std::string &error) {
  for (const Size &size : all) {
    if (size.name != name)
      continue;
    sizes.*size.value = number;
    if (number >= size.least && number <= size.most &&
        llvm::isPowerOf2_64(uint64_t(number)))
      return true;
    error = ("'" + name + "' must be a power of two from " + Twine(size.least) +
             " to " + Twine(size.most) + ", not " + Twine(number))
                .str();
    return false;
  }
  error = ("there is no size '" + name + "' of a schedule; there are").str();
  for (const Size &size : all)
    error += (size.name == all[0].name ? " " : ", ") + size.name.str();
  return false;
}

std::optional<ScheduleSizes> ScheduleSizes::parse(StringRef text,
                                                  std::string &error) {
  ScheduleSizes sizes;
  while (!text.empty()) {
    auto [entry, rest] = text.split(',');
    auto [name, value] = entry.split('=');
    int64_t number = 0;
    if (value.getAsInteger(10, number)) {
      error = ("'" + entry + "' is not NAME=NUMBER").str();
      return std::nullopt;
    }
    if (!set(sizes, name, number, error))
      return std::nullopt;
    text = rest;
  }
  return sizes;
}

std::optional<ScheduleSizes> ScheduleSizes::parse(Attribute attribute,
                                                  std::string &error) {
  ScheduleSizes sizes;
  if (!attribute)
    return sizes;
  auto members = dyn_cast<DictionaryAttr>(attribute);
  if (!members) {
    error = "'sizes' must be a dictionary";
    return std::nullopt;
  }
  for (NamedAttribute member : members) {
    auto number = dyn_cast<IntegerAttr>(member.getValue());
    if (!number || !number.getType().isInteger(64)) {
      error = ("'" + member.getName().strref() + "' must be an i64").str();
      return std::nullopt;
    }
    if (!set(sizes, member.getName(), number.getInt(), error))
      return std::nullopt;
  }
  return sizes;
}

DictionaryAttr ScheduleSizes::getAttr(MLIRContext *context) const {
  Builder builder(context);
  SmallVector<NamedAttribute> members;
  for (const Size &size : all)
    if (this->*size.value != ScheduleSizes().*size.value)
      members.push_back(builder.getNamedAttr(
          size.name, builder.getI64IntegerAttr(this->*size.value)));
  return members.empty() ? DictionaryAttr()
                         : builder.getDictionaryAttr(members);
}

ScheduleSizes ScheduleSizes::get(Operation *op) {
  while (Operation *parent = op->getParentOp())
    op = parent;
  if (!isa<ModuleOp>(op))
    llvm::report_fatal_error("sizes of schedules are a module's");
  auto target = op->getAttrOfType<DictionaryAttr>(targetName);
  std::string error;
  auto sizes = parse(target ? target.get(sizesName) : Attribute(), error);
  // Passes that begin with it have told what is wrong.
  return sizes.value_or(ScheduleSizes());
}
