//===- Values.cpp - Names, records, vectors and their parts ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Values.h"

#include "frontend/Sema/Types/DimMessages.h"
#include "frontend/Sema/Types/Shapes.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static const char *const noValue = "[PM0314] this has no value";

Value pmc::requireValue(const RuleContext &context, const Value &value,
                        llvm::SMLoc loc) {
  return value.is(Value::Kind::Nothing) ? Value(context.error(loc, noValue))
                                        : value;
}

Value pmc::requireValue(const RuleContext &context, const Argument &arg) {
  return arg.value.is(Value::Kind::Nothing) ? Value(context.error(arg, noValue))
                                            : arg.value;
}

bool pmc::requireKnown(const RuleContext &context, bool isKnown,
                       llvm::SMLoc loc, const llvm::Twine &more) {
  return isKnown ||
         context.refuse(
             loc,
             "[PM0212] this must be known when the spec is compiled" + more);
}

bool pmc::requireIntLiteral(const RuleContext &context,
                            const ast::NumberExpr &literal) {
  return literal.integer <= uint64_t(INT64_MAX) ||
         context.refuse(literal.loc, "[PM0106] this is too large for an int");
}

void pmc::reportSpecError(const RuleContext &context, llvm::StringRef text,
                          llvm::SMLoc loc) {
  context.error(loc, "[PM0321] " + text);
}

