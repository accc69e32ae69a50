//===- Source.cpp - Arrays in files ---------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Source.h"

#include "runtime/Base/Format.h"
#include "runtime/Core/Descriptor.h"
#include "runtime/IO/Hdf5.h"
#include "runtime/IO/Npy.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

using namespace pmrt;

namespace {

/// A file open for reading.
class File {
public:
  explicit File(const std::string &path)
      // Without waiting for somebody to write, should it be a pipe.
      : path(path),
        handle(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat info;
    if (handle < 0 || fstat(handle, &info) != 0)
      fail(std::strerror(errno));
    if (S_ISDIR(info.st_mode))
      fail("is a folder");
    if (!S_ISREG(info.st_mode))
      fail(fmt::format("is a {}, expected a file: an input is read more than "
                       "once",
                       S_ISFIFO(info.st_mode)   ? "pipe"
                       : S_ISSOCK(info.st_mode) ? "socket"
                                                : "device"));
    bytes = info.st_size;
  }
  ~File() {
    if (handle >= 0)
      close(handle);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;

  int64_t size() const { return bytes; }

  /// Reads `count` bytes, fewer only at the end of the file.
  int64_t read(void *out, int64_t count, int64_t offset) const {
    int64_t done = 0;
    while (done < count) {
      const ssize_t got = pread(handle, static_cast<char *>(out) + done,
                                size_t(count - done), offset + done);
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        fail(std::strerror(errno));
      if (got == 0)
        break;
      done += got;
    }
    return done;
  }

  [[noreturn]] void fail(const std::string &why) const {
    throw std::runtime_error(fmt::format("{}: {}", path, why));
  }

private:
  std::string path;
  int handle;
  int64_t bytes = 0;
};

struct ElementType {
  char kind; ///< f, c, i, u, b
  int size;
  bool swap; ///< big endian
};

template <typename T> T swapped(T value) {
  auto *bytes = reinterpret_cast<unsigned char *>(&value);
  std::reverse(bytes, bytes + sizeof value);
  return value;
}

/// Converts `count` reals of a file; complex numbers are two.
template <typename From, typename To>
void convert(const char *raw, int64_t count, bool swap, To *out) {
  for (int64_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, raw + i * int64_t(sizeof value), sizeof value);
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): int8 is a number
    out[i] = To(swap ? swapped(value) : value);
  }
}

class NpySource : public Source {
public:
  explicit NpySource(const std::string &path) : path(path), file(path) {
    std::string start(size_t(std::min<int64_t>(file.size(), 1 << 16)), '\0');
    start.resize(size_t(file.read(start.data(), int64_t(start.size()), 0)));
    try {
      header = parseNpyHeader(start);
    } catch (const std::runtime_error &e) {
      throw std::runtime_error(fmt::format("{} {}", path, e.what()));
    }
    if (header.fortran)
      throw std::runtime_error(
          fmt::format("{} is in Fortran order, expected C order "
                      "(numpy.save(f, numpy.ascontiguousarray(a)) writes that)",
                      path));
    decode();
    __int128 want = element.size;
    for (int64_t extent : header.shape)
      want = std::min<__int128>(want * extent, int64_t(1) << 60);
    if (element.kind && file.size() - header.dataOffset < int64_t(want))
      throw std::runtime_error(
          fmt::format("{} is cut short: it holds {} bytes of numbers, its "
                      "shape {} needs {}",
                      path, file.size() - header.dataOffset,
                      shapeText(header.shape), int64_t(want)));
  }

  std::string name() const override { return path; }
  std::vector<int64_t> shape() const override { return header.shape; }
  Kind kind() const override {
    switch (element.kind) {
    case 'f':
      return Kind::Real;
    case 'c':
      return Kind::Complex;
    case 'i':
    case 'u':
    case 'b':
      return Kind::Integer;
    default:
      return Kind::Other;
    }
  }
  std::string type() const override {
    static constexpr std::pair<char, const char *> names[] = {
        {'f', "float"}, {'c', "complex"}, {'i', "int"}, {'u', "uint"}};
    if (element.kind == 'b')
      return "bool";
    for (auto [kind, text] : names)
      if (element.kind == kind)
        return fmt::format("{}{}", text, 8 * element.size);
    return fmt::format("'{}'", header.descr);
  }

  void read(pmrt_element to, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out) override {
    // Runs that are contiguous in the file: the trailing dims that are read
    // whole, and a part of the one before.
    int64_t run = 1, all = 1;
    bool whole = true;
    for (size_t d = count.size(); d-- > 0;) {
      all *= count[d];
      if (whole)
        run *= count[d];
      whole = whole && count[d] == header.shape[d];
    }
    for (int64_t at = 0; at < all; at += run) {
      int64_t rest = at, index = 0, stride = 1;
      for (size_t d = count.size(); d-- > 0;) {
        index += (rest % count[d] + start[d]) * stride;
        rest /= count[d];
        stride *= header.shape[d];
      }
      readRun(to, index, run, static_cast<char *>(out) + at * elementSize(to));
    }
  }

private:
  void readRun(pmrt_element to, int64_t first, int64_t count, void *out) {
    const int64_t bytes = count * element.size;
    buffer.resize(size_t(bytes));
    const int64_t got = file.read(buffer.data(), bytes,
                                  header.dataOffset + first * element.size);
    if (got != bytes)
      throw std::runtime_error(fmt::format("{} is cut short", path));
    const int64_t reals = count * (element.kind == 'c' ? 2 : 1);
    const bool wide = element.size == (element.kind == 'c' ? 16 : 8);
    if (to == PMRT_F32 || to == PMRT_C64)
      reconvert(reals, wide, static_cast<float *>(out));
    else if (to == PMRT_F64 || to == PMRT_C128)
      reconvert(reals, wide, static_cast<double *>(out));
    else if (to == PMRT_I8)
      reconvertIntegers(count, static_cast<int8_t *>(out));
    else
      reconvertIntegers(count, static_cast<int64_t *>(out));
  }

