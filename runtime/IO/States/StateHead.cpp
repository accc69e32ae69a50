//===- StateHead.cpp - The file that names states -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/States/StateHead.h"

#include "runtime/Base/Files/TemporaryFile.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <sstream>
#include <stdexcept>

using namespace pmrt;

/// Of the identity, in their order.

std::string StateHead::value(const std::string &key) const {
  std::istringstream lines(identity);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(key + " "))
      return line.substr(key.size() + 1);
  return "";
}

std::vector<Axis> StateHead::mesh() const { return parseMesh(value("mesh")); }

std::string pmrt::describeMesh(const std::vector<Axis> &axes) {
  std::vector<std::string> words;
  for (const Axis &axis : axes)
    words.push_back(fmt::format("{}={}", axis.name, axis.extent));
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<Axis> pmrt::parseMesh(const std::string &text) {
  std::istringstream words(text);
  std::vector<Axis> axes;
  for (Axis axis; std::getline(words >> std::ws, axis.name, '=');) {
    if (!(words >> axis.extent) || axis.extent < 1)
      return {};
    axes.push_back(axis);
  }
  return describeMesh(axes) == text ? axes : std::vector<Axis>();
}

std::string pmrt::describeField(const StateField &field) {
  std::vector<std::string> dims;
  for (const Dim &dim : field.dims) {
    std::string text = fmt::format("{}={}", dim.name, dim.stored());
    if (dim.refine != 1)
      text += fmt::format("/{}", dim.refine);
    if (!dim.axes.empty())
      text += fmt::format(":{}", fmt::join(dim.axes, "+"));
    dims.push_back(text);
  }
  return fmt::format("{}[{}]", elementName(field.element),
                     fmt::join(dims, ","));
}

std::string pmrt::describeFields(const std::vector<StateField> &fields,
                                 int64_t numbers) {
  std::string text;
  for (const StateField &field : fields)
    text += describeField(field) + " ";
  return text + fmt::format("and {} numbers", numbers);
}

static std::vector<std::string> splitAt(const std::string &text, char at) {
  std::vector<std::string> parts;
  std::istringstream all(text);
  for (std::string part; std::getline(all, part, at);)
    parts.push_back(part);
  return parts;
}

/// A dim as `describeField` writes it; none if it did not.
static std::optional<Dim> parseDim(const std::string &text) {
  const size_t equals = text.rfind('=');
  if (equals == std::string::npos)
    return {};
  Dim dim;
  dim.name = text.substr(0, equals);
  std::istringstream rest(text.substr(equals + 1));
  if (!(rest >> dim.extent) || dim.extent < 1)
    return {};
  if (rest.peek() == '/' && (!rest.ignore() || !(rest >> dim.refine)))
    return {};
  std::string axes;
  if (rest.peek() == ':' && (!rest.ignore() || !(rest >> axes)))
    return {};
  dim.axes = splitAt(axes, '+');
  return dim;
}

static std::optional<StateField> parseField(const std::string &text) {
  StateField field;
  const size_t bracket = text.find('[');
  if (bracket == std::string::npos || text.back() != ']')
    return {};
  bool known = false;
  for (int e = PMRT_F32; !known && e <= PMRT_U64; ++e)
    if (text.substr(0, bracket) == elementName(pmrt_element(e))) {
      field.element = pmrt_element(e);
      known = true;
    }
  for (const std::string &part :
       splitAt(text.substr(bracket + 1, text.size() - bracket - 2), ',')) {
    std::optional<Dim> dim = parseDim(part);
    if (!dim)
      return {};
    field.dims.push_back(*dim);
  }
  if (!known || describeField(field) != text)
    return {};
  return field;
}

static std::string withCheck(const std::string &text) {
  return text + fmt::format("checksum {}\n", hashOf(text).text());
}

std::string pmrt::textOf(const StateHead &head) {
  std::string text = head.identity + "fields";
  for (const StateField &field : head.fields)
    text += " " + describeField(field);
  text += fmt::format("\nnumbers {}\n", head.numbers);
  for (const State &one : head.states)
    text += fmt::format("state {} {}\n", one.slot, one.token);
  return withCheck(text);
}

StateHead pmrt::parseHead(const std::string &path, const std::string &text) {
  auto damaged = [&](const std::string &why) {
    return std::runtime_error(fmt::format("{} is damaged: {}", path, why));
  };
  if (text.starts_with("program "))
    throw std::runtime_error(
        fmt::format("{} was written by an earlier version of pmc in a format "
                    "that this version cannot resume from",
                    path));
  if (!text.starts_with("spec "))
    throw damaged("expected 'spec ...' in its first line");
  const size_t end = text.rfind("\nchecksum ");
  if (end == std::string::npos)
    throw damaged("expected 'checksum HASH' in its last line");
  const std::string held = text.substr(0, end + 1);
  if (withCheck(held) != text)
    throw damaged(
        fmt::format("its checksum is {}, but its last line has a different one",
                    hashOf(held).text()));
  StateHead head;
  std::istringstream lines(held);
  std::string line;
  for (const char *key : StateHead::keys) {
    if (!std::getline(lines, line) || !line.starts_with(key))
      throw damaged(fmt::format("expected '{}', found '{}'", key, line));
    head.identity += line + "\n";
  }
  std::string word;
  std::getline(lines, line);
  std::istringstream fields(line);
  if (!(fields >> word) || word != "fields")
    throw damaged(fmt::format("expected 'fields', found '{}'", line));
  while (fields >> word) {
    const std::optional<StateField> field = parseField(word);
    if (!field)
      throw damaged(fmt::format("'{}' is not a field", word));
    head.fields.push_back(*field);
  }
  if (!(lines >> word >> head.numbers) || word != "numbers" || head.numbers < 0)
    throw damaged("expected 'numbers COUNT'");
  for (State state; lines >> word >> state.slot >> state.token;) {
    if (word != "state" || state.slot < 1 || !isToken(state.token))
      throw damaged("expected 'state NUMBER TOKEN' in its last lines");
    head.states.push_back(state);
  }
  if (head.states.empty() || !lines.eof())
    throw damaged("expected 'state NUMBER TOKEN' in its last lines");
  if (head.mesh().empty() && !head.value("mesh").empty())
    throw damaged(fmt::format("'{}' is not a mesh", head.value("mesh")));
  return head;
}

std::string pmrt::headName(const std::string &name) { return name + ".ckpt"; }

std::string pmrt::partName(const std::string &name, const State &state,
                           int rank) {
  return fmt::format("{}.{}.{}.{}.state", name, state.slot, state.token, rank);
}

Digest pmrt::ownerOf(const std::string &identity, const std::string &name,
                     const State &state, int rank) {
  return hashOf(fmt::format("{}name {}\nslot {}\nstate {}\nrank {}\n", identity,
                            name, state.slot, state.token, rank));
}

std::pair<std::string, std::string> pmrt::differingWords(const std::string &a,
                                                         const std::string &b) {
  auto without = [](const std::string &line, const std::string &other) {
    std::istringstream words(line), others(other);
    std::vector<std::string> theirs;
    for (std::string word; others >> word;)
      theirs.push_back(word);
    std::string text, word;
    words >> text;
    while (words >> word)
      if (std::find(theirs.begin(), theirs.end(), word) == theirs.end())
        text += " " + word;
    return text;
  };
  return {without(a, b), without(b, a)};
}
