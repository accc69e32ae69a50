//===- Outputs.cpp - output, plot -----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"

#include "llvm/ADT/StringExtras.h"

#include <functional>

using namespace pmc;

/// Their bits, and of which type they are.
bool Generator::integerOutputs(llvm::ArrayRef<Value> parts, const Argument &arg,
                               llvm::StringRef what,
                               llvm::SmallVectorImpl<mlir::Value> &values,
                               llvm::SmallVectorImpl<Unit> &units,
                               llvm::StringRef &element) {
  bool isUnsigned = llvm::any_of(parts, std::mem_fn(&Value::isUnsigned));
  element = isUnsigned ? "u64" : "i64";
  for (const Value &part : parts) {
    if (isUnsigned && !part.isUnsigned() &&
        part.getConstInt().value_or(-1) < 0) {
      error(arg, what + " wants numbers of one type, not u64 and int, which "
                        "may be negative; write them apart");
      return false;
    }
    values.push_back(intBits(part, getLoc(arg.loc)));
    units.emplace_back();
  }
  return true;
}

/// An int between numbers that are f64 becomes one, if that has a place for it.
bool Generator::checkExact(const Value &part, const Argument &arg,
                           llvm::StringRef what) {
  constexpr int64_t most = int64_t(1) << 53;
  std::string why = (what + ": {:" + (part.isUnsigned() ? "u" : "d") +
                     "} stands between numbers that are f64, which hold ints "
                     "up to 2^53 exactly; write ints in an output of their own")
                        .str();
  if (auto known = part.getConstInt()) {
    if (*known >= -most && *known <= most)
      return true;
    size_t hole = why.find("{:d}");
    error(arg, why.replace(hole, 4, std::to_string(*known)));
    return false;
  }
  mlir::Location at = getLoc(arg.loc);
  using I = mlir::arith::CmpIPredicate;
  mlir::Value fits = mlir::arith::AndIOp::create(
      builder, at, compareInts(I::sle, part, Value::integer(most), at),
      compareInts(I::sge, part, Value::integer(-most), at));
  effectsSeen = true;
  pm::AssertOp::create(builder, at, fits, why, intBits(part, at));
  return true;
}

/// The fields or numbers that are written, and their units. `element`: of which
/// type numbers are, if they are no f64.
bool Generator::outputValues(const Argument &arg, llvm::StringRef what,
                             llvm::SmallVectorImpl<mlir::Value> &values,
                             llvm::SmallVectorImpl<Unit> &units,
                             llvm::StringRef &element) {
  if (arg.value.isPoison())
    return false;
  if (arg.value.isRecord()) {
    std::string members = llvm::join(arg.value.getNames(), ", ");
    error(arg, what +
                   " wants fields or numbers; of this record, write the "
                   "members (" +
                   members + ") one by one");
    return false;
  }
  std::vector<Value> parts(arg.value.getElements());
  if (!arg.value.isTuple())
    parts = {arg.value};
  mlir::Location at = getLoc(arg.loc);
  element = "";
  if (!parts.empty() && llvm::all_of(parts, std::mem_fn(&Value::isIntLike)))
    return integerOutputs(parts, arg, what, values, units, element);
  bool numbers = false, fields = false;
  for (const Value &part : parts) {
    if (part.isPoison())
      return false;
    if (part.isField()) {
      fields = true;
      values.push_back(part.getSSA());
    } else if (part.isRealNumber() || part.isBoolLike()) {
      numbers = true;
      if (part.isIntLike() && !checkExact(part, arg, what))
        return false;
      values.push_back(materialize(part, f64Type, at));
    } else {
      error(arg, what + " wants fields or numbers, not " +
                     (arg.value.isTuple()
                          ? "a " + part.describeType() + " in a tuple"
                          : part.describeType()));
      return false;
    }
    units.push_back(part.getUnit());
  }
  if (parts.empty() || (numbers && fields)) {
    error(arg, what + " wants fields, or numbers, not both");
    return false;
  }
  return numbers || equalizeFields(values, arg, what);
}

