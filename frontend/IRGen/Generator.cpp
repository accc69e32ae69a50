//===- Generator.cpp - Evaluates a program into pm ops --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"

#include "mlir/IR/Verifier.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/SourceMgr.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

Report::Report(Generator &generator, llvm::SMLoc at,
               std::optional<InFlight> message)
    : generator(&generator), at(at) {
  if (message)
    this->message.emplace(std::move(*message));
}

Report &Report::range(llvm::SMRange range) {
  if (message && range.isValid())
    message->range(range);
  return *this;
}

Report &Report::note(llvm::SMLoc loc, const llvm::Twine &text) {
  if (message)
    message->note(loc, text);
  return *this;
}

Report::~Report() {
  if (!message)
    return;
  // The innermost call first; of a long chain its two ends.
  const std::vector<CallSite> &chain = generator->callChain;
  for (size_t i = chain.size(); i-- > 0;) {
    if (chain.size() > 8 && i >= 4 && i < chain.size() - 4)
      continue;
    if (chain[i].loc == at) {
      at = {}; // the message is there
      continue;
    }
    message->note(chain[i].loc,
                  chain[i].callee.empty()
                      ? "in the function that is called here"
                      : "in '" + chain[i].callee + "', instantiated here");
  }
}

const Argument *pmc::findArgument(const CallSite &call, llvm::SMRange text) {
  if (!call.function || !text.isValid())
    return nullptr;
  auto find = [&](llvm::StringRef name) -> const Argument * {
    size_t position = 0;
    for (const ast::FnParam &param : call.function->params) {
      const Argument *given = nullptr;
      size_t index = 0;
      for (const Argument &arg : call.args)
        if (arg.name.empty() ? index++ == position : arg.name == name)
          given = &arg;
      if (param.name.text == name)
        return given;
      ++position;
    }
    return nullptr;
  };
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  llvm::StringRef rest(text.Start.getPointer(),
                       text.End.getPointer() - text.Start.getPointer());
  // The first word of a message of the library may be the parameter's name.
  if (rest.consume_front("error(\""))
    return find(rest.take_while(isWord));
  for (char before = 0; !rest.empty();) {
    llvm::StringRef word = rest.take_while(isWord);
    if (rest.front() == '"')
      word = rest.take_front(std::min(rest.find('"', 1), rest.size() - 1) + 1);
    else if (word.empty())
      word = rest.take_front();
    else if (before != '.')
      if (const Argument *arg = find(word))
        return arg;
    before = word.back();
    rest = rest.drop_front(word.size());
  }
  return nullptr;
}

llvm::SMRange pmc::textFrom(llvm::SMLoc begin) {
  const char *start = begin.getPointer(), *at = start;
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  while (isWord(*at))
    ++at;
  unsigned depth = 0;
  bool isCall = at != start && (*at == '(' || *at == '[');
  if (at == start || isCall)
    for (; *at && (depth > 0 || *at != '\n'); ++at) {
      depth += *at == '(' || *at == '[';
      bool closes = *at == ')' || *at == ']';
      if (closes && depth == 0)
        break;
      depth -= closes;
      if (closes && isCall && depth == 0 && at[1] != '(' && at[1] != '[')
        break;
    }
  return {begin, llvm::SMLoc::getFromPointer(at)};
}

Report Generator::error(llvm::SMLoc loc, const llvm::Twine &text,
                        llvm::SMRange in) {
  if (checker && checker->isSilent())
    return Report(*this, {}, std::nullopt);
  // A mistake that shows in the library was made where the library is called,
  // in the argument that the library's text names.
  auto isInLibrary = [&](llvm::SMLoc place) {
    return program.isInLibrary(diags.getLineAndColumn(place).file);
  };
  llvm::SMLoc at = loc, calledAt = loc;
  for (size_t i = callChain.size(); i-- > 0 && isInLibrary(at);) {
    const Argument *arg =
        findArgument(callChain[i], in.isValid() ? in : textFrom(at));
    calledAt = callChain[i].loc;
    at = arg ? arg->loc : calledAt;
    in = arg ? arg->range : llvm::SMRange();
  }
  bool isArgument = at != calledAt;
  // An error in a function is reported for one instance only. Errors that
  // follow from a wrong argument are not reported, because they say nothing
  // new.
  const char *cause = isArgument ? calledAt.getPointer() : loc.getPointer();
  bool silent =
      gaveUp || (!callChain.empty() &&
                 !reportedInCalls.insert({cause, at.getPointer()}).second);
  if (silent || (checker && !checker->isNew(at, text.str())))
    return Report(*this, {}, std::nullopt);
  InFlight message = diags.error(at, text);
  if (calledAt == loc)
    return Report(*this, {}, std::move(message));
  if (isArgument)
    message.range(in);
  std::string callee = callChain.back().callee;
  message.note(loc, callee.empty() ? "found here"
                                   : "found here, in '" + callee + "'");
  return Report(*this, calledAt, std::move(message));
}

