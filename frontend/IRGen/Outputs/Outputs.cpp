//===- Outputs.cpp - output -----------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Outputs/Outputs.h"
#include "frontend/Sema/Rules/Program/Outputs.h"

#include "frontend/IRGen/Generator.h"

#include "llvm/ADT/StringExtras.h"

#include <functional>

using namespace pmc;

/// Their bits, and of which type they are.
bool OutputEmitter::integerOutputs(llvm::ArrayRef<Value> parts,
                                   const Argument &arg, llvm::StringRef what,
                                   llvm::SmallVectorImpl<mlir::Value> &values,
                                   llvm::SmallVectorImpl<Unit> &units,
                                   llvm::StringRef &element) {
  bool isUnsigned = llvm::any_of(parts, std::mem_fn(&Value::isUnsigned));
  element = isUnsigned ? "u64" : "i64";
  for (const Value &part : parts) {
    if (!requireOneIntType(g.rules(), part, isUnsigned, arg, what))
      return false;
    values.push_back(g.intBits(part, g.getLoc(arg.loc)));
    units.emplace_back();
  }
  return true;
}

/// An int between numbers that are f64 becomes one, if that has a place for it.
bool OutputEmitter::checkExact(const Value &part, const Argument &arg,
                               llvm::StringRef what) {
  const auto why = pmc::checkExact(g.rules(), part, arg, what);
  if (!why || why->empty())
    return why.has_value();
  const Value most = Value::integer(mostExact),
              least = Value::integer(-mostExact);
  mlir::Location at = g.getLoc(arg.loc);
  using I = mlir::arith::CmpIPredicate;
  mlir::Value fits = mlir::arith::AndIOp::create(
      g.builder, at, g.compareInts(I::sle, part, most, at),
      g.compareInts(I::sge, part, least, at));
  g.effectsSeen = true;
  pm::AssertOp::create(g.builder, at, fits, *why, g.intBits(part, at));
  return true;
}

/// The fields or numbers that are written, and their units. `element`: of which
/// type numbers are, if they are no f64.
bool OutputEmitter::outputValues(const Argument &arg, llvm::StringRef what,
                                 llvm::SmallVectorImpl<mlir::Value> &values,
                                 llvm::SmallVectorImpl<Unit> &units,
                                 llvm::StringRef &element) {
  const auto parts = readParts(g.rules(), arg, what);
  if (!parts)
    return false;
  element = "";
  if (parts->areInts)
    return integerOutputs(parts->values, arg, what, values, units, element);
  for (const Value &part : parts->values) {
    if (part.isIntLike() && !checkExact(part, arg, what))
      return false;
    values.push_back(part.isField()
                         ? getSSA(part)
                         : g.materialize(part, g.f64Type, g.getLoc(arg.loc)));
    units.push_back(part.getUnit());
  }
  return !parts->areFields || equalizeFields(parts->values, values, arg, what);
}

/// The members of a record, and their paths.
bool OutputEmitter::recordMembers(const Argument &arg,
                                  llvm::SmallVectorImpl<mlir::Value> &values,
                                  llvm::SmallVectorImpl<Unit> &units,
                                  std::vector<std::string> &paths) {
  const auto members = readMembers(g.rules(), arg);
  if (!members)
    return false;
  for (const auto &[member, path] : *members) {
    values.push_back(member.isField() ? getSSA(member)
                                      : getSSA(g.cellOf(member, arg.loc)));
    units.push_back(member.getUnit());
    paths.push_back(path);
  }
  return true;
}

/// Makes `arg` a tuple of the fields of the record.
bool OutputEmitter::flattenRecord(Argument &arg,
                                  std::vector<std::string> &columns) {
  const auto members = readColumns(g.rules(), arg);
  if (!members)
    return false;
  std::vector<Value> parts;
  for (const auto &[member, name] : *members) {
    parts.push_back(member);
    columns.push_back(name);
  }
  arg.value = Value::tuple(std::move(parts));
  return true;
}

