//===- FunctionGraph.h - Which functions refer to which ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_NAMES_FUNCTIONGRAPH_H
#define PMC_FRONTEND_SEMA_NAMES_FUNCTIONGRAPH_H

#include "frontend/Parser/AST.h"

#include "llvm/ADT/MapVector.h"

#include <vector>

namespace pmc {

class DiagnosticEngine;
class Resolution;

/// Which top-level functions a function or lambda refers to.
class FunctionGraph {
public:
  void add(const void *from, const ast::FunctionStmt *to, llvm::SMLoc loc) {
    edges[from].push_back({to, loc});
  }
  void addAdjoint(const ast::FunctionStmt *function,
                  const ast::FunctionStmt *adjoint) {
    adjoints.emplace_back(function, adjoint);
  }

  /// An error for each function that leads back to itself, however far round.
  void reportRecursion(DiagnosticEngine &diags) const;
  /// A function needs the lets that the functions it refers to need.
  void closeOverLets(Resolution &resolution) const;

private:
  struct Edge {
    const ast::FunctionStmt *to;
    llvm::SMLoc loc;
  };
  llvm::MapVector<const void *, std::vector<Edge>> edges;
  std::vector<std::pair<const ast::FunctionStmt *, const ast::FunctionStmt *>>
      adjoints;
};

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_NAMES_FUNCTIONGRAPH_H
