//===- Contractions.cpp - Sums of products of two fields ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a sum adds is a sum of products. Each product is taken apart into
// factors, through the maps that made it. A factor has the dims of the fields
// and coordinates that it is computed from. If the factors fall into two
// groups, of which each lacks a dim that the sum keeps, and if what is summed
// over is in both, this is a contraction.
//
// The sum of a complex product has two results. Each is the sum or difference
// of two contractions of real fields.
//
//===----------------------------------------------------------------------===//

#include "passes/Expand/Convolutions.h"
#include "passes/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"

#include <vector>

namespace pmc::passes {
#define GEN_PASS_DEF_FINDCONTRACTIONS
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

using Dims = SmallVector<DimAttr>;

static bool contains(ArrayRef<DimAttr> dims, DimAttr dim) {
  return llvm::is_contained(dims, dim);
}

static bool containsAll(ArrayRef<DimAttr> dims, ArrayRef<DimAttr> some) {
  return llvm::all_of(some, [&](DimAttr dim) { return contains(dims, dim); });
}

static int64_t countCells(ArrayRef<DimAttr> dims) {
  int64_t cells = 1;
  for (DimAttr dim : dims)
    cells *= dim.getExtent();
  return cells;
}

namespace {

/// A number in the body of a loop over the sum's domain.
struct Element {
  Value value;
  DomainOpInterface loop;
};

} // namespace

static Value getYielded(DomainOpInterface loop, unsigned number) {
  return loop.getDomainBody()->getTerminator()->getOperand(number);
}

/// The field that this is the element of; null if it is none.
static Value getFieldOf(const Element &element) {
  auto argument = dyn_cast<BlockArgument>(element.value);
  DomainOpInterface loop = element.loop;
  return argument && argument.getOwner() == loop.getDomainBody()
             ? loop.getDomainInputs()[argument.getArgNumber()]
             : Value();
}

/// The number in the body of the map over the same domain that computed it, and
/// so on; of a part of a complex number, the number that it was made of.
static Element findOrigin(Element element) {
  while (true) {
    if (Value field = getFieldOf(element)) {
      auto map = field.getDefiningOp<MapOp>();
      if (!map || map.getDomainDims() != element.loop.getDomainDims())
        return element;
      element = {getYielded(map, cast<OpResult>(field).getResultNumber()), map};
      continue;
    }
    Operation *part = element.value.getDefiningOp();
    if (!isa_and_present<complex::ReOp, complex::ImOp>(part))
      return element;
    Element whole = findOrigin({part->getOperand(0), element.loop});
    auto made = whole.value.getDefiningOp<complex::CreateOp>();
    if (!made)
      return element;
    element = {isa<complex::ReOp>(part) ? made.getReal() : made.getImaginary(),
               whole.loop};
  }
}

namespace {

/// A product that a sum adds or subtracts.
struct Term {
  Element product;
  bool isSubtracted;
};

/// A number in the body of a loop over the sum's domain.
struct Factor {
  Value value;
  DomainOpInterface loop; ///< in whose body it is
  Dims dims;              ///< that it depends on
};

/// The sum of one product over the domain.
class Contraction {
public:
  Contraction(ReduceOp sum, FieldType target)
      : sum(sum), domain(sum.getDomainDims()), target(target) {}

  /// Whether the sum of the product is one.
  bool match(const Term &term, int64_t fewestProducts) {
    isSubtracted = term.isSubtracted;
    return collect(term.product) && group() && pays(fewestProducts);
  }
  bool isNegative() const { return isSubtracted; }

  /// Before the sum.
  ContractOp build(OpBuilder &builder) {
    builder.setInsertionPoint(sum);
    Value lhs = buildField(builder, groups[0]),
          rhs = buildField(builder, groups[1]);
    return ContractOp::create(builder, sum.getLoc(), target, lhs, rhs,
                              ValueRange());
  }

private:
  /// Factors that one of the two fields is made of.
  struct Group {
    SmallVector<Factor> factors;
    Dims dims; ///< in the domain's order
  };

