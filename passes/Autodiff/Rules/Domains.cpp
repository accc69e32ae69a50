//===- Domains.cpp - Rules for loops over a domain ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The derivative of such a loop is a loop over the same domain, of the body
// with its derivative behind it. What the body reads of outside gets a sum: a
// number, over the domain; a field over some of the dims, over the others; one
// whose cells elements name, in bins.
//
// Half dims: an element stands for a mode and its conjugate, which the inner
// product counts both. In such a loop cotangents are those in this product, so
// that what comes from something without the half dim is divided by the number
// of modes, and what goes to such a thing multiplied by it.
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Forms/PMBins.h"
#include "dialect/IR/Forms/PMSpectra.h"
#include "dialect/IR/Forms/PMUpdates.h"
#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/DomainBody.h"
#include "passes/Autodiff/Guarded.h"
#include "passes/Autodiff/Models.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

/// The tangents of what the body yields; null where there is none.
static FailureOr<SmallVector<Value>>
deriveBody(DomainBody &body, ArrayRef<Value> active, const Tangents &tangents) {
  Forward inner(&tangents);
  unsigned next = 0;
  for (auto [argument, input] : llvm::zip(body.getInputs(), active))
    if (input)
      inner.set(argument, body.getMore()[next++]);
  // The derivatives go where the terminator will be. Loops and branches among
  // the yields are built anew.
  OpBuilder builder = body.getBuilder();
  Operation *end =
      YieldOp::create(builder, builder.getUnknownLoc(), body.getYields());
  if (failed(inner.differentiate(body.getBlock())))
    return failure();
  body.setYields(end->getOperands());
  end->erase();
  return llvm::map_to_vector(body.getYields(),
                             [&](Value value) { return inner.get(value); });
}

/// The tangents of the inputs: null for those that have none; and without
/// those.
static void listTangents(DomainOpInterface op, const Tangents &tangents,
                         SmallVector<Value> &all, SmallVector<Value> &given) {
  for (Value input : op.getDomainInputs()) {
    all.push_back(tangents.get(input));
    if (all.back())
      given.push_back(all.back());
  }
}

/// Sets the tangents of those results whose element has one; `build` makes
/// fields or numbers of elements.
static LogicalResult setTangents(
    OpBuilder &builder, DomainOpInterface op, Tangents &tangents,
    unsigned leading,
    function_ref<ValueRange(DomainBody &, ArrayRef<Value>, ArrayRef<OpResult>)>
        build) {
  SmallVector<Value> all, given;
  listTangents(op, tangents, all, given);
  DomainBody body(builder, op, given);
  FailureOr<SmallVector<Value>> differentiated =
      deriveBody(body, all, tangents);
  if (failed(differentiated))
    return failure();
  SmallVector<Value> values;
  SmallVector<OpResult> results;
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(),
                       ArrayRef<Value>(*differentiated).drop_front(leading)))
    if (value) {
      values.push_back(value);
      results.push_back(result);
    }
  if (values.empty())
    return success();
  for (auto [result, tangent] :
       llvm::zip_equal(results, build(body, values, results)))
    tangents.set(result, tangent);
  return success();
}

//===----------------------------------------------------------------------===//
// Reverse
//===----------------------------------------------------------------------===//

