//===- Evaluation.h - Diagnostics and values of a document ---- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LANGUAGESERVER_EVALUATION_H
#define PMC_FRONTEND_LANGUAGESERVER_EVALUATION_H

#include "frontend/Basic/Diagnostics.h"
#include "frontend/LanguageServer/Documents/Text.h"
#include "frontend/LanguageServer/Documents/Workspace.h"
#include "frontend/Sema/Value.h"

#include "llvm/Support/JSON.h"

#include <atomic>
#include <map>
#include <memory>

namespace pmc::lsp {

/// A diagnostic of the document, as the protocol has it, and its fix.
struct Finding {
  llvm::lsp::Range range;
  llvm::json::Value json = nullptr;
  std::string replacement; ///< of the text in the range; empty: none
  std::string module;      ///< a `use` of it is missing; empty: none
};

/// Compiles one version of a document as `pmc check` does.
class Evaluation {
public:
  Evaluation(Workspace workspace, std::string path, std::string text,
             int64_t version);
  ~Evaluation();

  /// Takes up to seconds. Once, on any thread.
  void run();
  /// Ends `run` early. From any thread.
  void cancel() { cancelled = true; }
  bool isCancelled() const { return cancelled; }

  const std::string &getPath() const { return path; }
  int64_t getVersion() const { return version; }
  const Text &getText() const { return text; }
  // Once it has run:
  const std::vector<Finding> &getFindings() const { return findings; }
  /// The files of modules that were read.
  const std::vector<std::string> &getFiles() const { return files; }
  bool hasErrors() const { return errors; }
  /// The value of the expression in this range, or null.
  const Value *findValue(size_t begin, size_t end) const;
  /// An expression that has been evaluated.
  struct Expression {
    size_t begin = 0, end = 0;
    const Value *value = nullptr;
  };
  /// The smallest one around an offset; without a value if there is none.
  Expression findSmallest(size_t offset) const;
  /// The value of the name that is declared here, or null.
  const Value *findBound(size_t offset) const;

private:
  class Compilation;
  void convert(const Diagnostic &diagnostic);
  llvm::lsp::Range rangeOf(const Diagnostic &diagnostic) const;

  Workspace workspace;
  std::string path;
  Text text;
  int64_t version;
  std::atomic<bool> cancelled = false;
  bool errors = false;
  std::vector<Finding> findings;
  std::vector<std::string> files;
  std::unique_ptr<Compilation> compilation;
};

} // namespace pmc::lsp

#endif // PMC_FRONTEND_LANGUAGESERVER_EVALUATION_H
