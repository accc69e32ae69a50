//===- Calls.cpp - Functions and their arguments --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Calls.h"

#include "frontend/Sema/Names/Resolver.h"
#include "frontend/Sema/Types/DimMessages.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace pmc;

static const char *const definedHere = "it is defined here";

//===----------------------------------------------------------------------===//
// What is called
//===----------------------------------------------------------------------===//

void pmc::reportNoFunction(const RuleContext &context, const Value &callee,
                           llvm::SMLoc loc) {
  std::string more;
  if (callee.is(Value::Kind::Table))
    more = "; write interpolate(t, x) for the value of a table t at x";
  else if (callee.isField())
    more = "; " + explainCells(callee);
  context.error(loc, "[PM0701] " + callee.describeType() +
                         " is not a function" + more);
}

void pmc::reportMissingCall(const RuleContext &context, const Value &function,
                            llvm::SMLoc loc) {
  if (function.is(Value::Kind::Builtin))
    context.error(loc, "[PM0701] " + function.describeType() +
                           " is not called here; write its arguments in (…)");
  else
    context.error(
        loc, "[PM0701] a function is not called here; write its arguments in "
             "(…) behind the dims");
}

const Symbol *pmc::requireSymbol(const RuleContext &context,
                                 const ModuleInfo *module, llvm::StringRef name,
                                 LibraryUse use, llvm::SMLoc loc) {
  if (module)
    if (auto found = module->symbols.find(name); found != module->symbols.end())
      return &found->second;
  switch (use) {
  case LibraryUse::Alternative:
    context.error(loc, "[PM0204] the library has no function '" + name + "'");
    break;
  case LibraryUse::Collect:
    context.error(loc, "[PM0204] 'collect' requires the module 'fields' of the "
                       "library, which is missing");
    break;
  case LibraryUse::Edges:
    context.error(loc, "[PM0204] this requires the module 'fields' of the "
                       "library, which is missing");
    break;
  }
  return nullptr;
}