/// Columns of one dataset have one type: bools are written as 0 and 1, f32 next
/// to f64 as f64.
bool Generator::equalizeFields(llvm::SmallVectorImpl<mlir::Value> &values,
                               const Argument &arg, llvm::StringRef what) {
  auto typeOf = [](mlir::Value value) {
    return llvm::cast<pm::FieldType>(value.getType());
  };
  pm::FieldType first = typeOf(values[0]);
  bool complex = false, wide = false;
  for (mlir::Value value : values) {
    mlir::Type element = typeOf(value).getElementType();
    complex |= llvm::isa<mlir::ComplexType>(element);
    wide |= element == f64Type;
    if (typeOf(value).getDims() != first.getDims()) {
      error(arg, what + " wants fields of the same dims, not " +
                     describeDims(first.getDims()) + " and " +
                     describeDims(typeOf(value).getDims()));
      return false;
    }
  }
  mlir::Type target = complex ? mlir::Type(mlir::ComplexType::get(realType))
                      : wide  ? f64Type
                              : realType;
  for (mlir::Value &value : values) {
    mlir::Type from = typeOf(value).getElementType();
    if (from == target)
      continue;
    if (complex) {
      error(arg, what + " wants real or complex fields, not both");
      return false;
    }
    mlir::Location at = getLoc(arg.loc);
    ElementState state;
    auto block = buildBody(first.getDims(), arg.loc, state, [&](auto &yields) {
      Value x = element(Value::field(value), arg.loc);
      yields.push_back(materialize(x, target, at));
      return true;
    });
    auto op = pm::MapOp::create(
        builder, at,
        mlir::TypeRange{pm::FieldType::get(&context, first.getDims(), target)},
        pm::DimsAttr::get(&context, first.getDims()), state.inputs,
        mlir::ValueRange());
    op.getBody().push_back(block.release());
    value = op.getResult(0);
  }
  return true;
}

void Generator::outputStmt(const ast::OutputStmt &stmt) {
  Argument arg;
  if (stmt.value) {
    arg = evaluateArgument(*stmt.value);
    // `output x = e` also gives e that name, if it is free.
    bool taken = false;
    if (!frame->scope) {
      auto it = program.getMain().symbols.find(stmt.name.text);
      taken = it != program.getMain().symbols.end() && it->second.stmt != &stmt;
    }
    if (!taken)
      define(stmt.name, arg.value);
  } else {
    arg.value = lookUp(stmt.name.text, stmt.name.loc);
    arg.loc = stmt.name.loc;
  }
  auto [previous, isNew] =
      outputNames.try_emplace(stmt.name.text, stmt.name.loc);
  if (!isNew && previous->second != stmt.name.loc) {
    error(stmt.name.loc, "there are two outputs '" + stmt.name.text + "'")
        .note(previous->second, "the first one");
    return;
  }
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<Unit> units;
  llvm::StringRef element;
  if (!outputValues(arg, "'output'", values, units, element))
    return;
  if (!stmt.columns.empty() && stmt.columns.size() != values.size()) {
    error(stmt.columns[0].loc, llvm::Twine(stmt.columns.size()) +
                                   " columns are named, but there are " +
                                   llvm::Twine(values.size()) + " values");
    return;
  }
  if (stmt.flatten && !llvm::isa<pm::FieldType>(values[0].getType())) {
    error(stmt.loc, "'flatten' joins the dims of fields; these are numbers");
    return;
  }
  llvm::SmallVector<llvm::StringRef> columns;
  for (const ast::Name &column : stmt.columns)
    columns.push_back(column.text);
  bool oneUnit = llvm::all_of(
      units, [&](const Unit &unit) { return unit.agrees(units[0]); });
  // Columns in several units name that of each.
  std::string unitText;
  if (oneUnit)
    unitText = units[0].isNumber() ? "" : units[0].str();
  else
    for (const Unit &unit : units)
      unitText += (unitText.empty() ? "" : ", ") + unit.str();
  effectsSeen = true;
  auto output = pm::OutputOp::create(
      builder, getLoc(stmt.loc), builder.getStringAttr(stmt.name.text), values,
      columns.empty() ? mlir::ArrayAttr() : builder.getStrArrayAttr(columns),
      stmt.flatten ? builder.getUnitAttr() : mlir::UnitAttr(),
      unitText.empty() ? mlir::StringAttr() : builder.getStringAttr(unitText));
  if (!element.empty())
    output->setAttr("element", builder.getStringAttr(element));
}

/// The source text of an expression, with single spaces.
static std::string textOf(const ast::Expr &expr) {
  const char *begin = expr.range.Start.getPointer();
  llvm::StringRef text(begin, size_t(expr.range.End.getPointer() - begin));
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(text, words);
  return llvm::join(words, " ");
}

namespace {

/// What a figure calls the values that it shows.
struct PlotLabels {
  std::string title, subtitle;
  llvm::SmallVector<std::string> parts;
};

} // namespace

