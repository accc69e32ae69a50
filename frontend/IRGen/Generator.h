//===- Generator.h - Evaluates a program into pm ops ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generator runs the spec on Values. What the compiler knows is computed
// on the spot; everything else becomes ops at the builder's insertion point.
// An expression is compiled in program mode, where fields are whole, or in
// element mode (frame->element), where they stand for one element.
//
// Every method that returns a Value returns poison after it has reported an
// error, and returns poison silently for poison operands.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_GENERATOR_H
#define PMC_FRONTEND_IRGEN_GENERATOR_H

#include "dialect/IR/Markers/Limits.h"
#include "dialect/Mesh/Layout.h"
#include "frontend/IRGen/Calls.h"
#include "frontend/IRGen/Checks/FreeChecker.h"
#include "frontend/IRGen/Compile.h"
#include "frontend/IRGen/Control.h"
#include "frontend/IRGen/Declared.h"
#include "frontend/IRGen/Derivatives/ByHand.h"
#include "frontend/IRGen/Emitter.h"
#include "frontend/IRGen/Fields/LoopTypes.h"
#include "frontend/IRGen/Lowering.h"
#include "frontend/IRGen/Observer.h"
#include "frontend/Sema/Names/Resolver.h"
#include "frontend/Sema/Rules/Context.h"

#include "llvm/ADT/MapVector.h"

#include <deque>
#include <set>

namespace pmc {

struct DirectionRule;

class Generator : Limits, Emitter, DeclaredNames {
public:
  Generator(const Program &program, const Resolution &resolution,
            const FrontendOptions &options, mlir::MLIRContext &context,
            DiagnosticEngine &diags);
  mlir::OwningOpRef<mlir::ModuleOp> run(llvm::StringRef programName);

private:
  friend class Binning;
  friend class ByHand;
  friend class ElementLoop;
  friend class FreeChecker;
  friend class Gather;
  friend class Integers;
  friend class LoopTypes;
  friend class Matrices;
  friend class OptimizeEmitter;
  friend class Particles;
  friend class PlotEmitter;
  friend class Precise;
  friend class Streams;
  friend class Windows;
  friend class OutputEmitter;
  using Elements = llvm::ArrayRef<Value>;
  using ElementFn = llvm::function_ref<Value(Elements)>;

  //===--- Infrastructure (Generator.cpp) ---------------------------------===//
  mlir::Location getLoc(llvm::SMLoc loc);
  /// What surrounds the operands of rules here.
  RuleContext rules();
  /// Counts work; false if the program is too large to go on with.
  bool tick(llvm::SMLoc loc, uint64_t amount = 1);
  /// Reports to the observer what a declared name stands for.
  void observe(const ast::Name &name, const Value &value) const {
    if (options.observer && isShown(value))
      options.observer->bound(name.loc, value);
  }
  bool stackIsShort(llvm::SMLoc loc);
  Value atPrologue(Prologue &prologue, llvm::StringRef key,
                   llvm::function_ref<Value()> make);
  mlir::OwningOpRef<mlir::ModuleOp> finish();
  void eraseUnusedFunctions();
  void tellLengths();