/// Converts the elements of fields to one type.
bool OutputEmitter::equalizeFields(llvm::ArrayRef<Value> fields,
                                   llvm::SmallVectorImpl<mlir::Value> &values,
                                   const Argument &arg, llvm::StringRef what) {
  const auto storage = storageOfAll(g.rules(), fields, arg, what,
                                    /*keepsInts=*/what == "'output'");
  if (!storage)
    return false;
  const mlir::Type target = g.lower(*storage);
  const llvm::SmallVector<pm::DimAttr> dims = g.lower(fields[0].getDims());
  const mlir::Location at = g.getLoc(arg.loc);
  for (mlir::Value &value : values) {
    if (llvm::cast<pm::FieldType>(value.getType()).getElementType() == target)
      continue;
    ElementState state;
    auto block = g.buildBody(dims, arg.loc, state, [&](auto &yields) {
      Value x = g.element(fieldOf(value), arg.loc);
      yields.push_back(g.materialize(x, target, at));
      return true;
    });
    auto op = pm::MapOp::create(
        g.builder, at,
        mlir::TypeRange{pm::FieldType::get(&g.context, dims, target)},
        pm::DimsAttr::get(&g.context, dims), state.inputs, mlir::ValueRange());
    op.getBody().push_back(block.release());
    value = op.getResult(0);
  }
  return true;
}

/// Reports to the runtime the iterations of the loops around the next statement
/// that writes a file, whose name has them. Returns the number of loops.
int64_t OutputEmitter::tellIterations(llvm::SMLoc loc) {
  llvm::SmallVector<mlir::Value> numbers;
  if (!requireIterations(g.rules(), g.iterations, loc))
    return 0;
  for (const Value &iteration : g.iterations) {
    // As ints are printed: by their bits.
    numbers.push_back(mlir::arith::BitcastOp::create(
        g.builder, g.getLoc(loc), g.f64Type,
        g.materialize(iteration, g.i64Type, g.getLoc(loc))));
  }
  if (numbers.empty())
    return 0;
  pm::PrintOp::create(g.builder, g.getLoc(loc), "", numbers)
      ->setAttr("iterations", g.builder.getUnitAttr());
  return int64_t(numbers.size());
}

/// Columns at the top level have names, too, as far as these are free.
void OutputEmitter::nameColumns(const ast::OutputStmt &stmt,
                                const Value &value) {
  if (g.frame->scope)
    return;
  const auto &symbols = g.program.getMain().symbols;
  for (auto [i, column] : llvm::enumerate(stmt.columns)) {
    auto it = symbols.find(column.text);
    if (it == symbols.end() || it->second.loc != column.loc)
      continue;
    const bool isOne = stmt.columns.size() == 1 && !value.isTuple();
    const bool fits =
        value.isTuple() && value.getElements().size() == stmt.columns.size();
    g.define(column, isOne  ? value
                     : fits ? value.getElements()[i]
                            : Value::poison());
  }
}

/// The value in the unit of the output, or its parts in those of the columns.
Value OutputEmitter::inAsked(const Argument &arg, const ast::OutputStmt &stmt) {
  const auto isGiven = [](const ast::WrittenUnit &unit) {
    return unit.loc.isValid();
  };
  if (llvm::none_of(stmt.columnUnits, isGiven))
    return g.inAsked(arg, stmt.asked);
  if (!requireOneAsked(g.rules(), stmt))
    return Value::poison();
  std::vector<Value> parts = {arg.value};
  if (arg.value.isTuple())
    parts = arg.value.getElements();
  if (arg.value.isRecord() || parts.size() != stmt.columns.size())
    return arg.value; // which is an error
  const auto *tuple = llvm::dyn_cast_or_null<ast::TupleExpr>(stmt.value.get());
  for (auto [i, part] : llvm::enumerate(parts)) {
    Argument one = arg;
    one.value = part;
    if (tuple && tuple->elements.size() == parts.size()) {
      one.loc = tuple->elements[i]->loc;
      one.range = tuple->elements[i]->range;
    }
    part = g.inAsked(one, stmt.columnUnits[i]);
    if (part.isPoison())
      return part;
  }
  return arg.value.isTuple() ? Value::tuple(std::move(parts)) : parts[0];
}

