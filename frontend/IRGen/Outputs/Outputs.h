//===- Outputs.h - Values that are written ----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_OUTPUTS_OUTPUTS_H
#define PMC_FRONTEND_IRGEN_OUTPUTS_OUTPUTS_H

#include "frontend/IRGen/Environment.h"

namespace pmc {

class Generator;

/// What `output` and `plot` write.
class OutputEmitter {
public:
  explicit OutputEmitter(Generator &generator) : g(generator) {}

  void output(const ast::OutputStmt &stmt);
  bool outputValues(const Argument &arg, llvm::StringRef what,
                    llvm::SmallVectorImpl<mlir::Value> &values,
                    llvm::SmallVectorImpl<Unit> &units,
                    llvm::StringRef &element);
  int64_t tellIterations(llvm::SMLoc loc);

private:
  bool recordMembers(const Argument &arg,
                     llvm::SmallVectorImpl<mlir::Value> &values,
                     llvm::SmallVectorImpl<Unit> &units,
                     std::vector<std::string> &paths);
  bool flattenRecord(Argument &arg, std::vector<std::string> &columns);
  bool integerOutputs(llvm::ArrayRef<Value> parts, const Argument &arg,
                      llvm::StringRef what,
                      llvm::SmallVectorImpl<mlir::Value> &values,
                      llvm::SmallVectorImpl<Unit> &units,
                      llvm::StringRef &element);
  void nameColumns(const ast::OutputStmt &stmt, const Value &value);
  Value inAsked(const Argument &arg, const ast::OutputStmt &stmt);
  bool checkExact(const Value &part, const Argument &arg, llvm::StringRef what);
  bool equalizeFields(llvm::ArrayRef<Value> fields,
                      llvm::SmallVectorImpl<mlir::Value> &values,
                      const Argument &value, llvm::StringRef what);

  Generator &g;
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_OUTPUTS_OUTPUTS_H