  //===--- Declarations (Declarations.cpp, Layout.cpp) --------------------===//
  void checkDefines();
  Value constValue(const ModuleInfo &module, const ast::ConstStmt &stmt);
  void inScratch(const ModuleInfo &owner, const char *where, bool constantsOnly,
                 llvm::function_ref<void()> fn);
  Value evaluateConst(const ast::Expr &expr, const ModuleInfo &module);
  bool checkConstRange(const ast::ConstStmt &stmt, const ModuleInfo &owner,
                       const Value &value, bool overridden);
  DimInfo &dimInfo(const ast::DimStmt &stmt, unsigned index);
  void declareDimExtents();
  void declareParams();
  mlir::StringAttr declaredUnit(const ast::TypeExpr &type);
  Value fromDeclared(const Value &given, const ast::TypeExpr &type,
                     llvm::SMLoc loc);
  void declareParam(const ast::ParamStmt &stmt);
  void declareList(const ast::ParamStmt &stmt, const Value &value, Unit unit,
                   const std::string &unitText, double scale);
  void emitParam(const ast::ParamStmt &stmt, llvm::StringRef name,
                 const ParamInfo &info, llvm::StringRef kind,
                 mlir::Attribute initial, const Value &value);
  std::optional<double> rangeBound(const ast::ExprPtr &bound, const Unit &unit,
                                   double scale, const ModuleInfo &owner);
  Bounds boundsOf(const ast::RangeSyntax &range, const Unit &unit, double scale,
                  const ModuleInfo &owner);
  void declareDimLengths();
  void declareDimLength(const ast::DimStmt &stmt);
  void emitDimOp(const DimInfo &info, const ast::Expr *length);
  void declareInputs();
  void declareMeshAndLayout();
  void addLayout(LayoutEntry entry);
  bool checkLayout(llvm::ArrayRef<pm::DimAttr> dims, llvm::SMLoc loc);
  Value symbolValue(const Lookup &found, llvm::StringRef name, llvm::SMLoc loc);
  Value paramValue(llvm::StringRef name, llvm::SMLoc loc);
  Value cellOf(const Value &number, llvm::SMLoc loc);
  Value numberOf(const Value &cell, const Value &like, llvm::SMLoc loc);
  void inputLike(const ast::InputStmt &stmt);
  void declareMember(const ast::InputStmt &stmt, const Value &field,
                     const std::string &path);
  /// A table over several axes, as several inputs.
  void declareGrid(const ast::InputStmt &stmt);
  Value gridValue(const ast::InputStmt &stmt, llvm::SMLoc loc);
  Value inputValue(llvm::StringRef name, const ast::InputStmt &stmt,
                   llvm::SMLoc loc);

  //===--- Dims and types (Types.cpp) -------------------------------------===//
  Value dimLength(pm::DimAttr dim, llvm::SMLoc loc);
  Value dimSpacing(pm::DimAttr dim, llvm::SMLoc loc);
  Unit dimUnit(pm::DimAttr dim) const;
  pm::DimAttr binDim(int64_t cells);
  /// The dims of a list; lists in the list are spliced. False after an error.
  bool evaluateDims(llvm::ArrayRef<ast::ExprPtr> exprs,
                    llvm::SmallVectorImpl<pm::DimAttr> &dims);
  bool appendDims(const Value &value, llvm::SMLoc loc,
                  llvm::SmallVectorImpl<pm::DimAttr> &dims);
  /// Null after an error, as of more than `most` dims.
  pm::FieldType fieldType(llvm::ArrayRef<pm::DimAttr> dims, mlir::Type element,
                          llvm::SMLoc loc, size_t most = pm::mostFieldDims);
  /// Converts the value to the declared type, binding the dim variables among
  /// `variables` in `scope`.
  Value matchType(const ast::TypeExpr &type, const Argument &arg,
                  llvm::StringRef what, Scope &scope,
                  const llvm::StringSet<> &variables);
  bool matchDims(const ast::TypeExpr &type, llvm::ArrayRef<pm::DimAttr> dims,
                 const Argument &arg, llvm::StringRef what, Scope &scope,
                 const llvm::StringSet<> &variables);
  Value matchScalar(const ast::TypeExpr &type, const Argument &arg,
                    llvm::StringRef what);

  //===--- Expressions (Expressions.cpp) ----------------------------------===//
  Value evaluate(const ast::Expr &expr);
  Value evaluateKind(const ast::Expr &expr);
  Argument evaluateArgument(const ast::Expr &expr);
  Value numberValue(const ast::NumberExpr &expr);
  Value lookUp(llvm::StringRef name, llvm::SMLoc loc);
  Value makeClosure(const ast::FunctionStmt *function,
                    const ast::LambdaExpr *lambda, const ModuleInfo *module,
                    llvm::SMLoc loc);
  Value indexed(const ast::IndexExpr &expr);
  Value component(const Value &base, const Argument &index, llvm::SMLoc loc);
  /// The component at an index that the program computes.
  Value componentAt(const Value &base, const Argument &index, llvm::SMLoc loc);
  bool checkComponent(mlir::Value index, int64_t count, const Argument &arg);
  Value member(const ast::MemberExpr &expr);
  Value withFields(const ast::WithExpr &expr);
  Value tuple(const ast::TupleExpr &expr);
  /// Whether the program ends at the first value that left the range.
  bool checksValues() const;
  void checkUnderflow(const ast::BinaryExpr &expr, const Value &lhs,
                      const Value &rhs, const Value &value);
  /// Whether all elements are 0, or none is.
  Value hasOnly(bool zeros, const Value &value, llvm::SMLoc loc);
  Value record(llvm::ArrayRef<ast::RecordField> fields, llvm::SMLoc loc);
  Value block(const ast::BlockExpr &expr);
  /// `isStatement`: the body has no value, and the result has none.
  Value forEach(const ast::ForExpr &expr, bool isStatement = false);
  Value forStatement(const ast::ForExpr &expr);
  Value mapExpr(const ast::MapExpr &expr);

