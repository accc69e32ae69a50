//===- Reductions.cpp - Slices, bins, catalogs and inner products ---------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Fields/Reductions.h"

#include "frontend/Sema/Rules/Fields/Fields.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

bool pmc::checkSliceForm(const RuleContext &context,
                         const ast::CallExpr &expr) {
  const bool isRight = expr.args.size() == 2 &&
                       expr.args[0].name.text.empty() &&
                       !expr.args[1].name.text.empty() && !expr.hasDims &&
                       expr.args[0].value && expr.args[1].value;
  return isRight ||
         context.refuse(expr.loc, "[PM0516] write slice(f, z = a .. b)");
}

bool pmc::requireSliced(const RuleContext &context, const Argument &field) {
  return field.value.isField() ||
         context.refuse(field, "[PM0516] 'slice' requires a field, not " +
                                   field.value.describeType());
}

std::optional<std::pair<Value, Value>>
pmc::readBounds(const RuleContext &context, const Argument &range) {
  if (!range.value.is(Value::Kind::Range)) {
    context.error(range, "[PM0516] a slice is a range of cells, a .. b, not " +
                             range.value.describeType());
    return std::nullopt;
  }
  std::pair<Value, Value> bounds(range.value.getElements()[0],
                                 range.value.getElements()[1]);
  for (Value *bound : {&bounds.first, &bounds.second}) {
    Argument one = range.with(*bound);
    if (!requireInt(context, one, "[PM0516] the bounds of a slice are ints"))
      return std::nullopt;
    *bound = one.value;
  }
  return bounds;
}

bool pmc::requireSliceDim(const RuleContext &context, const Dim &dim,
                          bool isCell, llvm::SMLoc loc) {
  return dim.isSpace() || isCell ||
         context.refuse(
             loc, "[PM0516] a slice is taken along a space dim, and of the "
                  "modes of '" +
                      dim.getLabel() + "' one at a time");
}

//===----------------------------------------------------------------------===//
// Bins
//===----------------------------------------------------------------------===//

std::optional<BinList> pmc::readBins(const RuleContext &context,
                                     const Argument &count,
                                     llvm::StringRef what) {
  if (!count.value.isDim() && !count.value.isTuple()) {
    const auto number =
        readInt(context, count, "the number of " + what, 1, 1 << 30);
    return number ? std::optional(BinList{{}, *number}) : std::nullopt;
  }
  auto dims = readDims(context, count.value, count.loc);
  if (!dims)
    return std::nullopt;
  for (const Dim &dim : *dims) {
    if (!dim.isSpace()) {
      context.error(count, "[PM0517] bins are cells of space dims, and '" +
                               dim.getLabel() + "' is a Fourier dim");
      return std::nullopt;
    }
    if (dim.extent >= int64_t(1) << 31) {
      context.error(
          count,
          "[PM0517] bins are cells of dims with less than 2^31 of them, and '" +
              dim.getLabel() + "' has " + llvm::Twine(dim.extent));
      return std::nullopt;
    }
  }
  return BinList{std::move(*dims), 0};
}

bool pmc::checkBin(const RuleContext &context, const Argument &bin,
                   int64_t cells, bool isNarrow) {
  if (!bin.value.isRealNumber())
    return context.refuse(bin.loc, "[PM0517] the bin is a number, not " +
                                       bin.value.describe());
  if (!requirePure(context, "the bin", bin.value, bin.loc, bin.range))
    return false;
  // f32 has all whole numbers up to there.
  if (!isNarrow || cells <= int64_t(1) << 24)
    return true;
  context
      .error(bin.loc,
             "[PM0517] the bin is computed in f32, from a field, and "
             "distinguishes at most 16777216 bins, not " +
                 llvm::Twine(cells) +
                 "; compute it from ints, or coordinates and numbers, which "
                 "are f64, or compile with --precision=f64")
      .range(bin.range);
  return false;
}

bool pmc::requireBinTuple(const RuleContext &context, const Value &bins,
                          DimList dims, llvm::SMLoc loc) {
  if (bins.isTuple() && bins.getElements().size() == dims.size())
    return true;
  return context.refuse(
      loc, "[PM0517] the bin is a tuple of " + llvm::Twine(dims.size()) +
               " numbers, one for each of " + describeDims(dims) + ", not " +
               bins.describe());
}

bool pmc::requireBinned(const RuleContext &context, const Value &value,
                        bool isCatalog, llvm::SMLoc loc) {
  if (value.isRealNumber() || value.isBoolLike())
    return true;
  return context.refuse(
      loc, "[PM0517] " +
               llvm::Twine(isCatalog ? "a catalog holds" : "bins sum") +
               " real numbers, not " + value.describeType() +
               (value.isComplex() ? "; take real(…) or norm2(…)" : ""));
}

bool pmc::checkCatalog(const RuleContext &context, DimList domain, DimList dims,
                       const Argument &size, llvm::SMLoc loc) {
  if (dims.size() != 1)
    return context.refuse(size, "[PM0518] a catalog has one dim, not " +
                                    describeDims(dims));
  for (const Dim &dim : domain)
    if (!dim.isSpace())
      return context.refuse(loc,
                            "[PM0518] 'collect' runs over space dims, and '" +
                                dim.getLabel() + "' is a Fourier dim");
  return true;
}

//===----------------------------------------------------------------------===//
// All elements
//===----------------------------------------------------------------------===//

bool pmc::requireTablesOutside(const RuleContext &context, llvm::SMLoc loc) {
  return !context.isInMap ||
         context.refuseInMap(loc,
                             "[PM0509] the inner product of tables cannot be "
                             "taken inside of a map");
}

bool pmc::requireFinite(const RuleContext &context, const Argument &part) {
  const Value &value = part.value;
  return value.isComplex() || value.isTuple() || value.isRecord() ||
         context.refuse(
             part, "[PM0302] 'finite' requires numbers, fields, or tuples or "
                   "records of them, not " +
                       value.describeType());
}
