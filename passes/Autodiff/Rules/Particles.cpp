//===- Particles.cpp - Derivatives of paint and readout -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// paint(ψ, w) is linear in w, readout(f, ψ) in f, and each is the other's
// adjoint. With respect to ψ_d both have the window differentiated once more
// along d. So both derivatives of both are one paint or one readout, with
// several weights or meshes, and their particles are gone through once.
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Guarded.h"
#include "passes/Autodiff/Models.h"
#include "passes/Autodiff/Reverse.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

using Orders = SmallVector<int64_t, 3>;

/// What particles are painted or read with. Without `where` all of them are.
struct Particles {
  template <class Op>
  explicit Particles(Op op)
      : window(op.getWindow()), isFree(op.getFree()),
        displacements(op.getDisplacements()), where(op.getWhere()) {}

  WindowAttr window;
  bool isFree;
  SmallVector<Value> displacements;
  Value where;

  size_t rank() const { return displacements.size(); }
  Type type() const { return displacements.front().getType(); }
  /// Along other dims, the nearest cell stays where it is.
  bool isMoved(size_t d) const { return !window.isConstant(d); }
};

Orders getOrders(std::optional<ArrayRef<int64_t>> all, size_t i, size_t rank) {
  return all ? Orders(all->slice(i * rank, rank)) : Orders(rank, 0);
}

/// Null if nothing is differentiated.
DenseI64ArrayAttr toAttribute(OpBuilder &builder, ArrayRef<int64_t> orders) {
  if (llvm::all_of(orders, [](int64_t order) { return order == 0; }))
    return {};
  return builder.getDenseI64ArrayAttr(orders);
}

Orders derive(Orders orders, size_t d) {
  ++orders[d];
  return orders;
}

/// Several readings of meshes, as one pm.readout.
class Readings {
public:
  explicit Readings(const Particles &particles) : particles(particles) {}

  /// The number of the reading.
  size_t add(Value mesh, const Orders &orders, Type type) {
    meshes.push_back(mesh);
    allOrders.append(orders.begin(), orders.end());
    types.push_back(type);
    return meshes.size() - 1;
  }

  SmallVector<Value> build(OpBuilder &builder, Location loc) const {
    if (meshes.empty())
      return {};
    auto readout =
        ReadoutOp::create(builder, loc, types, particles.window,
                          particles.isFree, toAttribute(builder, allOrders),
                          meshes, particles.displacements, particles.where);
    return SmallVector<Value>(readout.getValues());
  }

private:
  const Particles &particles;
  SmallVector<Value> meshes;
  SmallVector<int64_t> allOrders;
  SmallVector<Type> types;
};

/// What is painted on meshes. Those of one type with as many weights each are
/// one pm.paint.
class Paintings {
public:
  explicit Paintings(const Particles &particles) : particles(particles) {}

  void add(size_t mesh, Type type, Value weight, const Orders &orders) {
    Painting &painting = paintings[mesh];
    painting.type = type;
    painting.weights.push_back(weight);
    painting.orders.append(orders.begin(), orders.end());
  }

  /// Calls `take` with every mesh painted.
  void build(OpBuilder &builder, Location loc,
             llvm::function_ref<void(size_t, Value)> take) const {
    llvm::MapVector<std::pair<Type, size_t>, SmallVector<size_t>> groups;
    for (const auto &[mesh, painting] : paintings)
      groups[{painting.type, painting.weights.size()}].push_back(mesh);
    for (const auto &[key, meshes] : groups) {
      SmallVector<Value> weights;
      SmallVector<int64_t> orders;
      for (size_t mesh : meshes) {
        const Painting &painting = paintings.find(mesh)->second;
        weights.append(painting.weights);
        orders.append(painting.orders);
      }
      auto paint = PaintOp::create(
          builder, loc, SmallVector<Type>(meshes.size(), key.first),
          particles.window, particles.isFree, toAttribute(builder, orders),
          particles.displacements, weights, particles.where);
      for (auto [mesh, painted] : llvm::zip_equal(meshes, paint.getMeshes()))
        take(mesh, painted);
    }
  }

private:
  struct Painting {
    Type type;
    SmallVector<Value> weights;
    SmallVector<int64_t> orders;
  };
  const Particles &particles;
  llvm::MapVector<size_t, Painting> paintings;
};

