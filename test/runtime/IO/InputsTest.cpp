//===- InputsTest.cpp - Fields and tables that the user gives -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Inputs/Inputs.h"
#include "runtime/IO/Formats/Hdf5/Hdf5.h"
#include "runtime/IO/Inputs/TableFile.h"
#include "test/runtime/Support.h"

#include <cmath>

using namespace pmrt;
using namespace pmrt::test;

namespace {

template <typename T>
void saveNpy(const std::string &path, const char *descr,
             const std::vector<int64_t> &shape, const std::vector<T> &values,
             bool fortran = false) {
  std::string dict =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}{}), }}\n",
                  descr, fortran ? "True" : "False", fmt::join(shape, ", "),
                  shape.size() == 1 ? "," : "");
  std::string bytes("\x93NUMPY\1\0", 8);
  bytes += char(dict.size() & 255);
  bytes += char(dict.size() >> 8);
  bytes += dict;
  bytes.append(reinterpret_cast<const char *>(values.data()),
               values.size() * sizeof(T));
  spill(path, bytes);
}

std::vector<double> ramp(size_t count) {
  std::vector<double> v(count);
  for (size_t i = 0; i < count; ++i)
    v[i] = 0.5 * double(i);
  return v;
}

struct InputFixture {
  Folder folder;
  std::unique_ptr<pmrt_context> context;

  /// One input `data` over dims of 3 x 4 from file `spec`.
  void open(const std::string &spec, pmrt_element element = PMRT_F32,
            InputKind kind = InputKind::Field) {
    Descriptor d;
    d.name = "test";
    d.locations = {"l.pm:1:1"};
    d.dims = {{"x", 3, 1, DimKind::Space, {}}, {"y", 4, 1, DimKind::Space, {}}};
    Input input;
    input.name = "data";
    input.kind = kind;
    input.dims = {0, 1};
    input.element = element;
    d.inputs = {input};
    Settings settings;
    settings.threads = 2;
    settings.quiet = true;
    context = std::make_unique<pmrt_context>(
        d, settings, std::vector<LaunchValue>{}, std::vector<std::string>{spec},
        std::vector<Axis>{});
  }

  /// What the check says before the program runs.
  std::string complaint(const std::string &spec,
                        pmrt_element element = PMRT_F32, bool values = false) {
    open(spec, element);
    return messageOf([&] { checkInputs(*context, values); });
  }

  template <typename T>
  std::vector<T> load(const std::string &spec, pmrt_element element) {
    open(spec, element);
    checkInputs(*context, true);
    std::vector<T> out(12);
    const pmrt_array a = array(out, element, 0, 2);
    pmrt_input_field(context.get(), 0, 0, &a);
    return out;
  }
};

} // namespace

TEST(Inputs, NpyInAnyFloatType) {
  InputFixture f;
  const std::vector<double> wide = ramp(12);
  const std::vector<float> narrow(wide.begin(), wide.end());
  std::vector<double> big = wide;
  for (double &x : big) {
    auto *b = reinterpret_cast<unsigned char *>(&x);
    std::reverse(b, b + 8);
  }
  saveNpy(f.folder / "a.npy", "<f8", {3, 4}, wide);
  saveNpy(f.folder / "b.npy", "<f4", {3, 4}, narrow);
  saveNpy(f.folder / "c.npy", ">f8", {3, 4}, big);
  for (const char *name : {"a.npy", "b.npy", "c.npy"}) {
    EXPECT_EQ(f.load<float>(f.folder / name, PMRT_F32), narrow);
    EXPECT_EQ(f.load<double>(f.folder / name, PMRT_F64), wide);
  }
}

TEST(Inputs, Hdf5ByDatasetOrAlone) {
  InputFixture f;
  const std::string path = f.folder / "a.h5";
  const std::vector<double> wide = ramp(12);
  const int64_t offset = makeHdf5(path, "delta", PMRT_F64, {3, 4}, {});
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(offset);
  file.write(reinterpret_cast<const char *>(wide.data()), 96);
  file.close();
  EXPECT_EQ(f.load<double>(path + ":/delta", PMRT_F64), wide);
  EXPECT_EQ(f.load<double>(path, PMRT_F64), wide);
  EXPECT_EQ(f.load<float>(path, PMRT_F32),
            std::vector<float>(wide.begin(), wide.end()));
  EXPECT_CONTAINS(f.complaint(path + ":/other"),
                  "has no dataset '/other'; it has '/delta'");
}

