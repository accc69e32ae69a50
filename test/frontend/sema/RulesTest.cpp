//===- RulesTest.cpp - Rules that report mistakes -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of `frontend/Sema/Rules`, on values without SSA values.
//
//===----------------------------------------------------------------------===//

#include "test/frontend/sema/Checks.h"

#include "frontend/Basic/Diagnostics.h"
#include "frontend/Sema/Names/Modules.h"
#include "frontend/Sema/Rules/Builtins.h"
#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Rules/Fields/Neighbors.h"
#include "frontend/Sema/Rules/Fields/Particles.h"

#include "llvm/Support/SourceMgr.h"

using namespace pmc;
using Kind = Type::Kind;

/// What a rule reports: the first message, or an empty text.
static std::string told(llvm::function_ref<void(const RuleContext &)> rule) {
  llvm::SourceMgr sources;
  DiagnosticEngine diags(sources);
  std::string text;
  diags.setConsumer([&](const Diagnostic &message) {
    if (text.empty())
      text = message.message;
  });
  const Program program;
  Messages messages(program, diags);
  RuleContext context;
  context.messages = &messages;
  rule(context);
  return text;
}

static Argument argument(Value value) {
  return {"", {}, std::move(value), {}, {}};
}

//===----------------------------------------------------------------------===//
// Calls of builtins
//===----------------------------------------------------------------------===//

/// "0: …" of a mistake in the first argument, "…" of one in the call.
static std::string mistake(BuiltinId id, std::vector<Value> values,
                           bool isElement = false) {
  std::vector<const Value *> args;
  for (const Value &value : values)
    args.push_back(value.is(Value::Kind::Nothing) ? nullptr : &value);
  args.resize(getBuiltinInfo(id).params.size());
  const auto found = findMistake(id, args, isElement);
  if (!found)
    return "";
  return (found->argument ? std::to_string(*found->argument) + ": " : "") +
         withoutCode(found->text).str();
}

static void testCalls() {
  const Value number = Value::real(1), text = Value::string("a"),
              field = fieldOver({"x", "y"}, Storage::F32),
              truths = fieldOver({"x"}, Storage::I1),
              complex = fieldOver({"x"}, Storage::ComplexF32),
              none = Value::nothing();
  const Value freeText = Value::free(Kind::Text),
              freeNumber = Value::free(Kind::Number), free = Value::free({});
  CHECK_TEXT(mistake(BuiltinId::Sum, {field}), "");
  CHECK_TEXT(mistake(BuiltinId::Sum, {number}),
             "0: 'sum' requires a field, not f64");
  CHECK_TEXT(mistake(BuiltinId::Sum, {Value::tuple({field, number})}), "");
  CHECK_TEXT(mistake(BuiltinId::Sum, {Value::tuple({field, text})}),
             "0: 'sum' requires a field, not string");
  CHECK_TEXT(mistake(BuiltinId::Max, {complex}),
             "0: 'max' of complex field[x] does not exist");
  CHECK_TEXT(mistake(BuiltinId::Max, {number}),
             "0: 'max' requires a second number, or a field");
  CHECK_TEXT(mistake(BuiltinId::Min, {number, number, field}),
             "2: 'min' of two numbers has no 'over'");
  CHECK_TEXT(
      mistake(BuiltinId::Inner, {field, complex}),
      "'inner' requires two numbers, fields of the same dims, tables, or "
      "tuples or records of them, not field[x, y] and complex field[x]");
  CHECK_TEXT(mistake(BuiltinId::FFT, {truths}),
             "0: 'fft' requires numbers, not bool field[x]");
  CHECK_TEXT(
      mistake(BuiltinId::Stored, {complex, text}),
      "0: 'stored' requires a field of real numbers, not complex field[x]");
  CHECK_TEXT(mistake(BuiltinId::Interpolate, {field, number}),
             "0: 'interpolate' requires a table, not field[x, y]");
  CHECK_TEXT(mistake(BuiltinId::Tabulate, {number, number, number, number}),
             "0: 'tabulate' requires a function, not f64");
  // Of free values, what no call can have.
  CHECK_TEXT(mistake(BuiltinId::Sum, {free}), "");
  CHECK_TEXT(mistake(BuiltinId::Sum, {freeText}),
             "0: 'sum' requires a field, not string");
  CHECK_TEXT(mistake(BuiltinId::FFT, {freeNumber}),
             "0: 'fft' requires a field, not a number");
  CHECK_TEXT(mistake(BuiltinId::FFT, {freeNumber}, /*isElement=*/true), "");
  CHECK_TEXT(mistake(BuiltinId::Total, {freeNumber}),
             "0: 'total' adds the components of a vector, not of a number");
  CHECK_TEXT(mistake(BuiltinId::Interpolate, {freeText, number}),
             "0: 'interpolate' requires a table, not string");
}

