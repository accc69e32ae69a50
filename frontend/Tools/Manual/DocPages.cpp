//===- DocPages.cpp - Markdown of the library's reference -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Manual/DocPages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

using namespace pmc;
using llvm::StringRef;

/// A `|` would end the cell of a table.
static std::string inCell(StringRef text) {
  std::string cell;
  for (char c : text) {
    if (c == '|')
      cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

static std::string rowOf(const lsp::LibraryFunction &function) {
  return "| `" + inCell(function.signature) + "` | " +
         inCell(function.doc.summary) + " |\n";
}

static bool isPublic(const lsp::LibraryFunction &function) {
  return !function.isInternal;
}

static std::string entryOf(const lsp::LibraryFunction &function) {
  std::string text = "### " + function.name + "\n\n```text\n" +
                     function.signature + "\n```\n\n" + function.doc.summary +
                     "\n\n";
  for (const std::string &note : function.doc.notes)
    text += note + "\n\n";
  if (!function.parameters.empty()) {
    text += "| argument | default | meaning |\n|---|---|---|\n";
    for (const auto &parameter : function.parameters)
      text += "| `" + parameter.name + "` | " +
              (parameter.defaultValue.empty()
                   ? ""
                   : "`" + inCell(parameter.defaultValue) + "`") +
              " | " + inCell(function.doc.getArgument(parameter.name)) + " |\n";
    text += "\n";
  }
  for (const auto &part : function.doc.parts)
    if (part.name == "Example")
      text += "```pm\n" + part.text + "\n```\n\n";
    else
      text += "**" + part.name + ":** " + part.text + "\n\n";
  return text;
}

std::string pmc::getPageName(const lsp::LibraryModule &module) {
  return (module.name == "builtins" ? "language/" : "library/") + module.name;
}

std::string pmc::getModulePage(const lsp::LibraryModule &module) {
  std::string text =
      "# Functions of " + module.name + "\n\n" + module.doc.summary + "\n\n";
  for (const std::string &note : module.doc.notes)
    text += note + "\n\n";
  const bool isBuiltin = module.name == "builtins";
  text += "The page [" + module.name + "](../" + getPageName(module) +
          ".md) explains how to use the functions together. The examples "
          "require these lines before them:\n\n```pm\n" +
          (isBuiltin ? "" : "use " + module.name + "\n") +
          module.doc.getPart("Setup").str() + "\n```\n\n";
  if (!module.constants.empty()) {
    text += "## Constants\n\n| constant | meaning |\n|---|---|\n";
    for (const lsp::LibraryConstant &constant : module.constants)
      text += "| `" + inCell(constant.text) + "` | " +
              inCell(constant.comment) + " |\n";
    text += "\n";
  }
  std::optional<std::string> section;
  for (const lsp::LibraryFunction &function : module.functions) {
    if (!isPublic(function))
      continue;
    if (section != function.section) {
      section = function.section;
      std::string title =
          function.section.empty() ? "functions" : function.section;
      title.front() = llvm::toUpper(title.front());
      text += "## " + title + "\n\n";
    }
    text += entryOf(function);
  }
  return StringRef(text).rtrim().str() + "\n";
}

std::string pmc::getIndexPage(const std::vector<lsp::LibraryModule> &modules) {
  std::string text =
      "# Index of functions\n\nAll builtins and functions of the library, by "
      "name. `pmc help NAME` prints the same texts.\n\n"
      "| function | module | meaning |\n|---|---|---|\n";
  std::vector<std::pair<std::string, std::string>> rows;
  for (const lsp::LibraryModule &module : modules)
    for (const lsp::LibraryFunction &function : module.functions)
      if (isPublic(function))
        rows.push_back({StringRef(function.name).lower(),
                        "| [" + function.name + "](" + module.name + ".md#" +
                            StringRef(function.name).lower() + ") | " +
                            module.name + " | " + inCell(function.doc.summary) +
                            " |\n"});
  llvm::sort(rows);
  for (const auto &[name, row] : rows)
    text += row;
  return text;
}

static void listGaps(const lsp::LibraryFunction &function,
                     std::vector<std::string> &gaps) {
  const lsp::DocComment &doc = function.doc;
  auto add = [&](const std::string &gap) {
    gaps.push_back(function.name + ": " + gap);
  };
  if (doc.summary.empty())
    add("no comment; describe the function, or add its name to 'Internal:' in "
        "the comment of the module");
  for (const auto &parameter : function.parameters)
    if (doc.getArgument(parameter.name).empty())
      add("no description of the argument '" + parameter.name + "'");
  for (const auto &argument : doc.arguments)
    if (!llvm::any_of(function.parameters, [&](const auto &parameter) {
          return parameter.name == argument.name;
        }))
      add("describes '" + argument.name + "', which is not an argument");
  for (StringRef part : {"Value", "Example"})
    if (doc.getPart(part).empty())
      add("no '" + part.str() + ":'");
}

std::vector<std::string> pmc::listGaps(const lsp::LibraryModule &module) {
  std::vector<std::string> gaps;
  for (const lsp::LibraryFunction &function : module.functions)
    if (isPublic(function))
      ::listGaps(function, gaps);
  for (StringRef name : llvm::split(module.doc.getPart("Internal"), ' '))
    if (!name.empty() && !llvm::any_of(module.functions, [&](const auto &f) {
          return f.name == name;
        }))
      gaps.push_back("'Internal:' lists '" + name.str() +
                     "', which is not a function");
  return gaps;
}

static std::string tableOf(StringRef names, const lsp::LibraryModule &module,
                           llvm::StringMap<unsigned> &counts,
                           std::vector<std::string> &complaints) {
  std::string table = "| function | meaning |\n|---|---|\n";
  for (StringRef name : llvm::split(names, ',')) {
    name = name.trim();
    auto it = llvm::find_if(module.functions, [&](const auto &function) {
      return function.name == name;
    });
    if (it == module.functions.end() || !isPublic(*it)) {
      complaints.push_back("the page lists '" + name.str() +
                           "', which is not a public function");
      continue;
    }
    ++counts[name];
    table += rowOf(*it);
  }
  return table;
}

std::string pmc::fillRegions(StringRef page, const lsp::LibraryModule &module,
                             std::vector<std::string> &complaints) {
  static constexpr StringRef begin = "<!-- pmc doc:", end = "<!-- end -->";
  std::string result;
  llvm::StringMap<unsigned> counts;
  while (page.contains(begin)) {
    auto [before, rest] = page.split(begin);
    auto [names, after] = rest.split("-->");
    if (!after.contains(end)) {
      complaints.push_back("a region of the page does not end");
      break;
    }
    result += (before + begin + names + "-->\n\n").str() +
              tableOf(names, module, counts, complaints) + "\n" + end.str();
    page = after.split(end).second;
  }
  result += page;
  for (const lsp::LibraryFunction &function : module.functions)
    if (unsigned count = counts.lookup(function.name);
        isPublic(function) && count != 1)
      complaints.push_back(function.name + ": in " + std::to_string(count) +
                           " regions of the page, expected 1");
  return result;
}
