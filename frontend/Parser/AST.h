//===- AST.h - The syntax tree of a .pm module ------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes own their children; every node knows where it stands. Kinds use LLVM's
// isa/cast. Nothing here is resolved: names are text, types are syntax.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_PARSER_AST_H
#define PMC_FRONTEND_PARSER_AST_H

#include "frontend/Basic/Unit.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SMLoc.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pmc::ast {

struct Expr;
struct Stmt;
using ExprPtr = std::unique_ptr<Expr>;
using StmtPtr = std::unique_ptr<Stmt>;

/// Neither expressions nor statements nest deeper: recursion over the tree is
/// safe.
constexpr unsigned maxDepth = 256;

/// A name and where it stands.
struct Name {
  std::string text;
  llvm::SMLoc loc;
};

/// A unit outside of a number or a type: `in mm`, `units um, s`.
struct WrittenUnit {
  llvm::SMLoc loc; // invalid: there is none
  llvm::SMRange range;
  Unit unit;
  std::string text;
};

//===----------------------------------------------------------------------===//
// Types as written
//===----------------------------------------------------------------------===//

/// `f64 km/s`, `length`, `vector complex field[x, y, z]`, `int field[x]`.
struct TypeExpr {
  /// A column of a table: `k in h/Mpc`.
  struct Column {
    Name name;
    WrittenUnit unit; // none: of a pure number
  };
  enum class Base { F64, Int, U64, Bool, String, Complex, Field, Table };
  llvm::SMLoc loc;
  Base base = Base::F64;
  bool isVector = false;
  bool isComplexField = false; // base == Field
  bool isIntField = false;     // likewise
  std::vector<ExprPtr> dims;   // base == Field: names or refine(x, b)
  std::vector<Column> axes;    // base == Table over several axes
  std::optional<Column> value; // base == Table: the part after ->
  std::optional<Unit> unit;    // absent: any unit for fn parameters
  std::string unitText;        // as it is written
  llvm::SMRange unitRange;     // where it is written, if it is
  std::vector<Column> columns; // base == Table: none, or two
};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

struct Expr {
  enum class Kind {
    Number,
    String,
    Bool,
    Ref,
    Unary,
    Binary,
    If,
    Call,
    Index,
    Member,
    With,
    Tuple,
    Record,
    Lambda,
    Block,
    For,
    Map,
    Bins,
    Loop,
    Stack,
    Range
  };
  Kind kind;
  llvm::SMLoc loc;     // where a caret points
  llvm::SMRange range; // the whole expression
  unsigned height = 1; // levels of the tree from here down, <= maxDepth
  virtual ~Expr() = default;

protected:
  Expr(Kind kind, llvm::SMLoc loc) : kind(kind), loc(loc) {}
};

template <Expr::Kind K> struct ExprOf : Expr {
  explicit ExprOf(llvm::SMLoc loc) : Expr(K, loc) {}
  static bool classof(const Expr *e) { return e->kind == K; }
};

