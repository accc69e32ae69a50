//===- Machine.cpp - What a machine can do --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Machine/Machine.h"

#include "codegen/Machine/ReadFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <cmath>
#include <set>

using namespace pmc::machine;

namespace {

/// Collects what is wrong, each with its place in the file.
class Problems {
public:
  explicit Problems(llvm::StringRef file) : file(file) {}

  void add(const toml::source_region &at, const llvm::Twine &what) {
    if (!text.empty())
      text += "\n";
    text += (file + ":" + llvm::Twine(at.begin.line) + ":" +
             llvm::Twine(at.begin.column) + ": error: " + what)
                .str();
  }
  bool none() const { return text.empty(); }
  llvm::Error take() { return llvm::createStringError(text); }

private:
  std::string file, text;
};

/// A table of the file, whose keys must all be asked for.
class Section {
public:
  Section(const toml::table &table, std::string path, Problems &problems)
      : table(table), path(std::move(path)), problems(problems) {}
  Section(const Section &) = delete;

  /// Reports unknown keys.
  ~Section() {
    for (const auto &[key, node] : table)
      if (!known.count(std::string(key.str())))
        problems.add(key.source(), "unknown key '" + name(key.str()) + "'");
  }

  /// At least 0, or above it; `scale`: of its unit.
  void number(std::string_view key, double &to, double scale = 1,
              bool positive = true) {
    if (const toml::node *node = find(key))
      to = scale * value(*node, name(key), positive);
  }
  /// The same, but it may be left out.
  void optional(std::string_view key, double &to, double scale = 1) {
    known.insert(std::string(key));
    if (const toml::node *node = table.get(key))
      to = scale * value(*node, name(key), /*positive=*/false);
  }
  void count(std::string_view key, int64_t &to) {
    const toml::node *node = find(key);
    if (!node)
      return;
    to = node->value_exact<int64_t>().value_or(0);
    if (to < 1)
      problems.add(node->source(),
                   "'" + name(key) + "' requires a whole number above 0");
    to = std::max<int64_t>(to, 1);
  }
  void text(std::string_view key, std::string &to) {
    if (const toml::node *node = find(key)) {
      to = node->value_exact<std::string>().value_or("");
      if (to.empty())
        problems.add(node->source(), "'" + name(key) + "' requires a text");
    }
  }
  void numbers(std::string_view key, std::vector<double> &to,
               double scale = 1) {
    if (const toml::node *node = find(key))
      list(*node, key, to, scale);
  }
  /// The same, but it may be left out.
  void optionalNumbers(std::string_view key, std::vector<double> &to,
                       double scale = 1) {
    known.insert(std::string(key));
    if (const toml::node *node = table.get(key))
      list(*node, key, to, scale);
  }
  /// Growing numbers; false, and a complaint, if they are not.
  bool growing(std::string_view key, llvm::ArrayRef<double> of) {
    for (size_t i = 1; i < of.size(); ++i)
      if (of[i] <= of[i - 1]) {
        complain(key, "'" + name(key) + "' requires growing numbers");
        return false;
      }
    return true;
  }
  /// A number, or a list with one for each of `sizes`.
  void curve(std::string_view key, Curve &to, llvm::ArrayRef<double> sizes,
             double scale) {
    const toml::node *node = find(key);
    if (!node)
      return;
    to.sizes = sizes;
    if (sizes.empty())
      to.values = {scale * value(*node, name(key), /*positive=*/true)};
    else
      list(*node, key, to.values, scale);
    if (!to.values.empty() &&
        to.values.size() != std::max<size_t>(sizes.size(), 1))
      complain(key, "'" + name(key) + "' requires a number for each of '" +
                        name("sizes_mb") + "'");
  }
  /// For each of `count` places a number, and if there are sizes, such a list
  /// for each of them.
  void curves(std::string_view key, std::vector<Curve> &to, size_t count,
              llvm::ArrayRef<double> sizes) {
    const toml::node *node = find(key);
    if (!node)
      return;
    std::vector<std::vector<double>> lists;
    const toml::array *outer = node->as_array();
    if (!sizes.empty() && outer)
      for (const toml::node &entry : *outer)
        list(entry, key, lists.emplace_back(), 1);
    else
      list(*node, key, lists.emplace_back(), 1);
    if (lists.size() != std::max<size_t>(sizes.size(), 1))
      return complain(key, "'" + name(key) + "' requires a list for each of '" +
                               name("sizes_mb") + "'");
    to.assign(count, Curve{sizes, {}});
    for (const std::vector<double> &one : lists) {
      if (one.size() != count)
        return complain(key, "'" + name(key) +
                                 "' requires a number for each of '" +
                                 name("lengths") + "'");
      for (size_t i = 0; i < count; ++i)
        to[i].values.push_back(one[i]);
    }
  }
  /// Calls `read` with the table `key`, if it is one.
  template <typename Read> void section(std::string_view key, Read read) {
    if (const toml::node *node = find(key)) {
      if (const toml::table *inner = node->as_table()) {
        Section section(*inner, name(key), problems);
        read(section);
      } else {
        problems.add(node->source(), "'" + name(key) + "' requires a table");
      }
    }
  }
  /// The same, but the table may be left out.
  template <typename Read>
  void optionalSection(std::string_view key, Read read) {
    if (table.contains(key))
      section(key, read);
    else
      known.insert(std::string(key));
  }
  /// Calls `read` with the name and the table of each entry.
  template <typename Read> void entries(Read read) {
    for (const auto &[key, node] : table)
      section(key.str(),
              [&](Section &entry) { read(std::string(key.str()), entry); });
  }

