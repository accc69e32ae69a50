//===- LexerTest.cpp - Units, suggestions, diagnostics --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What no spec reaches: the interfaces that other parts of the compiler use.
//
//===----------------------------------------------------------------------===//

#include "frontend/Lexer/Lexer.h"
#include "frontend/Basic/Diagnostics.h"
#include "frontend/Basic/Unit.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <climits>

using namespace pmc;
using llvm::SMLoc;
using llvm::StringRef;

static unsigned passed = 0, failed = 0;

static void check(bool condition, const char *text, int line) {
  ++(condition ? passed : failed);
  if (!condition)
    llvm::errs() << "LexerTest.cpp:" << line << ": failed: " << text << '\n';
}
static void checkText(StringRef found, StringRef expected, int line) {
  check(found == expected, expected.str().c_str(), line);
  if (found != expected)
    llvm::errs() << "found: " << found << '\n';
}
#define CHECK(condition) check(condition, #condition, __LINE__)
#define CHECK_TEXT(found, expected) checkText(found, expected, __LINE__)

static void testUnits() {
  Unit length = Unit::length();
  Unit km = *Unit::atom("km"), s = *Unit::atom("s");
  CHECK(!Unit::atom("h") && !Unit::atom("metre") && !Unit::atom(""));
  CHECK(Unit().isNumber() && !length.isNumber());
  CHECK_TEXT(Unit().str(), "1");
  CHECK_TEXT((km / s).str(), "km/s");
  CHECK_TEXT((km / s / length).str(), "km/s/(Mpc/h)");
  CHECK_TEXT((Unit() / length).str(), "h/Mpc");
  CHECK_TEXT((Unit() / s).str(), "s^-1");
  CHECK_TEXT(length.power(3)->str(), "(Mpc/h)^3");
  CHECK_TEXT(length.power(-3)->str(), "(h/Mpc)^3");
  CHECK_TEXT(length.power(1, 2)->str(), "(Mpc/h)^(1/2)");
  CHECK_TEXT(length.power(-2, 3)->str(), "(h/Mpc)^(2/3)");
  CHECK_TEXT((*length.power(3, 2) / s).str(), "(Mpc/h)^(3/2)/s");
  CHECK(!length.power(1, 5) && !length.power(1, 0));
  CHECK(length.power(1, 2)->power(2)->agrees(length));
  CHECK(!length.power(INT_MAX) && !length.power(INT_MIN, -1));
  Unit large = *length.power(1000);
  for (int i = 0; i < 10; ++i)
    large = large * large;
  CHECK(!large.isNumber());
  CHECK(!length.agrees(*Unit::atom("Mpc")));
  CHECK((km / km).isNumber());

  Unit kpc = *Unit::atom("kpc/h");
  CHECK(kpc.agrees(length) && kpc.factor == 1e-3);
  CHECK((kpc / length).isNumber() && (kpc / length).factor == 1e-3);
  CHECK(!kpc.power(1000));

  for (StringRef name : Unit::atomNames())
    CHECK(Unit::parse(name, {}) &&
          Unit::parse(name, {})->agrees(*Unit::atom(name)));
  for (StringRef text :
       {"1", "km/s", "km/s/(Mpc/h)", "h/Mpc", "(h/Mpc)^3", "Msun/Mpc^3", "s^-1",
        "km*s", "Msun*Mpc/h", "s^-1*h/Mpc", "K/s^2"}) {
    auto unit = Unit::parse(text, {});
    CHECK(unit.has_value());
    if (unit)
      CHECK(Unit::parse(unit->str(), {}) &&
            Unit::parse(unit->str(), {})->agrees(*unit));
  }
  for (StringRef text : {"", "h", "km/", "km/h", "km /s", "(km", "(km)", "2",
                         "Mpc/h^3", "K^x", "K^1.5", "km//s"})
    CHECK(!Unit::parse(text, {}));
  CHECK(readUnit("km/s*x").length == 4 && readUnit("km/s2").length == 2);
  CHECK(readUnit("(s)").length == 0 && readUnit("(km/s)").length == 6);
  CHECK(readUnit("K ^ 2").length == 5);
  CHECK(readUnit(std::string(100000, '(')).length == 0);
  CHECK(readUnit("K^n").problem == UnitPrefix::BadExponent);
  CHECK(readUnit("K^2^2").problem == UnitPrefix::BadExponent);
  CHECK(readUnit("Mpc/h^3").problem == UnitPrefix::UnclearExponent);
  CHECK(readUnit("(Mpc/h)^3").problem == UnitPrefix::None);
}

