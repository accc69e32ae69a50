//===- Neighbors.cpp - Cells at constant offsets --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `f[x + 1]` and `shift(f, x = 1)` are fields, also in a map, where they are
// made before it: fusion puts them back.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/DimMessages.h"
#include "frontend/Sema/NeighborRules.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// `x + 1`, `i - 1`, `2 + x - i`: a dim and numbers.
DimIndex Generator::evaluateIndex(const ast::Expr &expr) {
  SumIndex sum = evaluateSum(expr);
  DimIndex index{{}, sum.value, expr.loc, expr.range};
  if (sum.terms.empty() || sum.value.isPoison())
    return index;
  index.dim = sum.terms.front().first;
  llvm::SmallVector<int64_t> factors;
  for (auto [dim, factor] : sum.terms)
    factors.push_back(factor);
  if (std::string why = checkPlainIndex(factors); !why.empty())
    index.value = error(expr.loc, why);
  return index;
}

/// An offset that only the program knows is an index of cells.
static bool isOfProgram(const DimIndex &index) {
  const Value &value = index.value;
  return (value.isRealNumber() && !value.isConstNumber()) ||
         value.isFieldOf(Storage::I64);
}

bool Generator::appendOffset(const DimIndex &index, bool isMoved,
                             llvm::SmallVectorImpl<DimOffset> &offsets,
                             llvm::SmallVectorImpl<NamedIndex> &named) {
  if (index.value.isPoison())
    return false;
  if (isOfProgram(index)) {
    Value number = isMoved ? unary(ast::UnaryOp::Neg, index.value, index.loc)
                           : index.value;
    named.push_back({nullptr,
                     {{{index.dim, 1}}, number, index.loc, index.range},
                     pm::Edge::Periodic,
                     /*isGathered=*/true,
                     {},
                     index.dim});
    return !number.isPoison();
  }
  constexpr int64_t most = int64_t(1) << 40;
  Argument number{"", {}, index.value, index.loc, index.range};
  auto cells = constInt(number, "the offset of a neighbor", -most, most);
  if (!cells)
    return false;
  offsets.push_back(
      {index.dim, isMoved ? -*cells : *cells, pm::Edge::Periodic, index.loc});
  return true;
}

