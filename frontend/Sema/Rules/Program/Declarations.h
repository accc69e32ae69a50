//===- Declarations.h - const, param, dim, mesh, layout ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_PROGRAM_DECLARATIONS_H
#define PMC_FRONTEND_SEMA_RULES_PROGRAM_DECLARATIONS_H

#include "frontend/Sema/Names/Modules.h"
#include "frontend/Sema/Rules/Program/Options.h"

namespace pmc {

//===--- Literals -------------------------------------------------------===//

/// No unit, no i.
bool isPlainInteger(const ast::NumberExpr &number);
/// The number that an expression is, perhaps with a minus; null if it is
/// another one.
const ast::NumberExpr *numberIn(const ast::Expr *expr);
/// The number whose unit is that of a default: of a list, the first one.
const ast::NumberExpr *firstNumberIn(const ast::Expr *expr);

//===--- Ranges ---------------------------------------------------------===//

/// Of all ints of 64 bits and all f64, exactly.
using Wide = long double;

struct Bounds {
  std::optional<double> min = {}, max = {};
  bool isMinOpen = false, isMaxOpen = false;

  bool contain(Wide value) const;
};
/// A bound whose literal is larger than an int. Absent, without a message, if
/// it is another expression.
bool isLargeBound(const ast::Expr &bound);
std::optional<double> readLargeBound(const RuleContext &context,
                                     const ast::Expr &bound);
/// A bound of a number in `unit`, in units of which `scale` make a base unit.
std::optional<double> readBound(const RuleContext &context,
                                const ast::Expr &bound, const Value &value,
                                const Unit &unit, double scale);

//===--- const ----------------------------------------------------------===//

/// A value that is defined by itself.
bool requireNoCycle(const RuleContext &context, const ast::Name &name,
                    llvm::StringRef what, bool isCycle);
bool requireConst(const RuleContext &context, const Value &value,
                  llvm::SMLoc loc);
/// What is wrong with a constant that has a list of values, or a range but is
/// no number; empty if nothing is.
std::string findChoiceMistake(const ast::RangeSyntax &range,
                              const Value &value);
/// What is wrong with a number that has a range.
std::string findBoundMistake(const ast::Name &name, const Value &value,
                             const Bounds &bounds);
/// `why` of a constant. `isGiven`: the command line gives its value.
void reportConst(const RuleContext &context, const ast::ConstStmt &stmt,
                 const std::string &why, bool isGiven);
/// A name that a constant uses, of something that only the program knows.
void reportNeeded(const RuleContext &context, llvm::StringRef name,
                  const Symbol &symbol, llvm::SMLoc loc);
bool requireFieldsHere(const RuleContext &context, llvm::SMLoc loc);
void reportEarly(const RuleContext &context, llvm::StringRef name,
                 const Symbol &symbol, llvm::SMLoc loc);

//===--- param ----------------------------------------------------------===//

/// The name of a param or input is not a flag of every program.
bool checkFlagName(const RuleContext &context, const ast::Name &name,
                   llvm::StringRef what);
/// A plain number could be meant in the declared unit of an angle or a ratio,
/// or as the ratio itself.
bool checkDefaultUnit(const RuleContext &context, const ast::ParamStmt &stmt,
                      llvm::StringRef unit);
/// The default of a param of this type and unit. `isBits`: it is a literal of a
/// u64.
bool checkDefault(const RuleContext &context, const ast::ParamStmt &stmt,
                  ast::TypeExpr::Base base, const Value &value,
                  const Unit &unit, bool isBits);
bool requireParamType(const RuleContext &context, const ast::TypeExpr &type);
/// A param with a range is a number, and its default is in the range.
void requireRangeOfNumber(const RuleContext &context,
                          const ast::ParamStmt &stmt, bool isBool);
void requireInRange(const RuleContext &context, const ast::ParamStmt &stmt,
                    const Bounds &bounds, Wide value);
/// A param that is a list of numbers: their unit.
std::optional<Unit> checkList(const RuleContext &context,
                              const ast::ParamStmt &stmt, const Value &value,
                              Unit unit);

//===--- dim ------------------------------------------------------------===//

/// The length of dims: the value that is worked with, also after an error.
Value checkLength(const RuleContext &context, const Value &length,
                  llvm::SMLoc loc);

//===--- mesh, layout ---------------------------------------------------===//

/// A dim of a layout, and the mesh axes that split it.
struct LayoutEntry {
  std::string dim;
  std::vector<std::string> axes;
  llvm::SMLoc dimLoc; // invalid: the command line
  std::vector<llvm::SMLoc> axisLocs;
};

bool requireOneMesh(const RuleContext &context, const ast::MeshStmt &mesh,
                    const ast::MeshStmt *first);
void checkMeshName(const RuleContext &context, const ast::Name &name);
bool requireNewAxis(const RuleContext &context, const ast::Name &axis,
                    std::optional<llvm::SMLoc> first);
bool requireFewRanks(const RuleContext &context, int64_t ranks,
                     llvm::SMLoc loc);
/// What a layout refers to, and the text of --layout.
struct LayoutNames {
  llvm::ArrayRef<llvm::StringRef> dims; ///< in order, as the axes
  llvm::ArrayRef<llvm::StringRef> axes;
  const LayoutEntry *previous = nullptr; ///< of the same dim
  llvm::StringRef option = {};
};
bool checkLayout(const RuleContext &context, const LayoutEntry &entry,
                 const LayoutNames &names);
/// Two dims of a field that one mesh axis splits. `claims` are the entries that
/// say so.
void reportConflict(const RuleContext &context, llvm::StringRef axis,
                    DimList field, const Dim &first, const Dim &second,
                    llvm::ArrayRef<const LayoutEntry *> claims,
                    llvm::StringRef option, llvm::SMLoc loc);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_PROGRAM_DECLARATIONS_H
