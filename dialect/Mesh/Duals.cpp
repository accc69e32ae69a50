//===- Duals.cpp - How spectra are split ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A dim is transformed where it is whole. So the dims that no axis splits go
// first; then the last of the others hands its axes to a dim that has been
// transformed, and so on. What is transformed last ends whole.
//
//   slab    x->row          y, z; row moves from x to y; x       ky on(row)
//   pencil  x->row, y->col  z; col moves to z; y; row to y; x    ky on(row),
//                                                                kz on(col)
//
//===----------------------------------------------------------------------===//

#include "dialect/Mesh/Duals.h"

using namespace mlir;
using namespace pmc::pm;

namespace {

class Transforms {
public:
  Transforms(ArrayRef<DimAttr> dims, Cut &cut) : dims(dims), cut(cut) {
    for (auto [i, dim] : llvm::enumerate(dims))
      if (!dim.isSpace())
        pending.push_back(i);
  }

  void run() {
    // Of a real field the halved dim is the first.
    for (unsigned d : pending)
      if (dims[d].isHalf() && !cut[d].empty())
        makeWhole(d);
    while (true) {
      llvm::erase_if(pending, [&](unsigned d) {
        if (!cut[d].empty())
          return false;
        done.push_back(d);
        return true;
      });
      if (pending.empty())
        return;
      makeWhole(pending.back());
    }
  }

private:
  void makeWhole(unsigned d) {
    if (std::optional<unsigned> receiver = findReceiver(d)) {
      cut[*receiver].append(cut[d]);
      cut[d].clear();
      return;
    }
    // A dim that is not a dual can take the axes for a while; alone, a dim has
    // to be gathered.
    if (dims.size() == 1)
      cut[d].clear();
    llvm::erase(pending, d);
    done.push_back(d);
  }

  /// Whole dims before split ones, full dims before halved ones, outer ones
  /// first.
  std::optional<unsigned> findReceiver(unsigned from) {
    ArrayRef<unsigned> candidates = done.empty() ? pending : done;
    std::optional<unsigned> best;
    auto rank = [&](unsigned d) {
      return std::tuple(!cut[d].empty(), dims[d].isHalf(), d);
    };
    for (unsigned d : candidates)
      if (d != from && (!best || rank(d) < rank(*best)))
        best = d;
    return best;
  }

  ArrayRef<DimAttr> dims;
  Cut &cut;
  SmallVector<unsigned> pending, done;
};

} // namespace

void pmc::pm::moveAxesToDuals(ArrayRef<DimAttr> dims, Cut &cut) {
  Transforms(dims, cut).run();
}
