//===- Member.cpp - A process, as the others know it ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Member.h"

#include "runtime/Comm/Address.h"
#include "runtime/Comm/LocalProcess.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sys/socket.h>
#include <unistd.h>

using namespace pmrt;
using nlohmann::json;

static std::string firstLine(const char *path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

Member pmrt::introduce(std::vector<std::string> addresses) {
  Member self;
  self.addresses = std::move(addresses);
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  self.host = host;
  self.machine = firstLine("/proc/sys/kernel/random/boot_id");
  if (self.machine.empty())
    self.machine = host;
  std::error_code error;
  self.kernel =
      self.machine +
      std::filesystem::read_symlink("/proc/self/ns/pid", error).string();
  self.process = int(getpid());
  self.started = startOf(self.process);
  return self;
}

static bool isLocal(const std::string &text) {
  const auto address = Address::parse(text);
  return address && address->isLocal();
}

static bool isLoopback(const std::string &text) {
  const auto address = Address::parse(text);
  return address && (address->isLoopback() || address->isLocal());
}

std::vector<std::string> pmrt::addressesFrom(const Member &self,
                                             const Member &other) {
  std::vector<std::string> addresses = other.addresses;
  if (other.machine != self.machine)
    std::erase_if(addresses, isLoopback);
  std::stable_partition(addresses.begin(), addresses.end(), isLoopback);
  std::stable_partition(addresses.begin(), addresses.end(), isLocal);
  return addresses;
}

void pmrt::nearestFirst(std::vector<std::string> &addresses, const Wire &wire) {
  sockaddr_storage name = {};
  socklen_t size = sizeof name;
  if (getpeername(wire.get(), reinterpret_cast<sockaddr *>(&name), &size))
    return;
  const auto reached = Address::of(reinterpret_cast<const sockaddr *>(&name));
  auto alike = [&](const std::string &text) {
    const auto address = Address::parse(text);
    return address && reached ? address->bitsLike(*reached) : -1;
  };
  const auto first =
      std::find_if_not(addresses.begin(), addresses.end(), isLocal);
  std::stable_sort(first, addresses.end(),
                   [&](const std::string &a, const std::string &b) {
                     return alike(a) > alike(b);
                   });
}

bool pmrt::kernelKnows(const Member &self, const Member &other) {
  const auto maker = otherEnd(other.wire.get());
  return maker && self.kernel == other.kernel && maker->user == geteuid() &&
         maker->process == other.process &&
         LocalProcess(other.process, other.started).known();
}

json pmrt::toJson(const Member &member) {
  return {{"addresses", member.addresses}, {"host", member.host},
          {"machine", member.machine},     {"kernel", member.kernel},
          {"process", member.process},     {"started", member.started}};
}

Member pmrt::toMember(const json &text) {
  Member member;
  if (const auto it = text.find("addresses");
      it != text.end() && it->is_array())
    for (const json &address : *it)
      if (address.is_string())
        member.addresses.push_back(address.get<std::string>());
  member.host = textOf(text, "host");
  member.machine = textOf(text, "machine");
  member.kernel = textOf(text, "kernel");
  member.process = numberOf(text, "process", 0);
  member.started = textOf(text, "started");
  return member;
}