bool pmc::requireNoHandDerivative(const RuleContext &context,
                                  const ast::FunctionStmt &function,
                                  llvm::SMLoc loc) {
  if (!context.isInMap || !function.hasManualDerivative())
    return true;
  return context.refuseInMap(
      loc, "[PM0509] '" + function.name.text + "' has " +
               (function.adjoint.text.empty() ? "a tangent" : "an adjoint") +
               " of its own and cannot be called inside of a map; call it with "
               "whole fields");
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The remedy for a parameter of Python functions, such as 'axis'; or empty.
static std::string
explainForeignParameter(llvm::StringRef name,
                        llvm::ArrayRef<llvm::StringRef> params) {
  if ((name == "axis" || name == "axes" || name == "dim") &&
      llvm::is_contained(params, "over"))
    return "; dims have names: write over = x for the dim x";
  if (name == "keepdims")
    return "; fields align by the names of their dims, so no dim is kept";
  if (name == "dtype")
    return "; pmc --precision=f64 sets the precision of fields";
  if (name == "size" || name == "shape")
    return "; the dims are in brackets, as in white_noise[x, y](seed)";
  return "";
}

std::optional<Matched>
pmc::matchArguments(const RuleContext &context,
                    llvm::ArrayRef<llvm::StringRef> params,
                    llvm::ArrayRef<Argument> args, llvm::StringRef name,
                    llvm::StringRef tooMany, llvm::SMLoc defined) {
  Matched given(params.size(), nullptr);
  bool ok = true;
  auto tell = [&](Report report) {
    if (defined.isValid())
      report.note(defined, definedHere);
    ok = false;
  };
  size_t position = 0;
  for (const Argument &arg : args) {
    size_t index = position;
    if (arg.name.empty())
      ++position;
    else
      index = size_t(llvm::find(params, arg.name) - params.begin());
    if (index < params.size() && given[index]) {
      context
          .error(arg, "[PM0702] the parameter '" + params[index] +
                          "' is given twice")
          .note(given[index]->loc, "the first time");
      ok = false;
    } else if (index < params.size()) {
      given[index] = &arg;
    } else if (arg.name.empty()) {
      tell(context.error(arg, "[PM0702] " + name + tooMany));
      break;
    } else {
      std::string near = explainForeignParameter(arg.name, params);
      if (near.empty())
        near = suggest(arg.name, params);
      if (near.empty() && !params.empty())
        near = "; its parameters are " + llvm::join(params, ", ");
      tell(context.error(arg.nameLoc, "[PM0702] " + name +
                                          " has no parameter '" + arg.name +
                                          "'" + near));
    }
  }
  if (!ok)
    return {};
  return given;
}

/// Matches the arguments of most calls: they have no names, and are not too
/// many. Absent for other calls. Makes no texts of messages, because these take
/// longer than the matching.
static std::optional<Matched> matchByPosition(size_t params,
                                              llvm::ArrayRef<Argument> args) {
  if (args.size() > params ||
      !llvm::all_of(args, [](const Argument &arg) { return arg.name.empty(); }))
    return std::nullopt;
  Matched given(params, nullptr);
  for (auto [place, arg] : llvm::zip(given, args))
    place = &arg;
  return given;
}

static std::optional<Matched> matchByName(const RuleContext &context,
                                          const ast::FunctionStmt &fn,
                                          llvm::ArrayRef<Argument> args) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const ast::FnParam &param : fn.params)
    names.push_back(param.name.text);
  std::string inBrackets;
  if (!fn.dimParams.empty() &&
      llvm::any_of(args, [](const Argument &arg) { return arg.value.isDim(); }))
    inBrackets = "; dims are in brackets: " + fn.name.text + "[" +
                 llvm::join(llvm::map_range(
                                fn.dimParams,
                                [](const ast::Name &dim) { return dim.text; }),
                            ", ") +
                 "](" + llvm::join(names, ", ") + ")";
  return matchArguments(context, names, args, "'" + fn.name.text + "'",
                        llvm::formatv(" has {0} parameter{1}, here are more "
                                      "arguments{2}",
                                      names.size(),
                                      names.size() == 1 ? "" : "s", inBrackets)
                            .str(),
                        fn.name.loc);
}

std::optional<Matched> pmc::matchArguments(const RuleContext &context,
                                           const ast::FunctionStmt &fn,
                                           llvm::ArrayRef<Argument> args,
                                           llvm::SMLoc loc) {
  auto given = matchByPosition(fn.params.size(), args);
  if (!given)
    given = matchByName(context, fn, args);
  if (!given)
    return {};
  bool ok = true;
  for (auto [param, arg] : llvm::zip_equal(fn.params, *given)) {
    if (arg || param.defaultValue)
      continue;
    context
        .error(loc, "[PM0702] '" + fn.name.text + "' requires an argument '" +
                        param.name.text + "'")
        .note(param.name.loc, "the parameter is declared here");
    ok = false;
  }
  if (!ok)
    return {};
  return given;
}

bool pmc::checkLambdaCall(const RuleContext &context,
                          const ast::LambdaExpr &lambda,
                          llvm::ArrayRef<Argument> args, bool hasDims,
                          llvm::SMLoc loc) {
  if (hasDims)
    return context.refuse(loc, "[PM0703] this function has no dim parameters");
  for (const Argument &arg : args)
    if (!arg.name.empty())
      return context.refuse(arg.nameLoc,
                            "[PM0702] the arguments of '… => …' have no names");
  const size_t count = lambda.params.size();
  if (args.size() == count)
    return true;
  context
      .error(loc, "[PM0702] the function requires " + llvm::Twine(count) +
                      (count == 1 ? " argument" : " arguments") +
                      ", here are " + llvm::Twine(args.size()))
      .note(lambda.loc, definedHere);
  return false;
}

