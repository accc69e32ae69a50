//===- ExactSums.cpp - Sums that are the same in any order ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of n numbers, none larger than m, and with e the power of two above m and n
// at most 2^p: (v + c) - c, c = 3 e 2^p, is v rounded to a multiple of e 2^(p -
// 51). Sums of these stay below 4 e 2^p, so that they have at most 53 bits, and
// no addition rounds. What is left of v is at most e 2^(p - 52), and is summed
// in the same way. What is left of that, n numbers of e 2^(2p - 104), is far
// below the rounding of a sum in f64.
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Forms/PMUpdates.h"
#include "dialect/IR/Markers/PMDeterministic.h"
#include "dialect/Mesh/Layout.h"
#include "passes/Optimize/Fusion/DomainRewrite.h"
#include "passes/Optimize/ResultTypes.h"
#include "passes/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#include <cmath>
#include <limits>

namespace pmc::passes {
#define GEN_PASS_DEF_EXACTSUMS
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// Of weights that are numbers, on f32: one word rounds what a particle adds to
/// 2^-24 of a weight of 1. Where weights are not known, a large one is among
/// small ones.
static constexpr unsigned mostParticlesOfOneWord = 27;
static constexpr unsigned words = 2;

static int64_t count(ArrayRef<DimAttr> dims) {
  int64_t cells = 1;
  for (DimAttr dim : dims)
    cells *= dim.getStoredExtent();
  return cells;
}

static Value constant(OpBuilder &builder, Location loc, double value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getF64FloatAttr(value));
}

static Value toF64(OpBuilder &builder, Location loc, Value value) {
  if (value.getType().isF64())
    return value;
  return arith::ExtFOp::create(builder, loc, builder.getF64Type(), value);
}

/// No number that this value of a body is, all of which are whole, is larger;
/// none if they may not be whole.
static std::optional<double> getWhole(Value value) {
  APFloat number(0.0);
  if (matchPattern(value, m_ConstantFloat(&number))) {
    double size = std::abs(number.convertToDouble());
    return size == std::floor(size) ? std::optional(size) : std::nullopt;
  }
  if (auto choice = value.getDefiningOp<arith::SelectOp>()) {
    auto a = getWhole(choice.getTrueValue()),
         b = getWhole(choice.getFalseValue());
    return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
  }
  if (auto product = value.getDefiningOp<arith::MulFOp>()) {
    auto a = getWhole(product.getLhs()), b = getWhole(product.getRhs());
    return a && b ? std::optional(*a * *b) : std::nullopt;
  }
  if (auto cast = value.getDefiningOp<arith::ExtFOp>())
    return getWhole(cast.getIn());
  if (auto cast = value.getDefiningOp<arith::UIToFPOp>();
      cast && cast.getIn().getType().isInteger(1))
    return 1;
  return std::nullopt;
}

/// Whether at most one element of those that are summed to a result is not 0.
static bool isSlice(ReduceOp op) {
  auto domain = cast<DomainOpInterface>(op.getOperation());
  if (op.getFields().empty())
    return false;
  auto kept = cast<FieldType>(op.getFields().front().getType()).getDims();
  if (kept.size() + 1 != domain.getDomainDims().size())
    return false;
  for (Value value : domain.getDomainBody()->getTerminator()->getOperands()) {
    auto support = getSupport(value);
    auto range = support ? getRange(domain, *support) : std::nullopt;
    if (!range || range->end - range->first != 1 ||
        findDim(kept, range->dim) >= 0)
      return false;
  }
  return true;
}

/// The power of two above the number.
static Value buildTop(OpBuilder &builder, Location loc, Value most) {
  // Its steps are numbers with all their bits.
  most = arith::MaximumFOp::create(builder, loc, most,
                                   constant(builder, loc, 1e-290));
  Type i64 = builder.getI64Type();
  Value bits = arith::BitcastOp::create(builder, loc, i64, most);
  Value mask = arith::ConstantOp::create(
      builder, loc, builder.getI64IntegerAttr(0x7ff0000000000000));
  Value power =
      arith::BitcastOp::create(builder, loc, builder.getF64Type(),
                               arith::AndIOp::create(builder, loc, bits, mask));
  return arith::MulFOp::create(builder, loc, power, constant(builder, loc, 2));
}

