//===- Streams.cpp - input samples: field[s, x, y] streamed ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stream is a value of the compiler: the name of an input. `samples[s = i]`
// reads one sample, `samples[s = p]` of a field of ints p over [b] those that
// it names, over [b, x, y]. Nothing else is done with a stream.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Declarations/Streams.h"
#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Rules/Program/Inputs.h"

using namespace pmc;

/// Whether the dim that counts samples is declared by the stream alone.
bool Streams::isOpen(const ast::InputStmt &stmt) const {
  const auto *name =
      llvm::dyn_cast_if_present<ast::RefExpr>(stmt.type.dims[0].get());
  return name && !g.program.find(g.program.getMain(), name->name).symbol;
}

pm::DimAttr Streams::getCounted(const ast::InputStmt &stmt) {
  llvm::SmallVector<pm::DimAttr> first;
  if (!isOpen(stmt))
    g.inScratch(g.program.getMain(), "in a type", /*constantsOnly=*/true, [&] {
      g.evaluateDims(llvm::ArrayRef(stmt.type.dims).take_front(), first);
    });
  return first.size() == 1 && first[0].isSpace() ? first[0] : pm::DimAttr();
}

mlir::Type Streams::declare(const ast::InputStmt &stmt, mlir::Type element) {
  llvm::ArrayRef<ast::ExprPtr> dims = stmt.type.dims;
  llvm::SmallVector<pm::DimAttr> sample;
  if (!requireCounted(g.rules(), stmt, isOpen(stmt) || getCounted(stmt)))
    return {};
  bool ok = true;
  g.inScratch(g.program.getMain(), "in a type", /*constantsOnly=*/true,
              [&] { ok = g.evaluateDims(dims.drop_front(), sample); });
  if (!ok || !requireSample(g.rules(), stmt, !sample.empty()))
    return {};
  return g.fieldType(sample, element, stmt.type.loc);
}

Value Streams::get(llvm::StringRef name, const ast::InputStmt &stmt) {
  auto type = llvm::dyn_cast_or_null<pm::FieldType>(g.inputs.lookup(name));
  if (!type)
    return Value::poison();
  pm::DimAttr dim = getCounted(stmt);
  std::string along =
      dim ? dim.getLabel()
          : llvm::cast<ast::RefExpr>(stmt.type.dims[0].get())->name;
  return Value::stream(name.str(), along,
                       dim ? std::optional(dimOf(dim)) : std::nullopt,
                       dimsOf(type.getDims()), storageOf(type.getElementType()),
                       stmt.type.unit.value_or(Unit()));
}

Value Streams::count(const Value &stream, llvm::SMLoc loc) {
  if (const Dim *dim = stream.getCounted())
    return Value::integer(dim->extent);
  if (!requireSampleCount(g.rules(), !g.frame->constantsOnly && g.frame->entry,
                          loc))
    return Value::poison();
  return g.atPrologue(*g.frame->entry, ("samples:" + stream.getString()).str(),
                      [&] {
                        return scalarOf(pm::SampleCountOp::create(
                            g.builder, g.getLoc(loc), stream.getString()));
                      });
}

/// An i64, or a field of them over one dim; null after an error.
mlir::Value Streams::indexOf(const Value &stream, const SumIndex &sum) {
  Argument at{"", {}, sum.value, sum.loc, sum.range};
  const Value &value = sum.value;
  if (!requireSampleInt(g.rules(), at))
    return {};
  llvm::SmallVector<pm::DimAttr> domain;
  for (auto [dim, times] : sum.terms)
    if (!llvm::is_contained(domain, dim))
      domain.push_back(dim);
  if (value.isField())
    for (pm::DimAttr dim : g.lowerField(value).getDims())
      if (!llvm::is_contained(domain, dim))
        domain.push_back(dim);
  if (domain.empty()) {
    const Dim *dim = stream.getCounted();
    if (dim && value.is(Value::Kind::Int) && !g.checkCell(at, g.lower(*dim)))
      return {};
    return g.materialize(value, g.i64Type, g.getLoc(sum.loc));
  }
  if (!requireOneSampleDim(g.rules(), at, dimsOf(domain)))
    return {};
  if (sum.terms.empty())
    return getSSA(value);
  Value made = g.buildMap(domain, sum.loc, [&] {
    mlir::Location here = g.getLoc(sum.loc);
    mlir::Value cell = mlir::arith::FPToSIOp::create(
        g.builder, here, g.i64Type,
        pm::CoordinateOp::create(g.builder, here, domain[0].getLabel()));
    mlir::Value index =
        g.materialize(g.element(value, sum.loc), g.i64Type, here);
    for (auto [dim, times] : sum.terms)
      index = mlir::arith::AddIOp::create(
          g.builder, here, index,
          mlir::arith::MulIOp::create(g.builder, here, cell,
                                      g.intConstant(times, here)));
    return scalarOf(index).asElement();
  });
  return made.isPoison() ? mlir::Value() : getSSA(made);
}

Value Streams::read(const Value &stream, const ast::IndexExpr &expr) {
  if (!checkSampleForm(g.rules(), stream, expr))
    return Value::poison();
  const ast::Argument &cell = expr.cells[0];
  if (!cell.value ||
      !requireWholeFields(g.rules(), "reading samples", expr.loc))
    return Value::poison();
  SumIndex sum = g.evaluateSum(*cell.value);
  if (sum.value.isPoison())
    return sum.value;
  if (auto known = sum.value.getConstInt())
    sum.value = Value::integer(*known);
  mlir::Value index = indexOf(stream, sum);
  if (!index)
    return Value::poison();
  pm::FieldType sample = g.lowerField(stream);
  llvm::SmallVector<pm::DimAttr> dims;
  if (auto field = llvm::dyn_cast<pm::FieldType>(index.getType()))
    llvm::append_range(dims, field.getDims());
  llvm::append_range(dims, sample.getDims());
  pm::FieldType type = g.fieldType(dims, sample.getElementType(), expr.loc);
  if (!type)
    return Value::poison();
  Value samples =
      fieldOf(pm::SamplesOp::create(g.builder, g.getLoc(expr.loc), type,
                                    g.builder.getStringAttr(stream.getString()),
                                    index, mlir::ValueRange())
                  .getResult(),
              stream.getUnit());
  for (const ast::StmtPtr &stmt : g.program.getMain().tree->statements)
    if (const auto *input = llvm::dyn_cast<ast::InputStmt>(stmt.get());
        input && input->name.text == stream.getString())
      return g.fromDeclared(samples, input->type, expr.loc);
  return samples;
}