  //===--- Numbers (Numbers.cpp, Complex.cpp, Math.cpp) -------------------===//
  Value unary(ast::UnaryOp op, const Value &value, llvm::SMLoc loc);
  Value binary(ast::BinaryOp op, const Value &a, const Value &b,
               const OperatorSite &site);
  Value countOf(const Value &value, llvm::SMLoc loc);
  Value scalarBinary(ast::BinaryOp op, const Value &a, const Value &b,
                     const OperatorSite &site);
  Value boolBinary(ast::BinaryOp op, const Value &a, const Value &b,
                   const OperatorSite &site);
  Value shortCircuit(const ast::BinaryExpr &expr);
  Value compare(ast::BinaryOp op, const Value &a, const Value &b,
                const OperatorSite &site);
  /// Units are not looked at.
  Value realBinary(ast::BinaryOp op, const Value &a, const Value &b, Unit unit,
                   llvm::SMLoc loc);
  Value negate(const Value &value, llvm::SMLoc loc);
  Value power(const Value &base, const Value &exponent, const Unit &unit,
              llvm::SMLoc loc);
  Value realPower(const Value &base, const Value &exponent, Unit unit,
                  llvm::SMLoc loc);
  Value integerPower(const Value &base, int64_t exponent, Unit unit,
                     llvm::SMLoc loc);
  Value squareRoot(const Value &x, Unit unit, llvm::SMLoc loc);
  Value complexBinary(ast::BinaryOp op, const Value &a, const Value &b,
                      Unit unit, llvm::SMLoc loc);
  Value complexPower(const Value &base, const Value &exponent, Unit unit,
                     llvm::SMLoc loc);
  Value generalPower(const Value &base, const Value &exponent, Unit unit,
                     llvm::SMLoc loc);
  Value complexFunction(BuiltinId id, const Value &z, llvm::SMLoc loc);
  Value complexMath(BuiltinId id, const Value &z, llvm::SMLoc loc);
  Value complexNorm2(const Value &z, llvm::SMLoc loc);
  Value partAdd(const Value &a, const Value &b, llvm::SMLoc loc);
  Value partSub(const Value &a, const Value &b, llvm::SMLoc loc);
  Value partMul(const Value &a, const Value &b, llvm::SMLoc loc);
  Value partDiv(const Value &a, const Value &b, llvm::SMLoc loc);
  Value math(BuiltinId id, const Value &x, llvm::SMLoc loc);
  Value realMath(BuiltinId id, const Value &x, Unit unit, llvm::SMLoc loc);
  Value minMax(bool isMax, const Value &a, const Value &b,
               const OperatorSite &site);
  //===--- Elementwise work on aggregates and fields (Elementwise.cpp) ----===//
  /// Fields that meet have dims of the widest one, or a sum or product has the
  /// dims of all.
  enum class Broadcast { Subset, Union };
  /// Applies `fn` to components of vectors, elements of fields, or scalars.
  Value lift(llvm::StringRef what, Elements args, llvm::SMLoc loc, ElementFn fn,
             Broadcast broadcast = Broadcast::Subset);
  void warnTwins(DimList a, DimList b, llvm::SMLoc loc);
  Value liftFields(Elements args, llvm::SMLoc loc, ElementFn fn,
                   Broadcast broadcast);
  Value liftRecords(llvm::StringRef what, Elements args, llvm::SMLoc loc,
                    ElementFn fn, Broadcast broadcast);
  Value buildMap(llvm::ArrayRef<pm::DimAttr> domain, llvm::SMLoc loc,
                 llvm::function_ref<Value()> body);
  /// Compiles a body over the domain into a block; null after an error.
  std::unique_ptr<mlir::Block>
  buildBody(llvm::ArrayRef<pm::DimAttr> domain, llvm::SMLoc loc,
            ElementState &state,
            llvm::function_ref<bool(llvm::SmallVectorImpl<mlir::Value> &)> fn);
  /// Converts the body's value to what fields hold; the value's shape with
  /// placeholders is kept by the caller.
  bool appendYields(const Value &value, bool wide, llvm::SMLoc loc,
                    llvm::SmallVectorImpl<mlir::Value> &yields);
  Value fieldsLike(const Value &shape, mlir::ResultRange results,
                   unsigned &next);
  mlir::Value inOrderOf(llvm::ArrayRef<pm::DimAttr> domain, mlir::Value field,
                        mlir::Location at);
  /// In element mode: the element of a field, or the value itself.
  Value element(const Value &value, llvm::SMLoc loc);
  /// The same through tuples and records, and of coordinate vectors.
  Value elements(const Value &value, llvm::SMLoc loc);
  /// Also replaces the fields that a function captured by their elements.
  Value capturedElements(const Value &value, llvm::SMLoc loc);
  Value expandCoordinate(const Value &coordinate, llvm::SMLoc loc);
  /// What `what` works on: a coordinate vector as a vector, if its components
  /// are all positions or all wave numbers.
  Value asVector(const Argument &arg, llvm::StringRef what);
  Value coordinateOf(const Value &coordinate, pm::DimAttr dim, llvm::SMLoc loc,
                     bool indexOnly);
  bool domainOf(const Argument &domain,
                llvm::SmallVectorImpl<pm::DimAttr> &dims);
  bool evaluateDomain(const ast::Expr *domain,
                      llvm::ArrayRef<ast::ExprPtr> dimExprs, llvm::SMLoc loc,
                      llvm::SmallVectorImpl<pm::DimAttr> &dims);

