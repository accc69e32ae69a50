//===- Typing.h - Types of expressions --------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates expressions on types, without IR. IR generation asks for the types
// that a loop carries, which its body decides.
//
// What this evaluation does not know is a free value of unknown type. It
// reports no errors: its rules only decide. IR generation applies the same
// rules with messages.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_TYPES_TYPING_H
#define PMC_FRONTEND_SEMA_TYPES_TYPING_H

#include "frontend/Sema/Builtins.h"
#include "frontend/Sema/Names/Modules.h"
#include "frontend/Sema/Names/Resolver.h"
#include "frontend/Sema/Names/Scope.h"
#include "frontend/Sema/Rules/Context.h"

namespace pmc {

/// The declarations of dims.
struct DimFacts {
  /// The length of a dim: a constant, or the type of a number.
  llvm::function_ref<Value(const Dim &)> length;
  /// Whether a dim of this name has a length that is not its number of cells.
  llvm::function_ref<bool(llvm::StringRef)> hasLength;
  /// The dim of this number of bins.
  llvm::function_ref<Dim(int64_t)> bins;
};

/// The types of results of functions, by the function and its arguments. Later
/// evaluations use them again.
using KnownResults = llvm::StringMap<Value>;

class Typing {
public:
  /// The context of an expression.
  struct Place {
    const ModuleInfo *module = nullptr;
    const Scope *scope = nullptr;
    const llvm::StringMap<Value> *lets = nullptr; ///< null: none
    bool isElement = false; ///< in a map: fields stand for their elements
    /// The domain of the map; null if it is not known.
    const std::vector<Dim> *domain = nullptr;
    unsigned map = 0; ///< the number of the map, which its coordinates have
    /// Whether the map has read a field of f64 in a program with fields of f32.
    bool readsWide = false;
  };
  /// The value of a const, dim, param or input; free if it is not known.
  using SymbolFn = llvm::function_ref<Value(const Lookup &, llvm::StringRef)>;

  /// How elements of fields are stored: in the program, and at the place of
  /// the expression, which may be in a block `precise`.
  struct Precision {
    Storage program, here;
  };

  Typing(const Program &program, const Resolution &resolution,
         Precision precision, SymbolFn symbols, DimFacts facts,
         KnownResults &known)
      : program(program), resolution(resolution),
        programReal(precision.program), real(precision.here), symbols(symbols),
        facts(facts), known(known) {}

  /// What a loop that begins with a value of the type `init` carries: the least
  /// type that its body preserves, as far as that is known. `init` is one that
  /// a loop can carry. `step` gives the type of the next value.
  Value settle(const Value &init,
               llvm::function_ref<Value(const Value &)> step);
  /// The expression `next stacking f` at the end of a loop's body, or null.
  static const ast::StackExpr *findStacking(const ast::Expr &body);
  /// The type of an expression for which these names are bound, too.
  Value evaluate(const ast::Expr &expr, const Place &place);
  /// The type of the next value that the loop of an `optimize` statement
  /// carries: see OptimizeEmitter::step.
  Value optimizedStep(const ast::OptimizeStmt &stmt, const Value &method,
                      const Value &carried, const Place &place);
  /// Binds names of `let`s and loops.
  static void bind(const ast::Pattern &pattern, const Value &value,
                   Scope &scope);

private:
  static Value unknown();
  /// Rules only decide here.
  RuleContext rules() const;
  bool isPrecise() const { return real != programReal; }
  using Arguments = llvm::ArrayRef<Argument>;
  using Elements = llvm::ArrayRef<Value>;
  using ElementFn = llvm::function_ref<std::optional<Value>(Elements)>;

  Value evaluate(const ast::Expr &expr);
  Value evaluateKind(const ast::Expr &expr);
  Value lookUp(llvm::StringRef name);
  Value find(llvm::StringRef name);
  Value closure(const ast::FunctionStmt *function,
                const ast::LambdaExpr *lambda, const ModuleInfo *module);
  Value block(const ast::BlockExpr &expr);
  Value preciseBlock(const ast::BlockExpr &expr);
  void optimize(const ast::OptimizeStmt &stmt, Scope &scope);
  /// What an `optimize` statement knows about its checked value.
  static Value checkedValue();
  Value ifExpr(const ast::IfExpr &expr);
  Value forEach(const ast::ForExpr &expr);
  Value loop(const ast::LoopExpr &expr);
  Value member(const ast::MemberExpr &expr);
  Value record(const std::vector<ast::RecordField> &fields);
  Value with(const ast::WithExpr &expr);

  /// The common type of two values, part by part, if a condition selects one.
  Value either(const Value &a, const Value &b);
  Value unary(ast::UnaryOp op, const Value &operand);
  Value binary(ast::BinaryOp op, const Value &a, const Value &b);
  /// Applies `fn` to components of vectors, elements of fields, or scalars.
  Value lift(Elements args, ElementFn fn, bool isUnion = false);
  Value liftFields(Elements args, ElementFn fn, bool isUnion);
  Value element(const Value &field);
  Value merge(const Value &a, const Value &b);

