//===- RendezvousFile.cpp - The file by which processes meet --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Sockets/RendezvousFile.h"

#include "runtime/Base/Error.h"

#include <cstring>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace pmrt;
using nlohmann::json;

/// The mark of such files.
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

/// What was found at a path, opened once and looked at through that.
struct Found {
  std::string text;
  struct stat facts = {};
};

} // namespace

/// None, and errno, if there is no file of moderate length.
static std::optional<Found> find(const std::string &path) {
  constexpr off_t most = 1 << 16;
  const File file(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  Found found;
  if (!file.open() || fstat(file.get(), &found.facts) != 0)
    return std::nullopt;
  errno = 0;
  if (!S_ISREG(found.facts.st_mode) || found.facts.st_size > most)
    return std::nullopt;
  found.text.resize(size_t(found.facts.st_size));
  const ssize_t size = read(file.get(), found.text.data(), found.text.size());
  found.text.resize(size_t(std::max<ssize_t>(size, 0)));
  return found;
}

static std::optional<Invitation> parse(const std::string &text) {
  const json what = json::parse(text, nullptr, false);
  if (textOf(what, "what") != mark || textOf(what, "key").empty() ||
      !what.contains("first"))
    return std::nullopt;
  return Invitation{textOf(what, "key"), textOf(what, "job"),
                    toPeerInfo(what.at("first"))};
}

std::optional<Invitation> pmrt::readInvitation(const std::string &path) {
  const auto found = find(path);
  if (!found && errno == ELOOP)
    throw usageError(
        "[PM9012] --rendezvous: {} is a symbolic link, which is not "
        "followed; name the file itself",
        path);
  if (!found && errno == EACCES)
    throw usageError("[PM9012] --rendezvous: cannot read {}: {}", path,
                     std::strerror(errno));
  if (!found)
    return std::nullopt;
  // Whoever can write the file decides whom this process talks to.
  if (found->facts.st_uid != geteuid())
    throw usageError(
        "[PM9012] --rendezvous: {} belongs to user {}, expected user {}; "
        "name a file that you own",
        path, found->facts.st_uid, geteuid());
  auto invitation = parse(found->text);
  if (const unsigned mode = found->facts.st_mode & 0777;
      invitation && (mode & 077) != 0)
    throw usageError(
        "[PM9012] --rendezvous: other users have access to {} (mode {:04o}, "
        "expected "
        "0600), so that its key is not secret; remove it, and name a file on a "
        "file system with file modes",
        path, mode);
  return invitation;
}

void pmrt::removeInvitation(const std::string &path, const std::string &key) {
  if (const auto found = find(path); found && found->facts.st_uid == geteuid())
    if (const auto now = parse(found->text); now && now->key == key)
      unlink(path.c_str());
}

WrittenInvitation::WrittenInvitation(std::string where, const Invitation &what)
    : path(std::move(where)), key(what.key) {
  const std::string text = dump({{"what", mark},
                                 {"key", key},
                                 {"job", what.job},
                                 {"first", toJson(what.first)}}) +
                           "\n";
  File file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
  if (!file.open())
    throw usageError("[PM9012] --rendezvous: cannot write {}: {}", path,
                     std::strerror(errno));
  if (fchmod(file.get(), 0600) == 0 &&
      ::write(file.get(), text.data(), text.size()) == ssize_t(text.size()) &&
      fsync(file.get()) == 0 && file.close())
    return;
  const std::string why = std::strerror(errno);
  unlink(path.c_str());
  throw usageError("[PM9012] --rendezvous: cannot write {}: {}", path, why);
}

WrittenInvitation::~WrittenInvitation() { removeInvitation(path, key); }

std::string pmrt::randomKey() {
  uint64_t words[4] = {};
  if (getrandom(words, sizeof words, 0) != ssize_t(sizeof words))
    throw systemError("get random numbers");
  return fmt::format("{:016x}{:016x}{:016x}{:016x}", words[0], words[1],
                     words[2], words[3]);
}
