//===- Edits.cpp - Edits of a document: formatting, fixes of diagnostics --===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Format/Format.h"
#include "frontend/LanguageServer/Features.h"

#include "llvm/Support/raw_ostream.h"

using namespace pmc;
using namespace pmc::lsp;
using llvm::StringRef;
namespace json = llvm::json;

Answer pmc::lsp::format(const Snapshot &document) {
  StringRef before = document.text->str();
  const Formatted formatted = formatSpec(before, document.path, llvm::nulls());
  if (formatted.hasErrors || formatted.changedLine || formatted.text == before)
    return json::Array();
  // Only the lines that differ, so that editors keep the cursor and marks.
  StringRef after = formatted.text;
  size_t begin = 0, end = 0;
  const size_t shorter = std::min(before.size(), after.size());
  while (begin < shorter && before[begin] == after[begin])
    ++begin;
  begin = before.take_front(begin).rfind('\n') + 1; // npos + 1 is 0
  while (end < shorter - begin &&
         before[before.size() - 1 - end] == after[after.size() - 1 - end])
    ++end;
  // The last newline that both have begins what is equal.
  size_t newline = before.take_back(end).find('\n');
  end = newline == StringRef::npos ? 0 : end - newline;
  return json::Array{json::Object{
      {"range", document.text->getRange(begin, before.size() - end)},
      {"newText", after.substr(begin, after.size() - end - begin).str()}}};
}

/// Where a `use` is written: behind the last one, or before what comes first.
static std::pair<size_t, std::string> placeOfUse(const Names &names,
                                                 const Text &document,
                                                 const std::string &module) {
  StringRef text = document.str();
  std::optional<size_t> behind, first;
  for (const ast::StmtPtr &stmt : names.getMain().tree->statements) {
    if (!stmt || !names.isInMain(stmt->loc))
      continue;
    if (llvm::isa<ast::UseStmt>(*stmt))
      behind = names.getMainOffset(stmt->range.End);
    else if (!first)
      first = names.getMainOffset(stmt->loc);
  }
  if (behind) {
    size_t end = text.find('\n', *behind);
    if (end == StringRef::npos)
      return {text.size(), "\nuse " + module};
    return {end + 1, "use " + module + "\n"};
  }
  // In front of the comment that belongs to the first declaration.
  size_t at = document.getLineBegin(first.value_or(0));
  while (at > 0) {
    size_t above = document.getLineBegin(at - 1);
    if (!text.substr(above, at - above).ltrim().starts_with("//"))
      break;
    at = above;
  }
  if (at == 0) // the comment is about the file
    at = document.getLineBegin(first.value_or(0));
  return {at, "use " + module + "\n\n"};
}

Answer pmc::lsp::addUse(const Names &names, const Text &text,
                        const std::string &module) {
  auto [at, line] = placeOfUse(names, text, module);
  return json::Object{{"range", text.getRange(at, at)},
                      {"newText", json::fixUTF8(line)}};
}

static bool meet(llvm::lsp::Range a, llvm::lsp::Range b) {
  return a.start <= b.end && b.start <= a.end;
}

Answer pmc::lsp::listFixes(const Snapshot &document, llvm::lsp::Range range) {
  json::Array actions;
  if (!document.evaluation)
    return actions;
  auto add = [&](const Finding &finding, const std::string &title,
                 Answer edit) {
    actions.push_back(json::Object{
        {"title", json::fixUTF8(title)},
        {"kind", "quickfix"},
        {"isPreferred", true},
        {"diagnostics", json::Array{finding.json}},
        {"edit",
         json::Object{
             {"changes",
              json::Object{{document.uri, json::Array{std::move(edit)}}}}}}});
  };
  for (const Finding &finding : document.evaluation->getFindings()) {
    if (!meet(finding.range, range))
      continue;
    if (!finding.replacement.empty())
      add(finding, "Replace by '" + finding.replacement + "'",
          json::Object{{"range", finding.range},
                       {"newText", json::fixUTF8(finding.replacement)}});
    if (!finding.module.empty())
      add(finding, "Add 'use " + finding.module + "'",
          addUse(*document.names, *document.text, finding.module));
  }
  return actions;
}
