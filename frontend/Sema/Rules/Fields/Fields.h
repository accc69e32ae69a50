//===- Fields.h - Maps, transforms and fields of new dims -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for maps and their coordinates, elementwise work, transforms, stored
// fields, and for dims that are refined or coarsened.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_FIELDS_FIELDS_H
#define PMC_FRONTEND_SEMA_RULES_FIELDS_FIELDS_H

#include "frontend/Sema/Rules/Program/Options.h"

namespace pmc {

//===--- Dims -----------------------------------------------------------===//

/// The dims of a value that is a dim or a list of dims. Absent, without a
/// message, for what a check does not know.
std::optional<std::vector<Dim>> readDims(const RuleContext &context,
                                         const Value &value, llvm::SMLoc loc);
/// The argument is one dim. `isSpace`: a space dim, and no list of one.
bool requireOneDim(const RuleContext &context, const Argument &arg,
                   DimList dims, llvm::StringRef what, bool isSpace);
/// dual(x) or half(x) of a dim.
std::optional<Dim> withModes(const RuleContext &context, const Dim &dim,
                             Dim::Kind kind, llvm::SMLoc loc);
/// A field of at most `most` such dims exists.
bool requireFieldDims(const RuleContext &context, DimList dims, size_t most,
                      llvm::SMLoc loc);
/// The positions among the dims of a field of those that `over = …` lists.
std::optional<llvm::SmallVector<unsigned>>
placeOver(const RuleContext &context, DimList dims, const Argument &over);
/// refine(dim, factor) or coarsen(dim, factor).
std::optional<Dim> viewOf(const RuleContext &context, const Dim &dim,
                          bool isFiner, int64_t factor, llvm::SMLoc loc);
/// The dims of refine(f, factor) or coarsen(f, factor) over some of its dims.
std::optional<std::vector<Dim>>
viewDims(const RuleContext &context, DimList dims,
         llvm::ArrayRef<unsigned> positions, bool isFiner, int64_t factor,
         const Argument &field, llvm::SMLoc loc);

//===--- Maps -----------------------------------------------------------===//

/// `what` works on whole fields, which a map and constants do not have.
bool requireWholeFields(const RuleContext &context, llvm::StringRef what,
                        llvm::SMLoc loc);
/// Operands of elementwise work.
bool requireOperands(const RuleContext &context, llvm::StringRef what,
                     llvm::ArrayRef<Value> values, bool isUnion,
                     llvm::SMLoc loc);
/// elementwise(f, a): the dims of the widest field in a.
std::optional<std::vector<Dim>> domainOfFields(const RuleContext &context,
                                               llvm::ArrayRef<Value> fields,
                                               const Argument &arg);
/// The dims that a map over this value has.
std::optional<std::vector<Dim>> readDomain(const RuleContext &context,
                                           const Argument &domain);
/// The element of a field in a map over the domain.
bool requireElement(const RuleContext &context, DimList domain,
                    const Value &field, llvm::SMLoc loc);
/// The value of a map's body.
bool requireBodyValue(const RuleContext &context, const Value &value,
                      llvm::SMLoc loc);
bool requireNumbers(const RuleContext &context, const Value &value,
                    bool isNumber, llvm::SMLoc loc);
/// The coordinates of a map are used in it.
bool requireOwnMap(const RuleContext &context, bool isOwn, llvm::SMLoc loc);
/// The dim of the map's domain that a coordinate is asked along.
std::optional<Dim> coordinateDim(const RuleContext &context, DimList domain,
                                 const Dim &wanted, llvm::SMLoc loc);
/// A vector of coordinates has positions or wave numbers, not both.
bool requireOneKind(const RuleContext &context, DimList domain,
                    const Argument &arg, llvm::StringRef what);

//===--- Transforms -----------------------------------------------------===//

/// fft and ifft along the dims at these positions; all, or those that are
/// transformed, without `over`.
std::optional<llvm::SmallVector<unsigned>>
placeTransformed(const RuleContext &context, bool isForward,
                 const Argument &field, const Argument *over);
/// `why` is the reason that the transform does not exist, or empty. `real`: the
/// dims of a real operand or result.
bool checkTransform(const RuleContext &context, bool isForward,
                    const Argument &field, const std::string &why,
                    DimList real);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_FIELDS_FIELDS_H
