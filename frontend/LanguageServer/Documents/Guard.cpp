//===- Guard.cpp - Work that may crash ------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Documents/Guard.h"

#include "llvm/Support/CrashRecoveryContext.h"

bool pmc::lsp::runGuarded(llvm::function_ref<void()> work) {
  static const bool isEnabled = [] {
    llvm::CrashRecoveryContext::Enable();
    return true;
  }();
  (void)isEnabled;
  llvm::CrashRecoveryContext context;
  return context.RunSafelyOnThread(work, /*RequestedStackSize=*/32 << 20);
}
