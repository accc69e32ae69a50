//===- Address.cpp - Where a process can be reached -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Sockets/Address.h"

#include "runtime/Base/Error.h"

#include <algorithm>
#include <arpa/inet.h>
#include <bit>
#include <charconv>
#include <cstring>
#include <ifaddrs.h>
#include <net/if.h>

using namespace pmrt;

/// In front of names; no host is written so.
static constexpr std::string_view localMark = "local:";

std::optional<Address> Address::parse(const std::string &text) {
  if (text.starts_with(localMark)) {
    // Behind a zero: not the name of a file.
    const std::string name = text.substr(localMark.size());
    sockaddr_un all = {AF_UNIX, ""};
    if (name.empty() || name.size() >= sizeof all.sun_path)
      return std::nullopt;
    std::memcpy(all.sun_path + 1, name.data(), name.size());
    return ofLocal(all, offsetof(sockaddr_un, sun_path) + 1 + name.size());
  }
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos)
    return std::nullopt;
  uint16_t port = 0;
  const char *end = text.data() + text.size();
  if (const auto [at, error] =
          std::from_chars(text.data() + colon + 1, end, port);
      error != std::errc() || at != end)
    return std::nullopt;
  const std::string host = text.substr(0, colon);
  Address address;
  auto *four = reinterpret_cast<sockaddr_in *>(&address.storage);
  auto *six = reinterpret_cast<sockaddr_in6 *>(&address.storage);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']' &&
      inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(),
                &six->sin6_addr) == 1)
    address.setFamily(AF_INET6);
  else if (inet_pton(AF_INET, host.c_str(), &four->sin_addr) == 1)
    address.setFamily(AF_INET);
  else
    return std::nullopt;
  address.setPort(port);
  return address;
}

std::optional<Address> Address::of(const sockaddr *from) {
  Address address;
  if (from->sa_family == AF_INET) {
    std::memcpy(&address.storage, from, sizeof(sockaddr_in));
    address.setFamily(AF_INET);
    return address;
  }
  if (from->sa_family != AF_INET6)
    return std::nullopt;
  std::memcpy(&address.storage, from, sizeof(sockaddr_in6));
  address.setFamily(AF_INET6);
  const sockaddr_in6 six =
      *reinterpret_cast<const sockaddr_in6 *>(&address.storage);
  if (IN6_IS_ADDR_V4MAPPED(&six.sin6_addr)) {
    address.storage = {};
    auto *four = reinterpret_cast<sockaddr_in *>(&address.storage);
    address.setFamily(AF_INET);
    four->sin_port = six.sin6_port;
    std::memcpy(&four->sin_addr, six.sin6_addr.s6_addr + 12, 4);
  }
  return address;
}

Address Address::anyLocal() {
  sockaddr_un all = {AF_UNIX, ""};
  return ofLocal(all, sizeof all.sun_family);
}

Address Address::ofLocal(const sockaddr_un &name, socklen_t size) {
  Address address;
  std::memcpy(&address.storage, &name, size);
  address.length = size;
  return address;
}

void Address::setFamily(int family) {
  storage.ss_family = sa_family_t(family);
  length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
}

std::string Address::bytes() const {
  if (isLocal()) {
    constexpr size_t head = offsetof(sockaddr_un, sun_path) + 1;
    return {reinterpret_cast<const char *>(&storage) + head,
            std::max<size_t>(length, head) - head};
  }
  if (family() == AF_INET)
    return {reinterpret_cast<const char *>(
                &reinterpret_cast<const sockaddr_in *>(&storage)->sin_addr),
            4};
  return {reinterpret_cast<const char *>(
              &reinterpret_cast<const sockaddr_in6 *>(&storage)->sin6_addr),
          16};
}

std::string Address::host() const {
  char text[INET6_ADDRSTRLEN] = "";
  inet_ntop(family(), bytes().data(), text, sizeof text);
  return text;
}

std::string Address::text() const {
  if (isLocal())
    return std::string(localMark) + bytes();
  return family() == AF_INET ? fmt::format("{}:{}", host(), port())
                             : fmt::format("[{}]:{}", host(), port());
}

// Both kinds have their port at the same place.
int Address::port() const {
  return ntohs(reinterpret_cast<const sockaddr_in *>(&storage)->sin_port);
}

void Address::setPort(int port) {
  reinterpret_cast<sockaddr_in *>(&storage)->sin_port = htons(uint16_t(port));
}

bool Address::isLoopback() const {
  return family() == AF_INET ? bytes()[0] == 127
         : isLocal()         ? false
                             : bytes() == std::string(15, '\0') + '\1';
}

bool Address::isLinkLocal() const {
  const std::string all = bytes();
  return family() == AF_INET
             ? all.starts_with("\xa9\xfe")
             : all[0] == '\xfe' && (uint8_t(all[1]) & 0xc0) == 0x80;
}

int Address::bitsLike(const Address &other) const {
  const std::string a = bytes(), b = other.bytes();
  if (family() != other.family())
    return -1;
  int bits = 0;
  for (size_t i = 0; i < a.size(); ++i, bits += 8)
    if (a[i] != b[i])
      return bits + std::countl_zero(uint8_t(a[i] ^ b[i]));
  return bits;
}

/// What other machines may reach first.
static int order(const Address &address) {
  return (address.isLoopback()    ? 4
          : address.isLinkLocal() ? 2
                                  : 0) +
         (address.family() == AF_INET6);
}

std::vector<Address> pmrt::ownAddresses(const std::string &chosen) {
  std::vector<Address> found;
  std::vector<std::string> there;
  ifaddrs *all = nullptr;
  if (getifaddrs(&all) != 0)
    throw Error(Exit::Failure, "",
                fmt::format("[PM9012] cannot list the network interfaces: {}",
                            std::strerror(errno)));
  for (const ifaddrs *one = all; one; one = one->ifa_next) {
    if (!one->ifa_addr || !(one->ifa_flags & IFF_UP))
      continue;
    const auto address = Address::of(one->ifa_addr);
    // Those of IPv6 for one cable need the cable's name as well.
    if (!address || (address->family() == AF_INET6 && address->isLinkLocal()))
      continue;
    there.push_back(fmt::format("{} ({})", one->ifa_name, address->host()));
    if (chosen.empty() || chosen == one->ifa_name || chosen == address->host())
      found.push_back(*address);
  }
  freeifaddrs(all);
  std::stable_sort(
      found.begin(), found.end(),
      [](const Address &a, const Address &b) { return order(a) < order(b); });
  if (found.empty() && !chosen.empty())
    throw usageError(
        "[PM9012] PMRT_INTERFACE={} is neither an active network interface "
        "of this machine nor its address; expected one of {}",
        chosen, fmt::join(there, ", "));
  return found;
}