namespace {

/// Cotangents of the elements that a body yields (null: zero), as ops at its
/// end.
using Seeds = function_ref<SmallVector<Value>(OpBuilder &, DomainBody &)>;

/// Adds the results of sums or maps to what they are the cotangents of. A
/// complex number has two.
class Contributions {
public:
  Contributions(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  void put(Value target, Value element) {
    targets.push_back(target);
    if (isa<ComplexType>(element.getType())) {
      elements.push_back(buildPart(builder, loc, element, false));
      elements.push_back(buildPart(builder, loc, element, true));
    } else {
      elements.push_back(element);
    }
  }
  ArrayRef<Value> getElements() const { return elements; }
  MutableArrayRef<Value> getElements() { return elements; }

  void add(OpBuilder &outside, Cotangents &cotangents, ValueRange results) {
    for (Value target : targets) {
      Value value = results.front();
      results = results.drop_front();
      Type type = target.getType();
      bool isField = isa<FieldType>(type);
      Type element = isField ? cast<FieldType>(type).getElementType() : type;
      if (isa<ComplexType>(element)) {
        value = join(outside, value, results.front(), type);
        results = results.drop_front();
      } else if (!isField) {
        value = buildCast(outside, loc, value, type);
      }
      cotangents.add(outside, target, value);
    }
  }

private:
  /// A complex number or field of its parts.
  Value join(OpBuilder &outside, Value re, Value im, Type type) {
    if (auto field = dyn_cast<FieldType>(type))
      return buildMap(outside, loc, field, {re, im},
                      [&](OpBuilder &inner, ValueRange parts) {
                        return join(inner, parts[0], parts[1],
                                    field.getElementType());
                      });
    Type real = cast<ComplexType>(type).getElementType();
    return complex::CreateOp::create(outside, loc, type,
                                     buildCast(outside, loc, re, real),
                                     buildCast(outside, loc, im, real));
  }

  OpBuilder &builder;
  Location loc;
  SmallVector<Value> targets, elements;
};

} // namespace

/// The half dim of a loop that is not among the dims of what it reads or makes.
static DimAttr findMissingHalf(DomainOpInterface op, ArrayRef<DimAttr> dims) {
  DimAttr half = findHalf(op.getDomainDims());
  return half && !llvm::is_contained(dims, half) ? half : DimAttr();
}

/// Times the modes that an element stands for, if there is such a dim.
static Value countPairs(OpBuilder &builder, Location loc, DimAttr half,
                        Value value, bool inverse = false) {
  if (!half)
    return value;
  return arith::MulFOp::create(
      builder, loc, value,
      buildPairs(builder, loc, half, value.getType(), inverse));
}

/// What all elements read of a field's cells becomes bins of its dims.
static void addToCells(OpBuilder &builder, DomainOpInterface op,
                       DomainBody &body, const CellReading &reading,
                       Cotangents &cotangents) {
  Location loc = op.getLoc();
  OpBuilder inside = body.getBuilder();
  auto type = cast<FieldType>(reading.field.getType());
  ArrayRef<DimAttr> dims = type.getDims();
  Contributions parts(inside, loc);
  parts.put(reading.field, reading.cotangent);
  SmallVector<Value> values{buildBin(inside, loc, reading.indices, dims)};
  DimAttr half = findMissingHalf(op, dims);
  for (Value part : std::as_const(parts).getElements())
    values.push_back(countPairs(inside, loc, half, part));
  SmallVector<Type> sums(
      values.size() - 1,
      FieldType::get(op->getContext(), dims, builder.getF64Type()));
  // As the field has them.
  auto element = dyn_cast<ComplexType>(type.getElementType());
  Type real = element ? element.getElementType() : type.getElementType();
  SmallVector<Value> cast;
  for (Value sum : body.bins(values, sums))
    cast.push_back(real.isF64()
                       ? sum
                       : buildMap(builder, loc,
                                  FieldType::get(op->getContext(), dims, real),
                                  sum, [&](OpBuilder &inner, ValueRange one) {
                                    return buildCast(inner, loc, one[0], real);
                                  }));
  parts.add(builder, cotangents, cast);
}

static LogicalResult buildDomainAdjoint(OpBuilder &builder,
                                        DomainOpInterface op,
                                        Cotangents &cotangents, ValueRange more,
                                        Seeds seeds) {
  Location loc = op.getLoc();
  Reverse &outside = asReverse(cotangents);
  DomainBody body(builder, op, more);

  Activity activity([&](Value value) { return cotangents.needs(value); });
  for (auto [input, argument] :
       llvm::zip(op.getDomainInputs(), body.getInputs()))
    if (cotangents.needs(input))
      activity.seed(argument);
  activity.visit(body.getBlock());

  SmallVector<Operation *> ops;
  for (Operation &inner : body.getBlock())
    ops.push_back(&inner);
  OpBuilder inside = body.getBuilder();
  Reverse inner(activity, &outside);
  bool isGuarded = leavesOut(op) || outside.isAnyGuarded(op->getResults());
  for (auto [value, seed] :
       llvm::zip_equal(body.getYields(), seeds(inside, body)))
    if (seed && inner.needs(value)) {
      inner.add(inside, value, seed);
      if (isGuarded)
        inner.guard(value);
    }
  if (failed(inner.differentiate(inside, ops)))
    return failure();

  // What goes into one op: maps; sums that are numbers; sums over equal dims.
  llvm::MapVector<Value, Value> whole;
  Contributions numbers(inside, loc);
  SmallVector<std::pair<ArrayRef<DimAttr>, Contributions>> parts;
  for (auto [input, argument] :
       llvm::zip(op.getDomainInputs(), body.getInputs())) {
    Value element = inner.get(argument);
    if (!element)
      continue;
    ArrayRef<DimAttr> dims = cast<FieldType>(input.getType()).getDims();
    if (dims == op.getDomainDims()) {
      Value &sum = whole[input];
      sum = buildSum(inside, loc, sum, element);
      continue;
    }
    auto *same = llvm::find_if(
        parts, [&](const auto &entry) { return entry.first == dims; });
    if (same == parts.end()) {
      parts.emplace_back(dims, Contributions(inside, loc));
      same = &parts.back();
    }
    same->second.put(input, element);
  }
  for (Value value : outside.getWanted(listCaptured(op))) {
    Value element = inner.get(value);
    if (element)
      numbers.put(value, element);
  }

  auto addMaps = [&] {
    SmallVector<Value> elements;
    for (auto &[input, element] : whole)
      elements.push_back(element);
    for (auto [entry, field] : llvm::zip_equal(whole, body.map(elements)))
      cotangents.add(builder, entry.first, field);
  };
  // The cotangent of an update is changed in place, when the sums over the
  // cells that it replaced have read it.
  auto map = dyn_cast<MapOp>(op.getOperation());
  bool isUpdate = map && getUpdate(map, 0);
  if (!whole.empty() && !isUpdate)
    addMaps();
  for (auto &[dims, group] : parts) {
    for (Value &element : group.getElements())
      element = countPairs(inside, loc, findMissingHalf(op, dims), element);
    group.add(builder, cotangents,
              body.sum(std::as_const(group).getElements(), dims));
  }
  DimAttr half = findMissingHalf(op, {});
  for (Value &element : numbers.getElements())
    element = countPairs(inside, loc, half, element);
  if (!std::as_const(numbers).getElements().empty())
    numbers.add(builder, cotangents,
                body.sum(std::as_const(numbers).getElements()));
  if (!whole.empty() && isUpdate)
    addMaps();
  for (const CellReading &reading : inner.getCells())
    addToCells(builder, op, body, reading, cotangents);
  for (RowReading reading : inner.getReadings()) {
    for (Value *sum : {&reading.first, &reading.second})
      if (*sum)
        *sum = countPairs(inside, loc, half, *sum);
    body.addToRows(reading, outside.getRowSums(reading.table));
  }
  return success();
}

namespace {

//===----------------------------------------------------------------------===//
// Map
//===----------------------------------------------------------------------===//

struct MapModel : DifferentiableOpInterface::ExternalModel<MapModel, MapOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    return setTangents(builder, cast<MapOp>(op), tangents, 0,
                       [](DomainBody &body, ArrayRef<Value> values,
                          ArrayRef<OpResult>) { return body.map(values); });
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    SmallVector<Value> given;
    for (Value result : op->getResults())
      if (Value cotangent = cotangents.get(result))
        given.push_back(cotangent);
    return buildDomainAdjoint(builder, cast<MapOp>(op), cotangents, given,
                              [&](OpBuilder &, DomainBody &body) {
                                SmallVector<Value> seeds;
                                unsigned next = 0;
                                for (Value result : op->getResults())
                                  seeds.push_back(cotangents.get(result)
                                                      ? body.getMore()[next++]
                                                      : Value());
                                return seeds;
                              });
  }
};