  const toml::node *find(std::string_view key) {
    known.insert(std::string(key));
    const toml::node *node = table.get(key);
    if (!node)
      problems.add(table.source(), "'" + name(key) + "' is missing");
    return node;
  }
  std::string name(std::string_view key) const {
    return path.empty() ? std::string(key) : path + "." + std::string(key);
  }
  void complain(std::string_view key, const llvm::Twine &what) {
    problems.add(table.get(key)->source(), what);
  }

private:
  void list(const toml::node &node, std::string_view key,
            std::vector<double> &to, double scale) {
    const toml::array *entries = node.as_array();
    if (!entries || entries->empty())
      return problems.add(node.source(),
                          "'" + name(key) + "' requires a list of numbers");
    for (const toml::node &entry : *entries)
      to.push_back(scale * value(entry, name(key), /*positive=*/true));
  }

  double value(const toml::node &node, const std::string &key, bool positive) {
    std::optional<double> number = node.value<double>();
    if (!node.is_number() || !number || !std::isfinite(*number))
      problems.add(node.source(), "'" + key + "' requires a number");
    else if (*number < 0)
      problems.add(node.source(), "'" + key + "' is negative");
    else if (positive && *number == 0)
      problems.add(node.source(), "'" + key + "' must be above 0");
    // Times are quotients, which must not become infinite.
    else if (*number != 0 && (*number < 1e-30 || *number > 1e30))
      problems.add(node.source(),
                   "'" + key + "' must be between 1e-30 and 1e30");
    else
      return *number;
    return 1;
  }

  const toml::table &table;
  std::string path;
  Problems &problems;
  std::set<std::string> known;
};

constexpr double giga = 1e9, mega = 1e6, micro = 1e-6;

void readDevice(Section &in, Device &device) {
  std::string kind;
  in.text("kind", kind);
  device.gpu = kind == "gpu";
  if (!kind.empty() && !device.gpu && kind != "cpu")
    in.complain("kind", "'device.kind' requires \"gpu\" or \"cpu\"");
  in.count("per_node", device.perNode);
  in.number("memory_gb", device.memory, giga);
  in.number("memory_gbs", device.memoryBandwidth, giga);
  in.number("f32_gflops", device.f32, giga);
  in.number("f64_gflops", device.f64, giga);
  in.number("launch_us", device.launch, micro, /*positive=*/false);
}

/// For which amounts of bytes the figures of a section stand.
std::vector<double> readSizes(Section &in) {
  std::vector<double> sizes;
  in.optionalNumbers("sizes_mb", sizes, mega);
  if (!in.growing("sizes_mb", sizes))
    sizes.resize(1);
  return sizes;
}

void readEfficiency(Section &in, FFTEfficiency &fft) {
  std::vector<double> lengths;
  in.numbers("lengths", lengths);
  for (double length : lengths)
    fft.lengths.push_back(int64_t(std::min(length, 1e15)));
  for (size_t i = 0; i < lengths.size(); ++i)
    if (double(fft.lengths[i]) != lengths[i] ||
        (i > 0 && lengths[i] <= lengths[i - 1])) {
      in.complain("lengths", "'fft.lengths' requires growing whole numbers");
      break;
    }
  const std::vector<double> sizes = readSizes(in);
  in.curves("f32", fft.f32, lengths.size(), sizes);
  in.curves("f64", fft.f64, lengths.size(), sizes);
}

void readLink(Section &in, Link &link) {
  in.number("latency_us", link.latency, micro, /*positive=*/false);
  in.number("gbs", link.bandwidth, giga);
  in.optional("pair_gbs", link.pair, giga);
  in.optional("staged_gbs", link.staged, giga);
  in.optional("crowding", link.crowding);
}

void readLibrary(Section &in, Library &library) {
  in.text("transport", library.transport);
  in.number("transpose_passes", library.transposePasses, 1, false);
  in.optional("transform_passes", library.transformPasses);
  in.optional("inverse_passes", library.inversePasses);
  in.optional("reorder_passes", library.reorderPasses);
  in.optional("axes_latency_us", library.axesLatency, micro);
  in.optional("inverse_axes_passes", library.inverseAxesPasses);
  in.optional("inverse_axes_traffic", library.inverseAxesTraffic);
}

void readMachine(Section &in, Machine &machine) {
  in.text("description", machine.description);
  in.count("ranks_per_node", machine.ranksPerNode);
  in.count("nodes", machine.nodes);
  in.section("device", [&](Section &s) { readDevice(s, machine.device); });
  in.section("host", [&](Section &s) {
    s.number("memory_gb", machine.hostMemory, giga);
    s.number("memory_gbs", machine.hostMemoryBandwidth, giga);
  });
  in.section("fft", [&](Section &s) { readEfficiency(s, machine.fft); });
  in.optionalSection("kernels", [&](Section &s) {
    const std::vector<double> sizes = readSizes(s);
    Kernels &kernels = machine.kernels;
    s.curve("readout_gcells", kernels.readout, sizes, giga);
    s.curve("paint_gcells", kernels.paint, sizes, giga);
    s.curve("reach_gpositions", kernels.displacementBound, sizes, giga);
    s.curve("gfunctions", kernels.functions, sizes, giga);
    s.curve("glookups", kernels.lookups, sizes, giga);
  });
  in.section("transports", [&](Section &s) {
    s.entries([&](const std::string &name, Section &entry) {
      Transport &transport = machine.transports[name];
      entry.section("inside",
                    [&](Section &link) { readLink(link, transport.inside); });
      if (machine.nodes > 1)
        entry.section("between", [&](Section &link) {
          readLink(link, transport.between);
        });
      entry.optional("overlap", transport.overlap);
      if (transport.overlap > 1)
        entry.complain("overlap",
                       "'" + entry.name("overlap") + "' is a share, at most 1");
    });
  });
  in.section("libraries", [&](Section &s) {
    s.entries([&](const std::string &name, Section &entry) {
      Library &library = machine.libraries[name];
      readLibrary(entry, library);
      if (!library.transport.empty() &&
          !machine.getTransport(library.transport))
        entry.complain("transport",
                       "there is no transport '" + library.transport + "'");
    });
    s.find("pmc");
  });
}

bool isPath(llvm::StringRef text) {
  return text.contains('/') || text.ends_with(".toml");
}

std::string getFolder(llvm::StringRef libraryFolder) {
  return (libraryFolder + "/pmc/machines").str();
}

} // namespace

