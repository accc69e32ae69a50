//===- CostModel.cpp - What a program costs on any mesh -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Cost/CostModel.h"

#include "dialect/IR/Markers/PMPlaces.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace pmc::cost;
using namespace pmc::pm;

static llvm::Error fail(const Twine &message) {
  return llvm::createStringError(message);
}

static std::string getPlace(Operation *op) {
  LocationAttr place = findPlace(op->getLoc());
  return place ? toText(place) : "?";
}

static std::string toType(Type type) {
  auto grid = cast<GridType>(type);
  std::string text;
  llvm::raw_string_ostream(text)
      << toString(grid.getDims()) << " " << grid.getElementType();
  return text;
}

/// 5 n log2 n, half of it for real numbers: as transforms are compared.
static int64_t getOperations(const RowTransforms &rows) {
  double n = double(rows.length);
  return int64_t((rows.isReal ? 2.5 : 5) * n * std::log2(n));
}

namespace {

/// The first and the last rank along every axis: parts of all sizes that there
/// are.
class Corners {
public:
  Corners(const CostReport &report, int64_t displacementBound)
      : displacementBound(displacementBound) {
    places.emplace_back();
    for (const auto &[axis, ranks] : report.mesh) {
      std::vector<RankPosition> next;
      for (const RankPosition &place : places)
        for (int64_t index : {int64_t(0), ranks - 1}) {
          RankPosition more = place;
          more.ranks[axis] = ranks;
          more.index[axis] = index;
          next.push_back(std::move(more));
          if (ranks == 1)
            break;
        }
      places = std::move(next);
    }
  }

  int64_t getFirst(ExprAttr expr) { return get(expr).first; }
  int64_t getMost(ExprAttr expr) { return get(expr).most; }
  /// Whether widths of halos are in it, which are not known.
  bool isAssumed(ExprAttr expr) {
    if (expr.getKind() == ExprKind::Symbol)
      return !places[0].ranks.count(expr.getNames().front().getValue());
    return llvm::any_of(expr.getOperands(),
                        [&](ExprAttr operand) { return isAssumed(operand); });
  }

private:
  struct Values {
    int64_t first = 0, most = 0;
  };

  const Values &get(ExprAttr expr) {
    auto [known, isNew] = values.try_emplace(expr);
    if (!isNew)
      return known->second;
    addNames(expr);
    Values found;
    for (const RankPosition &place : places)
      found.most = std::max(found.most, expr.evaluate(place).value_or(0));
    found.first = expr.evaluate(places[0]).value_or(0);
    return known->second = found;
  }

  /// Names that are no axes are widths of halos.
  void addNames(ExprAttr expr) {
    if (expr.getKind() == ExprKind::Symbol && isAssumed(expr))
      for (RankPosition &place : places)
        place.values[expr.getNames().front().str()] = displacementBound;
    for (ExprAttr operand : expr.getOperands())
      addNames(operand);
  }

  std::vector<RankPosition> places;
  int64_t displacementBound;
  llvm::DenseMap<ExprAttr, Values> values;
};

/// The row of an op with its cost on a mesh.
CostRow fill(CostRow row, const OpCost &cost, const CostReport &report,
             Corners &corners) {
  row.part = cost.part;
  row.read = corners.getMost(cost.read);
  row.written = corners.getMost(cost.written);
  row.operations = corners.getMost(cost.operations);
  row.functions = corners.getMost(cost.functions);
  row.lookups = corners.getMost(cost.lookups);
  row.cells = corners.getMost(cost.cells);
  row.positions = corners.getMost(cost.positions);
  row.isSingle = cost.isSingle;
  for (const RowTransforms &rows : cost.transforms) {
    row.transforms.push_back(
        {corners.getMost(rows.batch), rows.length, rows.isReal, rows.isSingle});
    row.operations += row.transforms.back().batch * getOperations(rows);
  }
  for (const Message &message : cost.messages) {
    SentRow sent;
    sent.pattern = message.pattern;
    for (StringAttr axis : message.axes)
      if (llvm::none_of(report.mesh, [&](const auto &one) {
            return one.first == axis.getValue() && one.second == 1;
          }))
        sent.axes.push_back(axis.str());
    if (report.ranks > 1) {
      sent.most = corners.getMost(message.bytes);
      sent.first = corners.getFirst(message.bytes);
      sent.whole = corners.getMost(message.whole);
    }
    sent.assumed = corners.isAssumed(message.bytes);
    row.sent.push_back(std::move(sent));
  }
  return row;
}

} // namespace

