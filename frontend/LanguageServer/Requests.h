//===- Requests.h - Parameters of requests -------------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters that LLVM's library lacks, or reads more strictly than editors
// write them.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LANGUAGESERVER_REQUESTS_H
#define PMC_FRONTEND_LANGUAGESERVER_REQUESTS_H

#include "llvm/Support/LSP/Protocol.h"

namespace pmc::lsp {

struct InitializeParams {};
inline bool fromJSON(const llvm::json::Value &, InitializeParams &,
                     llvm::json::Path) {
  return true;
}

/// A request about a document.
struct DocumentParams {
  llvm::lsp::TextDocumentIdentifier textDocument;
};
inline bool fromJSON(const llvm::json::Value &value, DocumentParams &result,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("textDocument", result.textDocument);
}

/// A request about a part of it.
struct RangeParams : DocumentParams {
  llvm::lsp::Range range;
};
inline bool fromJSON(const llvm::json::Value &value, RangeParams &result,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("textDocument", result.textDocument) &&
         map.map("range", result.range);
}

/// A request about a position in it.
struct PositionParams : DocumentParams {
  llvm::lsp::Position position;
};
inline bool fromJSON(const llvm::json::Value &value, PositionParams &result,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("textDocument", result.textDocument) &&
         map.map("position", result.position);
}

struct RenameParams : PositionParams {
  std::string newName;
};
inline bool fromJSON(const llvm::json::Value &value, RenameParams &result,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return fromJSON(value, static_cast<PositionParams &>(result), path) && map &&
         map.map("newName", result.newName);
}

} // namespace pmc::lsp

#endif // PMC_FRONTEND_LANGUAGESERVER_REQUESTS_H
