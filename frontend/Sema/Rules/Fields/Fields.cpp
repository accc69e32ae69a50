//===- Fields.cpp - Maps, transforms and fields of new dims ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Fields/Fields.h"

#include "frontend/Sema/Rules/Fields/Neighbors.h"
#include "frontend/Sema/Types/DimMessages.h"
#include "frontend/Sema/Types/Operators.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Dims
//===----------------------------------------------------------------------===//

std::optional<std::vector<Dim>>
pmc::readDims(const RuleContext &context, const Value &value, llvm::SMLoc loc) {
  const bool isSomething = value.isFree() && value.getKnown().isKnown() &&
                           !value.getKnown().is(Type::Kind::Dim);
  const bool isUnknown =
      value.isPoison() || (context.isUncalled && value.holdsFree());
  if (isUnknown && !isSomething)
    return std::nullopt;
  if (value.isDim())
    return std::vector<Dim>{value.getDim()};
  std::vector<Dim> dims;
  if (value.isTuple())
    for (const Value &one : value.getElements())
      if (one.isDim())
        dims.push_back(one.getDim());
  if (!dims.empty() && dims.size() == value.getElements().size())
    return dims;
  context.error(loc,
                "[PM0503] this must be a dim, not " + value.describeType());
  return std::nullopt;
}

bool pmc::requireOneDim(const RuleContext &context, const Argument &arg,
                        DimList dims, llvm::StringRef what, bool isSpace) {
  const bool fits =
      isSpace ? arg.value.isDim() && dims[0].isSpace() : dims.size() == 1;
  return fits || context.refuse(arg, "[PM0503] '" + what + "' requires one " +
                                         (isSpace ? "space dim" : "dim"));
}

std::optional<Dim> pmc::withModes(const RuleContext &context, const Dim &dim,
                                  Dim::Kind kind, llvm::SMLoc loc) {
  if (!dim.isSpace()) {
    context.error(loc,
                  "[PM0505] '" + dim.getLabel() + "' is already a Fourier dim");
    return std::nullopt;
  }
  Dim made = dim;
  made.kind = kind;
  return made;
}

bool pmc::requireFieldDims(const RuleContext &context, DimList dims,
                           size_t most, llvm::SMLoc loc) {
  const std::string problem = findFieldProblem(dims, most);
  return problem.empty() || context.refuse(loc, problem);
}

std::optional<llvm::SmallVector<unsigned>>
pmc::placeOver(const RuleContext &context, DimList dims, const Argument &over) {
  const auto wanted = readDims(context, over.value, over.loc);
  if (!wanted)
    return std::nullopt;
  llvm::SmallVector<unsigned> positions;
  for (const Dim &dim : *wanted) {
    const int position = findDimOf(dims, dim);
    std::string why;
    if (position < 0)
      why = "[PM0502] the field has no dim '" + dim.getLabel() +
            "'; its dims are " + describeDims(dims);
    else if (llvm::is_contained(positions, unsigned(position)))
      why = "[PM0502] '" + dim.getLabel() + "' is twice in the list";
    if (!why.empty()) {
      context.error(over, why);
      return std::nullopt;
    }
    positions.push_back(unsigned(position));
  }
  llvm::sort(positions);
  return positions;
}

std::optional<Dim> pmc::viewOf(const RuleContext &context, const Dim &dim,
                               bool isFiner, int64_t factor, llvm::SMLoc loc) {
  const std::string quoted = "'" + dim.getLabel() + "'";
  if (!isFiner && factor == 1)
    return dim;
  auto refuse = [&](const std::string &why) {
    context.error(loc, why);
    return std::nullopt;
  };
  auto neither = [&](const char *how) {
    return refuse("[PM0507] " + quoted + how + std::to_string(factor) +
                  " is neither a refinement nor a coarsening of '" + dim.name +
                  "'");
  };
  if (!dim.isSpace())
    return refuse("[PM0507] " + quoted + " is a Fourier dim; " +
                  (isFiner ? "refine" : "coarsen") + " the space dim");
  Dim result = dim;
  if (!isFiner) {
    if (dim.extent % factor != 0)
      return refuse("[PM0507] the " + std::to_string(dim.extent) +
                    " cells of " + quoted + " are not a multiple of " +
                    std::to_string(factor));
    result.extent = dim.extent / factor;
    if (dim.refine < 0)
      result.refine = dim.refine * factor;
    else if (dim.refine % factor == 0)
      result.refine = dim.refine / factor;
    else if (factor % dim.refine == 0)
      result.refine = -(factor / dim.refine);
    else
      return neither(" coarsened by ");
    return result;
  }
  const int64_t share = dim.refine < 0 ? -dim.refine : 1;
  bool isTooMuch = llvm::MulOverflow(dim.extent, factor, result.extent);
  if (share == 1)
    isTooMuch |= llvm::MulOverflow(dim.refine, factor, result.refine);
  else if (share % factor == 0)
    result.refine = share == factor ? 1 : -(share / factor);
  else if (factor % share == 0)
    result.refine = factor / share;
  else
    return neither(" refined by ");
  if (isTooMuch || result.extent > (1 << 30))
    return refuse("[PM0507] refine(" + quoted + ", " + std::to_string(factor) +
                  ") has more than 2^30 cells");
  return result;
}