TEST(Inputs, ComplexAndMasks) {
  InputFixture f;
  const std::vector<double> wide = ramp(24);
  saveNpy(f.folder / "c.npy", "<c16", {3, 4}, wide);
  f.open(f.folder / "c.npy", PMRT_C64);
  std::vector<float> out(24);
  const pmrt_array a = array(out, PMRT_C64, 0, 2);
  pmrt_input_field(f.context.get(), 0, 0, &a);
  EXPECT_EQ(out, std::vector<float>(wide.begin(), wide.end()));

  std::vector<int8_t> mask = {0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 1, 1};
  saveNpy(f.folder / "m.npy", "|b1", {3, 4}, mask);
  EXPECT_EQ(f.load<int8_t>(f.folder / "m.npy", PMRT_I8), mask);
  mask[5] = 2;
  saveNpy(f.folder / "m.npy", "|u1", {3, 4}, mask);
  EXPECT_CONTAINS(f.complaint(f.folder / "m.npy", PMRT_I8, true),
                  "element [1, 1] is 2");
}

TEST(Inputs, IntegersThatAreExact) {
  InputFixture f;
  const std::string path = f.folder / "a.npy";
  const auto read = [&](const char *descr, auto value) {
    std::vector<decltype(value)> numbers(12, 0);
    numbers[7] = value;
    saveNpy(path, descr, {3, 4}, numbers);
    return f.load<double>(path, PMRT_F64)[7];
  };
  EXPECT_EQ(read("|i1", int8_t(-128)), -128);
  EXPECT_EQ(read("<i2", int16_t(-32768)), -32768);
  EXPECT_EQ(read("<u4", uint32_t(4294967295)), 4294967295);
  EXPECT_EQ(read("<i8", int64_t(1) << 62), 0x1p62);
  EXPECT_EQ(read("<u8", uint64_t(1) << 63), 0x1p63);
  EXPECT_CONTAINS(messageOf([&] { read("<i8", (int64_t(1) << 53) + 1); }),
                  "a.npy holds 9007199254740993, which f64 does not represent "
                  "exactly");
  EXPECT_CONTAINS(messageOf([&] { read("<u8", UINT64_MAX); }),
                  "holds 18446744073709551615, which f64 does not");

  std::vector<int32_t> numbers(12, 1 << 24);
  saveNpy(path, "<i4", {3, 4}, numbers);
  EXPECT_EQ(f.load<float>(path, PMRT_F32), std::vector<float>(12, 0x1p24F));
  ++numbers[3];
  saveNpy(path, "<i4", {3, 4}, numbers);
  EXPECT_CONTAINS(
      f.complaint(path, PMRT_F32, true),
      "holds 16777217, which f32 does not represent exactly; compile "
      "with --precision=f64");
  saveNpy(path, "<i8", {3, 4}, std::vector<int64_t>(12, 256));
  EXPECT_CONTAINS(f.complaint(path, PMRT_I8, true),
                  "is not a mask: it holds 256, expected 0 or 1");
}

TEST(Inputs, RealsAsComplexNumbers) {
  InputFixture f;
  const std::string path = f.folder / "a.npy";
  std::vector<double> expected;
  for (const double real : ramp(12)) {
    expected.push_back(real);
    expected.push_back(0);
  }
  const auto read = [&] {
    f.open(path, PMRT_C128);
    checkInputs(*f.context, true);
    std::vector<double> out(24, -1);
    const pmrt_array a = array(out, PMRT_C128, 0, 2);
    pmrt_input_field(f.context.get(), 0, 0, &a);
    return out;
  };
  saveNpy(path, "<f8", {3, 4}, ramp(12));
  EXPECT_EQ(read(), expected);
  saveNpy(path, "|u1", {3, 4}, std::vector<uint8_t>(12, 7));
  for (size_t i = 0; i < 24; ++i)
    expected[i] = i % 2 == 0 ? 7 : 0;
  EXPECT_EQ(read(), expected);
}