void pmc::reportUndefined(const RuleContext &context, llvm::StringRef name,
                          llvm::SMLoc loc) {
  context.error(loc, "[PM0201] undefined name '" + name + "'");
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

/// `c.omega_de`, where `omega_de` is a function, was to be `omega_de(c)`.
static std::string suggestCall(const ast::MemberExpr &expr,
                               const Program &program,
                               const ModuleInfo &module) {
  llvm::StringRef name = expr.member.text;
  std::vector<llvm::StringRef> more; // arguments that it needs, too
  const Symbol *symbol = program.find(module, name).symbol;
  if (std::optional<BuiltinId> id = findBuiltin(name)) {
    const BuiltinInfo &info = getBuiltinInfo(*id);
    if (info.required > 1)
      more.assign(info.params.begin() + 1, info.params.begin() + info.required);
  } else if (symbol && symbol->kind == Symbol::Kind::Function) {
    const auto &function = llvm::cast<ast::FunctionStmt>(*symbol->stmt);
    if (function.params.empty())
      return "";
    for (const ast::FnParam &param : llvm::drop_begin(function.params))
      if (!param.defaultValue)
        more.push_back(param.name.text);
  } else {
    return "";
  }
  const llvm::SMRange &range = expr.base->range;
  llvm::StringRef base(range.Start.getPointer(),
                       range.End.getPointer() - range.Start.getPointer());
  if (base.size() > 60 || base.contains('\n'))
    base = "…";
  std::string call = ("; write " + name + "(" + base).str();
  for (llvm::StringRef param : more)
    call += (", " + param).str();
  return call + ")";
}

/// The remedy for a member of a tuple: the index of the component with this
/// name, or names for the parts, as in `let (a, b, c) = …`.
static std::string explainParts(const ast::MemberExpr &expr,
                                const Value &tuple) {
  llvm::StringRef begin(expr.base->range.Start.getPointer(),
                        expr.base->range.End.getPointer() -
                            expr.base->range.Start.getPointer());
  const std::string base =
      begin.size() > 60 || begin.contains('\n') ? "…" : begin.str();
  for (const Dim &tag : tuple.getTags())
    if (tag.name == expr.member.text)
      return "; write " + base + "[" + tag.name + "]";
  const size_t count = tuple.getElements().size();
  std::string names;
  for (size_t i = 0; i < std::min<size_t>(count, 5); ++i)
    names += std::string(i == 0 ? "" : ", ") + char('a' + i);
  return "; name its parts with 'let (" + names + (count > 5 ? ", …" : "") +
         ") = " + base + "'";
}

/// The remedy for a member of particles that is read from a mesh, or empty.
static std::string explainParticles(llvm::StringRef member, const Value &base) {
  const bool isOfParticles =
      llvm::is_contained({"disp", "mom", "a"}, member) && base.isField();
  return isOfParticles
             ? "; particles are required here, a record {disp, mom}, such as "
               "lpt(c, linear, a = 0.1)"
             : "";
}

std::optional<Value> pmc::readMember(const RuleContext &context,
                                     const ast::MemberExpr &expr,
                                     const Value &base, const Program &program,
                                     const ModuleInfo &module) {
  const llvm::StringRef name = expr.member.text;
  if (!base.isRecord()) {
    // The resolver has already reported 'random.normal'.
    if (auto *ref = llvm::dyn_cast<ast::RefExpr>(expr.base.get());
        ref && ref->name == "random" && base.is(Value::Kind::Builtin))
      return std::nullopt;
    std::string more = name == "shape" || name == "size"
                           ? "; cells(x) is the number of cells of a dim x"
                           : suggestCall(expr, program, module);
    if (more.empty() && base.isTuple() && !base.getElements().empty())
      more = explainParts(expr, base);
    if (more.empty())
      more = explainParticles(name, base);
    context
        .error(expr.member.loc,
               "[PM0211] " + base.describeType() + " has no members, so no '" +
                   name + "'" + more,
               expr.range)
        .range(expr.base->range);
    return std::nullopt;
  }
  if (const Value *value = base.findMember(name))
    return *value;
  std::string more = suggestCall(expr, program, module);
  if (more.empty())
    more = suggest(name, llvm::to_vector_of<llvm::StringRef>(base.getNames()));
  context.error(expr.member.loc, "[PM0211] " + base.describeType() +
                                     " has no member '" + name + "'" + more);
  return std::nullopt;
}

bool pmc::requireNewName(const RuleContext &context,
                         llvm::ArrayRef<ast::RecordField> before,
                         const ast::RecordField &field) {
  const auto *first = llvm::find_if(before, [&](const ast::RecordField &other) {
    return other.name.text == field.name.text;
  });
  if (first == before.end())
    return true;
  context
      .error(field.name.loc, "[PM0202] the member '" + field.name.text +
                                 "' is twice in this record")
      .note(first->name.loc, "the first one");
  return false;
}

bool pmc::requireMemberValue(const RuleContext &context,
                             const ast::RecordField &field,
                             const Value &value) {
  return !value.is(Value::Kind::Nothing) ||
         context.refuse(field.name.loc,
                        "[PM0314] '" + field.name.text + "' has no value");
}

std::optional<std::vector<Value>> pmc::changeMembers(const RuleContext &context,
                                                     const ast::WithExpr &expr,
                                                     const Value &base,
                                                     const Value &changes) {
  if (!base.isRecord()) {
    context.error(
        expr.loc,
        "[PM0211] 'with' changes members of a record, not of " +
            base.describeType() +
            (base.isField() ? "; cells are changed by [dim = cell]" : ""));
    return std::nullopt;
  }
  std::vector<Value> values(base.getElements());
  bool ok = true;
  for (auto [field, value] :
       llvm::zip_equal(expr.fields, changes.getElements())) {
    const auto *it = llvm::find(base.getNames(), field.name.text);
    if (it != base.getNames().end()) {
      values[it - base.getNames().begin()] = value;
      continue;
    }
    context.error(
        field.name.loc,
        "[PM0211] " + base.describeType() + " has no member '" +
            field.name.text + "'" +
            suggest(field.name.text,
                    llvm::to_vector_of<llvm::StringRef>(base.getNames())));
    ok = false;
  }
  return ok ? std::optional(std::move(values)) : std::nullopt;
}

std::optional<bool> pmc::hasMember(const RuleContext &context,
                                   const ast::MemberExpr &expr,
                                   const Value &base) {
  if (base.isRecord())
    return base.findMember(expr.member.text) != nullptr;
  if (base.isPoison())
    return std::nullopt;
  const std::string remedy = explainParticles(expr.member.text, base);
  context
      .error(expr.loc,
             "[PM0211] " + base.describeType() + " has no members" +
                 (remedy.empty() ? "; 'given' takes a member of a record"
                                 : remedy))
      .range(expr.range);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

bool pmc::requireComponents(const RuleContext &context, const Value &base,
                            const Argument &index, llvm::SMLoc loc) {
  if (base.isField() && index.value.isFieldOf(Storage::I1))
    return context.refuse(
        index, "[PM0511] a condition does not pick elements of a field; "
               "write map q in f => if f > 0 then f else 0, or "
               "collect those for which it holds");
  if (base.isField() && index.value.isDim())
    return context.refuse(
        loc, "[PM0511] " + explainNoComponent(base, index.value.getDim()));
  if (base.isField())
    return context.refuse(index, "[PM0511] " + explainCells(base));
  return base.isTuple() ||
         context.refuse(loc, "[PM0313] " + base.describeType() +
                                 " has no components");
}

std::optional<Value> pmc::componentOf(const RuleContext &context,
                                      const Value &base, const Dim &dim,
                                      const Argument &index, llvm::SMLoc loc) {
  const llvm::ArrayRef<Value> elements = base.getElements();
  std::vector<Dim> tags = base.getTags().vec();
  if (tags.empty() && !elements.empty() && elements[0].isField() &&
      elements[0].getDims().size() == elements.size())
    tags = elements[0].getDims().vec();
  if (tags.size() != elements.size()) {
    if (!base.holdsFree())
      context.error(loc,
                    "[PM0313] this " + base.describeType() +
                        " does not have one component for each dim; index it "
                        "with 0, 1, …");
    return std::nullopt;
  }
  // The dim itself, or else the one it refines.
  for (const bool exact : {true, false})
    for (auto [tag, element] : llvm::zip_equal(tags, elements))
      if (exact ? tag.getSpaceDim() == dim.getSpaceDim() : tag.name == dim.name)
        return element;
  context.error(index, "[PM0313] the vector has no component '" +
                           dim.getLabel() + "'; it has " + describeDims(tags));
  return std::nullopt;
}

bool pmc::requireChoice(const RuleContext &context, llvm::ArrayRef<Value> parts,
                        const Argument &index) {
  const std::string why =
      checkChoice(parts, index.value, context.real, context.isInMap);
  return why.empty() || context.refuse(index, why);
}

bool pmc::requireComponentInt(const RuleContext &context, const Argument &index,
                              bool isInt) {
  return isInt ||
         context.refuse(index, "[PM0303] the index of a component is an int, "
                               "not " +
                                   index.value.describe() +
                                   "; int(x) rounds down");
}
