//===- Guard.h - Work that may crash -------------------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LANGUAGESERVER_GUARD_H
#define PMC_FRONTEND_LANGUAGESERVER_GUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace pmc::lsp {

/// Does the work on a thread of its own, which has room for deep recursion.
/// False if it crashed; its memory is then lost.
bool runGuarded(llvm::function_ref<void()> work);

} // namespace pmc::lsp

#endif // PMC_FRONTEND_LANGUAGESERVER_GUARD_H
