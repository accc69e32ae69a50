//===- CostReport.cpp - What a program will cost --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/CostReport.h"

#include "codegen/Common/Places.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;

static llvm::Error fail(const Twine &message) {
  return llvm::createStringError(message);
}

namespace {

/// The first and the last rank along every axis: parts of all sizes that there
/// are.
class Corners {
public:
  explicit Corners(const CostReport &report, int64_t reach) {
    places.emplace_back();
    for (const auto &[axis, ranks] : report.mesh) {
      std::vector<cost::Place> next;
      for (const cost::Place &place : places)
        for (int64_t index : {int64_t(0), ranks - 1}) {
          cost::Place more = place;
          more.ranks[axis] = ranks;
          more.index[axis] = index;
          next.push_back(std::move(more));
          if (ranks == 1)
            break;
        }
      places = std::move(next);
    }
    this->reach = reach;
  }

  int64_t getFirst(cost::ExprAttr expr) { return evaluate(expr, places[0]); }
  int64_t getMost(cost::ExprAttr expr) {
    int64_t most = 0;
    for (cost::Place &place : places)
      most = std::max(most, evaluate(expr, place));
    return most;
  }

private:
  /// Names that are no axes are widths of halos.
  int64_t evaluate(cost::ExprAttr expr, cost::Place &place) {
    addNames(expr, place);
    return expr.evaluate(place).value_or(0);
  }

  void addNames(cost::ExprAttr expr, cost::Place &place) {
    if (expr.getKind() == cost::ExprKind::Symbol) {
      std::string name = expr.getNames().front().str();
      if (!place.ranks.count(name))
        place.values[name] = reach;
    }
    for (cost::ExprAttr operand : expr.getOperands())
      addNames(operand, place);
  }

  std::vector<cost::Place> places;
  int64_t reach;
};

class Collector {
public:
  Collector(ModuleOp module, const CostQuestion &question)
      : module(module), question(question),
        counts(module, question.parameters) {}

  llvm::Expected<CostReport> collect() {
    if (llvm::Error error = findMesh())
      return std::move(error);
    if (llvm::Error error = checkParameters())
      return std::move(error);
    report.reach = question.reach;
    Corners corners(report, question.reach);
    if (auto main = module.lookupSymbol<func::FuncOp>("main"))
      counts.count(main);
    for (auto [op, times] : counts.get())
      if (auto progress = dyn_cast<ProgressOp>(op);
          progress && progress.getEvent() == LoopEvent::Step) {
        loops[op->getParentOp()] = int(report.loops.size());
        report.loops.push_back({getPlace(op), times});
      }
    for (auto [op, times] : counts.get())
      addRow(op, times, corners);
    for (Operation *op : counts.getAssumed())
      report.notes.push_back(
          getPlace(op) +
          (isa<scf::IfOp>(op)
               ? ": depends on what the program computes; counted as taken"
               : ": steps depend on what the program computes; counted once"));
    addMemory(corners);
    return std::move(report);
  }

private:
  llvm::Error findMesh() {
    cost::Ranks left = question.mesh;
    for (auto mesh : module.getOps<MeshOp>())
      for (auto [axis, extent] : llvm::zip(
               mesh.getAxes().getAsRange<StringAttr>(), mesh.getExtents())) {
        int64_t ranks = extent;
        if (auto given = left.find(axis.getValue()); given != left.end()) {
          ranks = given->second;
          left.erase(given);
        }
        report.mesh.emplace_back(axis.str(), ranks);
        ranksOf[axis.str()] = ranks;
        report.ranks *= ranks;
      }
    if (left.empty())
      return checkExtents();
    std::string axes = llvm::join(llvm::make_first_range(report.mesh), "', '");
    return fail("--mesh: the spec has no mesh axis '" + left.begin()->first +
                "'" +
                (axes.empty() ? "; without mesh and layout it runs on one rank"
                              : ", only '" + axes + "'"));
  }

