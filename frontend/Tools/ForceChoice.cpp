//===- ForceChoice.cpp - Which force is the fastest -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/ForceChoice.h"

#include "llvm/Support/FormatVariadic.h"

using namespace pmc;

const ForceUse *pmc::findForce(llvm::ArrayRef<ForceUse> uses) {
  for (const ForceUse &use : uses)
    if (use.function != uses.front().function)
      return nullptr;
  return uses.empty() ? nullptr : &uses.front();
}

static std::string toText(double seconds) {
  return llvm::formatv("{0:f3} ms", seconds * 1e3).str();
}

void pmc::remarkOnForces(
    DiagnosticEngine &diags, const ForceUse &use, double seconds,
    llvm::StringRef place,
    llvm::function_ref<llvm::Expected<double>(llvm::StringRef)> predict) {
  std::string fastest, others;
  llvm::SmallVector<std::string> impossible;
  double least = seconds;
  for (const ForceMaker &maker : getForceMakers()) {
    if (maker.function == use.function)
      continue;
    std::string call = (maker.function + "()").str();
    llvm::Expected<double> other = predict(maker.function);
    if (!other) {
      impossible.push_back(
          call + " is not possible here: " + llvm::toString(other.takeError()));
      continue;
    }
    others += ", with " + call + " " + toText(*other);
    if (*other < least) {
      least = *other;
      fastest = call;
    }
  }
  InFlight message = diags.remark(
      use.loc, (fastest.empty() ? "the program is predicted to be the fastest "
                                  "with this force"
                                : "the program is predicted to be faster "
                                  "with the force " +
                                      fastest) +
                   ", " + place + ": with this one " + toText(seconds) +
                   others);
  for (const std::string &reason : impossible)
    message.note(reason);
}
