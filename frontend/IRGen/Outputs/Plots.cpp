//===- Plots.cpp - plot ---------------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Outputs/Plots.h"

#include "frontend/IRGen/Outputs/Outputs.h"
#include "frontend/Sema/Rules/Program/Outputs.h"
#include "frontend/Sema/Rules/Program/Plots.h"
#include "frontend/Sema/Types/Constants.h"

#include "llvm/ADT/StringExtras.h"

using namespace pmc;

/// The source text of an expression, with single spaces.
std::string PlotEmitter::textOf(const ast::Expr &expr) const {
  const char *begin = expr.range.Start.getPointer();
  const char *end = expr.range.End.getPointer();
  // That of `(a + b)^2` begins at a: brackets without a partner are beside it.
  int open = 0, missing = 0;
  for (const char *at = begin; at != end; ++at) {
    open += *at == '(' ? 1 : *at == ')' ? -1 : 0;
    missing = std::max(missing, -open);
  }
  open += missing;
  const char *first = begin, *last = end;
  while (missing > 0 && first != stmt.loc.getPointer())
    missing -= *--first == '(';
  while (open > 0 && *last != '\0')
    open -= *last++ == ')';
  if (missing == 0 && open == 0) {
    begin = first;
    end = last;
  }
  llvm::StringRef text(begin, size_t(end - begin));
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(text, words);
  return llvm::join(words, " ");
}

/// A slice is called like the field, and its cells are the subtitle.
PlotLabels PlotEmitter::labelsOf(const ast::Expr &expr, size_t count) const {
  PlotLabels labels;
  auto *tuple = llvm::dyn_cast<ast::TupleExpr>(&expr);
  if (tuple && tuple->elements.size() == count) {
    for (const ast::ExprPtr &element : tuple->elements)
      labels.parts.push_back(textOf(*element));
    for (size_t i = count == 1 ? 0 : 1; i < count; ++i)
      labels.title += (labels.title.empty() ? "" : ", ") + labels.parts[i];
    return labels;
  }
  const ast::Expr *field = &expr;
  const std::vector<ast::Argument> *cells = nullptr;
  size_t from = 0;
  if (auto *call = llvm::dyn_cast<ast::CallExpr>(&expr)) {
    auto *callee = llvm::dyn_cast<ast::RefExpr>(call->callee.get());
    if (callee && callee->name == "slice" && call->args.size() > 1) {
      field = call->args[0].value.get();
      cells = &call->args;
      from = 1;
    }
  } else if (auto *index = llvm::dyn_cast<ast::IndexExpr>(&expr)) {
    if (index->indices.empty() && !index->cells.empty()) {
      field = index->base.get();
      cells = &index->cells;
    }
  }
  labels.title = textOf(*field);
  for (size_t i = from; cells && i < cells->size(); ++i) {
    const auto &[name, value] = (*cells)[i];
    std::string text = textOf(*value);
    auto known = g.knownSlices.find(value->loc.getPointer());
    if (known != g.knownSlices.end()) {
      auto [begin, end] = known->second;
      labels.slices.insert(
          labels.slices.end(),
          {name.text, std::to_string(begin), std::to_string(end)});
      text = std::to_string(begin);
      if (end != begin + 1)
        text += " .. " + std::to_string(end);
    }
    labels.subtitle +=
        (labels.subtitle.empty() ? "" : ", ") + name.text + " = " + text;
  }
  if (count == 1)
    labels.parts.push_back(labels.title);
  for (size_t i = 0; count > 1 && i < count; ++i)
    labels.parts.push_back(labels.title + "[" + std::to_string(i) + "]");
  return labels;
}

static unsigned rankOf(const Value &value) {
  return value.isField()
             ? llvm::cast<pm::FieldType>(getSSA(value).getType()).getRank()
             : 0;
}

/// Whether the elements of a tuple are pictures of their own: they are tuples,
/// maps, or are arranged in rows. A histogram shows several fields at once.
static bool hasPanels(const ast::PlotStmt &stmt, const Value &value) {
  if (!value.isTuple())
    return false;
  auto *tuple = llvm::dyn_cast<ast::TupleExpr>(stmt.value.get());
  if (tuple && !tuple->rows.empty())
    return true;
  return stmt.histogram.text.empty() &&
         llvm::any_of(value.getElements(), [](const Value &part) {
           return part.isTuple() || rankOf(part) == 2;
         });
}

