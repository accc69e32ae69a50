//===- Format.cpp - Formats the text of a spec ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Format/Format.h"

#include "frontend/Format/Layout.h"
#include "frontend/Format/Structure.h"
#include "frontend/Format/Tails.h"
#include "frontend/Format/Words.h"
#include "frontend/Parser/Parser.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace pmc;
using namespace pmc::format;
using llvm::StringRef;

namespace {

/// A text and its syntax tree.
class Parsed {
public:
  Parsed(StringRef text, StringRef path, llvm::raw_ostream &os)
      : diags(sources, os),
        buffer(sources.AddNewSourceBuffer(
            llvm::MemoryBuffer::getMemBufferCopy(text, path), {})),
        module(parseModule(sources, buffer, "", diags)) {}

  bool hasErrors() const { return diags.hasErrors(); }
  StringRef getText() const {
    return sources.getMemoryBuffer(buffer)->getBuffer();
  }
  const ast::Module &getModule() const { return *module; }

  /// The first line whose statement is not the same in another tree; 0: none.
  unsigned findChange(Parsed &other) {
    std::vector<ast::StmtPtr> &mine = module->statements;
    std::vector<ast::StmtPtr> &theirs = other.module->statements;
    for (size_t i = 0; i < mine.size(); ++i) {
      const unsigned line = diags.getLineAndColumn(mine[i]->loc).line;
      if (i >= theirs.size() || dump(mine[i]) != dump(theirs[i]))
        return line;
    }
    return theirs.size() > mine.size() ? 1 : 0;
  }

private:
  static std::string dump(ast::StmtPtr &stmt) {
    ast::Module module;
    module.statements.push_back(std::move(stmt));
    std::string text;
    llvm::raw_string_ostream os(text);
    ast::dump(module, os);
    stmt = std::move(module.statements.front());
    return text;
  }

  llvm::SourceMgr sources;
  DiagnosticEngine diags;
  unsigned buffer;
  std::unique_ptr<ast::Module> module;
};

std::string formatOnce(const Parsed &spec) {
  const Words words(spec.getText());
  const Structure structure(words, spec.getModule());
  return joinLines(layOut(words, structure).print(formatWidth));
}

} // namespace

Formatted pmc::formatSpec(StringRef text, StringRef path,
                          llvm::raw_ostream &os) {
  Formatted result;
  Parsed before(text, path, os);
  if (before.hasErrors()) {
    result.hasErrors = true;
    return result;
  }
  result.text = formatOnce(before);
  // A line that is too long with all its breaks may let another break fit. As
  // each pass only adds breaks, their number bounds that of the passes.
  while (true) {
    Parsed after(result.text, path, llvm::nulls());
    result.changedLine = before.findChange(after);
    if (after.hasErrors() && !result.changedLine)
      result.changedLine = 1;
    if (result.changedLine)
      return result;
    std::string text = formatOnce(after);
    if (text == result.text)
      return result;
    result.text = std::move(text);
  }
}
