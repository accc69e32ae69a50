//===- JsonMessages.cpp - JSON messages of the rendezvous ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Sockets/JsonMessages.h"

#include <poll.h>

using namespace pmrt;
using nlohmann::json;

std::string pmrt::dump(const json &what) {
  return what.dump(-1, ' ', false, json::error_handler_t::replace);
}

static bool readAll(TlsConnection &connection, void *data, size_t size,
                    const Deadline &deadline) {
  auto *at = static_cast<char *>(data);
  while (size > 0) {
    const ssize_t done = connection.read(at, size);
    if (done < 0 || (done == 0 && !await(connection.get(), POLLIN, deadline)))
      return false;
    at += done;
    size -= size_t(done);
  }
  return true;
}

bool pmrt::tell(TlsConnection &connection, const json &what) {
  const Deadline deadline(10);
  const std::string text = dump(what);
  const auto size = uint32_t(text.size());
  std::string all(reinterpret_cast<const char *>(&size), sizeof size);
  all += text;
  for (size_t at = 0; !connection.lost();) {
    at += connection.write(all.data() + at, all.size() - at);
    if (connection.flush() && at == all.size())
      return !connection.lost();
    if (!await(connection.get(), POLLOUT, deadline))
      return false;
  }
  return false;
}

json pmrt::hear(TlsConnection &connection, const Deadline &deadline,
                size_t most) {
  uint32_t size = 0;
  if (!readAll(connection, &size, sizeof size, deadline) || size > most)
    return nullptr;
  std::string text(size, '\0');
  if (!readAll(connection, text.data(), size, deadline))
    return nullptr;
  json what = json::parse(text, nullptr, false);
  return what.is_object() ? what : json(nullptr);
}

std::string pmrt::textOf(const json &from, const char *name) {
  const auto it = from.find(name);
  return it != from.end() && it->is_string() ? it->get<std::string>() : "";
}

int pmrt::numberOf(const json &from, const char *name, int fallback) {
  const auto it = from.find(name);
  return it != from.end() && it->is_number_integer() ? it->get<int>()
                                                     : fallback;
}