  /// The factors of a number; false if something else than products of them
  /// is in the way.
  bool collect(Element element) {
    if (element.value.getType() != target.getElementType())
      return false;
    auto [value, loop] = findOrigin(element);
    if (auto product = value.getDefiningOp<arith::MulFOp>();
        product && product->getBlock() == loop.getDomainBody())
      return collect({product.getLhs(), loop}) &&
             collect({product.getRhs(), loop});
    if (auto negative = value.getDefiningOp<arith::NegFOp>();
        negative && negative->getBlock() == loop.getDomainBody()) {
      isSubtracted = !isSubtracted;
      return collect({negative.getOperand(), loop});
    }
    Factor factor{value, loop, {}};
    if (!findDims(factor) || factor.dims.size() == domain.size())
      return false;
    factors.push_back(std::move(factor));
    return true;
  }

  /// Ops of the loop's body that the factor is computed by, in order.
  static bool getSlice(const Factor &factor, SetVector<Operation *> &slice) {
    Operation *last = factor.value.getDefiningOp();
    DomainOpInterface loop = factor.loop;
    Block *body = loop.getDomainBody();
    if (!last || !body->findAncestorOpInBlock(*last))
      return true; // an element, or a number from outside
    BackwardSliceOptions options;
    options.inclusive = true;
    options.omitUsesFromAbove = false;
    options.filter = [&](Operation *op) {
      return body->findAncestorOpInBlock(*op) == op;
    };
    if (failed(getBackwardSlice(factor.value, &slice, options)))
      return false;
    // What reads fields beside its element stays where it is.
    return llvm::all_of(slice, [](Operation *op) {
      return isPure(op) && op->getNumRegions() == 0 &&
             llvm::none_of(op->getOperandTypes(), llvm::IsaPred<FieldType>);
    });
  }

  bool findDims(Factor &factor) {
    SetVector<Operation *> slice;
    if (!getSlice(factor, slice))
      return false;
    DomainOpInterface loop = factor.loop;
    SmallVector<DimAttr> used;
    auto use = [&](Value value) {
      auto element = dyn_cast<BlockArgument>(value);
      if (element && element.getOwner() == loop.getDomainBody())
        llvm::append_range(
            used, cast<FieldType>(
                      loop.getDomainInputs()[element.getArgNumber()].getType())
                      .getDims());
    };
    use(factor.value);
    for (Operation *op : slice) {
      llvm::for_each(op->getOperands(), use);
      if (auto coordinate = dyn_cast<CoordinateOp>(op)) {
        int position = findDim(domain, coordinate.getDim());
        if (position < 0)
          return false;
        used.push_back(domain[position]);
      }
    }
    factor.dims = inOrder(used);
    return true;
  }

  Dims inOrder(ArrayRef<DimAttr> dims) const {
    Dims ordered(domain);
    llvm::erase_if(ordered, [&](DimAttr dim) { return !contains(dims, dim); });
    return ordered;
  }

  /// The factor with the most dims begins a group, and the first that this one
  /// has not all dims of, the other.
  bool group() {
    llvm::stable_sort(factors, [](const Factor &a, const Factor &b) {
      return a.dims.size() > b.dims.size();
    });
    for (Factor &factor : factors) {
      Group *group = &groups[0];
      if (!group->factors.empty() && !containsAll(group->dims, factor.dims))
        group = &groups[1];
      Dims dims = group->dims;
      llvm::append_range(dims, factor.dims);
      group->dims = inOrder(dims);
      group->factors.push_back(std::move(factor));
    }
    if (groups[1].factors.empty())
      return false;
    for (DimAttr dim : domain) {
      bool isKept = contains(target.getDims(), dim);
      bool isInBoth =
          contains(groups[0].dims, dim) && contains(groups[1].dims, dim);
      if (!isKept && !isInBoth)
        return false;
      if (!contains(groups[0].dims, dim) && !contains(groups[1].dims, dim))
        return false;
    }
    return true;
  }

  /// Of vectors a fused loop reads the larger field once, which no call beats;
  /// but the adjoint of one that reads at indices would be as large as all that
  /// is read.
  bool pays(int64_t fewest) const {
    int64_t rows = countCells(groups[0].dims) / countShared();
    int64_t columns = countCells(groups[1].dims) / countShared();
    int64_t terms = countCells(domain) / countCells(target.getDims());
    bool isConvolution = llvm::any_of(groups, [](const Group &group) {
      Value field = group.factors.size() == 1
                        ? getField(group.factors.front(), group.dims)
                        : Value();
      return field && field.getDefiningOp<ViewOp>() && isReadAtIndexes(field);
    });
    return ((rows >= 4 && columns >= 4) || isConvolution) && terms >= 4 &&
           rows * columns * terms >= fewest;
  }

