//===- Generator.cpp - Evaluates a program into pm ops --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Limits.h"

#include "mlir/IR/Verifier.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/SourceMgr.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

RuleContext Generator::rules() {
  RuleContext context;
  context.messages = &messages;
  context.real = realStorage();
  context.isUncalled = checker != nullptr;
  if (!frame)
    return context;
  context.isInMap = frame->element != nullptr;
  if (frame->element)
    context.map = frame->element->loc;
  context.scalarsOnly = frame->scalarsOnly;
  context.isConstant = frame->constantsOnly;
  return context;
}

mlir::Location Generator::getLoc(llvm::SMLoc loc) {
  // Cached, because the body of a function is compiled for each of its calls.
  mlir::LocationAttr &here = places[loc.getPointer()];
  if (!here && loc.isValid()) {
    SourcePosition position = diags.getLineAndColumn(loc);
    here = mlir::FileLineColLoc::get(&context, position.file, position.line,
                                     position.column);
  } else if (!here) {
    here = mlir::UnknownLoc::get(&context);
  }
  if (frame && frame->callers)
    return mlir::CallSiteLoc::get(mlir::Location(here),
                                  mlir::Location(frame->callers));
  return here;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

bool Generator::tick(llvm::SMLoc loc, uint64_t amount) {
  if (messages.areStopped())
    return false;
  if (checker) {
    if (!checker->tick(amount))
      return false;
  } else {
    work += amount;
  }
  if (!requireLittleWork(rules(), work, loc)) {
    messages.stop();
  } else if (diags.limitReached() ||
             (options.observer && options.observer->isCancelled())) {
    messages.stop();
  }
  return !messages.areStopped();
}

bool Generator::stackIsShort(llvm::SMLoc loc) {
  constexpr ptrdiff_t limit = 4 << 20;
  auto *here = static_cast<const char *>(__builtin_frame_address(0));
  ptrdiff_t used = stackBase - here;
  if (used < 0)
    used = -used;
  return !requireStack(rules(), used < limit, loc);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Value Generator::atPrologue(Prologue &prologue, llvm::StringRef key,
                            llvm::function_ref<Value()> make) {
  auto it = prologue.values.find(key);
  if (it != prologue.values.end())
    return it->second;
  mlir::OpBuilder::InsertionGuard guard(builder);
  prologue.setInsertionPoint(builder);
  Value value = make();
  prologue.update(builder);
  prologue.values[key] = value;
  return value;
}

std::string Generator::uniqueName(llvm::StringRef base) {
  unsigned &count = functionNames[base];
  std::string name = base.str();
  while (true) {
    if (count++)
      name = (base + "_" + llvm::Twine(count - 1)).str();
    if (name == base || !functionNames.count(name)) {
      functionNames.try_emplace(name, 1);
      return name;
    }
  }
}

//===----------------------------------------------------------------------===//
// The whole program
//===----------------------------------------------------------------------===//

Generator::Generator(const Program &program, const Resolution &resolution,
                     const FrontendOptions &options, mlir::MLIRContext &context,
                     DiagnosticEngine &diags)
    : Emitter(context, diags, options.f64), program(program),
      resolution(resolution), options(options), messages(program, diags) {}

mlir::OwningOpRef<mlir::ModuleOp> Generator::run(llvm::StringRef programName) {
  stackBase = static_cast<const char *>(__builtin_frame_address(0));
  module = mlir::ModuleOp::create(
      mlir::FileLineColLoc::get(&context, program.getMain().path, 1, 1),
      programName);
  builder.setInsertionPointToEnd(module->getBody());

  checkDefines();
  for (const auto &stmt : program.getMain().tree->statements)
    if (auto *constant = llvm::dyn_cast_or_null<ast::ConstStmt>(stmt.get()))
      constValue(program.getMain(), *constant);
  declareDimExtents();
  declareParams();
  declareMeshAndLayout();
  declareDimLengths();
  declareInputs();

  mainFunction = mlir::func::FuncOp::create(builder, module->getLoc(), "main",
                                            builder.getFunctionType({}, {}));
  functionNames["main"] = 1;
  mlir::Block *body = mainFunction.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  Prologue entry;
  entry.block = body;
  Frame top;
  top.module = &program.getMain();
  top.lets = &topLevelLets;
  top.entry = &entry;
  top.runsAlways = true;
  frame = &top;
  for (const auto &stmt : program.getMain().tree->statements)
    if (stmt && !messages.areStopped())
      statement(*stmt);
  mlir::func::ReturnOp::create(builder, module->getLoc());
  frame = nullptr;
  FreeChecker(*this).run();
  return finish();
}

void Generator::eraseUnusedFunctions() {
  llvm::StringMap<mlir::func::FuncOp> functions;
  for (auto function : module->getOps<mlir::func::FuncOp>())
    functions[function.getName()] = function;
  llvm::DenseSet<mlir::Operation *> used;
  std::vector<mlir::func::FuncOp> pending{mainFunction};
  auto use = [&](mlir::Attribute name) {
    if (auto symbol = llvm::dyn_cast_or_null<mlir::FlatSymbolRefAttr>(name))
      if (auto function = functions.lookup(symbol.getValue()))
        pending.push_back(function);
  };
  while (!pending.empty()) {
    mlir::func::FuncOp function = pending.back();
    pending.pop_back();
    if (!used.insert(function).second)
      continue;
    // The attributes name derivatives by hand.
    for (mlir::NamedAttribute attribute : function->getDiscardableAttrs())
      use(attribute.getValue());
    function.walk([&](mlir::Operation *op) {
      if (llvm::isa<mlir::func::CallOp, pm::VJPOp, pm::JVPOp>(op))
        use(op->getAttr("callee"));
    });
  }
  for (auto &entry : functions)
    if (!used.count(entry.second))
      entry.second.erase();
}

/// Units of the lengths of dims, for files that say how far cells are apart.
/// Dims that have none count a batch.
void Generator::tellLengths() {
  llvm::SmallVector<mlir::NamedAttribute> units;
  for (const auto &entry : dims)
    if (entry.second.dim && !entry.second.lengthIsCells)
      units.push_back(builder.getNamedAttr(
          entry.getKey(),
          builder.getStringAttr(
              entry.second.unit.isNumber() ? "" : entry.second.unit.str())));
  if (!units.empty())
    (*module)->setAttr("pm.lengths", builder.getDictionaryAttr(units));
}

mlir::OwningOpRef<mlir::ModuleOp> Generator::finish() {
  if (diags.hasErrors())
    return nullptr;
  eraseUnusedFunctions();
  tellLengths();
  if (!options.verifies)
    return std::move(module);
  auto report = [&](SourcePosition position, const std::string &text) {
    diags.report(Severity::Error, position.file, position.line, position.column,
                 "[PM1010] internal error of pmc: " + text);
  };
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        std::string text;
        llvm::raw_string_ostream(text) << diagnostic;
        mlir::Location loc = diagnostic.getLocation();
        auto position = loc->findInstanceOf<mlir::FileLineColLoc>();
        if (position)
          report({position.getFilename().getValue(), position.getLine(),
                  position.getColumn()},
                 text);
        else
          report({}, text);
        return mlir::success();
      });
  if (failed(mlir::verify(*module))) {
    if (!diags.hasErrors())
      report({}, "the module does not verify");
    return nullptr;
  }
  return std::move(module);
}