/// The steps of sums of so many numbers below `top`. Where they would overflow,
/// numbers are cut by the largest step there is: their sums may round.
static SmallVector<Value> buildSteps(OpBuilder &builder, Location loc,
                                     Value top, int64_t numbers, unsigned n) {
  auto bits = int(llvm::Log2_64_Ceil(uint64_t(numbers)));
  top = arith::MinimumFOp::create(
      builder, loc, top, constant(builder, loc, std::ldexp(1.0, 1018 - bits)));
  SmallVector<Value> steps;
  for (unsigned word = 0; word < n; ++word) {
    double factor = std::ldexp(3.0, bits + int(word) * (bits - 52));
    steps.push_back(arith::MulFOp::create(builder, loc, top,
                                          constant(builder, loc, factor)));
  }
  return steps;
}

/// The field's words, added.
static Value buildField(OpBuilder &builder, Location loc, FieldType type,
                        ValueRange parts) {
  auto map = MapOp::create(builder, loc, TypeRange(type),
                           DimsAttr::get(type.getContext(), type.getDims()),
                           parts, ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&map.getBody());
  Value sum;
  for (size_t i = 0; i < parts.size(); ++i) {
    Value part = body->addArgument(builder.getF64Type(), loc);
    sum =
        sum ? arith::AddFOp::create(builder, loc, sum, part).getResult() : part;
  }
  if (type.getElementType() != sum.getType())
    sum = arith::TruncFOp::create(builder, loc, type.getElementType(), sum);
  YieldOp::create(builder, loc, sum);
  return map.getResult(0);
}

namespace {

/// One op, which is replaced.
class Sums {
public:
  explicit Sums(DomainOpInterface op)
      : op(op), loc(op->getLoc()), builder(op.getOperation()) {}

protected:
  Operation *yield() { return op.getDomainBody()->getTerminator(); }

  /// Of several numbers of each element, the largest of all elements: `build`
  /// makes them, f64, of the values of the body that `yield` has.
  using Build = llvm::function_ref<SmallVector<Value>(OpBuilder &, ValueRange)>;
  SmallVector<Value> buildMost(size_t numbers, Build build) {
    SmallVector<Type> types(numbers, builder.getF64Type());
    auto most =
        ReduceOp::create(builder, loc, types, TypeRange(), Reduction::Max,
                         DimsAttr::get(op->getContext(), op.getDomainDims()),
                         op.getDomainInputs(), ValueRange());
    IRMapping mapping;
    op.getDomainBody()->getParent()->cloneInto(&most.getBody(), mapping);
    Block &body = most.getBody().front();
    Operation *end = body.getTerminator();
    OpBuilder inside(end);
    YieldOp::create(inside, loc, build(inside, end->getOperands()));
    end->erase();
    return llvm::to_vector_of<Value>(
        cast<ReduceOp>(simplify(cast<DomainOpInterface>(most.getOperation())))
            .getScalars());
  }

  /// 0 where it is not finite: other numbers are cut as if it were not there.
  Value buildSize(OpBuilder &inside, Value value) {
    Value size = math::AbsFOp::create(inside, loc, toF64(inside, loc, value));
    Value isFinite = arith::CmpFOp::create(
        inside, loc, arith::CmpFPredicate::OLT, size,
        constant(inside, loc, std::numeric_limits<double>::infinity()));
    return arith::SelectOp::create(inside, loc, isFinite, size,
                                   constant(inside, loc, 0));
  }

  DomainOpInterface op;
  Location loc;
  OpBuilder builder;
};

/// Sums of what the body yields, after `first` values: reductions and bins.
class Reductions : public Sums {
public:
  using Sums::Sums;