bool pmc::bindDims(const RuleContext &context, const ast::FunctionStmt &fn,
                   DimList dims, llvm::SMLoc loc, Scope &scope) {
  if (fn.dimParams.empty()) {
    context.error(loc, "[PM0703] '" + fn.name.text + "' has no dim parameters")
        .note(fn.name.loc, definedHere);
    return false;
  }
  if (fn.dimParams.size() == 1 && isDimListName(fn.dimParams[0].text)) {
    std::vector<Value> values;
    for (const Dim &dim : dims)
      values.push_back(Value::dim(dim));
    scope.names[fn.dimParams[0].text] = Value::tuple(std::move(values));
    return true;
  }
  if (fn.dimParams.size() != dims.size()) {
    context
        .error(loc, "[PM0703] '" + fn.name.text + "' requires " +
                        llvm::Twine(fn.dimParams.size()) +
                        (fn.dimParams.size() == 1 ? " dim" : " dims") +
                        ", here are " + llvm::Twine(dims.size()))
        .note(fn.name.loc, definedHere);
    return false;
  }
  for (auto [param, dim] : llvm::zip_equal(fn.dimParams, dims))
    scope.names[param.text] = Value::dim(dim);
  return true;
}

bool pmc::refuseOpenDim(const RuleContext &context,
                        const ast::FunctionStmt &function, const ast::Name &dim,
                        llvm::SMLoc loc) {
  const std::string &name = function.name.text;
  context
      .error(loc, "[PM0703] the dims of '" + name +
                      "' do not follow from the arguments: write " + name +
                      "[…](…)")
      .note(dim.loc, "'" + dim.text + "' is declared here");
  return false;
}

std::optional<std::vector<std::optional<Argument>>>
pmc::bindBuiltin(const RuleContext &context, const BuiltinInfo &info,
                 llvm::ArrayRef<Argument> args, bool hasDims, llvm::SMLoc loc) {
  auto name = [&] { return ("'" + info.name + "'").str(); };
  auto params = [&] { return llvm::join(info.params, ", "); };
  auto fail = [&](const llvm::Twine &text) {
    context.error(loc, text);
    return std::nullopt;
  };
  if (hasDims && info.dims == BuiltinInfo::Dims::None)
    return fail("[PM0703] " + name() + " takes no dims");
  if (!hasDims && info.dims == BuiltinInfo::Dims::Required)
    return fail("[PM0703] " + name() + " requires dims: " + info.name +
                (info.params.empty() ? "[x, y]" : "[x, y](…)"));
  std::vector<std::optional<Argument>> bound;
  const bool isPlain =
      args.size() <= info.params.size() &&
      llvm::all_of(args, [](const Argument &arg) { return arg.name.empty(); });
  if (isPlain) {
    bound.assign(args.begin(), args.end());
    bound.resize(info.params.size());
  } else {
    std::string tooMany = " takes (" + params() + "), here are more arguments";
    if (llvm::is_contained({BuiltinId::Grad, BuiltinId::ValueAndGrad,
                            BuiltinId::VJP, BuiltinId::JVP},
                           info.id))
      tooMany +=
          llvm::formatv("; it returns a function: {0}(f)(x{1})", info.name,
                        info.id == BuiltinId::JVP   ? ", tangent = v"
                        : info.id == BuiltinId::VJP ? ", cotangent = w"
                                                    : "")
              .str();
    const auto given =
        matchArguments(context, info.params, args, name(), tooMany);
    if (!given)
      return std::nullopt;
    for (const Argument *arg : *given)
      bound.push_back(arg ? std::optional(*arg) : std::nullopt);
  }
  for (size_t i = 0; i < info.required; ++i)
    if (!bound[i])
      return fail("[PM0702] " + name() + " requires (" + params() + "); '" +
                  info.params[i] + "' is missing");
  return bound;
}