  /// No rank is without cells of a dim that is split.
  llvm::Error checkExtents() {
    std::string problem;
    AttrTypeWalker walker;
    walker.addWalk([&](DimAttr dim) {
      int64_t parts = 1;
      std::string names;
      for (StringAttr axis : dim.getAxes()) {
        parts *= ranksOf[axis.str()];
        names += (names.empty() ? "" : ", ") + axis.str();
      }
      if (dim.isSpace() && parts > dim.getExtent() / dim.getRefine() &&
          problem.empty())
        problem = "--mesh: axis " + names + " has " + std::to_string(parts) +
                  " ranks for the " +
                  std::to_string(dim.getExtent() / dim.getRefine()) +
                  " cells of dim " + dim.getLabel();
    });
    module->walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        walker.walk(type);
    });
    return problem.empty() ? llvm::Error::success() : fail(problem);
  }

  llvm::Error checkParameters() {
    for (const auto &[name, value] : question.parameters)
      if (llvm::none_of(
              module.getOps<ParamOp>(),
              [&, &name = name](ParamOp op) { return op.getName() == name; }))
        return fail("--param: the spec has no parameter '" + name + "'");
    return llvm::Error::success();
  }

  static std::string getPlace(Operation *op) {
    LocationAttr place = codegen::findPlace(op->getLoc());
    return place ? codegen::toText(place) : "?";
  }

  void addRow(Operation *op, double times, Corners &corners) {
    cost::OpCost cost = cast<cost::CostOpInterface>(op).getCost(ranksOf);
    CostRow row;
    row.op = op->getName().stripDialect().str();
    row.where = getPlace(op);
    row.part = cost.part;
    row.times = times;
    row.read = corners.getMost(cost.read);
    row.written = corners.getMost(cost.written);
    row.operations = corners.getMost(cost.operations);
    row.isSingle = cost.isSingle;
    for (Operation *parent = op->getParentOp(); parent && row.loop < 0;
         parent = parent->getParentOp())
      if (auto loop = loops.find(parent); loop != loops.end())
        row.loop = loop->second;
    for (const cost::RowTransforms &rows : cost.transforms) {
      row.transforms.push_back({corners.getMost(rows.batch), rows.length,
                                rows.isReal, rows.isSingle});
      row.operations += row.transforms.back().batch * getOperations(rows);
    }
    for (const cost::Message &message : cost.messages) {
      SentRow sent;
      sent.pattern = message.pattern;
      for (StringAttr axis : message.axes)
        if (ranksOf[axis.str()] != 1)
          sent.axes.push_back(axis.str());
      if (report.ranks > 1) {
        sent.most = corners.getMost(message.bytes);
        sent.first = corners.getFirst(message.bytes);
        sent.whole = corners.getMost(message.whole);
      }
      sent.assumed = message.bytes.toText().find("lo_") != std::string::npos;
      row.sent.push_back(std::move(sent));
    }
    if (row.read || row.written || row.sentBytes())
      report.ops.push_back(std::move(row));
  }

  /// 5 n log2 n, half of it for real numbers: as transforms are compared.
  static int64_t getOperations(const cost::RowTransforms &rows) {
    double n = double(rows.length);
    return int64_t((rows.isReal ? 2.5 : 5) * n * std::log2(n));
  }

  void addMemory(Corners &corners) {
    for (auto plan : module.getOps<PlanOp>())
      addPlan(plan, corners);
    module.walk([&](TapeOp tape) {
      if (tape->hasAttr("checkpoint"))
        return; // in files
      int64_t state = 0;
      for (Type type : tape.getTypes().getAsValueRange<TypeAttr>())
        state += isa<GridType>(type)
                     ? corners.getMost(cost::getBytes(cast<GridType>(type)))
                     : 8;
      if (std::optional<double> slots = counts.evaluate(tape.getSlots()))
        report.tapes += int64_t(*slots) * state;
      else
        report.notes.push_back(getPlace(tape) +
                               ": how many states are kept depends on what the "
                               "program computes; none counted");
    });
  }

  void addPlan(PlanOp plan, Corners &corners) {
    SmallVector<Type> types(plan.getTypes().getAsValueRange<TypeAttr>());
    SmallVector<int64_t> bytes;
    SmallVector<std::pair<int64_t, int64_t>> changes;
    for (auto [i, type] : llvm::enumerate(types)) {
      bytes.push_back(corners.getMost(cost::getBytes(cast<GridType>(type))));
      changes.push_back({plan.getStarts()[i], bytes[i]});
      changes.push_back({plan.getEnds()[i] + 1, -bytes[i]});
    }
    llvm::sort(changes);
    int64_t live = 0, peak = 0, time = 0;
    for (auto [at, change] : changes) {
      live += change;
      if (live > peak)
        std::tie(peak, time) = std::pair(live, at);
    }
    report.peak += peak;
    for (size_t i = 0; i < types.size(); ++i)
      if (plan.getStarts()[i] <= time && time <= plan.getEnds()[i])
        report.fields.push_back({toType(types[i]), findMaker(i), bytes[i]});
    llvm::stable_sort(report.fields, [](const FieldRow &a, const FieldRow &b) {
      return a.bytes > b.bytes;
    });
  }

  static std::string toType(Type type) {
    auto grid = cast<GridType>(type);
    std::string text;
    llvm::raw_string_ostream(text)
        << toString(grid.getDims()) << " " << grid.getElementType();
    return text;
  }

  /// The line that first writes a buffer of the plan.
  std::string findMaker(size_t id) {
    std::string where = "?";
    module.walk([&](AllocOp alloc) {
      if (alloc.getId() != id || alloc->use_empty())
        return WalkResult::advance();
      Operation *first = nullptr;
      for (Operation *user : alloc->getUsers())
        if (!first || (user->getBlock() == first->getBlock() &&
                       user->isBeforeInBlock(first)))
          first = user;
      where = getPlace(first);
      return WalkResult::interrupt();
    });
    return where;
  }

  ModuleOp module;
  const CostQuestion &question;
  Counts counts;
  CostReport report;
  cost::Ranks ranksOf;
  llvm::DenseMap<Operation *, int> loops;
};

} // namespace

llvm::Expected<CostReport> pmc::collectCosts(ModuleOp planned,
                                             const CostQuestion &question) {
  return Collector(planned, question).collect();
}