  /// `numbers`: that are added to one result. `remake` makes the op with a
  /// result a word, and returns the results.
  template <class Remake>
  void replace(size_t first, int64_t numbers, Remake remake) {
    SmallVector<unsigned> cuts;
    for (auto [i, value] :
         llvm::enumerate(yield()->getOperands().drop_front(first)))
      if (auto whole = getWhole(value);
          !whole || *whole * double(numbers) > 0x1p53)
        cuts.push_back(unsigned(i));
    if (cuts.empty())
      return;
    SmallVector<Value> mosts =
        buildMost(cuts.size(), [&](OpBuilder &inside, ValueRange values) {
          return llvm::map_to_vector(cuts, [&](unsigned i) {
            return buildSize(inside, values[first + i]);
          });
        });
    size_t results = yield()->getNumOperands() - first;
    SmallVector<SmallVector<Value>> steps(results);
    for (auto [i, most] : llvm::zip_equal(cuts, mosts))
      steps[i] = buildSteps(builder, loc, buildTop(builder, loc, most), numbers,
                            words);
    OpBuilder inside(yield());
    SmallVector<Value> parts(yield()->getOperands().take_front(first));
    for (size_t i = 0; i < results; ++i) {
      Value value = toF64(inside, loc, yield()->getOperand(first + i));
      if (steps[i].empty())
        parts.push_back(value);
      else
        cutNumber(inside, loc, value, steps[i],
                  [&](size_t, Value part) { parts.push_back(part); });
    }
    yield()->setOperands(parts);
    SmallVector<Value> sums = remake(parts.size() - first);
    ArrayRef<Value> rest = sums;
    for (auto [result, step] : llvm::zip_equal(op->getResults(), steps)) {
      size_t n = std::max<size_t>(step.size(), 1);
      result.replaceAllUsesWith(add(result.getType(), rest.take_front(n)));
      rest = rest.drop_front(n);
    }
    op->erase();
  }

  SmallVector<Type> fieldTypes(size_t n) {
    ArrayRef<DimAttr> dims =
        cast<FieldType>(op->getResult(0).getType()).getDims();
    return SmallVector<Type>(
        n, FieldType::get(op->getContext(), dims, builder.getF64Type()));
  }

private:
  Value add(Type type, ArrayRef<Value> parts) {
    if (auto field = dyn_cast<FieldType>(type))
      return parts.size() == 1 && parts.front().getType() == type
                 ? parts.front()
                 : buildField(builder, loc, field, parts);
    if (parts.size() == 1)
      return parts.front();
    return arith::AddFOp::create(builder, loc, parts[0], parts[1]);
  }
};

class Paints : public Sums {
public:
  explicit Paints(ScatterOp op)
      : Sums(cast<DomainOpInterface>(op.getOperation())), scatter(op) {}

  void replace() {
    GridType mesh = scatter.getMeshType();
    Type element = mesh.getElementType();
    ArrayRef<DimAttr> domain = op.getDomainDims();
    int64_t particles = count(domain);
    SmallVector<Value> bounds = buildBounds(element);
    bool areKnown = llvm::all_of(
        bounds, [](Value bound) { return matchPattern(bound, m_Constant()); });
    bool areFew = particles <= int64_t(1) << mostParticlesOfOneWord;
    unsigned each = element.isF32() && areKnown && areFew ? 1 : words;
    SmallVector<Value> steps;
    for (Value most : bounds)
      llvm::append_range(steps,
                         buildSteps(builder, loc, buildTop(builder, loc, most),
                                    particles, each));
    roundWeights(element);
    SmallVector<Type> types(
        steps.size(),
        FieldType::get(op->getContext(), mesh.getDims(), builder.getF64Type()));
    auto made = ScatterOp::create(
        builder, loc, types, TypeRange(), scatter.getWindow(),
        scatter.getDomainAttr(), scatter.getFree(), scatter.getOrdersAttr(),
        scatter.getInputs(), ValueRange(), Value(),
        builder.getI64IntegerAttr(each), steps, DenseI64ArrayAttr());
    made->setDiscardableAttrs(scatter->getDiscardableAttrDictionary());
    made.getBody().takeBody(scatter.getBody());
    ValueRange rest = made.getResults();
    for (Value result : scatter.getResults()) {
      result.replaceAllUsesWith(buildField(builder, loc,
                                           cast<FieldType>(result.getType()),
                                           rest.take_front(each)));
      rest = rest.drop_front(each);
    }
    scatter.erase();
  }

private:
  /// What a particle of weight 1 adds to a cell at most. Splines are between 0
  /// and 1; their derivatives are differences of two, and differences of these.
  double getMost(size_t weight) {
    WindowAttr window = scatter.getWindow();
    size_t rank = scatter.getMeshType().getDims().size();
    double most = 1;
    for (size_t d = 0; d < rank; ++d) {
      int64_t order =
          scatter.getOrders() ? (*scatter.getOrders())[weight * rank + d] : 0;
      most *= window.isSpline() || window.isBatch(d)
                  ? std::ldexp(1.0, std::max(0, int(order) - 1))
                  : window.getBound(order);
    }
    return most;
  }

