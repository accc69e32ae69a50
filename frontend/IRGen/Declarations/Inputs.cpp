//===- Inputs.cpp - Declarations of inputs --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Program/Inputs.h"
#include "frontend/IRGen/Declarations/Streams.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Program/Declarations.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

void Generator::declareInputs() {
  for (const auto &owner : program.getMain().tree->statements) {
    auto *stmt = llvm::dyn_cast_or_null<ast::InputStmt>(owner.get());
    if (!stmt || stmt->like)
      continue;
    if (!requireInputType(rules(), *stmt))
      continue;
    mlir::Type type;
    if (stmt->type.base == ast::TypeExpr::Base::Table) {
      type = pm::TableType::get(&context);
    } else {
      llvm::SmallVector<pm::DimAttr> list;
      mlir::Type element = realType;
      if (stmt->type.isComplexField)
        element = mlir::ComplexType::get(realType);
      else if (stmt->type.isIntField)
        element = i64Type;
      if (stmt->streamed)
        type = Streams(*this).declare(*stmt, element);
      else
        inScratch(program.getMain(), "in a type", /*constantsOnly=*/true, [&] {
          if (evaluateDims(stmt->type.dims, list))
            type = fieldType(list, element, stmt->type.loc);
        });
    }
    if (!type || !checkFlagName(rules(), stmt->name, "an input"))
      continue;
    if (!stmt->type.axes.empty()) {
      declareGrid(*stmt);
      continue;
    }
    inputs[stmt->name.text] = type;
    pm::DimAttr counted =
        stmt->streamed ? Streams(*this).getCounted(*stmt) : pm::DimAttr();
    auto op = pm::InputOp::create(
        builder, getLoc(stmt->loc), builder.getStringAttr(stmt->name.text),
        mlir::TypeAttr::get(type),
        stmt->optional ? builder.getUnitAttr() : mlir::UnitAttr(),
        declaredUnit(stmt->type),
        stmt->doc.empty() ? mlir::StringAttr()
                          : builder.getStringAttr(stmt->doc),
        stmt->streamed ? builder.getUnitAttr() : mlir::UnitAttr(),
        counted ? builder.getI64IntegerAttr(counted.getExtent())
                : mlir::IntegerAttr(),
        /*ahead=*/mlir::IntegerAttr());
    llvm::SmallVector<llvm::StringRef> columns;
    for (const ast::TypeExpr::Column &column : stmt->type.columns)
      columns.push_back(column.name.text);
    if (!columns.empty())
      op->setAttr("columns", builder.getStrArrayAttr(columns));
  }
}

static std::string unitTextOf(const ast::WrittenUnit &written) {
  return written.unit.factor == 1 ? written.unit.str() : written.text;
}

/// The inputs that a table over several axes is read from: one for each axis,
/// and one for the values.
static std::vector<ast::TypeExpr::Column>
gridInputs(const ast::InputStmt &stmt) {
  std::vector<ast::TypeExpr::Column> parts = stmt.type.axes;
  parts.push_back(
      stmt.type.value.value_or(ast::TypeExpr::Column{stmt.name, {}}));
  for (ast::TypeExpr::Column &part : parts)
    part.name.text = stmt.name.text + "/" + part.name.text;
  return parts;
}

void Generator::declareGrid(const ast::InputStmt &stmt) {
  mlir::Type type = pm::TableType::get(&context);
  inputs[stmt.name.text] = type;
  for (const auto &[name, unit] : gridInputs(stmt)) {
    const std::string text = unitTextOf(unit);
    pm::InputOp::create(
        builder, getLoc(stmt.loc), builder.getStringAttr(name.text),
        mlir::TypeAttr::get(type),
        stmt.optional ? builder.getUnitAttr() : mlir::UnitAttr(),
        text == "1" ? mlir::StringAttr() : builder.getStringAttr(text),
        stmt.doc.empty() ? mlir::StringAttr() : builder.getStringAttr(stmt.doc),
        /*streamed=*/mlir::UnitAttr(), /*samples=*/mlir::IntegerAttr(),
        /*ahead=*/mlir::IntegerAttr());
  }
  recordInputs[stmt.name.text] = gridInputs(stmt).front().name.text;
}

Value Generator::gridValue(const ast::InputStmt &stmt, llvm::SMLoc loc) {
  std::vector<Value> parts;
  const size_t axes = stmt.type.axes.size();
  for (const auto &[name, written] : gridInputs(stmt)) {
    auto op = pm::InputValueOp::create(
        builder, getLoc(loc), mlir::Type(), pm::TableType::get(&context),
        builder.getStringAttr(name.text), mlir::ValueRange());
    // The points of an axis are the x of its table. The values are the y.
    const bool isAxis = parts.size() < axes;
    const Unit x = isAxis ? written.unit : Unit(),
               y = isAxis ? Unit() : written.unit;
    parts.push_back(tableOf(
        scaledTable(op.getTable(), x.factor, y.factor, getLoc(loc)), x, y));
  }
  Value values = std::move(parts.back());
  parts.pop_back();
  return Value::grid(std::move(parts), std::move(values));
}

/// What files and users give: null for a pure number. Both units of a table.
mlir::StringAttr Generator::declaredUnit(const ast::TypeExpr &type) {
  if (!type.columns.empty()) {
    const std::string x = unitTextOf(type.columns[0].unit),
                      y = unitTextOf(type.columns[1].unit);
    return x == "1" && y == "1" ? mlir::StringAttr()
                                : builder.getStringAttr(x + ", " + y);
  }
  if (!type.unit || (type.unit->isNumber() && type.unit->factor == 1))
    return {};
  return builder.getStringAttr(type.unit->factor == 1 ? type.unit->str()
                                                      : type.unitText);
}

/// The field in working units.
Value Generator::fromDeclared(const Value &given, const ast::TypeExpr &type,
                              llvm::SMLoc loc) {
  if (!type.unit || type.unit->factor == 1)
    return given;
  // The input may be named in a map; all of it is converted, before.
  Frame outside = *frame;
  outside.element = nullptr;
  llvm::SaveAndRestore<Frame *> saved(frame, &outside);
  return binary(ast::BinaryOp::Mul, given, Value::real(type.unit->factor),
                {loc, {}, {}});
}

Value Generator::inputValue(llvm::StringRef name, const ast::InputStmt &stmt,
                            llvm::SMLoc loc) {
  if (stmt.streamed)
    return Streams(*this).get(name, stmt);
  mlir::Type type = inputs.lookup(name);
  if (!type)
    return Value::poison();
  Unit unit = stmt.type.unit.value_or(Unit());
  auto make = [&]() -> Value {
    if (!stmt.type.axes.empty())
      return gridValue(stmt, loc);
    bool isTable = llvm::isa<pm::TableType>(type);
    auto op = pm::InputValueOp::create(
        builder, getLoc(loc), isTable ? mlir::Type() : type,
        isTable ? type : mlir::Type(), builder.getStringAttr(name),
        mlir::ValueRange());
    if (!isTable)
      return fromDeclared(fieldOf(op.getField(), unit), stmt.type, loc);
    Unit x, y;
    if (const auto &columns = stmt.type.columns; !columns.empty()) {
      x = columns[0].unit.unit;
      y = columns[1].unit.unit;
    }
    return tableOf(scaledTable(op.getTable(), x.factor, y.factor, getLoc(loc)),
                   x, y);
  };
  // One that may be absent is read where it is used.
  if (!stmt.optional)
    return atPrologue(*frame->entry, ("input:" + name).str(), make);
  if (!requireInputOutside(rules(), name, loc))
    return Value::poison();
  return make();
}
