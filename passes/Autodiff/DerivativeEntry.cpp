//===- DerivativeEntry.cpp - A program that is a derivative ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "dialect/IR/PM.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/SetVector.h"

namespace pmc::passes {
#define GEN_PASS_DEF_DERIVATIVEENTRY
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;

namespace {

/// A param or an input with respect to which the program is differentiated.
struct Variable {
  std::string name;
  Type type;
  StringAttr unit;

  bool isReadBy(Operation *op) const {
    if (auto param = dyn_cast<ParamValueOp>(op))
      return param.getName() == name;
    auto input = dyn_cast<InputValueOp>(op);
    return input && input.getName() == name;
  }
};

/// An output and where its values are among the results of the function.
struct Target {
  OutputOp op;
  unsigned first = 0;

  /// "density", "disp/0", or of a record's member "halos/mass".
  std::string partName(unsigned part) {
    std::string name = op.getName().str();
    if (op.getValues().size() == 1)
      return name;
    if (op.getColumns()) {
      StringRef column = cast<StringAttr>((*op.getColumns())[part]).getValue();
      if (column.starts_with("/"))
        return name + column.str();
    }
    return name + "/" + std::to_string(part);
  }
};

bool isDifferentiable(Type type) {
  if (auto field = dyn_cast<FieldType>(type))
    return isDifferentiable(field.getElementType());
  if (auto complex = dyn_cast<ComplexType>(type))
    return isDifferentiable(complex.getElementType());
  return isa<FloatType>(type);
}

/// What is known of an output when its op is gone.
struct Written {
  std::string name;
  std::vector<std::string> parts;
  NamedAttrList attributes;
};

class DerivativeEntryPass
    : public pmc::passes::impl::DerivativeEntryBase<DerivativeEntryPass> {
public:
  using DerivativeEntryBase::DerivativeEntryBase;

  void runOnOperation() override {
    if (failed(make()))
      signalPassFailure();
  }

private:
  LogicalResult make() {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main)
      return module.emitError("[PM0811] a program needs a function 'main'");
    if (failed(findVariables()) || failed(findTargets(main)))
      return failure();
    func::FuncOp function = outline(main);
    for (const Variable &variable : variables)
      if (failed(thread(variable, function)))
        return failure();
    replaceMain(main, function);
    return success();
  }

  LogicalResult findVariables() {
    for (const std::string &name : wrt) {
      Variable variable{name, Type(), StringAttr()};
      for (Operation &op : *getOperation().getBody())
        if (auto param = dyn_cast<ParamOp>(op);
            param && param.getName() == name)
          variable = {name, param.getType(), param.getUnitAttr()};
        else if (auto input = dyn_cast<InputOp>(op);
                 input && input.getName() == name && !input.getStreamed())
          variable = {name, input.getType(), input.getUnitAttr()};
      if (!variable.type)
        return getOperation().emitError(
                   "[PM0811] the derivative is with respect to '")
               << name << "', which is not a param or an input";
      if (!isDifferentiable(variable.type))
        return getOperation().emitError(
                   "[PM0811] the derivative is with respect to '")
               << name << "' of type " << variable.type
               << ", expected real or complex numbers, or fields of them";
      variables.push_back(variable);
    }
    return success();
  }

  LogicalResult findTargets(func::FuncOp main) {
    for (const std::string &name : of) {
      Target target;
      main.walk([&](OutputOp op) {
        if (op.getName() == name)
          target.op = op;
      });
      if (!target.op)
        return getOperation().emitError("[PM0811] the derivative is of '")
               << name << "', which is not an output";
      if (target.op->getParentOp() != main)
        return target.op.emitError("[PM0811] the derivative is of '")
               << name << "', which is written in a loop or under a condition";
      for (Value value : target.op.getValues())
        if (!isDifferentiable(value.getType()) || target.op->hasAttr("element"))
          return target.op.emitError("[PM0811] the derivative is of '")
                 << name << "', which holds integers";
      targets.push_back(target);
    }
    return success();
  }

  /// An unused name. A derivative of a derivative has several such functions.
  std::string freshSymbol() {
    std::string name = "pmc.forward";
    for (unsigned order = 2; getOperation().lookupSymbol(name); ++order)
      name = "pmc.forward" + std::to_string(order);
    return name;
  }

  /// The first of "tangent/", "tangent2/" and so on with which the name of no
  /// param or input begins. The tangents of a first derivative are inputs of
  /// the second one.
  std::string freshPrefix(const std::string &what) {
    const auto isTaken = [&](const std::string &prefix) {
      return llvm::any_of(*getOperation().getBody(), [&](Operation &op) {
        if (auto param = dyn_cast<ParamOp>(op))
          return param.getName().starts_with(prefix);
        auto input = dyn_cast<InputOp>(op);
        return input && input.getName().starts_with(prefix);
      });
    };
    std::string prefix = what + "/";
    for (unsigned order = 2; isTaken(prefix); ++order)
      prefix = what + std::to_string(order) + "/";
    return prefix;
  }

