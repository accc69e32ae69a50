//===- Shard.cpp - Global view to SPMD view -------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Every field gets the type that the layout says, and every op the form that
//    its ShardableOpInterface says. Where the two differ there is a message: a
//    reshard of what is read, a reduction of what is partial, a reshard of the
//    result.
// 2. Ops that touch cells beyond their part get halos.
// 3. Reshards of tables become smaller tables, and equal messages one.
// 4. Loops over the cells of a split dim keep to those of the rank.
//
//===----------------------------------------------------------------------===//

#include "dialect/Mesh/Layout.h"
#include "passes/Passes.h"
#include "passes/Sharding/Margins.h"
#include "passes/Sharding/OwnCells.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace pmc::passes {
#define GEN_PASS_DEF_SHARD
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;

static bool isField(Type type) { return isa<FieldType>(type); }

static bool hasFields(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isField) ||
         llvm::any_of(op->getResultTypes(), isField);
}

/// Hands fields on, as they are.
static bool isStructured(Operation *op) {
  return isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface,
             FunctionOpInterface, CallOpInterface, SelectLikeOpInterface>(op) ||
         op->hasTrait<OpTrait::ReturnLike>();
}

static LogicalResult reportConflict(Operation *op, ArrayRef<DimAttr> dims,
                                    const Layout::Conflict &conflict) {
  InFlightDiagnostic error = op->emitError("the mesh axis ")
                             << conflict.axis << " splits two dims of "
                             << toString(withoutAxes(dims)) << ", '"
                             << conflict.dims[0].getLabel() << "' and '"
                             << conflict.dims[1].getLabel() << "'";
  for (auto [dim, claim] : llvm::zip(conflict.dims, conflict.claims))
    if (claim) {
      LayoutOp layout = claim;
      error.attachNote(layout.getLoc())
          << "'" << layout.getDim() << "' is laid out here";
    }
  return error;
}

namespace {

class Sharding {
public:
  Sharding(ModuleOp module, const Layout &layout)
      : module(module), layout(layout), builder(module.getContext()) {}

  LogicalResult run() {
    if (failed(checkConflicts()))
      return failure();
    SmallVector<Operation *> ops;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      if (failed(shard(op)))
        return failure();
    SmallVector<ShardableOpInterface> shardable;
    module.walk([&](ShardableOpInterface op) { shardable.push_back(op); });
    for (ShardableOpInterface op : shardable)
      if (failed(op.buildHalos(builder)))
        return failure();
    return success();
  }

private:
  LogicalResult checkDims(Operation *op, ArrayRef<DimAttr> dims) {
    std::optional<Layout::Conflict> conflict = layout.findConflict(dims);
    return conflict ? reportConflict(op, dims, *conflict) : success();
  }

