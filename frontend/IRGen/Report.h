//===- Report.h - An error being put together -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_REPORT_H
#define PMC_FRONTEND_IRGEN_REPORT_H

#include "frontend/Basic/Diagnostics.h"
#include "frontend/Sema/Value.h"

namespace pmc {

class Generator;

/// An error being put together. Adds the calls that led to it; converts to a
/// poison value, so that `return error(…)` works.
class Report {
public:
  Report(Generator &generator, llvm::SMLoc at, std::optional<InFlight> message);
  Report(Report &&) = default;
  ~Report();
  Report &range(llvm::SMRange range);
  Report &note(llvm::SMLoc loc, const llvm::Twine &text);
  operator Value() const { return Value::poison(); }

private:
  Generator *generator;
  llvm::SMLoc at; // the call that the message is at instead; or invalid
  std::optional<InFlight> message; // absent: said before
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_REPORT_H
