//===- Exchanges.cpp - Messages of a program, in order --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Program/Exchanges.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;
namespace json = llvm::json;

namespace {

/// The number of cells of other ranks along each dim of a mesh, if all
/// particles are at their sites. If `moves`, the distance that particles move
/// is added.
struct Widths {
  SmallVector<int64_t> below, above;
  bool moves = false;
};

class ExchangeList {
public:
  explicit ExchangeList(ProgramTables &tables) : tables(tables) {}

  void add(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](HaloExchangeOp exchange) {
          for (auto [mesh, halo] :
               llvm::zip_equal(exchange.getMeshes(), exchange.getHalos()))
            open(halo, mesh, exchange.getBound(),
                 exchange.getStart() ? "started" : "exchanged");
        })
        .Case([&](ScatterOp paint) {
          if (Value bound = paint.getBound())
            for (auto [mesh, halo] :
                 llvm::zip_equal(paint.getOuts(), paint->getResults()))
              open(halo, mesh, bound, "painted");
        })
        .Case([&](HaloWaitOp wait) {
          end("wait", wait.getHalo());
          numbers[wait.getResult()] = numbers.lookup(wait.getHalo());
        })
        .Case([&](HaloReduceOp reduce) { end("reduce", reduce.getHalo()); })
        .Case([&](HaloCloseOp close) {
          for (Value halo : close.getHalos())
            end("close", halo);
        })
        .Case([&](ReshardOp reshard) {
          move(reshard.getInput(), reshard.getOuts()[0], 0);
        })
        .Case([&](ReshardStartOp start) {
          numbers[start.getPending()] = ++last;
          move(start.getInput(), start.getOuts()[0], last);
        })
        .Case([&](ReshardWaitOp wait) { end("wait", wait.getPending()); });
  }

  json::Array take() { return std::move(rows); }

private:
  Widths widthsOf(Value bound) const {
    Widths widths;
    Operation *op = bound.getDefiningOp();
    if (auto margin = dyn_cast_or_null<MarginOp>(op)) {
      widths.below.assign(margin.getBelow().begin(), margin.getBelow().end());
      widths.above.assign(margin.getAbove().begin(), margin.getAbove().end());
    } else if (auto wider = dyn_cast_or_null<WidenDisplacementBoundOp>(op)) {
      widths = widthsOf(wider.getInput());
      for (auto [d, more] : llvm::enumerate(wider.getBelow()))
        widths.below[d] += more;
      for (auto [d, more] : llvm::enumerate(wider.getAbove()))
        widths.above[d] += more;
    } else if (auto measured = dyn_cast_or_null<DisplacementBoundOp>(op)) {
      widths.moves = true;
      for (auto [d, dim] : llvm::enumerate(measured.getMesh().getDims())) {
        auto support = int64_t(measured.getWindow().getSupport(d));
        int64_t spacing =
            measured.getFree() ? 1 : std::max<int64_t>(1, dim.getRefine());
        widths.below.push_back((support - 1) / 2);
        widths.above.push_back(support - widths.below.back() - spacing);
      }
    }
    return widths;
  }

  void open(Value halo, Value mesh, Value bound, StringRef how) {
    Widths widths = widthsOf(bound);
    auto grid = cast<GridType>(mesh.getType());
    widths.below.resize(grid.getDims().size());
    widths.above.resize(grid.getDims().size());
    numbers[halo] = ++last;
    json::Object row = tables.describeGrid(grid);
    row["open"] = last;
    row["how"] = how;
    row["below"] = json::Array(widths.below);
    row["above"] = json::Array(widths.above);
    row["moves"] = widths.moves;
    rows.push_back(std::move(row));
  }

  void end(StringRef how, Value handle) {
    // Handles that are results of loops or branches are not listed.
    if (int64_t number = numbers.lookup(handle))
      rows.push_back(json::Object{{how, number}});
  }

  /// `number`: 0 if the program waits for the messages here.
  void move(Value from, Value to, int64_t number) {
    json::Object row = tables.describeGrid(cast<GridType>(from.getType()));
    row["reshard"] = number;
    row["to"] = tables.describeDims(cast<GridType>(to.getType()).getDims());
    rows.push_back(std::move(row));
  }

  ProgramTables &tables;
  DenseMap<Value, int64_t> numbers; ///< of handles, from 1 on
  int64_t last = 0;
  json::Array rows;
};

} // namespace

json::Array pmc::codegen::describeExchanges(func::FuncOp main,
                                            ProgramTables &tables) {
  ExchangeList list(tables);
  main.walk<WalkOrder::PreOrder>([&](Operation *op) { list.add(op); });
  return list.take();
}
