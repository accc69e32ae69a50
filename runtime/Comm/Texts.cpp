//===- Texts.cpp - What ranks tell each other when they meet --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Texts.h"

#include <poll.h>

using namespace pmrt;
using nlohmann::json;

std::string pmrt::dump(const json &what) {
  return what.dump(-1, ' ', false, json::error_handler_t::replace);
}

static bool readAll(Wire &wire, void *data, size_t size,
                    const Deadline &deadline) {
  auto *at = static_cast<char *>(data);
  while (size > 0) {
    const ssize_t done = wire.read(at, size);
    if (done < 0 || (done == 0 && !await(wire.get(), POLLIN, deadline)))
      return false;
    at += done;
    size -= size_t(done);
  }
  return true;
}

bool pmrt::tell(Wire &wire, const json &what) {
  const Deadline deadline(10);
  const std::string text = dump(what);
  const auto size = uint32_t(text.size());
  std::string all(reinterpret_cast<const char *>(&size), sizeof size);
  all += text;
  for (size_t at = 0; !wire.lost();) {
    at += wire.write(all.data() + at, all.size() - at);
    if (wire.flush() && at == all.size())
      return !wire.lost();
    if (!await(wire.get(), POLLOUT, deadline))
      return false;
  }
  return false;
}

json pmrt::hear(Wire &wire, const Deadline &deadline, size_t most) {
  uint32_t size = 0;
  if (!readAll(wire, &size, sizeof size, deadline) || size > most)
    return nullptr;
  std::string text(size, '\0');
  if (!readAll(wire, text.data(), size, deadline))
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