//===----------------------------------------------------------------------===//
// Reduce
//===----------------------------------------------------------------------===//

/// The fields among values.
SmallVector<Value> listFields(ValueRange values) {
  return llvm::filter_to_vector(
      values, [](Value value) { return isa<FieldType>(value.getType()); });
}

/// The values as seen in a body that has those of them that are fields among
/// its inputs, from `position` on.
SmallVector<Value> seeInBody(DomainBody &body, ValueRange values,
                             unsigned &position) {
  return llvm::map_to_vector(values, [&](Value value) {
    return isa<FieldType>(value.getType()) ? body.getMore()[position++] : value;
  });
}

/// 1 where an element is the extreme one, else 0.
Value buildIsExtreme(OpBuilder &builder, Location loc, Value element,
                     Value extreme) {
  Value equal = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::OEQ,
      buildCast(builder, loc, element, extreme.getType()), extreme);
  return arith::SelectOp::create(
      builder, loc, equal, buildConstant(builder, loc, element.getType(), 1),
      buildConstant(builder, loc, element.getType(), 0));
}

/// Sums with the shape of the reduction's results.
ValueRange sumLike(DomainBody &body, ReduceOp reduce, ArrayRef<Value> values) {
  if (reduce.getFields().empty())
    return body.sum(values);
  return body.sum(
      values, cast<FieldType>(reduce.getFields().front().getType()).getDims());
}

