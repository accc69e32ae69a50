//===- Parity.cpp - What values become at the mirrored mode ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parity of a value is unknown at first. Its op computes it from the
// parities of the operands. Loops, and functions that are called with different
// arguments, are visited again until nothing changes. An argument, or a value
// that a loop carries, can be one of several values. It has the parity that all
// of them share.
//
//===----------------------------------------------------------------------===//

#include "passes/Spectra/Parity.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace pmc::passes;
using namespace pmc::pm;

/// The sign that always flips.
static constexpr uint64_t mirror = 1;

//===----------------------------------------------------------------------===//
// Arithmetic of parities
//===----------------------------------------------------------------------===//

/// What is one or the other, or a sum of both.
static Parity join(Parity a, Parity b) {
  if (a.any || b.any)
    return a.any ? b : a;
  return {false, a.odd, a.unknown | b.unknown | (a.odd ^ b.odd)};
}

static Parity multiply(Parity a, Parity b) {
  if (a.any || b.any)
    return {};
  return {false, a.odd ^ b.odd, a.unknown | b.unknown};
}

/// Of an even function.
static Parity dropSign(Parity a) { return {false, 0, a.unknown}; }

/// Of any other function.
static Parity spoil(Parity a) { return {false, 0, a.odd | a.unknown}; }

static Parity spoil(Parity a, Parity by) {
  a.unknown |= spoil(by).unknown;
  a.any &= a.unknown == 0;
  return a;
}

static Symmetry hermitian() { return {Parity::even(), Parity::oddIn(mirror)}; }

/// The symmetry that a type has, whatever made the value.
static std::optional<Symmetry> getOfType(Type type) {
  auto field = dyn_cast<FieldType>(type);
  if (!field)
    return std::nullopt;
  ArrayRef<DimAttr> dims = field.getDims();
  if (llvm::all_of(dims, [](DimAttr dim) { return dim.isSpace(); }))
    return Symmetry::both(Parity::even());
  if (isa<ComplexType>(field.getElementType()) &&
      llvm::any_of(dims, [](DimAttr dim) { return dim.isHalf(); }))
    return hermitian();
  return std::nullopt;
}