//===----------------------------------------------------------------------===//
// What is the same on all meshes
//===----------------------------------------------------------------------===//

/// All that costs depend on where they depend on the number of ranks.
static Attribute describe(Operation *op) {
  Builder builder(op->getContext());
  return builder.getArrayAttr(
      {op->getName().getIdentifier(), op->getAttrDictionary(),
       TypeAttr::get(builder.getFunctionType(op->getOperandTypes(),
                                             op->getResultTypes()))});
}

CostModel::CostModel(ModuleOp planned, const CostQuestion &question)
    : module(planned), question(question),
      counts(planned, question.parameters) {
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    counts.count(main);
  findLoops();
  llvm::DenseMap<Attribute, size_t> firsts;
  for (auto [op, times] : counts.get()) {
    CostRow row;
    row.op = op->getName().stripDialect().str();
    row.where = getPlace(op);
    row.times = times;
    for (Operation *parent = op->getParentOp(); parent && row.loop < 0;
         parent = parent->getParentOp())
      if (auto loop = numbers.find(parent); loop != numbers.end())
        row.loop = loop->second;
    auto [like, isNew] = firsts.try_emplace(describe(op), executed.size());
    executed.push_back({op, std::move(row), like->second});
  }
  for (Operation *op : counts.getAssumed())
    notes.push_back(
        getPlace(op) +
        (isa<scf::IfOp>(op)
             ? ": depends on what the program computes; counted as taken"
             : ": steps depend on what the program computes; counted once"));
  for (auto plan : module.getOps<PlanOp>())
    findBuffers(plan);
  findCheckpointStores();
  AttrTypeWalker walker;
  walker.addWalk([&](DimAttr dim) {
    if (dim.isSpace() && !dim.getAxes().empty())
      dims.insert(dim);
  });
  module->walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      walker.walk(type);
  });
}

void CostModel::findLoops() {
  double begun = 0; // how often the loop is entered
  for (auto [op, times] : counts.get()) {
    auto progress = dyn_cast<ProgressOp>(op);
    if (progress && progress.getEvent() == LoopEvent::Begin)
      begun = times;
    if (!progress || progress.getEvent() != LoopEvent::Step)
      continue;
    numbers[op->getParentOp()] = int(loops.size());
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    const bool prepares = loop && counts.evaluate(loop.getLowerBound()) == -1;
    loops.push_back({getPlace(op), times, prepares ? times - begun : times});
  }
}

void CostModel::findCheckpointStores() {
  module.walk([&](CheckpointStoreOp store) {
    if (store->hasAttr("checkpoint"))
      return; // in files
    ExprAttr state = getConstant(module.getContext(), 0);
    for (Type type : store.getTypes().getAsValueRange<TypeAttr>())
      state =
          state + (isa<GridType>(type) ? getBytes(cast<GridType>(type))
                                       : getConstant(module.getContext(), 8));
    std::optional<double> slots = counts.evaluate(store.getSlots());
    stores.push_back({state, slots});
    if (!slots)
      notes.push_back(getPlace(store) +
                      ": how many states are kept depends on what the program "
                      "computes; none counted");
  });
}

/// The line that first writes each buffer is its place.
void CostModel::findBuffers(PlanOp plan) {
  std::vector<Buffer> buffers;
  for (auto [type, start, end] :
       llvm::zip_equal(plan.getTypes().getAsValueRange<TypeAttr>(),
                       plan.getStarts(), plan.getEnds()))
    buffers.push_back(
        {getBytes(cast<GridType>(type)), start, end, {toType(type), "?", 0}});
  module.walk([&](AllocOp alloc) {
    if (alloc.getId() >= buffers.size() || alloc->use_empty() ||
        buffers[alloc.getId()].row.where != "?")
      return;
    Operation *first = nullptr;
    for (Operation *user : alloc->getUsers())
      if (!first || (user->getBlock() == first->getBlock() &&
                     user->isBeforeInBlock(first)))
        first = user;
    buffers[alloc.getId()].row.where = getPlace(first);
  });
  plans.push_back(std::move(buffers));
}

//===----------------------------------------------------------------------===//
// On a mesh
//===----------------------------------------------------------------------===//