/// The half dim that a reduction leaves out.
DimAttr findDroppedHalf(ReduceOp reduce) {
  ArrayRef<DimAttr> kept;
  if (!reduce.getFields().empty())
    kept = cast<FieldType>(reduce.getFields().front().getType()).getDims();
  return findMissingHalf(cast<DomainOpInterface>(reduce.getOperation()), kept);
}

/// For every result of a min or max, how many modes have that value.
SmallVector<Value> countExtremes(OpBuilder &builder, ReduceOp reduce) {
  DomainBody body(builder, reduce, listFields(reduce->getResults()));
  unsigned position = 0;
  SmallVector<Value> extremes = seeInBody(body, reduce->getResults(), position);
  OpBuilder inside = body.getBuilder();
  SmallVector<Value> values;
  for (auto [element, extreme] : llvm::zip_equal(body.getYields(), extremes))
    values.push_back(
        countPairs(inside, reduce.getLoc(), findDroppedHalf(reduce),
                   buildIsExtreme(inside, reduce.getLoc(), element, extreme)));
  return sumLike(body, reduce, values);
}

struct ReduceModel
    : DifferentiableOpInterface::ExternalModel<ReduceModel, ReduceOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto reduce = cast<ReduceOp>(op);
    if (reduce.getKind() != Reduction::Sum)
      return buildExtremeTangent(builder, reduce, tangents);
    return setTangents(
        builder, reduce, tangents, 0,
        [&](DomainBody &body, ArrayRef<Value> values, ArrayRef<OpResult>) {
          return sumLike(body, reduce, values);
        });
  }

  /// The mean of the tangents of the modes that have the extreme value.
  static LogicalResult buildExtremeTangent(OpBuilder &builder, ReduceOp reduce,
                                           Tangents &tangents) {
    SmallVector<Value> counts = countExtremes(builder, reduce);
    SmallVector<Value> all, more;
    listTangents(reduce, tangents, all, more);
    unsigned position = more.size();
    llvm::append_range(more, listFields(reduce->getResults()));
    llvm::append_range(more, listFields(counts));
    DomainBody body(builder, reduce, more);
    FailureOr<SmallVector<Value>> differentiated =
        deriveBody(body, all, tangents);
    if (failed(differentiated))
      return failure();
    SmallVector<Value> extremes =
        seeInBody(body, reduce->getResults(), position);
    SmallVector<Value> numbers = seeInBody(body, counts, position);
    OpBuilder inside = body.getBuilder();
    SmallVector<Value> values, results;
    for (auto [i, tangent] : llvm::enumerate(*differentiated))
      if (tangent) {
        values.push_back(
            countPairs(inside, reduce.getLoc(), findDroppedHalf(reduce),
                       divide(inside, reduce.getLoc(), tangent,
                              body.getYields()[i], extremes[i], numbers[i])));
        results.push_back(reduce->getResult(i));
      }
    if (values.empty())
      return success();
    for (auto [result, tangent] :
         llvm::zip_equal(results, sumLike(body, reduce, values)))
      tangents.set(result, tangent);
    return success();
  }

  /// The share of an element in what all that have the extreme value get.
  static Value divide(OpBuilder &builder, Location loc, Value whole,
                      Value element, Value extreme, Value count) {
    Value share = arith::DivFOp::create(
        builder, loc, whole, buildCast(builder, loc, count, whole.getType()));
    return arith::MulFOp::create(
        builder, loc, share, buildIsExtreme(builder, loc, element, extreme));
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto reduce = cast<ReduceOp>(op);
    Location loc = op->getLoc();
    bool isSum = reduce.getKind() == Reduction::Sum;
    SmallVector<Value> given;
    for (Value result : op->getResults())
      given.push_back(orZero(builder, loc, cotangents.get(result), result));
    SmallVector<Value> counts;
    SmallVector<Value> more = listFields(given);
    if (!isSum) {
      counts = countExtremes(builder, reduce);
      llvm::append_range(more, listFields(op->getResults()));
      llvm::append_range(more, listFields(counts));
    }
    return buildDomainAdjoint(
        builder, reduce, cotangents, more,
        [&](OpBuilder &inside, DomainBody &body) {
          unsigned position = 0;
          SmallVector<Value> seeds = seeInBody(body, given, position);
          SmallVector<Value> extremes, numbers;
          if (!isSum) {
            extremes = seeInBody(body, op->getResults(), position);
            numbers = seeInBody(body, counts, position);
          }
          for (auto [i, seed] : llvm::enumerate(seeds)) {
            Value element = body.getYields()[i];
            seed = buildCast(inside, loc, seed, element.getType());
            // An extreme goes to all modes that have it.
            seed = isSum ? countPairs(inside, loc, findDroppedHalf(reduce),
                                      seed, /*inverse=*/true)
                         : divide(inside, loc, seed, element, extremes[i],
                                  numbers[i]);
          }
          return seeds;
        });
  }
};