/// n, if the value is that whole number.
static std::optional<int64_t> getWholeNumber(Value value) {
  FloatAttr number;
  IntegerAttr integer;
  if (matchPattern(value, m_Constant(&number))) {
    double x = number.getValueAsDouble();
    if (std::abs(x) < 1e6 && x == std::floor(x))
      return int64_t(x);
  } else if (matchPattern(value, m_Constant(&integer))) {
    return integer.getInt();
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

uint64_t Parities::getSign(DimAttr dim) {
  if (dim.isSpace() || dim.getExtent() <= 2)
    return 0;
  if (dim.isHalf() || dim.getExtent() % 2 == 1)
    return mirror;
  // Labels name dims of one extent. Dims beyond the last bit share it; what is
  // odd in one of them then only seems to be the product of both.
  auto [place, isNew] = signs.try_emplace(dim.getLabel(), 0);
  if (isNew)
    place->second = uint64_t(1) << signs.size();
  return place->second;
}

SmallVector<DimAttr> Parities::getDims(uint64_t wanted,
                                       ArrayRef<DimAttr> dims) {
  SmallVector<DimAttr> result;
  for (DimAttr dim : dims)
    if (uint64_t sign = getSign(dim); sign != mirror && (sign & wanted))
      result.push_back(dim);
  return result;
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

Parities::Parities(ModuleOp module) : functions(module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!isPlain(function))
      pending.insert(function);
  while (!pending.empty())
    visitAll(pending.front());
}

static bool hasSpaceDims(Type type) {
  auto field = dyn_cast<FieldType>(type);
  return !field || llvm::all_of(field.getDims(),
                                [](DimAttr dim) { return dim.isSpace(); });
}

bool Parities::isPlain(func::FuncOp function) {
  auto [known, isNew] = plain.try_emplace(function, true);
  if (!isNew)
    return known->second;
  auto isPlainOp = [&](Operation *op) {
    if (isa<func::CallOp, JVPOp, VJPOp>(op))
      return isPlain(lookUp(op->getAttrOfType<FlatSymbolRefAttr>("callee")));
    if (auto domain = dyn_cast<DomainOpInterface>(op))
      return llvm::all_of(domain.getDomainDims(),
                          [](DimAttr dim) { return dim.isSpace(); });
    return true;
  };
  const WalkResult result = function.walk([&](Operation *op) {
    return llvm::all_of(op->getResultTypes(), hasSpaceDims) && isPlainOp(op)
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  const bool isPlainHere =
      !result.wasInterrupted() &&
      llvm::all_of(function.getArgumentTypes(), hasSpaceDims) &&
      !function->hasAttr("pm.adjoint");
  plain[function] = isPlainHere;
  return isPlainHere;
}

/// Visits the ops of a function until nothing changes. Without loops, once is
/// enough. A call visits the function that it calls first, so that most
/// functions are visited once.
void Parities::visitAll(func::FuncOp function) {
  pending.remove(function);
  llvm::SaveAndRestore<func::FuncOp> caller(current, function);
  llvm::SaveAndRestore<bool> outside(changed, false), around(hasLoops, false);
  bool changesCallers = false;
  do {
    changed = false;
    visit(function);
    visitInside(function.getBody());
    visitFunction(function); // its results are known now
    changesCallers |= changed;
  } while (changed && hasLoops);
  if (changesCallers)
    for (func::FuncOp other : callers[function])
      pending.insert(other);
}

/// An op with regions is visited twice: before them, for the parities of their
/// arguments, and after them, for those of its results.
void Parities::visitInside(Region &region) {
  for (Block &block : region)
    for (Operation &op : block) {
      visit(&op);
      if (op.getNumRegions() == 0)
        continue;
      for (Region &inner : op.getRegions())
        visitInside(inner);
      visit(&op);
    }
}

void Parities::join(Value value, Symmetry symmetry) {
  Symmetry &known = this->known[value];
  Symmetry joined{::join(known.re, symmetry.re), ::join(known.im, symmetry.im)};
  if (joined == known)
    return;
  known = joined;
  changed = true;
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto function =
            dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
        function && function != current)
      pending.insert(function);
}

void Parities::joinAll(ValueRange values, ValueRange from) {
  for (auto [value, other] : llvm::zip_equal(values, from))
    join(value, get(other));
}

void Parities::copyBody(DomainOpInterface op, const IRMapping &copies) {
  auto copy = [&](Value value) {
    Symmetry symmetry = get(value);
    known[copies.lookup(value)] = symmetry;
  };
  op->walk([&](Operation *inner) {
    for (Region &region : inner->getRegions())
      llvm::for_each(region.getArguments(), copy);
    if (inner != op.getOperation())
      llvm::for_each(inner->getResults(), copy);
  });
}

void Parities::visit(Operation *op) {
  // Results whose type says all need no more.
  for (Value result : op->getResults())
    if (std::optional<Symmetry> symmetry = getOfType(result.getType()))
      known[result] = *symmetry;
  if (visitArithmetic(op))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](func::FuncOp function) { visitFunction(function); })
      .Case([&](DomainOpInterface domain) { visitDomain(domain); })
      .Case([&](func::CallOp call) {
        visitCall(op, call.getCalleeAttr(), call.getOperands());
      })
      .Case<JVPOp, VJPOp>([&](auto derivative) {
        visitCall(op, derivative.getCalleeAttr(), derivative.getArgs());
        if (!isPlain(lookUp(derivative.getCalleeAttr())))
          visitDerivative(derivative);
      })
      .Case<scf::ForOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp>(
          [&](auto) { visitLoop(op); })
      .Case([](scf::IfOp) {})
      .Default([&](Operation *) {
        if (op->hasTrait<KeepsModes>())
          join(op->getResult(0), get(op->getOperand(0)));
        else
          visitOther(op);
      });
}

/// A function of values that it does not change with the mode itself.
void Parities::visitOther(Operation *op) {
  Parity result = Parity::even();
  auto add = [&](Value value) {
    Symmetry symmetry = get(value);
    result = spoil(spoil(result, symmetry.re), symmetry.im);
  };
  llvm::for_each(op->getOperands(), add);
  if (op->getNumRegions()) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    llvm::for_each(captured, add);
  }
  if (isa<FFTOp, IFFTOp>(op))
    result = Parity::none();
  for (Value value : op->getResults())
    if (!getOfType(value.getType()))
      join(value, Symmetry::both(result));
}

//===----------------------------------------------------------------------===//
// Loops over dims
//===----------------------------------------------------------------------===//

