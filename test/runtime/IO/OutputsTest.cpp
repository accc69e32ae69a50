//===- OutputsTest.cpp - What a program writes ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Files/OutputFile.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Formats/Hdf5/Hdf5.h"
#include "runtime/IO/Formats/Npy.h"
#include "runtime/IO/Formats/Source.h"
#include "test/runtime/Support.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

using namespace pmrt;
using namespace pmrt::test;

namespace {

struct OutputFixture {
  Folder folder;
  std::unique_ptr<pmrt_context> context;

  explicit OutputFixture(const std::string &format, Output output = {},
                         const std::string &out = "") {
    Descriptor d;
    d.name = "test";
    d.sourceHash = "abc";
    d.locations = {"l.pm:1:1"};
    d.dims = {{"x", 3, 1, DimKind::Space, {}},
              {"y", 4, 1, DimKind::Space, {}},
              {"z", 0, 1, DimKind::Space, {}}};
    output.name = "data";
    d.outputs = {output};
    Parameter box;
    box.name = "box";
    box.initial = ParamValue{100, 0};
    d.params = {box};
    Settings settings;
    settings.threads = 2;
    settings.quiet = true;
    settings.format = format;
    settings.out = out.empty() ? folder.path() : out;
    LaunchValue value;
    value.value.real = 100;
    context = std::make_unique<pmrt_context>(
        d, settings, std::vector<LaunchValue>{value},
        std::vector<std::string>{}, std::vector<Axis>{});
  }
};

template <typename T>
std::vector<T> readNpy(const std::string &path, std::vector<int64_t> *shape) {
  auto source = openSource(sourceName(path));
  *shape = source->shape();
  const std::string bytes = slurp(path);
  const NpyHeader header = parseNpyHeader(bytes);
  std::vector<T> values((bytes.size() - size_t(header.dataOffset)) / sizeof(T));
  std::memcpy(values.data(), bytes.data() + header.dataOffset,
              values.size() * sizeof(T));
  return values;
}

} // namespace

