//===- Text.cpp - Texts with values in them -------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Program/Text.h"

#include "llvm/ADT/StringExtras.h"

using namespace pmc;

bool TextPart::isLikeFloat() const {
  return spec.contains('.') || (!spec.empty() && llvm::isAlpha(spec.back()));
}

/// `.3f`, `8.2e`, `+g`: what may follow the colon in `{:…}`.
static bool isFormatSpec(llvm::StringRef spec) {
  if (!spec.empty() && llvm::StringRef("<>^").contains(spec.front()))
    spec = spec.drop_front();
  if (!spec.empty() && llvm::StringRef("+- ").contains(spec.front()))
    spec = spec.drop_front();
  auto digits = [&] {
    unsigned count = 0;
    while (!spec.empty() && llvm::isDigit(spec.front())) {
      spec = spec.drop_front();
      ++count;
    }
    return count;
  };
  if (digits() > 3)
    return false;
  if (spec.consume_front(".")) {
    unsigned precision = digits();
    if (precision == 0 || precision > 2)
      return false;
  }
  if (spec.size() == 1 && llvm::StringRef("eEfFgGaA").contains(spec.front()))
    spec = spec.drop_front();
  return spec.empty();
}

static bool canBeShown(const RuleContext &context, const Argument &arg) {
  const Value &value = arg.value;
  return value.isRealNumber() || value.isBoolLike() ||
         context.refuse(
             arg,
             "[PM0316] {} shows a number, not " + value.describeType() +
                 (value.isComplex() ? "; show its parts" : "") +
                 (value.isTuple()
                      ? "; show one component, such as v[0]. 'max', 'min', "
                        "'sum' and 'mean' of a vector apply to each "
                        "component; the largest of two is max(v[0], v[1])"
                      : "") +
                 (value.isField() ? "; reduce it, or use output" : ""));
}

std::optional<std::vector<TextPart>>
pmc::readText(const RuleContext &context, llvm::StringRef format,
              llvm::ArrayRef<Argument> values, llvm::SMLoc loc,
              bool &isComplete) {
  auto fail = [&](const llvm::Twine &why) {
    context.error(loc, why);
    return std::nullopt;
  };
  std::vector<TextPart> parts(1);
  size_t next = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    const char c = format[i];
    std::string &text = parts.back().text;
    if (c != '{' && c != '}') {
      text += c;
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == c) {
      text.append(2, c);
      ++i;
      continue;
    }
    const size_t close = format.find('}', i);
    if (c == '}' || close == llvm::StringRef::npos)
      return fail(llvm::Twine("[PM0316] a single '") + llvm::Twine(c) +
                  "' in the text; write it twice, or {} for a value");
    const llvm::StringRef inside = format.slice(i + 1, close);
    llvm::StringRef spec = inside;
    i = close;
    if (!spec.empty() && !(spec.consume_front(":") && isFormatSpec(spec)))
      return fail("[PM0316] '{" + inside +
                  "}' is not a number format; write {}, {:.3f} or {:.2e}");
    if (next == values.size())
      return fail("[PM0316] the text has more {} than there are values (" +
                  llvm::Twine(values.size()) + ")");
    const Argument &arg = values[next++];
    if (arg.value.isPoison())
      continue;
    if (arg.value.is(Value::Kind::String)) {
      for (const char letter : arg.value.getString())
        text.append(letter == '{' || letter == '}' ? 2 : 1, letter);
      continue;
    }
    if (!canBeShown(context, arg)) {
      isComplete = false;
      continue;
    }
    parts.back().value = &arg;
    parts.back().spec = spec;
    parts.back().rest = format.drop_front(close + 1);
    parts.back().position = next - 1;
    parts.emplace_back();
  }
  if (next == values.size())
    return parts;
  context.error(values[next],
                "[PM0316] there is no {} in the text for this value");
  return std::nullopt;
}

bool pmc::requireFewValues(const RuleContext &context, size_t count,
                           size_t most, llvm::SMLoc loc) {
  return count <= most ||
         context.refuse(loc, "[PM0316] this shows " + llvm::Twine(count) +
                                 " values, more than " + llvm::Twine(most) +
                                 "; use a field and 'output'");
}

bool pmc::requireAsked(const RuleContext &context, const Argument &arg,
                       const ast::WrittenUnit &asked, llvm::StringRef word) {
  llvm::ArrayRef<Value> parts = arg.value;
  if (arg.value.isTuple())
    parts = arg.value.getElements();
  for (const Value &part : parts) {
    if (!part.isElementwise())
      continue;
    const std::string why =
        checkAsked(part.getQuantity(), asked.unit, word + " " + asked.text);
    if (why.empty())
      continue;
    context.error(asked.loc, why)
        .range(asked.range)
        .note(arg.loc, "of this value");
    return false;
  }
  return true;
}
