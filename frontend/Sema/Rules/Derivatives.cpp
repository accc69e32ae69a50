//===- Derivatives.cpp - Derivatives of functions -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Derivatives.h"

#include "frontend/Sema/Rules/Control.h"
#include "frontend/Sema/Rules/Types.h"
#include "frontend/Sema/Types/DimMessages.h"

using namespace pmc;
using Mode = Derivation::Mode;

bool pmc::hasTangent(const Value &value) {
  switch (value.getKind()) {
  case Value::Kind::Scalar:
    return isFloat(value.getStorage());
  case Value::Kind::Field:
    return isFloat(value.getStorage()) || isComplex(value.getStorage());
  case Value::Kind::Table:
    return true;
  default:
    return false;
  }
}

llvm::SmallVector<std::string> pmc::parametersOf(const Value &function) {
  llvm::SmallVector<std::string> names;
  if (function.is(Value::Kind::Builtin)) {
    for (llvm::StringRef name : getBuiltinInfo(function.getBuiltin()).params)
      names.push_back(name.str());
  } else if (function.is(Value::Kind::Derivative)) {
    names = parametersOf(function.getElements()[0]);
    Mode mode = function.getDerivation().mode;
    if (mode == Mode::JVP)
      names.push_back("tangent");
    else if (mode == Mode::VJP)
      names.push_back("cotangent");
  } else if (const ast::LambdaExpr *lambda = function.getLambda()) {
    for (const ast::Name &param : lambda->params)
      names.push_back(param.text);
  } else {
    for (const ast::FnParam &param : function.getFunction()->params)
      names.push_back(param.name.text);
  }
  return names;
}

const ast::FnParam *pmc::findParameter(const Value &function,
                                       llvm::StringRef name) {
  if (function.is(Value::Kind::Derivative))
    return findParameter(function.getElements()[0], name);
  if (!function.isClosure() || !function.getFunction())
    return nullptr;
  for (const ast::FnParam &param : function.getFunction()->params)
    if (param.name.text == name)
      return &param;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// grad(f, wrt = (a, b))
//===----------------------------------------------------------------------===//

Value pmc::readParameterNames(const RuleContext &context,
                              const ast::Expr &expr) {
  std::vector<Value> names;
  auto add = [&](const ast::Expr *part) {
    if (auto *ref = llvm::dyn_cast_or_null<ast::RefExpr>(part)) {
      names.push_back(Value::string(ref->name));
      return;
    }
    names.push_back(Value::poison());
    if (part)
      context
          .error(part->loc,
                 "[PM0802] 'wrt' takes names of parameters of the function: "
                 "wrt = a, or wrt = (a, b)")
          .range(part->range);
  };
  if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(&expr))
    for (const ast::ExprPtr &element : tuple->elements)
      add(element.get());
  else
    add(&expr);
  return Value::tuple(std::move(names));
}

/// A parameter of a declared type may have a derivative.
static bool checkParameter(const RuleContext &context, const Value &function,
                           llvm::StringRef name, const Argument &arg) {
  using Base = ast::TypeExpr::Base;
  const ast::FnParam *param = findParameter(function, name);
  if (!param || !param->type ||
      !llvm::is_contained({Base::Int, Base::U64, Base::Bool, Base::String},
                          param->type->base))
    return true;
  context
      .error(arg, "[PM0801] there is no derivative with respect to '" + name +
                      "', which is " + describe(*param->type) +
                      "; expected numbers, fields or tables")
      .note(param->name.loc, "the parameter is declared here");
  return false;
}

std::optional<std::vector<std::string>>
pmc::readParameters(const RuleContext &context, llvm::StringRef what,
                    const Argument &function, const Argument *wrt) {
  const llvm::SmallVector<std::string> all = parametersOf(function.value);
  auto fail = [&](const Argument &arg, const llvm::Twine &why) {
    context.error(arg, why);
    return std::nullopt;
  };
  if (all.empty())
    return fail(function,
                "[PM0801] " + what + " requires a function with parameters");
  if (!wrt) {
    if (!checkParameter(context, function.value, all[0], function))
      return std::nullopt;
    return std::vector<std::string>{all[0]};
  }
  // By position it was evaluated, and is not a list of names.
  if (wrt->name.empty())
    return fail(*wrt, "[PM0802] " + what +
                          " takes 'wrt' by name: wrt = a; the arguments of the "
                          "function are in parentheses of their own: " +
                          what.trim('\'') + "(f)(x)");
  const llvm::SmallVector<llvm::StringRef> known(all.begin(), all.end());
  std::vector<std::string> names;
  for (const Value &value : wrt->value.getElements()) {
    const llvm::StringRef name = value.getString();
    if (!llvm::is_contained(known, name))
      return fail(*wrt, "[PM0802] the function has no parameter '" + name +
                            "'" + suggest(name, known));
    if (llvm::is_contained(names, name))
      return fail(*wrt, "[PM0802] the parameter '" + name + "' is named twice");
    if (!checkParameter(context, function.value, name, *wrt))
      return std::nullopt;
    names.push_back(name.str());
  }
  return names;
}

