//===- Body.cpp - A domain op's body inside of a kernel -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Elements/Body.h"

#include "codegen/Lowering/Cell.h"
#include "codegen/Particles/Scatter.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

OperandRange Body::getYields(DomainOpInterface op) {
  return op.getDomainBody()->getTerminator()->getOperands();
}

/// Whether the field has an element of its own for each of the last dim.
static bool hasLastDim(Value field, ArrayRef<DimAttr> dims) {
  return cast<GridType>(field.getType()).getDims().back() == dims.back();
}

/// The halos of the body's readings, with their meshes.
static llvm::MapVector<Value, GridType> getHalos(DomainOpInterface op) {
  llvm::MapVector<Value, GridType> halos;
  op.getDomainBody()->walk([&](InterpolateOp reading) {
    for (auto [halo, mesh] : llvm::zip(reading.getHalos(), reading.getMeshes()))
      halos[halo] = cast<GridType>(mesh.getType());
  });
  for (auto read : op.getDomainBody()->getOps<NeighborOp>())
    if (Value halo = getHalo(read))
      halos[halo] = cast<GridType>(read.getField().getType());
  for (auto read : op.getDomainBody()->getOps<CellOp>())
    if (Value halo = getHalo(read))
      halos[halo] = cast<GridType>(read.getField().getType());
  return halos;
}

void Body::capture(DomainOpInterface op, Kernel &kernel, Extents &extents) {
  for (Value operand : op->getOperands())
    if (isa<BufferType>(operand.getType())) {
      kernel.capture(operand);
      extents.capture(kernel, cast<BufferType>(operand.getType()).getDims());
    }
  if (auto reduce = dyn_cast<ReduceOp>(op.getOperation()))
    for (Value bound : reduce.getBounds())
      kernel.capture(bound);
  extents.capture(kernel, op.getDomainDims());
  llvm::SetVector<Value> above;
  getUsedValuesDefinedAbove(*op.getDomainBody()->getParent(), above);
  llvm::MapVector<Value, GridType> halos = getHalos(op);
  for (auto [halo, mesh] : halos)
    extents.getViews().capture(kernel, halo, mesh);
  for (Value value : above) {
    if (halos.contains(value))
      continue;
    kernel.capture(value);
    if (auto type = dyn_cast<BufferType>(value.getType()))
      extents.capture(kernel, type.getDims());
  }
}

/// The operands of an op and of those inside of it.
static llvm::SetVector<Value> getReadValues(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, values);
  return values;
}

Body::Body(DomainOpInterface op, Kernel &kernel, Extents &extents,
           ArrayRef<Value> wanted, Reading mode)
    : op(op), kernel(kernel), mode(mode), loc(op.getLoc()),
      block(op.getDomainBody()), dims(op.getDomainDims()),
      extents(extents, kernel) {
  llvm::SetVector<Value> above;
  getUsedValuesDefinedAbove(*block->getParent(), above);
  llvm::MapVector<Value, GridType> halos = getHalos(op);
  for (Value value : above)
    if (!isa<BufferType>(value.getType()) && !halos.contains(value))
      outside.map(value, kernel.get(value));
  needed = slice(wanted, /*throughReadings=*/true);
  asked.insert_range(wanted);
  for (Operation *inner : needed)
    asked.insert_range(getReadValues(inner));
  findVarying();
  findExact();
  if (mode == Reading::ByElement)
    return;
  for (auto reading : block->getOps<InterpolateOp>())
    if (needed.contains(reading)) {
      readings.push_back(reading);
      for (Value value : reading.getValues())
        read_.insert({value, ChunkArray(kernel.body(), value.getType())});
    }
}

/// The ops of the body that the values depend on. What readings depend on
/// belongs to them, unless `throughReadings`.
Body::OpSet Body::slice(ArrayRef<Value> values, bool throughReadings) const {
  OpSet found;
  SmallVector<Value> open(values);
  while (!open.empty()) {
    Operation *definition = open.pop_back_val().getDefiningOp();
    if (!definition || definition->getBlock() != block ||
        !found.insert(definition).second)
      continue;
    if (throughReadings || !isa<InterpolateOp>(definition))
      llvm::append_range(open, getReadValues(definition));
  }
  return found;
}

