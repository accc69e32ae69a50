//===- Outputs.cpp - output -----------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Program/Outputs.h"

#include "llvm/ADT/StringExtras.h"

#include <functional>

using namespace pmc;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<OutputParts> pmc::readParts(const RuleContext &context,
                                          const Argument &arg,
                                          llvm::StringRef what) {
  if (arg.value.isPoison())
    return std::nullopt;
  if (arg.value.isRecord()) {
    context.error(arg, "[PM0904] " + what +
                           " requires fields or numbers; of this record, write "
                           "the members (" +
                           llvm::join(arg.value.getNames(), ", ") +
                           ") one by one");
    return std::nullopt;
  }
  OutputParts parts;
  if (arg.value.isTuple())
    parts.values = arg.value.getElements();
  else
    parts.values = {arg.value};
  parts.areInts = !parts.values.empty() &&
                  llvm::all_of(parts.values, std::mem_fn(&Value::isIntLike));
  if (parts.areInts)
    return parts;
  size_t fields = 0;
  for (const Value &part : parts.values) {
    if (part.isPoison())
      return std::nullopt;
    fields += part.isField();
    if (part.isField() || part.isRealNumber() || part.isBoolLike())
      continue;
    context.error(arg, "[PM0904] " + what +
                           " requires fields or numbers, not " +
                           (arg.value.isTuple()
                                ? "a " + part.describeType() + " in a tuple"
                                : part.describeType()));
    return std::nullopt;
  }
  parts.areFields = fields == parts.values.size();
  if (!parts.values.empty() && (fields == 0 || parts.areFields))
    return parts;
  context.error(arg,
                "[PM0904] " + what + " requires fields, or numbers, not both");
  return std::nullopt;
}

bool pmc::requireOneIntType(const RuleContext &context, const Value &part,
                            bool isUnsigned, const Argument &arg,
                            llvm::StringRef what) {
  return !isUnsigned || part.isUnsigned() ||
         part.getConstInt().value_or(-1) >= 0 ||
         context.refuse(arg, "[PM0310] " + what +
                                 " requires numbers of one type, not u64 "
                                 "and int, which may be negative; write "
                                 "them apart");
}

std::optional<std::string> pmc::checkExact(const RuleContext &context,
                                           const Value &part,
                                           const Argument &arg,
                                           llvm::StringRef what) {
  const auto known = part.getConstInt();
  if (known && *known >= -mostExact && *known <= mostExact)
    return "";
  const std::string shown =
      known ? std::to_string(*known)
            : std::string("{:") + (part.isUnsigned() ? "u" : "d") + "}";
  std::string why = what.str() + ": " + shown +
                    " stands between numbers that are f64, which hold "
                    "ints up to 2^53 exactly; write ints in an output of "
                    "their own";
  if (!known)
    return why;
  context.error(arg, "[PM0904] " + why);
  return std::nullopt;
}

