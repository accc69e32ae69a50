//===- Texts.h - What ranks tell each other when they meet ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_TEXTS_H
#define PMRT_COMM_TEXTS_H

#include "runtime/Comm/Wire.h"

#include <nlohmann/json.hpp>
#include <string>

namespace pmrt {

/// As text; names of files and machines may be no UTF-8.
std::string dump(const nlohmann::json &what);

/// Texts over wires: their length, and JSON. False if it cannot be sent.
bool tell(Wire &wire, const nlohmann::json &what);
/// Null if nothing comes, or what is no text of ours, or more than `most`
/// bytes.
nlohmann::json hear(Wire &wire, const Deadline &deadline, size_t most);

/// Members of what others have written: nothing in it can be relied on.
std::string textOf(const nlohmann::json &from, const char *name);
int numberOf(const nlohmann::json &from, const char *name, int fallback);

} // namespace pmrt

#endif // PMRT_COMM_TEXTS_H