static void testViews() {
  const Dim x{"x", 8}, y{"y", 8}, fine{"x", 16, 2}, coarse{"x", 4, -2};
  const RuleContext silent;
  auto view = [&](const Dim &dim, bool isFiner, int64_t factor) {
    return viewOf(silent, dim, isFiner, factor, {});
  };
  auto why = [](const Dim &dim, bool isFiner, int64_t factor) {
    return told([&](const RuleContext &context) {
      CHECK(!viewOf(context, dim, isFiner, factor, {}));
    });
  };
  CHECK(view(x, /*isFiner=*/true, 2) == fine);
  CHECK(view(x, /*isFiner=*/false, 2) == coarse);
  CHECK(view(fine, /*isFiner=*/false, 2) == x);
  CHECK(view(coarse, /*isFiner=*/true, 2) == x);
  CHECK(view(fine, /*isFiner=*/false, 4) == coarse);
  CHECK_TEXT(why(x, /*isFiner=*/false, 3),
             "the 8 cells of 'x' are not a multiple of 3");
  CHECK_TEXT(why(coarse, /*isFiner=*/true, 3),
             "'x/2' refined by 3 is neither a refinement nor a coarsening "
             "of 'x'");
  CHECK_TEXT(why(x, /*isFiner=*/true, 1 << 28),
             "refine('x', 268435456) has more than 2^30 cells");
  const Argument both = argument(Value::tuple({Value::dim(y), Value::dim(x)}));
  CHECK(placeOver(silent, {x, y}, both) == llvm::SmallVector<unsigned>({0, 1}));
  CHECK_TEXT(told([&](const RuleContext &context) {
               CHECK(!placeOver(context, {x}, argument(Value::dim(y))));
             }),
             "the field has no dim 'y'; its dims are [x]");
}

static void testParticles() {
  const Unit length = *Unit::parse("km", {});
  const Dim x{"x", 8}, y{"y", 8}, fine{"x", 16, 2};
  const Value along = fieldOver({"x", "y"}, Storage::F32, length);
  const Argument positions = argument(Value::tuple({along, along}));
  CHECK(checkPositions({}, false, positions));
  CHECK_TEXT(told([&](const RuleContext &context) {
               checkPositions(context, false, argument(Value::real(1)));
             }),
             "displacements are a vector of real fields over the same dims, "
             "not f64");
  auto mesh = [&](bool areFree, std::vector<MeshDim> dims) {
    return told([&](const RuleContext &context) {
      checkMesh(context, areFree, positions, 2, along.getDims(), dims, {});
    });
  };
  CHECK_TEXT(mesh(false, {{x, length}, {y, length}}), "");
  CHECK_TEXT(mesh(false, {{fine, length}, {y, length}}), "");
  CHECK_TEXT(mesh(false, {{x, length}}),
             "the mesh has 1 dims, [x], but this has 2 components");
  CHECK_TEXT(mesh(false, {{y, length}, {x, length}}),
             "the mesh [y, x] is not a refinement of the particles' lattice "
             "[x, y]");
  CHECK_TEXT(mesh(false, {{x, length}, {y, Unit()}}),
             "the component along 'y' is in km, but the dim's length is a pure "
             "number");
  const MeshDim large{{"x", 1 << 22}, length};
  CHECK(mesh(true, {large, {y, length}}).find("cannot distinguish") !=
        std::string::npos);
  auto weight = [&](const Value &value) {
    return told([&](const RuleContext &context) {
      checkWeight(context, argument(value), {x});
    });
  };
  CHECK_TEXT(weight(Value::real(2)), "");
  CHECK_TEXT(
      weight(along),
      "the weight is a number or a field of the particles, field[x], not "
      "field[x, y]");
  CHECK(checkSelection({}, argument(fieldOver({"x"}, Storage::I1)), {x}));
  CHECK_TEXT(told([&](const RuleContext &context) {
               checkWindow(
                   context,
                   argument(Value::record({"support"}, {Value::integer(1)})),
                   14);
             }),
             "the support of a window is a whole number of cells from 2 to 14, "
             "known when the spec is compiled");
}

