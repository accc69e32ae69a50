//===- Gadget.cpp - Snapshots of Gadget-4 and SWIFT -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A snapshot is an HDF5 file. The output is a record whose members have the
// names of the file's groups: `Header = {Time = a, …}`, `PartType1 =
// {Coordinates = …, …}`. Fields are members of PartType0, PartType1 and so on.
// Numbers are members of other groups, and become their attributes. This format
// adds the numbers of particles and files, the units, and IDs for particles
// without IDs. It does not convert the numbers of fields. Each of several ranks
// writes its own file NAME.RANK.hdf5. Snapshot.cpp reads such files.
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Formats/Hdf5/Hdf5.h"
#include "runtime/IO/Formats/Records/CgsUnits.h"
#include "runtime/IO/Formats/Records/RecordMembers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <set>
#include <stdexcept>

using namespace pmrt;

namespace {

/// A path in the file: the group, and the name in it. A component of a vector
/// has an index too.
struct MemberPath {
  std::string group, name;
  std::optional<size_t> component;

  /// `text`: the path after the name of the output and a slash.
  explicit MemberPath(const std::string &text) {
    const size_t slash = text.find('/');
    group = text.substr(0, slash);
    const ComponentPath rest(
        slash == std::string::npos ? "" : text.substr(slash + 1));
    name = rest.path;
    component = rest.component;
  }
  static MemberPath of(const NamedArray &array) {
    return MemberPath(pathInRecord(array));
  }

  /// The number of the type of the particles, or -1 in other groups.
  int type() const {
    constexpr std::string_view start = "PartType";
    return group.size() == start.size() + 1 && group.starts_with(start) &&
                   group.back() >= '0' && group.back() <= '9'
               ? group.back() - '0'
               : -1;
  }
};

/// The numbers of a group that become attributes. The elements of a list are
/// numbers with the same name.
using GroupNumbers = std::map<std::string, std::vector<double>>;

} // namespace

/// The numbers of all groups, by their names. Throws std::runtime_error if f64
/// cannot represent one of them exactly.
static std::map<std::string, GroupNumbers>
groupNumbersOf(const std::vector<NamedArray> &arrays) {
  std::map<std::string, GroupNumbers> all;
  for (const NamedArray &array : arrays)
    if (const MemberPath path = MemberPath::of(array); path.type() < 0) {
      std::vector<double> &numbers = all[path.group][path.name];
      for (const double number : numbersOf(array))
        numbers.push_back(number);
      for (const int64_t number : intsOf(array))
        if (!isExact(number))
          throw std::runtime_error(fmt::format(
              "'{}.{}' is {}, which f64, the type of attributes, cannot "
              "represent exactly; write two smaller numbers",
              path.group, path.name, number));
    }
  return all;
}

/// The value that the header has for a type of particles.
static double ofType(const GroupNumbers &header, const std::string &name,
                     int type) {
  const auto found = header.find(name);
  return found != header.end() && size_t(type) < found->second.size()
             ? found->second[size_t(type)]
             : 0;
}

/// Adds an array over the rows of another one. `fill(row, to)` makes the
/// element of a row.
template <typename T, typename Fill>
static NamedArray overRowsOf(const NamedArray &like, const std::string &name,
                             pmrt_element element, const Fill &fill) {
  NamedArray made = like;
  const int64_t columns = like.stream.columns;
  made.name = like.name.substr(0, like.name.rfind('/') + 1) + name;
  std::erase_if(made.attributes, [](const Attribute &attribute) {
    return attribute.name == "unit";
  });
  made.stream.element = element;
  made.stream.columns = 1;
  made.stream.unit = "";
  if (columns > 1)
    made.stream.shape.pop_back();
  StreamPart &part = made.stream.parts.front();
  part.length /= columns;
  part.data = nullptr;
  part.fetch = nullptr;
  part.onDevice.clear();
  part.start = [start = part.start, columns](int64_t run) {
    return start(run) / columns;
  };
  part.copy = [start = part.start, length = part.length,
               fill](int64_t begin, int64_t end, char *out) {
    for (int64_t i = begin; i < end; ++i, out += sizeof(T)) {
      const T value = fill(start(i / length) + i % length);
      std::memcpy(out, &value, sizeof value);
    }
  };
  return made;
}