  /// Cells of the dims that both groups have.
  int64_t countShared() const {
    Dims shared = groups[0].dims;
    llvm::erase_if(shared,
                   [&](DimAttr dim) { return !contains(groups[1].dims, dim); });
    return countCells(shared);
  }

  /// A factor that is a field itself; null if it is computed.
  static Value getField(const Factor &factor, ArrayRef<DimAttr> dims) {
    auto element = dyn_cast<BlockArgument>(factor.value);
    DomainOpInterface loop = factor.loop;
    if (!element || element.getOwner() != loop.getDomainBody())
      return {};
    Value field = loop.getDomainInputs()[element.getArgNumber()];
    ArrayRef<DimAttr> own = cast<FieldType>(field.getType()).getDims();
    return own.size() == dims.size() && containsAll(own, dims) ? field
                                                               : Value();
  }

  /// The product of a group's factors, over its dims.
  Value buildField(OpBuilder &builder, const Group &group) {
    if (group.factors.size() == 1)
      if (Value field = getField(group.factors.front(), group.dims))
        return field;
    Location loc = sum.getLoc();
    auto type = FieldType::get(builder.getContext(), group.dims,
                               target.getElementType());
    SmallVector<Value> inputs;
    auto block = std::make_unique<Block>();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block.get());
    Value product;
    for (const Factor &factor : group.factors) {
      Value value = cloneInto(builder, *block, factor, inputs);
      product = product
                    ? Value(arith::MulFOp::create(builder, loc, product, value))
                    : value;
    }
    YieldOp::create(builder, loc, product);
    builder.setInsertionPoint(sum);
    auto map = MapOp::create(builder, loc, TypeRange(type),
                             DimsAttr::get(builder.getContext(), group.dims),
                             inputs, ValueRange());
    map.getBody().push_back(block.release());
    return map.getResults().front();
  }

  static Value cloneInto(OpBuilder &builder, Block &block, const Factor &factor,
                         SmallVectorImpl<Value> &inputs) {
    SetVector<Operation *> slice;
    (void)getSlice(factor, slice);
    DomainOpInterface loop = factor.loop;
    IRMapping mapping;
    auto take = [&](Value value) {
      auto element = dyn_cast<BlockArgument>(value);
      if (!element || element.getOwner() != loop.getDomainBody() ||
          mapping.contains(value))
        return;
      inputs.push_back(loop.getDomainInputs()[element.getArgNumber()]);
      mapping.map(value, block.addArgument(element.getType(), value.getLoc()));
    };
    take(factor.value);
    for (Operation *op : slice) {
      llvm::for_each(op->getOperands(), take);
      builder.clone(*op, mapping);
    }
    return mapping.lookupOrDefault(factor.value);
  }

  ReduceOp sum;
  Dims domain;
  FieldType target;
  bool isSubtracted = false;
  SmallVector<Factor> factors;
  Group groups[2];
};

/// A sum whose results are sums and differences of contractions.
class SumOfProducts {
public:
  explicit SumOfProducts(ReduceOp sum) : sum(sum) {}

  bool match(int64_t fewestProducts) {
    ArrayRef<DimAttr> domain = sum.getDomainDims();
    if (sum.getKind() != Reduction::Sum || sum.getWithin() ||
        sum.getFields().empty() || !sum.getScalars().empty() ||
        !llvm::all_of(domain, [](DimAttr dim) { return dim.isSpace(); }))
      return false;
    for (auto [number, field] : llvm::enumerate(sum.getFields())) {
      auto target = cast<FieldType>(field.getType());
      SmallVector<Term> terms;
      if (target.getDims().size() == domain.size() ||
          !collect({getYielded(sum, number), sum}, false, terms))
        return false;
      results.emplace_back();
      for (const Term &term : terms)
        if (!results.back()
                 .emplace_back(sum, target)
                 .match(term, fewestProducts))
          return false;
    }
    return true;
  }

  /// Before the sum, whose fields they replace.
  SmallVector<ContractOp> build(OpBuilder &builder) {
    SmallVector<ContractOp> built;
    for (auto [field, contractions] :
         llvm::zip_equal(sum.getFields(), results)) {
      SmallVector<Value> parts;
      for (Contraction &contraction : contractions) {
        built.push_back(contraction.build(builder));
        parts.push_back(built.back().getResult());
      }
      field.replaceAllUsesWith(parts.size() == 1 &&
                                       !contractions.front().isNegative()
                                   ? parts.front()
                                   : addUp(builder, contractions, parts));
    }
    return built;
  }

private:
  /// More are not split: each reads its fields once more.
  static constexpr unsigned mostTerms = 4;