Report Generator::error(const Argument &arg, const llvm::Twine &text) {
  Report report = error(arg.loc, text, arg.range);
  report.range(arg.range);
  return report;
}

std::string Generator::suggest(llvm::StringRef name,
                               llvm::ArrayRef<llvm::StringRef> names) const {
  if (auto closest = closestName(name, names))
    return ("; did you mean '" + *closest + "'?").str();
  return "";
}

mlir::Location Generator::getLoc(llvm::SMLoc loc) const {
  mlir::Location here = mlir::UnknownLoc::get(&context);
  if (loc.isValid()) {
    SourcePosition position = diags.getLineAndColumn(loc);
    here = mlir::FileLineColLoc::get(&context, position.file, position.line,
                                     position.column);
  }
  if (frame && frame->callers)
    return mlir::CallSiteLoc::get(here, mlir::Location(frame->callers));
  return here;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

bool Generator::tick(llvm::SMLoc loc, uint64_t amount) {
  if (gaveUp)
    return false;
  if (checker) {
    if (!checker->tick(amount))
      return false;
  } else {
    work += amount;
  }
  if (work > maxWork) {
    error(loc, "the program is too large: its functions and unrolled loops "
               "expand without end");
    gaveUp = true;
  } else if (diags.limitReached() ||
             (options.observer && options.observer->isCancelled())) {
    gaveUp = true;
  }
  return !gaveUp;
}

bool Generator::stackIsShort(llvm::SMLoc loc) {
  constexpr ptrdiff_t limit = 4 << 20;
  auto *here = static_cast<const char *>(__builtin_frame_address(0));
  ptrdiff_t used = stackBase - here;
  if (used < 0)
    used = -used;
  if (used < limit)
    return false;
  if (checker)
    return true;
  error(loc, "expressions and calls are nested too deep here");
  return true;
}

Value Generator::checkSize(Value value, llvm::SMLoc loc) {
  if (value.getDepth() > maxValueDepth)
    return error(loc, "tuples and records are nested more than " +
                          llvm::Twine(maxValueDepth) + " deep");
  if (value.getSize() > maxValueSize)
    return error(loc, "this has more than " + llvm::Twine(maxValueSize) +
                          " components; use a field or a table");
  return value;
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
    : program(program), resolution(resolution), options(options),
      context(context), diags(diags), builder(&context) {
  f64Type = builder.getF64Type();
  realType = options.f64 ? builder.getF64Type() : builder.getF32Type();
  i64Type = builder.getI64Type();
  i1Type = builder.getI1Type();
}

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
    if (stmt && !gaveUp)
      statement(*stmt);
  mlir::func::ReturnOp::create(builder, module->getLoc());
  frame = nullptr;
  FreeChecker(*this).run();
  return finish();
}

void Generator::eraseUnusedFunctions() {
  llvm::DenseSet<mlir::Operation *> used;
  std::vector<mlir::Operation *> pending{mainFunction};
  while (!pending.empty()) {
    mlir::Operation *op = pending.back();
    pending.pop_back();
    if (!used.insert(op).second)
      continue;
    auto uses = mlir::SymbolTable::getSymbolUses(op);
    assert(uses && "all ops are of known dialects");
    for (mlir::SymbolTable::SymbolUse use : *uses)
      if (auto callee = module->lookupSymbol<mlir::func::FuncOp>(
              use.getSymbolRef().getLeafReference()))
        pending.push_back(callee);
  }
  for (auto function :
       llvm::make_early_inc_range(module->getOps<mlir::func::FuncOp>()))
    if (!used.count(function))
      function.erase();
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
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        std::string text;
        llvm::raw_string_ostream(text) << diagnostic;
        mlir::Location loc = diagnostic.getLocation();
        auto position = loc->findInstanceOf<mlir::FileLineColLoc>();
        diags.report(Severity::Error,
                     position ? position.getFilename().getValue()
                              : llvm::StringRef(),
                     position ? position.getLine() : 0,
                     position ? position.getColumn() : 0,
                     "internal error of pmc: " + text);
        return mlir::success();
      });
  if (failed(mlir::verify(*module))) {
    if (!diags.hasErrors())
      diags.error({}, "internal error of pmc: the module does not verify");
    return nullptr;
  }
  return std::move(module);
}