/// One unit for all columns, or that of each; empty for pure numbers.
static std::string unitTextOf(const ast::OutputStmt &stmt,
                              llvm::ArrayRef<Unit> units) {
  if (stmt.asked.loc.isValid())
    return stmt.asked.text;
  llvm::SmallVector<std::string> texts;
  for (auto [i, unit] : llvm::enumerate(units))
    texts.push_back(i < stmt.columnUnits.size() &&
                            stmt.columnUnits[i].loc.isValid()
                        ? stmt.columnUnits[i].text
                        : unit.str());
  if (!llvm::all_equal(texts))
    return llvm::join(texts, ", ");
  return texts[0] == "1" ? "" : texts[0];
}

void OutputEmitter::output(const ast::OutputStmt &stmt) {
  Argument arg;
  if (stmt.value) {
    arg = g.evaluateArgument(*stmt.value);
    // `output x = e` also gives e that name, if it is free.
    bool taken = false;
    if (!g.frame->scope) {
      auto it = g.program.getMain().symbols.find(stmt.name.text);
      taken =
          it != g.program.getMain().symbols.end() && it->second.stmt != &stmt;
    }
    if (!taken)
      g.define(stmt.name, arg.value);
    nameColumns(stmt, arg.value);
  } else {
    arg.value = g.lookUp(stmt.name.text, stmt.name.loc);
    arg.loc = stmt.name.loc;
  }
  if (!arg.value.isFunction())
    arg.value = inAsked(arg, stmt);
  auto [previous, isNew] =
      g.outputNames.try_emplace(stmt.name.text, stmt.name.loc);
  if (!isNew && !requireNewOutput(g.rules(), "outputs", stmt.name.text,
                                  stmt.name.loc, previous->second))
    return;
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<Unit> units;
  llvm::StringRef element;
  std::vector<std::string> paths;
  if (!requireNoFunction(g.rules(), stmt, arg))
    return;
  if (arg.value.isRecord()) {
    if (!checkRecordClauses(g.rules(), stmt))
      return;
    if (stmt.flatten) {
      if (!flattenRecord(arg, paths) ||
          !outputValues(arg, "'output'", values, units, element))
        return;
    } else if (!recordMembers(arg, values, units, paths)) {
      return;
    }
    if (!requireMembers(g.rules(), arg, values.size()))
      return;
  } else if (!outputValues(arg, "'output'", values, units, element)) {
    return;
  }
  if (!checkColumns(g.rules(), stmt, values.size(),
                    llvm::isa<pm::FieldType>(values[0].getType())))
    return;
  llvm::SmallVector<llvm::StringRef> columns;
  for (const ast::Name &column : stmt.columns)
    columns.push_back(column.text);
  columns.append(paths.begin(), paths.end());
  const std::string unitText = unitTextOf(stmt, units);
  g.effectsSeen = true;
  const int64_t loops = tellIterations(stmt.loc);
  auto output = pm::OutputOp::create(
      g.builder, g.getLoc(stmt.loc), g.builder.getStringAttr(stmt.name.text),
      values,
      columns.empty() ? mlir::ArrayAttr() : g.builder.getStrArrayAttr(columns),
      stmt.flatten ? g.builder.getUnitAttr() : mlir::UnitAttr(),
      unitText.empty() ? mlir::StringAttr()
                       : g.builder.getStringAttr(unitText));
  if (loops > 0)
    output->setAttr("loops", g.builder.getI64IntegerAttr(loops));
  if (!element.empty())
    output->setAttr("element", g.builder.getStringAttr(element));
}

void Generator::outputStmt(const ast::OutputStmt &stmt) {
  OutputEmitter(*this).output(stmt);
}
