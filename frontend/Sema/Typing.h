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

class Typing {
public:
  /// Where an expression stands.
  struct Place {
    const ModuleInfo *module = nullptr;
    const Scope *scope = nullptr;
    const llvm::StringMap<Value> *lets = nullptr; ///< null: none
    bool isElement = false; ///< in a map: fields stand for their elements
  };
  /// The value of a const, dim, param or input; free if it is not known.
  using SymbolFn = llvm::function_ref<Value(const Lookup &, llvm::StringRef)>;

  /// `real`: how elements of fields are stored.
  Typing(const Program &program, const Resolution &resolution, Storage real,
         SymbolFn symbols)
      : program(program), resolution(resolution), real(real), symbols(symbols) {
  }

  /// What a loop that begins with a value of the type `init` carries: the least
  /// type that its body preserves, as far as that is known. `init` is one that
  /// a loop can carry. `step` gives the type of the next value.
  Value settle(const Value &init,
               llvm::function_ref<Value(const Value &)> step);
  /// The type of an expression for which these names are bound, too.
  Value evaluate(const ast::Expr &expr, const Place &place);
  /// The type of a function's value.
  Value call(const Value &callee, llvm::ArrayRef<Value> args, bool isElement);
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

  Value callExpr(const ast::CallExpr &expr);
  Value callClosure(const Value &callee, Arguments args,
                    std::optional<std::vector<Dim>> dims);
  Value callBuiltin(BuiltinId id, Arguments args, llvm::SMLoc loc);
  Value total(Elements parts);
  Value inner(const Value &a, const Value &b);
  Value reduced(BuiltinId id, const Value &value, const Argument *over);
  Value converted(const ast::TypeExpr &type, const Value &value, Scope &scope);
  Value convertedNumber(const ast::TypeExpr &type, const Value &value);

  const Program &program;
  const Resolution &resolution;
  Storage real;
  SymbolFn symbols;
  Place place;
  unsigned depth = 0, work = 0;
};

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_TYPING_H