  //===--- Indexes (TypingCells.cpp) --------------------------------------===//
  /// A sum of multiples of dims, and of a number: `8 * X + u - 2`.
  struct Sum {
    std::vector<std::pair<Dim, int64_t>> terms;
    Value value;
  };
  /// An index along a dim of a field.
  struct CellIndex {
    const ast::Name *name;
    Sum sum;
  };
  using CellIndexes = std::vector<CellIndex>;

  Value index(const ast::IndexExpr &expr);
  Sum sumOf(const ast::Expr &expr);
  Value component(const Value &base, const Value &at, llvm::SMLoc loc);
  Value componentsAt(const Value &base, const Value &at, llvm::SMLoc loc);
  Value cells(const Value &base, const ast::IndexExpr &expr);
  bool mayPick(const Value &field, const CellIndexes &indexes);
  Value cellsOf(const Value &base, const CellIndexes &indexes, bool hasEdge);
  Value sliced(const Value &field, unsigned position);
  std::optional<unsigned> findDim(const Value &field, const ast::Name &name);
  Value slice(const ast::CallExpr &expr, Arguments args);
  Value shift(Arguments args);
  Value sample(const Value &stream, const ast::IndexExpr &expr);
  Value sampleCount(BuiltinId id, const Value &stream);

  //===--- Maps and fields (TypingFields.cpp) -----------------------------===//
  Value map(const ast::MapExpr &expr);
  Value mapped(const std::vector<Dim> &domain,
               llvm::function_ref<Value()> body);
  Value fieldsOf(const Value &element, const std::vector<Dim> &domain);
  /// Position, wave number or index of the element along a dim.
  Value coordinate(const Value &of, const Dim &wanted, bool isIndex);
  /// A coordinate as a vector; any other value itself.
  Value expanded(const Value &value);
  /// The dims of a list of expressions; absent if they are not known.
  std::optional<std::vector<Dim>>
  listDims(const std::vector<ast::ExprPtr> &exprs);
  Value dimQuery(BuiltinId id, const Value &dims);
  Value dimsOf(const Value &field);
  Value directions(const Value &of);
  Value views(const Argument &arg, const Argument &factor, const Argument *over,
              bool isFiner);
  Value viewed(const Argument &arg, int64_t factor, const Argument *over,
               bool isFiner);
  Value piece(const Value &of, const Argument &count);
  using Bound = llvm::ArrayRef<std::optional<Argument>>;
  Value painted(Bound args, std::optional<std::vector<Dim>> mesh);
  std::vector<Dim> dimsOfReadout(DimList mesh, DimList lattice,
                                 const Value &positions);
  Value readOut(Bound args);
  Value transformed(bool isForward, const Argument &field,
                    const Argument *over);
  Value elementwise(const Argument &function, const Argument &args);
  Value bins(const ast::BinsExpr &expr);
  Value updated(const ast::WithExpr &expr);
  Value updatedCells(const Value &base, const Value &value, bool adds);
  Value sorted(BuiltinId id, Bound args, llvm::SMLoc loc);
  Value matrices(Bound args, llvm::SMLoc loc);

  Value callExpr(const ast::CallExpr &expr);
  Value apply(const Value &callee, Arguments args,
              std::optional<std::vector<Dim>> dims, llvm::SMLoc loc);
  Value given(const ast::CallExpr &expr);
  Value callDerivative(const Value &callee, Arguments args,
                       std::optional<std::vector<Dim>> dims, llvm::SMLoc loc);
  Value capturedElements(const Value &value);
  Value callClosure(const Value &callee, Arguments args,
                    std::optional<std::vector<Dim>> dims);
  Value evaluateCall(const Value &callee, Arguments args,
                     std::optional<std::vector<Dim>> dims);
  Value callBuiltin(BuiltinId id, Arguments args,
                    std::optional<std::vector<Dim>> dims, llvm::SMLoc loc);
  Value total(Elements parts);
  Value finite(const Value &value);
  Value inner(const Value &a, const Value &b);
  Value reduced(BuiltinId id, const Value &value, const Argument *over);
  Value tabulated(Bound args);
  Value transformedTable(Bound args);
  Value converted(const ast::TypeExpr &type, const Value &value, Scope &scope);
  Value convertedNumber(const ast::TypeExpr &type, const Value &value);

  const Program &program;
  const Resolution &resolution;
  Storage programReal, real;
  SymbolFn symbols;
  DimFacts facts;
  KnownResults &known;
  Place place;
  /// The same for the current map, including the functions that it calls.
  bool readsWide = false;
  unsigned depth = 0, work = 0, maps = 1U << 30;
};

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_TYPES_TYPING_H