  /// What main computes for the targets, as a function without effects on
  /// files.
  func::FuncOp outline(func::FuncOp main) {
    OpBuilder builder(main);
    auto function = func::FuncOp::create(builder, main.getLoc(), freshSymbol(),
                                         builder.getFunctionType({}, {}));
    function.setPrivate();
    IRMapping map;
    main.getBody().cloneInto(&function.getBody(), map);
    SmallVector<Value> results;
    for (Target &target : targets) {
      target.first = results.size();
      for (Value value : target.op.getValues())
        results.push_back(map.lookup(value));
    }
    Operation *end = function.getBody().front().getTerminator();
    builder.setInsertionPoint(end);
    func::ReturnOp::create(builder, end->getLoc(), results);
    end->erase();
    function.setFunctionType(
        builder.getFunctionType({}, ValueRange(results).getTypes()));
    SmallVector<Operation *> effects;
    function.walk([&](Operation *op) {
      if (isa<OutputOp, PlotOp, PrintOp>(op))
        effects.push_back(op);
    });
    for (Operation *op : effects)
      op->erase();
    return function;
  }

  /// Makes the variable the last argument of the function, and of what reads it
  /// on the way.
  LogicalResult thread(const Variable &variable, func::FuncOp function) {
    ModuleOp module = getOperation();
    llvm::SetVector<func::FuncOp> readers;
    readers.insert(function);
    Operation *outside = nullptr;
    module.walk([&](Operation *op) {
      if (!variable.isReadBy(op))
        return;
      auto reader = op->getParentOfType<func::FuncOp>();
      if (!reader)
        outside = op;
      else if (reader.getSymName() != "main")
        readers.insert(reader);
    });
    if (outside)
      return outside->getParentOp()->emitError(
                 "[PM0811] the derivative is with respect to '")
             << variable.name
             << "', which sets a length; lengths have no derivatives";
    SmallVector<Operation *> calls;
    for (size_t i = 0; i < readers.size(); ++i) {
      func::FuncOp reader = readers[i];
      if (reader->hasAttr("pm.adjoint"))
        return reader.emitError("[PM0811] the derivative is with respect to '")
               << variable.name
               << "', which a function with an adjoint of its own reads; make "
                  "it an argument of the function";
      auto uses = SymbolTable::getSymbolUses(reader, module);
      for (SymbolTable::SymbolUse use : *uses) {
        auto caller = use.getUser()->getParentOfType<func::FuncOp>();
        if (caller && caller.getSymName() == "main")
          continue;
        if (!caller || !isa<func::CallOp, VJPOp, JVPOp>(use.getUser()))
          return use.getUser()->emitError(
                     "[PM0811] the derivative is with respect to '")
                 << variable.name << "', which cannot be passed on here";
        readers.insert(caller);
        calls.push_back(use.getUser());
      }
    }
    for (func::FuncOp reader : readers)
      addArgument(reader, variable);
    for (Operation *call : calls)
      addOperand(call);
    return success();
  }

  static void addArgument(func::FuncOp function, const Variable &variable) {
    Block &entry = function.getBody().front();
    BlockArgument value = entry.addArgument(variable.type, function.getLoc());
    FunctionType type = function.getFunctionType();
    function.setFunctionType(FunctionType::get(
        function.getContext(), entry.getArgumentTypes(), type.getResults()));
    SmallVector<Operation *> reads;
    function.walk([&](Operation *op) {
      if (variable.isReadBy(op))
        reads.push_back(op);
    });
    for (Operation *read : reads) {
      read->getResult(0).replaceAllUsesWith(value);
      read->erase();
    }
  }

  /// The last argument of the caller is that of the callee.
  static void addOperand(Operation *call) {
    auto caller = call->getParentOfType<func::FuncOp>();
    Value value = caller.getBody().front().getArguments().back();
    if (auto plain = dyn_cast<func::CallOp>(call))
      plain.getOperandsMutable().append(value);
    else if (auto reverse = dyn_cast<VJPOp>(call))
      reverse.getArgsMutable().append(value);
    else
      cast<JVPOp>(call).getArgsMutable().append(value);
  }

  //===--------------------------------------------------------------------===//
  // The new main
  //===--------------------------------------------------------------------===//