std::vector<PlotPanel> PlotEmitter::panelsOf(const Argument &arg) const {
  const ast::Expr &expr = *stmt.value;
  size_t count = arg.value.isTuple() ? arg.value.getElements().size() : 1;
  PlotLabels labels = labelsOf(expr, count);
  if (!hasPanels(stmt, arg.value))
    return {{arg, std::move(labels)}};
  auto *tuple = llvm::dyn_cast<ast::TupleExpr>(&expr);
  if (tuple && tuple->elements.size() != count)
    tuple = nullptr;
  std::vector<PlotPanel> panels;
  for (size_t i = 0; i < count; ++i) {
    const Value &value = arg.value.getElements()[i];
    PlotPanel panel{
        arg,
        {labels.parts[i], labels.subtitle, {labels.parts[i]}, labels.slices}};
    panel.arg.value = value;
    if (tuple) {
      const ast::Expr &own = *tuple->elements[i];
      panel.arg.loc = own.loc;
      panel.arg.range = own.range;
      panel.labels =
          labelsOf(own, value.isTuple() ? value.getElements().size() : 1);
    }
    panels.push_back(std::move(panel));
  }
  std::vector<size_t> ends = tuple ? tuple->rows : std::vector<size_t>();
  ends.push_back(count);
  std::vector<std::string> rows;
  for (size_t begin = 0; size_t end : ends) {
    rows.push_back(std::to_string(end - begin));
    begin = end;
  }
  for (PlotPanel &panel : panels)
    panel.rows = rows;
  return panels;
}

/// Adds what `points`, `band` and `contours` draw to the values of a panel.
bool PlotEmitter::addParts(PlotPanel &panel) {
  std::vector<std::string> &styles = panel.styles;
  Argument &arg = panel.arg;
  if (!stmt.points && !stmt.contours && stmt.bands.empty())
    return true;
  std::vector<Value> values = {arg.value};
  if (arg.value.isTuple())
    values.assign(arg.value.getElements().begin(),
                  arg.value.getElements().end());
  bool isMap = rankOf(values[0]) == 2;
  styles.assign(values.size(), isMap ? "map" : "line");
  if (values.size() > 1)
    styles[0] = "x";
  size_t curves = values.size() - (values.size() > 1);
  auto add = [&](const ast::ExprPtr &expr, llvm::StringRef word) {
    Argument extra = g.evaluateArgument(*expr);
    if (extra.value.isPoison())
      return false;
    const auto read = readExtra(g.rules(), extra, word, isMap);
    if (!read)
      return false;
    const std::vector<Value> &parts = *read;
    PlotLabels names = labelsOf(*expr, parts.size());
    if (parts.size() == 1) // which cells is not said elsewhere
      names.parts[0] = textOf(*expr);
    for (size_t i = 0; i < parts.size(); ++i) {
      values.push_back(parts[i]);
      panel.labels.parts.push_back(names.parts[i]);
      styles.push_back(word == "band" ? (i == 0 ? "low" : "high") : word.str());
    }
    return true;
  };
  if (stmt.points && !add(stmt.points, "points"))
    return false;
  for (auto [i, band] : llvm::enumerate(stmt.bands)) {
    if (!requireCurve(g.rules(), *band, i, curves))
      return false;
    if (!add(band, "band"))
      return false;
    const Unit &unit = values[i + (styles[0] == "x" ? 1 : 0)].getUnit();
    const size_t count = values.size();
    if (!requireBandUnit(g.rules(), *band, values[count - 2], values[count - 1],
                         unit))
      return false;
  }
  if (stmt.contours && !add(stmt.contours, "contours"))
    return false;
  arg.value = Value::tuple(std::move(values));
  return true;
}