/// Of `units um, ms`.
static void testWorkingUnits() {
  WorkingUnits working;
  CHECK(working.use("um") == Unit::Kilometer);
  CHECK(working.use("ms") == Unit::Second);
  CHECK(!working.use("T") && !working.use("Hz") && !working.use("inch"));
  UnitNames names;
  names.working = working;
  auto read = [&](StringRef text) { return readUnit(text, names).unit; };
  CHECK(read("um^-4").factor == 1 && read("mm").factor == 1000);
  CHECK(read("mm^2/min").factor == 1e6 / 60000);
  CHECK(read("km/s").factor == 1e6 && read("Mpc/h").factor == 1);
  CHECK_TEXT(read("mm^2/s").str(), "um^2/ms");
  CHECK_TEXT(read("T").str(), "kg/ms^2/A");
  CHECK_TEXT((read("mm") / read("Hz")).str(), "um*ms");
  CHECK(Unit::parse("cm", read("m")) &&
        Unit::parse("cm", read("m"))->factor == 1e4);
  working = {};
  working.useLength(2.54e-5);
  CHECK(working.apply(*Unit::atom("m")).str() == "cm");
  working = {};
  CHECK(working.use("kpc/h") == Unit::MpcPerH);
  CHECK_TEXT(working.apply(*Unit::atom("h/Mpc")).str(), "h/kpc");
  CHECK_TEXT(working.apply(*Unit::length().power(-2)).str(), "(h/kpc)^2");
  CHECK_TEXT((*Unit::atom("km") / working.apply(Unit::length())).str(),
             "km/(kpc/h)");

  // Derived units, of products of meters, kg, s and A.
  UnitNames si;
  CHECK(si.working.use("m") == Unit::Kilometer);
  for (auto [text, expected] : {std::pair("kg*m/s^2", "N"),
                                {"V", "V"},
                                {"V/m", "V/m"},
                                {"J/K", "J/K"},
                                {"m^3/kg/s^2", "m^3/s^2/kg"},
                                {"eV", "J"},
                                {"Hz/T", "s^-1*T^-1"},
                                {"C/m^3", "C/m^3"},
                                {"kg/m^3", "kg/m^3"},
                                {"kg*m/s", "m*kg/s"}})
    CHECK_TEXT(readUnit(text, si).unit.str(), expected);
  CHECK(Unit::atom("N")->str() == "km*kg/s^2");
  auto isVariable = [](StringRef name) { return name == "g" || name == "h"; };
  names.isVariable = isVariable;
  CHECK(readUnit("g", names).length == 0 && readUnit("kg", names).length == 2);
  CHECK(readUnit("Msun/h", names).length == 4);
  CHECK(readUnit("min(a, b)").length == 0 && readUnit("min").length == 3);
}

static void testSuggestions() {
  auto closest = [](StringRef name) {
    static constexpr StringRef names[] = {"omega_m", "omega_b", "density", "x",
                                          "fft"};
    return closestName(name, names).value_or("");
  };
  CHECK_TEXT(closest("omega_n"), "omega_m"); // a tie: the first
  CHECK_TEXT(closest("Omega_B"), "omega_b");
  CHECK_TEXT(closest("desnity"), "density");
  CHECK_TEXT(closest("ft"), "fft");
  CHECK_TEXT(closest("y"), "");
  CHECK_TEXT(closest("X"), "x");
  CHECK_TEXT(closest("velocity"), "");
  CHECK_TEXT(closest(""), "");
  CHECK_TEXT(closest(std::string(100000, 'x')), "");
  CHECK(!closestName("x", {}));
}