void Body::findVarying() {
  llvm::DenseSet<Value> values;
  for (auto [input, argument] :
       llvm::zip(op.getDomainInputs(), block->getArguments()))
    if (hasLastDim(input, dims))
      values.insert(argument);
  std::string last = dims.back().getLabel();
  for (Operation &inner : *block) {
    WalkResult dependent = inner.walk([&](Operation *nested) {
      auto coordinate = dyn_cast<CoordinateOp>(nested);
      return isa<InterpolateOp>(nested) ||
                     (coordinate && coordinate.getDim() == last)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    auto read = dyn_cast<NeighborOp>(inner);
    if (!dependent.wasInterrupted() &&
        !(read && Neighbor(read, kernel, extents, dims).isAlongLast()) &&
        llvm::none_of(getReadValues(&inner),
                      [&](Value value) { return values.contains(value); }))
      continue;
    varying.insert(&inner);
    values.insert(inner.result_begin(), inner.result_end());
  }
}

/// A halo has the cells that pm.displacement_bound has found, which evaluates
/// the positions in a kernel of its own. Ints that come from real numbers, such
/// as bins, are exact, too, because a fused operation could round to another
/// int.
void Body::findExact() {
  SmallVector<Value> ints;
  for (Value value : getYields(op))
    if (value.getType().isInteger(64))
      ints.push_back(value);
  exact = slice(ints, /*throughReadings=*/true);
  block->walk([&](InterpolateOp reading) {
    if (!reading.getHalos().empty())
      keepExact(reading);
  });
}

void Body::keepExact(InterpolateOp reading) {
  SmallVector<Value> offsets(reading.getOffsets());
  for (Operation *inner : slice(offsets, /*throughReadings=*/true))
    exact.insert(inner);
}

void Body::setReader(ChunkReader &other) {
  reader = &other;
  for (InterpolateOp reading : readings)
    keepExact(reading);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

void Body::enter(Emit &emit, ArrayRef<Value> outer, ElementValues &place) {
  place.position.assign(outer.begin(), outer.end());
  place.values = outside;
  place.rows.clear();
  for (auto [input, argument] :
       llvm::zip(op.getDomainInputs(), block->getArguments())) {
    auto type = cast<GridType>(input.getType());
    Value base = kernel.get(input);
    SmallVector<Value> position;
    for (auto [dim, coordinate] : llvm::zip(dims.drop_back(), outer))
      if (llvm::is_contained(type.getDims(), dim))
        position.push_back(coordinate);
    bool along = hasLastDim(input, dims);
    if (along)
      position.push_back(emit.index(0));
    Value index = extents.linear(emit, type.getDims(), position);
    place.rows.push_back(emit.at(base, index));
    if (!along)
      place.values.map(argument, emit.load(base, index));
  }
  place.neighbors.clear();
  for (auto read : block->getOps<NeighborOp>())
    if (needed.contains(read))
      place.neighbors[read] =
          Neighbor(read, kernel, extents, dims).enterRow(emit, outer);
  evaluateOps(emit.getBuilder(), needed, place, /*invariant=*/true);
  place.outs.clear();
  if (outs.empty())
    return;
  SmallVector<Value> start(outer);
  start.push_back(emit.index(0));
  Value origin = extents.linear(emit, dims, start);
  for (Value out : outs)
    place.outs.push_back(emit.at(kernel.get(out), origin));
}

void Body::store(Emit &emit, ArrayRef<Value> values) {
  for (auto [value, out] : llvm::zip_equal(values, here.outs))
    emit.store(value, out, here.position.back());
}

void Body::enterRow(OpBuilder &builder, ArrayRef<Value> outer) {
  Emit emit(builder, loc);
  list = {};
  first = {};
  enter(emit, outer, row);
}

void Body::enterChunk(OpBuilder &builder, Value begin, Value size) {
  first = begin;
  read(builder, size);
}

void Body::prefetch(OpBuilder &builder, Value begin, Value size) {
  constexpr int64_t lineBytes = 64;
  Emit emit(builder, loc);
  size_t at = dims.size() < 3 ? 0 : dims.size() - 3;
  DimAttr along = dims[at];
  Value ahead = emit.index(dims.size() < 3 ? 4 : 1);
  Value exists =
      emit.less(emit.add(row.position[at], ahead), extents.extent(along));
  auto ask = [&](Value field, Value rowBegin, bool isWritten) {
    auto type = cast<GridType>(field.getType());
    int d = findDim(type.getDims(), along.getLabel());
    if (d < 0 || !hasLastDim(field, dims))
      return;
    Value step = extents.count(emit, type.getDims().drop_front(d + 1));
    step = emit.select(exists, emit.mul(step, ahead), emit.index(0));
    Value start = emit.at(rowBegin, emit.add(step, begin));
    int64_t line = lineBytes / getElementBytes(type.getElementType());
    forLoop(builder, loc, emit.index(0), size, line, {},
            [&](OpBuilder &inner, Value i, ValueRange) {
              Value address = pmk::AddressOp::create(
                  inner, loc, LLVM::LLVMPointerType::get(inner.getContext()),
                  Emit(inner, loc).at(start, i));
              LLVM::Prefetch::create(inner, loc, address, isWritten,
                                     /*hint=*/3, /*cache=*/1);
              return SmallVector<Value>();
            });
  };
  llvm::SmallDenseSet<Value> done;
  for (auto [input, argument, elements] :
       llvm::zip(op.getDomainInputs(), block->getArguments(), row.rows))
    if (asked.contains(argument) && done.insert(kernel.get(input)).second)
      ask(input, elements, /*isWritten=*/llvm::is_contained(outs, input));
  for (auto [out, elements] : llvm::zip(outs, row.outs))
    if (done.insert(kernel.get(out)).second)
      ask(out, elements, /*isWritten=*/true);
}

void Body::enterList(OpBuilder &builder, Value indices, Value begin,
                     Value size) {
  list = indices;
  first = begin;
  read(builder, size);
}

void Body::moveTo(Emit &emit, Value i) {
  Value index = first ? emit.add(first, i) : i;
  if (list) {
    Value element = emit.load(list, index);
    SmallVector<Value> position = extents.split(emit, dims, element);
    enter(emit, ArrayRef(position).drop_back(), here);
    index = position.back();
  } else {
    here = row;
  }
  here.position.push_back(index);
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

SmallVector<Value> Body::evaluate(OpBuilder &builder, Value i,
                                  ArrayRef<Value> wanted) {
  Emit emit(builder, loc);
  moveTo(emit, i);
  OpSet ops = slice(wanted, /*throughReadings=*/mode == Reading::ByElement);
  // Only the inputs that are asked for; others may be overwritten by now.
  llvm::DenseSet<Value> asked(wanted.begin(), wanted.end());
  for (Operation *inner : ops)
    for (Value value : getReadValues(inner))
      asked.insert(value);
  for (auto [n, input] : llvm::enumerate(op.getDomainInputs())) {
    BlockArgument argument = block->getArgument(unsigned(n));
    if (asked.contains(argument) && hasLastDim(input, dims))
      here.values.map(
          argument,
          emit.load(here.rows[n], moved == n ? i : here.position.back()));
  }
  for (InterpolateOp reading : readings)
    if (ops.erase(reading)) {
      if (reader) {
        here.values.map(reading.getValues(), reader->load(emit, i));
        continue;
      }
      for (Value value : reading.getValues())
        here.values.map(value, read_.find(value)->second.load(emit, i));
    }
  evaluateOps(builder, ops, here, /*invariant=*/false);
  SmallVector<Value> results;
  for (Value value : wanted)
    results.push_back(here.values.lookup(value));
  return results;
}

void Body::forEach(OpBuilder &builder, Value from, Value to,
                   llvm::function_ref<void(OpBuilder &, Value)> body) {
  RowEnds ends = getRowEnds(op);
  if (list || (ends.below == 0 && ends.above == 0))
    return forLoop(builder, loc, from, to, body);
  Emit emit(builder, loc);
  auto within = [&](Value index, Value least) {
    return emit.min(emit.max(index, least), to);
  };
  Value start = first ? first : emit.index(0);
  Value begin = within(emit.sub(emit.index(ends.below), start), from);
  Value length = emit.sub(extents.extent(dims.back()), emit.index(ends.above));
  Value end = within(emit.sub(length, start), begin);
  forLoop(builder, loc, emit.index(0), emit.index(2),
          [&](OpBuilder &inner, Value part) {
            Emit at(inner, loc);
            Value isFirst = at.equal(part, at.index(0));
            forLoop(inner, loc, at.select(isFirst, from, end),
                    at.select(isFirst, begin, to), body);
          });
  isInterior = true;
  forLoop(builder, loc, begin, end, body);
  isInterior = false;
}

/// The row's part of it is known.
Value Body::readNeighbor(Emit &emit, NeighborOp read, ElementValues &place) {
  Neighbor neighbor(read, kernel, extents, dims);
  ArrayRef<Value> position(place.position);
  size_t outer = dims.size() - 1;
  return neighbor.load(emit, place.neighbors.find(read)->second,
                       position.take_front(outer),
                       position.size() > outer ? position[outer] : Value(),
                       isInterior && neighbor.isAlongLast());
}

void Body::evaluateOps(OpBuilder &builder, const OpSet &ops,
                       ElementValues &place, bool invariant) {
  for (Operation &inner : *block)
    if (ops.contains(&inner) && varying.contains(&inner) != invariant)
      clone(builder, &inner, place);
}

void Body::clone(OpBuilder &builder, Operation *original,
                 ElementValues &place) {
  if (auto coordinateOp = dyn_cast<CoordinateOp>(original)) {
    Emit emit(builder, original->getLoc());
    place.values.map(coordinateOp.getIndex(),
                     coordinate(emit, coordinateOp.getDim(), place));
    return;
  }
  if (auto read = dyn_cast<NeighborOp>(original)) {
    Emit emit(builder, original->getLoc());
    place.values.map(read.getElement(), readNeighbor(emit, read, place));
    return;
  }
  if (auto read = dyn_cast<CellOp>(original)) {
    Emit emit(builder, original->getLoc());
    SmallVector<Value> indices;
    for (Value index : read.getIndices())
      indices.push_back(place.values.lookupOrDefault(index));
    place.values.map(read.getElement(),
                     readCell(emit, read, kernel, extents, indices));
    return;
  }
  if (auto reading = dyn_cast<InterpolateOp>(original)) {
    Emit emit(builder, original->getLoc());
    SmallVector<Value> offsets;
    for (Value offset : reading.getOffsets())
      offsets.push_back(place.values.lookupOrDefault(offset));
    for (auto [value, read] : llvm::zip_equal(
             reading.getValues(), readHere(emit, reading, offsets, place)))
      place.values.map(value, read);
    return;
  }
  Operation *copy = builder.clone(*original, place.values);
  if (contracts && !exact.contains(original))
    allowContraction(copy);
  SmallVector<Operation *> replaced;
  copy->walk([&](Operation *inner) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(inner);
    Emit emit(builder, inner->getLoc());
    if (auto coordinateOp = dyn_cast<CoordinateOp>(inner)) {
      coordinateOp.getIndex().replaceAllUsesWith(
          coordinate(emit, coordinateOp.getDim(), place));
      replaced.push_back(inner);
    } else if (auto reading = dyn_cast<InterpolateOp>(inner)) {
      // In a branch: element by element. Its meshes are the host's values.
      SmallVector<Value> offsets(reading.getOffsets());
      if (mode == Reading::InChunks) {
        Value isRefused = emit.select(isValid(emit, offsets),
                                      emit.constant(builder.getI1Type(), 0),
                                      emit.constant(builder.getI1Type(), 1));
        refuseIf(builder, isRefused);
      }
      reading->replaceAllUsesWith(readHere(emit, reading, offsets, place));
      replaced.push_back(inner);
    }
  });
  for (Operation *inner : replaced)
    inner->erase();
}

/// Reads the meshes for the element at `place` alone. The meshes are the host's
/// values, even where the op is in a kernel.
SmallVector<Value> Body::readHere(Emit &emit, InterpolateOp reading,
                                  ArrayRef<Value> offsets,
                                  ElementValues &place) {
  if (elementReader)
    return elementReader->read(emit, extents, place.position, offsets);
  ParticleWindow particleWindow = getParticleWindow(reading, dims);
  Value halo = getHalo(reading);
  Stencil stencil =
      particleWindow.getStencil(emit, extents, halo, place.position, offsets,
                                getWeightType(reading), getOrders(reading));
  auto read = [&](Emit &at, bool whole) {
    return readMeshes(at, reading, getMeshRows(reading, kernel, extents, whole),
                      stencil);
  };
  if (!halo)
    return read(emit, /*whole=*/false);
  // One rank need not pay for looking rows up.
  OpBuilder &builder = emit.getBuilder();
  auto branch = [&](bool whole) {
    return [&, whole](OpBuilder &inner, Location loc) {
      Emit at(inner, loc);
      scf::YieldOp::create(inner, loc, read(at, whole));
    };
  };
  auto choice =
      scf::IfOp::create(builder, emit.getLoc(), extents.haloView(halo).whole,
                        branch(true), branch(false));
  return llvm::to_vector<6>(ValueRange(choice.getResults()));
}

/// The global index, or for dual dims the mode number.
Value Body::coordinate(Emit &emit, StringRef label, ElementValues &place) {
  int d = findDim(dims, label);
  DimAttr dim = dims[d];
  OpBuilder &builder = emit.getBuilder();
  Value index = emit.add(place.position[d], extents.offset(dim));
  // Every machine converts i32 in vectors.
  Type type = dim.getExtent() < (int64_t(1) << 31) ? builder.getI32Type()
                                                   : builder.getI64Type();
  index = emit.cast(index, type);
  if (dim.getKind() == DimKind::Dual) {
    int64_t extent = dim.getExtent();
    int64_t positive = (extent + 1) / 2;
    Value isPositive = emit.less(index, emit.constant(type, double(positive)));
    index = emit.select(isPositive, index,
                        emit.sub(index, emit.constant(type, double(extent))));
  }
  return emit.cast(index, builder.getF64Type());
}

void Body::refuseIf(OpBuilder &builder, Value condition) {
  auto branch = scf::IfOp::create(builder, loc, condition,
                                  /*withElseRegion=*/false);
  OpBuilder inner = OpBuilder::atBlockBegin(branch.thenBlock());
  kernel.refusePosition(inner);
}

/// Reads the meshes for a chunk of elements.
void Body::read(OpBuilder &builder, Value size) {
  for (InterpolateOp reading : readings) {
    if (reader) {
      readBy(*reader, builder, reading, size);
      continue;
    }
    ParticleWindow particleWindow = getParticleWindow(reading, dims);
    SmallVector<Value> offsets(reading.getOffsets());
    StencilChunk stencils(builder, particleWindow, getWeightType(reading),
                          getOrders(reading));
    Emit outer(builder, loc);
    Value begin = outer.index(0);
    // The number of positions that are refused: one test a chunk.
    ChunkArray refused(builder, builder.getI32Type());
    refused.store(outer, outer.constant(builder.getI32Type(), 0), begin);
    forEach(builder, begin, size, [&](OpBuilder &inner, Value i) {
      SmallVector<Value> u = evaluate(inner, i, offsets);
      Emit emit(inner, reading.getLoc());
      Value more =
          emit.select(isValid(emit, u), emit.constant(inner.getI32Type(), 0),
                      emit.constant(inner.getI32Type(), 1));
      refused.store(emit, emit.add(refused.load(emit, begin), more), begin);
      stencils.store(emit,
                     particleWindow.getStencil(
                         emit, extents, getHalo(reading), here.position, u,
                         getWeightType(reading), getOrders(reading)),
                     i);
    });
    Value some = outer.less(outer.constant(builder.getI32Type(), 0),
                            refused.load(outer, begin));
    refuseIf(builder, some);
    Value halo = getHalo(reading);
    if (!halo) {
      readChunk(builder, reading, stencils, size, /*whole=*/false);
      continue;
    }
    // What is all here need not pay for looking rows up.
    HaloView view = extents.haloView(halo);
    Value direct = stencils.moveToMesh(builder, loc, view, size);
    auto branch = [&](bool whole) {
      return [&, whole](OpBuilder &inner, Location) {
        readChunk(inner, reading, stencils, size, whole);
        scf::YieldOp::create(inner, loc);
      };
    };
    scf::IfOp::create(builder, loc, direct, branch(true), branch(false));
  }
}

void Body::readBy(ChunkReader &reader, OpBuilder &builder,
                  InterpolateOp reading, Value size) {
  SmallVector<Value> offsets(reading.getOffsets());
  forEach(builder, Emit(builder, loc).index(0), size,
          [&](OpBuilder &inner, Value i) {
            SmallVector<Value> u = evaluate(inner, i, offsets);
            Emit emit(inner, reading.getLoc());
            reader.prepare(emit, extents, here.position, u, i);
          });
  forLoop(builder, loc, Emit(builder, loc).index(0), size,
          [&](OpBuilder &inner, Value i) {
            Emit emit(inner, reading.getLoc());
            reader.read(emit, i);
          });
  Emit emit(builder, reading.getLoc());
  reader.finish(emit, size);
}

void Body::readChunk(OpBuilder &builder, InterpolateOp reading,
                     StencilChunk &stencils, Value size, bool whole) {
  SmallVector<MeshRows> meshes = getMeshRows(reading, kernel, extents, whole);
  forEachReading(builder, reading, size, [&](Emit &emit, Value i) {
    return readMeshes(emit, reading, meshes, stencils.load(emit, i));
  });
}

/// Keeps what `read` gives for each element of the chunk.
void Body::forEachReading(
    OpBuilder &builder, InterpolateOp reading, Value size,
    llvm::function_ref<SmallVector<Value>(Emit &, Value)> read) {
  forLoop(builder, loc, Emit(builder, loc).index(0), size,
          [&](OpBuilder &inner, Value i) {
            Emit emit(inner, reading.getLoc());
            SmallVector<Value> values = read(emit, i);
            for (auto [result, value] :
                 llvm::zip_equal(reading.getValues(), values))
              read_.find(result)->second.store(emit, value, i);
          });
}