  //===--- Neighbors (Neighbors.cpp) -------------------------------------===//
  SumIndex evaluateSum(const ast::Expr &expr);
  DimIndex evaluateIndex(const ast::Expr &expr);
  bool setEdges(const Argument &arg, llvm::MutableArrayRef<DimOffset> offsets,
                llvm::MutableArrayRef<NamedIndex> named = {});
  bool appendOffset(const DimIndex &index, bool isMoved,
                    llvm::SmallVectorImpl<DimOffset> &offsets,
                    llvm::SmallVectorImpl<NamedIndex> &named);
  Value neighbors(const Value &base, const ast::IndexExpr &expr);
  Value shift(const ast::CallExpr &expr);
  Value shifted(const Value &base, llvm::ArrayRef<DimOffset> offsets,
                llvm::SMLoc loc);
  /// The cells so far away, in these dims: the field's, finer or coarser ones.
  Value movedField(const Value &field, pm::FieldType target,
                   llvm::ArrayRef<int64_t> cells,
                   llvm::ArrayRef<pm::Edge> edges, llvm::SMLoc loc);
  /// The field's dim of this name or dim variable. Null after an error.
  pm::DimAttr namedDim(const Value &field, const ast::Name &name);
  /// The dim of the field that an index is along. Null after an error.
  pm::DimAttr indexedDim(const Value &field, const NamedIndex &index);
  //===--- Edges (Edges.cpp) ----------------------------------------------===//
  /// Moves the number's ops before the map; false if it differs by element.
  bool moveNumberOut(const Value &value);
  Value storedMode(const Value &mode, pm::DimAttr dim, llvm::SMLoc loc);
  Value readCells(const Value &base, llvm::ArrayRef<DimOffset> offsets,
                  llvm::ArrayRef<NamedIndex> named, llvm::SMLoc loc);
  Value isInside(const EdgeSide &side, llvm::SMLoc loc);
  Value fillBeyond(const Value &read, const Value &base,
                   llvm::ArrayRef<DimOffset> offsets,
                   llvm::ArrayRef<NamedIndex> named, llvm::SMLoc loc);
  //===--- Calls (Calls.cpp, Instances.cpp) -------------------------------===//
  Value call(const ast::CallExpr &expr);
  Value apply(const Value &callee, const Actuals &with);
  std::optional<Value> replaceAlternative(const Value &callee, llvm::SMLoc loc);
  Value applyFunction(const Value &callee, const Actuals &with);
  bool bindFunction(const Value &callee, const Actuals &with, Binding &binding);
  Value applyLambda(const Value &callee, const Actuals &with);
  /// Absent after an error.
  std::optional<BuiltinCall> bindBuiltin(BuiltinId id, const Actuals &with);
  Value applyBuiltin(BuiltinId id, const Actuals &with);
  /// False, with a message, if the types of arguments are wrong.
  bool accepts(const BuiltinCall &call);
  bool bindArguments(const Value &callee, const Actuals &with, Scope &scope);
  Value expandInline(const Value &callee, const Binding &binding,
                     llvm::SMLoc loc);
  Value callInstance(const Value &callee, const Binding &binding,
                     llvm::SMLoc loc);
  /// The call of the spec that leads to a function of the library, which is
  /// called here; null of other functions.
  mlir::LocationAttr findLibraryCall(const Value &callee, llvm::SMLoc loc);
  /// Whether every run of the program executes the ops that are inserted here.
  bool runsAlways() const;
  Instance *buildInstance(const Value &callee, const Binding &binding,
                          llvm::SMLoc loc);
  /// Notes how large the function is; false, with a message at the call, if it
  /// is too large once its calls are written out.
  void measure(mlir::func::FuncOp function);
  bool checkExpansion(mlir::func::FuncOp function, bool differentiated,
                      llvm::StringRef name, llvm::SMLoc loc);
  Value evaluateBody(const Value &callee, const Binding &binding,
                     llvm::SMLoc loc, Scope &scope);
  std::string uniqueName(llvm::StringRef base);
  /// Run-time parts of a value in order.
  void flatten(const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves);