TEST(Outputs, FieldAsNpy) {
  OutputFixture f("npy");
  std::vector<float> data = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const pmrt_array a = array(data, PMRT_F32, 0, 2);
  const pmrt_array *one[] = {&a};
  pmrt_output_field(f.context.get(), 0, 0, 1, one);
  std::vector<int64_t> shape;
  EXPECT_EQ(readNpy<float>(f.folder / "data.npy", &shape), data);
  EXPECT_EQ(shape, (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(f.folder.list(), std::vector<std::string>{"data.npy"});
}

TEST(Outputs, EveryFormatReadsWhatItWrites) {
  std::set<std::string> names;
  for (const Format *format : allFormats()) {
    const std::string name(format->name());
    EXPECT_TRUE(names.insert(name).second) << "two formats are named " << name;
    EXPECT_FALSE(format->summary().empty()) << name;
    EXPECT_EQ(findFormat(name), format->isWritten() ? format : nullptr);
    Output output;
    output.dims = {0, 1};
    OutputFixture f(format->isWritten() ? name : "h5", output);
    const Descriptor &program = f.context->program;
    if (!format->isRead() || !format->isWritten() ||
        !format->problem(program, program.outputs[0]).empty())
      continue;
    try {
      format->require();
    } catch (const Error &) {
      continue; // without a library
    }
    std::vector<double> data = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const pmrt_array a = array(data, PMRT_F64, 0, 2);
    const pmrt_array *one[] = {&a};
    pmrt_output_field(f.context.get(), 0, 0, 1, one);
    const auto source =
        openSource(sourceName(f.folder / format->fileOf("data", false)));
    const std::vector<int64_t> shape = source->shape();
    std::vector<double> found(12);
    source->load(PMRT_F64, std::vector<int64_t>(shape.size()), shape,
                 found.data());
    std::sort(found.begin(), found.end()); // axes may have another order
    EXPECT_EQ(found, data) << name;
  }
}

TEST(Outputs, PartsInterleaveAndFlatten) {
  for (pmrt_element element : {PMRT_F32, PMRT_F64})
    for (bool flatten : {false, true}) {
      Output output;
      output.flatten = flatten;
      OutputFixture f("npy", output);
      std::vector<double> x(12), y(12), z(12), want;
      for (int i = 0; i < 12; ++i) {
        x[size_t(i)] = i;
        y[size_t(i)] = 100 + i;
        z[size_t(i)] = -i;
        want.insert(want.end(), {double(i), 100.0 + i, double(-i)});
      }
      std::vector<float> fx(x.begin(), x.end()), fy(y.begin(), y.end()),
          fz(z.begin(), z.end());
      const bool single = element == PMRT_F32;
      const pmrt_array a[] = {
          single ? array(fx, element, 0, 2) : array(x, element, 0, 2),
          single ? array(fy, element, 0, 2) : array(y, element, 0, 2),
          single ? array(fz, element, 0, 2) : array(z, element, 0, 2)};
      const pmrt_array *parts[] = {&a[0], &a[1], &a[2]};
      pmrt_output_field(f.context.get(), 0, 0, 3, parts);
      std::vector<int64_t> shape;
      if (single)
        EXPECT_EQ(readNpy<float>(f.folder / "data.npy", &shape),
                  std::vector<float>(want.begin(), want.end()));
      else
        EXPECT_EQ(readNpy<double>(f.folder / "data.npy", &shape), want);
      EXPECT_EQ(shape, flatten ? (std::vector<int64_t>{12, 3})
                               : (std::vector<int64_t>{3, 4, 3}));
    }
}

TEST(Outputs, Hdf5RoundTrip) {
  Output output;
  output.unit = "Mpc/h";
  OutputFixture f("h5", output);
  pmrt_set_length(f.context.get(), 0, 100);
  pmrt_set_length(f.context.get(), 1, 100);
  std::vector<double> data(12);
  for (size_t i = 0; i < 12; ++i)
    data[i] = std::sqrt(double(i));
  const pmrt_array a = array(data, PMRT_F64, 0, 2);
  const pmrt_array *one[] = {&a};
  pmrt_output_field(f.context.get(), 0, 0, 1, one);
  Hdf5Reader reader(f.folder / "data.h5", "");
  EXPECT_EQ(reader.dataset(), "/data");
  EXPECT_EQ(reader.shape(), (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(reader.type(), "float64");
  std::vector<double> back(12);
  reader.read(PMRT_F64, {0, 0}, {3, 4}, back.data());
  EXPECT_EQ(back, data);
  EXPECT_EQ(f.folder.list(), std::vector<std::string>{"data.h5"});
}

TEST(Outputs, Hdf5ComplexBooleansAndEmpty) {
  for (auto [element, type] :
       {std::pair{PMRT_C64, "complex64"}, std::pair{PMRT_C128, "complex128"},
        std::pair{PMRT_I8, "bool"}, std::pair{PMRT_I64, "int64"}}) {
    OutputFixture f("h5");
    std::vector<char> bytes(size_t(12 * elementSize(element)), 0);
    bytes[0] = element == PMRT_I8 || element == PMRT_I64;
    const pmrt_array a = array(bytes, element, 0, 2);
    const pmrt_array *one[] = {&a};
    pmrt_output_field(f.context.get(), 0, 0, 1, one);
    Hdf5Reader reader(f.folder / "data.h5", "/data");
    EXPECT_EQ(reader.type(), type);
    std::vector<char> back(bytes.size(), 7);
    reader.read(element, {0, 0}, {3, 4}, back.data());
    EXPECT_EQ(back, bytes);
  }
  OutputFixture f("h5");
  std::vector<float> nothing(1);
  pmrt_array a = array(nothing, PMRT_F32, 2, 1);
  const pmrt_array *one[] = {&a};
  pmrt_output_field(f.context.get(), 0, 0, 1, one);
  EXPECT_EQ(Hdf5Reader(f.folder / "data.h5", "").shape(),
            std::vector<int64_t>{0});
}

TEST(Outputs, Scalars) {
  Output output;
  output.columns = {"a", "b"};
  const double values[] = {1, 2, 3, 4};
  for (const auto &[count, want] : {std::pair{1, std::vector<int64_t>{}},
                                    std::pair{2, std::vector<int64_t>{2}},
                                    std::pair{4, std::vector<int64_t>{2, 2}}}) {
    OutputFixture f("npy", output);
    pmrt_output_scalars(f.context.get(), 0, 0, count, values);
    std::vector<int64_t> shape;
    const auto back = readNpy<double>(f.folder / "data.npy", &shape);
    EXPECT_EQ(shape, want);
    EXPECT_EQ(back, std::vector<double>(values, values + count));
  }
}

TEST(Outputs, ValuesThatAreNotFiniteAreRefused) {
  Output output;
  output.columns = {"k", "P"};
  OutputFixture f("h5", output);
  std::vector<float> good(12, 1.0f), bad = good;
  bad[7] = NAN;
  const pmrt_array a = array(good, PMRT_F32, 0, 2),
                   b = array(bad, PMRT_F32, 0, 2);
  const pmrt_array *parts[] = {&a, &b}, *one[] = {&b};
  EXPECT_EQ(
      messageOf([&] { pmrt_output_field(f.context.get(), 0, 0, 2, parts); }),
      "'P' of output 'data' is not finite: element [1, 3] is nan; compile "
      "with --check-finite to find the expression [PM9103]");
  EXPECT_CONTAINS(
      messageOf([&] { pmrt_output_field(f.context.get(), 0, 0, 1, one); }),
      "output 'data' is not finite");
  const double scalars[] = {1, INFINITY};
  EXPECT_EQ(messageOf([&] {
              pmrt_output_scalars(f.context.get(), 0, 0, 2, scalars);
            }),
            "'P' of output 'data' is inf [PM9103]");
  OutputFixture unnamed("h5", {});
  const auto say = [&](std::vector<double> values) {
    return messageOf([&] {
      pmrt_output_scalars(unnamed.context.get(), 0, 0, int32_t(values.size()),
                          values.data());
    });
  };
  EXPECT_EQ(say({NAN}), "output 'data' is nan [PM9103]");
  EXPECT_EQ(say({NAN, 1, 1}), "value 0 of output 'data' is nan [PM9103]");
  EXPECT_EQ(say({0, 1, -INFINITY}),
            "value 2 of output 'data' is -inf [PM9103]");
  EXPECT_TRUE(f.folder.list().empty());
}

TEST(Outputs, FailuresNameThePathAndLeaveNothing) {
  Folder other;
  std::filesystem::create_directory(other / "data.h5"); // in the way
  OutputFixture f("h5", {}, other.path());
  std::vector<float> data(12);
  const pmrt_array a = array(data, PMRT_F32, 0, 2);
  const pmrt_array *one[] = {&a};
  const std::string text =
      messageOf([&] { pmrt_output_field(f.context.get(), 0, 0, 1, one); });
  EXPECT_CONTAINS(text, "data.h5: it is a folder, expected a file or nothing");
  EXPECT_EQ(other.list(), std::vector<std::string>{"data.h5"});
  OutputFixture g("npy", {}, "/proc/none");
  EXPECT_CONTAINS(
      messageOf([&] { pmrt_output_field(g.context.get(), 0, 0, 1, one); }),
      "cannot write /proc/none/data.npy");
}

TEST(Outputs, UncommittedFilesDisappear) {
  Folder folder;
  {
    OutputFile file(folder / "a");
    file.write("abc", 3, 0);
    EXPECT_EQ(folder.list().size(), 1u);
  }
  EXPECT_TRUE(folder.list().empty());
  writeWholeFile(folder / "b", "text");
  EXPECT_EQ(slurp(folder / "b"), "text");
  writeWholeFile(folder / "b", "other");
  EXPECT_EQ(slurp(folder / "b"), "other");
  EXPECT_EQ(folder.list(), std::vector<std::string>{"b"});
}

TEST(Outputs, FoldersAreMadeOrRefused) {
  Folder folder;
  prepareFolder(folder / "a/b/c", true);
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b/c"));
  prepareFolder(folder / "later", false);
  EXPECT_FALSE(std::filesystem::exists(folder / "later"));
  spill(folder / "file", "");
  EXPECT_THROW(prepareFolder(folder / "file", true), Error);
  EXPECT_THROW(prepareFolder(folder / "file/below", false), Error);
}
