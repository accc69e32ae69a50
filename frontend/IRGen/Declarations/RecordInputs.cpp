//===- RecordInputs.cpp - input net: like start ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input like a record is one input for each field of it, whose name is where
// the field is in the record. The program has one flag for all.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Program/Declarations.h"
#include "frontend/Sema/Rules/Program/Inputs.h"

using namespace pmc;

/// A field that a file has: `net/first/weight`, as an output of the record is
/// written.
void Generator::declareMember(const ast::InputStmt &stmt, const Value &field,
                              const std::string &path) {
  Unit unit = field.getUnit();
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module->getBody());
  pm::InputOp::create(
      builder, getLoc(stmt.loc), builder.getStringAttr(path),
      mlir::TypeAttr::get(lowerField(field)),
      stmt.optional ? builder.getUnitAttr() : mlir::UnitAttr(),
      unit.isNumber() ? mlir::StringAttr() : builder.getStringAttr(unit.str()),
      stmt.doc.empty() ? mlir::StringAttr() : builder.getStringAttr(stmt.doc),
      /*streamed=*/mlir::UnitAttr(), /*samples=*/mlir::IntegerAttr(),
      /*ahead=*/mlir::IntegerAttr());
}

/// The record with other members, made in order.
static Value replaceMembers(const Value &value,
                            llvm::function_ref<Value(const Value &)> make) {
  if (!value.isRecord() && !value.isTuple())
    return make(value);
  std::vector<Value> parts;
  for (const Value &part : value.getElements())
    parts.push_back(replaceMembers(part, make));
  return value.withElements(std::move(parts));
}

/// `input net: like start`: what a file has in the place of the fields of a
/// record, which itself counts if there is no file.
void Generator::inputLike(const ast::InputStmt &stmt) {
  Value like = evaluate(*stmt.like);
  llvm::SmallVector<mlir::Value> fields;
  llvm::SmallVector<std::string> names;
  bool ok = checkFlagName(rules(), stmt.name, "an input");
  ok &= requireRecordLike(rules(), like, stmt.like->loc);
  auto declare = [&](const Value &member, const std::string &path) {
    if (!requireInputMember(rules(), member, path, stmt.like->loc))
      return false;
    Value field = member.isField() ? member : cellOf(member, stmt.loc);
    declareMember(stmt, field, path);
    fields.push_back(getSSA(field));
    names.push_back(path);
    return true;
  };
  ok = ok && forEachMember(like, stmt.name.text, declare) &&
       requireInputMembers(rules(), names.size(), stmt.like->loc);
  if (!ok)
    return define(stmt.name, Value::poison());
  recordInputs[stmt.name.text] = names[0];
  mlir::Location at = getLoc(stmt.loc);
  auto read = [&] {
    llvm::SmallVector<mlir::Value> values;
    for (auto [field, name] : llvm::zip_equal(fields, names))
      values.push_back(pm::InputValueOp::create(
                           builder, at, field.getType(), mlir::Type(),
                           builder.getStringAttr(name), mlir::ValueRange())
                           .getField());
    return values;
  };
  llvm::SmallVector<mlir::Value> values;
  if (stmt.optional) {
    mlir::Value isGiven = pm::GivenOp::create(builder, at, names[0]);
    auto choice = mlir::scf::IfOp::create(
        builder, at, mlir::ValueRange(fields).getTypes(), isGiven,
        /*addThenBlock=*/true, /*addElseBlock=*/true);
    mlir::OpBuilder::InsertionGuard guard(builder);
    choice.thenBlock()->clear();
    builder.setInsertionPointToEnd(choice.thenBlock());
    mlir::scf::YieldOp::create(builder, at, read());
    choice.elseBlock()->clear();
    builder.setInsertionPointToEnd(choice.elseBlock());
    mlir::scf::YieldOp::create(builder, at, fields);
    values.assign(choice.getResults().begin(), choice.getResults().end());
  } else {
    values = read();
  }
  unsigned next = 0;
  define(stmt.name, replaceMembers(like, [&](const Value &member) {
           Value read = fieldOf(values[next++], member.getUnit());
           if (!member.isField())
             return numberOf(read, member, stmt.loc);
           return member.hasAnyUnit() ? read.withAnyUnit() : read;
         }));
}