/// `12`, `1.5`, `1i`, `400 Mpc/h`.
struct NumberExpr : ExprOf<Expr::Kind::Number> {
  using ExprOf::ExprOf;
  double value = 0;
  uint64_t integer = 0; // exact value if isInteger
  bool isInteger = false;
  bool isImaginary = false;
  std::optional<Unit> unit;
  std::string unitText; // as it is written
};
struct StringExpr : ExprOf<Expr::Kind::String> {
  using ExprOf::ExprOf;
  std::string value;
};
struct BoolExpr : ExprOf<Expr::Kind::Bool> {
  using ExprOf::ExprOf;
  bool value = false;
};
struct RefExpr : ExprOf<Expr::Kind::Ref> {
  using ExprOf::ExprOf;
  std::string name;
};
enum class UnaryOp { Neg, Not };
struct UnaryExpr : ExprOf<Expr::Kind::Unary> {
  using ExprOf::ExprOf;
  UnaryOp op = UnaryOp::Neg;
  ExprPtr operand;
};
enum class BinaryOp {
  Add,
  Sub,
  Mul,
  Div,
  Pow,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  And,
  Or
};
/// As the language writes it.
llvm::StringRef spelling(BinaryOp op);
inline bool isComparison(BinaryOp op) {
  return op >= BinaryOp::Eq && op <= BinaryOp::Ge;
}
struct BinaryExpr : ExprOf<Expr::Kind::Binary> {
  using ExprOf::ExprOf;
  BinaryOp op = BinaryOp::Add;
  ExprPtr lhs, rhs;
};
struct IfExpr : ExprOf<Expr::Kind::If> {
  using ExprOf::ExprOf;
  ExprPtr condition, thenExpr, elseExpr;
};
struct Argument {
  Name name; // empty text: positional
  ExprPtr value;
};
/// `f(args)`, `f[dims](args)`; `f[dims]` alone is an IndexExpr.
struct CallExpr : ExprOf<Expr::Kind::Call> {
  using ExprOf::ExprOf;
  ExprPtr callee;
  std::vector<ExprPtr> dims;
  bool hasDims = false;
  std::vector<Argument> args;
};
/// `k[x]`, `v[0]`, `f[x + 1, edge = "zero"]`, `f[z = 3]` and `zeros[x, y]`.
struct IndexExpr : ExprOf<Expr::Kind::Index> {
  using ExprOf::ExprOf;
  ExprPtr base;
  std::vector<ExprPtr> indices;
  std::vector<Argument> cells; // of dims that go
  ExprPtr edge;                // null if there is none
};
struct MemberExpr : ExprOf<Expr::Kind::Member> {
  using ExprOf::ExprOf;
  ExprPtr base;
  Name member;
};
struct RecordField {
  Name name;
  ExprPtr value;
};
struct RecordExpr : ExprOf<Expr::Kind::Record> {
  using ExprOf::ExprOf;
  std::vector<RecordField> fields;
};
/// `[z = i] = e`, `[z = i] += e`.
struct CellUpdate {
  llvm::SMLoc loc;
  std::vector<Argument> cells;
  bool adds = false;
  ExprPtr value;
};
/// `r with {a = 1}`, `f with {[z = i] = g}`: either has something.
struct WithExpr : ExprOf<Expr::Kind::With> {
  using ExprOf::ExprOf;
  ExprPtr base;
  std::vector<RecordField> fields;
  std::vector<CellUpdate> updates;
};
/// `(a, b)`; a single parenthesised expression is not a tuple.
struct TupleExpr : ExprOf<Expr::Kind::Tuple> {
  using ExprOf::ExprOf;
  std::vector<ExprPtr> elements;
  std::vector<size_t> rows; // `(a, b; c)` in a plot: where the next ones begin
};
struct LambdaExpr : ExprOf<Expr::Kind::Lambda> {
  using ExprOf::ExprOf;
  std::vector<Name> params;
  ExprPtr body;
};
struct BlockExpr : ExprOf<Expr::Kind::Block> {
  using ExprOf::ExprOf;
  bool isPrecise = false; // `precise { … }`: computed in f64
  std::vector<StmtPtr> statements;
  ExprPtr result; // null: a block without value
};
/// `a .. b`.
struct RangeExpr : ExprOf<Expr::Kind::Range> {
  using ExprOf::ExprOf;
  ExprPtr begin, end;
};
/// `for d in (x, y, z) => e`, `for i in 0 .. 3 => e`: unrolled.
struct ForExpr : ExprOf<Expr::Kind::For> {
  using ExprOf::ExprOf;
  Name variable;
  ExprPtr domain;
  ExprPtr body;
};
/// Whether it is a `for` that has no value: its body is a block of statements.
bool isForStatement(const Expr &expr);
/// `map k in F => e`. `domain` is a field expression, or `dims` a list.
struct MapExpr : ExprOf<Expr::Kind::Map> {
  using ExprOf::ExprOf;
  Name variable;
  ExprPtr domain;            // null if dims are listed
  std::vector<ExprPtr> dims; // `map q in [x, y]`
  ExprPtr body;
};
/// `bins k in F into N by I => (v, …)`, `collect k in F where c into N => (v,
/// …)`.
struct BinsExpr : ExprOf<Expr::Kind::Bins> {
  using ExprOf::ExprOf;
  Name variable;
  ExprPtr domain;
  std::vector<ExprPtr> dims;
  ExprPtr where; // of what is collected, which has no index
  ExprPtr count, index, body;
};
/// A pattern on the left of `let` and `loop`: one name, or a tuple of patterns.
struct Pattern {
  std::vector<Name> names; ///< all names in it, in order
  bool isTuple = false;
  std::vector<Pattern> parts; ///< of a tuple
};
/// `loop p = init for i in a .. b => body`, `loop p = init while c => body`,
/// `while c at most n`, with `checkpoint every k` before `=>`.
struct LoopExpr : ExprOf<Expr::Kind::Loop> {
  using ExprOf::ExprOf;
  Pattern carried;
  ExprPtr init;
  std::optional<Name> counter; // absent: a while loop
  ExprPtr begin, end;          // counted; no end: over the cells of a dim
  ExprPtr condition;           // while; with an end: at most so often
  ExprPtr every;               // iterations between checkpoints; null: none
  ExprPtr body;
};

