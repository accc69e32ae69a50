//===- BigfileRecord.cpp - Records as blocks of bigfile -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/BigfileRecord.h"

#include "runtime/IO/Formats/CgsUnits.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Formats/RecordMembers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

using namespace pmrt;

/// The number of types of particles that the header counts.
static constexpr size_t types = 6;

namespace {

/// The group and the name of a member: `PartType1` and `Position`. Members of
/// the record itself have no group.
struct MemberName {
  std::string group, name;

  /// `text`: the path of a member, with or without a slash at its beginning.
  explicit MemberName(const std::string &text) {
    const std::string path =
        ComponentPath(text.substr(text.starts_with('/') ? 1 : 0)).path;
    const size_t slash = path.rfind('/');
    name = slash == std::string::npos ? path : path.substr(slash + 1);
    group = slash == std::string::npos ? "" : path.substr(0, slash);
  }
  std::string text() const { return group + "." + name; }

  /// The number N of a group PartTypeN, or `types` for other groups.
  size_t type() const {
    constexpr std::string_view start = "PartType";
    if (group.size() != start.size() + 1 || !group.starts_with(start))
      return types;
    const auto number = size_t(group.back() - '0');
    return std::min(number, types);
  }
  /// The name of the group's block. For PartTypeN, it is N.
  std::string blockOfGroup() const {
    return type() < types ? group.substr(group.size() - 1) : group;
  }
  std::string block() const {
    return group.empty() ? name : blockOfGroup() + "/" + name;
  }
  bool isInHeader() const { return group == "Header"; }

  /// The name that a snapshot of Gadget has for the same quantity; "" if the
  /// quantity has any unit.
  std::string quantity() const {
    if (isInHeader())
      return name == "BoxSize" || name == "MassTable" ? name : "";
    if (type() == types)
      return "";
    return name == "Position"   ? "Coordinates"
           : name == "Velocity" ? "Velocities"
           : name == "Mass"     ? "Masses"
                                : "";
  }
};

/// The numbers of a group, and the units in its attributes.
struct BlockNumbers {
  NamedArray like; ///< a member, for the attributes of the program
  std::map<std::string, std::vector<double>> numbers;
  std::set<std::string> ints; ///< the names of numbers that are ints
};

} // namespace

/// Whether a member of an output is a number. Its array has one element.
static bool isNumber(const Descriptor &program, const Output &output,
                     size_t i) {
  if (i >= output.parts.size())
    return false;
  return std::ranges::all_of(output.parts[i].dims, [&](int32_t dim) {
    return program.dims[size_t(dim)].extent == 1;
  });
}

static bool isNumber(const NamedArray &array) {
  return elementsOf(array.stream.shape) == array.stream.columns;
}

std::vector<std::string> pmrt::blocksOfRecord(const Descriptor &program,
                                              const Output &output) {
  std::vector<std::string> blocks;
  for (size_t i = 0; i < output.columns.size(); ++i) {
    const MemberName member(output.columns[i]);
    const std::string block =
        isNumber(program, output, i) ? member.blockOfGroup() : member.block();
    if (std::ranges::find(blocks, block) == blocks.end())
      blocks.push_back(block);
  }
  return blocks;
}

std::string pmrt::problemOfBlocks(const Descriptor &program,
                                  const Output &output) {
  const std::vector<std::string> units =
      splitUnits(output.unit, output.columns.size());
  std::set<std::string> header;
  UnitsOfFile unitsOfFile;
  for (size_t i = 0; i < output.columns.size(); ++i) {
    const MemberName member(output.columns[i]);
    if (member.isInHeader())
      header.insert(member.name);
    if (member.isInHeader() && !isNumber(program, output, i))
      return fmt::format("'{}' is a field, expected a number", member.text());
    if (!isNumber(program, output, i))
      continue;
    if (member.group.empty())
      return fmt::format("its number '{}' is not in a group such as Header",
                         member.name);
    if (member.isInHeader() && member.name == "TotNumPart")
      return fmt::format("the format itself adds '{}'", member.text());
  }
  if (header.empty())
    return "";
  if (!header.contains("BoxSize"))
    return "it has no number Header.BoxSize";
  if (!header.contains("Time") && !header.contains("ScalingFactor"))
    return "it has no number Header.Time";
  for (size_t i = 0; i < output.columns.size(); ++i) {
    const MemberName member(output.columns[i]);
    const std::string quantity = member.quantity();
    if (quantity == "MassTable" && units[i].empty())
      continue; // no particles of this type
    if (std::string why = unitsOfFile.add(quantity, member.text(), units[i]);
        !why.empty())
      return why;
  }
  return "";
}