  /// Of each mesh, f64: what a particle adds to a cell at most.
  SmallVector<Value> buildBounds(Type element) {
    size_t meshes = scatter.getNumMeshes();
    SmallVector<Value> weights(scatter.getYieldedWeights());
    size_t each = weights.size() / meshes;
    size_t first = scatter.getYieldedOffsets().size();
    SmallVector<double> sizes(meshes, 0);
    bool isConstant = true;
    for (auto [w, weight] : llvm::enumerate(weights)) {
      APFloat value(0.0);
      isConstant = isConstant && matchPattern(weight, m_ConstantFloat(&value));
      double size = std::abs(value.convertToDouble());
      sizes[w / each] +=
          (element.isF32() ? double(float(size)) : size) * getMost(w);
    }
    if (isConstant)
      return llvm::map_to_vector(
          sizes, [&](double size) { return constant(builder, loc, size); });
    bool selects = bool(scatter.getSelection());
    return buildMost(meshes, [&](OpBuilder &inside, ValueRange values) {
      SmallVector<Value> all;
      for (size_t m = 0; m < meshes; ++m) {
        Value sum = constant(inside, loc, 0);
        for (size_t w = m * each; w < (m + 1) * each; ++w) {
          Value size = arith::MulFOp::create(
              inside, loc, buildSize(inside, values[first + w]),
              constant(inside, loc, getMost(w)));
          sum = arith::AddFOp::create(inside, loc, sum, size);
        }
        if (selects)
          sum = arith::SelectOp::create(inside, loc, values.back(), sum,
                                        constant(inside, loc, 0));
        all.push_back(sum);
      }
      return all;
    });
  }

  /// Weights as the mesh would have them.
  void roundWeights(Type element) {
    OpBuilder inside(yield());
    size_t first = scatter.getYieldedOffsets().size();
    for (size_t w = 0, n = scatter.getYieldedWeights().size(); w < n; ++w) {
      Value weight = yield()->getOperand(first + w);
      if (weight.getType() == element)
        continue;
      if (element.isF32())
        weight = arith::TruncFOp::create(inside, loc, element, weight);
      else
        weight = arith::ExtFOp::create(inside, loc, element, weight);
      yield()->setOperand(first + w, weight);
    }
  }

