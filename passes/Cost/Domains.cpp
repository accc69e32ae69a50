//===- Domains.cpp - What loops over domains cost -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every field is read once and every result written once, whatever the order in
// which cells of a mesh are touched: caches keep what is used again soon.
//
//===----------------------------------------------------------------------===//

#include "passes/Cost/Models.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace pmc::pm;

namespace pmc::cost {

/// Operations of a function like `exp`.
static constexpr int64_t functionOperations = 20;

static OpCost count(Block &body, const Ranks &ranks);

/// How often a loop goes around, if that is a number.
static int64_t getTrips(scf::ForOp loop) {
  APInt from, to, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&from)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&to)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) || step.isZero())
    return 1;
  return std::max<int64_t>(
      0, (to.getSExtValue() - from.getSExtValue() + step.getSExtValue() - 1) /
             step.getSExtValue());
}

/// What is counted of bodies: all that is no memory.
static constexpr ExprAttr OpCost::*counted[] = {
    &OpCost::operations, &OpCost::functions, &OpCost::lookups, &OpCost::cells};

/// Of one op in a body, for one element.
static OpCost count(Operation &op, const Ranks &ranks) {
  MLIRContext *context = op.getContext();
  OpCost cost(context);
  if (auto model = dyn_cast<CostOpInterface>(op))
    return model.getCost(ranks);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    cost = count(*loop.getBody(), ranks);
    for (ExprAttr OpCost::*what : counted)
      cost.*what = getTrips(loop) * (cost.*what);
    return cost;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (Region &region : branch->getRegions())
      if (!region.empty()) {
        OpCost side = count(region.front(), ranks);
        for (ExprAttr OpCost::*what : counted)
          cost.*what = getMax(cost.*what, side.*what);
      }
    return cost;
  }
  if (isa<math::MathDialect>(op.getDialect())) {
    bool isFunction =
        !isa<math::AbsFOp, math::FmaOp, math::FloorOp, math::SqrtOp>(op);
    cost.functions = getConstant(context, isFunction);
    cost.operations = getConstant(
        context, isFunction || isa<math::SqrtOp>(op) ? functionOperations : 1);
    return cost;
  }
  int64_t each = isa<complex::ComplexDialect>(op.getDialect()) ? 2 : 1;
  if (isa<complex::MulOp>(op))
    each = 6;
  bool computes =
      isa<arith::ArithDialect, complex::ComplexDialect>(op.getDialect()) &&
      !op.hasTrait<OpTrait::ConstantLike>() &&
      !isa<complex::ReOp, complex::ImOp, complex::CreateOp>(op);
  cost.operations = getConstant(context, computes ? each : 0);
  return cost;
}

static OpCost count(Block &body, const Ranks &ranks) {
  OpCost sum(body.getParentOp()->getContext());
  for (Operation &op : body) {
    OpCost cost = count(op, ranks);
    for (ExprAttr OpCost::*what : counted)
      sum.*what = sum.*what + cost.*what;
  }
  return sum;
}

void addBody(OpCost &cost, DomainOpInterface op, const Ranks &ranks) {
  OpCost body = count(*op.getDomainBody(), ranks);
  ExprAttr cells = getCells(op->getContext(), op.getDomainDims());
  for (ExprAttr OpCost::*what : counted)
    cost.*what = cost.*what + cells * (body.*what);
}

namespace {

/// What the ops of a body read besides the elements they are given.
llvm::SetVector<Value> getReadBeside(DomainOpInterface op) {
  llvm::SetVector<Value> fields;
  op->walk([&](Operation *inner) {
    if (auto reading = dyn_cast<InterpolateOp>(inner))
      fields.insert(reading.getMeshes().begin(), reading.getMeshes().end());
    if (auto reading = dyn_cast<NeighborOp>(inner))
      fields.insert(reading.getField());
    if (auto reading = dyn_cast<CellOp>(inner))
      fields.insert(reading.getField());
  });
  for (Value input : op.getDomainInputs())
    fields.remove(input);
  return fields;
}

/// The dims as if the one that the op looks at a part of had no more cells; as
/// they are if it looks at all, or if only the program knows how much.
class Looked {
public:
  explicit Looked(Operation *op) {
    if (auto map = dyn_cast<MapOp>(op))
      set(map.getWithin(), map.getBounds());
    if (auto reduce = dyn_cast<ReduceOp>(op))
      set(reduce.getWithin(), reduce.getBounds());
  }

