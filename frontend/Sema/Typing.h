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

#ifndef PMC_FRONTEND_SEMA_TYPING_H
#define PMC_FRONTEND_SEMA_TYPING_H

#include "frontend/Sema/Builtins.h"
#include "frontend/Sema/Modules.h"
#include "frontend/Sema/Resolver.h"
#include "frontend/Sema/Rules/Context.h"
#include "frontend/Sema/Scope.h"

namespace pmc {

/// The declarations of dims.
struct DimFacts {
  /// The length of a dim: a constant, or the type of a number.
  llvm::function_ref<Value(const Dim &)> length;
  /// Whether a dim of this name has a length that is not its number of cells.
  llvm::function_ref<bool(llvm::StringRef)> hasLength;
};

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
  };
  /// The value of a const, dim, param or input; free if it is not known.
  using SymbolFn = llvm::function_ref<Value(const Lookup &, llvm::StringRef)>;

  /// `real`: how elements of fields are stored.
  Typing(const Program &program, const Resolution &resolution, Storage real,
         SymbolFn symbols, DimFacts facts)
      : program(program), resolution(resolution), real(real), symbols(symbols),
        facts(facts) {}

  /// What a loop that begins with a value of the type `init` carries: the least
  /// type that its body preserves, as far as that is known. `init` is one that
  /// a loop can carry. `step` gives the type of the next value.
  Value settle(const Value &init,
               llvm::function_ref<Value(const Value &)> step);
  /// The expression `next stacking f` at the end of a loop's body, or null.
  static const ast::StackExpr *findStacking(const ast::Expr &body);
  /// The type of an expression for which these names are bound, too.
  Value evaluate(const ast::Expr &expr, const Place &place);
  /// Binds names of `let`s and loops.
  static void bind(const ast::Pattern &pattern, const Value &value,
                   Scope &scope);

private:
  static Value unknown();
  /// Rules only decide here.
  RuleContext rules() const;
  /// `x + 1`: a dim and a number of cells.
  bool isNeighbor(const ast::Expr &index);
  using Arguments = llvm::ArrayRef<Argument>;
  using Elements = llvm::ArrayRef<Value>;
  using ElementFn = llvm::function_ref<std::optional<Value>(Elements)>;

  Value evaluate(const ast::Expr &expr);
  Value evaluateKind(const ast::Expr &expr);
  Value lookUp(llvm::StringRef name);
  Value closure(const ast::FunctionStmt *function,
                const ast::LambdaExpr *lambda, const ModuleInfo *module);
  Value block(const ast::BlockExpr &expr);
  Value ifExpr(const ast::IfExpr &expr);
  Value forEach(const ast::ForExpr &expr);
  Value loop(const ast::LoopExpr &expr);
  Value index(const ast::IndexExpr &expr);
  Value member(const ast::MemberExpr &expr);
  Value record(const std::vector<ast::RecordField> &fields);
  Value with(const ast::WithExpr &expr);

  Value unary(ast::UnaryOp op, const Value &operand);
  Value binary(ast::BinaryOp op, const Value &a, const Value &b);
  /// Applies `fn` to components of vectors, elements of fields, or scalars.
  Value lift(Elements args, ElementFn fn, bool isUnion = false);
  Value liftFields(Elements args, ElementFn fn, bool isUnion);
  Value element(const Value &field);
  Value merge(const Value &a, const Value &b);

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
  Value views(const Value &of, const Argument &factor, bool isFiner);
  using Bound = llvm::ArrayRef<std::optional<Argument>>;
  Value painted(Bound args, std::optional<std::vector<Dim>> mesh);
  Value readOut(Bound args);

  Value callExpr(const ast::CallExpr &expr);
  Value callDerivative(const Value &callee, Arguments args,
                       std::optional<std::vector<Dim>> dims);
  Value callClosure(const Value &callee, Arguments args,
                    std::optional<std::vector<Dim>> dims);
  Value callBuiltin(BuiltinId id, Arguments args,
                    std::optional<std::vector<Dim>> dims, llvm::SMLoc loc);
  Value total(Elements parts);
  Value finite(const Value &value);
  Value inner(const Value &a, const Value &b);
  Value reduced(BuiltinId id, const Value &value, const Argument *over);
  Value converted(const ast::TypeExpr &type, const Value &value, Scope &scope);
  Value convertedNumber(const ast::TypeExpr &type, const Value &value);

  const Program &program;
  const Resolution &resolution;
  Storage real;
  SymbolFn symbols;
  DimFacts facts;
  Place place;
  /// Whether the map reads a field of f64 in a program with fields of f32.
  bool readsWide = false;
  unsigned depth = 0, work = 0, maps = 1U << 30;
};

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_TYPING_H
