//===- Reductions.h - Slices, bins, catalogs and inner products -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_FIELDS_REDUCTIONS_H
#define PMC_FRONTEND_SEMA_RULES_FIELDS_REDUCTIONS_H

#include "frontend/Sema/Rules/Program/Options.h"

namespace pmc {

//===--- Slices ---------------------------------------------------------===//

/// slice(f, z = a .. b): the form of the call.
bool checkSliceForm(const RuleContext &context, const ast::CallExpr &expr);
bool requireSliced(const RuleContext &context, const Argument &field);
/// The first cell, and the one behind the last.
std::optional<std::pair<Value, Value>> readBounds(const RuleContext &context,
                                                  const Argument &range);
/// `isCell`: one cell of the dim is taken.
bool requireSliceDim(const RuleContext &context, const Dim &dim, bool isCell,
                     llvm::SMLoc loc);

//===--- Bins -----------------------------------------------------------===//

/// The bins are the cells of these dims, or a number of their own.
struct BinList {
  std::vector<Dim> dims;
  int64_t count = 0;
};
/// `what`: the bins, or what there are so many of.
std::optional<BinList> readBins(const RuleContext &context,
                                const Argument &count, llvm::StringRef what);
/// The bin along one dim of so many cells. `isNarrow`: it is computed in f32.
bool checkBin(const RuleContext &context, const Argument &bin, int64_t cells,
              bool isNarrow);
/// The bins along several dims.
bool requireBinTuple(const RuleContext &context, const Value &bins,
                     DimList dims, llvm::SMLoc loc);
/// A value that is summed in bins, or held in a catalog.
bool requireBinned(const RuleContext &context, const Value &value,
                   bool isCatalog, llvm::SMLoc loc);
/// `collect` over the domain into these dims.
bool checkCatalog(const RuleContext &context, DimList domain, DimList dims,
                  const Argument &size, llvm::SMLoc loc);

//===--- All elements ---------------------------------------------------===//

/// The inner product of tables.
bool requireTablesOutside(const RuleContext &context, llvm::SMLoc loc);
/// A part of what `finite` looks at.
bool requireFinite(const RuleContext &context, const Argument &part);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_FIELDS_REDUCTIONS_H