/// `next stacking f`, which a loop's body gives.
struct StackExpr : ExprOf<Expr::Kind::Stack> {
  using ExprOf::ExprOf;
  ExprPtr next, stacked;
};

//===----------------------------------------------------------------------===//
// Statements and declarations
//===----------------------------------------------------------------------===//

struct Stmt {
  enum class Kind {
    Use,
    Const,
    Param,
    Input,
    Dim,
    Mesh,
    Layout,
    Unit,
    Units,
    Function,
    Let,
    Output,
    Plot,
    Print,
    Assert,
    If,
    Optimize,
    Expr
  };
  Kind kind;
  llvm::SMLoc loc;     // its first token
  llvm::SMRange range; // the whole statement
  unsigned height = 0; // of its highest expression or nested statement
  virtual ~Stmt() = default;

protected:
  Stmt(Kind kind, llvm::SMLoc loc) : kind(kind), loc(loc) {}
};

template <Stmt::Kind K> struct StmtOf : Stmt {
  explicit StmtOf(llvm::SMLoc loc) : Stmt(K, loc) {}
  static bool classof(const Stmt *s) { return s->kind == K; }
};

struct UseStmt : StmtOf<Stmt::Kind::Use> {
  using StmtOf::StmtOf;
  std::vector<Name> modules;
};
/// `in [2, 100)`: bounds absent for `inf`; or `in ("a", "b")`.
struct RangeSyntax {
  llvm::SMLoc loc;
  ExprPtr min, max;
  bool minOpen = false, maxOpen = false;
  std::vector<std::string> choices;
};
struct ConstStmt : StmtOf<Stmt::Kind::Const> {
  using StmtOf::StmtOf;
  Name name;
  std::optional<TypeExpr> type;
  std::optional<RangeSyntax> range;
  ExprPtr value;
  std::string doc;
};
struct ParamStmt : StmtOf<Stmt::Kind::Param> {
  using StmtOf::StmtOf;
  Name name;
  std::optional<TypeExpr> type;
  std::optional<RangeSyntax> range;
  ExprPtr value; // null: must be given
  std::string doc;
};
struct InputStmt : StmtOf<Stmt::Kind::Input> {
  using StmtOf::StmtOf;
  Name name;
  TypeExpr type;
  ExprPtr like;          // a record, in the place of a type
  bool streamed = false; // the first dim counts samples
  bool optional = false;
  std::string doc;
};
struct DimStmt : StmtOf<Stmt::Kind::Dim> {
  using StmtOf::StmtOf;
  struct Entry {
    Name name;
    ExprPtr cells;
  };
  std::vector<Entry> entries;
  ExprPtr length; // null: as long as it has cells
};
struct MeshStmt : StmtOf<Stmt::Kind::Mesh> {
  using StmtOf::StmtOf;
  struct Axis {
    Name name;
    ExprPtr extent;
  };
  Name name;
  std::vector<Axis> axes;
};
struct LayoutStmt : StmtOf<Stmt::Kind::Layout> {
  using StmtOf::StmtOf;
  struct Entry {
    Name dim;
    std::vector<Name> axes;
  };
  std::vector<Entry> entries;
};
/// `unit inch = 25.4 mm`. The parser has replaced what is written in it.
struct UnitStmt : StmtOf<Stmt::Kind::Unit> {
  using StmtOf::StmtOf;
  Name name;
  Unit unit;
};
/// `units um, s`: in which numbers are stored.
struct UnitsStmt : StmtOf<Stmt::Kind::Units> {
  using StmtOf::StmtOf;
  std::vector<WrittenUnit> units;
};
struct FnParam {
  Name name;
  std::optional<TypeExpr> type;
  ExprPtr defaultValue;
};
struct FunctionStmt : StmtOf<Stmt::Kind::Function> {
  using StmtOf::StmtOf;
  Name name;
  Name adjoint; // of `@adjoint(f)`; empty: derived
  Name tangent; // h of `@tangent(h)`; empty: derived
  Name again;   // f2 of `@tangent(h, f2)`; empty: no second derivatives

