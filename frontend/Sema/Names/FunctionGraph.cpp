//===- FunctionGraph.cpp - Which functions refer to which -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Names/FunctionGraph.h"

#include "frontend/Sema/Names/Resolver.h"

using namespace pmc;
using llvm::StringRef;

void FunctionGraph::reportRecursion(DiagnosticEngine &diags) const {
  enum State : char { New, Open, Done };
  llvm::DenseMap<const void *, State> states;
  struct Step {
    const void *node;
    size_t next = 0;
  };
  for (const auto &[root, unused] : edges) {
    if (states.lookup(root) != New)
      continue;
    std::vector<Step> path{{root}};
    states[root] = Open;
    while (!path.empty()) {
      Step &step = path.back();
      auto it = edges.find(step.node);
      if (it == edges.end() || step.next == it->second.size()) {
        states[step.node] = Done;
        path.pop_back();
        continue;
      }
      const Edge &edge = it->second[step.next++];
      State &state = states[edge.to];
      if (state == Open) {
        const ast::Name &name = edge.to->name;
        diags
            .error(edge.loc, "[PM0208] '" + name.text +
                                 "' leads back to itself: recursion is not "
                                 "possible, use a loop")
            .note(name.loc, "'" + name.text + "' is defined here");
      } else if (state == New) {
        state = Open;
        path.push_back({edge.to});
      }
    }
  }
}

void FunctionGraph::closeOverLets(Resolution &resolution) const {
  bool changed = true;
  while (changed) {
    changed = false;
    auto hand = [&](const void *from, const void *to) {
      // No iterator may be held over the insertion below.
      llvm::SmallVector<StringRef> lets(
          resolution.captures[from].lets.getArrayRef());
      auto &own = resolution.captures[to].lets;
      for (StringRef name : lets)
        changed |= own.insert(name);
    };
    for (const auto &[node, targets] : edges)
      for (const Edge &edge : targets)
        hand(edge.to, node);
    for (const auto &[function, adjoint] : adjoints)
      hand(adjoint, function);
  }
}
