//===- Checks.h - Checks of the rules of the front end ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_FRONTEND_SEMA_CHECKS_H
#define PMC_TEST_FRONTEND_SEMA_CHECKS_H

#include "frontend/Sema/Value.h"

namespace pmc {

/// Counts a check, and shows it if it fails.
void check(bool condition, const char *file, int line, llvm::StringRef text);
/// A code at the beginning of `found` is left out.
void checkText(llvm::StringRef found, llvm::StringRef expected,
               const char *file, int line);
#define CHECK(condition) check(condition, __FILE__, __LINE__, #condition)
#define CHECK_TEXT(found, expected)                                            \
  checkText(found, expected, __FILE__, __LINE__)

Value fieldOver(llvm::ArrayRef<const char *> names, Storage element,
                Unit unit = {});

/// The checks of RulesTest.cpp.
void testRules();

} // namespace pmc

#endif // PMC_TEST_FRONTEND_SEMA_CHECKS_H
