//===- ParseExpr.cpp - Reads expressions of a mesh ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Cost/Cost.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace pmc::cost;

namespace {

/// By recursive descent; null after the first mistake.
class Reader {
public:
  Reader(MLIRContext *context, StringRef text, std::string &error)
      : context(context), text(text), rest(text), error(error) {}

  ExprAttr read() {
    ExprAttr expr = readSum();
    if (expr && !rest.ltrim().empty())
      return fail("an operator");
    return expr;
  }

private:
  ExprAttr fail(const Twine &expected) {
    if (error.empty())
      error = ("expected " + expected + " at '" + rest.ltrim() + "' in '" +
               text + "'")
                  .str();
    return {};
  }

  bool take(char wanted) {
    rest = rest.ltrim();
    return rest.consume_front(StringRef(&wanted, 1));
  }

  StringRef takeName() {
    rest = rest.ltrim();
    if (rest.empty() || !(llvm::isAlpha(rest.front()) || rest.front() == '_'))
      return {};
    StringRef name = rest.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    rest = rest.drop_front(name.size());
    return name;
  }

  ExprAttr readSum() {
    ExprAttr sum = take('-') ? negate(readProduct()) : readProduct();
    while (sum) {
      bool minus = take('-');
      if (!minus && !take('+'))
        break;
      ExprAttr term = readProduct();
      sum = !term ? term : minus ? sum - term : sum + term;
    }
    return sum;
  }

  static ExprAttr negate(ExprAttr expr) { return expr ? -1 * expr : expr; }

  ExprAttr readProduct() {
    ExprAttr product = readPart();
    while (product && take('*')) {
      ExprAttr factor = readPart();
      product = factor ? product * factor : factor;
    }
    return product;
  }

  ExprAttr readPart() {
    ExprAttr whole = readAtom();
    SmallVector<StringAttr> axes;
    while (whole && take('/')) {
      StringRef axis = takeName();
      if (axis.empty())
        return fail("a mesh axis");
      axes.push_back(StringAttr::get(context, axis));
    }
    return whole ? getPart(whole, axes) : whole;
  }

  ExprAttr readAtom() {
    if (take('(')) {
      ExprAttr inner = readSum();
      if (inner && !take(')'))
        return fail("')'");
      return inner;
    }
    uint64_t number = 0;
    if (StringRef digits = rest.ltrim().take_while(llvm::isDigit);
        !digits.empty()) {
      if (digits.getAsInteger(10, number) || number > uint64_t(INT64_MAX))
        return fail("a number of 63 bits");
      rest = rest.ltrim().drop_front(digits.size());
      return getConstant(context, int64_t(number));
    }
    StringRef name = takeName();
    if (name.empty())
      return fail("a number, a name or '('");
    return take('(') ? readCall(name) : getSymbol(context, name);
  }

  ExprAttr readCall(StringRef name) {
    SmallVector<ExprAttr> operands;
    do {
      operands.push_back(readSum());
      if (!operands.back())
        return {};
    } while (take(','));
    if (!take(')'))
      return fail("')'");
    std::optional<ExprKind> kind = symbolizeExprKind(name);
    if (!kind || *kind < ExprKind::Max || *kind == ExprKind::Part)
      return fail("max, ceildiv, common, view or seen, not '" + name + "'");
    if (!isExpr(*kind, 0, operands))
      return fail("other operands of " + name);
    switch (*kind) {
    case ExprKind::Max:
      return getMax(operands[0], operands[1]);
    case ExprKind::CeilDiv:
      return getCeilDiv(operands[0], operands[1]);
    case ExprKind::Common:
      return getCommon(operands[0], operands[1]);
    case ExprKind::View:
      return getView(operands[0], operands[1], operands[2]);
    default:
      return getSeen(operands[0], operands[1], operands[2]);
    }
  }

  MLIRContext *context;
  StringRef text, rest;
  std::string &error;
};

} // namespace

ExprAttr pmc::cost::parseExpr(MLIRContext *context, StringRef text,
                              std::string &error) {
  return Reader(context, text, error).read();
}