  //===--- Derivatives (Derivatives, Directions, ByHand) - ----------------===//
  /// A function with what it captured and its arguments as operands.
  struct Primal;
  Argument parameterNames(const ast::Expr &expr);
  Value callDerivative(BuiltinCall &call);
  Value applyDerivative(const Value &callee, const Actuals &with);
  bool buildPrimal(const Value &function, llvm::ArrayRef<std::string> wrt,
                   llvm::ArrayRef<Argument> args, llvm::SMLoc loc,
                   llvm::ArrayRef<pm::DimAttr> dims, Primal &primal);
  Instance *buildPrimalInstance(const Value &function,
                                llvm::ArrayRef<Argument> args, llvm::SMLoc loc,
                                llvm::ArrayRef<pm::DimAttr> dims);
  bool appendDirection(const Value &shape, const Value &value,
                       const Argument &arg, DirectionRule &rule,
                       llvm::SmallVectorImpl<mlir::Value> &leaves);
  Value pullBack(const Derivation &derivation, Primal &primal,
                 const Argument *direction, llvm::SMLoc loc);
  Value pushForward(Primal &primal, const Argument &direction, llvm::SMLoc loc);
  unsigned countTangents(const Value &value);
  const Value *findFunctionWithTangents(const Value &value);
  Value derivativeLike(const Value &shape, Unit numerator, bool dual,
                       mlir::ValueRange leaves, unsigned &next);