llvm::Error CostModel::findMesh(const Ranks &mesh, CostReport &report,
                                Ranks &ranks) const {
  Ranks left = mesh;
  ModuleOp program = module;
  for (auto op : program.getOps<MeshOp>())
    for (auto [axis, extent] :
         llvm::zip(op.getAxes().getAsRange<StringAttr>(), op.getExtents())) {
      int64_t count = extent;
      if (auto given = left.find(axis.getValue()); given != left.end()) {
        count = given->second;
        left.erase(given);
      }
      report.mesh.emplace_back(axis.str(), count);
      ranks[axis.str()] = count;
      report.ranks *= count;
    }
  if (left.empty())
    return checkExtents(ranks);
  std::string axes = llvm::join(llvm::make_first_range(report.mesh), "', '");
  return fail("--mesh: the spec has no mesh axis '" + left.begin()->first +
              "'" +
              (axes.empty() ? "; without mesh and layout it runs on one rank"
                            : ", only '" + axes + "'"));
}

/// No rank is without cells of a dim that is split.
llvm::Error CostModel::checkExtents(const Ranks &ranks) const {
  for (DimAttr dim : dims) {
    int64_t parts = 1;
    int64_t cells = dim.getExtent() / std::max<int64_t>(dim.getRefine(), 1);
    std::string names;
    for (StringAttr axis : dim.getAxes()) {
      parts *= ranks.find(axis.getValue())->second;
      names += (names.empty() ? "" : ", ") + axis.str();
    }
    if (parts > cells)
      return fail("--mesh: axis " + names + " has " + std::to_string(parts) +
                  " ranks for the " + std::to_string(cells) + " cells of dim " +
                  dim.getLabel());
  }
  return llvm::Error::success();
}

llvm::Error CostModel::checkParameters() const {
  ModuleOp program = module;
  for (const auto &[name, value] : question.parameters)
    if (llvm::none_of(program.getOps<ParamOp>(), [&, &name = name](ParamOp op) {
          return op.getName() == name;
        }))
      return fail("--param: the spec has no parameter '" + name + "'");
  return llvm::Error::success();
}

/// What is live at the time when most is: its bytes, and the fields.
template <typename Buffers>
static void addPeak(const Buffers &buffers, Corners &corners,
                    CostReport &report) {
  SmallVector<std::pair<int64_t, int64_t>> changes;
  for (const auto &buffer : buffers) {
    int64_t bytes = corners.getMost(buffer.bytes);
    changes.push_back({buffer.start, bytes});
    changes.push_back({buffer.end + 1, -bytes});
  }
  llvm::sort(changes);
  int64_t live = 0, peak = 0, time = 0;
  for (auto [at, change] : changes) {
    live += change;
    if (live > peak)
      std::tie(peak, time) = std::pair(live, at);
  }
  report.peak += peak;
  for (const auto &buffer : buffers)
    if (buffer.start <= time && time <= buffer.end) {
      report.fields.push_back(buffer.row);
      report.fields.back().bytes = corners.getMost(buffer.bytes);
    }
  llvm::stable_sort(report.fields, [](const FieldRow &a, const FieldRow &b) {
    return a.bytes > b.bytes;
  });
}

llvm::Expected<CostReport> CostModel::at(const Ranks &mesh) {
  CostReport report;
  Ranks ranks;
  if (llvm::Error error = findMesh(mesh, report, ranks))
    return std::move(error);
  if (llvm::Error error = checkParameters())
    return std::move(error);
  report.displacementBound = question.displacementBound;
  report.loops = loops;
  report.notes = notes;

  Corners corners(report, question.displacementBound);
  std::vector<bool> single;
  for (const auto &[axis, count] : report.mesh)
    single.push_back(count == 1);
  std::vector<OpCost> &known = costs[single];
  bool isKnown = !known.empty();
  for (auto [i, one] : llvm::enumerate(executed)) {
    auto op = cast<CostOpInterface>(one.op);
    if (!isKnown)
      known.push_back(op.getCost(ranks));
    else if (op.dependsOnRanks()) // on the ranks and types alone
      known[i] = one.like < i ? known[one.like] : op.getCost(ranks);
    CostRow row = fill(one.row, known[i], report, corners);
    if (row.read || row.written || row.sentBytes())
      report.ops.push_back(std::move(row));
  }
  for (const std::vector<Buffer> &buffers : plans)
    addPeak(buffers, corners, report);
  for (const CheckpointStore &store : stores) {
    report.states.push_back({store.slots, corners.getMost(store.state)});
    report.stores += store.slots.value_or(0) * report.states.back().bytes;
  }
  return std::move(report);
}
