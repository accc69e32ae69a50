//===- RendezvousFile.cpp - The file by which processes meet --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/RendezvousFile.h"

#include "runtime/Core/Error.h"

#include <cstring>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace pmrt;
using nlohmann::json;

/// What tells the file from any other.
static const char *const mark = "pmc rendezvous";

namespace {

/// A file's descriptor.
class File {
public:
  File(const std::string &path, int flags)
      : number(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File() { close(); }

  int get() const { return number; }
  bool open() const { return number >= 0; }
  bool close() {
    const int old = std::exchange(number, -1);
    return old < 0 || ::close(old) == 0;
  }

private:
  int number;
};

} // namespace

/// None, and errno, if there is no file of moderate length.
static std::optional<std::string> readText(const std::string &path,
                                           uid_t &owner) {
  constexpr off_t most = 1 << 20;
  const File file(path, O_RDONLY | O_NONBLOCK);
  struct stat facts = {};
  if (!file.open() || fstat(file.get(), &facts) != 0)
    return std::nullopt;
  errno = 0;
  if (!S_ISREG(facts.st_mode) || facts.st_size > most)
    return std::nullopt;
  owner = facts.st_uid;
  std::string text(size_t(facts.st_size), '\0');
  const ssize_t size = read(file.get(), text.data(), text.size());
  text.resize(size_t(std::max<ssize_t>(size, 0)));
  return text;
}

static std::optional<Invitation> parse(const std::string &text) {
  const json what = json::parse(text, nullptr, false);
  if (textOf(what, "what") != mark || textOf(what, "key").empty() ||
      !what.contains("first"))
    return std::nullopt;
  return Invitation{textOf(what, "key"), textOf(what, "job"),
                    toMember(what.at("first"))};
}

std::optional<Invitation> pmrt::readInvitation(const std::string &path) {
  uid_t owner = 0;
  const auto text = readText(path, owner);
  if (!text && errno == EACCES)
    throw usageError("--rendezvous: cannot read {}: {}", path,
                     std::strerror(errno));
  if (!text)
    return std::nullopt;
  // Whoever can write the file decides whom this process talks to.
  if (owner != geteuid())
    throw usageError("--rendezvous: {} belongs to user {}, this is user {}; "
                     "name a file of your own",
                     path, owner, geteuid());
  return parse(*text);
}

WrittenInvitation::WrittenInvitation(std::string where, const Invitation &what)
    : path(std::move(where)), key(what.key) {
  const std::string text = dump({{"what", mark},
                                 {"key", key},
                                 {"job", what.job},
                                 {"first", toJson(what.first)}}) +
                           "\n";
  const std::string temporary = fmt::format("{}.{}.tmp", path, randomKey());
  File file(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
  if (file.open() &&
      ::write(file.get(), text.data(), text.size()) == ssize_t(text.size()) &&
      fsync(file.get()) == 0 && file.close() &&
      rename(temporary.c_str(), path.c_str()) == 0)
    return;
  const std::string why = std::strerror(errno);
  unlink(temporary.c_str());
  throw usageError("--rendezvous: cannot write {}: {}", path, why);
}

WrittenInvitation::~WrittenInvitation() {
  uid_t owner = 0;
  const auto text = readText(path, owner);
  if (!text)
    return;
  if (const auto now = parse(*text); now && now->key == key)
    unlink(path.c_str());
}

std::string pmrt::randomKey() {
  uint64_t words[2] = {};
  if (getrandom(words, sizeof words, 0) != ssize_t(sizeof words))
    throw systemError("get random numbers");
  return fmt::format("{:016x}{:016x}", words[0], words[1]);
}