  /// "<f4" and the like; leaves kind 0 for what we do not know.
  void decode() {
    const std::string &d = header.descr;
    element = {0, 1, false};
    if (d.size() < 3 || !std::strchr("<>|=", d[0]) ||
        !std::strchr("fciub", d[1]))
      return;
    const std::string digits = d.substr(2);
    static constexpr std::pair<char, const char *> known[] = {
        {'f', "4"}, {'f', "8"}, {'c', "8"}, {'c', "16"},
        {'b', "1"}, {'i', "1"}, {'i', "2"}, {'i', "4"},
        {'i', "8"}, {'u', "1"}, {'u', "2"}, {'u', "4"}};
    for (auto [kind, size] : known)
      if (d[1] == kind && digits == size)
        element = {kind, std::stoi(digits), d[0] == '>'};
  }

  template <typename To> void reconvert(int64_t reals, bool wide, To *out) {
    if (wide)
      convert<double>(buffer.data(), reals, element.swap, out);
    else
      convert<float>(buffer.data(), reals, element.swap, out);
  }

  template <typename To> void reconvertIntegers(int64_t count, To *out) {
    const bool isSigned = element.kind == 'i';
    const char *raw = buffer.data();
    switch (element.size) {
    case 1:
      return isSigned ? convert<int8_t>(raw, count, false, out)
                      : convert<uint8_t>(raw, count, false, out);
    case 2:
      return isSigned ? convert<int16_t>(raw, count, element.swap, out)
                      : convert<uint16_t>(raw, count, element.swap, out);
    case 4:
      return isSigned ? convert<int32_t>(raw, count, element.swap, out)
                      : convert<uint32_t>(raw, count, element.swap, out);
    default:
      return convert<int64_t>(raw, count, element.swap, out);
    }
  }

  std::string path;
  File file;
  NpyHeader header;
  ElementType element = {0, 1, false};
  std::vector<char> buffer;
};

class Hdf5Source : public Source {
public:
  Hdf5Source(const std::string &path, const std::string &dataset)
      : path(path), reader(openReader(path, dataset)) {}

  std::string name() const override { return path + ":" + reader->dataset(); }
  std::vector<int64_t> shape() const override { return reader->shape(); }
  Kind kind() const override {
    return reader->isReal()      ? Kind::Real
           : reader->isComplex() ? Kind::Complex
           : reader->isInteger() ? Kind::Integer
                                 : Kind::Other;
  }
  std::string type() const override { return reader->type(); }
  std::optional<std::string> unit() const override { return reader->unit(); }
  void read(pmrt_element element, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out) override {
    try {
      reader->read(element, start, count, out);
    } catch (const std::runtime_error &e) {
      throw std::runtime_error(fmt::format("{} {}", name(), e.what()));
    }
  }

private:
  static std::unique_ptr<Hdf5Reader> openReader(const std::string &path,
                                                const std::string &dataset) {
    File check(path); // its messages are better than HDF5's
    try {
      return std::make_unique<Hdf5Reader>(path, dataset);
    } catch (const std::runtime_error &e) {
      throw std::runtime_error(fmt::format("{} {}", path, e.what()));
    }
  }

  std::string path;
  std::unique_ptr<Hdf5Reader> reader;
};

/// The path and the dataset of FILE:/DATASET.
std::pair<std::string, std::string> split(const std::string &spec) {
  const size_t colon = spec.rfind(":/");
  if (colon == std::string::npos || colon == 0 ||
      access(spec.c_str(), F_OK) == 0)
    return {spec, ""};
  return {spec.substr(0, colon), spec.substr(colon + 1)};
}

std::string firstBytes(const std::string &path) {
  File file(path);
  std::string bytes(8, '\0');
  bytes.resize(size_t(file.read(bytes.data(), 8, 0)));
  return bytes;
}

bool isHdf5(const std::string &bytes) { return bytes == "\x89HDF\r\n\x1a\n"; }
bool isNpy(const std::string &bytes) { return bytes.starts_with("\x93NUMPY"); }

} // namespace

std::unique_ptr<Source> pmrt::openSource(const std::string &spec) {
  const auto [path, dataset] = split(spec);
  const std::string bytes = firstBytes(path);
  if (!dataset.empty() || isHdf5(bytes))
    return std::make_unique<Hdf5Source>(path, dataset);
  if (isNpy(bytes))
    return std::make_unique<NpySource>(path);
  throw std::runtime_error(
      fmt::format("{} is neither a .npy nor an HDF5 file; give FILE.npy or "
                  "FILE.h5:/DATASET",
                  path));
}

bool pmrt::isArrayFile(const std::string &spec) {
  const auto [path, dataset] = split(spec);
  const std::string bytes = firstBytes(path);
  return !dataset.empty() || isHdf5(bytes) || isNpy(bytes);
}
