//===- Measured.cpp - What a run took, beside what was predicted ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Machine/Measured.h"

#include "codegen/Machine/ReadFile.h"
#include "codegen/Machine/Reports/CostPrint.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace pmc;
using namespace pmc::cost;
using namespace pmc::machine;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

namespace {

/// A profile's parts, or what is wrong with them.
class Reader {
public:
  explicit Reader(const std::string &file) { profile.file = file; }

  llvm::Expected<Profile> read() {
    llvm::Expected<std::string> text = readFile(profile.file);
    if (!text)
      return fail(llvm::toString(text.takeError()));
    llvm::Expected<json::Value> value = json::parse(*text);
    if (!value)
      return fail("not JSON: " + llvm::toString(value.takeError()));
    const json::Object *all = value->getAsObject();
    const json::Object *other = all ? all->getObject("otherData") : nullptr;
    const json::Object *run = other ? other->getObject("run") : nullptr;
    const json::Array *calls = other ? other->getArray("calls") : nullptr;
    if (!run || !calls || !readRun(*run) || !readCalls(*calls))
      return fail("no profile: make one with the program's --profile=FILE");
    if (llvm::StringRef status = run->getString("status").value_or("");
        status != "done")
      return fail("of a run that did not end well (" + status + ")");
    return std::move(profile);
  }

private:
  llvm::Error fail(const llvm::Twine &message) {
    return llvm::createStringError("--profile: " + profile.file + ": " +
                                   message);
  }

  bool readRun(const json::Object &run) {
    const json::Object *mesh = run.getObject("mesh"),
                       *params = run.getObject("params"),
                       *timing = run.getObject("timing");
    auto hash = run.getString("source_hash");
    if (!mesh || !params || !timing || !hash)
      return false;
    profile.sourceHash = hash->str();
    profile.ranks = run.getInteger("ranks").value_or(1);
    profile.threads = run.getInteger("threads").value_or(1);
    profile.seconds = timing->getNumber("seconds").value_or(0);
    for (const auto &[axis, extent] : *mesh)
      profile.mesh[axis.str()] = extent.getAsInteger().value_or(1);
    for (const auto &[name, entry] : *params)
      if (const json::Object *param = entry.getAsObject())
        if (auto value = param->getNumber("value"))
          profile.parameters[name.str()] = *value;
    return true;
  }

  bool readCalls(const json::Array &calls) {
    for (const json::Value &value : calls) {
      const json::Object *call = value.getAsObject();
      if (!call)
        return false;
      auto name = call->getString("name"), where = call->getString("where");
      auto seconds = call->getNumber("seconds"),
           times = call->getNumber("calls");
      if (!name || !where || !seconds || !times)
        return false;
      profile.rows.push_back({name->str(), where->str(), *seconds, *times});
    }
    return true;
  }

  Profile profile;
};

} // namespace

llvm::Expected<Profile> Profile::read(const std::string &file) {
  return Reader(file).read();
}

//===----------------------------------------------------------------------===//
// Side by side
//===----------------------------------------------------------------------===//

/// What a call of the runtime's counts as; "": what has no model.
static std::string getPart(llvm::StringRef call) {
  return llvm::StringSwitch<std::string>(call)
      .Cases({"fft", "ifft", "spectral_filter"}, "transforms")
      .Cases({"paint", "zero", "reach", "displacement_bound", "halo_open"},
             "paint")
      .Case("readout", "readout")
      .Cases({"transpose", "reshard", "all_reduce", "reduce_scatter",
              "halo_exchange", "halo_reduce"},
             "messages")
      .Cases({"plan_fft", "output", "plot", "print", "input"}, "")
      .Default("kernels");
}

/// A place without the folder: the spec may have been compiled from another.
static llvm::StringRef withoutFolder(llvm::StringRef where) {
  size_t slash = where.substr(0, where.find(" (")).rfind('/');
  return slash == llvm::StringRef::npos ? where : where.substr(slash + 1);
}

Comparison pmc::machine::compare(const CostReport &report,
                                 const Profile &profile) {
  // What a place costs is compared as a whole for each kind of work: the
  // compiler may make one call of several ops, and several of one.
  std::map<std::pair<std::string, std::string>, ComparedRow> places;
  auto at = [&](const std::string &what,
                const std::string &where) -> ComparedRow & {
    ComparedRow &row = places[{what, withoutFolder(where).str()}];
    row.what = what;
    row.where = where;
    return row;
  };
  for (const CostRow &op : report.ops) {
    if (op.seconds > 0)
      at(toText(op.part), op.where).predicted += op.times * op.seconds;
    for (const SentRow &sent : op.sent)
      if (sent.seconds > 0)
        at("messages", op.where).predicted += op.times * sent.seconds;
  }
  Comparison result;
  result.rest = profile.seconds;
  for (const Profile::Row &call : profile.rows)
    if (std::string part = getPart(call.name); !part.empty()) {
      ComparedRow &row = at(part, call.where);
      row.measured += call.seconds;
      row.calls += call.calls;
      result.rest -= call.seconds;
    }
  ComparedRow all{"together", ""};
  std::map<std::string, ComparedRow> parts;
  for (auto &[key, row] : places) {
    for (ComparedRow *sum : {&parts[row.what], &all}) {
      sum->calls += row.calls;
      sum->predicted += row.predicted;
      sum->measured += row.measured;
    }
    result.places.push_back(row);
  }
  for (const char *what :
       {"transforms", "paint", "readout", "kernels", "messages"})
    if (auto part = parts.find(what); part != parts.end()) {
      part->second.what = what;
      result.parts.push_back(part->second);
    }
  result.parts.push_back(all);
  llvm::stable_sort(result.places,
                    [](const ComparedRow &a, const ComparedRow &b) {
                      return a.measured > b.measured;
                    });
  result.source =
      profile.file +
      (profile.ranks > 1
           ? ", the first of " + std::to_string(profile.ranks) + " ranks"
           : "") +
      ", " + std::to_string(profile.threads) +
      (profile.threads == 1 ? " thread" : " threads");
  return result;
}

json::Object pmc::machine::toJson(const Comparison &comparison) {
  auto rows = [](const std::vector<ComparedRow> &from) {
    json::Array array;
    for (const ComparedRow &row : from)
      array.push_back(json::Object{{"what", row.what},
                                   {"where", row.where},
                                   {"calls", row.calls},
                                   {"predicted", row.predicted},
                                   {"seconds", row.measured}});
    return array;
  };
  return json::Object{{"source", comparison.source},
                      {"parts", rows(comparison.parts)},
                      {"places", rows(comparison.places)},
                      {"rest", comparison.rest}};
}