namespace {

/// The format of Gadget-4, and the parts that SWIFT shares with it.
class GadgetFormat : public Format {
public:
  std::string_view name() const override { return "gadget"; }
  std::string_view suffix() const override { return "hdf5"; }
  std::string_view summary() const override { return "snapshot of Gadget-4"; }

  bool holdsRecords() const override { return true; }
  bool joinsComponents() const override { return true; }
  bool hasPieces() const override { return true; }
  std::string fileOf(const std::string &stem, bool inPieces) const override {
    return inPieces ? pieceOf(stem, "0") : Format::fileOf(stem, false);
  }

  std::string problem(const Descriptor &program,
                      const Output &output) const override;
  void addArrays(std::vector<NamedArray> &arrays) const override;
  std::vector<int64_t>
  make(Context &context, OutputFile &file,
       const std::vector<NamedArray> &arrays) const override;

protected:
  /// What `make` knows about a file.
  struct Contents {
    std::vector<uint64_t> here, total; ///< numbers of particles of each type
    uint64_t files = 1, file = 0;      ///< the number of files, and of this one
    double length = 1, velocity = 1, mass = 1; ///< units in cgs
    std::map<std::string, GroupNumbers> numbers;
  };

  virtual int types() const { return 6; }
  /// The reason why a dataset cannot have this unit; "" if it can.
  virtual std::string problemOfUnit(const Cgs &) const { return ""; }
  /// Whether each particle has a mass in the file.
  virtual bool storesMasses() const { return false; }
  /// The groups without datasets.
  virtual std::vector<PlannedGroup> groupsOf(const Contents &contents) const;
  /// The attributes that describe the unit of a dataset.
  virtual std::vector<Attribute>
  unitAttributes(const std::string &name, const Cgs &unit, double a) const;
};

class SwiftFormat : public GadgetFormat {
public:
  std::string_view name() const override { return "swift"; }
  std::string_view summary() const override { return "snapshot of SWIFT"; }

protected:
  int types() const override { return 7; }
  std::string problemOfUnit(const Cgs &unit) const override {
    return unit.powerOfH == 0 ? ""
                              : "SWIFT has units without h, such as Mpc and "
                                "Msun";
  }
  bool storesMasses() const override { return true; }
  std::vector<PlannedGroup> groupsOf(const Contents &contents) const override;
  std::vector<Attribute> unitAttributes(const std::string &name,
                                        const Cgs &unit,
                                        double a) const override;
};

} // namespace