  bool hasManualDerivative() const {
    return !adjoint.text.empty() || !tangent.text.empty();
  }
  std::vector<Name> dimParams;
  std::vector<FnParam> params;
  std::optional<TypeExpr> resultType;
  ExprPtr body;
};
struct LetStmt : StmtOf<Stmt::Kind::Let> {
  using StmtOf::StmtOf;
  Pattern pattern;
  ExprPtr value;
};
struct OutputStmt : StmtOf<Stmt::Kind::Output> {
  using StmtOf::StmtOf;
  Name name;
  std::vector<Name> columns;
  std::vector<WrittenUnit> columnUnits; // of each column
  bool flatten = false;
  WrittenUnit asked;
  ExprPtr value; // null: the variable of that name
};
struct PlotStmt : StmtOf<Stmt::Kind::Plot> {
  using StmtOf::StmtOf;
  Name name; // empty: numbered
  ExprPtr value;
  Name title, xlabel, ylabel, clabel; // texts; empty: those of the source
  Name scale, xscale, yscale;         // empty, "log" or "linear"
  ExprPtr xrange, yrange, crange;     // RangeExprs; null: as the values need it
  WrittenUnit asked;                  // `in mm` behind what is drawn
  WrittenUnit xunit, yunit, cunit;    // of the axes and of the color bar
  WrittenUnit contoursAsked;
  Name colors;              // a colour map, or empty
  Name projection;          // of a map, or empty
  Name histogram, shared;   // empty if not asked for
  std::vector<Name> labels; // texts, in the place of the source's
  ExprPtr points, contours; // null if there are none
  std::vector<ExprPtr> bands;
};
struct PrintStmt : StmtOf<Stmt::Kind::Print> {
  using StmtOf::StmtOf;
  std::string format;
  std::vector<ExprPtr> values;
  std::vector<WrittenUnit> asked; // of each value
};
/// `assert holds, "text"`, or `warn if fails, "text"`.
struct AssertStmt : StmtOf<Stmt::Kind::Assert> {
  using StmtOf::StmtOf;
  bool isWarning = false;
  ExprPtr condition;
  std::string format;
  std::vector<ExprPtr> values;
  std::vector<WrittenUnit> asked; // of each value
};
struct IfStmt : StmtOf<Stmt::Kind::If> {
  using StmtOf::StmtOf;
  ExprPtr condition;
  std::vector<StmtPtr> thenBody, elseBody;
};
/// `optimize s from start minimizing loss with method for r in (4, 2), 100
/// iterations each checkpoint every 20 history losses`, or `… for i in 0 .. n
/// while checks.stale < 5 checkpoint every 20 history losses[100] every 50:
/// checks = error`.
struct OptimizeStmt : StmtOf<Stmt::Kind::Optimize> {
  using StmtOf::StmtOf;
  Pattern pattern;
  ExprPtr start;
  ExprPtr objective; // a LambdaExpr of what is optimized
  ExprPtr method;
  std::optional<Name> stage; // absent: one stage
  ExprPtr stages;
  ExprPtr iterations;
  std::optional<Name> counter; // of steps, in the place of stages
  ExprPtr begin, end;
  ExprPtr condition;    // a LambdaExpr of what is optimized, or null
  ExprPtr every;        // null: no checkpoints
  Name history;         // empty: none
  ExprPtr historyCells; // null: one a step
  ExprPtr interval;     // of checks; null: none
  Name checked;
  ExprPtr check; // a LambdaExpr of what is optimized
};
struct ExprStmt : StmtOf<Stmt::Kind::Expr> {
  using StmtOf::StmtOf;
  ExprPtr expr;
};

/// One source file.
struct Module {
  std::string name;
  bool collects = false; // whether there is a `collect` in it
  std::vector<StmtPtr> statements;
};

} // namespace pmc::ast

#endif // PMC_FRONTEND_PARSER_AST_H