  /// Declares an array or a number that the caller gives, and reads it.
  Value read(OpBuilder &builder, Location loc, const std::string &name,
             Type type) {
    OpBuilder top = OpBuilder::atBlockBegin(getOperation().getBody());
    if (lastDeclared)
      top.setInsertionPointAfter(lastDeclared);
    if (isa<FieldType>(type)) {
      lastDeclared = InputOp::create(
          top, loc, top.getStringAttr(name), TypeAttr::get(type), UnitAttr(),
          StringAttr(), StringAttr(), UnitAttr(), IntegerAttr(), IntegerAttr());
      return readVariable(builder, loc, {name, type, StringAttr()});
    }
    lastDeclared = ParamOp::create(
        top, loc, top.getStringAttr(name), TypeAttr::get(type),
        top.getStringAttr("f64"), Attribute(), FloatAttr(), FloatAttr(),
        UnitAttr(), UnitAttr(), StringAttr(), StringAttr());
    return readVariable(builder, loc, {name, type, StringAttr()});
  }

  static Value readVariable(OpBuilder &builder, Location loc,
                            const Variable &variable) {
    if (isa<FieldType>(variable.type))
      return InputValueOp::create(builder, loc, variable.type, Type(),
                                  builder.getStringAttr(variable.name),
                                  ValueRange())
          .getField();
    return ParamValueOp::create(builder, loc, variable.type,
                                builder.getStringAttr(variable.name));
  }

  void replaceMain(func::FuncOp main, func::FuncOp function) {
    SmallVector<int64_t> indices, results;
    for (size_t i = 0; i < variables.size(); ++i)
      indices.push_back(int64_t(i));
    for (size_t i = 0; i < function.getNumResults(); ++i)
      results.push_back(int64_t(i));
    // The outputs go with the old body.
    std::vector<Written> written;
    for (Target &target : targets) {
      Written one{target.op.getName().str(), {}, target.op->getAttrs()};
      for (unsigned part = 0; part < target.op.getValues().size(); ++part)
        one.parts.push_back(target.partName(part));
      written.push_back(std::move(one));
    }
    Location loc = main.getLoc();
    main.getBody().front().clear();
    OpBuilder builder = OpBuilder::atBlockEnd(&main.getBody().front());
    SmallVector<Value> arguments;
    for (const Variable &variable : variables)
      arguments.push_back(readVariable(builder, loc, variable));
    if (kind == "vjp")
      emitReverse(builder, function, arguments, indices, results, written);
    else
      emitForward(builder, function, arguments, indices, written);
    func::ReturnOp::create(builder, loc);
  }

  void emitReverse(OpBuilder &builder, func::FuncOp function,
                   ArrayRef<Value> arguments, ArrayRef<int64_t> indices,
                   ArrayRef<int64_t> results, ArrayRef<Written> written) {
    Location loc = function.getLoc();
    SmallVector<Value> cotangents;
    SmallVector<Type> types(function.getResultTypes());
    const std::string prefix = freshPrefix("cotangent");
    for (const Written &output : written)
      for (const std::string &part : output.parts)
        cotangents.push_back(
            read(builder, loc, prefix + part, types[cotangents.size()]));
    for (const Variable &variable : variables)
      types.push_back(variable.type);
    Schedule chosen = *symbolizeSchedule(schedule);
    auto vjp = VJPOp::create(builder, loc, types, function.getSymName(),
                             arguments, indices, results, cotangents, chosen,
                             chosen == Schedule::Revolve
                                 ? builder.getI64IntegerAttr(snapshots)
                                 : IntegerAttr());
    for (const auto &[variable, gradient] : llvm::zip(
             variables, vjp.getResults().drop_front(function.getNumResults())))
      OutputOp::create(builder, loc,
                       builder.getStringAttr("gradient/" + variable.name),
                       gradient, ArrayAttr(), UnitAttr(), StringAttr());
  }

  void emitForward(OpBuilder &builder, func::FuncOp function,
                   ArrayRef<Value> arguments, ArrayRef<int64_t> indices,
                   ArrayRef<Written> written) {
    Location loc = function.getLoc();
    SmallVector<Value> tangents;
    const std::string prefix = freshPrefix("tangent");
    for (const Variable &variable : variables)
      tangents.push_back(
          read(builder, loc, prefix + variable.name, variable.type));
    SmallVector<Type> types(function.getResultTypes());
    llvm::append_range(types, function.getResultTypes());
    auto jvp = JVPOp::create(builder, loc, types, function.getSymName(),
                             arguments, indices, tangents);
    ValueRange rest = jvp.getResults().drop_front(function.getNumResults());
    for (const Written &output : written) {
      auto made = OutputOp::create(builder, loc,
                                   builder.getStringAttr(prefix + output.name),
                                   rest.take_front(output.parts.size()),
                                   ArrayAttr(), UnitAttr(), StringAttr());
      rest = rest.drop_front(output.parts.size());
      for (StringRef name : {"columns", "flatten"})
        if (Attribute value = output.attributes.get(name))
          made->setAttr(name, value);
    }
  }

  SmallVector<Variable> variables;
  SmallVector<Target> targets;
  /// The last op that `read` declared. The next op follows it, so that members
  /// of a list keep their order.
  Operation *lastDeclared = nullptr;
};

} // namespace