  //===--- Control (Control.cpp, Loops.cpp) -------------------------------===//
  Value ifExpr(const ast::IfExpr &expr);
  /// `if test then … else …`, which `what` calls the two in messages.
  Value runtimeIf(llvm::SMLoc loc, const Value &test, llvm::StringRef what,
                  const Branch &then, const Branch &otherwise);
  Value branch(llvm::SMLoc loc, const Value &test, llvm::StringRef what,
               const Branch &then, const Branch &otherwise);
  Value selectElement(llvm::SMLoc loc, const Value &test, llvm::StringRef what,
                      const Branch &then, const Branch &otherwise);
  /// `if test then a else b` for elements.
  Value choose(const Value &test, const Value &a, const Value &b,
               llvm::SMLoc aLoc, llvm::SMLoc bLoc, llvm::SMLoc loc,
               llvm::StringRef what);
  Value condition(const ast::Expr &expr, llvm::StringRef what);
  void ifStatement(const ast::IfStmt &stmt);
  /// The least type that holds both values; poison after an error.
  Value join(const Value &a, const Value &b, llvm::SMLoc aLoc, llvm::SMLoc bLoc,
             llvm::StringRef what);
  /// Appends the run-time parts of `value`, converted to the shape.
  void convertTo(const Value &value, const Value &shape, llvm::SMLoc loc,
                 llvm::SmallVectorImpl<mlir::Value> &leaves);
  Value loopExpr(const ast::LoopExpr &expr);
  /// Compiles the body of a loop on what it carries and the iteration.
  using LoopBody = llvm::function_ref<Value(const Value &, const Value &)>;
  bool checkpointing(const std::vector<ast::Name> &names,
                     const ast::Expr *distance, int64_t least,
                     Checkpointing &states);
  bool checkStatesAt(const Instance &callee, llvm::StringRef name,
                     llvm::SMLoc loc);
  mlir::Value resumeFrom(Checkpointing &states, mlir::Value total,
                         llvm::SmallVectorImpl<mlir::Value> &leaves,
                         mlir::Location at);
  void saveCheckpoint(const Checkpointing &states, mlir::Value done,
                      mlir::ValueRange leaves, mlir::Location at);
  Value countedLoop(const Value &init, const Value &begin, const Value &end,
                    llvm::SMLoc initLoc, llvm::SMLoc loc, llvm::SMLoc bodyLoc,
                    Checkpointing states, LoopBody body,
                    const Value &guess = {});
  Value loopOver(const Value &init, const Value &shape, const Value &begin,
                 const Value &end, llvm::SMLoc initLoc, llvm::SMLoc loc,
                 llvm::SMLoc bodyLoc, Checkpointing &states, LoopBody body,
                 Value &next);
  /// `guess`: what the loop may carry; poison if there is no guess.
  Value settleLoop(
      const Value &init, const Value &guess, llvm::SMLoc initLoc,
      llvm::SMLoc loc,
      llvm::function_ref<Value(const Value &shape, Value &next)> compile);
  Value typeOfLength(const Dim &dim) const;
  /// Compiles a part of a loop on what it carries: its body, or its condition.
  using LoopPart =
      llvm::function_ref<Value(const Value &, const ast::Expr &, bool isBody)>;
  Value boundedLoop(const ast::LoopExpr &expr, const Value &init,
                    const Value &begin, const Value &end,
                    const Checkpointing &states, const Value &guess,
                    LoopPart part);
  Value whileLoop(const Value &init, Checkpointing states,
                  const WhileParts &parts);
  Value loopWhile(const Value &init, const Value &shape,
                  const WhileParts &parts, Checkpointing &states, Value &next);
  bool bindPattern(const ast::Pattern &pattern, const Value &value,
                   llvm::SMLoc loc, Scope &scope);

  //===--- Updates of cells (Updates.cpp) ---------------------------------===//
  bool checkSlice(const Argument &range, const Value &begin, const Value &end,
                  pm::DimAttr dim, bool isCell);
  bool checkCell(const Argument &cell, pm::DimAttr dim);
  bool checkCells(const Argument &range, llvm::ArrayRef<const Value *> bounds,
                  llvm::ArrayRef<Value> conditions, std::string why);
  Value withCells(const ast::WithExpr &expr);
  Value updated(const Value &base, const ast::CellUpdate &update,
                llvm::ArrayRef<Argument> cells, const Argument &value);
  Value atCells(llvm::ArrayRef<std::pair<pm::DimAttr, Value>> cells,
                llvm::SMLoc loc);
  Value stackExpr(const ast::StackExpr &expr);
  Value emptyStack(const Value &one, pm::DimAttr dim, llvm::SMLoc loc);
  Value putOnStack(const Value &stack, const Value &one, pm::DimAttr dim,
                   const Value &cell, llvm::SMLoc loc);
  Value stackingLoop(const ast::LoopExpr &expr, const Value &init,
                     pm::DimAttr dim, const Checkpointing &states,
                     const Value &guess, LoopBody body);
  /// The end of the body of the loop that is compiled.
  const ast::StackExpr *stacking = nullptr;