void Parities::visitDomain(DomainOpInterface op) {
  for (auto [input, argument] :
       llvm::zip(op.getDomainInputs(), op.getDomainBody()->getArguments()))
    join(argument, get(input));
  ValueRange yields = op.getDomainBody()->getTerminator()->getOperands();
  if (auto reduce = dyn_cast<ReduceOp>(op.getOperation())) {
    visitReduce(reduce);
  } else if (isa<MapOp>(op)) {
    for (auto [result, value] : llvm::zip_equal(op->getResults(), yields))
      if (!getOfType(result.getType()))
        join(result, get(value));
  } else {
    for (Value result : op->getResults())
      if (!getOfType(result.getType()))
        join(result, Symmetry::both(Parity::none()));
  }
}

/// The mirrored result is that of mirrored values, which are those of other
/// modes where they are not even in the sign of a dim that goes.
void Parities::visitReduce(ReduceOp op) {
  for (Value number : op.getScalars())
    join(number, Symmetry::both(Parity::even()));
  ValueRange yields = op.getBody().front().getTerminator()->getOperands();
  for (auto [field, value] : llvm::zip(op.getFields(), yields)) {
    if (getOfType(field.getType()))
      continue;
    Parity parity = real(value);
    uint64_t gone = 0;
    for (DimAttr dim : op.getDomain().getDims())
      if (!llvm::is_contained(cast<FieldType>(field.getType()).getDims(), dim))
        gone |= getSign(dim) & ~mirror;
    if (((parity.odd | parity.unknown) & gone) ||
        (op.getKind() != Reduction::Sum && !parity.isEven()))
      parity = Parity::none();
    join(field, Symmetry::both(parity));
  }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

func::FuncOp Parities::lookUp(FlatSymbolRefAttr name) {
  return functions.lookup<func::FuncOp>(name.getAttr());
}

static ValueRange getReturned(func::FuncOp function) {
  return function.front().getTerminator()->getOperands();
}

/// Those that have derivatives.
static SmallVector<Value> listDifferentiable(ValueRange values) {
  return llvm::filter_to_vector(
      values, [](Value value) { return hasTangent(value.getType()); });
}

void Parities::visitFunction(func::FuncOp function) {
  for (Value argument : function.getArguments()) {
    if (std::optional<Symmetry> symmetry = getOfType(argument.getType()))
      known[argument] = *symmetry;
    else if (!isa<FieldType>(argument.getType()))
      known[argument] = Symmetry::both(Parity::even());
  }
  // Arguments and cotangents of results to cotangents of arguments.
  auto name = function->getAttrOfType<FlatSymbolRefAttr>("pm.adjoint");
  if (!name)
    return;
  func::FuncOp adjoint = lookUp(name);
  SmallVector<Value> given(function.getArguments());
  llvm::append_range(given, listDifferentiable(getReturned(function)));
  joinAll(adjoint.getArguments(), given);
}

void Parities::visitCall(Operation *op, FlatSymbolRefAttr callee,
                         ValueRange args) {
  func::FuncOp function = lookUp(callee);
  if (isPlain(function)) {
    for (Value result : op->getResults())
      if (!getOfType(result.getType()))
        join(result, Symmetry::both(Parity::even()));
    return;
  }
  joinAll(function.getArguments(), args);
  if (pending.contains(function))
    visitAll(function);
  callers[function].insert(current);
  ValueRange returned = getReturned(function);
  joinAll(op->getResults().take_front(returned.size()), returned);
}

/// A tangent is like what it is the tangent of, in and out.
void Parities::visitDerivative(JVPOp op) {
  func::FuncOp function = lookUp(op.getCalleeAttr());
  for (auto [position, tangent] : llvm::zip(op.getWrt(), op.getTangents()))
    join(function.getArgument(unsigned(position)), get(tangent));
  ValueRange returned = getReturned(function);
  joinAll(op.getResults().drop_front(returned.size()),
          listDifferentiable(returned));
}

/// The stored half of a cotangent stands for the rest of it as that of the
/// argument does.
void Parities::visitDerivative(VJPOp op) {
  func::FuncOp function = lookUp(op.getCalleeAttr());
  unsigned next = getReturned(function).size();
  for (int64_t position : op.getWrt())
    join(op.getResults()[next++],
         get(function.getArgument(unsigned(position))));
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void Parities::visitLoop(Operation *op) {
  auto joinUnder = [&](ValueRange values, ValueRange from, Parity condition) {
    for (auto [value, other] : llvm::zip_equal(values, from)) {
      Symmetry symmetry = get(other);
      join(value,
           {spoil(symmetry.re, condition), spoil(symmetry.im, condition)});
    }
  };
  hasLoops |= isa<scf::ForOp, scf::WhileOp>(op);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    Parity bounds = Parity::even();
    for (Value bound :
         {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      bounds = spoil(bounds, real(bound));
    join(loop.getInductionVar(), Symmetry::both(bounds));
    joinUnder(loop.getRegionIterArgs(), loop.getInitArgs(), bounds);
    joinUnder(loop.getResults(), loop.getInitArgs(), bounds);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    joinAll(loop.getBeforeArguments(), loop.getInits());
  } else if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
    auto loop = cast<scf::WhileOp>(op->getParentOp());
    Parity of = real(condition.getCondition());
    joinUnder(loop.getAfterArguments(), condition.getArgs(), of);
    joinUnder(loop.getResults(), condition.getArgs(), of);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op->getParentOp())) {
    joinAll(loop.getBeforeArguments(), op->getOperands());
  } else if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp())) {
    joinAll(loop.getRegionIterArgs(), op->getOperands());
    joinAll(loop.getResults(), op->getOperands());
  } else if (auto branch = dyn_cast<scf::IfOp>(op->getParentOp())) {
    joinUnder(branch.getResults(), op->getOperands(),
              real(branch.getCondition()));
  }
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// x^n of whole n.
static Parity raise(Parity base, Value exponent) {
  std::optional<int64_t> n = getWholeNumber(exponent);
  if (!n)
    return spoil(base);
  return *n % 2 == 0 ? dropSign(base) : base;
}