double Curve::at(double bytes) const {
  if (values.empty())
    return 0;
  const size_t next = size_t(llvm::lower_bound(sizes, bytes) - sizes.begin());
  if (next == 0)
    return values.front();
  if (next >= values.size())
    return values.back();
  const double part = std::log(bytes / sizes[next - 1]) /
                      std::log(sizes[next] / sizes[next - 1]);
  return values[next - 1] + part * (values[next] - values[next - 1]);
}

llvm::Expected<Machine> Machine::parse(llvm::StringRef text,
                                       llvm::StringRef file) {
  Problems problems(file);
  toml::parse_result parsed =
      toml::parse(std::string_view(text.data(), text.size()));
  if (!parsed) {
    problems.add(parsed.error().source(),
                 std::string(parsed.error().description()));
    return problems.take();
  }
  Machine machine;
  machine.name = llvm::sys::path::stem(file).str();
  {
    Section whole(parsed.table(), "", problems);
    readMachine(whole, machine);
  }
  if (!problems.none())
    return problems.take();
  return machine;
}

llvm::Expected<Machine> Machine::load(llvm::StringRef nameOrPath,
                                      llvm::StringRef libraryFolder) {
  std::string path = nameOrPath.str();
  if (!isPath(path))
    path = getFolder(libraryFolder) + "/" + path + ".toml";
  llvm::Expected<std::string> text = readFile(path, /*most=*/1 << 24);
  if (text)
    return parse(*text, path);
  const std::string problem = llvm::toString(text.takeError());
  if (isPath(nameOrPath))
    return llvm::createStringError("cannot read '" + path + "': " + problem);
  return llvm::createStringError("there is no machine '" + nameOrPath +
                                 "', only " +
                                 llvm::join(getShipped(libraryFolder), ", ") +
                                 "; files have a '/' or end in '.toml'");
}

std::vector<std::string> Machine::getShipped(llvm::StringRef libraryFolder) {
  std::vector<std::string> names;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(getFolder(libraryFolder), error),
       end;
       it != end && !error; it.increment(error))
    if (llvm::sys::path::extension(it->path()) == ".toml")
      names.push_back(llvm::sys::path::stem(it->path()).str());
  llvm::sort(names);
  return names;
}

const Transport *Machine::getTransport(llvm::StringRef wanted) const {
  auto found = transports.find(std::string_view(wanted));
  return found == transports.end() ? nullptr : &found->second;
}

const Library *Machine::getLibrary(llvm::StringRef wanted) const {
  auto found = libraries.find(std::string_view(wanted));
  return found == libraries.end() ? nullptr : &found->second;
}