TEST(Inputs, FortranOrder) {
  InputFixture f;
  const std::string path = f.folder / "a.npy";
  std::vector<double> columns;
  for (size_t y = 0; y < 4; ++y)
    for (size_t x = 0; x < 3; ++x)
      columns.push_back(0.5 * double(4 * x + y));
  saveNpy(path, "<f8", {3, 4}, columns, true);
  EXPECT_EQ(f.load<double>(path, PMRT_F64), ramp(12));
  saveNpy(path, "<f8", {4, 3}, columns, true);
  EXPECT_CONTAINS(f.complaint(path),
                  "has shape 4x3, expected 3x4 (dims x, y); if its axes are in "
                  "another order, append their dims, for example " +
                      path + ":y,x");
  saveNpy(path, "<f8", {4, 4}, ramp(16));
  EXPECT_EQ(f.complaint(path).find("another order"), std::string::npos);
}

TEST(Inputs, ComplaintsGiveActualAndExpected) {
  InputFixture f;
  const std::string path = f.folder / "a.npy";
  EXPECT_CONTAINS(f.complaint(path), "No such file or directory");
  EXPECT_CONTAINS(f.complaint(f.folder.path()), "folder");
  spill(path, "some text\n");
  EXPECT_CONTAINS(f.complaint(path),
                  "a.npy has an unknown format, expected FITS image, ");
  saveNpy(path, "<f8", {4, 3}, ramp(12));
  EXPECT_CONTAINS(f.complaint(path), "has shape 4x3, expected 3x4 (dims x, y)");
  saveNpy(path, "<c16", {3, 4}, ramp(24));
  EXPECT_CONTAINS(f.complaint(path), "holds complex128, expected real numbers");
  saveNpy(path, "<f16", {3, 4}, ramp(12));
  EXPECT_CONTAINS(f.complaint(path), "holds '<f16'");
  saveNpy(path, "<f8", {3, 4}, ramp(11));
  EXPECT_CONTAINS(f.complaint(path), "truncated");
  std::vector<double> bad = ramp(12);
  bad[6] = NAN;
  saveNpy(path, "<f8", {3, 4}, bad);
  EXPECT_CONTAINS(f.complaint(path, PMRT_F32, true), "element [1, 2] is nan");
  spill(path, std::string("\x89HDF\r\n\x1a\n", 8) + std::string(100, 'x'));
  EXPECT_CONTAINS(f.complaint(path), "is not an HDF5 file");
}

TEST(Inputs, ValuesThatTheElementCannotHold) {
  InputFixture f;
  std::vector<double> bad = ramp(12);
  bad[11] = 1e300;
  saveNpy(f.folder / "a.npy", "<f8", {3, 4}, bad);
  EXPECT_CONTAINS(f.complaint(f.folder / "a.npy", PMRT_F32, true),
                  "element [2, 3] is inf");
}

TEST(Inputs, ErrorsWhileRunningHaveALocationAndExitOne) {
  InputFixture f;
  std::vector<double> bad = ramp(12);
  bad[0] = INFINITY;
  saveNpy(f.folder / "a.npy", "<f8", {3, 4}, bad);
  f.open(f.folder / "a.npy");
  std::vector<float> out(12);
  const pmrt_array a = array(out, PMRT_F32, 0, 2);
  try {
    pmrt_input_field(f.context.get(), 0, 0, &a);
    FAIL();
  } catch (const Error &e) {
    EXPECT_EQ(e.location(), "l.pm:1:1");
    EXPECT_EQ(e.exit(), Exit::Usage);
    EXPECT_CONTAINS(e.what(), "--data: ");
  }
}

static std::unique_ptr<Table> readTable(const std::string &spec, Input input,
                                        std::string *note = nullptr) {
  Descriptor program;
  input.name = "t";
  input.kind = InputKind::Table;
  program.inputs = {input};
  const TableFile file(program, 0, spec);
  if (note)
    (void)file.describe(note);
  return file.read();
}

