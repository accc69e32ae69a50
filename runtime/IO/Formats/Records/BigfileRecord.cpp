//===- BigfileRecord.cpp - Records as blocks of bigfile -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/Records/BigfileRecord.h"

#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Formats/Records/CgsUnits.h"
#include "runtime/IO/Formats/Records/RecordMembers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <stdexcept>

using namespace pmrt;

/// The number of types of particles that the header counts.
static constexpr size_t types = 6;

/// The name of the group of a type, without the number.
static constexpr std::string_view particles = "PartType";

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
  std::string text() const {
    std::string all = group.empty() ? name : group + "." + name;
    std::ranges::replace(all, '/', '.');
    return all;
  }

  /// The number N of a member of PartTypeN or of a record in it, or `types` for
  /// other members.
  size_t type() const {
    if (!group.starts_with(particles) || group.size() <= particles.size())
      return types;
    const std::string rest = group.substr(particles.size());
    const auto number = size_t(rest[0] - '0');
    return rest.size() == 1 || rest[1] == '/' ? std::min(number, types) : types;
  }
  /// The name of the group's block: N for PartTypeN, and N/Sub for a record Sub
  /// in it.
  std::string blockOfGroup() const {
    return type() < types ? group.substr(particles.size()) : group;
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
    if (type() == types || group.find('/') != std::string::npos)
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
  /// Those of the numbers that are ints, exactly.
  std::map<std::string, std::vector<int64_t>> ints;
};

} // namespace

std::vector<std::string> pmrt::blocksOfRecord(const Descriptor &program,
                                              const Output &output) {
  std::vector<std::string> blocks;
  for (size_t i = 0; i < output.columns.size(); ++i) {
    const MemberName member(output.columns[i]);
    const std::string block =
        isNumberOf(program, output, i) ? member.blockOfGroup() : member.block();
    if (std::ranges::find(blocks, block) == blocks.end())
      blocks.push_back(block);
  }
  return blocks;
}

/// The reason why the fields of a type do not have the same rows; "" if they
/// do.
static std::string problemOfRows(const Descriptor &program,
                                 const Output &output) {
  std::map<size_t, std::vector<int32_t>> dimsOf;
  for (size_t i = 0; i < output.parts.size(); ++i) {
    const size_t type = MemberName(output.columns[i]).type();
    if (type == types || isNumberOf(program, output, i))
      continue;
    const std::vector<int32_t> &dims = output.parts[i].dims;
    if (dimsOf.emplace(type, dims).first->second != dims)
      return fmt::format("the fields of {}{} have different dims", particles,
                         type);
  }
  return "";
}

/// The reason why MassTable cannot be an attribute; "" if it can.
static std::string problemOfMasses(const Output &output) {
  const auto masses = size_t(
      std::ranges::count_if(output.columns, [](const std::string &column) {
        return MemberName(column).text() == "Header.MassTable";
      }));
  return masses <= types
             ? ""
             : fmt::format("'Header.MassTable' has {} numbers, expected at "
                           "most {}",
                           masses, types);
}

std::string pmrt::problemOfBlocks(const Descriptor &program,
                                  const Output &output) {
  for (const std::string &why :
       {problemOfVectors(program, output), problemOfRows(program, output),
        problemOfMasses(output)})
    if (!why.empty())
      return why;
  const std::vector<std::string> units =
      splitUnits(output.unit, output.columns.size());
  std::set<std::string> header;
  UnitsOfFile unitsOfFile;
  for (size_t i = 0; i < output.columns.size(); ++i) {
    const MemberName member(output.columns[i]);
    if (member.isInHeader())
      header.insert(member.name);
    if (member.isInHeader() && !isNumberOf(program, output, i))
      return fmt::format("'{}' is a field, expected a number", member.text());
    if (!isNumberOf(program, output, i))
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

/// Whether two numbers agree, apart from a rounding of one of them to f32.
static bool isSameNumber(double one, double other) {
  return std::abs(one - other) <= 1e-6 * std::abs(one);
}

/// Adds the attributes of FastPM's header that follow from others. Throws
/// std::runtime_error if two names of the same quantity have different numbers.
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
    if (header.numbers.contains(one) &&
        !std::ranges::equal(header.numbers[one], header.numbers[other],
                            isSameNumber))
      throw std::runtime_error(fmt::format(
          "Header.{} is {} and Header.{} is {}, but a snapshot of "
          "FastPM has one number with both names; remove one of the members",
          one, fmt::join(header.numbers[one], ", "), other,
          fmt::join(header.numbers[other], ", ")));
  }
  if (const auto masses = header.numbers.find("MassTable");
      masses != header.numbers.end()) {
    masses->second.resize(types);
    header.numbers.insert({"M0", {masses->second[1]}});
  }
  std::vector<int64_t> counts(types, 0);
  for (const NamedArray &member : members) {
    const MemberName name(pathInRecord(member));
    if (!isNumberOf(member) && name.type() < types)
      counts[name.type()] = allRowsOf(member.stream);
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
  header.numbers["TotNumPart"] = {counts.begin(), counts.end()};
  header.ints["TotNumPart"] = counts;
}

/// The block of a group: attributes, and no rows. Throws std::runtime_error if
/// an attribute cannot have the exact value of an int.
static NamedArray blockOf(const std::string &name, const BlockNumbers &group) {
  NamedArray block;
  block.name = name;
  block.stream.element = PMRT_I64;
  block.stream.shape = {0};
  block.stream.columns = 0;
  for (const auto &[attribute, values] : group.numbers) {
    const auto found = group.ints.find(attribute);
    const std::vector<int64_t> ints =
        found == group.ints.end() ? std::vector<int64_t>() : found->second;
    if (ints.size() == values.size() && ints.size() == 1) {
      block.attributes.push_back({attribute, ints[0]});
    } else if (ints.size() == values.size() &&
               std::ranges::all_of(ints, [](int64_t x) { return x >= 0; })) {
      block.attributes.push_back(
          {attribute, std::vector<uint64_t>(ints.begin(), ints.end())});
    } else {
      if (const auto lossy = std::ranges::find_if_not(ints, isExact);
          lossy != ints.end())
        throw std::runtime_error(fmt::format(
            "the list '{}.{}' contains {}, which f64 cannot represent exactly; "
            "write each number as a member of its own",
            name, attribute, *lossy));
      block.attributes.push_back({attribute, values});
    }
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
    if (!isNumberOf(member)) {
      blocks.push_back(member);
      blocks.back().name = name.block();
      continue;
    }
    BlockNumbers &group = groups[name.blockOfGroup()];
    group.like = member;
    for (const double number : numbersOf(member))
      group.numbers[name.name].push_back(number);
    for (const int64_t number : intsOf(member))
      group.ints[name.name].push_back(number);
  }
  if (const auto header = groups.find("Header"); header != groups.end())
    completeHeader(header->second, members);
  for (const auto &[name, group] : groups)
    blocks.push_back(blockOf(name, group));
  members = std::move(blocks);
}
