//===- PeerInfo.cpp - What ranks know of each other -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Sockets/PeerInfo.h"

#include "runtime/Comm/Processes/LocalProcess.h"
#include "runtime/Comm/Sockets/Address.h"

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

PeerInfo pmrt::introduce(std::vector<std::string> addresses) {
  PeerInfo self;
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

std::vector<std::string> pmrt::addressesFrom(const PeerInfo &self,
                                             const PeerInfo &other) {
  std::vector<std::string> addresses = other.addresses;
  if (other.machine != self.machine)
    std::erase_if(addresses, isLoopback);
  std::stable_partition(addresses.begin(), addresses.end(), isLoopback);
  std::stable_partition(addresses.begin(), addresses.end(), isLocal);
  return addresses;
}

void pmrt::nearestFirst(std::vector<std::string> &addresses,
                        const TlsConnection &connection) {
  sockaddr_storage name = {};
  socklen_t size = sizeof name;
  if (getpeername(connection.get(), reinterpret_cast<sockaddr *>(&name), &size))
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

bool pmrt::kernelKnows(const PeerInfo &self, const PeerInfo &other) {
  const auto maker = otherEnd(other.connection.get());
  return maker && self.kernel == other.kernel && maker->user == geteuid() &&
         maker->process == other.process &&
         LocalProcess(other.process, other.started).known();
}

json pmrt::toJson(const PeerInfo &peer) {
  return {{"addresses", peer.addresses}, {"host", peer.host},
          {"machine", peer.machine},     {"kernel", peer.kernel},
          {"process", peer.process},     {"started", peer.started}};
}

PeerInfo pmrt::toPeerInfo(const json &text) {
  PeerInfo peer;
  if (const auto it = text.find("addresses");
      it != text.end() && it->is_array())
    for (const json &address : *it)
      if (address.is_string())
        peer.addresses.push_back(address.get<std::string>());
  peer.host = textOf(text, "host");
  peer.machine = textOf(text, "machine");
  peer.kernel = textOf(text, "kernel");
  peer.process = numberOf(text, "process", 0);
  peer.started = textOf(text, "started");
  return peer;
}