  //===--- Statements (Statements.cpp, Outputs.cpp) -----------------------===//
  void statement(const ast::Stmt &stmt);
  void expressionStmt(const ast::Expr &expr);
  void define(const ast::Name &name, Value value);
  void printStmt(const ast::PrintStmt &stmt);
  void assertStmt(const ast::AssertStmt &stmt);
  /// The value as a number of the unit; the value itself if none is asked for.
  Value inAsked(const Argument &arg, const ast::WrittenUnit &asked,
                llvm::StringRef word = "in");
  bool formatMessage(llvm::StringRef format,
                     llvm::ArrayRef<ast::WrittenUnit> asked,
                     llvm::ArrayRef<ast::ExprPtr> values, llvm::SMLoc loc,
                     std::string &text,
                     llvm::SmallVectorImpl<mlir::Value> &numbers);
  void optimizeStmt(const ast::OptimizeStmt &stmt);
  pm::DimAttr iterationDim(int64_t cells);
  pm::DimAttr ownDim(llvm::StringRef base, int64_t cells,
                     llvm::StringMap<int64_t> &known);
  void outputStmt(const ast::OutputStmt &stmt);
  void plotStmt(const ast::PlotStmt &stmt);

  //===--- Builtins (DimBuiltins, Math, FieldBuiltins, Reductions, Tables) ===//
  Value callMath(BuiltinCall &call);
  Value callMath2(BuiltinCall &call);
  Value callNumber(BuiltinCall &call);
  Value callUnitOf(BuiltinCall &call);
  Value callEpsilon(BuiltinCall &call);
  Value unitOf(const Value &x);
  Value callElementwise(BuiltinCall &call);
  Value callNorm2(BuiltinCall &call);
  Value callDot(BuiltinCall &call);
  Value callTotal(BuiltinCall &call);
  Value callReduction(BuiltinCall &call);
  Value callInner(BuiltinCall &call);
  Value inner(const Value &a, const Value &b, const OperatorSite &site);
  Value callDimQuery(BuiltinCall &call);
  Value callDims(BuiltinCall &call);
  Value callDirections(BuiltinCall &call);
  Value callView(BuiltinCall &call);
  Value viewed(const Value &field, bool isFiner, int64_t factor,
               const Argument *over, const Argument &arg, llvm::SMLoc loc);
  Value callPiece(BuiltinCall &call);
  Value callElsewhere(BuiltinCall &call);
  Value callIndex(BuiltinCall &call);
  Value callFourier(BuiltinCall &call);
  Value callStored(BuiltinCall &call);
  Value callSort(BuiltinCall &call);
  Value callFriends(BuiltinCall &call);
  Value callLapack(BuiltinCall &call);
  Value callZeros(BuiltinCall &call);
  Value callConstant(BuiltinCall &call);
  Value callWhiteNoise(BuiltinCall &call);
  Value callPaint(BuiltinCall &call);
  Value callReadout(BuiltinCall &call);
  /// A paint or readout with another edge than "periodic"; none of others.
  std::optional<Value> beyondEdges(BuiltinCall &call);
  Value withoutEdges(const BuiltinCall &call, const Value &result);
  Value callLibrary(llvm::StringRef function, llvm::ArrayRef<Argument> args,
                    llvm::ArrayRef<pm::DimAttr> list, llvm::SMLoc loc);
  Value callTabulate(BuiltinCall &call);
  Value callLookup(BuiltinCall &call);
  Value callInterpolate(BuiltinCall &call);
  /// Tables over several axes (GridTables.cpp).
  Value tabulateGrid(BuiltinCall &call);
  Value transformGrid(BuiltinCall &call);
  Value callTransform(BuiltinCall &call);
  Value callFinite(BuiltinCall &call);
  Value finite(const Value &value, const Argument &arg, llvm::SMLoc loc);
  Value callError(BuiltinCall &call);
  Value given(const ast::CallExpr &expr);
  Value slice(const ast::CallExpr &expr);
  Value sliced(const Argument &field, const ast::Name &name, Argument range,
               llvm::SMLoc loc);

