//===- Text.h - The text of a document and its positions ------ -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LANGUAGESERVER_TEXT_H
#define PMC_FRONTEND_LANGUAGESERVER_TEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LSP/Protocol.h"

#include <string>
#include <vector>

namespace pmc::lsp {

/// Converts between offsets in bytes and positions of the protocol, which
/// count lines from 0 and UTF-16 units within a line.
class Text {
public:
  explicit Text(std::string content = "");

  llvm::StringRef str() const { return content; }
  /// The offset of a position. A position behind the end of a line means the
  /// end of this line.
  size_t getOffset(llvm::lsp::Position position) const;
  llvm::lsp::Position getPosition(size_t offset) const;
  llvm::lsp::Range getRange(size_t begin, size_t end) const {
    return {getPosition(begin), getPosition(end)};
  }
  /// The offset of a place that counts lines and bytes from 1.
  size_t getOffset(unsigned line, unsigned column) const;
  size_t getLineBegin(size_t offset) const;
  void apply(const llvm::lsp::TextDocumentContentChangeEvent &change);

private:
  void findLines();

  std::string content;
  std::vector<size_t> lines; ///< offsets of their first bytes
};

} // namespace pmc::lsp

#endif // PMC_FRONTEND_LANGUAGESERVER_TEXT_H
