//===- Error.cpp - What the runtime throws --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Error.h"

#include <algorithm>
#include <string_view>

using namespace pmrt;

/// The number of characters of "[PM9001]".
static constexpr size_t codeLength = 8;

/// Returns the position of the first code from `at` on, or npos.
static size_t findCode(std::string_view text, size_t at) {
  for (at = text.find("[PM", at); at != std::string_view::npos;
       at = text.find("[PM", at + 1)) {
    const std::string_view found = text.substr(at, codeLength);
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (found.size() == codeLength && found.back() == ']' &&
        std::ranges::all_of(found.substr(3, 4), isDigit))
      return at;
  }
  return at;
}

/// Moves the first or the last code to the end of the first line, and removes
/// the others. `code`: the code of a message without one.
static std::string moveCode(std::string text, std::string code, bool isFirst) {
  bool isFound = false;
  for (size_t at = findCode(text, 0); at != std::string::npos;
       at = findCode(text, at)) {
    if (!isFound || !isFirst)
      code = text.substr(at, codeLength);
    isFound = true;
    // Removes the space after the code, too, or otherwise the space before it.
    const size_t end = at + codeLength;
    const bool isFollowed = end < text.size() && text[end] == ' ';
    const bool isPreceded = !isFollowed && at > 0 && text[at - 1] == ' ';
    text.erase(at - isPreceded, codeLength + isFollowed + isPreceded);
    at = std::min(at, text.size());
  }
  // Lines that follow the message, such as a table, are not part of it.
  return text.insert(std::min(text.find('\n'), text.size()), ' ' + code);
}

static std::string codeOfOthers(const std::string &message) {
  return message.find("internal error") == std::string::npos ? "[PM9109]"
                                                             : "[PM9110]";
}

std::string pmrt::coded(const std::string &message) {
  return moveCode(message, codeOfOthers(message), /*isFirst=*/false);
}

std::string pmrt::codedWarning(const std::string &message) {
  return moveCode(message, codeOfOthers(message), /*isFirst=*/true);
}
