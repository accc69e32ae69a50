//===- Documents.cpp - Open documents and their analyses ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Documents/Documents.h"

#include "frontend/LanguageServer/Documents/Guard.h"

#include "llvm/ADT/STLExtras.h"

using namespace pmc::lsp;
using llvm::StringRef;

Documents::Documents(Settings settings, Publish publish)
    : settings(std::move(settings)), publish(std::move(publish)),
      texts(std::make_shared<OpenTexts>()), thread([this] { work(); }) {}

Documents::~Documents() {
  (void)stop();
  if (thread.joinable())
    thread.join();
}

bool Documents::stop() {
  std::unique_lock lock(mutex);
  isStopping = true;
  if (running)
    running->cancel();
  wake.notify_all();
  return finished.wait_for(lock, std::chrono::seconds(5),
                           [&] { return hasStopped; });
}

Workspace Documents::workspace() const { return {&settings, texts}; }

/// To be called under the lock, after a document is opened, changed or closed.
void Documents::changed(const std::string &path, bool affectsAll) {
  auto open = std::make_shared<OpenTexts>();
  for (auto &[other, document] : documents) {
    open->emplace(other, document.text->str().str());
    document.names = nullptr;
  }
  texts = std::move(open);
  if (running && running->getPath() == path)
    running->cancel();
  auto enqueue = [&](const std::string &other) {
    llvm::erase(queue, other);
    queue.push_back(other);
  };
  for (auto &[other, document] : documents)
    if (other != path &&
        (affectsAll || !document.evaluation ||
         llvm::is_contained(document.evaluation->getFiles(), path)))
      enqueue(other);
  if (auto it = documents.find(path); it != documents.end()) {
    it->second.evaluation = nullptr;
    llvm::erase(queue, path);
    queue.push_front(path);
  }
  wake.notify_all();
}

void Documents::open(const llvm::lsp::URIForFile &uri, int64_t version,
                     std::string text) {
  std::lock_guard lock(mutex);
  std::string path = uri.file().str();
  Document &document = documents[path];
  document.uri = uri.uri().str();
  document.version = version;
  document.text = std::make_shared<Text>(std::move(text));
  changed(path, /*affectsAll=*/true);
}

void Documents::change(
    StringRef path, int64_t version,
    llvm::ArrayRef<llvm::lsp::TextDocumentContentChangeEvent> changes) {
  std::lock_guard lock(mutex);
  auto it = documents.find(path.str());
  if (it == documents.end())
    return;
  Text text = *it->second.text;
  for (const auto &change : changes)
    text.apply(change);
  it->second.text = std::make_shared<Text>(std::move(text));
  it->second.version = version;
  changed(it->first, /*affectsAll=*/false);
}

void Documents::close(StringRef path) {
  std::lock_guard lock(mutex);
  llvm::erase(queue, path.str());
  if (documents.erase(path.str()))
    changed(path.str(), /*affectsAll=*/true);
}

Snapshot Documents::snapshot(const std::string &path, Document &document,
                             bool withNames) {
  if (withNames && !document.names)
    runGuarded([&] {
      document.names =
          std::make_shared<Names>(workspace(), path, document.text->str());
    });
  return {workspace(),      path,           document.uri,
          document.text,    document.names, document.evaluation,
          document.lastGood};
}

std::optional<Snapshot>
Documents::get(StringRef path, std::chrono::milliseconds wait, bool withNames) {
  std::unique_lock lock(mutex);
  auto it = documents.find(path.str());
  if (it == documents.end())
    return std::nullopt;
  finished.wait_for(lock, wait,
                    [&] { return it->second.evaluation != nullptr; });
  Snapshot result = snapshot(it->first, it->second, withNames);
  if (withNames && !result.names)
    return std::nullopt;
  return result;
}

std::vector<Snapshot> Documents::getAll() {
  std::lock_guard lock(mutex);
  std::vector<Snapshot> all;
  for (auto &[path, document] : documents)
    if (Snapshot one = snapshot(path, document); one.names)
      all.push_back(std::move(one));
  return all;
}

void Documents::work() {
  std::unique_lock lock(mutex);
  while (true) {
    wake.wait(lock, [&] { return isStopping || !queue.empty(); });
    if (isStopping)
      break;
    std::string path = queue.front();
    queue.pop_front();
    auto it = documents.find(path);
    if (it == documents.end())
      continue;
    auto evaluation = std::make_shared<Evaluation>(
        workspace(), path, it->second.text->str().str(), it->second.version);
    running = evaluation;
    lock.unlock();
    evaluation->run();
    lock.lock();
    running = nullptr;
    it = documents.find(path);
    if (evaluation->isCancelled() || it == documents.end())
      continue;
    it->second.evaluation = evaluation;
    if (!evaluation->hasErrors())
      it->second.lastGood = evaluation;
    // Under the lock, so that a later version is published later.
    publish(it->second.uri, *evaluation);
    finished.notify_all();
  }
  hasStopped = true;
  finished.notify_all();
}