/// A slice is called like the field, and its cells are the subtitle.
static PlotLabels labelsOf(const ast::Expr &expr, size_t count) {
  PlotLabels labels;
  auto *tuple = llvm::dyn_cast<ast::TupleExpr>(&expr);
  if (tuple && tuple->elements.size() == count) {
    for (const ast::ExprPtr &element : tuple->elements)
      labels.parts.push_back(textOf(*element));
    for (size_t i = count == 1 ? 0 : 1; i < count; ++i)
      labels.title += (labels.title.empty() ? "" : ", ") + labels.parts[i];
    return labels;
  }
  const ast::Expr *field = &expr;
  const std::vector<ast::Argument> *cells = nullptr;
  size_t from = 0;
  if (auto *call = llvm::dyn_cast<ast::CallExpr>(&expr)) {
    auto *callee = llvm::dyn_cast<ast::RefExpr>(call->callee.get());
    if (callee && callee->name == "slice" && call->args.size() > 1) {
      field = call->args[0].value.get();
      cells = &call->args;
      from = 1;
    }
  } else if (auto *index = llvm::dyn_cast<ast::IndexExpr>(&expr)) {
    if (index->indices.empty() && !index->cells.empty()) {
      field = index->base.get();
      cells = &index->cells;
    }
  }
  labels.title = textOf(*field);
  for (size_t i = from; cells && i < cells->size(); ++i)
    labels.subtitle += (labels.subtitle.empty() ? "" : ", ") +
                       (*cells)[i].name.text + " = " +
                       textOf(*(*cells)[i].value);
  if (count == 1)
    labels.parts.push_back(labels.title);
  for (size_t i = 0; count > 1 && i < count; ++i)
    labels.parts.push_back(labels.title + "[" + std::to_string(i) + "]");
  return labels;
}

void Generator::plotStmt(const ast::PlotStmt &stmt) {
  if (!stmt.value)
    return;
  Argument arg = evaluateArgument(*stmt.value);
  std::string name = stmt.name.text;
  ++numPlots;
  if (name.empty())
    name = "plot" + std::to_string(numPlots);
  llvm::SMLoc nameLoc = stmt.name.text.empty() ? stmt.loc : stmt.name.loc;
  auto [previous, isNew] = plotNames.try_emplace(name, nameLoc);
  if (!isNew && previous->second != nameLoc) {
    error(nameLoc, "there are two plots '" + name + "'")
        .note(previous->second, "the first one");
    return;
  }
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<Unit> units;
  llvm::StringRef element;
  if (!outputValues(arg, "'plot'", values, units, element))
    return;
  auto type = llvm::dyn_cast<pm::FieldType>(values[0].getType());
  bool picture = type && type.getRank() == 2 && values.size() == 1;
  bool graph = type && type.getRank() == 1;
  if ((!picture && !graph) ||
      llvm::isa<mlir::ComplexType>(type.getElementType())) {
    error(arg, "'plot' draws a real field of 2 dims, or a tuple of fields of 1 "
               "dim (x, then curves), not " +
                   arg.value.describeType() +
                   (type && type.getRank() > 2 ? "; take a slice" : ""));
    return;
  }
  for (const ast::Name *scale : {&stmt.xscale, &stmt.yscale})
    if (picture && !scale->text.empty()) {
      error(scale->loc, "a picture has no scales of its own for x and y; "
                        "'scale' is that of its colours");
      return;
    }
  if (graph && !stmt.colors.text.empty()) {
    error(stmt.colors.loc, "'colors' are those of a picture");
    return;
  }
  effectsSeen = true;
  auto isLog = [&](const ast::Name &own) {
    return (own.text.empty() ? stmt.scale : own).text == "log";
  };
  auto plot = pm::PlotOp::create(
      builder, getLoc(stmt.loc), builder.getStringAttr(name), values,
      isLog(stmt.yscale) ? builder.getUnitAttr() : mlir::UnitAttr());

  // What the figure says. The rest of the compiler does not look at it.
  PlotLabels labels = labelsOf(*stmt.value, values.size());
  llvm::SmallVector<std::string> unitTexts, axes;
  for (const Unit &unit : units)
    unitTexts.push_back(unit.isNumber() ? "" : unit.str());
  for (pm::DimAttr dim : type.getDims()) {
    auto it = dims.find(dim.getName());
    bool known = it != dims.end() && dim.isSpace() &&
                 !it->second.lengthIsCells && !it->second.unit.isNumber();
    axes.push_back(known ? it->second.unit.str() : "");
  }
  llvm::SmallVector<mlir::NamedAttribute> says;
  auto say = [&](llvm::StringRef key, llvm::StringRef text) {
    if (!text.empty())
      says.push_back(builder.getNamedAttr(key, builder.getStringAttr(text)));
  };
  auto sayAll = [&](llvm::StringRef key, llvm::ArrayRef<std::string> texts) {
    llvm::SmallVector<llvm::StringRef> refs(texts.begin(), texts.end());
    says.push_back(builder.getNamedAttr(key, builder.getStrArrayAttr(refs)));
  };
  say("title", !stmt.title.empty()       ? stmt.title
               : !stmt.name.text.empty() ? stmt.name.text
                                         : labels.title);
  say("subtitle", labels.subtitle);
  say("colormap", stmt.colors.text);
  if (graph && isLog(stmt.xscale))
    say("xscale", "log");
  sayAll("labels", labels.parts);
  sayAll("units", unitTexts);
  sayAll("axes", axes);
  plot->setAttr("figure", builder.getDictionaryAttr(says));
}
