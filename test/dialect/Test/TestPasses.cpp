//===- TestPasses.cpp - Each asks one interface ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The least that a pass needs to work on any op: none names an op of a dialect.
//
//===----------------------------------------------------------------------===//

#include "codegen/Lowering/LoweringContext.h"
#include "test/dialect/Test/TestDialect.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace pmc::pm;

namespace {

//===----------------------------------------------------------------------===//
// Differentiation of straight-line functions
//===----------------------------------------------------------------------===//

/// A null sum is zero.
Value add(OpBuilder &builder, Location loc, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  auto type = cast<FieldType>(a.getType());
  auto map = MapOp::create(builder, loc, TypeRange{type},
                           DimsAttr::get(builder.getContext(), type.getDims()),
                           ValueRange{a, b}, ValueRange{});
  OpBuilder::InsertionGuard guard(builder);
  Type element = type.getElementType();
  Block *body =
      builder.createBlock(&map.getBody(), {}, {element, element}, {loc, loc});
  Value sum = arith::AddFOp::create(builder, loc, body->getArgument(0),
                                    body->getArgument(1));
  YieldOp::create(builder, loc, sum);
  return map.getResult(0);
}

/// A function beside the given one with its arguments and `more` of them, and
/// with a copy of its body as far as the return.
func::FuncOp cloneBeside(func::FuncOp function, StringRef suffix,
                         TypeRange more, TypeRange results) {
  OpBuilder builder(function);
  builder.setInsertionPointAfter(function);
  SmallVector<Type> types(function.getArgumentTypes());
  llvm::append_range(types, more);
  auto made = func::FuncOp::create(builder, function.getLoc(),
                                   (function.getName() + suffix).str(),
                                   builder.getFunctionType(types, results));
  Block *entry = made.addEntryBlock();
  IRMapping mapping;
  mapping.map(function.getArguments(),
              entry->getArguments().take_front(function.getNumArguments()));
  builder.setInsertionPointToStart(entry);
  for (Operation &op : function.front().without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> returned;
  for (Value value : function.front().getTerminator()->getOperands())
    returned.push_back(mapping.lookupOrDefault(value));
  func::ReturnOp::create(builder, function.getLoc(), returned);
  return made;
}

template <class Derived>
struct TestPass : PassWrapper<Derived, OperationPass<ModuleOp>> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<PMDialect>();
  }

  /// Every function with a body, also those that the work adds later on.
  SmallVector<func::FuncOp> getFunctions() {
    return llvm::filter_to_vector(
        this->getOperation().template getOps<func::FuncOp>(),
        [](func::FuncOp function) { return !function.isExternal(); });
  }
};

struct ListedTangents : Tangents {
  Value get(Value primal) const override { return values.lookup(primal); }
  void set(Value primal, Value tangent) override { values[primal] = tangent; }
  llvm::DenseMap<Value, Value> values;
};

struct AddedCotangents : Cotangents {
  bool needs(Value) const override { return true; }
  Value get(Value primal) const override { return values.lookup(primal); }
  void add(OpBuilder &builder, Value primal, Value cotangent) override {
    Value &sum = values[primal];
    sum = ::add(builder, cotangent.getLoc(), sum, cotangent);
  }
  llvm::DenseMap<Value, Value> values;
};

/// @f(x) -> y gets @f_tangent(x, dx) -> dy.
struct TestTangent : TestPass<TestTangent> {
  StringRef getArgument() const final { return "test-pm-tangent"; }

  void runOnOperation() override {
    for (func::FuncOp function : getFunctions())
      if (failed(differentiate(function)))
        return signalPassFailure();
  }

  LogicalResult differentiate(func::FuncOp function) {
    unsigned count = function.getNumArguments();
    auto made = cloneBeside(function, "_tangent", function.getArgumentTypes(),
                            function.getResultTypes());
    ListedTangents tangents;
    for (unsigned i = 0; i < count; ++i)
      tangents.set(made.getArgument(i), made.getArgument(count + i));
    OpBuilder builder(&getContext());
    for (Operation &op :
         llvm::make_early_inc_range(made.front().without_terminator())) {
      auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
      if (!differentiable)
        continue;
      builder.setInsertionPointAfter(&op);
      if (failed(differentiable.buildTangent(builder, tangents)))
        return op.emitOpError("has no tangent");
    }
    for (OpOperand &operand : made.front().getTerminator()->getOpOperands()) {
      Value tangent = tangents.get(operand.get());
      if (!tangent)
        return function.emitError("a result does not depend on the arguments");
      operand.set(tangent);
    }
    return success();
  }
};

/// @f(x) -> y gets @f_adjoint(x, ybar) -> xbar.
struct TestAdjoint : TestPass<TestAdjoint> {
  StringRef getArgument() const final { return "test-pm-adjoint"; }

  void runOnOperation() override {
    for (func::FuncOp function : getFunctions())
      if (failed(differentiate(function)))
        return signalPassFailure();
  }

