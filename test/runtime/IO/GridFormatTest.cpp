//===- GridFormatTest.cpp - The format of the worked example --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// frontend/doc/internals/add-a-format.md explains this class. NAME.grid begins
// with a line of 64 bytes, such as "GRID 3 32 32 32", which has the number of
// dims and their extents. The numbers follow in f32, and the last dim varies
// fastest.
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Files/OutputFile.h"
#include "runtime/IO/Files/RawArray.h"
#include "runtime/IO/Formats/Format.h"
#include "test/runtime/Support.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>
#include <stdexcept>

using namespace pmrt;
using namespace pmrt::test;

static constexpr size_t headBytes = 64;

namespace {

class GridSource : public Source {
public:
  GridSource(const std::string &path, const std::vector<int64_t> &shape)
      : path(path),
        numbers(std::make_unique<InputFile>(path), headBytes, {'f', 4}, shape) {
  }

  std::string name() const override { return path; }
  std::vector<int64_t> shape() const override { return numbers.shape(); }
  Kind kind() const override { return Kind::Real; }
  std::string type() const override { return "float32"; }
  void read(pmrt_element element, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out) override {
    numbers.read(element, start, count, out);
  }

private:
  std::string path;
  RawArray numbers;
};

class GridFormat : public Format {
public:
  std::string_view name() const override { return "grid"; }
  std::string_view summary() const override { return "a line and numbers"; }

  bool isRead() const override { return true; }
  bool probe(const FileStart &file) const override {
    return file.bytes.starts_with("GRID ");
  }
  std::unique_ptr<Source> open(const std::string &path,
                               const std::string &) const override {
    std::istringstream head(InputFile(path).start(headBytes));
    std::string word;
    size_t rank = 0;
    head >> word >> rank;
    std::vector<int64_t> shape(std::min<size_t>(rank, 8));
    for (int64_t &extent : shape)
      head >> extent;
    if (!head || rank < 1 || rank > 8)
      throw std::runtime_error(
          fmt::format("{} is damaged: its first line is not 'GRID DIMS "
                      "EXTENT...'",
                      path));
    return std::make_unique<GridSource>(path, shape);
  }

  std::string problem(const Descriptor &, const Output &output) const override {
    if (output.parts.size() == 1 && output.parts[0].element == PMRT_F32)
      return "";
    return "it holds one real field in f32";
  }
  std::vector<int64_t>
  make(Context &, OutputFile &file,
       const std::vector<NamedArray> &arrays) const override {
    const Stream &stream = arrays.front().stream;
    std::string head = fmt::format("GRID {} {}", stream.shape.size(),
                                   fmt::join(stream.shape, " "));
    head.resize(headBytes - 1, ' ');
    head += '\n';
    file.write(head.data(), head.size(), 0);
    return {int64_t(headBytes)};
  }
};

} // namespace

TEST(GridFormat, ReadsWhatTheExampleDescribes) {
  const GridFormat format;
  const Folder folder;
  const std::string path = folder / "a.grid";
  std::string head = "GRID 2 2 3";
  head.resize(headBytes, ' ');
  const std::vector<float> numbers = {1, 2, 3, 4, 5, 6};
  spill(path, head + std::string(reinterpret_cast<const char *>(numbers.data()),
                                 numbers.size() * sizeof(float)));
  EXPECT_TRUE(format.probe({path, head, ""}));
  EXPECT_FALSE(format.probe({path, "GRIP 2", ""}));
  const std::unique_ptr<Source> source = format.open(path, "");
  EXPECT_EQ(source->shape(), (std::vector<int64_t>{2, 3}));
  std::vector<float> box(2);
  source->read(PMRT_F32, {0, 2}, {2, 1}, box.data());
  EXPECT_EQ(box, (std::vector<float>{3, 6}));
}

TEST(GridFormat, RefusesAnotherHeadAndOtherOutputs) {
  const GridFormat format;
  const Folder folder;
  const std::string path = folder / "a.grid";
  for (const char *head : {"GRID", "GRID 2 3", "GRID 9 1", "GRID 0"}) {
    spill(path, head);
    EXPECT_CONTAINS(messageOf([&] { format.open(path, ""); }), "is damaged");
  }
  Output output;
  output.parts = {{PMRT_F32, {0}}};
  EXPECT_EQ(format.problem({}, output), "");
  output.parts = {{PMRT_F64, {0}}};
  EXPECT_EQ(format.problem({}, output), "it holds one real field in f32");
  output.parts = {};
  EXPECT_EQ(format.problem({}, output), "it holds one real field in f32");
}
