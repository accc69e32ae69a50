//===- Inputs.cpp - Inputs and streams ------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Program/Inputs.h"

#include "llvm/ADT/StringSet.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// The axes and the values of a table are datasets of one file.
static bool checkAxes(const RuleContext &context, const ast::InputStmt &input) {
  llvm::StringSet<> names;
  const ast::TypeExpr &type = input.type;
  names.insert(type.value ? type.value->name.text : input.name.text);
  for (const ast::TypeExpr::Column &axis : type.axes)
    if (!names.insert(axis.name.text).second)
      return context.refuse(axis.name.loc,
                            "[PM0901] there is another dataset '" +
                                axis.name.text +
                                "' in the file of this table; give each axis "
                                "a name of its own");
  return true;
}

bool pmc::requireInputType(const RuleContext &context,
                           const ast::InputStmt &input) {
  const ast::TypeExpr &type = input.type;
  if (type.base == ast::TypeExpr::Base::Table)
    return checkAxes(context, input) &&
           (!input.streamed ||
            context.refuse(type.loc,
                           "[PM0901] a table is read as a whole; a stream is "
                           "one of fields"));
  return (type.base == ast::TypeExpr::Base::Field && !type.isVector) ||
         context.refuse(type.loc,
                        "[PM0901] an input is a field or a table; numbers are "
                        "params");
}

bool pmc::requireInputOutside(const RuleContext &context, llvm::StringRef name,
                              llvm::SMLoc loc) {
  return !context.isInMap ||
         context.refuse(loc, "[PM0509] the optional input '" + name +
                                 "' would be read for every element; name it "
                                 "outside of the map: let data = if given(" +
                                 name + ") then " + name + " else …");
}

static const char *const likeRecord =
    "[PM0901] an input is like a record of fields and numbers, ";

bool pmc::requireRecordLike(const RuleContext &context, const Value &like,
                            llvm::SMLoc loc) {
  return like.isPoison() || like.isRecord() || like.isTuple() ||
         context.refuse(loc, likeRecord + ("not like " + like.describeType()));
}

bool pmc::requireInputMember(const RuleContext &context, const Value &member,
                             llvm::StringRef path, llvm::SMLoc loc) {
  return member.isField() || member.isRealNumber() || member.isBoolLike() ||
         context.refuse(loc, likeRecord + ("and '" + path + "' is ") +
                                 member.describeType());
}

bool pmc::requireInputMembers(const RuleContext &context, size_t count,
                              llvm::SMLoc loc) {
  return count > 0 ||
         context.refuse(loc,
                        "[PM0901] this record contains no fields or numbers");
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

bool pmc::requireCounted(const RuleContext &context,
                         const ast::InputStmt &stream, bool isCounted) {
  const ast::ExprPtr &first = stream.type.dims[0];
  return isCounted || context.refuse(first ? first->loc : stream.type.loc,
                                     "[PM0902] the first dim of a stream "
                                     "counts samples and must be a space dim");
}

bool pmc::requireSample(const RuleContext &context,
                        const ast::InputStmt &stream, bool hasDims) {
  return hasDims ||
         context.refuse(
             stream.type.loc,
             "[PM0902] a sample is a field: a stream has dims behind the one "
             "that counts samples");
}

bool pmc::requireSampleCount(const RuleContext &context, bool isKnown,
                             llvm::SMLoc loc) {
  return isKnown ||
         context.refuse(
             loc, "[PM0902] this must be known when the spec is compiled, "
                  "but the number of samples is known only at run time");
}

bool pmc::checkSampleForm(const RuleContext &context, const Value &stream,
                          const ast::IndexExpr &expr) {
  const std::string &along = stream.getNames()[0];
  const std::string name = stream.getString().str();
  const std::string how = name + "[" + along + " = i]";
  if (expr.cells.size() != 1 || !expr.indices.empty() || expr.edge)
    return context.refuse(
        expr.loc, "[PM0902] a stream is read by sample: " + how +
                      "; cells and neighbors are those of a sample: " + how +
                      "[…]");
  const ast::Name &given = expr.cells[0].name;
  return given.text == along ||
         context.refuse(given.loc, "[PM0902] the samples of '" + name +
                                       "' are counted along '" + along +
                                       "': " + how);
}

bool pmc::requireSampleInt(const RuleContext &context, const Argument &index) {
  const Value &value = index.value;
  return value.isFieldOf(Storage::I64) ||
         (value.isIntLike() && !value.isUnsigned()) ||
         context.refuse(index,
                        "[PM0902] a sample is picked by an int, or a field of "
                        "ints, not by " +
                            value.describe());
}

bool pmc::requireOneSampleDim(const RuleContext &context, const Argument &index,
                              DimList dims) {
  return (dims.size() == 1 && dims[0].isSpace()) ||
         context.refuse(index,
                        "[PM0902] the numbers of samples are a field over one "
                        "dim, not over " +
                            describeDims(dims));
}