  LogicalResult differentiate(func::FuncOp function) {
    unsigned count = function.getNumArguments();
    auto made = cloneBeside(function, "_adjoint", function.getResultTypes(),
                            function.getArgumentTypes());
    Operation *end = made.front().getTerminator();
    AddedCotangents cotangents;
    for (auto [value, cotangent] :
         llvm::zip(end->getOperands(), made.getArguments().drop_front(count)))
      cotangents.values[value] = cotangent;
    SmallVector<Operation *> ops;
    for (Operation &op : made.front().without_terminator())
      ops.push_back(&op);
    OpBuilder builder(end);
    for (Operation *op : llvm::reverse(ops)) {
      auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
      if (!differentiable)
        continue;
      if (failed(differentiable.buildAdjoint(builder, cotangents)))
        return op->emitOpError("has no adjoint");
    }
    SmallVector<Value> returned;
    for (Value argument : made.getArguments().take_front(count)) {
      returned.push_back(cotangents.get(argument));
      if (!returned.back())
        return function.emitError("the results do not depend on an argument");
    }
    end->setOperands(returned);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Memory and code
//===----------------------------------------------------------------------===//

/// A buffer a field, shared where an op may write over its operand.
struct TestBuffers : TestPass<TestBuffers> {
  StringRef getArgument() const final { return "test-pm-buffers"; }

  Value getBuffer(OpBuilder &builder, Location loc, int64_t id, Type type) {
    auto field = cast<FieldType>(type);
    return AllocOp::create(
        builder, loc,
        BufferType::get(&getContext(), field.getDims(), field.getElementType()),
        id);
  }

  void runOnOperation() override {
    int64_t next = 0;
    for (func::FuncOp function : getFunctions()) {
      llvm::DenseMap<Value, int64_t> ids;
      llvm::SmallVector<Operation *> dead;
      for (Operation &op :
           llvm::make_early_inc_range(function.front().without_terminator())) {
        auto placeable = dyn_cast<PlaceableOpInterface>(op);
        if (!placeable)
          continue;
        OpBuilder builder(&op);
        SmallVector<Value> operands, outs;
        for (Value operand : op.getOperands()) {
          if (!isa<FieldType>(operand.getType())) {
            operands.push_back(operand);
            continue;
          }
          auto [id, isNew] = ids.try_emplace(operand, next);
          next += isNew;
          operands.push_back(
              getBuffer(builder, op.getLoc(), id->second, operand.getType()));
        }
        for (OpResult result : op.getResults()) {
          int64_t id = -1;
          for (OpOperand &operand : op.getOpOperands()) {
            if (placeable.destroysOperand(operand))
              op.emitRemark("destroys operand ") << operand.getOperandNumber();
            if (operand.get().hasOneUse() && ids.contains(operand.get()) &&
                placeable.canShareBuffer(operand, result))
              id = ids[operand.get()];
          }
          ids[result] = id < 0 ? next++ : id;
          outs.push_back(
              getBuffer(builder, op.getLoc(), ids[result], result.getType()));
        }
        placeable.buildBufferForm(builder, operands, outs);
        dead.push_back(&op);
      }
      function.front().getTerminator()->setOperands({});
      for (Operation *op : llvm::reverse(dead))
        op->erase();
      function.setType(
          FunctionType::get(&getContext(), function.getArgumentTypes(), {}));
    }
  }
};

/// Lowers what can be lowered.
struct TestLower : TestPass<TestLower> {
  StringRef getArgument() const final { return "test-pm-lower"; }

  void runOnOperation() override {
    pmc::codegen::ProgramTables tables(getOperation());
    pmc::codegen::LoweringContext context(getOperation(), tables);
    SmallVector<LowerableOpInterface> ops;
    getOperation().walk([&](LowerableOpInterface op) { ops.push_back(op); });
    for (LowerableOpInterface op : ops) {
      if (failed(op.lower(context)))
        return signalPassFailure();
      op->erase();
    }
  }
};

//===----------------------------------------------------------------------===//
// What an op is
//===----------------------------------------------------------------------===//

struct TestCost : TestPass<TestCost> {
  StringRef getArgument() const final { return "test-pm-cost"; }

  void runOnOperation() override {
    getOperation().walk([](pmc::cost::CostOpInterface op) {
      pmc::cost::OpCost cost = op.getCost({});
      op->emitRemark("reads ")
          << cost.read.toText() << " bytes, writes " << cost.written.toText()
          << ", computes " << cost.operations.toText();
    });
  }
};

struct TestDomain : TestPass<TestDomain> {
  StringRef getArgument() const final { return "test-pm-domain"; }

  void runOnOperation() override {
    getOperation().walk([](DomainOpInterface op) {
      op->emitRemark("runs over ") << toString(op.getDomainDims()) << " with "
                                   << op.getDomainInputs().size() << " inputs";
    });
  }
};

} // namespace

void pmc::test::registerPasses() {
  PassRegistration<TestTangent>();
  PassRegistration<TestAdjoint>();
  PassRegistration<TestBuffers>();
  PassRegistration<TestLower>();
  PassRegistration<TestCost>();
  PassRegistration<TestDomain>();
}
