//===- Html.h - Pages about runs --------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_REPORT_HTML_H
#define PMRT_PROGRAM_REPORT_HTML_H

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace pmrt {

/// With `<`, `&` and the like as HTML has them.
std::string escapedHtml(const std::string &text);

/// Cells and tables are HTML already. Numbers are aligned right, from a column
/// on.
std::string tableRow(const std::vector<std::string> &cells,
                     size_t numbersFrom = ~size_t(0));
std::string tableOf(const std::vector<std::string> &names,
                    const std::string &rows, size_t numbersFrom = ~size_t(0));
/// A value of a record: "–" for null.
std::string shownJson(const nlohmann::ordered_json &value);
/// A picture with its name, that grows at a click. `type`: "png", "svg+xml".
std::string pictureOf(const std::string &name, const std::string &type,
                      const std::string &file);
/// A heading and what is below it; "" if that is.
std::string sectionOf(const std::string &title, const std::string &body);

/// A whole page, light and dark, that needs no other file.
std::string htmlPage(const std::string &title, const std::string &body,
                     const std::string &moreStyle = "");

} // namespace pmrt

#endif // PMRT_PROGRAM_REPORT_HTML_H
