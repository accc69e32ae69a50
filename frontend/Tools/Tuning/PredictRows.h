//===- PredictRows.h - A table of transforms with predictions - -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_TUNING_PREDICTROWS_H
#define PMC_FRONTEND_TOOLS_TUNING_PREDICTROWS_H

#include "codegen/Machine/FFT.h"

#include "llvm/Support/raw_ostream.h"

#include <string>

namespace pmc {

/// The texts of a transform, as flags and tables say them.
struct FFTText {
  std::string machine, size, mesh, precision = "f32", type = "c2c", library,
                                   transport, direction = "forward";
  bool contiguous = true;
};

/// Loads machines once.
class Predictor {
public:
  explicit Predictor(std::string libraryFolder)
      : libraryFolder(std::move(libraryFolder)) {}

  llvm::Expected<machine::FFTTime> predict(const FFTText &text);

  /// Copies the CSV table `file` with a column predicted_ms behind its own.
  /// What a row does not say is in `defaults`; in its machine, {COLUMN} stands
  /// for what the row has there.
  llvm::Error predictRows(const std::string &file, const FFTText &defaults,
                          llvm::raw_ostream &os);

private:
  llvm::Expected<const machine::Machine *> load(const std::string &name);

  std::string libraryFolder;
  std::map<std::string, machine::Machine> machines;
};

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_TUNING_PREDICTROWS_H