//===----------------------------------------------------------------------===//
// Bins
//===----------------------------------------------------------------------===//

struct BinsModel : DifferentiableOpInterface::ExternalModel<BinsModel, BinsOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    return setTangents(builder, cast<BinsOp>(op), tangents, 1,
                       [](DomainBody &body, ArrayRef<Value> values,
                          ArrayRef<OpResult> results) {
                         SmallVector<Value> all{body.getYields().front()};
                         llvm::append_range(all, values);
                         return body.bins(
                             all,
                             llvm::map_to_vector(results, [](OpResult result) {
                               return result.getType();
                             }));
                       });
  }

  /// The field's element with these indices.
  static Value buildCell(OpBuilder &builder, Location loc, Value field,
                         ArrayRef<Value> indices) {
    SmallVector<int64_t> zeros(indices.size(), 0);
    SmallVector<bool> near(indices.size(), false);
    return CellOp::create(builder, loc,
                          cast<FieldType>(field.getType()).getElementType(),
                          field, indices, zeros, zeros, near, Value());
  }

  /// Every element reads the cotangent of its bin.
  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    Location loc = op->getLoc();
    auto domain = cast<DomainOpInterface>(op);
    DimAttr half = findMissingHalf(domain, {});
    return buildDomainAdjoint(
        builder, domain, cotangents, {},
        [&](OpBuilder &inside, DomainBody &body) {
          Value bin = body.getYields().front();
          auto type = cast<FieldType>(op->getResult(0).getType());
          BinCells cells(inside, loc, bin, type.getDims());
          Value zero = buildConstant(inside, loc, inside.getF64Type(), 0);
          SmallVector<Value> seeds{Value()};
          for (auto [result, element] : llvm::zip_equal(
                   op->getResults(), body.getYields().drop_front())) {
            Value cotangent = cotangents.get(result);
            if (!cotangent) {
              seeds.push_back(Value());
              continue;
            }
            Value read = buildCell(inside, loc, cotangent, cells.getIndices());
            read = arith::SelectOp::create(inside, loc, cells.isInside(), read,
                                           zero);
            seeds.push_back(
                countPairs(inside, loc, half,
                           buildCast(inside, loc, read, element.getType()),
                           /*inverse=*/true));
          }
          return seeds;
        });
  }
};

} // namespace

void pmc::passes::registerDomainDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    MapOp::attachInterface<MapModel>(*context);
    ReduceOp::attachInterface<ReduceModel>(*context);
    BinsOp::attachInterface<BinsModel>(*context);
  });
}