/// Calls panels, or what one panel shows, as `labels` says.
bool PlotEmitter::nameParts(std::vector<PlotPanel> &panels) {
  if (stmt.labels.empty())
    return true;
  std::vector<std::string *> named;
  if (panels.size() > 1) {
    for (PlotPanel &panel : panels)
      named.push_back(&panel.labels.title);
  } else {
    const PlotPanel &panel = panels[0];
    std::vector<std::string> &parts = panels[0].labels.parts;
    const bool overX = panel.arg.value.isTuple() && parts.size() > 1 &&
                       stmt.histogram.text.empty();
    for (size_t i = 0; i < parts.size(); ++i) {
      const std::string style = !panel.styles.empty() ? panel.styles[i]
                                : i == 0 && overX     ? "x"
                                                      : "line";
      if (style != "x" && style != "low" && style != "high")
        named.push_back(&parts[i]);
    }
  }
  if (!requireLabels(g.rules(), stmt, named.size(), panels.size() > 1))
    return false;
  for (auto [name, label] : llvm::zip_equal(named, stmt.labels))
    *name = label.text;
  return true;
}

/// What the figure says of a panel. The rest of the compiler does not look at
/// it.
mlir::DictionaryAttr PlotEmitter::getTexts(const PlotPanel &panel,
                                           pm::FieldType type,
                                           llvm::ArrayRef<Unit> units) {
  llvm::SmallVector<mlir::NamedAttribute> says;
  auto say = [&](llvm::StringRef key, llvm::StringRef text) {
    if (!text.empty())
      says.push_back(
          g.builder.getNamedAttr(key, g.builder.getStringAttr(text)));
  };
  auto sayAll = [&](llvm::StringRef key, llvm::ArrayRef<std::string> texts) {
    llvm::SmallVector<llvm::StringRef> refs(texts.begin(), texts.end());
    says.push_back(
        g.builder.getNamedAttr(key, g.builder.getStrArrayAttr(refs)));
  };
  llvm::SmallVector<std::string> unitTexts, axes;
  for (auto [i, unit] : llvm::enumerate(units))
    unitTexts.push_back(i < panel.units.parts.size() && panel.units.parts[i]
                            ? panel.units.parts[i]->text
                        : unit.isNumber() ? ""
                                          : unit.str());
  for (pm::DimAttr dim : type.getDims()) {
    auto it = g.dims.find(dim.getName());
    const bool declared = it != g.dims.end();
    if (!dim.isSpace() || (declared && it->second.lengthIsCells))
      axes.push_back(""); // cells
    else if (!declared)   // bins, iterations
      axes.push_back("1");
    else if (!it->second.unit.isNumber())
      axes.push_back(it->second.unit.str());
    else
      axes.push_back(it->second.angle.empty() ? "1" : it->second.angle);
  }
  for (auto [unit, axis, key] :
       {std::tuple(panel.units.dims[0], 0, "xunit_size"),
        {panel.units.dims[1], 1, "yunit_size"}}) {
    if (!unit)
      continue;
    axes[axis] = unit->text;
    if (const double size = sizeOfSide(*unit); size != 1)
      say(key, formatNumber(size));
  }
  if (!panel.units.axes.empty())
    sayAll("asked", panel.units.axes);
  std::string own = !stmt.title.text.empty() ? stmt.title.text : stmt.name.text;
  bool alone = panel.rows.empty();
  say("title", alone && !own.empty() ? own : panel.labels.title);
  say("subtitle", panel.labels.subtitle);
  say("xlabel", stmt.xlabel.text);
  say("ylabel", stmt.ylabel.text);
  say("clabel", stmt.clabel.text);
  // In lengths, too, which only the program knows.
  llvm::SmallVector<std::string> slices;
  for (size_t i = 0; i + 2 < panel.labels.slices.size(); i += 3) {
    auto it = g.dims.find(panel.labels.slices[i]);
    if (it == g.dims.end() || it->second.lengthIsCells ||
        it->second.unit.isNumber())
      continue;
    slices.append(panel.labels.slices.begin() + i,
                  panel.labels.slices.begin() + i + 3);
    slices.push_back(it->second.unit.str());
  }
  if (!slices.empty())
    sayAll("slices", slices);
  bool projected =
      !stmt.projection.text.empty() && (alone || type.getRank() == 2);
  say("projection", projected ? stmt.projection.text : "");
  say("colormap", projected || type.getRank() == 2 ? stmt.colors.text : "");
  const std::string &xscale =
      (stmt.xscale.text.empty() ? stmt.scale : stmt.xscale).text;
  if (xscale == "log" && !projected &&
      (type.getRank() == 1 || !stmt.histogram.text.empty()))
    say("xscale", "log");
  for (const PlotRange &range : getRanges(panel, type, units))
    sayAll(range.word, range.ends);
  say("histogram", stmt.histogram.text);
  if (type.getRank() == 1 && g.binDims.contains(type.getDims()[0].getLabel()))
    say("bins", "bins");
  sayAll("labels", panel.labels.parts);
  sayAll("units", unitTexts);
  sayAll("axes", axes);
  if (!panel.styles.empty())
    sayAll("styles", panel.styles);
  say("shared", stmt.shared.text);
  if (!alone) {
    say("heading", own);
    sayAll("rows", panel.rows);
  }
  return g.builder.getDictionaryAttr(says);
}

