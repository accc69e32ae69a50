//===- Server.cpp - The language server's protocol ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Server.h"

#include "frontend/LanguageServer/Features.h"
#include "frontend/LanguageServer/Requests.h"

#include "llvm/Support/LSP/Logging.h"
#include "llvm/Support/LSP/Transport.h"

#include <cstdlib>

using namespace pmc::lsp;
namespace json = llvm::json;
using llvm::lsp::Callback;

namespace {

/// Requests about values wait so long for the evaluation of the version.
constexpr std::chrono::milliseconds patience(3000);

class Server {
public:
  Server(const Settings &settings, llvm::lsp::JSONTransport &transport);

  int run(llvm::raw_ostream &out);

private:
  void initialize(const InitializeParams &, Callback<json::Value> reply);
  void initialized(const InitializeParams &) {}
  void shutdown(const llvm::lsp::NoParams &, Callback<std::nullptr_t> reply) {
    hasShutDown = true;
    reply(nullptr);
  }
  void open(const llvm::lsp::DidOpenTextDocumentParams &params) {
    const llvm::lsp::TextDocumentItem &item = params.textDocument;
    documents.open(item.uri, item.version, item.text);
  }
  void change(const llvm::lsp::DidChangeTextDocumentParams &params) {
    documents.change(params.textDocument.uri.file(),
                     params.textDocument.version, params.contentChanges);
  }
  void close(const llvm::lsp::DidCloseTextDocumentParams &params);

  /// Answers a request about a document; with null if it is not open.
  template <typename Params, typename Make>
  void answer(const Params &params, Callback<Answer> &reply, Make make,
              std::chrono::milliseconds wait = std::chrono::milliseconds(0),
              bool withNames = true) {
    std::optional<Snapshot> document =
        documents.get(params.textDocument.uri.file(), wait, withNames);
    reply(document ? make(*document) : Answer(nullptr));
  }
  void formatting(const DocumentParams &params, Callback<Answer> reply) {
    answer(params, reply, format);
  }
  void symbols(const DocumentParams &params, Callback<Answer> reply) {
    answer(params, reply, listSymbols);
  }
  void fixes(const RangeParams &params, Callback<Answer> reply) {
    answer(
        params, reply,
        [&](const Snapshot &document) {
          return listFixes(document, params.range);
        },
        patience);
  }
  void define(const PositionParams &params, Callback<Answer> reply) {
    answer(params, reply, [&](const Snapshot &document) {
      return findDefinition(document, params.position);
    });
  }
  void references(const llvm::lsp::ReferenceParams &params,
                  Callback<Answer> reply) {
    answer(params, reply, [&](const Snapshot &document) {
      return findReferences(document, params.position,
                            params.context.includeDeclaration,
                            documents.getAll());
    });
  }
  void highlights(const PositionParams &params, Callback<Answer> reply) {
    answer(params, reply, [&](const Snapshot &document) {
      return highlight(document, params.position);
    });
  }
  void preparing(const PositionParams &params, Callback<Answer> reply) {
    answer(params, reply, [&](const Snapshot &document) {
      return prepareRename(document, params.position);
    });
  }
  void renaming(const RenameParams &params, Callback<Answer> reply) {
    std::optional<Snapshot> document =
        documents.get(params.textDocument.uri.file());
    if (document)
      reply(rename(*document, params.position, params.newName,
                   documents.getAll()));
    else
      reply(Answer(nullptr));
  }
  void hovering(const PositionParams &params, Callback<Answer> reply) {
    answer(
        params, reply,
        [&](const Snapshot &document) {
          return hover(document, params.position);
        },
        patience);
  }
  void completion(const PositionParams &params, Callback<Answer> reply) {
    answer(
        params, reply,
        [&](const Snapshot &document) {
          return complete(document, params.position);
        },
        std::chrono::milliseconds(0), /*withNames=*/false);
  }
  void signatures(const PositionParams &params, Callback<Answer> reply) {
    answer(
        params, reply,
        [&](const Snapshot &document) {
          return helpWithCall(document, params.position);
        },
        std::chrono::milliseconds(0), /*withNames=*/false);
  }
  void tokens(const DocumentParams &params, Callback<Answer> reply) {
    answer(params, reply, listTokens);
  }
  void hints(const RangeParams &params, Callback<Answer> reply) {
    answer(
        params, reply,
        [&](const Snapshot &document) {
          return listHints(document, params.range);
        },
        patience);
  }

