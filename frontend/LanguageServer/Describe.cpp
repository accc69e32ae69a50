//===- Describe.cpp - Declarations in words -------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Describe.h"

#include "frontend/LanguageServer/Documents/DocComment.h"
#include "frontend/Sema/Builtins.h"

#include "llvm/ADT/StringExtras.h"

using namespace pmc;
using namespace pmc::lsp;
using llvm::SMLoc;
using llvm::StringRef;

/// Blanks and newlines become one blank.
static std::string inOneLine(StringRef text) {
  std::string line;
  for (char c : text.trim()) {
    if (!llvm::isSpace(c))
      line += c;
    else if (line.back() != ' ')
      line += ' ';
  }
  return line;
}

static StringRef textOf(SMLoc begin, SMLoc end) {
  if (!begin.isValid() || !end.isValid() ||
      begin.getPointer() > end.getPointer())
    return "";
  return StringRef(begin.getPointer(),
                   size_t(end.getPointer() - begin.getPointer()));
}

/// From a place to the end of the bracket that opens first.
static StringRef upToBracketEnd(StringRef text) {
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '[';
    if ((text[i] != ')' && text[i] != ']') || depth == 0)
      continue;
    --depth;
    if (depth == 0 && (i + 1 == text.size() || text[i + 1] != '('))
      return text.take_front(i + 1);
  }
  return text;
}

std::string pmc::lsp::getSignature(const Names &names,
                                   const ast::FunctionStmt &function) {
  if (function.body) {
    StringRef text =
        textOf(function.name.loc, function.body->range.Start).rtrim();
    if (!text.consume_back("=>"))
      (void)text.consume_back("=");
    if (!text.empty())
      return "fn " + inOneLine(text);
  }
  StringRef rest = names.getTextAround(function.name.loc);
  rest = rest.drop_front(size_t(function.name.loc.getPointer() - rest.begin()));
  return "fn " + inOneLine(upToBracketEnd(rest));
}

std::string pmc::lsp::getDeclarationText(const Names &names,
                                         const Declaration &declaration) {
  if (declaration.function)
    return getSignature(names, *declaration.function);
  const bool isWhole = declaration.kind == Declaration::Kind::Const ||
                       declaration.kind == Declaration::Kind::Param ||
                       declaration.kind == Declaration::Kind::Input ||
                       declaration.kind == Declaration::Kind::Dim;
  if (isWhole && declaration.stmt)
    return textOf(declaration.stmt->range.Start, declaration.stmt->range.End)
        .trim()
        .str();
  StringRef text = names.getTextAround(declaration.loc);
  size_t at = size_t(declaration.loc.getPointer() - text.begin());
  size_t begin = text.take_front(at).rfind('\n') + 1; // npos + 1 is 0
  return text.drop_front(begin).split('\n').first.trim().str();
}

/// The lines of `//` directly above the line of a place. Lines between them
/// that name derivatives, such as `@adjoint(f)`, are skipped.
static std::string commentAbove(StringRef text, size_t at) {
  std::vector<StringRef> lines;
  StringRef before = text.take_front(text.take_front(at).rfind('\n') + 1);
  while (!before.empty()) {
    before = before.drop_back(); // the newline
    size_t begin = before.rfind('\n') + 1;
    StringRef line = before.drop_front(begin).trim();
    const bool isDerivative = lines.empty() && line.starts_with("@");
    if (!isDerivative && !line.consume_front("//"))
      break;
    if (!isDerivative)
      lines.push_back(line.ltrim('/').trim());
    before = before.take_front(begin);
  }
  return llvm::join(llvm::reverse(lines), "\n");
}

std::string pmc::lsp::getDocumentation(const Names &names,
                                       const Declaration &declaration) {
  std::string doc;
  if (auto *s = llvm::dyn_cast_or_null<ast::ConstStmt>(declaration.stmt))
    doc = s->doc;
  else if (auto *s = llvm::dyn_cast_or_null<ast::ParamStmt>(declaration.stmt))
    doc = s->doc;
  else if (auto *s = llvm::dyn_cast_or_null<ast::InputStmt>(declaration.stmt))
    doc = s->doc;
  return doc.empty() ? toMarkdown(getComment(names, declaration)) : doc;
}

std::string pmc::lsp::getComment(const Names &names,
                                 const Declaration &declaration) {
  StringRef text = names.getTextAround(declaration.loc);
  SMLoc begin = declaration.stmt ? declaration.stmt->loc : declaration.loc;
  if (declaration.function)
    begin = declaration.function->loc;
  size_t at = size_t(begin.getPointer() - text.begin());
  return at <= text.size() ? commentAbove(text, at) : "";
}

std::vector<std::string>
pmc::lsp::getParameters(const ast::FunctionStmt &function) {
  std::vector<std::string> parameters;
  for (const ast::FnParam &param : function.params) {
    std::string text = param.name.text;
    // Types and defaults are shown as they are written.
    const char *begin = param.name.loc.getPointer(), *at = begin;
    unsigned depth = 0;
    bool isInString = false;
    for (; *at; ++at) {
      isInString ^= *at == '"';
      if (isInString) {
        at += *at == '\\' && at[1];
        continue;
      }
      if (depth == 0 && (*at == ',' || *at == ')'))
        break;
      depth += *at == '(' || *at == '[' || *at == '{';
      depth -= *at == ')' || *at == ']' || *at == '}';
    }
    if (at != begin)
      text = inOneLine(StringRef(begin, size_t(at - begin)));
    parameters.push_back(std::move(text));
  }
  return parameters;
}

std::string pmc::lsp::getBuiltinSignature(StringRef name) {
  std::optional<BuiltinId> id = findBuiltin(name);
  if (!id)
    return "";
  const BuiltinInfo &info = getBuiltinInfo(*id);
  std::string text = info.name.str();
  if (info.dims == BuiltinInfo::Dims::Required)
    text += "[dims]";
  else if (info.dims == BuiltinInfo::Dims::Optional)
    text += "[dims?]";
  if (info.params.empty()) // zeros[dims], and the number pi
    return text;
  std::vector<std::string> params;
  for (auto [i, param] : llvm::enumerate(info.params))
    params.push_back(param.str() + (i < info.required ? "" : "?"));
  return text + "(" + llvm::join(params, ", ") + ")";
}
