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
//    result. Ops whose results change are made anew; who comes later in the
//    text sees the old types behind casts until it is its turn.
// 2. Ops that touch cells beyond their part get halos.
// 3. Reshards of tables become smaller tables, and equal messages one.
// 4. Loops over the cells of a split dim keep to those of the rank.
//
//===----------------------------------------------------------------------===//

#include "dialect/Mesh/Layout.h"
#include "passes/Optimize/EliminateCommon.h"
#include "passes/Optimize/ResultTypes.h"
#include "passes/Passes.h"
#include "passes/Sharding/Halos/Margins.h"
#include "passes/Sharding/OwnerComputes.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
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
    for (UnrealizedConversionCastOp cast : casts)
      cast.erase();
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

  /// What has the old type, for ops that are not sharded yet.
  Value castBack(Value made, Type type) {
    if (made.getType() == type)
      return made;
    builder.setInsertionPointAfterValue(made);
    casts.push_back(UnrealizedConversionCastOp::create(builder, made.getLoc(),
                                                       type, ValueRange(made)));
    return casts.back().getResult(0);
  }

  static void takeCasted(Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (auto cast = operand.get().getDefiningOp<UnrealizedConversionCastOp>())
        operand.set(cast.getInputs().front());
  }

  void shardArguments(Block &block) {
    for (unsigned i = 0; i < block.getNumArguments(); ++i) {
      BlockArgument old = block.getArgument(i);
      Type type = getType(old.getType());
      if (type == old.getType())
        continue;
      Value made = block.insertArgument(i, type, old.getLoc());
      old.replaceAllUsesWith(castBack(made, old.getType()));
      block.eraseArgument(i + 1);
    }
  }

  LogicalResult shard(Operation *op) {
    takeCasted(op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        shardArguments(block);
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
      handOn(op);
    else if (hasFields(op))
      return op->emitOpError(
                 "uses fields but does not implement ShardableOpInterface")
             << (op->hasTrait<IsExpanded>() ? "; run pm-expand-all first" : "");
    return success();
  }

  /// Results as the layout has them.
  void handOn(Operation *op) {
    Operation *made = pmc::passes::withResultTypes(
        op, llvm::map_to_vector(op->getResultTypes(),
                                [&](Type type) { return getType(type); }));
    if (made == op)
      return;
    for (auto [old, result] : llvm::zip(op->getResults(), made->getResults()))
      old.replaceAllUsesWith(castBack(result, old.getType()));
    op->erase();
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
    SmallVector<Type> types;
    for (OpResult result : op->getResults()) {
      Type type = result.getType();
      if (isField(type))
        type = withDims(type, form.results[result.getResultNumber()]);
      types.push_back(PartialType::getOver(
          type, form.kind, form.partial[result.getResultNumber()]));
    }
    Operation *made = pmc::passes::withResultTypes(op, types);
    builder.setInsertionPointAfter(made);
    SmallVector<OpResult> scalars;
    ArrayRef<StringAttr> scalarAxes;
    for (OpResult result : made->getResults()) {
      Value old = op->getResult(result.getResultNumber());
      ArrayRef<StringAttr> partial = form.partial[result.getResultNumber()];
      if (getField(result.getType())) {
        makeField(result, old, form.kind, partial);
      } else if (!partial.empty()) {
        scalars.push_back(result);
        scalarAxes = partial;
      } else if (made != op) {
        old.replaceAllUsesWith(result);
      }
    }
    if (!scalars.empty()) {
      SmallVector<Value> values(scalars.begin(), scalars.end());
      auto reduced = AllReduceOp::create(
          builder, op->getLoc(),
          SmallVector<Type>(values.size(), builder.getF64Type()), form.kind,
          toAttribute(scalarAxes), values);
      for (auto [scalar, number] : llvm::zip(scalars, reduced.getResults()))
        op->getResult(scalar.getResultNumber())
            .replaceAllUsesExcept(number, reduced);
    }
    if (made != op)
      op->erase();
  }

  ArrayAttr toAttribute(ArrayRef<StringAttr> axes) {
    return builder.getArrayAttr(
        SmallVector<Attribute>(axes.begin(), axes.end()));
  }

  /// The result, then reduced, then as the layout has it, for who uses `old`:
  /// itself, or that of the op that was.
  void makeField(OpResult result, Value old, Reduction kind,
                 ArrayRef<StringAttr> partial) {
    Location loc = result.getLoc();
    auto wanted = cast<FieldType>(getType(old.getType()));
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
    if (made == old)
      return;
    OpBuilder::InsertionGuard guard(builder);
    Value back = castBack(made, old.getType());
    if (first)
      old.replaceAllUsesExcept(back, first);
    else
      old.replaceAllUsesWith(back);
  }

  /// Where the layout splits the result by the axes reduced over and nothing
  /// else changes, each rank reduces what it keeps.
  static FieldType getReduced(OpResult result, FieldType wanted,
                              ArrayRef<StringAttr> partial) {
    FieldType type = getField(result.getType());
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
  SmallVector<UnrealizedConversionCastOp> casts;
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
    pmc::passes::eliminateCommon(module);
    pmc::passes::computeByOwner(module);
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