/// One for all, or a tuple with one each.
bool Generator::readEdges(const Argument &arg,
                          llvm::MutableArrayRef<DimOffset> offsets,
                          llvm::MutableArrayRef<NamedIndex> named) {
  size_t count = offsets.size() + named.size();
  std::vector<Value> names(count, arg.value);
  if (arg.value.isPoison())
    return false;
  if (arg.value.isTuple()) {
    names = arg.value.getElements();
    if (names.size() != count) {
      error(arg, "here are " + llvm::Twine(names.size()) + " edges for " +
                     llvm::Twine(count) + (count == 1 ? " dim" : " dims"));
      return false;
    }
  }
  for (auto [i, name] : llvm::enumerate(names)) {
    if (!name.is(Value::Kind::String)) {
      Argument beyond = arg;
      beyond.value = name;
      if (!checkBeyond(beyond))
        return false;
      if (i < offsets.size()) {
        offsets[i].edge = pm::Edge::Zero;
        offsets[i].beyond = std::make_shared<Argument>(beyond);
      } else {
        named[i - offsets.size()].edge = pm::Edge::Zero;
        named[i - offsets.size()].beyond = std::make_shared<Argument>(beyond);
      }
      continue;
    }
    auto edge = pm::symbolizeEdge(name.getString());
    if (!edge) {
      error(arg, "there is no edge \"" + name.getString() + "\"" +
                     suggest(name.getString(),
                             {"periodic", "zero", "clamp", "reflect"}))
          .note(arg.loc, "edges are \"periodic\", \"zero\", \"clamp\", "
                         "\"reflect\", and values");
      return false;
    }
    if (i < offsets.size())
      offsets[i].edge = *edge;
    else
      named[i - offsets.size()].edge = edge;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Neighbors
//===----------------------------------------------------------------------===//

static bool holdsField(const Value &value) {
  return value.isField() || ((value.isTuple() || value.isRecord()) &&
                             llvm::any_of(value.getElements(), holdsField));
}

pm::DimAttr Generator::indexedDim(const Value &field, const NamedIndex &index) {
  if (index.name)
    return namedDim(field, *index.name);
  pm::FieldType type = lowerField(field);
  const int d = findDimOf(type, index.dim);
  if (d >= 0)
    return type.getDims()[d];
  error(index.sum.loc, "the field has no dim '" + index.dim.getLabel() +
                           "'; its dims are " + describeDims(type.getDims()));
  return {};
}

Value Generator::neighbors(const Value &all, const ast::IndexExpr &expr) {
  llvm::SmallVector<NamedIndex> named;
  if (std::optional<Value> mode = oneMode(all, expr))
    return *mode;
  Value base = expr.cells.empty() ? all : pickCells(all, expr, named);
  if (base.isPoison() || (expr.indices.empty() && !expr.edge && named.empty()))
    return base;
  llvm::SmallVector<DimIndex> indices;
  for (const ast::ExprPtr &index : expr.indices) {
    if (!index)
      return Value::poison();
    indices.push_back(evaluateIndex(*index));
    if (indices.back().value.isPoison())
      return Value::poison();
  }
  bool isSum = !expr.indices.empty() &&
               llvm::isa<ast::BinaryExpr>(*expr.indices.front());
  bool isComponent =
      indices.size() == 1 && !expr.edge && !(indices[0].dim && isSum);
  if (isComponent) {
    const DimIndex &index = indices[0];
    Value value = index.dim ? valueOf(index.dim) : index.value;
    base = component(base, {"", {}, value, index.loc, index.range}, expr.loc);
    if (base.isPoison() || named.empty())
      return base;
    indices.clear();
  }
  if (!holdsField(base)) {
    const bool hasDim = llvm::any_of(
        indices, [](const DimIndex &index) { return bool(index.dim); });
    return error(expr.loc,
                 explainNoNeighbors(base, hasDim, frame->element != nullptr));
  }
  llvm::SmallVector<DimOffset> offsets;
  llvm::SmallVector<NamedIndex> moved;
  for (const DimIndex &index : indices) {
    if (!index.dim)
      return error(index.loc, base.isField()
                                  ? explainCells(base)
                                  : "write the dim and the offset: f[x + 1]");
    if (!appendOffset(index, /*isMoved=*/false, offsets, moved))
      return Value::poison();
  }
  if (expr.edge && !offsets.empty() && !moved.empty())
    return error(expr.loc, explainEdgesApart());
  named.insert(named.begin(), moved.begin(), moved.end());
  if (expr.edge && !readEdges(evaluateArgument(*expr.edge), offsets, named))
    return Value::poison();
  return readCells(base, offsets, named, expr.loc);
}

int pmc::findDimOf(pm::FieldType type, pm::DimAttr dim) {
  return findDimOf(dimsOf(type.getDims()), dimOf(dim));
}

Value Generator::shifted(const Value &base, llvm::ArrayRef<DimOffset> offsets,
                         llvm::SMLoc loc) {
  pm::FieldType type = lowerField(base);
  llvm::SmallVector<int64_t> cells(type.getRank(), 0);
  llvm::SmallVector<pm::Edge> edges(type.getRank(), pm::Edge::Periodic);
  std::vector<Offset> along;
  for (const DimOffset &offset : offsets)
    along.push_back(
        {dimOf(offset.dim), offset.cells, offset.edge == pm::Edge::Reflect});
  size_t wrong = 0;
  if (std::string why = checkOffsets(base.getDims(), along, wrong);
      !why.empty())
    return error(offsets[wrong].loc, why);
  for (const DimOffset &offset : offsets) {
    const int d = findDimOf(type, offset.dim);
    pm::DimAttr dim = type.getDims()[d];
    if (!checkModes(type, dim, offset.edge, offset.loc))
      return Value::poison();
    cells[d] = offset.cells;
    // Modes go on at the other end; beyond them is what fillBeyond says.
    edges[d] = dim.isSpace() ? offset.edge : pm::Edge::Periodic;
  }
  return movedField(base, lowerField(base), cells, edges, loc);
}

Value Generator::movedField(const Value &field, pm::FieldType target,
                            llvm::ArrayRef<int64_t> cells,
                            llvm::ArrayRef<pm::Edge> edges, llvm::SMLoc loc) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  if (frame->element)
    builder.restoreInsertionPoint(frame->element->outside);
  Value moved = fieldOf(
      pm::ShiftOp::create(builder, getLoc(loc), target, getSSA(field),
                          builder.getDenseI64ArrayAttr(cells),
                          pm::getEdges(&context, edges), mlir::UnitAttr()),
      field.getUnit());
  return field.hasAnyUnit() ? moved.withAnyUnit() : moved;
}

//===----------------------------------------------------------------------===//
// shift(f, x = 1)
//===----------------------------------------------------------------------===//

pm::DimAttr Generator::namedDim(const Value &field, const ast::Name &name) {
  pm::FieldType type = lowerField(field);
  const Value *local = frame->scope ? frame->scope->find(name.text) : nullptr;
  if (!local && frame->lets)
    if (auto it = frame->lets->find(name.text); it != frame->lets->end())
      local = &it->second;
  for (pm::DimAttr dim : type.getDims())
    if (local && local->isDim() ? local->getDim() == dimOf(dim)
                                : dim.getName() == name.text)
      return dim;
  std::vector<std::string> labels;
  for (pm::DimAttr dim : type.getDims())
    labels.push_back(dim.getLabel());
  llvm::SmallVector<llvm::StringRef> names(labels.begin(), labels.end());
  // What a name in a function stands for may be called otherwise.
  std::string wanted = local && local->isDim() ? local->getDim().getLabel()
                                               : std::string(name.text);
  error(name.loc, field.describeType() + " has no dim '" + wanted + "'" +
                      suggest(wanted, names));
  return {};
}

Value Generator::shift(const ast::CallExpr &expr) {
  if (!frame->element && !requireFields("'shift'", expr.loc))
    return Value::poison();
  const char *form = "write shift(f, x = 1), or shift(f, x = 1, y = -2, edge = "
                     "\"zero\")";
  if (expr.args.size() < 2 || !expr.args[0].name.text.empty() || expr.hasDims)
    return error(expr.loc, form);
  for (const ast::Argument &arg : llvm::drop_begin(expr.args))
    if (arg.name.text.empty() && checker)
      return error(expr.loc, form);
  Value base = evaluate(*expr.args[0].value);
  if (checker && base.holdsFree())
    return checker->shift(base, expr);
  if (base.isPoison())
    return base;
  if (!holdsField(base))
    return error(expr.args[0].value->loc,
                 "'shift' requires a field, not " + base.describeType());
  const Value *first = &base;
  while (!first->isField())
    first = &*llvm::find_if(first->getElements(), holdsField);
  llvm::SmallVector<DimOffset> offsets;
  llvm::SmallVector<NamedIndex> named;
  std::optional<Argument> edge;
  for (const ast::Argument &arg : llvm::drop_begin(expr.args)) {
    if (arg.name.text.empty())
      return error(expr.loc, form);
    Argument value = evaluateArgument(*arg.value);
    if (value.value.isPoison())
      return value.value;
    if (arg.name.text == "edge") {
      edge = value;
      continue;
    }
    pm::DimAttr dim = namedDim(*first, arg.name);
    if (!dim)
      return Value::poison();
    if (!appendOffset({dim, value.value, value.loc, value.range},
                      /*isMoved=*/true, offsets, named))
      return Value::poison();
  }
  if (offsets.empty() && named.empty())
    return error(expr.loc, form);
  if (edge && !offsets.empty() && !named.empty())
    return error(expr.loc, explainEdgesApart());
  if (edge && !readEdges(*edge, offsets, named))
    return Value::poison();
  return readCells(base, offsets, named, expr.loc);
}

/// Without its arguments, as a value: `let s = shift`.
Value Generator::callShift(BuiltinCall &call) {
  return error(call.loc, "write shift(f, x = 1)");
}