  //===--- Ints (Integers.cpp), cells at indices (CellIndexes, Gather) ----===//
  Value callInt(BuiltinCall &call);
  Value callDivision(BuiltinCall &call);
  Value callSplit(BuiltinCall &call);
  Value numberOfCell(const Argument &cell);
  Value callRandom(BuiltinCall &call);
  std::optional<Value> asInt(const Value &value, llvm::SMLoc loc);
  Value withReals(const Value &value, llvm::SMLoc loc, bool narrow = false);
  Value inPrecision(const Value &field, mlir::Type type, llvm::SMLoc loc);
  /// An error of the program where a scalar is not a number.
  void requireNumber(mlir::Value x, const Argument &argument);
  /// An error of the program where an i1 does not hold; in a map for all its
  /// elements, before it. `why` shows an i64. False if it cannot be checked.
  bool checkEach(mlir::Value holds, mlir::Value shown, const Argument &arg,
                 const std::string &why);
  Value intCell(const Value &line, const NamedIndex &index, llvm::SMLoc loc);
  /// `f[x = 1, y = -2]` of half a spectrum; none if it is anything else.
  std::optional<Value> oneMode(const Value &base, const ast::IndexExpr &expr);
  Value gather(const Value &base, llvm::ArrayRef<NamedIndex> named,
               llvm::SMLoc loc);
  bool isGathered(const Value &field, const Value &index);
  /// Those at one index each; the others go to `named`.
  Value pickCells(const Value &base, const ast::IndexExpr &expr,
                  llvm::SmallVectorImpl<NamedIndex> &named);
  Value readAt(const Value &base, llvm::ArrayRef<NamedIndex> named,
               llvm::SMLoc loc);
  bool checkIndex(const NamedIndex &index, pm::DimAttr dim);
  Value fourier(BuiltinCall &call, const Value &field);
  Value constantField(llvm::ArrayRef<pm::DimAttr> dims, const Value &value,
                      llvm::SMLoc loc);
  Value reduceField(BuiltinCall &call, const Value &field,
                    const Argument *over);
  Value emitReduce(pm::Reduction kind, const Value &field,
                   llvm::ArrayRef<unsigned> dropped, llvm::SMLoc loc,
                   llvm::function_ref<Value(Value)> transform,
                   const SliceBounds *bounds = nullptr);
  Value bins(const ast::BinsExpr &expr);
  const Program &program;
  const Resolution &resolution;
  const FrontendOptions &options;
  Messages messages;
  Frame *frame = nullptr;
  llvm::StringMap<Value> topLevelLets;
  std::set<const char *> neededConstants; // that are none, by declaration
  llvm::DenseMap<const ast::ConstStmt *, Value> constValues;
  std::vector<const ast::ConstStmt *> constsInProgress;
  std::deque<Instance> instances;
  llvm::StringMap<Instance *> instanceByKey; // null: has errors
  ByHand byHand{*this};
  LoopTypes loopTypes{*this};
  llvm::StringMap<Expansion> expansions; // by the name of the function
  uint64_t mainExpansion = 0;
  llvm::StringMap<pm::WindowAttr> fittedWindows; // by support, accuracy, weight
  llvm::StringMap<unsigned> functionNames;
  llvm::StringMap<llvm::SMLoc> outputNames, plotNames;
  bool effectsSeen = false;      // in the function being compiled
  bool statesSeen = false;       // so are loops with checkpoints
  unsigned loopDepth = 0;        // loops around, in the function being compiled
  std::vector<Value> iterations; // of the loops of the spec around a statement
  std::set<std::string> checkpointNames; // of loops, so far
  llvm::DenseMap<const ast::PlotStmt *, unsigned> plotNumbers; // from 1 on
  /// Cells of slices, by the place of their range.
  llvm::DenseMap<const char *, std::pair<int64_t, int64_t>> knownSlices;
  llvm::DenseSet<const char *> warnedTwins; // sums and products, told
  unsigned numMaps = 0;
  /// Functions and lambdas whose bodies have been evaluated.
  llvm::DenseSet<const void *> evaluatedBodies;
  FreeChecker *checker = nullptr; ///< while a function is checked uncalled
  /// Free conditions around, in the function that is evaluated.
  unsigned freeBranches = 0;
  uint64_t work = 0, unrolled = 0;
  llvm::DenseMap<const char *, mlir::LocationAttr> places; // by text
  const char *stackBase = nullptr;
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_GENERATOR_H
