//===- Hover.cpp - What a name stands for, in words -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Describe.h"
#include "frontend/LanguageServer/Documents/Manual.h"
#include "frontend/LanguageServer/Features.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace pmc;
using namespace pmc::lsp;
using llvm::StringRef;
namespace json = llvm::json;

/// "= 3 Mpc/h" of a value that the compiler knows; else empty.
static std::string constantOf(const Value &value) {
  switch (value.getKind()) {
  case Value::Kind::Int:
    return "= " + std::to_string(value.getInt());
  case Value::Kind::Real: {
    char text[32];
    std::snprintf(text, sizeof text, "%.10g", value.getReal());
    std::string number = text;
    return value.getUnit().isNumber()
               ? "= " + number
               : "= " + number + " " + value.getUnit().str();
  }
  case Value::Kind::Bool:
    return value.getBool() ? "= true" : "= false";
  case Value::Kind::String:
    return "= \"" + value.getString().str() + "\"";
  default:
    return "";
  }
}

/// The mesh axes that split a dim, by its name, as the spec declares them.
static std::string axesOf(const Snapshot &document, StringRef dim) {
  for (const ast::StmtPtr &stmt : document.names->getMain().tree->statements)
    if (auto *layout = llvm::dyn_cast_or_null<ast::LayoutStmt>(stmt.get()))
      for (const ast::LayoutStmt::Entry &entry : layout->entries)
        if (entry.dim.text == dim && !entry.axes.empty())
          return llvm::join(
              llvm::map_range(entry.axes,
                              [](const ast::Name &axis) { return axis.text; }),
              ", ");
  return "";
}

/// "layout: x -> row" of a field or a dim; empty if nothing is split.
static std::string layoutOf(const Snapshot &document, const Value &value) {
  std::vector<StringRef> dims;
  if (value.isDim())
    dims.push_back(value.getDim().name);
  else if (value.isField())
    for (const Dim &dim : value.getDims())
      dims.push_back(dim.name);
  std::vector<std::string> parts;
  for (StringRef dim : dims)
    if (std::string axes = axesOf(document, dim); !axes.empty())
      parts.push_back(dim.str() + " -> " + axes);
  return parts.empty() ? "" : "layout: " + llvm::join(parts, ", ");
}

/// The members of a record, with what they are.
static std::string membersOf(const Value &value) {
  if (!value.isRecord())
    return "";
  std::string text;
  for (auto [name, element] :
       llvm::zip(value.getNames(), value.getElements())) {
    std::string constant = constantOf(element);
    text += "\n- `" + name + ": " + element.describe() +
            (constant.empty() ? "" : " " + constant) + "`";
  }
  return text;
}

/// The value that a name has at its use, or else at its declaration.
static const Value *findValue(const Snapshot &document,
                              const NameIndex::Use &use) {
  if (!document.evaluation)
    return nullptr;
  const Names &names = *document.names;
  size_t begin = names.getMainOffset(use.loc);
  if (const Value *value =
          document.evaluation->findValue(begin, begin + use.name.size()))
    return value;
  if (!names.isInMain(use.declaration))
    return nullptr;
  size_t declared = names.getMainOffset(use.declaration);
  if (const Value *value = document.evaluation->findBound(declared))
    return value;
  for (const NameIndex::Use &other : names.getIndex().getUses())
    if (other.declaration == use.declaration && names.isInMain(other.loc)) {
      size_t at = names.getMainOffset(other.loc);
      if (const Value *value =
              document.evaluation->findValue(at, at + other.name.size()))
        return value;
    }
  return nullptr;
}

static std::string code(StringRef text) {
  return ("```pm\n" + text + "\n```").str();
}

static void addValue(const Snapshot &document, const Value &value,
                     std::vector<std::string> &parts) {
  if (value.isFunction())
    return;
  std::string text = "`" + value.describe() + "`";
  if (std::string constant = constantOf(value); !constant.empty())
    text += " `" + constant + "`";
  parts.push_back(text + membersOf(value));
  if (std::string layout = layoutOf(document, value); !layout.empty())
    parts.push_back(layout);
}

static Answer answer(const Snapshot &document,
                     const std::vector<std::string> &parts, size_t begin,
                     size_t end) {
  return json::Object{
      {"contents",
       json::Object{{"kind", "markdown"},
                    {"value", json::fixUTF8(llvm::join(parts, "\n\n"))}}},
      {"range", document.text->getRange(begin, end)}};
}

/// Of an operator, a member or a bracket: the expression around it.
static Answer hoverExpression(const Snapshot &document, size_t offset) {
  if (!document.evaluation)
    return nullptr;
  Evaluation::Expression found = document.evaluation->findSmallest(offset);
  std::vector<std::string> parts;
  if (found.value)
    addValue(document, *found.value, parts);
  if (parts.empty())
    return nullptr;
  return answer(document, parts, found.begin, found.end);
}

Answer pmc::lsp::hover(const Snapshot &document, llvm::lsp::Position position) {
  const Names &names = *document.names;
  const size_t offset = document.text->getOffset(position);
  const NameIndex::Use *use = names.findUse(offset);
  if (!use)
    return hoverExpression(document, offset);
  std::vector<std::string> parts;
  std::optional<Declaration> declaration =
      names.describe(use->declaration, use->name);
  if (declaration) {
    parts.push_back(code(getDeclarationText(names, *declaration)));
    std::string doc = getDocumentation(names, *declaration);
    if (!doc.empty())
      parts.push_back(doc);
    std::optional<Place> place = names.getPlace(use->declaration);
    if (place && place->path != document.path)
      parts.push_back("from the module `" +
                      llvm::sys::path::stem(place->path).str() + "`");
  } else {
    parts.push_back(code(getBuiltinSignature(use->name)));
    std::string doc =
        getBuiltinDocumentation(*document.workspace.settings, use->name);
    parts.push_back(doc.empty() ? "a function of the language" : doc);
  }
  if (const Value *value = findValue(document, *use))
    addValue(document, *value, parts);
  size_t begin = names.getMainOffset(use->loc);
  return answer(document, parts, begin, begin + use->name.size());
}

Answer pmc::lsp::listHints(const Snapshot &document, llvm::lsp::Range range) {
  json::Array hints;
  if (!document.evaluation)
    return hints;
  const Names &names = *document.names;
  StringRef text = document.text->str();
  const size_t first = document.text->getOffset(range.start);
  const size_t last = document.text->getOffset(range.end);
  for (const NameIndex::Use &use : names.getIndex().getUses()) {
    if (use.loc != use.declaration || !names.isInMain(use.loc))
      continue;
    size_t begin = names.getMainOffset(use.loc);
    size_t end = begin + use.name.size();
    StringRef before =
        text.slice(document.text->getLineBegin(begin), begin).ltrim();
    const Value *value = document.evaluation->findBound(begin);
    if (end < first || begin > last || !before.starts_with("let ") || !value ||
        before.contains('=') || value->isFunction())
      continue;
    hints.push_back(
        json::Object{{"position", document.text->getPosition(end)},
                     {"label", json::fixUTF8(": " + value->describe())},
                     {"kind", 1 /* a type */}});
  }
  return hints;
}