  ScatterOp scatter;
};

void makeExact(ReduceOp op) {
  if (op.getKind() != Reduction::Sum || isSlice(op))
    return;
  auto domain = cast<DomainOpInterface>(op.getOperation());
  OpBuilder builder(op);
  int64_t numbers = count(domain.getDomainDims());
  if (!op.getFields().empty())
    numbers /=
        count(cast<FieldType>(op.getFields().front().getType()).getDims());
  Reductions sums(domain);
  sums.replace(0, numbers, [&](size_t n) {
    bool isField = !op.getFields().empty();
    auto made = ReduceOp::create(
        builder, op.getLoc(),
        isField ? SmallVector<Type>()
                : SmallVector<Type>(n, builder.getF64Type()),
        isField ? sums.fieldTypes(n) : SmallVector<Type>(), op.getKind(),
        op.getDomainAttr(), op.getInputs(), ValueRange());
    made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    made.getBody().takeBody(op.getBody());
    // The op that goes has a body.
    return llvm::to_vector_of<Value>(made->getResults());
  });
}

void makeExact(BinsOp op) {
  auto domain = cast<DomainOpInterface>(op.getOperation());
  OpBuilder builder(op);
  Reductions sums(domain);
  sums.replace(1, count(domain.getDomainDims()), [&](size_t n) {
    auto made =
        BinsOp::create(builder, op.getLoc(), sums.fieldTypes(n),
                       op.getDomainAttr(), op.getInputs(), ValueRange());
    made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    made.getBody().takeBody(op.getBody());
    return llvm::to_vector_of<Value>(made->getResults());
  });
}

/// Dims of which each list has some, in its order; none if there is no such
/// order.
std::optional<SmallVector<DimAttr>>
merge(SmallVector<ArrayRef<DimAttr>> lists) {
  SmallVector<DimAttr> all;
  while (true) {
    llvm::erase_if(lists, [](ArrayRef<DimAttr> list) { return list.empty(); });
    if (lists.empty())
      return all;
    auto next = llvm::find_if(lists, [&](ArrayRef<DimAttr> list) {
      return llvm::none_of(lists, [&](ArrayRef<DimAttr> other) {
        return llvm::is_contained(other.drop_front(), list.front());
      });
    });
    if (next == lists.end())
      return std::nullopt;
    DimAttr dim = next->front();
    all.push_back(dim);
    for (ArrayRef<DimAttr> &list : lists)
      if (list.front() == dim)
        list = list.drop_front();
  }
}

/// The product of a contraction's fields, summed by a loop.
ReduceOp buildLoop(OpBuilder &builder, ContractOp op) {
  auto target = cast<FieldType>(op.getResult().getType());
  auto domain = merge({cast<FieldType>(op.getLhs().getType()).getDims(),
                       cast<FieldType>(op.getRhs().getType()).getDims(),
                       target.getDims()});
  if (!domain)
    return {};
  auto loop = ReduceOp::create(
      builder, op.getLoc(), TypeRange(), TypeRange(target), Reduction::Sum,
      DimsAttr::get(op.getContext(), *domain), op.getOperands(), ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  Type element = target.getElementType();
  Block *body = builder.createBlock(&loop.getBody(), {}, {element, element},
                                    {op.getLoc(), op.getLoc()});
  YieldOp::create(
      builder, op.getLoc(),
      Value(arith::MulFOp::create(builder, op.getLoc(), body->getArgument(0),
                                  body->getArgument(1))));
  return loop;
}

/// The sum of a field over these dims.
ReduceOp buildSum(OpBuilder &builder, Value field, FieldType target) {
  Location loc = field.getLoc();
  auto type = cast<FieldType>(field.getType());
  auto sum = ReduceOp::create(
      builder, loc, TypeRange(), TypeRange(target), Reduction::Sum,
      DimsAttr::get(type.getContext(), type.getDims()), field, ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  Block *body =
      builder.createBlock(&sum.getBody(), {}, type.getElementType(), loc);
  YieldOp::create(builder, loc, Value(body->getArgument(0)));
  return sum;
}

/// A rank adds up what it has of the dims that are not split, in their order.
/// Those that are split are summed afterwards, exactly.
template <class Op> void splitSum(Op op, const Layout &layout) {
  SmallVector<DimAttr> split;
  for (auto [dim, cut] : llvm::zip_equal(op.getContractedDims(),
                                         layout.get(op.getContractedDims())))
    if (!cut.getAxes().empty())
      split.push_back(dim);
  if (split.empty())
    return;
  auto target = cast<FieldType>(op.getResult().getType());
  SmallVector<DimAttr> dims(split);
  llvm::append_range(dims, target.getDims());
  OpBuilder builder(op);
  ReduceOp sum;
  if constexpr (std::is_same_v<Op, ContractOp>) {
    // What would be kept for each cell of the split dims may be larger than all
    // that is read.
    int64_t read = 0;
    for (Value field : op.getOperands())
      read += count(cast<FieldType>(field.getType()).getDims());
    if (count(dims) > read)
      sum = buildLoop(builder, op);
  }
  if (!sum) {
    auto type = FieldType::get(op.getContext(), dims, target.getElementType());
    auto part = cast<Op>(withResultTypes(op, type));
    sum = buildSum(builder, part.getResult(), target);
  }
  op.getResult().replaceAllUsesWith(sum.getFields().front());
  op->erase();
  makeExact(sum);
}

class ExactSumsPass : public pmc::passes::impl::ExactSumsBase<ExactSumsPass> {
public:
  void runOnOperation() override {
    if (!isDeterministic(getOperation()))
      return;
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<ReduceOp, BinsOp, ScatterOp, ContractOp, ConvolveOp>(op))
        ops.push_back(op);
    });
    const Layout layout(getOperation()->getParentOfType<ModuleOp>());
    for (Operation *op : ops) {
      if (auto reduce = dyn_cast<ReduceOp>(op))
        makeExact(reduce);
      else if (auto contract = dyn_cast<ContractOp>(op))
        splitSum(contract, layout);
      else if (auto convolve = dyn_cast<ConvolveOp>(op))
        splitSum(convolve, layout);
      else if (auto bins = dyn_cast<BinsOp>(op))
        makeExact(bins);
      else
        Paints(cast<ScatterOp>(op)).replace();
    }
  }
};

} // namespace
