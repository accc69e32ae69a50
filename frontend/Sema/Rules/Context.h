//===- Context.h - Where a rule is applied ----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule of the language takes values and their places. It reports what is
// wrong, and returns the checked operands that IR generation builds with. It
// makes no IR. The files of this folder hold the rules of one family each.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_CONTEXT_H
#define PMC_FRONTEND_SEMA_RULES_CONTEXT_H

#include "frontend/Sema/Messages.h"

namespace pmc {

/// What surrounds the operands of a rule, and where the rule reports.
struct RuleContext {
  Messages *messages = nullptr; ///< null: the rule only decides
  bool isInMap = false;
  llvm::SMLoc map = {};              ///< where the map around begins
  const char *scalarsOnly = nullptr; ///< where there can be no fields, in words
  bool isConstant = false;     ///< the value is required during compilation
  bool isUncalled = false;     ///< a function is checked without a call
  Storage real = Storage::F32; ///< of elements of fields

  Report error(llvm::SMLoc loc, const llvm::Twine &text,
               llvm::SMRange in = {}) const {
    return messages ? messages->error(loc, text, in) : Report();
  }
  Report error(const Argument &arg, const llvm::Twine &text) const {
    return messages ? messages->error(arg, text) : Report();
  }
  /// With a note on the map around.
  template <typename Place>
  void errorInMap(const Place &place, const llvm::Twine &text) const {
    Report report = error(place, text);
    report.note(map, "the map begins here");
  }
  /// False, so that a rule can end with it.
  template <typename Place>
  bool refuse(const Place &place, const llvm::Twine &text) const {
    (void)error(place, text);
    return false;
  }
  template <typename Place>
  bool refuseInMap(const Place &place, const llvm::Twine &text) const {
    errorInMap(place, text);
    return false;
  }
};

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_CONTEXT_H
