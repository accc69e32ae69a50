//===- DimDeclarations.cpp - Dims, their cells and lengths ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Program/Declarations.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

/// The dim's entry, with its number of cells evaluated, if it has one.
DimInfo &Generator::dimInfo(const ast::DimStmt &stmt, unsigned index) {
  const ast::DimStmt::Entry &entry = stmt.entries[index];
  DimInfo &info = dims[entry.name.text];
  if (info.state == DimInfo::Done || !entry.cells)
    return info;
  if (!requireNoCycle(rules(), entry.name, "the number of cells",
                      info.state == DimInfo::Open))
    return info;
  info.loc = entry.name.loc;
  info.state = DimInfo::Open;
  Argument cells{"",
                 {},
                 evaluateConst(*entry.cells, program.getMain()),
                 entry.cells->loc,
                 entry.cells->range};
  auto count = readInt(rules(), cells, "the number of cells", 1, 1 << 30);
  // Entries of a string map keep their places.
  info.state = DimInfo::Done;
  if (count)
    info.dim = pm::DimAttr::get(&context, entry.name.text, *count);
  return info;
}

void Generator::declareDimExtents() {
  for (const auto &owner : program.getMain().tree->statements)
    if (auto *stmt = llvm::dyn_cast_or_null<ast::DimStmt>(owner.get()))
      for (unsigned i = 0; i < stmt->entries.size(); ++i)
        dimInfo(*stmt, i);
}

void Generator::emitDimOp(const DimInfo &info, const ast::Expr *length) {
  mlir::Location loc = getLoc(info.loc);
  auto op = pm::DimOp::create(builder, loc, info.dim.getName(),
                              uint64_t(info.dim.getExtent()));
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *body = builder.createBlock(&op.getLength());
  Prologue entry;
  entry.block = body;
  Frame inner;
  inner.module = &program.getMain();
  inner.entry = &entry;
  inner.inlineCalls = true;
  inner.scalarsOnly = "in the length of a dim";
  llvm::SaveAndRestore<Frame *> saved(frame, &inner);
  Value value = Value::real(double(info.dim.getExtent()));
  if (length)
    value = evaluate(*length);
  mlir::Value result;
  if (value.isRealNumber())
    result = materialize(value, f64Type, loc);
  else // poison; the length has been checked before
    result = floatConstant(1, f64Type, loc);
  pm::YieldOp::create(builder, loc, result);
}

void Generator::declareDimLength(const ast::DimStmt &stmt) {
  for (const ast::DimStmt::Entry &entry : stmt.entries) {
    DimInfo &info = dims[entry.name.text];
    if (!info.dim)
      continue;
    info.lengthIsCells = !stmt.length;
    emitDimOp(info, stmt.length.get());
  }
}

/// "deg" of `5 deg`, and of a param or const that is as large by default:
/// angles are numbers, and those who look at a figure want to know which.
static std::string angleOf(const ast::Expr &length, const Program &program) {
  const ast::Expr *value = &length;
  const auto &statements = program.getMain().tree->statements;
  // Names that stand for each other never end.
  for (size_t names = 0; value && names <= statements.size(); ++names) {
    if (auto *number = llvm::dyn_cast<ast::NumberExpr>(value))
      return number->unit && number->unit->isNumber() ? number->unitText : "";
    auto *ref = llvm::dyn_cast<ast::RefExpr>(value);
    if (!ref)
      return "";
    value = nullptr;
    for (const auto &owner : statements) {
      auto *param = llvm::dyn_cast_or_null<ast::ParamStmt>(owner.get());
      auto *constant = llvm::dyn_cast_or_null<ast::ConstStmt>(owner.get());
      if (param && param->name.text == ref->name)
        value = param->value.get();
      else if (constant && constant->name.text == ref->name)
        value = constant->value.get();
    }
  }
  return "";
}

void Generator::declareDimLengths() {
  // The units first: lengths may be asked for in what follows.
  for (const auto &owner : program.getMain().tree->statements) {
    auto *stmt = llvm::dyn_cast_or_null<ast::DimStmt>(owner.get());
    if (!stmt)
      continue;
    if (stmt->length) {
      Value length;
      inScratch(program.getMain(), "in the length of a dim",
                /*constantsOnly=*/false,
                [&] { length = evaluate(*stmt->length); });
      length = checkLength(rules(), length, stmt->length->loc);
      for (const ast::DimStmt::Entry &entry : stmt->entries)
        dims[entry.name.text].unit = length.getUnit();
      for (const ast::DimStmt::Entry &entry : stmt->entries)
        dims[entry.name.text].angle = angleOf(*stmt->length, program);
    }
    declareDimLength(*stmt);
  }
}