std::optional<std::vector<Dim>>
pmc::viewDims(const RuleContext &context, DimList dims,
              llvm::ArrayRef<unsigned> positions, bool isFiner, int64_t factor,
              const Argument &field, llvm::SMLoc loc) {
  std::vector<Dim> result = dims.vec();
  for (const unsigned position : positions) {
    const Dim &dim = dims[position];
    if (llvm::count_if(dims, [&](const Dim &other) {
          return other.name == dim.name;
        }) > 1) {
      context.error(field, "[PM0507] the field has '" + dim.name +
                               "' in two resolutions, of which one cannot "
                               "change");
      return std::nullopt;
    }
    const auto made = viewOf(context, dim, isFiner, factor, loc);
    if (!made)
      return std::nullopt;
    result[position] = *made;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool pmc::requireWholeFields(const RuleContext &context, llvm::StringRef what,
                             llvm::SMLoc loc) {
  if (context.isInMap)
    return context.refuseInMap(
        loc,
        "[PM0509] " + what +
            " works on whole fields and cannot be inside of a map; name its "
            "value with 'let' before the map");
  return !context.scalarsOnly ||
         context.refuse(loc, "[PM0711] " + what +
                                 " works on fields, and there can be no "
                                 "fields " +
                                 context.scalarsOnly);
}

bool pmc::requireOperands(const RuleContext &context, llvm::StringRef what,
                          llvm::ArrayRef<Value> values, bool isUnion,
                          llvm::SMLoc loc) {
  const std::string why = checkOperands(what, values, isUnion, context.isInMap);
  return why.empty() || context.refuse(loc, why);
}

std::optional<std::vector<Dim>>
pmc::domainOfFields(const RuleContext &context, llvm::ArrayRef<Value> fields,
                    const Argument &arg) {
  const Value &widest = *std::max_element(
      fields.begin(), fields.end(), [](const Value &a, const Value &b) {
        return a.getDims().size() < b.getDims().size();
      });
  for (const Value &field : fields)
    if (!isPartOf(field.getDims(), widest.getDims())) {
      context.error(
          arg, "[PM0501] 'elementwise' requires fields of the same dims, not " +
                   widest.describeType() + " and " + field.describeType() +
                   explainDims(widest, field));
      return std::nullopt;
    }
  return widest.getDims().vec();
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

std::optional<std::vector<Dim>> pmc::readDomain(const RuleContext &context,
                                                const Argument &domain) {
  const Value &value = domain.value;
  if (value.isPoison() || (context.isUncalled && value.holdsFree()))
    return std::nullopt;
  const bool isList = value.isTuple() && !value.getElements().empty() &&
                      !value.getElements()[0].isDim();
  const Value &field = isList ? value.getElements()[0] : value;
  if (field.isField())
    return field.getDims().vec();
  if (value.isDim() || value.isTuple())
    return readDims(context, value, domain.loc);
  context.error(domain, "[PM0508] a map runs over a field or dims, not over " +
                            value.describeType());
  return std::nullopt;
}

bool pmc::requireElement(const RuleContext &context, DimList domain,
                         const Value &field, llvm::SMLoc loc) {
  if (isPartOf(field.getDims(), domain))
    return true;
  std::vector<Dim> others;
  llvm::copy_if(
      field.getDims(), std::back_inserter(others),
      [&](const Dim &dim) { return !llvm::is_contained(domain, dim); });
  return context.refuseInMap(
      loc, "[PM0508] a map over " + describeDims(domain) +
               " cannot read an element of " + field.describeType() +
               ", which also has " + describeDims(others) +
               ": sum or slice the field before the map");
}

bool pmc::requireBodyValue(const RuleContext &context, const Value &value,
                           llvm::SMLoc loc) {
  return !value.is(Value::Kind::Nothing) ||
         context.refuse(loc, "[PM0508] the body of a map has no value");
}

bool pmc::requireNumbers(const RuleContext &context, const Value &value,
                         bool isNumber, llvm::SMLoc loc) {
  return isNumber ||
         context.refuse(loc, "[PM0508] the body of a map gives numbers, not " +
                                 value.describeType());
}

bool pmc::requireOwnMap(const RuleContext &context, bool isOwn,
                        llvm::SMLoc loc) {
  return isOwn ||
         context.refuse(
             loc, "[PM0510] the coordinates of a map exist only in its body");
}

std::optional<Dim> pmc::coordinateDim(const RuleContext &context,
                                      DimList domain, const Dim &wanted,
                                      llvm::SMLoc loc) {
  const Dim *found = nullptr;
  for (const Dim &dim : domain)
    if (dim.getSpaceDim() == wanted.getSpaceDim())
      found = &dim;
  for (const Dim &dim : domain)
    if (!found && dim.name == wanted.name)
      found = &dim;
  if (found)
    return *found;
  context.errorInMap(loc, "[PM0510] the map over " + describeDims(domain) +
                              " has no coordinate '" + wanted.getLabel() + "'");
  return std::nullopt;
}

bool pmc::requireOneKind(const RuleContext &context, DimList domain,
                         const Argument &arg, llvm::StringRef what) {
  const auto *space =
      llvm::find_if(domain, [](const Dim &dim) { return dim.isSpace(); });
  const auto *wave =
      llvm::find_if(domain, [](const Dim &dim) { return !dim.isSpace(); });
  return space == domain.end() || wave == domain.end() ||
         context.refuseInMap(
             arg, "[PM0510] '" + what + "' mixes the position along '" +
                      space->getLabel() + "' with the wave number '" +
                      wave->getLabel() + "'; of the wave numbers alone it is " +
                      what + "(for d in directions(k) => k[d])");
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

std::optional<llvm::SmallVector<unsigned>>
pmc::placeTransformed(const RuleContext &context, bool isForward,
                      const Argument &field, const Argument *over) {
  const DimList dims = field.value.getDims();
  llvm::SmallVector<unsigned> positions;
  if (over) {
    auto listed = placeOver(context, dims, *over);
    if (!listed)
      return std::nullopt;
    positions = std::move(*listed);
  } else {
    // ifft inverts what has been transformed.
    const bool some = !isForward && llvm::any_of(dims, [](const Dim &dim) {
      return !dim.isSpace();
    });
    for (auto [i, dim] : llvm::enumerate(dims))
      if (!some || !dim.isSpace())
        positions.push_back(unsigned(i));
  }
  for (const unsigned position : positions) {
    const Dim &dim = dims[position];
    if (dim.isSpace() == isForward)
      continue;
    context.error(field,
                  "[PM0505] " + llvm::Twine(isForward ? "'fft'" : "'ifft'") +
                      " transforms " + (isForward ? "space" : "Fourier") +
                      " dims, but '" + dim.getLabel() + "' of " +
                      field.value.describeType() + " is a " +
                      (isForward ? "Fourier" : "space") + " dim");
    return std::nullopt;
  }
  return positions;
}

bool pmc::checkTransform(const RuleContext &context, bool isForward,
                         const Argument &field, const std::string &why,
                         DimList real) {
  if (!why.empty())
    return context.refuse(
        field, "[PM0506] " + llvm::Twine(isForward ? "'fft'" : "'ifft'") +
                   " of " + field.value.describeType() + ": " + why);
  // The mode opposite to one of a half spectrum is that in all Fourier dims;
  // therefore half spectra are made of real fields without such dims.
  const auto *dim =
      llvm::find_if(real, [](const Dim &one) { return !one.isSpace(); });
  if (dim == real.end())
    return true;
  return context.refuse(
      field,
      isForward
          ? "[PM0506] the transform of a real field that still has the Fourier "
            "dim '" +
                dim->getLabel() + "'; make it complex: fft(f + 0i)"
          : "[PM0506] the halved dim is transformed last, or with the others, "
            "but '" +
                dim->getLabel() + "' would stay");
}