TEST(Inputs, Tables) {
  Folder folder;
  spill(folder / "t.txt",
        "# k  P(k)\n\n 0.1\t+2e0  # first\r\n0.2, 3\n  0.4 5.5\n");
  auto table = readTable(folder / "t.txt", Input());
  ASSERT_EQ(table->size, 3);
  EXPECT_EQ(table->x[1], 0.2);
  EXPECT_EQ(table->y[2], 5.5);
  saveNpy(folder / "t.npy", "<f8", {2, 2}, std::vector<double>{1, 2, 3, 4});
  table = readTable(folder / "t.npy", Input());
  EXPECT_EQ(table->x[1], 3);
  EXPECT_EQ(table->y[0], 2);

  auto complaint = [&](const std::string &text) {
    spill(folder / "bad.txt", text);
    return messageOf([&] { readTable(folder / "bad.txt", Input()); });
  };
  EXPECT_CONTAINS(complaint("1 2\n3\n"), "bad.txt:2: 1 column, expected 2");
  EXPECT_CONTAINS(complaint("1 2\n3 4 5\n"), "bad.txt:2: 3 columns");
  EXPECT_CONTAINS(complaint("1 two\n"), "bad.txt:1: 'two' is not a number");
  EXPECT_CONTAINS(complaint("1 2x\n"), "'2x' is not a number");
  EXPECT_CONTAINS(complaint("1 2\n"), "has 1 row");
  EXPECT_CONTAINS(complaint(""), "has 0 rows");
  EXPECT_CONTAINS(complaint("2 1\n1 1\n"), "does not increase");
  EXPECT_CONTAINS(complaint("1 nan\n2 1\n"), "not finite");
  saveNpy(folder / "t.npy", "<f8", {4}, std::vector<double>{1, 2, 3, 4});
  EXPECT_CONTAINS(messageOf([&] { readTable(folder / "t.npy", Input()); }),
                  "has shape 4, expected two columns");
  EXPECT_CONTAINS(messageOf([&] { readTable(folder / "none.txt", Input()); }),
                  "No such file");
}

TEST(Inputs, ColumnsInOtherUnits) {
  Folder folder;
  Input input;
  input.columns = {"k", "P"};
  input.unit = "1/km, km^3";
  const auto read = [&](const std::string &heading, std::string &note) {
    spill(folder / "t.txt", heading + "1 2\n3 4\n");
    return readTable(folder / "t.txt", input, &note);
  };
  std::string note;
  for (const char *heading : {"# k[1/m] P[m^3]\n", "#  k [1/m]  P [m^3]\n",
                              "# a title\n# k[1/m], P[m^3]\n"}) {
    auto table = read(heading, note);
    EXPECT_EQ(table->x[1], 3000);
    EXPECT_EQ(table->y[0], 2e-9);
    EXPECT_EQ(note, "k from 1/m to 1/km, P from m^3 to km^3");
  }
  for (const char *heading :
       {"", "# k P\n", "# k[1/km] P[km^3]\n", "# k [h Mpc^-1] P\n",
        "# k[1/m] P[m^3] modes\n"}) {
    EXPECT_EQ(read(heading, note)->x[1], 3) << heading;
    EXPECT_EQ(note, "");
  }
  EXPECT_CONTAINS(messageOf([&] { read("# k[1/m] P[m^2]\n", note); }),
                  "t.txt: column 'P' is in m^2, expected in km^3");
  EXPECT_CONTAINS(messageOf([&] { read("# P[m^3] k[1/m]\n", note); }),
                  "has the columns P and k, expected k and P");
}

TEST(Inputs, ThatWereNotGivenAreAnErrorOnUse) {
  InputFixture f;
  f.open("", PMRT_F32, InputKind::Table);
  EXPECT_EQ(pmrt_input_given(f.context.get(), 0), 0);
  EXPECT_CONTAINS(messageOf([&] { pmrt_input_table(f.context.get(), 0, 0); }),
                  "--data was not given");
}

TEST(Inputs, ChecksOfNumbersNameTheFile) {
  InputFixture f;
  f.open("here.txt", PMRT_F32, InputKind::Table);
  const double value = 2;
  const auto check = [&](int condition) {
    pmrt_assert_input(f.context.get(), 0, 0, condition, "column 2: {}", 1,
                      &value);
  };
  check(1);
  EXPECT_EQ(messageOf([&] { check(0); }),
            "--data: here.txt: column 2: 2 [PM9101]");
}
