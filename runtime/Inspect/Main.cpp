//===- Main.cpp - States of runs, looked at -------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `pmrt_checkpoint DIR [DIR]`, which `pmc checkpoint` starts: what the folder
// --checkpoint holds and whether it is whole, or how far two are apart.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Error.h"
#include "runtime/Base/Text/Format.h"
#include "runtime/Inspect/Comparison.h"
#include "runtime/Inspect/Folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

using namespace pmrt;
using namespace pmrt::inspect;
using Json = nlohmann::ordered_json;

/// Writes to standard output. The files may come from anywhere.
static void show(const std::string &text) { printTo(stdout, printable(text)); }

/// Of what may not be there.
static Json orNull(const std::string &text) {
  return text.empty() ? Json() : Json(text);
}

/// Names of files, and what is damaged, may be no UTF-8.
static std::string printed(const Json &json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

static std::vector<std::string> fieldsOf(const StateHead &head) {
  std::vector<std::string> texts;
  for (const StateField &field : head.fields)
    texts.push_back(describeField(field));
  return texts;
}

//===----------------------------------------------------------------------===//
// One folder
//===----------------------------------------------------------------------===//

static std::string textOf(const Checkpoint &one) {
  if (!one.problem.empty())
    return fmt::format("{}: damaged\n  {}\n", one.name, one.problem);
  std::string text = fmt::format("{}\n", one.name);
  for (const char *key : StateHead::keys)
    if (const std::string value = one.head.value(key); !value.empty())
      text += fmt::format("  {:<11} {}\n", key, value);
  text += fmt::format("  {:<11} {}, and {} numbers\n", "state",
                      fmt::join(fieldsOf(one.head), " "), one.head.numbers);
  for (const Found &found : one.states) {
    text += fmt::format(
        "  iteration {}: {}, {} of {} parts, {}, {}\n", found.state.slot,
        found.problem.empty() ? "whole" : "damaged", found.parts, one.ranks(),
        bytesText(double(found.bytes)),
        found.written.empty() ? "unknown time" : found.written);
    if (!found.problem.empty())
      text += fmt::format("    {}\n", found.problem);
  }
  const Found *newest = one.newest();
  text += newest ? fmt::format("  --resume continues from iteration {}\n",
                               newest->state.slot)
                 : "  --resume has no complete state to continue from\n";
  return text;
}

static Json jsonOf(const Checkpoint &one) {
  Json json = {{"name", one.name}, {"problem", orNull(one.problem)}};
  if (!one.problem.empty())
    return json;
  for (const char *key : StateHead::keys)
    json[key] = one.head.value(key);
  json["ranks"] = one.ranks();
  json["fields"] = fieldsOf(one.head);
  json["numbers"] = one.head.numbers;
  json["states"] = Json::array();
  for (const Found &found : one.states)
    json["states"].push_back({{"iteration", found.state.slot},
                              {"written", orNull(found.written)},
                              {"parts", found.parts},
                              {"bytes", found.bytes},
                              {"problem", orNull(found.problem)}});
  const Found *newest = one.newest();
  json["resumes_from"] = newest ? Json(newest->state.slot) : Json();
  return json;
}

/// Prints what is there. Whether all is whole.
static bool list(const Folder &folder, bool json) {
  bool whole = true;
  for (const Checkpoint &one : folder.checkpoints)
    whole &= one.isWhole();
  if (json) {
    Json all = {{"folder", folder.path},
                {"whole", whole},
                {"left_parts", folder.left},
                {"left_bytes", folder.leftBytes},
                {"checkpoints", Json::array()}};
    for (const Checkpoint &one : folder.checkpoints)
      all["checkpoints"].push_back(jsonOf(one));
    show(printed(all));
    return whole;
  }
  for (const Checkpoint &one : folder.checkpoints)
    show(textOf(one));
  if (folder.left > 0)
    show(fmt::format("{} parts ({}) of states are not in an index: they are "
                     "removed when the next state is written\n",
                     folder.left, bytesText(double(folder.leftBytes))));
  return whole;
}

//===----------------------------------------------------------------------===//
// Two folders
//===----------------------------------------------------------------------===//

static std::string textOf(const Comparison &one) {
  std::string text = fmt::format("{}\n", one.name);
  for (const Comparison::Line &line : one.lines)
    text += fmt::format("  {}: '{}' and '{}'\n", line.key, line.a, line.b);
  if (!one.problem.empty())
    return text + fmt::format("  {}\n", one.problem);
  text +=
      fmt::format("  iteration {}: {}\n", one.iteration,
                  one.isSame() ? "bitwise the same" : "not bitwise the same");
  for (const FieldDifference &field : one.fields)
    if (field.differ > 0)
      text += fmt::format("    {}: {} of {} differ, by at most {:.3g}; the "
                          "largest value is {:.3g}\n",
                          field.field, field.differ, field.elements, field.most,
                          field.scale);
  if (one.numbersDiffer > 0)
    text += fmt::format("    {} of {} numbers differ\n", one.numbersDiffer,
                        one.numbers);
  return text;
}

static Json jsonOf(const Comparison &one) {
  Json json = {{"name", one.name},
               {"problem", orNull(one.problem)},
               {"same", one.isSame()},
               {"differ", Json::object()}};
  for (const Comparison::Line &line : one.lines)
    json["differ"][line.key] = {line.a, line.b};
  if (!one.problem.empty())
    return json;
  json["iteration"] = one.iteration;
  json["fields"] = Json::array();
  for (const FieldDifference &field : one.fields)
    json["fields"].push_back({{"field", field.field},
                              {"elements", field.elements},
                              {"differ", field.differ},
                              {"largest_difference", field.most},
                              {"largest_value", field.scale}});
  json["numbers"] = one.numbers;
  json["numbers_differ"] = one.numbersDiffer;
  return json;
}

/// Prints how far they are apart. Whether they have the same bits.
static bool compareFolders(const Folder &a, const Folder &b, bool json) {
  auto named = [](const Folder &folder, const std::string &name) {
    for (const Checkpoint &one : folder.checkpoints)
      if (one.name == name)
        return &one;
    return static_cast<const Checkpoint *>(nullptr);
  };
  bool same = true;
  Json all = {{"a", a.path}, {"b", b.path}};
  Json compared = Json::array();
  std::string text;
  auto add = [&](const Comparison &one) {
    same &= one.isSame();
    compared.push_back(jsonOf(one));
    text += textOf(one);
  };
  auto alone = [&](const std::string &name, const Folder &folder) {
    Comparison one;
    one.name = name;
    one.problem = fmt::format("only in {}", folder.path);
    add(one);
  };
  for (const Checkpoint &one : a.checkpoints) {
    if (const Checkpoint *other = named(b, one.name))
      add(compare(one, *other));
    else
      alone(one.name, a);
  }
  for (const Checkpoint &one : b.checkpoints)
    if (!named(a, one.name))
      alone(one.name, b);
  all["same"] = same;
  all["checkpoints"] = compared;
  show(json ? printed(all) : text);
  return same;
}

extern "C" int pmrt_checkpoint(int argc, char **argv) {
  std::vector<std::string> folders;
  bool json = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "-h" || word == "--help") {
      show("pmc checkpoint DIR [--json]: the states in a folder --checkpoint, "
           "and whether they are whole: every byte is read. Exit code 1 if "
           "something is damaged.\n"
           "pmc checkpoint A B [--json]: how far the newest states of one "
           "iteration in two folders are apart, whichever meshes wrote them. "
           "Exit code 1 if they have not the same bits.\n");
      return 0;
    }
    if (word == "--json") {
      json = true;
    } else if (word.starts_with("-")) {
      printMessage(fmt::format(
          "pmc checkpoint: error: unknown flag '{}' [PM9001]\n", word));
      return 1;
    } else {
      folders.push_back(word);
    }
  }
  if (folders.empty() || folders.size() > 2) {
    printMessage(fmt::format("pmc checkpoint: error: expected one folder of "
                             "states, or two to compare, found {} [PM9001]\n",
                             folders.size()));
    return 1;
  }
  try {
    std::vector<Folder> found;
    for (const std::string &folder : folders)
      found.push_back(look(folder));
    const bool good = found.size() == 1
                          ? list(found[0], json)
                          : compareFolders(found[0], found[1], json);
    return good ? 0 : 1;
  } catch (const std::exception &e) {
    printMessage(fmt::format("pmc checkpoint: error: {}\n", coded(e.what())));
    return 1;
  }
}
