//===- Formats.cpp - Which output goes to which kind of file --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Flags/Formats.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/IO/Formats/Format.h"

#include <algorithm>
#include <sstream>

using namespace pmrt;

static const Format &formatNamed(const std::string &name) {
  if (const Format *format = findFormat(name))
    return *format;
  throw usageError("[PM9005] --format: '{}' is not one of {}", name,
                   formatNames(", "));
}

/// Why an output cannot be a file of that format; "" if it can.
static std::string problemOf(const Descriptor &program, const Output &output,
                             const Format &format) {
  if (output.isRecord() && !format.holdsRecords())
    return fmt::format(
        "it is a record of {}, and this format stores only one array",
        output.columns.size());
  return format.problem(program, output);
}

void pmrt::parseFormats(const Descriptor &program, const std::string &text,
                        Settings &settings) {
  std::istringstream words(text);
  std::string word;
  std::vector<std::string> names;
  for (const Output &output : program.outputs)
    names.push_back(output.name);
  bool general = false;
  while (std::getline(words, word, ',')) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) {
      if (general)
        throw usageError(
            "[PM9005] --format: '{}' is a second format for all outputs; "
            "for a single output write NAME={}",
            word, word);
      settings.format = formatNamed(word).name();
      general = true;
      continue;
    }
    const std::string name = word.substr(0, equals);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      const int near = closest(name, names);
      throw usageError(
          "[PM9005] --format: the program has no output '{}'{}", name,
          near < 0 ? ""
                   : fmt::format("; did you mean '{}'?", names[size_t(near)]));
    }
    settings.formats[name] = formatNamed(word.substr(equals + 1)).name();
  }
  for (const Output &output : program.outputs) {
    const Format &format = formatOf(settings, output.name);
    if (const std::string why = problemOf(program, output, format);
        !why.empty())
      throw usageError(
          "[PM9005] --format: output '{}' cannot be a .{} file: {}; use {}=h5",
          output.name, format.suffix(), why, output.name);
  }
}

std::string pmrt::formatsText(const Settings &settings) {
  std::string text = settings.format;
  for (const auto &[name, format] : settings.formats)
    text += fmt::format(",{}={}", name, format);
  return text;
}