/// Says so where a derivative by positions is wanted that is 0 by nature.
void warnIfNearest(Operation *op, const Particles &particles,
                   llvm::function_ref<bool(Value)> isActive) {
  bool isLost = false;
  for (auto [d, displacement] : llvm::enumerate(particles.displacements))
    isLost |= !particles.isMoved(d) && !particles.window.isBatch(d) &&
              isActive(displacement);
  if (!isLost)
    return;
  op->emitWarning("the derivative with respect to positions is 0 here: with "
                  "the window \"ngp\" a value jumps where a particle changes "
                  "its cell, and is constant in between; \"cic\", \"tsc\" and "
                  "\"pcs\" have a derivative");
}

/// The sum of products of two fields each, of this type. A second one that is
/// null stands for ones.
Value buildProducts(OpBuilder &builder, Location loc, Type type,
                    ArrayRef<std::pair<Value, Value>> products,
                    bool isGuarded = false) {
  if (products.size() == 1 && !products.front().second &&
      products.front().first.getType() == type)
    return products.front().first;
  llvm::SmallMapVector<Value, size_t, 8> places;
  for (auto [a, b] : products)
    for (Value field : {a, b})
      if (field)
        places.insert({field, places.size()});
  auto result = cast<FieldType>(type);
  SmallVector<Value> fields(llvm::make_first_range(places));
  return buildMap(
      builder, loc, result, fields, [&](OpBuilder &inner, ValueRange elements) {
        auto get = [&](Value field) {
          return buildCast(inner, loc, elements[places.lookup(field)],
                           result.getElementType());
        };
        Value sum;
        for (auto [a, b] : products) {
          Value term = get(a);
          if (b && isGuarded)
            term = buildGuardedProduct(inner, loc, term, get(b));
          else if (b)
            term = arith::MulFOp::create(inner, loc, term, get(b));
          sum = sum ? arith::AddFOp::create(inner, loc, sum, term) : term;
        }
        return sum;
      });
}

//===----------------------------------------------------------------------===//
// Paint
//===----------------------------------------------------------------------===//

struct PaintDerivative
    : DifferentiableOpInterface::ExternalModel<PaintDerivative, PaintOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto paint = cast<PaintOp>(op);
    Location loc = op->getLoc();
    Particles particles(paint);
    warnIfNearest(op, particles,
                  [&](Value value) { return bool(tangents.get(value)); });
    Paintings paintings(particles);
    for (size_t w = 0; w < countWeights(paint); ++w) {
      size_t mesh = getMesh(paint, w);
      Type type = paint.getMeshes()[mesh].getType();
      Orders orders = getOrders(paint.getOrders(), w, particles.rank());
      Value weight = getWeight(paint, w);
      if (Value tangent = weight ? tangents.get(weight) : Value())
        paintings.add(mesh, type, tangent, orders);
      for (auto [d, displacement] : llvm::enumerate(particles.displacements))
        if (Value tangent =
                particles.isMoved(d) ? tangents.get(displacement) : Value())
          paintings.add(mesh, type,
                        buildProducts(builder, loc, particles.type(),
                                      {{tangent, weight}}),
                        derive(orders, d));
    }
    paintings.build(builder, loc, [&](size_t mesh, Value tangent) {
      tangents.set(paint.getMeshes()[mesh], tangent);
    });
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto paint = cast<PaintOp>(op);
    Location loc = op->getLoc();
    Particles particles(paint);
    warnIfNearest(op, particles,
                  [&](Value value) { return cotangents.needs(value); });
    Readings readings(particles);
    SmallVector<std::pair<Value, size_t>> ofWeights; // and their readings
    SmallVector<SmallVector<std::pair<Value, size_t>>> moved(particles.rank());
    for (size_t w = 0; w < countWeights(paint); ++w) {
      Value cotangent = cotangents.get(paint.getMeshes()[getMesh(paint, w)]);
      if (!cotangent)
        continue;
      Orders orders = getOrders(paint.getOrders(), w, particles.rank());
      Value weight = getWeight(paint, w);
      auto read = [&](const Orders &differentiated) {
        return readings.add(cotangent, differentiated, particles.type());
      };
      if (weight && cotangents.needs(weight))
        ofWeights.push_back({weight, read(orders)});
      for (auto [d, displacement] : llvm::enumerate(particles.displacements))
        if (particles.isMoved(d) && cotangents.needs(displacement))
          moved[d].push_back({weight, read(derive(orders, d))});
    }
    SmallVector<Value> values = readings.build(builder, loc);
    bool isGuarded =
        particles.where || asReverse(cotangents).isAnyGuarded(op->getResults());
    for (auto [weight, reading] : ofWeights)
      cotangents.add(builder, weight, values[reading]);
    for (auto [displacement, terms] :
         llvm::zip_equal(particles.displacements, moved)) {
      SmallVector<std::pair<Value, Value>> products;
      for (auto [weight, reading] : terms)
        products.push_back({values[reading], weight});
      if (!products.empty())
        cotangents.add(
            builder, displacement,
            buildProducts(builder, loc, particles.type(), products, isGuarded));
    }
    return success();
  }