std::string GadgetFormat::problem(const Descriptor &program,
                                  const Output &output) const {
  if (!output.isRecord())
    return "it is not a record with the members Header and PartType1";
  const std::vector<std::string> units =
      splitUnits(output.unit, output.columns.size());
  std::map<std::string, std::vector<int32_t>> dims; // of the types
  std::map<std::string, size_t> has;                // the columns of members
  std::set<size_t> massOf; // the types with a mass in the header
  UnitsOfFile unitsOfFile;
  for (size_t i = 0; i < output.columns.size(); ++i) {
    const MemberPath path(output.columns[i].substr(1));
    const std::string member = path.group + "." + path.name;
    ++has[member];
    const std::optional<Cgs> unit = cgsOf(units[i]);
    const bool isMassTable = member == "Header.MassTable" && !units[i].empty();
    if (isMassTable)
      massOf.insert(path.component.value_or(0));
    const bool isOfHeader = isMassTable || member == "Header.BoxSize";
    if (path.type() >= 0 || isOfHeader)
      if (std::string why = unitsOfFile.add(path.name, member, units[i]);
          !why.empty())
        return why;
    if (unit && isOfHeader)
      if (const std::string why = problemOfUnit(*unit); !why.empty())
        return fmt::format("'{}' has the unit '{}': {}", member, units[i], why);
    if (path.type() < 0) {
      if (path.name.empty() || path.name.find('/') != std::string::npos)
        return fmt::format("its member '{}' is not in a group such as Header",
                           output.columns[i].substr(1));
      if (path.name.starts_with("NumPart_") ||
          path.name == "NumFilesPerSnapshot")
        return fmt::format("the format itself adds '{}'", member);
      if (i < output.parts.size() && !isNumberOf(program, output, i))
        return fmt::format("its field '{}' is outside of PartType0 to "
                           "PartType{}",
                           member, types() - 1);
      continue;
    }
    if (path.type() >= types())
      return fmt::format("it has '{}', and the last type is PartType{}",
                         path.group, types() - 1);
    if (path.name.empty() || path.name.find('/') != std::string::npos)
      return fmt::format("'{}' is not a field or a vector of fields",
                         output.columns[i].substr(1));
    if (!unit)
      return fmt::format("the unit '{}' of '{}' is not known", units[i],
                         member);
    if (const std::string why = problemOfUnit(*unit); !why.empty())
      return fmt::format("'{}' has the unit '{}': {}", member, units[i], why);
    if (i >= output.parts.size())
      continue;
    if (isComplex(output.parts[i].element))
      return fmt::format("'{}' is complex", member);
    if (path.name == "ParticleIDs" && output.parts[i].element != PMRT_I64)
      return fmt::format("'{}' is of {}, expected i64", member,
                         elementName(output.parts[i].element));
    const auto [first, isNew] = dims.emplace(path.group, output.parts[i].dims);
    if (!isNew && first->second != output.parts[i].dims)
      return fmt::format("the fields of {} have different dims", path.group);
  }
  for (const auto &[group, over] : dims) {
    if (!has[group + ".Coordinates"])
      return fmt::format("{} has no Coordinates", group);
    for (const char *name : {"Coordinates", "Velocities"})
      if (const size_t components = has[fmt::format("{}.{}", group, name)];
          components != 0 && components != 3)
        return fmt::format("'{}.{}' has {} component{}, expected 3", group,
                           name, components, components == 1 ? "" : "s");
    if (has[group + ".Masses"])
      continue;
    if (!has["Header.MassTable"])
      return fmt::format("{} has no Masses, and Header no MassTable", group);
    const size_t type = size_t(group.back() - '0');
    if (!massOf.contains(type))
      return fmt::format("{} has no Masses, and element {} of "
                         "Header.MassTable has no unit of mass",
                         group, type);
  }
  if (const std::string why = problemOfVectors(program, output); !why.empty())
    return why;
  if (const size_t masses = has["Header.MassTable"]; masses > size_t(types()))
    return fmt::format("'Header.MassTable' has {} numbers, expected at most {}",
                       masses, types());
  if (dims.empty() && !output.parts.empty())
    return "it has no fields in a member such as PartType1";
  for (const char *number : {"Header.Time", "Header.BoxSize"})
    if (!has[number])
      return fmt::format("it has no number {}", number);
  return "";
}

void GadgetFormat::addArrays(std::vector<NamedArray> &arrays) const {
  const GroupNumbers header = groupNumbersOf(arrays)["Header"];
  std::map<std::string, std::map<std::string, size_t>> groups;
  std::string massUnit;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const MemberPath path = MemberPath::of(arrays[i]);
    if (path.type() >= 0)
      groups[path.group][path.name] = i;
    else if (path.name == "MassTable" && !arrays[i].stream.unit.empty())
      massUnit = arrays[i].stream.unit;
  }
  int64_t before = 0; // the particles of the types before
  for (const auto &[group, names] : groups) {
    const NamedArray like = arrays[names.begin()->second];
    const int64_t first = before + 1;
    before += allRowsOf(like.stream);
    if (!names.contains("ParticleIDs"))
      arrays.push_back(overRowsOf<uint64_t>(
          like, "ParticleIDs", PMRT_U64,
          [first](int64_t row) { return uint64_t(first + row); }));
    if (!storesMasses() || names.contains("Masses"))
      continue;
    const double mass =
        ofType(header, "MassTable", MemberPath::of(like).type());
    arrays.push_back(overRowsOf<double>(like, "Masses", PMRT_F64,
                                        [mass](int64_t) { return mass; }));
    arrays.back().stream.unit = massUnit;
    arrays.back().attributes.push_back({"unit", massUnit});
  }
}