  LogicalResult checkConflicts() {
    bool good = true;
    module.walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        if (auto field = dyn_cast<FieldType>(type))
          if (failed(checkDims(op, field.getDims()))) {
            good = false;
            return;
          }
      if (auto loop = dyn_cast<DomainOpInterface>(op))
        if (llvm::none_of(op->getResultTypes(), [&](Type type) {
              return isField(type) &&
                     cast<FieldType>(type).getDims() == loop.getDomainDims();
            }))
          good &= succeeded(checkDims(op, loop.getDomainDims()));
    });
    return success(good);
  }

  Type getType(Type type) {
    auto field = dyn_cast<FieldType>(type);
    return field ? Type(layout.get(field)) : type;
  }

  static FieldType withDims(Type type, ArrayRef<DimAttr> dims) {
    auto field = cast<FieldType>(type);
    return FieldType::get(type.getContext(), dims, field.getElementType());
  }

  void setTypes(ValueRange values) {
    for (Value value : values)
      value.setType(getType(value.getType()));
  }

  LogicalResult shard(Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        setTypes(block.getArguments());
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      setSignature(function);
    if (auto input = dyn_cast<InputOp>(op))
      input.setType(getType(input.getType()));
    auto shardable = dyn_cast<ShardableOpInterface>(op);
    if (shardable) {
      LocalForm form(op, layout);
      shardable.getLocalForm(layout, form);
      takeOperands(op, form);
      if (auto loop = dyn_cast<DomainOpInterface>(op))
        loop.setDomainDims(form.domain);
      makeResults(op, form);
      return success();
    }
    if (isStructured(op))
      setTypes(op->getResults());
    else if (hasFields(op))
      return op->emitOpError(
          "uses fields but does not implement ShardableOpInterface");
    return success();
  }

  void setSignature(FunctionOpInterface function) {
    auto get = [&](ArrayRef<Type> types) {
      return llvm::map_to_vector(types,
                                 [&](Type type) { return getType(type); });
    };
    function.setType(FunctionType::get(function->getContext(),
                                       get(function.getArgumentTypes()),
                                       get(function.getResultTypes())));
  }

  /// The op that works on fields, of which this one may be in the body.
  static Operation *getOuter(Operation *op) {
    Operation *outer = op;
    for (Operation *parent = op->getParentOp(); parent;
         parent = parent->getParentOp())
      if (isa<DomainOpInterface>(parent))
        outer = parent;
    return outer;
  }

  void takeOperands(Operation *op, const LocalForm &form) {
    for (OpOperand &operand : op->getOpOperands()) {
      Type given = operand.get().getType();
      if (!isField(given))
        continue;
      FieldType taken =
          withDims(given, form.operands[operand.getOperandNumber()]);
      if (given != taken)
        operand.set(reshard(operand.get(), taken, op));
    }
  }

  /// Tables along an axis are brought to a layout once, where they are made;
  /// larger fields where they are needed, before loops that do not change them.
  Value reshard(Value field, FieldType type, Operation *user) {
    Operation *def = field.getDefiningOp();
    if (type.getDims().size() > 1 || !def) {
      builder.setInsertionPoint(
          pmc::passes::getExchangePlace(getOuter(user), field));
      return ReshardOp::create(builder, user->getLoc(), type, field,
                               ValueRange())
          .getResult();
    }
    Value &made = tables[{field, type}];
    if (!made) {
      builder.setInsertionPointAfter(def);
      made =
          ReshardOp::create(builder, def->getLoc(), type, field, ValueRange())
              .getResult();
    }
    return made;
  }

  void makeResults(Operation *op, const LocalForm &form) {
    builder.setInsertionPointAfter(op);
    SmallVector<OpResult> scalars;
    ArrayRef<StringAttr> scalarAxes;
    for (OpResult result : op->getResults()) {
      ArrayRef<StringAttr> partial = form.partial[result.getResultNumber()];
      if (isField(result.getType())) {
        makeField(result, form.results[result.getResultNumber()], form.kind,
                  partial);
      } else if (!partial.empty()) {
        scalars.push_back(result);
        scalarAxes = partial;
      }
    }
    if (scalars.empty())
      return;
    SmallVector<Value> values(scalars.begin(), scalars.end());
    auto reduced = AllReduceOp::create(builder, op->getLoc(),
                                       ValueRange(values).getTypes(), form.kind,
                                       toAttribute(scalarAxes), values);
    for (auto [scalar, number] : llvm::zip(scalars, reduced.getResults()))
      scalar.replaceAllUsesExcept(number, reduced);
  }

  ArrayAttr toAttribute(ArrayRef<StringAttr> axes) {
    return builder.getArrayAttr(
        SmallVector<Attribute>(axes.begin(), axes.end()));
  }

  /// The result with these dims, then reduced, then as the layout has it.
  void makeField(OpResult result, ArrayRef<DimAttr> dims, Reduction kind,
                 ArrayRef<StringAttr> partial) {
    Location loc = result.getLoc();
    auto wanted = cast<FieldType>(getType(result.getType()));
    result.setType(withDims(result.getType(), dims));
    Value made = result;
    Operation *first = nullptr;
    if (!partial.empty()) {
      auto reduce = ReduceFieldsOp::create(
          builder, loc, TypeRange(getReduced(result, wanted, partial)), kind,
          toAttribute(partial), ValueRange(made), ValueRange());
      first = reduce;
      made = reduce.getResults().front();
    }
    if (made.getType() != Type(wanted)) {
      auto reshard =
          ReshardOp::create(builder, loc, wanted, made, ValueRange());
      first = first ? first : reshard;
      made = reshard.getResult();
    }
    if (first)
      result.replaceAllUsesExcept(made, first);
  }

  /// Where the layout splits the result by the axes reduced over and nothing
  /// else changes, each rank reduces what it keeps.
  static FieldType getReduced(OpResult result, FieldType wanted,
                              ArrayRef<StringAttr> partial) {
    auto type = cast<FieldType>(result.getType());
    for (auto [from, to] : llvm::zip(type.getDims(), wanted.getDims())) {
      SmallVector<StringAttr> others(to.getAxes());
      llvm::erase_if(others, [&](StringAttr axis) {
        return llvm::is_contained(partial, axis);
      });
      if (ArrayRef<StringAttr>(others) != from.getAxes())
        return type;
    }
    return wanted;
  }

  ModuleOp module;
  const Layout &layout;
  OpBuilder builder;
  llvm::DenseMap<std::pair<Value, Type>, Value> tables;
};

class ShardPass : public pmc::passes::impl::ShardBase<ShardPass> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Layout layout(module);
    if (!layout.isSharded())
      return;
    if (failed(Sharding(module, layout).run()) ||
        failed(simplifyReshards(module)))
      return signalPassFailure();
    // Tables of which only parts are read.
    SmallVector<MapOp> maps;
    module.walk([&](MapOp op) { maps.push_back(op); });
    for (MapOp op : llvm::reverse(maps))
      if (isOpTriviallyDead(op))
        op.erase();
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(module);
    eliminateCommonSubExpressions(rewriter, dominance, module);
    pmc::passes::keepToOwnCells(module);
  }

private:
  LogicalResult simplifyReshards(ModuleOp module) {
    SmallVector<Operation *> reshards;
    module.walk([&](ReshardOp op) { reshards.push_back(op); });
    RewritePatternSet patterns(&getContext());
    ReshardOp::getCanonicalizationPatterns(patterns, &getContext());
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    return applyOpPatternsGreedily(reshards, std::move(patterns), config);
  }
};

} // namespace