  /// The products that a number is the sum of.
  static bool collect(Element element, bool isSubtracted,
                      SmallVectorImpl<Term> &terms) {
    auto [value, loop] = findOrigin(element);
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == loop.getDomainBody()) {
      if (isa<arith::AddFOp, arith::SubFOp>(op))
        return collect({op->getOperand(0), loop}, isSubtracted, terms) &&
               collect({op->getOperand(1), loop},
                       isSubtracted != isa<arith::SubFOp>(op), terms);
      if (isa<arith::NegFOp>(op))
        return collect({op->getOperand(0), loop}, !isSubtracted, terms);
    }
    terms.push_back({{value, loop}, isSubtracted});
    return terms.size() <= mostTerms;
  }

  Value addUp(OpBuilder &builder, ArrayRef<Contraction> contractions,
              ArrayRef<Value> parts) {
    Location loc = sum.getLoc();
    auto type = cast<FieldType>(parts.front().getType());
    auto block = std::make_unique<Block>();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block.get());
    Value total;
    for (auto [contraction, part] : llvm::zip_equal(contractions, parts)) {
      Value value = block->addArgument(type.getElementType(), loc);
      if (!total)
        total = contraction.isNegative()
                    ? Value(arith::NegFOp::create(builder, loc, value))
                    : value;
      else if (contraction.isNegative())
        total = arith::SubFOp::create(builder, loc, total, value);
      else
        total = arith::AddFOp::create(builder, loc, total, value);
    }
    YieldOp::create(builder, loc, total);
    builder.setInsertionPoint(sum);
    auto map =
        MapOp::create(builder, loc, TypeRange(type),
                      DimsAttr::get(builder.getContext(), type.getDims()),
                      parts, ValueRange());
    map.getBody().push_back(block.release());
    return map.getResults().front();
  }

  ReduceOp sum;
  std::vector<std::vector<Contraction>> results; // of each field
};

class FindContractionsPass
    : public pmc::passes::impl::FindContractionsBase<FindContractionsPass> {
public:
  using Base::Base;
  void runOnOperation() override {
    SmallVector<ReduceOp> sums;
    getOperation().walk([&](ReduceOp sum) { sums.push_back(sum); });
    OpBuilder builder(&getContext());
    for (ReduceOp sum : sums) {
      SumOfProducts products(sum);
      if (!products.match(fewestProducts))
        continue;
      for (ContractOp op : products.build(builder))
        tell(op, "a contraction over ", op.getContractedDims());
      eraseUnused(sum);
    }
    // Also of those whose fields came through a call.
    SmallVector<ContractOp> contractions;
    getOperation().walk([&](ContractOp op) { contractions.push_back(op); });
    for (ContractOp op : contractions) {
      builder.setInsertionPoint(op);
      Value convolved = buildConvolutionOf(builder, op);
      if (!convolved)
        continue;
      tell(op, "a convolution over ", op.getContractedDims());
      SmallVector<Value> fields(op->getOperands());
      op.getResult().replaceAllUsesWith(convolved);
      op.erase();
      for (Value field : fields)
        while (isReadAtIndexes(field) && field.use_empty()) {
          Operation *made = field.getDefiningOp();
          field = made->getOperand(0);
          made->erase();
        }
    }
  }

private:
  static void tell(ContractOp op, StringRef what, ArrayRef<DimAttr> over) {
    remark::passed(op.getLoc(),
                   remark::RemarkOpts::name("contract").category("pm-contract"))
        << what << toString(over);
  }

  /// The sum, and the maps that nothing but it has read.
  static void eraseUnused(ReduceOp sum) {
    SmallVector<Operation *> unused = {sum};
    while (!unused.empty()) {
      Operation *op = unused.pop_back_val();
      if (!isOpTriviallyDead(op))
        continue;
      llvm::SetVector<Operation *> makers;
      for (Value input : cast<DomainOpInterface>(op).getDomainInputs())
        if (auto map = input.getDefiningOp<MapOp>())
          makers.insert(map);
      op->erase();
      llvm::append_range(unused, makers);
    }
  }
};

} // namespace