  llvm::lsp::JSONTransport &transport;
  llvm::lsp::MessageHandler handler;
  llvm::lsp::OutgoingNotification<json::Value> publish;
  bool hasShutDown = false;
  Documents documents; // its thread uses what is above
};

} // namespace

Server::Server(const Settings &settings, llvm::lsp::JSONTransport &transport)
    : transport(transport), handler(transport),
      publish(handler.outgoingNotification<json::Value>(
          "textDocument/publishDiagnostics")),
      documents(settings,
                [this](const std::string &uri, const Evaluation &evaluation) {
                  json::Array found;
                  for (const Finding &finding : evaluation.getFindings())
                    found.push_back(finding.json);
                  publish(json::Object{{"uri", uri},
                                       {"version", evaluation.getVersion()},
                                       {"diagnostics", std::move(found)}});
                }) {
  handler.method("initialize", this, &Server::initialize);
  handler.notification("initialized", this, &Server::initialized);
  handler.method("shutdown", this, &Server::shutdown);
  handler.notification("textDocument/didOpen", this, &Server::open);
  handler.notification("textDocument/didChange", this, &Server::change);
  handler.notification("textDocument/didClose", this, &Server::close);
  handler.method("textDocument/formatting", this, &Server::formatting);
  handler.method("textDocument/documentSymbol", this, &Server::symbols);
  handler.method("textDocument/codeAction", this, &Server::fixes);
  handler.method("textDocument/definition", this, &Server::define);
  handler.method("textDocument/references", this, &Server::references);
  handler.method("textDocument/documentHighlight", this, &Server::highlights);
  handler.method("textDocument/prepareRename", this, &Server::preparing);
  handler.method("textDocument/rename", this, &Server::renaming);
  handler.method("textDocument/hover", this, &Server::hovering);
  handler.method("textDocument/completion", this, &Server::completion);
  handler.method("textDocument/signatureHelp", this, &Server::signatures);
  handler.method("textDocument/semanticTokens/full", this, &Server::tokens);
  handler.method("textDocument/inlayHint", this, &Server::hints);
}

void Server::initialize(const InitializeParams &, Callback<json::Value> reply) {
  json::Object capabilities{
      {"textDocumentSync",
       json::Object{{"openClose", true}, {"change", 2 /* incremental */}}},
      {"documentFormattingProvider", true},
      {"documentSymbolProvider", true},
      {"codeActionProvider",
       json::Object{{"codeActionKinds", json::Array{"quickfix"}}}},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"documentHighlightProvider", true},
      {"renameProvider", json::Object{{"prepareProvider", true}}},
      {"hoverProvider", true},
      {"completionProvider",
       json::Object{{"triggerCharacters", json::Array{"."}}}},
      {"signatureHelpProvider",
       json::Object{{"triggerCharacters", json::Array{"(", ","}}}},
      {"semanticTokensProvider",
       json::Object{{"legend", getTokenLegend()}, {"full", true}}},
      {"inlayHintProvider", true},
  };
  reply(json::Object{{"capabilities", std::move(capabilities)},
                     {"serverInfo", json::Object{{"name", "pmc"}}}});
}

void Server::close(const llvm::lsp::DidCloseTextDocumentParams &params) {
  documents.close(params.textDocument.uri.file());
  publish(json::Object{{"uri", params.textDocument.uri.uri()},
                       {"diagnostics", json::Array()}});
}

int Server::run(llvm::raw_ostream &out) {
  llvm::consumeError(transport.run(handler)); // the end of the input
  const int code = hasShutDown ? 0 : 1;
  // An evaluation that does not end cannot keep the process.
  if (!documents.stop()) {
    out.flush();
    std::_Exit(code);
  }
  return code;
}

int pmc::lsp::serve(const Settings &settings, std::FILE *in,
                    llvm::raw_ostream &out) {
  llvm::lsp::Logger::setLogLevel(llvm::lsp::Logger::Level::Error);
  llvm::lsp::JSONTransport transport(in, out);
  return Server(settings, transport).run(out);
}
