//===- ObjectCache.h - Objects of earlier compilations ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A folder of objects. The name of an object is a hash of its bitcode and of
// the flags. Any number of processes may use the folder at the same time. A
// damaged file counts as missing. The folder is pruned to a size: files that
// were not read for the longest time are removed first.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LLVM_OBJECTCACHE_H
#define PMC_CODEGEN_LLVM_OBJECTCACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace pmc::codegen {

class ObjectCache {
public:
  static constexpr uint64_t mostBytes = uint64_t(512) << 20;

  /// No objects are kept if `folder` is empty. Creates the folder when the
  /// first object is stored.
  explicit ObjectCache(llvm::StringRef folder) : folder(folder) {}

  /// The folder that $PMC_CACHE names, or pmc in the user's folder for caches
  /// ($XDG_CACHE_HOME or ~/.cache). Empty if $PMC_CACHE is empty, or if the
  /// user has no such folder.
  static std::string getDefaultFolder();

  /// Of inputs, and of the compiler and the version of LLVM that compile them.
  static std::string getKey(llvm::ArrayRef<llvm::StringRef> inputs);

  /// Appends the object to `code`; false if it is not in the folder.
  bool read(llvm::StringRef key, llvm::SmallVectorImpl<char> &code) const;

  /// Nothing is stored where that is not possible: the disk is full, or the
  /// user may not write to the folder.
  void store(llvm::StringRef key, llvm::StringRef code) const;

  /// Removes objects until at most `bytes` are left. Looks at the folder only
  /// every 20 minutes.
  void prune(uint64_t bytes = mostBytes) const;

private:
  std::string getPath(llvm::StringRef key) const;

  std::string folder;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LLVM_OBJECTCACHE_H