std::vector<int64_t>
GadgetFormat::make(Context &context, OutputFile &file,
                   const std::vector<NamedArray> &arrays) const {
  Contents contents;
  contents.here.assign(size_t(types()), 0);
  contents.total = contents.here;
  if (inPieces(context)) {
    contents.files = uint64_t(context.transport->size());
    contents.file = uint64_t(context.transport->rank());
  }
  contents.numbers = groupNumbersOf(arrays);
  GroupNumbers &header = contents.numbers["Header"];
  const double a = header["Time"].at(0);
  if (!(a > 0))
    throw cannotWrite(
        file,
        fmt::format("Header.Time is {}, expected a scale factor above 0", a));
  header.emplace("Redshift", std::vector{1 / a - 1});
  // The numbers can be rounded to f32.
  if (const double z = header["Redshift"].at(0);
      !(std::abs((1 + z) * a - 1) <= 1e-6))
    throw cannotWrite(
        file, fmt::format("Header.Redshift is {}, but Header.Time is {}, which "
                          "is the redshift {}; remove Header.Redshift",
                          z, a, 1 / a - 1));
  std::vector<PlannedDataset> datasets;
  std::vector<size_t> datasetOf(arrays.size(), arrays.size());
  for (size_t i = 0; i < arrays.size(); ++i) {
    const Stream &stream = arrays[i].stream;
    const MemberPath path = MemberPath::of(arrays[i]);
    const Cgs unit = cgsOf(stream.unit).value_or(Cgs());
    if (path.name == "Coordinates")
      contents.length = unit.factor;
    if (path.name == "Velocities")
      contents.velocity = unit.factor;
    if ((path.name == "Masses" || path.name == "MassTable") && unit.isMass())
      contents.mass = unit.factor;
    if (path.type() < 0)
      continue;
    const int64_t rows = rowsOf(stream);
    contents.here[size_t(path.type())] = uint64_t(rows);
    contents.total[size_t(path.type())] = uint64_t(allRowsOf(stream));
    if (rows == 0)
      continue;
    datasetOf[i] = datasets.size();
    std::vector<int64_t> shape = {rows};
    if (stream.columns > 1)
      shape.push_back(stream.columns);
    std::vector<Attribute> attributes = arrays[i].attributes;
    std::erase_if(attributes, [](const Attribute &one) { // of the dims
      return one.name == "dimensions" || one.name == "box" ||
             one.name == "lengths";
    });
    for (Attribute &one : unitAttributes(path.name, unit, a))
      attributes.push_back(std::move(one));
    datasets.push_back({path.group + "/" + path.name, stream.element, shape,
                        std::move(attributes)});
  }
  std::vector<int64_t> made;
  try {
    made = makeHdf5(file.openPath(), datasets, groupsOf(contents));
  } catch (const std::runtime_error &e) {
    throw cannotWrite(file, e.what());
  }
  std::vector<int64_t> offsets(arrays.size(), -1);
  for (size_t i = 0; i < arrays.size(); ++i)
    if (datasetOf[i] < made.size())
      offsets[i] = made[datasetOf[i]];
  return offsets;
}

/// The attributes of a group of the record. A list becomes an array.
static std::vector<Attribute> attributesOf(const GroupNumbers &numbers) {
  std::vector<Attribute> all;
  for (const auto &[name, values] : numbers)
    if (values.size() == 1)
      all.push_back({name, values[0]});
    else
      all.push_back({name, values});
  return all;
}

std::vector<PlannedGroup>
GadgetFormat::groupsOf(const Contents &contents) const {
  std::map<std::string, GroupNumbers> numbers = contents.numbers;
  numbers["Header"]["MassTable"].resize(size_t(types()));
  // Gadget-4 has the cosmology in Parameters, and earlier codes in Header.
  for (const char *name :
       {"BoxSize", "HubbleParam", "Omega0", "OmegaLambda", "OmegaBaryon"})
    if (const auto found = numbers["Header"].find(name);
        found != numbers["Header"].end())
      numbers["Parameters"].insert(*found);
  for (const char *group : {"Parameters", "Units"}) {
    numbers[group]["UnitLength_in_cm"] = {contents.length};
    numbers[group]["UnitMass_in_g"] = {contents.mass};
    numbers[group]["UnitVelocity_in_cm_per_s"] = {contents.velocity};
  }
  std::vector<PlannedGroup> groups;
  for (const auto &[name, values] : numbers) {
    groups.push_back({name, attributesOf(values)});
    if (name != "Header")
      continue;
    std::vector<Attribute> &header = groups.back().attributes;
    header.push_back({"NumPart_ThisFile", contents.here});
    header.push_back({"NumPart_Total", contents.total});
    header.push_back({"NumFilesPerSnapshot", int64_t(contents.files)});
  }
  return groups;
}