  SmallVector<DimAttr> get(ArrayRef<DimAttr> dims) const {
    return llvm::map_to_vector(dims, [&](DimAttr dim) {
      // Of a dim that axes split, the rank that has the cells.
      return width > 0 && dim.getLabel() == within
                 ? DimAttr::get(dim.getContext(), dim.getName(), width, 1)
                 : dim;
    });
  }
  ExprAttr getBytes(GridType type) const {
    return cost::getBytes(cast<GridType>(Type(FieldType::get(
        type.getContext(), get(type.getDims()), type.getElementType()))));
  }

private:
  void set(std::optional<StringRef> dim, OperandRange bounds) {
    if (!dim)
      return;
    within = dim->str();
    APInt first, last;
    auto sum = bounds[1].getDefiningOp<arith::AddIOp>();
    if (matchPattern(bounds[0], m_ConstantInt(&first)) &&
        matchPattern(bounds[1], m_ConstantInt(&last)))
      width = last.getSExtValue() - first.getSExtValue();
    else if (sum && sum.getLhs() == bounds[0] &&
             matchPattern(sum.getRhs(), m_ConstantInt(&last)))
      width = last.getSExtValue();
  }

  std::string within;
  int64_t width = 0;
};

OpCost getDomainCost(Operation *op, const Ranks &ranks) {
  auto domain = cast<DomainOpInterface>(op);
  Looked looked(op);
  auto getBytes = [&](GridType type) { return looked.getBytes(type); };
  MLIRContext *context = op->getContext();
  OpCost cost(context);
  llvm::SetVector<Value> inputs(domain.getDomainInputs().begin(),
                                domain.getDomainInputs().end());
  llvm::SetVector<Value> beside = getReadBeside(domain);
  cost.part = Part::Kernels;
  op->walk([&](InterpolateOp) { cost.part = Part::Readout; });
  inputs.insert(beside.begin(), beside.end());
  for (Value input : inputs)
    cost.read = cost.read + getBytes(cast<GridType>(input.getType()));
  for (Value operand : op->getOperands())
    if (isa<BufferType>(operand.getType()) && !inputs.contains(operand))
      cost.written = cost.written + getBytes(cast<GridType>(operand.getType()));
  // What is written over an input.
  for (Value operand :
       op->getOperands().drop_front(domain.getDomainInputs().size()))
    if (isa<BufferType>(operand.getType()) && inputs.contains(operand))
      cost.written = cost.written + getBytes(cast<GridType>(operand.getType()));
  for (Type type : op->getResultTypes())
    if (FieldType field = getField(type))
      cost.written = cost.written + getBytes(cast<GridType>(Type(field)));
  OpCost body = count(*domain.getDomainBody(), ranks);
  for (ExprAttr OpCost::*what : counted)
    cost.*what =
        getCells(context, looked.get(domain.getDomainDims())) * (body.*what);
  for (Value input : inputs)
    cost.isSingle &= isSingle(cast<GridType>(input.getType()).getElementType());
  return cost;
}

/// The inputs whose elements are needed wherever the body is evaluated: inputs
/// that branches alone look at may be read there.
Sweeps getInputSweeps(DomainOpInterface op) {
  Sweeps sweeps;
  Block *body = op.getDomainBody();
  for (auto [input, element] :
       llvm::zip(op.getDomainInputs(), body->getArguments()))
    if (llvm::any_of(element.getUsers(),
                     [&](Operation *user) { return user->getBlock() == body; }))
      sweeps.read.push_back(input);
  return sweeps;
}

template <class Op>
struct DomainCost : CostOpInterface::ExternalModel<DomainCost<Op>, Op> {
  OpCost getCost(Operation *op, const Ranks &ranks) const {
    return getDomainCost(op, ranks);
  }
  Sweeps getSweeps(Operation *op) const {
    if constexpr (std::is_same_v<Op, MapOp> || std::is_same_v<Op, ReduceOp>)
      if (cast<Op>(op).getWithin())
        return {}; // only the program knows how much
    Sweeps sweeps = getInputSweeps(cast<DomainOpInterface>(op));
    if constexpr (std::is_same_v<Op, MapOp>)
      llvm::append_range(sweeps.written, cast<MapOp>(op).getOuts());
    return sweeps;
  }
};

int64_t getWindowCells(WindowAttr window, size_t dims) {
  int64_t cells = 1;
  for (size_t d = 0; d < dims; ++d)
    cells *= window.getSupport(d);
  return cells;
}

/// Weights along each dim, and for each cell the product of these and what is
/// done with it.
int64_t getWindowOperations(WindowAttr window, size_t dims, size_t meshes) {
  auto terms = int64_t(window.getPolynomials().front().size());
  int64_t along = 0;
  for (size_t d = 0; d < dims; ++d)
    along += 2 + window.getSupport(d) * (window.isBatch(d) ? 1 : terms);
  return along + getWindowCells(window, dims) *
                     (int64_t(dims) - 1 + 2 * int64_t(meshes));
}

/// Operations that compute a cell of a mesh from others.
int64_t countOperations(Region &cell) {
  return llvm::count_if(cell.front(), [](Operation &op) {
    return !op.hasTrait<OpTrait::ConstantLike>() && !isa<YieldOp>(op);
  });
}

/// Cells for each element: a block of sites and the cells around it have about
/// twice the cells of the block.
int64_t getCellsOfBlocks(DomainOpInterface domain, GridType mesh) {
  int64_t ratio = 2;
  for (auto [cells, sites] : llvm::zip(mesh.getDims(), domain.getDomainDims()))
    ratio *= std::max<int64_t>(
        cells.getStoredExtent() / std::max<int64_t>(sites.getStoredExtent(), 1),
        1);
  return ratio;
}

struct ScatterCost : CostOpInterface::ExternalModel<ScatterCost, ScatterOp> {
  OpCost getCost(Operation *op, const Ranks &ranks) const {
    auto scatter = cast<ScatterOp>(op);
    OpCost cost = getDomainCost(op, ranks);
    cost.part = Part::Paint;
    // Meshes are zeroed, then added to.
    GridType mesh = scatter.getMeshType();
    cost.read = cost.read + int64_t(scatter.getNumMeshes()) * getBytes(mesh);
    cost.written =
        cost.written + int64_t(scatter.getNumMeshes()) * getBytes(mesh);
    // As if all particles were painted.
    size_t dims = mesh.getDims().size(),
           weights = scatter.getYieldedWeights().size();
    ExprAttr particles = getCells(op->getContext(), scatter.getDomainDims());
    cost.operations =
        cost.operations +
        getWindowOperations(scatter.getWindow(), dims, weights) * particles;
    size_t fields = scatter.isComputed() ? weights : scatter.getNumMeshes();
    cost.cells = cost.cells + int64_t(fields) *
                                  getWindowCells(scatter.getWindow(), dims) *
                                  particles;
    if (scatter.isComputed())
      cost.operations =
          cost.operations +
          countOperations(scatter.getCell()) *
              getCellsOfBlocks(cast<DomainOpInterface>(op), mesh) * particles;
    return cost;
  }
  Sweeps getSweeps(Operation *op) const {
    return getInputSweeps(cast<DomainOpInterface>(op));
  }
};

struct DisplacementBoundCost
    : CostOpInterface::ExternalModel<DisplacementBoundCost,
                                     DisplacementBoundOp> {
  OpCost getCost(Operation *op, const Ranks &ranks) const {
    auto bound = cast<DisplacementBoundOp>(op);
    OpCost cost = getDomainCost(op, ranks);
    cost.part = Part::Paint;
    cost.positions = getCells(op->getContext(), bound.getDomainDims());
    // The widths below and above, and whether a position is not finite.
    Message message;
    message.pattern = Pattern::AllReduce;
    message.axes = getAxes(bound.getMesh().getDims());
    message.bytes = message.whole =
        getConstant(op->getContext(),
                    8 * (2 * int64_t(bound.getMesh().getDims().size()) + 1));
    cost.messages.push_back(message);
    return cost;
  }
};

struct InterpolateCost
    : CostOpInterface::ExternalModel<InterpolateCost, InterpolateOp> {
  OpCost getCost(Operation *op, const Ranks &) const {
    auto reading = cast<InterpolateOp>(op);
    OpCost cost(op->getContext());
    cost.part = Part::Readout;
    size_t dims = reading.getOffsets().size();
    int64_t cells = getWindowCells(reading.getWindow(), dims), bytes = 0;
    for (Value mesh : reading.getMeshes())
      bytes += cells *
               getElementBytes(cast<GridType>(mesh.getType()).getElementType());
    cost.read = getConstant(op->getContext(), bytes);
    auto values = int64_t(reading.getValues().size());
    cost.cells = getConstant(op->getContext(), cells * values);
    cost.operations = getConstant(
        op->getContext(),
        getWindowOperations(reading.getWindow(), dims, size_t(values)) +
            getCellOperations(reading));
    return cost;
  }

private:
  /// Of what computes the meshes' cells, for one element.
  static int64_t getCellOperations(InterpolateOp reading) {
    if (!reading.isComputed())
      return 0;
    return countOperations(reading.getCell()) *
           getCellsOfBlocks(
               cast<DomainOpInterface>(reading->getParentOp()),
               cast<GridType>(reading.getMeshes().front().getType()));
  }
};

/// Reads one element.
template <typename Op>
struct ElementCost : CostOpInterface::ExternalModel<ElementCost<Op>, Op> {
  OpCost getCost(Operation *op, const Ranks &) const {
    OpCost cost(op->getContext());
    cost.read = getConstant(
        op->getContext(), getElementBytes(cast<Op>(op).getElement().getType()));
    return cost;
  }
};

} // namespace

void registerDomainCosts(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    MapOp::attachInterface<DomainCost<MapOp>>(*context);
    ReduceOp::attachInterface<DomainCost<ReduceOp>>(*context);
    BinsOp::attachInterface<DomainCost<BinsOp>>(*context);
    ScatterOp::attachInterface<ScatterCost>(*context);
    DisplacementBoundOp::attachInterface<DisplacementBoundCost>(*context);
    InterpolateOp::attachInterface<InterpolateCost>(*context);
    NeighborOp::attachInterface<ElementCost<NeighborOp>>(*context);
    CellOp::attachInterface<ElementCost<CellOp>>(*context);
  });
}

} // namespace pmc::cost
