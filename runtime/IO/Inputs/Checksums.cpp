//===- Checksums.cpp - SHA-256 of files -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Inputs/Checksums.h"

#include "runtime/Base/Files/WholeFile.h"
#include "runtime/Base/Interrupts.h"
#include "runtime/IO/Files/InputFile.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Formats/Hdf5/Hdf5.h"
#include "runtime/IO/Formats/RawData.h"
#include "runtime/IO/Inputs/FieldFile.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <openssl/evp.h>
#include <set>
#include <sstream>
#include <unistd.h>

using namespace pmrt;
namespace fs = std::filesystem;

namespace {

class Sha256 {
public:
  Sha256() : state(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    check(state && EVP_DigestInit_ex(state.get(), EVP_sha256(), nullptr));
  }
  void add(const void *data, size_t bytes) {
    check(EVP_DigestUpdate(state.get(), data, bytes));
  }
  std::string text() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned size = 0;
    check(EVP_DigestFinal_ex(state.get(), digest.data(), &size));
    std::string hex;
    for (unsigned i = 0; i < size; ++i)
      hex += fmt::format("{:02x}", digest[i]);
    return hex;
  }

private:
  static void check(int done) {
    if (done != 1)
      throw std::runtime_error("OpenSSL cannot compute SHA-256");
  }
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX *)> state;
};

} // namespace

std::string pmrt::sha256OfFile(const std::string &path) {
  const InputFile file(path);
  Sha256 hash;
  std::vector<char> buffer(size_t(1) << 20);
  for (int64_t at = 0;;) {
    checkInterrupt();
    const int64_t size = file.read(buffer.data(), int64_t(buffer.size()), at);
    if (size == 0)
      return hash.text();
    hash.add(buffer.data(), size_t(size));
    at += size;
  }
}

std::map<std::string, std::string>
pmrt::sha256OfFiles(Context &context, const std::vector<std::string> &paths) {
  const std::string list =
      context.world.broadcast(fmt::format("{}", fmt::join(paths, "\n")));
  std::istringstream lines(list);
  std::string mine, path;
  for (int i = 0; std::getline(lines, path); ++i)
    if (i % context.transport->size() == context.transport->rank())
      try {
        mine += fmt::format("{} {}\n", sha256OfFile(path), path);
      } catch (const std::runtime_error &) {
        continue; // gone, or another sees none
      }
  std::map<std::string, std::string> all;
  for (const std::string &part : context.world.gather(mine)) {
    std::istringstream entries(part);
    for (std::string entry; std::getline(entries, entry);)
      all[entry.substr(entry.find(' ') + 1)] = entry.substr(0, entry.find(' '));
  }
  // Another rank may see no such file, but the first one made it.
  if (context.transport->rank() == 0)
    for (const std::string &path : paths)
      if (!all.contains(path) && fs::exists(path))
        all[path] = sha256OfFile(path);
  return all;
}

/// Lower-case digits of a checksum; empty if it is none.
static std::string digitsOf(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  const bool good =
      text.size() == 64 &&
      text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return good ? text : "";
}

/// What NAME.sha256 says of the file beside it, which may be one of several.
static std::string expectedBy(const std::string &list,
                              const std::string &path) {
  std::istringstream file(withoutByteOrderMark(readWholeFile(list)));
  std::string only, line;
  for (int count = 0; std::getline(file, line); ++count) {
    if (line.ends_with('\r')) // of Windows
      line.pop_back();
    std::istringstream words(line);
    std::string digits, name;
    words >> digits;
    std::getline(words >> std::ws, name);
    if (name.starts_with('*')) // sha256sum --binary
      name.erase(0, 1);
    if (!name.empty() && fs::path(name).filename() == fs::path(path).filename())
      return digitsOf(digits);
    only = count == 0 && name.empty() ? digitsOf(digits) : "";
  }
  return only;
}

static void compare(const std::string &what, const std::string &by,
                    const std::string &expected, const std::string &found) {
  if (expected != found)
    throw std::runtime_error(fmt::format(
        "{} is damaged or a different file: its SHA-256 is {}, but {} says {}",
        what, found, by, expected));
}

/// Checks one file; its checksum, or "" if no expected one is known.
static std::string verifyFile(const std::string &path) {
  const std::string list = path + ".sha256";
  if (!fs::exists(list))
    return "";
  const std::string expected = expectedBy(list, path);
  if (expected.empty())
    throw std::runtime_error(fmt::format("{} contains no SHA-256 of {}", list,
                                         fs::path(path).filename().string()));
  const std::string found = sha256OfFile(path);
  compare(path, list, expected, found);
  return found;
}

static std::string verifyDataset(const SourceName &name) {
  const Hdf5Reader reader(name.path, name.dataset);
  const std::optional<std::string> text = reader.attribute("sha256");
  if (!text)
    return "";
  const std::string what = fmt::format("{}:{}", name.path, reader.dataset());
  if (digitsOf(*text).empty())
    throw std::runtime_error(
        fmt::format("{} has an attribute 'sha256' that is not a SHA-256: '{}'",
                    what, *text));
  Sha256 hash;
  reader.eachPart([&](const void *data, size_t bytes) {
    checkInterrupt();
    hash.add(data, bytes);
  });
  const std::string found = hash.text();
  compare(what, "its attribute 'sha256'", digitsOf(*text), found);
  return found;
}

/// The files that an input is made of.
static std::vector<std::string> filesOf(const std::string &path) {
  std::vector<std::string> files;
  if (fs::is_directory(path)) {
    for (const fs::directory_entry &entry : fs::directory_iterator(path))
      if (entry.is_regular_file() && entry.path().extension() != ".sha256")
        files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
  }
  if (fs::is_regular_file(path))
    files.push_back(path);
  if (const Format *format =
          files.empty() ? nullptr : formatOfFile({path, "", {}}))
    for (const std::string &other : format->besides(path))
      if (fs::is_regular_file(other))
        files.push_back(other);
  return files;
}

std::map<std::string, std::string> pmrt::verifyInputs(Context &context) {
  std::map<std::string, std::string> found;
  std::set<std::string> seen;
  int64_t number = 0;
  // Checks of files are dealt out to the ranks one by one.
  auto verify = [&](const std::string &flag, const std::string &what,
                    const auto &work) {
    if (!seen.insert(what).second ||
        number++ % context.transport->size() != context.transport->rank())
      return;
    try {
      if (const std::string digits = work(); !digits.empty())
        found[what] = digits;
    } catch (const std::runtime_error &e) {
      throw usageError("[PM9006] --{}: {}", flag, e.what());
    }
  };
  for (size_t i = 0; i < context.program.inputs.size(); ++i) {
    if (context.inputFiles[i].empty())
      continue;
    const std::string &flag = context.program.inputs[i].name;
    const SourceName name =
        inputSource(context, context.program.inputs[i], context.inputFiles[i]);
    for (const std::string &file : filesOf(name.path)) {
      verify(flag, file, [&] { return verifyFile(file); });
      const Format *format = formatOfFile({file, name.dataset, {}});
      if (!format)
        continue;
      for (const std::string &checked : format->checkedFiles(file))
        verify(flag, fmt::format("{}:{}", checked, name.dataset), [&] {
          format->verify(checked, name.dataset);
          return std::string(); // it has no SHA-256
        });
    }
    if (isHdf5File(name.path) && !rawDataName(name))
      verify(flag, fmt::format("{}:{}", name.path, name.dataset),
             [&] { return verifyDataset(name); });
  }
  return found;
}