std::optional<Derivation> pmc::readSchedule(const RuleContext &context,
                                            Derivation known,
                                            const Argument *schedule,
                                            const Argument *snapshots,
                                            llvm::SMLoc loc) {
  known.isOpen = !schedule;
  if (schedule) {
    const auto given = readChoice<Schedule>(context, *schedule, scheduleOption);
    if (!given)
      return std::nullopt;
    known.schedule = *given;
    known.snapshots = 0;
  }
  const bool isRevolve = known.schedule == Schedule::Revolve;
  if (snapshots) {
    if (!isRevolve) {
      context.error(*snapshots,
                    "[PM0804] 'snapshots' belongs to schedule = \"revolve\"");
      return std::nullopt;
    }
    const auto count = readInt(context, *snapshots, "'snapshots'", 1, 1 << 20);
    if (!count)
      return std::nullopt;
    known.snapshots = *count;
  }
  if (!isRevolve || known.snapshots > 0)
    return known;
  context.error(loc,
                "[PM0804] schedule = \"revolve\" requires snapshots = …, the "
                "number of states that are kept");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// grad(f)(a, b)
//===----------------------------------------------------------------------===//

bool pmc::checkDerivativeCall(const RuleContext &context, bool isAllowed,
                              bool hasNoDims, llvm::SMLoc loc) {
  if (!isAllowed)
    return context.refuse(
        loc, llvm::Twine("[PM0801] a derivative cannot be taken ") +
                 context.scalarsOnly);
  return !hasNoDims ||
         context.refuse(loc, "[PM0703] the list of dims is empty");
}

std::optional<SplitArguments> pmc::splitDirection(const RuleContext &context,
                                                  Mode mode,
                                                  const Value &function,
                                                  llvm::ArrayRef<Argument> args,
                                                  llvm::SMLoc loc) {
  const bool isForward = mode == Mode::JVP;
  SplitArguments split;
  if (!isForward && mode != Mode::VJP) {
    split.own = args.vec();
    return split;
  }
  const llvm::StringRef name = isForward ? "tangent" : "cotangent";
  for (const Argument &arg : args) {
    if (arg.name != name) {
      split.own.push_back(arg);
    } else if (split.direction) {
      context.error(arg, "[PM0702] the parameter '" + name + "' is given twice")
          .note(split.direction->loc, "the first time");
      return std::nullopt;
    } else {
      split.direction = arg;
    }
  }
  // Behind the function's own parameters.
  const size_t count = parametersOf(function).size();
  if (!split.direction && split.own.size() == count + 1 &&
      split.own.back().name.empty()) {
    split.direction = split.own.back();
    split.own.pop_back();
  }
  if (split.direction)
    return split;
  context.error(loc, "[PM0702] " + llvm::Twine(isForward ? "'jvp'" : "'vjp'") +
                         " requires an argument '" + name +
                         "' behind those of the function");
  return std::nullopt;
}

Value pmc::liveShape(const Value &value) {
  if (value.isConstNumber()) {
    Value live = Value::scalar(Storage::F64, value.getUnit());
    return value.hasAnyUnit() ? live.withAnyUnit() : live;
  }
  if (!value.isTuple() && !value.isRecord() && !value.isComplex())
    return value;
  std::vector<Value> parts;
  for (const Value &part : value.getElements())
    parts.push_back(liveShape(part));
  return value.withElements(std::move(parts));
}

Value pmc::derivativeShape(const Value &shape, const Unit &unit, bool isDual) {
  using Kind = Value::Kind;
  const Unit own = isDual ? unit / shape.getUnit() : unit * shape.getUnit();
  switch (shape.getKind()) {
  case Kind::Scalar:
  case Kind::Field:
    // The derivative of a value without a tangent is 0.
    return hasTangent(shape) ? shape.withUnit(own) : Value::integer(0);
  case Kind::Table:
    return Value::table(shape.getXUnit(), own);
  case Kind::Complex: {
    auto part = [&](const Value &of) {
      // A part that the compiler knows has no derivative.
      return of.isScalar() ? of.withUnit({}) : Value::real(0);
    };
    return Value::complex(part(shape.getRe()), part(shape.getIm()), own);
  }
  case Kind::Tuple:
  case Kind::Record: {
    std::vector<Value> parts;
    for (const Value &part : shape.getElements())
      parts.push_back(derivativeShape(part, unit, isDual));
    return shape.withElements(std::move(parts));
  }
  case Kind::Builtin:
  case Kind::Closure:
  case Kind::Derivative:
    return Value::integer(0);
  default:
    return shape;
  }
}

bool pmc::requireActive(const RuleContext &context, llvm::StringRef name,
                        bool isGiven, llvm::SMLoc loc) {
  return isGiven ||
         context.refuse(loc, "[PM0702] the derivative with respect to '" +
                                 name + "' requires an argument '" + name +
                                 "'");
}

Value pmc::activeShape(const RuleContext &context, const Value &value,
                       const Argument &arg, llvm::StringRef name) {
  using Kind = Value::Kind;
  switch (value.getKind()) {
  case Kind::Int:
  case Kind::Real:
    return Value::scalar(Storage::F64, value.getUnit());
  case Kind::Scalar:
    if (hasTangent(value))
      return Value::scalar(value.getStorage(), value.getUnit());
    break;
  case Kind::Field:
    if (hasTangent(value))
      return value.withUnit(value.getUnit());
    break;
  case Kind::Complex:
    return requireCarried(context, value, arg.loc);
  case Kind::Table:
    return value;
  case Kind::Tuple:
  case Kind::Record: {
    std::vector<Value> parts;
    for (const Value &part : value.getElements()) {
      parts.push_back(activeShape(context, part, arg, name));
      if (parts.back().isPoison())
        return parts.back();
    }
    return value.withElements(std::move(parts));
  }
  default:
    break;
  }
  return context.error(
      arg, "[PM0801] there is no derivative with respect to '" + name +
               "', which " +
               (value.getKind() == arg.value.getKind() ? "is " : "holds ") +
               value.describeType() + "; expected numbers, fields or tables");
}

bool pmc::checkDifferentiated(const RuleContext &context, bool keepsStates,
                              const Value *part, bool hasEffects,
                              llvm::SMLoc loc) {
  if (keepsStates)
    return context.refuse(
        loc, "[PM0801] a differentiated function cannot contain a loop with "
             "checkpoints; leave 'checkpoint every' out");
  if (part)
    return context.refuse(
        loc, "[PM0801] the value of the differentiated function holds " +
                 part->describe() +
                 ", which has no derivative; return the "
                 "numbers and fields that it uses instead");
  return !context.isInMap || !hasEffects ||
         context.refuseInMap(
             loc, "[PM0509] a function that is differentiated inside of "
                  "a map can contain no assertions, prints or "
                  "checked indexes; move them out of the "
                  "function");
}

bool pmc::requireRealValue(const RuleContext &context, Mode mode,
                           const Value &shape, llvm::SMLoc loc) {
  if (shape.isScalar() && hasTangent(shape))
    return true;
  return context.refuse(
      loc, "[PM0803] " +
               llvm::Twine(mode == Mode::Grad ? "'grad'" : "'value_and_grad'") +
               " requires a function whose value is a real number, not " +
               shape.describeType() +
               (shape.isScalar() ? "" : "; see 'vjp' for others"));
}

bool pmc::requireTangents(const RuleContext &context, const Value &shape,
                          bool hasTangents, llvm::SMLoc loc) {
  return hasTangents ||
         context.refuse(loc, "[PM0801] the value of the function, " +
                                 shape.describeType() + ", has no derivative");
}

//===----------------------------------------------------------------------===//
// Directions
//===----------------------------------------------------------------------===//

/// Dims have names: their order says nothing. Nor does the precision.
static bool fitsField(const Value &shape, const Value &value) {
  if (!value.isField() || shape.getDims().size() != value.getDims().size() ||
      !isPartOf(shape.getDims(), value.getDims()))
    return false;
  return value.getStorage() == shape.getStorage() ||
         (isFloat(shape.getStorage()) && isFloat(value.getStorage()));
}

static bool fitsKind(const Value &shape, const Value &value) {
  using Kind = Value::Kind;
  switch (shape.getKind()) {
  case Kind::Scalar:
    return value.isRealNumber();
  case Kind::Complex:
    return value.isNumber();
  case Kind::Field:
    return fitsField(shape, value);
  case Kind::Table:
    return value.is(Kind::Table) && value.getXUnit().agrees(shape.getXUnit());
  case Kind::Record:
    return value.isRecord() && hasSameMembers(value, shape);
  case Kind::Tuple:
    return value.isTuple() &&
           value.getElements().size() == shape.getElements().size();
  default:
    return true;
  }
}

bool pmc::checkDirection(const RuleContext &context, const Value &shape,
                         const Value &value, const Argument &arg,
                         DirectionRule &rule, bool holdsTangents) {
  const llvm::StringRef what = rule.what;
  auto refuse = [&](const llvm::Twine &more) {
    return context.refuse(arg, "[PM0805] " + what + " holds " +
                                   value.describe() + " instead of one like " +
                                   shape.describe() +
                                   explainDims(value, shape) + more);
  };
  if (shape.isFunction())
    return !holdsTangents || value.isConstZero() ||
           refuse("; the derivative of a function is 0");
  const bool isNumber = shape.isScalar() || shape.isField();
  if (isNumber && !hasTangent(shape))
    return true;
  if (!fitsKind(shape, value))
    return refuse("");
  if (shape.isTuple()) {
    const std::string why = explainOrder(shape, value);
    return why.empty() ||
           context.refuse(arg, "[PM0805] " + what +
                                   " and the value that it belongs to have " +
                                   why);
  }
  if ((!isNumber && !shape.isComplex() && !shape.is(Value::Kind::Table)) ||
      value.hasAnyUnit())
    return true;
  const Unit here = rule.isDual ? value.getUnit() * shape.getUnit()
                                : value.getUnit() / shape.getUnit();
  if (!rule.unit)
    rule.unit = here;
  return rule.unit->agrees(here) ||
         refuse("; its unit does not fit those of the other parts");
}

//===----------------------------------------------------------------------===//
// By hand
//===----------------------------------------------------------------------===//

std::optional<std::vector<Value>>
pmc::splitCotangents(const RuleContext &context,
                     const ast::FunctionStmt &function, const Value &value,
                     size_t count) {
  if (count == 1)
    return std::vector<Value>{value};
  if (value.isTuple() && value.getElements().size() == count)
    return std::vector<Value>(value.getElements());
  const Argument arg{"", {}, value, function.adjoint.loc, {}};
  context.error(arg, "[PM0806] '" + function.adjoint.text + "' gives " +
                         value.describeType() +
                         ", but is the adjoint of a function with " +
                         llvm::Twine(count) +
                         " parameters; expected a tuple of that many, with 0 "
                         "for those that have no derivative");
  return std::nullopt;
}

bool pmc::requireNoCotangent(const RuleContext &context, const Value &part,
                             const Argument &arg, llvm::StringRef what,
                             bool isFunction) {
  return !isFunction ||
         context.refuse(arg, "[PM0805] " + what + " holds " + part.describe() +
                                 " instead of 0, because it is a function");
}

bool pmc::requireSameResults(const RuleContext &context,
                             const ast::FunctionStmt &function,
                             const Argument &given, bool areSame) {
  return areSame ||
         context.refuse(given, "[PM0806] '" + function.again.text + "' gives " +
                                   given.value.describeType() +
                                   ", expected a value like that of '" +
                                   function.name.text +
                                   "', made of real and complex numbers");
}

void pmc::reportCaptured(const RuleContext &context,
                         const ast::FunctionStmt &function, bool isTangent,
                         llvm::StringRef used) {
  const ast::Name &hand = isTangent ? function.tangent : function.adjoint;
  context.error(hand.loc, llvm::Twine("[PM0806] a function with ") +
                              (isTangent ? "a tangent" : "an adjoint") +
                              " depends on its parameters only, but '" +
                              function.name.text + "' uses '" + used +
                              "'; make that a parameter");
}