static void testNeighbors() {
  const Dim x{"x", 8}, y{"y", 8};
  auto offsets = [](std::vector<Dim> dims, std::vector<Offset> given) {
    return told([&](const RuleContext &context) {
      placeOffsets(context, dims, given);
    });
  };
  const Edge reflect = Edge::Reflect, periodic = Edge::Periodic;
  CHECK(
      placeOffsets({}, {x, y}, {{y, 3, reflect, {}}, {x, -9, periodic, {}}}) ==
      std::vector<unsigned>({1, 0}));
  CHECK_TEXT(offsets({x}, {{x, 1, periodic, {}}, {x, 2, periodic, {}}}),
             "'x' is given twice");
  CHECK_TEXT(offsets({x}, {{x, -8, reflect, {}}}),
             "\"reflect\" reaches less far than the 8 cells of 'x'");
  CHECK_TEXT(offsets({x}, {{y, 1, periodic, {}}}),
             "the field has no dim 'y'; its dims are [x]");
  CHECK(checkPlainIndex({}, {}, {1}));
  CHECK_TEXT(told([](const RuleContext &context) {
               checkPlainIndex(context, {}, {2});
             }),
             "name the dim that is read at this index: f[x = 2 * X]");
}

/// Strings out of a list, and ints within bounds.
static void testOptions() {
  auto edge = [](Value value) {
    std::optional<Edge> read;
    const std::string text = told([&](const RuleContext &context) {
      read = readChoice<Edge>(context, argument(value), edgeOption);
    });
    return read ? getName(*read).str() : text;
  };
  CHECK_TEXT(edge(Value::string("clamp")), "clamp");
  CHECK_TEXT(edge(Value::string("clam")),
             "there is no edge \"clam\"; did you mean 'clamp'?");
  CHECK_TEXT(told([](const RuleContext &context) {
               readChoice(context, argument(Value::real(1)), scheduleOption);
             }),
             "'schedule' is a string, not f64");
  auto number = [](Value value) {
    std::optional<int64_t> read;
    const std::string text = told([&](const RuleContext &context) {
      read = readInt(context, argument(value), "the factor", 1, 8);
    });
    return read ? std::to_string(*read) : text;
  };
  CHECK_TEXT(number(Value::real(4)), "4");
  CHECK_TEXT(number(Value::integer(9)),
             "the factor must be from 1 to 8, not 9");
  CHECK_TEXT(number(Value::real(1.5)), "the factor is an int, not f64");
  CHECK_TEXT(number(Value::scalar(Storage::I64)),
             "the factor must be known when the spec is compiled");
  CHECK_TEXT(number(Value::poison()), "");
}

void pmc::testRules() {
  testCalls();
  testViews();
  testParticles();
  testNeighbors();
  testOptions();
}
