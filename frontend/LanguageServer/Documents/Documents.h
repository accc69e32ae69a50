//===- Documents.h - Open documents and their analyses -------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LANGUAGESERVER_DOCUMENTS_H
#define PMC_FRONTEND_LANGUAGESERVER_DOCUMENTS_H

#include "frontend/LanguageServer/Evaluation.h"
#include "frontend/LanguageServer/Names.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace pmc::lsp {

/// A document at one version, for one request.
struct Snapshot {
  Workspace workspace;
  std::string path, uri;
  std::shared_ptr<const Text> text;
  std::shared_ptr<const Names> names;           ///< null if they are not needed
  std::shared_ptr<const Evaluation> evaluation; ///< of this version; or null
  /// The last one that reached its end without errors, perhaps of an earlier
  /// version; or null.
  std::shared_ptr<const Evaluation> lastGood;
};

/// Keeps the texts of open documents. A thread of its own evaluates each
/// version, and stops the evaluation of a version that has been replaced. All
/// other methods are for the thread of the server.
class Documents {
public:
  /// Receives the evaluations of current versions, on the other thread.
  using Publish =
      std::function<void(const std::string &uri, const Evaluation &evaluation)>;

  Documents(Settings settings, Publish publish);
  ~Documents();

  void open(const llvm::lsp::URIForFile &uri, int64_t version,
            std::string text);
  void
  change(llvm::StringRef path, int64_t version,
         llvm::ArrayRef<llvm::lsp::TextDocumentContentChangeEvent> changes);
  void close(llvm::StringRef path);
  /// Nothing if the document is not open. Waits until its version has been
  /// evaluated, but no longer than `wait`.
  std::optional<Snapshot>
  get(llvm::StringRef path,
      std::chrono::milliseconds wait = std::chrono::milliseconds(0),
      bool withNames = true);
  std::vector<Snapshot> getAll();
  /// Ends the thread; false if it is still busy after some seconds.
  bool stop();

private:
  struct Document {
    std::string uri;
    int64_t version = 0;
    std::shared_ptr<const Text> text;
    std::shared_ptr<const Names> names; ///< null: to be made
    std::shared_ptr<const Evaluation> evaluation, lastGood;
  };

  void work();
  void changed(const std::string &path, bool affectsAll);
  Workspace workspace() const;
  Snapshot snapshot(const std::string &path, Document &document,
                    bool withNames = true);

  const Settings settings;
  const Publish publish;
  std::mutex mutex; ///< of all below
  std::condition_variable wake, finished;
  std::map<std::string, Document> documents; ///< by path
  std::shared_ptr<const OpenTexts> texts;
  std::deque<std::string> queue; ///< paths to be evaluated
  std::shared_ptr<Evaluation> running;
  bool isStopping = false, hasStopped = false;
  std::thread thread;
};

} // namespace pmc::lsp

#endif // PMC_FRONTEND_LANGUAGESERVER_DOCUMENTS_H
