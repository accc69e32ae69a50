//===- Outputs.cpp - output -----------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Outputs/Outputs.h"

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
    if (isUnsigned && !part.isUnsigned() &&
        part.getConstInt().value_or(-1) < 0) {
      g.error(arg, what +
                       " requires numbers of one type, not u64 and int, which "
                       "may be negative; write them apart");
      return false;
    }
    values.push_back(g.intBits(part, g.getLoc(arg.loc)));
    units.emplace_back();
  }
  return true;
}

/// An int between numbers that are f64 becomes one, if that has a place for it.
bool OutputEmitter::checkExact(const Value &part, const Argument &arg,
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
    g.error(arg, why.replace(hole, 4, std::to_string(*known)));
    return false;
  }
  mlir::Location at = g.getLoc(arg.loc);
  using I = mlir::arith::CmpIPredicate;
  mlir::Value fits = mlir::arith::AndIOp::create(
      g.builder, at, g.compareInts(I::sle, part, Value::integer(most), at),
      g.compareInts(I::sge, part, Value::integer(-most), at));
  g.effectsSeen = true;
  pm::AssertOp::create(g.builder, at, fits, why, g.intBits(part, at));
  return true;
}

/// The fields or numbers that are written, and their units. `element`: of which
/// type numbers are, if they are no f64.
bool OutputEmitter::outputValues(const Argument &arg, llvm::StringRef what,
                                 llvm::SmallVectorImpl<mlir::Value> &values,
                                 llvm::SmallVectorImpl<Unit> &units,
                                 llvm::StringRef &element) {
  if (arg.value.isPoison())
    return false;
  if (arg.value.isRecord()) {
    std::string members = llvm::join(arg.value.getNames(), ", ");
    g.error(arg, what +
                     " requires fields or numbers; of this record, write the "
                     "members (" +
                     members + ") one by one");
    return false;
  }
  std::vector<Value> parts(arg.value.getElements());
  if (!arg.value.isTuple())
    parts = {arg.value};
  mlir::Location at = g.getLoc(arg.loc);
  element = "";
  if (!parts.empty() && llvm::all_of(parts, std::mem_fn(&Value::isIntLike)))
    return integerOutputs(parts, arg, what, values, units, element);
  bool numbers = false, fields = false;
  for (const Value &part : parts) {
    if (part.isPoison())
      return false;
    if (part.isField()) {
      fields = true;
      values.push_back(getSSA(part));
    } else if (part.isRealNumber() || part.isBoolLike()) {
      numbers = true;
      if (part.isIntLike() && !checkExact(part, arg, what))
        return false;
      values.push_back(g.materialize(part, g.f64Type, at));
    } else {
      g.error(arg, what + " requires fields or numbers, not " +
                       (arg.value.isTuple()
                            ? "a " + part.describeType() + " in a tuple"
                            : part.describeType()));
      return false;
    }
    units.push_back(part.getUnit());
  }
  if (parts.empty() || (numbers && fields)) {
    g.error(arg, what + " requires fields, or numbers, not both");
    return false;
  }
  return numbers || equalizeFields(values, arg, what);
}

/// The fields and numbers of a record, and where each is in it:
/// `/first/weight`, and in lists `/layers/0/weight`.
bool OutputEmitter::recordMembers(const Argument &arg,
                                  llvm::SmallVectorImpl<mlir::Value> &values,
                                  llvm::SmallVectorImpl<Unit> &units,
                                  std::vector<std::string> &paths) {
  return forEachMember(
      arg.value, "", [&](const Value &member, const std::string &path) {
        if (!member.isField() && !member.isRealNumber() &&
            !member.isBoolLike()) {
          g.error(arg, "'output' of a record writes fields and numbers, and "
                       "its member '" +
                           llvm::StringRef(path).drop_front() + "' is " +
                           member.describeType());
          return false;
        }
        values.push_back(member.isField() ? getSSA(member)
                                          : getSSA(g.cellOf(member, arg.loc)));
        units.push_back(member.getUnit());
        paths.push_back(path);
        return true;
      });
}

/// The fields of a record, as a tuple of columns, and their names: `mass`, and
/// in vectors and records `disp_0`, `first_weight`.
bool OutputEmitter::flattenRecord(Argument &arg,
                                  std::vector<std::string> &columns) {
  std::vector<Value> parts;
  auto add = [&](const Value &member, const std::string &path) {
    std::string name = path.substr(1);
    llvm::replace(name, '/', '_');
    if (!member.isField()) {
      g.error(arg, "'flatten' makes columns of the fields of a record, and its "
                   "member '" +
                       path.substr(1) + "' is " + member.describeType());
      return false;
    }
    parts.push_back(member);
    columns.push_back(std::move(name));
    return true;
  };
  if (!forEachMember(arg.value, "", add))
    return false;
  arg.value = Value::tuple(std::move(parts));
  return true;
}

