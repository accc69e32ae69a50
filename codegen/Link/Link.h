//===- Link.h - Objects to programs and libraries ------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LINK_LINK_H
#define PMC_CODEGEN_LINK_LINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pmc::codegen {

enum class LinkKind {
  Executable,
  Library,      ///< shared, with `pmc_main` and the runtime
  SharedObject, ///< the program alone, which needs libpmrt.so
};

struct LinkOptions {
  /// Where pmrt-link.txt is: the folder of libpmrt.a and libpmrt.so.
  std::string runtimeFolder;
  /// "address", "thread" or empty: which build of the runtime.
  std::string sanitizer;
  LinkKind kind = LinkKind::Executable;
  /// A library with the simulated GPU that the program has kernels for; or
  /// empty.
  std::string simulator;
};

/// Links the objects with the runtime into `output`, which appears whole or not
/// at all.
llvm::Error link(llvm::ArrayRef<std::string> objects, llvm::StringRef output,
                 const LinkOptions &options);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LINK_LINK_H