/// Where the signs of both are one, so is the answer.
static bool comparesEquality(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compare.getPredicate() == arith::CmpIPredicate::eq ||
           compare.getPredicate() == arith::CmpIPredicate::ne;
  using arith::CmpFPredicate;
  return llvm::is_contained({CmpFPredicate::OEQ, CmpFPredicate::UEQ,
                             CmpFPredicate::ONE, CmpFPredicate::UNE},
                            cast<arith::CmpFOp>(op).getPredicate());
}

bool Parities::visitArithmetic(Operation *op) {
  auto operand = [&](unsigned i) { return real(op->getOperand(i)); };
  auto set = [&](Parity parity) {
    join(op->getResult(0), {parity, Parity::even()});
    return true;
  };
  using namespace arith;
  using namespace math;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto number = dyn_cast<FloatAttr>(constant.getValue());
    return set(number && number.getValue().isZero() ? Parity()
                                                    : Parity::even());
  }
  if (auto coordinate = dyn_cast<CoordinateOp>(op)) {
    auto domain = op->getParentOfType<DomainOpInterface>();
    int d = findDim(domain.getDomainDims(), coordinate.getDim());
    return set(Parity::oddIn(getSign(domain.getDomainDims()[size_t(d)])));
  }
  if (auto made = dyn_cast<complex::CreateOp>(op)) {
    join(made, {real(made.getReal()), real(made.getImaginary())});
    return true;
  }
  if (isa<complex::ReOp>(op))
    return set(get(op->getOperand(0)).re);
  if (isa<complex::ImOp>(op))
    return set(get(op->getOperand(0)).im);
  if (isa<AddFOp, SubFOp, AddIOp, SubIOp>(op))
    return set(::join(operand(0), operand(1)));
  if (isa<MulFOp, DivFOp, MulIOp>(op))
    return set(multiply(operand(0), operand(1)));
  if (isa<FmaOp>(op))
    return set(::join(multiply(operand(0), operand(1)), operand(2)));
  if (isa<NegFOp, ExtFOp, TruncFOp, SIToFPOp, FPToSIOp, SinOp, SinhOp, TanOp,
          TanhOp, AsinOp, AsinhOp, AtanOp, AtanhOp, ErfOp, CbrtOp, RoundOp,
          RoundEvenOp, TruncOp>(op))
    return set(operand(0));
  if (isa<AbsFOp, CosOp, CoshOp>(op))
    return set(dropSign(operand(0)));
  if (isa<PowFOp, FPowIOp>(op))
    return set(spoil(raise(operand(0), op->getOperand(1)), operand(1)));
  if (isa<Atan2Op, RemFOp>(op))
    return set(spoil(operand(0), operand(1)));
  if (isa<CmpFOp, CmpIOp>(op)) {
    Parity both = ::join(operand(0), operand(1));
    return set(comparesEquality(op)
                   ? dropSign(both)
                   : spoil(spoil(Parity::even(), operand(0)), operand(1)));
  }
  if (auto select = dyn_cast<SelectOp>(op)) {
    Parity condition = operand(0);
    Symmetry a = get(select.getTrueValue()), b = get(select.getFalseValue());
    join(select, {spoil(::join(a.re, b.re), condition),
                  spoil(::join(a.im, b.im), condition)});
    return true;
  }
  return false;
}
