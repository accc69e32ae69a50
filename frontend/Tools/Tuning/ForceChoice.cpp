//===- ForceChoice.cpp - Which force is the fastest -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Tuning/ForceChoice.h"

#include "llvm/Support/FormatVariadic.h"

using namespace pmc;

static constexpr LibraryFunction makers[] = {{"fourier_force", "nbody"},
                                             {"pyramid", "pyramid"},
                                             {"multigrid", "multigrid"}};

llvm::ArrayRef<LibraryFunction> pmc::getForceMakers() { return makers; }

const LibraryCall *pmc::findForce(llvm::ArrayRef<LibraryCall> uses) {
  for (const LibraryCall &use : uses)
    if (use.function != uses.front().function)
      return nullptr;
  return uses.empty() ? nullptr : &uses.front();
}

static std::string toText(double seconds) {
  return llvm::formatv("{0:f3} ms", seconds * 1e3).str();
}

void pmc::remarkOnForces(
    DiagnosticEngine &diags, const LibraryCall &use, double seconds,
    llvm::StringRef place,
    llvm::function_ref<llvm::Expected<double>(const LibraryFunction &)>
        predict) {
  std::string fastest, others;
  llvm::SmallVector<std::string> impossible;
  double least = seconds;
  for (const LibraryFunction &maker : makers) {
    if (maker.name == use.function)
      continue;
    std::string call = (maker.name + "()").str();
    llvm::Expected<double> other = predict(maker);
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