static void testDiagnostics() {
  llvm::SourceMgr sources;
  StringRef text = "let a = 1\n\tlet bcd = 2\n";
  unsigned id = sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, "a.pm"), {});
  const char *base = sources.getMemoryBuffer(id)->getBufferStart();
  auto at = [&](size_t offset) { return SMLoc::getFromPointer(base + offset); };
  std::string printed;
  llvm::raw_string_ostream os(printed);
  DiagnosticEngine diags(sources, os);

  SourcePosition position = diags.getLineAndColumn(at(15));
  CHECK(position.file == "a.pm" && position.line == 2 && position.column == 6);
  CHECK(diags.getLineAndColumn(SMLoc()).line == 0);
  CHECK(diags.getLocation("a.pm", 2, 6) == at(15));
  CHECK(diags.getLocation("a.pm", 1, 999) == at(9));
  CHECK(!diags.getLocation("a.pm", 99, 1).isValid());
  CHECK(!diags.getLocation("b.pm", 1, 1).isValid());
  CHECK(!diags.getLocation("a.pm", 0, 0).isValid());

  auto take = [&] { return std::exchange(printed, ""); };
  diags.warning(at(4), "careful");
  CHECK(!diags.hasErrors() && diags.warningCount() == 1);
  CHECK_TEXT(take(), "a.pm:1:5: warning: careful\nlet a = 1\n    ^\n");
  diags.note(at(0), "by the way");
  CHECK_TEXT(take(), "a.pm:1:1: note: by the way\nlet a = 1\n^\n");
  diags.error(at(15), "wrong")
      .range({at(15), at(18)})
      .note(at(4), "here")
      .range({at(0), at(5)})
      .note("and nowhere")
      .noteAt("a.pm", 1, 9, "there")
      .noteAt("b.pm", 7, 8, "elsewhere");
  CHECK_TEXT(take(), "a.pm:2:6: error: wrong\n"
                     "    let bcd = 2\n"
                     "        ^~~\n"
                     "a.pm:1:5: note: here\n"
                     "let a = 1\n"
                     "~~~~^\n"
                     "note: and nowhere\n"
                     "a.pm:1:9: note: there\n"
                     "let a = 1\n"
                     "        ^\n"
                     "b.pm:7:8: note: elsewhere\n");
  diags.error(at(15), "wrong").note(at(4), "said before");
  CHECK_TEXT(take(), "");
  CHECK(diags.errorCount() == 1);

  // A range over several lines: its part on the caret's.
  diags.error(at(15), "range").range({at(0), at(18)});
  CHECK_TEXT(take(), "a.pm:2:6: error: range\n"
                     "    let bcd = 2\n"
                     "~~~~~~~~^~~\n");

  diags.report(Severity::Error, "a.pm", 1, 5, "from outside");
  CHECK_TEXT(take(), "a.pm:1:5: error: from outside\nlet a = 1\n    ^\n");
  diags.report(Severity::Warning, "b.pm", 3, 4, "no source");
  CHECK_TEXT(take(), "b.pm:3:4: warning: no source\n");
  diags.report(Severity::Error, "", 0, 0, "no place");
  CHECK_TEXT(take(), "pmc: error: no place\n");
  diags.error(SMLoc(), "no place either");
  CHECK_TEXT(take(), "pmc: error: no place either\n");

  diags.setErrorLimit(6);
  diags.error(at(0), "sixth");
  CHECK(!diags.limitReached());
  take();
  diags.error(at(0), "seventh").note("unseen");
  CHECK_TEXT(take(), "pmc: error: too many errors; stopped after 6\n");
  CHECK(diags.limitReached() && diags.errorCount() == 6);
  diags.error(at(0), "eighth");
  CHECK_TEXT(take(), "");

  InFlight::silent().note("nothing").range({at(0), at(1)});
  CHECK_TEXT(take(), "");

  DiagnosticEngine coloured(sources, os);
  coloured.setColour(true);
  coloured.error(at(4), "plain to a string stream");
  CHECK(StringRef(take()).contains("error: plain"));
}

int main() {
  testUnits();
  testWorkingUnits();
  testSuggestions();
  testDiagnostics();
  llvm::outs() << passed << " checks passed, " << failed << " failed\n";
  return failed != 0;
}