/// Adds the attributes of FastPM's header that follow from others.
static void completeHeader(BlockNumbers &header,
                           const std::vector<NamedArray> &members) {
  const auto same = [&](const char *one, const char *other) {
    const auto found = header.numbers.find(one);
    if (found != header.numbers.end())
      header.numbers.insert({other, found->second});
  };
  for (const auto &[one, other] :
       {std::pair("Time", "ScalingFactor"), std::pair("Omega0", "OmegaM")}) {
    same(one, other);
    same(other, one);
  }
  if (const auto masses = header.numbers.find("MassTable");
      masses != header.numbers.end()) {
    masses->second.resize(types);
    header.numbers.insert({"M0", {masses->second[1]}});
  }
  std::vector<double> counts(types, 0);
  for (const NamedArray &member : members) {
    const MemberName name(pathInRecord(member));
    if (!isNumber(member) && name.type() < types)
      counts[name.type()] = double(allRowsOf(member.stream));
    const std::string quantity = name.quantity();
    const std::optional<Cgs> unit = cgsOf(member.stream.unit);
    if (quantity.empty() || member.stream.unit.empty() || !unit)
      continue;
    if (unit->isLength())
      header.numbers.insert({"UnitLength_in_cm", {unit->factor}});
    else if (unit->isVelocity())
      header.numbers.insert({"UnitVelocity_in_cm_per_s", {unit->factor}});
    else if (unit->isMass())
      header.numbers.insert({"UnitMass_in_g", {unit->factor}});
  }
  header.numbers["TotNumPart"] = counts;
  header.ints.insert("TotNumPart");
}

/// The block of a group: attributes, and no rows.
static NamedArray blockOf(const std::string &name, const BlockNumbers &group) {
  NamedArray block;
  block.name = name;
  block.stream.element = PMRT_I64;
  block.stream.shape = {0};
  block.stream.columns = 0;
  for (const auto &[attribute, values] : group.numbers) {
    if (!group.ints.contains(attribute))
      block.attributes.push_back({attribute, values});
    else if (values.size() == 1)
      block.attributes.push_back({attribute, int64_t(values[0])});
    else
      block.attributes.push_back(
          {attribute, std::vector<uint64_t>(values.begin(), values.end())});
  }
  for (const Attribute &attribute : group.like.attributes)
    if (attribute.name != "unit" && attribute.name != "dimensions")
      block.attributes.push_back(attribute);
  return block;
}

void pmrt::makeBlocks(std::vector<NamedArray> &members) {
  std::map<std::string, BlockNumbers> groups;
  std::vector<NamedArray> blocks;
  for (const NamedArray &member : members) {
    const MemberName name(pathInRecord(member));
    if (!isNumber(member)) {
      blocks.push_back(member);
      blocks.back().name = name.block();
      continue;
    }
    BlockNumbers &group = groups[name.blockOfGroup()];
    group.like = member;
    for (const double number : numbersOf(member))
      group.numbers[name.name].push_back(number);
    const auto isInt = [](double x) { return x >= 0 && x == std::floor(x); };
    if (member.stream.element == PMRT_I64 &&
        std::ranges::all_of(group.numbers[name.name], isInt))
      group.ints.insert(name.name);
    else
      group.ints.erase(name.name);
  }
  if (const auto header = groups.find("Header"); header != groups.end())
    completeHeader(header->second, members);
  for (const auto &[name, group] : groups)
    blocks.push_back(blockOf(name, group));
  members = std::move(blocks);
}
