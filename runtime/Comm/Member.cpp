//===- Member.cpp - A process, as the others know it ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Member.h"

#include <algorithm>
#include <arpa/inet.h>
#include <bit>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
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

/// Loopback last, and before it what a machine has given itself.
static int order(uint32_t address) {
  return address >> 24 == 127 ? 2 : address >> 16 == 0xa9fe ? 1 : 0;
}

static std::vector<std::string> ownAddresses(int port) {
  std::vector<std::pair<int, std::string>> found;
  ifaddrs *all = nullptr;
  if (getifaddrs(&all) == 0) {
    for (const ifaddrs *one = all; one; one = one->ifa_next) {
      if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET ||
          !(one->ifa_flags & IFF_UP))
        continue;
      char text[INET_ADDRSTRLEN] = "";
      const auto *address =
          reinterpret_cast<const sockaddr_in *>(one->ifa_addr);
      inet_ntop(AF_INET, &address->sin_addr, text, sizeof text);
      found.emplace_back(order(ntohl(address->sin_addr.s_addr)),
                         fmt::format("{}:{}", text, port));
    }
    freeifaddrs(all);
  }
  std::stable_sort(
      found.begin(), found.end(),
      [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<std::string> addresses;
  for (auto &[rank, address] : found)
    addresses.push_back(std::move(address));
  return addresses;
}

Member pmrt::introduce(int port) {
  Member self;
  self.addresses = ownAddresses(port);
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
  return self;
}

std::vector<std::string> pmrt::addressesFrom(const Member &self,
                                             const Member &other) {
  std::vector<std::string> addresses = other.addresses;
  if (other.machine != self.machine)
    std::erase_if(addresses, [](const std::string &address) {
      return address.starts_with("127.");
    });
  return addresses;
}

void pmrt::nearestFirst(std::vector<std::string> &addresses,
                        const Socket &wire) {
  sockaddr_in reached = {};
  socklen_t size = sizeof reached;
  if (getpeername(wire.get(), reinterpret_cast<sockaddr *>(&reached), &size))
    return;
  auto alike = [&](const std::string &text) {
    in_addr address = {};
    inet_pton(AF_INET, text.substr(0, text.rfind(':')).c_str(), &address);
    return std::countl_zero(ntohl(address.s_addr ^ reached.sin_addr.s_addr));
  };
  std::stable_sort(addresses.begin(), addresses.end(),
                   [&](const std::string &a, const std::string &b) {
                     return alike(a) > alike(b);
                   });
}

json pmrt::toJson(const Member &member) {
  return {{"addresses", member.addresses},
          {"host", member.host},
          {"machine", member.machine},
          {"kernel", member.kernel},
          {"process", member.process}};
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
  return member;
}
