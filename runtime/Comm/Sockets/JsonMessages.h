//===- JsonMessages.h - JSON messages of the rendezvous --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_TEXTS_H
#define PMRT_COMM_TEXTS_H

#include "runtime/Comm/Sockets/TlsConnection.h"

#include <nlohmann/json.hpp>
#include <string>

namespace pmrt {

/// Serializes JSON. Names of files and machines need not be valid UTF-8.
std::string dump(const nlohmann::json &what);

/// Sends a message: its length, then JSON. Returns false if that failed.
bool tell(TlsConnection &connection, const nlohmann::json &what);
/// Receives a message. Returns null at the deadline, if the message is not
/// valid JSON, or if it has more than `most` bytes.
nlohmann::json hear(TlsConnection &connection, const Deadline &deadline,
                    size_t most);

/// Read a member of an untrusted message, or return a default value.
std::string textOf(const nlohmann::json &from, const char *name);
int numberOf(const nlohmann::json &from, const char *name, int fallback);

} // namespace pmrt

#endif // PMRT_COMM_TEXTS_H
