//===- ObjectCache.cpp - Objects of earlier compilations ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/LLVM/ObjectCache.h"

#include "llvm-c/Core.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA1.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <cstdlib>
#include <dlfcn.h>

using namespace llvm;
using namespace pmc::codegen;

using Digest = std::array<uint8_t, 20>;

static StringRef getBytes(const Digest &digest) {
  return {reinterpret_cast<const char *>(digest.data()), digest.size()};
}

static Digest getDigest(StringRef text) {
  return SHA1::hash(arrayRefFromStringRef(text));
}

/// Changes when the file with the code at this address is another one.
static std::string getStamp(const void *code) {
  Dl_info info;
  sys::fs::file_status status;
  if (!dladdr(code, &info) || !info.dli_fname ||
      sys::fs::status(info.dli_fname, status))
    return {};
  return std::to_string(status.getSize()) + " " +
         std::to_string(
             status.getLastModificationTime().time_since_epoch().count());
}

std::string ObjectCache::getDefaultFolder() {
  if (const char *named = std::getenv("PMC_CACHE"))
    return named;
  SmallString<128> folder;
  if (!sys::path::cache_directory(folder))
    return {};
  sys::path::append(folder, "pmc");
  return folder.str().str();
}

std::string ObjectCache::getKey(ArrayRef<StringRef> inputs) {
  static const std::string compiler =
      getStamp(reinterpret_cast<const void *>(&ObjectCache::getDefaultFolder)) +
      "; " + getStamp(reinterpret_cast<const void *>(&LLVMGetVersion));
  SHA1 hash;
  hash.update(compiler);
  for (StringRef input : inputs) {
    hash.update(std::to_string(input.size()) + ":");
    hash.update(input);
  }
  return toHex(hash.final(), /*LowerCase=*/true);
}

/// pruneCache removes only files with this prefix.
std::string ObjectCache::getPath(StringRef key) const {
  SmallString<128> path(folder);
  sys::path::append(path, "llvmcache-" + key);
  return path.str().str();
}

bool ObjectCache::read(StringRef key, SmallVectorImpl<char> &code) const {
  if (folder.empty())
    return false;
  // A regular file: others would block.
  const std::string path = getPath(key);
  sys::fs::file_status status;
  if (sys::fs::status(path, status) || !sys::fs::is_regular_file(status))
    return false;
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
      /*IsVolatile=*/true);
  if (!file)
    return false;
  StringRef text = (*file)->getBuffer();
  if (text.size() <= sizeof(Digest))
    return false;
  StringRef object = text.drop_back(sizeof(Digest));
  if (text.take_back(sizeof(Digest)) != getBytes(getDigest(object)))
    return false;
  code.append(object.begin(), object.end());
  return true;
}

void ObjectCache::store(StringRef key, StringRef code) const {
  if (folder.empty() ||
      sys::fs::create_directories(folder, /*IgnoreExisting=*/true,
                                  sys::fs::perms::owner_all))
    return;
  const std::string path = getPath(key);
  Expected<sys::fs::TempFile> file = sys::fs::TempFile::create(
      path + "-%%%%%%", sys::fs::owner_read | sys::fs::owner_write);
  if (!file) {
    consumeError(file.takeError());
    return;
  }
  raw_fd_ostream os(file->FD, /*shouldClose=*/false, /*unbuffered=*/true);
  os << code << getBytes(getDigest(code));
  const bool isWritten = !os.has_error();
  os.clear_error();
  consumeError(isWritten ? file->keep(path) : file->discard());
}

void ObjectCache::prune(uint64_t bytes) const {
  if (folder.empty() || !sys::fs::is_directory(folder))
    return;
  CachePruningPolicy policy;
  policy.MaxSizeBytes = bytes;
  pruneCache(folder, policy);
}