std::optional<Storage> pmc::storageOfAll(const RuleContext &context,
                                         llvm::ArrayRef<Value> fields,
                                         const Argument &arg,
                                         llvm::StringRef what, bool keepsInts) {
  const DimList dims = fields[0].getDims();
  bool hasComplex = false, hasWide = false, hasInts = false, hasReals = false;
  for (const Value &field : fields) {
    const Storage storage = field.getStorage();
    hasComplex |= isComplex(storage);
    hasWide |= storage == Storage::F64;
    hasInts |= storage == Storage::I64;
    hasReals |= isFloat(storage);
    if (field.getDims() != dims) {
      context.error(arg, "[PM0501] " + what +
                             " requires fields of the same dims, not " +
                             describeDims(dims) + " and " +
                             describeDims(field.getDims()));
      return std::nullopt;
    }
  }
  if (hasComplex) {
    const Storage target = context.real == Storage::F64 ? Storage::ComplexF64
                                                        : Storage::ComplexF32;
    for (const Value &field : fields)
      if (field.getStorage() != target) {
        context.error(arg, "[PM0904] " + what +
                               " requires real or complex fields, not both");
        return std::nullopt;
      }
    return target;
  }
  if (hasWide)
    return Storage::F64;
  if (hasInts && keepsInts)
    return hasReals ? Storage::F64 : Storage::I64;
  return context.real;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

std::optional<std::vector<OutputMember>>
pmc::readMembers(const RuleContext &context, const Argument &record) {
  std::vector<OutputMember> members;
  auto add = [&](const Value &member, const std::string &path) {
    if (!member.isField() && !member.isRealNumber() && !member.isBoolLike())
      return context.refuse(
          record,
          "[PM0904] 'output' of a record writes fields and numbers, and its "
          "member '" +
              llvm::StringRef(path).drop_front() + "' is " +
              member.describeType());
    members.push_back({member, path});
    return true;
  };
  if (!forEachMember(record.value, "", add))
    return std::nullopt;
  return members;
}

std::optional<std::vector<OutputMember>>
pmc::readColumns(const RuleContext &context, const Argument &record) {
  std::vector<OutputMember> columns;
  auto add = [&](const Value &member, const std::string &path) {
    if (!member.isField())
      return context.refuse(
          record,
          "[PM0906] 'flatten' makes columns of the fields of a record, and its "
          "member '" +
              path.substr(1) + "' is " + member.describeType());
    std::string name = path.substr(1);
    llvm::replace(name, '/', '_');
    columns.push_back({member, std::move(name)});
    return true;
  };
  if (!forEachMember(record.value, "", add))
    return std::nullopt;
  return columns;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

bool pmc::requireNewOutput(const RuleContext &context, llvm::StringRef what,
                           llvm::StringRef name, llvm::SMLoc loc,
                           llvm::SMLoc first) {
  if (first == loc)
    return true;
  context.error(loc, "[PM0905] there are two " + what + " '" + name + "'")
      .note(first, "the first one");
  return false;
}

bool pmc::requireNoFunction(const RuleContext &context,
                            const ast::OutputStmt &stmt, const Argument &arg) {
  if (stmt.value || !arg.value.isFunction())
    return true;
  std::string call = stmt.name.text + "(";
  for (const ast::Name &column : stmt.columns)
    call += (call.back() == '(' ? "" : ", ") + column.text;
  return context.refuse(arg, "[PM0905] '" + stmt.name.text +
                                 "' is a function; write its value as an "
                                 "output with another name: output made = " +
                                 call + ")");
}

bool pmc::checkRecordClauses(const RuleContext &context,
                             const ast::OutputStmt &stmt) {
  return stmt.columns.empty() ||
         context.refuse(stmt.loc,
                        "[PM0905] the members of a record have their own "
                        "names; leave the columns out");
}

bool pmc::requireMembers(const RuleContext &context, const Argument &record,
                         size_t count) {
  return count > 0 ||
         context.refuse(record,
                        "[PM0904] this record contains no fields or numbers");
}

bool pmc::checkColumns(const RuleContext &context, const ast::OutputStmt &stmt,
                       size_t count, bool areFields) {
  if (!stmt.columns.empty() && stmt.columns.size() != count)
    return context.refuse(stmt.columns[0].loc,
                          "[PM0905] " + llvm::Twine(stmt.columns.size()) +
                              " columns are named, but there are " +
                              llvm::Twine(count) + " values");
  return !stmt.flatten || areFields ||
         context.refuse(
             stmt.loc,
             "[PM0906] 'flatten' joins the dims of fields; these are numbers");
}

bool pmc::requireOneAsked(const RuleContext &context,
                          const ast::OutputStmt &stmt) {
  if (!stmt.asked.loc.isValid())
    return true;
  context
      .error(stmt.asked.loc,
             "[PM0905] 'in " + stmt.asked.text +
                 "' is the unit of all columns, but a column has a unit of its "
                 "own; write the unit of each column, or only this one")
      .range(stmt.asked.range);
  return false;
}

bool pmc::requireIterations(const RuleContext &context,
                            llvm::ArrayRef<Value> iterations, llvm::SMLoc loc) {
  return llvm::none_of(iterations,
                       [](const Value &iteration) {
                         return iteration.is(Value::Kind::Nothing);
                       }) ||
         context.refuse(
             loc, "[PM0905] files that are written in a loop are called by "
                  "its iterations, and those of a 'while' that "
                  "carries no field have no numbers; 'while … at "
                  "most n' counts them");
}