std::vector<Attribute> GadgetFormat::unitAttributes(const std::string &name,
                                                    const Cgs &unit,
                                                    double) const {
  const double powerOfA = name == "Coordinates"  ? 1
                          : name == "Velocities" ? 0.5
                                                 : 0;
  return {{"a_scaling", powerOfA},
          {"h_scaling", unit.powerOfH},
          {"length_scaling", unit.isLength() ? 1.0 : 0.0},
          {"mass_scaling", unit.isMass() ? 1.0 : 0.0},
          {"velocity_scaling", unit.isVelocity() ? 1.0 : 0.0},
          {"to_cgs", unit.factor}};
}

std::vector<PlannedGroup>
SwiftFormat::groupsOf(const Contents &contents) const {
  using Numbers = std::vector<double>;
  using Counts = std::vector<uint64_t>;
  std::vector<PlannedGroup> groups;
  std::map<std::string, GroupNumbers> numbers = contents.numbers;
  const double a = numbers["Header"]["Time"].at(0);
  GroupNumbers &header = numbers["Header"];
  header["MassTable"].assign(size_t(types()), 0); // the file has Masses
  header["Scale-factor"] = {a};
  header["BoxSize"].resize(3, header["BoxSize"].at(0));
  GroupNumbers &cosmology = numbers["Cosmology"];
  cosmology["Cosmological run"] = {1};
  cosmology["Scale-factor"] = {a};
  cosmology["Redshift"] = {1 / a - 1};
  numbers["Policy"]["cosmological integration"] = {1};
  numbers.try_emplace("Parameters"); // programs expect the group
  const GroupNumbers units = {
      {"Unit length in cgs (U_L)", {contents.length}},
      {"Unit mass in cgs (U_M)", {contents.mass}},
      {"Unit time in cgs (U_t)", {contents.length / contents.velocity}},
      {"Unit current in cgs (U_I)", {1}},
      {"Unit temperature in cgs (U_T)", {1}}};
  numbers["Units"] = units;
  numbers["InternalCodeUnits"] = units;
  for (const auto &[name, values] : numbers) {
    PlannedGroup &group = groups.emplace_back(PlannedGroup{name, {}});
    for (const auto &[attribute, elements] : values)
      group.attributes.push_back({attribute, Numbers(elements)});
    if (name != "Header")
      continue;
    Counts low, high;
    for (const uint64_t count : contents.total) {
      low.push_back(count & 0xFFFFFFFF);
      high.push_back(count >> 32);
    }
    for (const auto &[attribute, counts] : std::map<std::string, Counts>{
             {"NumPart_ThisFile", contents.here},
             {"NumPart_Total", low},
             {"NumPart_Total_HighWord", high},
             {"NumFilesPerSnapshot", {contents.files}},
             {"ThisFile", {contents.file}},
             {"Dimension", {3}}})
      group.attributes.push_back({attribute, counts});
    group.attributes.push_back({"Code", std::string("SWIFT")});
  }
  return groups;
}

std::vector<Attribute> SwiftFormat::unitAttributes(const std::string &name,
                                                   const Cgs &unit,
                                                   double a) const {
  const double powerOfA = name == "Coordinates" ? 1 : 0;
  const auto one = [](double value) { return std::vector<double>{value}; };
  return {{"Conversion factor to CGS (not including cosmological corrections)",
           one(unit.factor)},
          {"Conversion factor to physical CGS (including cosmological "
           "corrections)",
           one(unit.factor * std::pow(a, powerOfA))},
          {"a-scale exponent", one(powerOfA)},
          {"h-scale exponent", one(0)},
          {"U_L exponent", one(unit.length)},
          {"U_M exponent", one(unit.mass)},
          {"U_t exponent", one(unit.time)}};
}

PMRT_FORMATS(Gadget, GadgetFormat, SwiftFormat);