void PlotEmitter::run() {
  if (!stmt.value)
    return;
  Argument arg = g.evaluateArgument(*stmt.value);
  std::string name = stmt.name.text;
  // A loop's body may be compiled more than once.
  unsigned number =
      g.plotNumbers.try_emplace(&stmt, g.plotNumbers.size() + 1).first->second;
  if (name.empty())
    name = "plot" + std::to_string(number);
  llvm::SMLoc nameLoc = stmt.name.text.empty() ? stmt.loc : stmt.name.loc;
  auto [previous, isNew] = g.plotNames.try_emplace(name, nameLoc);
  if (!isNew &&
      !requireNewOutput(g.rules(), "plots", name, nameLoc, previous->second))
    return;
  if (arg.value.isPoison())
    return;
  std::vector<PlotPanel> panels = panelsOf(arg);
  if (!checkPanels(g.rules(), stmt, panels.size(), !g.iterations.empty()))
    return;
  llvm::SmallVector<Unit> common;
  unsigned commonRank = 0;
  for (PlotPanel &panel : panels)
    if (!addParts(panel))
      return;
  if (!nameParts(panels) || !convert(panels))
    return;
  for (auto [i, panel] : llvm::enumerate(panels)) {
    llvm::SmallVector<mlir::Value> values;
    llvm::SmallVector<Unit> units;
    llvm::StringRef element;
    if (!OutputEmitter(g).outputValues(panel.arg, "'plot'", values, units,
                                       element) ||
        !checkPlot(panel, units))
      return;
    auto type = llvm::cast<pm::FieldType>(values[0].getType());
    g.effectsSeen = true;
    const bool log =
        (stmt.yscale.text.empty() || type.getRank() == 2 ? stmt.scale
                                                         : stmt.yscale)
            .text == "log";
    const int64_t loops = OutputEmitter(g).tellIterations(stmt.loc);
    auto plot = pm::PlotOp::create(
        g.builder, g.getLoc(stmt.loc),
        g.builder.getStringAttr(
            panels.size() == 1 ? name : name + "." + std::to_string(i + 1)),
        values, log ? g.builder.getUnitAttr() : mlir::UnitAttr());
    if (loops > 0)
      plot->setAttr("loops", g.builder.getI64IntegerAttr(loops));
    plot->setAttr("figure", getTexts(panel, type, units));
    if (stmt.shared.text.empty())
      continue;
    // Of curves, the units of x and of the first one count.
    units.truncate(std::min<size_t>(units.size(), 2));
    bool agrees =
        i == 0 || (type.getRank() == commonRank &&
                   llvm::equal(units, common, [](const Unit &a, const Unit &b) {
                     return a.agrees(b);
                   }));
    if (!requireSharedScales(g.rules(), panel.arg, agrees))
      return;
    common = units;
    commonRank = type.getRank();
  }
}

void Generator::plotStmt(const ast::PlotStmt &stmt) {
  PlotEmitter(*this, stmt).run();
}