private:
  static size_t countWeights(PaintOp paint) {
    return std::max<size_t>(paint.getWeights().size(), 1);
  }
  /// Null stands for ones.
  static Value getWeight(PaintOp paint, size_t w) {
    return paint.getWeights().empty() ? Value() : paint.getWeights()[w];
  }
  static size_t getMesh(PaintOp paint, size_t w) {
    return w / (countWeights(paint) / paint.getMeshes().size());
  }
};

//===----------------------------------------------------------------------===//
// Readout
//===----------------------------------------------------------------------===//

struct ReadoutDerivative
    : DifferentiableOpInterface::ExternalModel<ReadoutDerivative, ReadoutOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto readout = cast<ReadoutOp>(op);
    Particles particles(readout);
    warnIfNearest(op, particles,
                  [&](Value value) { return bool(tangents.get(value)); });
    Readings readings(particles);
    SmallVector<SmallVector<std::pair<size_t, Value>>> sums;
    for (auto [j, mesh, value] :
         llvm::enumerate(readout.getMeshes(), readout.getValues())) {
      Orders orders = getOrders(readout.getOrders(), j, particles.rank());
      auto &terms = sums.emplace_back();
      if (Value tangent = tangents.get(mesh))
        terms.push_back({readings.add(tangent, orders, value.getType()), {}});
      for (auto [d, displacement] : llvm::enumerate(particles.displacements))
        if (Value tangent =
                particles.isMoved(d) ? tangents.get(displacement) : Value())
          terms.push_back(
              {readings.add(mesh, derive(orders, d), value.getType()),
               tangent});
    }
    SmallVector<Value> values = readings.build(builder, op->getLoc());
    for (auto [value, terms] : llvm::zip_equal(readout.getValues(), sums)) {
      SmallVector<std::pair<Value, Value>> products;
      for (auto [reading, tangent] : terms)
        products.push_back({values[reading], tangent});
      if (!products.empty())
        tangents.set(value,
                     buildProducts(builder, op->getLoc(), value.getType(),
                                   products, bool(particles.where)));
    }
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto readout = cast<ReadoutOp>(op);
    Location loc = op->getLoc();
    Particles particles(readout);
    warnIfNearest(op, particles,
                  [&](Value value) { return cotangents.needs(value); });
    // One mesh may be read several times.
    llvm::SmallMapVector<Value, size_t, 4> meshes;
    Paintings paintings(particles);
    Readings readings(particles);
    SmallVector<SmallVector<std::pair<size_t, Value>>> moved(particles.rank());
    for (auto [j, mesh, value] :
         llvm::enumerate(readout.getMeshes(), readout.getValues())) {
      Value cotangent = cotangents.get(value);
      if (!cotangent)
        continue;
      Orders orders = getOrders(readout.getOrders(), j, particles.rank());
      if (cotangents.needs(mesh)) {
        size_t place = meshes.insert({mesh, meshes.size()}).first->second;
        paintings.add(
            place, mesh.getType(),
            buildProducts(builder, loc, particles.type(), {{cotangent, {}}}),
            orders);
      }
      for (auto [d, displacement] : llvm::enumerate(particles.displacements))
        if (particles.isMoved(d) && cotangents.needs(displacement))
          moved[d].push_back(
              {readings.add(mesh, derive(orders, d), particles.type()),
               cotangent});
    }
    SmallVector<Value> values = readings.build(builder, loc);
    bool isGuarded =
        particles.where || asReverse(cotangents).isAnyGuarded(op->getResults());
    for (auto [displacement, terms] :
         llvm::zip_equal(particles.displacements, moved)) {
      SmallVector<std::pair<Value, Value>> products;
      for (auto [reading, cotangent] : terms)
        products.push_back({values[reading], cotangent});
      if (!products.empty())
        cotangents.add(
            builder, displacement,
            buildProducts(builder, loc, particles.type(), products, isGuarded));
    }
    SmallVector<Value> read(llvm::make_first_range(meshes));
    paintings.build(builder, loc, [&](size_t place, Value painted) {
      cotangents.add(builder, read[place], painted);
    });
    return success();
  }
};

} // namespace

void pmc::passes::registerParticleDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    PaintOp::attachInterface<PaintDerivative>(*context);
    ReadoutOp::attachInterface<ReadoutDerivative>(*context);
  });
}