/// Columns of one dataset have one type: bools are written as 0 and 1, f32 next
/// to f64 as f64, ints next to real numbers as f64. Plots are of real fields.
bool OutputEmitter::equalizeFields(llvm::SmallVectorImpl<mlir::Value> &values,
                                   const Argument &arg, llvm::StringRef what) {
  auto typeOf = [](mlir::Value value) {
    return llvm::cast<pm::FieldType>(value.getType());
  };
  pm::FieldType first = typeOf(values[0]);
  bool complex = false, wide = false, ints = false, reals = false;
  for (mlir::Value value : values) {
    mlir::Type element = typeOf(value).getElementType();
    complex |= llvm::isa<mlir::ComplexType>(element);
    wide |= element == g.f64Type;
    ints |= element == g.i64Type;
    reals |= llvm::isa<mlir::FloatType>(element);
    if (typeOf(value).getDims() != first.getDims()) {
      g.error(arg, what + " requires fields of the same dims, not " +
                       describeDims(first.getDims()) + " and " +
                       describeDims(typeOf(value).getDims()));
      return false;
    }
  }
  mlir::Type target = complex ? mlir::Type(mlir::ComplexType::get(g.realType))
                      : wide  ? g.f64Type
                      : ints && !reals && what == "'output'" ? g.i64Type
                      : ints && what == "'output'"           ? g.f64Type
                                                             : g.realType;
  for (mlir::Value &value : values) {
    mlir::Type from = typeOf(value).getElementType();
    if (from == target)
      continue;
    if (complex) {
      g.error(arg, what + " requires real or complex fields, not both");
      return false;
    }
    mlir::Location at = g.getLoc(arg.loc);
    ElementState state;
    auto block =
        g.buildBody(first.getDims(), arg.loc, state, [&](auto &yields) {
          Value x = g.element(fieldOf(value), arg.loc);
          yields.push_back(g.materialize(x, target, at));
          return true;
        });
    auto op = pm::MapOp::create(g.builder, at,
                                mlir::TypeRange{pm::FieldType::get(
                                    &g.context, first.getDims(), target)},
                                pm::DimsAttr::get(&g.context, first.getDims()),
                                state.inputs, mlir::ValueRange());
    op.getBody().push_back(block.release());
    value = op.getResult(0);
  }
  return true;
}

/// Reports to the runtime the iterations of the loops around the next statement
/// that writes a file, whose name has them. Returns the number of loops.
int64_t OutputEmitter::tellIterations(llvm::SMLoc loc) {
  llvm::SmallVector<mlir::Value> numbers;
  for (const Value &iteration : g.iterations) {
    if (iteration.is(Value::Kind::Nothing)) {
      g.error(loc, "files that are written in a loop are called by its "
                   "iterations, and those of a 'while' that carries no field "
                   "have no numbers; 'while … at most n' counts them");
      return 0;
    }
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
    arg.value = g.inAsked(arg, stmt.asked);
  auto [previous, isNew] =
      g.outputNames.try_emplace(stmt.name.text, stmt.name.loc);
  if (!isNew && previous->second != stmt.name.loc) {
    g.error(stmt.name.loc, "there are two outputs '" + stmt.name.text + "'")
        .note(previous->second, "the first one");
    return;
  }
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<Unit> units;
  llvm::StringRef element;
  std::vector<std::string> paths;
  if (!stmt.value && arg.value.isFunction()) {
    std::string call = stmt.name.text + "(";
    for (const ast::Name &column : stmt.columns)
      call += (call.back() == '(' ? "" : ", ") + column.text;
    g.error(arg, "'" + stmt.name.text +
                     "' is a function; an output of what it makes has a name "
                     "of its own: output made = " +
                     call + ")");
    return;
  }
  if (arg.value.isRecord()) {
    if (!stmt.columns.empty()) {
      g.error(stmt.loc, "the members of a record have their own names; leave "
                        "the columns out");
      return;
    }
    if (stmt.flatten) {
      if (!flattenRecord(arg, paths) ||
          !outputValues(arg, "'output'", values, units, element))
        return;
    } else if (!recordMembers(arg, values, units, paths)) {
      return;
    }
    if (values.empty()) {
      g.error(arg, "there is nothing in this record");
      return;
    }
  } else if (!outputValues(arg, "'output'", values, units, element)) {
    return;
  }
  if (!stmt.columns.empty() && stmt.columns.size() != values.size()) {
    g.error(stmt.columns[0].loc, llvm::Twine(stmt.columns.size()) +
                                     " columns are named, but there are " +
                                     llvm::Twine(values.size()) + " values");
    return;
  }
  if (stmt.flatten && !llvm::isa<pm::FieldType>(values[0].getType())) {
    g.error(stmt.loc, "'flatten' joins the dims of fields; these are numbers");
    return;
  }
  llvm::SmallVector<llvm::StringRef> columns;
  for (const ast::Name &column : stmt.columns)
    columns.push_back(column.text);
  columns.append(paths.begin(), paths.end());
  bool oneUnit = llvm::all_of(
      units, [&](const Unit &unit) { return unit.agrees(units[0]); });
  // Columns in several units name that of each.
  std::string unitText;
  if (stmt.asked.loc.isValid())
    unitText = stmt.asked.text;
  else if (oneUnit)
    unitText = units[0].isNumber() ? "" : units[0].str();
  else
    for (const Unit &unit : units)
      unitText += (unitText.empty() ? "" : ", ") + unit.str();
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
