//===- Hdf5Reader.cpp - Reading HDF5 files --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Files/Exact.h"
#include "runtime/IO/Files/GlobalHeap.h"
#include "runtime/IO/Formats/Hdf5/Hdf5.h"
#include "runtime/IO/Formats/Hdf5/Hdf5Handles.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>

using namespace pmrt;
using namespace pmrt::hdf5;

/// How files and objects in them are opened: not where an external link leads,
/// which may be any file of this user.
static Id inThisFile(bool *met) {
  Id access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_elink_cb(
      access,
      [](const char *, const char *, const char *, const char *, unsigned *,
         hid_t, void *data) -> herr_t {
        *static_cast<bool *>(data) = true;
        return -1;
      },
      met);
  return access;
}

namespace {
/// The contents of a group, usually of the root group.
struct RootContents {
  std::vector<std::string> datasets, groups;
  bool external = false;

  /// "'/a', '/b'", for a message; `of`: the path of the group, or empty.
  std::string text(const std::string &of = "") const {
    if (!datasets.empty())
      return fmt::format("'{}'", fmt::join(datasets, "', '"));
    const char *none =
        of.empty() ? "no dataset in its root group" : "no dataset";
    return groups.empty() ? none
                          : fmt::format("{}, but the groups '{}'", none,
                                        fmt::join(groups, "', '"));
  }
};
} // namespace

static RootContents rootContents(hid_t file) {
  RootContents visit;
  H5Literate(
      file, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr,
      [](hid_t group, const char *name, const H5L_info_t *,
         void *data) -> herr_t {
        auto &visit = *static_cast<RootContents *>(data);
        const Id access = inThisFile(&visit.external);
        Id object(H5Oopen(group, name, access), H5Oclose);
        if (object.good() && H5Iget_type(object) == H5I_DATASET)
          visit.datasets.push_back(std::string("/") + name);
        if (object.good() && H5Iget_type(object) == H5I_GROUP)
          visit.groups.push_back(std::string("/") + name);
        return 0;
      },
      &visit);
  H5Eclear2(H5E_DEFAULT);
  return visit;
}

/// The contents of a group with their paths. Absent if `name` is not a group.
static std::optional<RootContents> contentsOf(hid_t file,
                                              const std::string &name) {
  bool external = false;
  const Id access = inThisFile(&external);
  const Id group(H5Oopen(file, name.c_str(), access), H5Oclose);
  H5Eclear2(H5E_DEFAULT);
  if (!group.good() || H5Iget_type(group) != H5I_GROUP)
    return std::nullopt;
  RootContents contents = rootContents(group);
  const size_t end = name.find_last_not_of('/');
  for (auto *paths : {&contents.datasets, &contents.groups})
    for (std::string &path : *paths)
      path = (end == std::string::npos ? "" : name.substr(0, end + 1)) + path;
  return contents;
}

/// The contents of the deepest group that exists on the path to a dataset.
static std::string contentsNear(hid_t file, std::string path,
                                const RootContents &root) {
  for (size_t slash = path.rfind('/'); slash != std::string::npos && slash > 0;
       slash = path.rfind('/')) {
    path.resize(slash);
    if (const auto contents = contentsOf(file, path))
      return fmt::format("the group '{}' has {}", path, contents->text(path));
  }
  return "it has " + root.text();
}

static Id openDataset(hid_t file, const std::string &name, bool &external) {
  const Id access = inThisFile(&external);
  return Id(H5Dopen2(file, name.c_str(), access), H5Dclose);
}

std::string pmrt::rawDataGroup(const std::string &path,
                               const std::string &dataset) {
  ReadSession session(path);
  const Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const std::string group =
      dataset.empty() ? "dataset" : dataset.substr(dataset[0] == '/');
  bool external = false, found = file.good();
  for (const char *inside : {"", "/xml", "/data"}) {
    // Links into other files are not followed.
    const Id access = inThisFile(&external);
    found =
        found &&
        Id(H5Oopen(file, (group + inside).c_str(), access), H5Oclose).good();
  }
  H5Eclear2(H5E_DEFAULT);
  return found ? group : "";
}

/// The name that HDF5 gives, of any length.
template <typename Get> static std::string nameOf(const Get &get) {
  const ssize_t size = get(nullptr, 0);
  std::string name(size_t(std::max<ssize_t>(size, 0)), '\0');
  if (size > 0)
    get(name.data(), size_t(size) + 1);
  return name;
}

/// What a virtual dataset is made of is in other files, and HDF5 gives zeros
/// for what it does not find. Throws unless all of it is there.
static void checkSources(const std::string &path, hid_t file, hid_t set,
                         hid_t creation) {
  size_t count = 0;
  H5Pget_virtual_count(creation, &count);
  hssize_t covered = 0;
  for (size_t i = 0; i < count; ++i) {
    const std::string from = nameOf([&](char *to, size_t size) {
      return H5Pget_virtual_filename(creation, i, to, size);
    });
    const std::string name = nameOf([&](char *to, size_t size) {
      return H5Pget_virtual_dsetname(creation, i, to, size);
    });
    auto fail = [&](const std::string &why) {
      return std::runtime_error(
          fmt::format("is a virtual dataset, whose source '{}' in '{}' {}; "
                      "copy all into one file (h5py: out['data'] = set[:])",
                      name, from, why));
    };
    // As HDF5 searches: as it is, beside the file, in the current folder.
    namespace fs = std::filesystem;
    std::error_code error;
    fs::path there = fs::path(path).parent_path() / from;
    if (!fs::exists(there, error))
      there = from;
    Id other(from == "." ? H5Freopen(file)
                         : H5Fopen(there.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
             H5Fclose);
    if (!other.good())
      throw fail("cannot be opened");
    bool external = false;
    const Id source = openDataset(other, name, external);
    if (!source.good())
      throw fail(external ? "is an external link" : "does not exist");
    const Id facts(H5Dget_create_plist(source), H5Pclose);
    if (H5Pget_external_count(facts) > 0 || H5Pget_layout(facts) == H5D_VIRTUAL)
      throw fail("stores no numbers itself");
    const Id place(H5Pget_virtual_vspace(creation, i), H5Sclose);
    const Id has(H5Dget_space(source), H5Sclose);
    if (H5Sget_select_npoints(place) <= 0 ||
        H5Sget_simple_extent_npoints(has) < H5Sget_select_npoints(place))
      throw fail("is smaller than the part that is used");
    covered += H5Sget_select_npoints(place);
  }
  const Id space(H5Dget_space(set), H5Sclose);
  if (covered < H5Sget_simple_extent_npoints(space))
    throw std::runtime_error(fmt::format(
        "is a virtual dataset, whose sources fill only {} of its {} elements",
        covered, H5Sget_simple_extent_npoints(space)));
}

/// Throws if reading the dataset would read what is not an HDF5 file, or give
/// zeros for what is not there.
static void checkStorage(const std::string &path, hid_t file, hid_t set) {
  const Id creation(H5Dget_create_plist(set), H5Pclose);
  if (const int files = H5Pget_external_count(creation); files > 0) {
    std::array<char, 256> name = {};
    off_t offset = 0;
    hsize_t size = 0;
    H5Pget_external(creation, 0, name.size() - 1, name.data(), &offset, &size);
    throw std::runtime_error(fmt::format(
        "is stored in another file, '{}', which is not read; copy it into one "
        "file (h5py: out['data'] = set[:])",
        name.data()));
  }
  for (int i = 0; i < H5Pget_nfilters(creation); ++i) {
    std::array<char, 64> name = {};
    unsigned flags = 0, config = 0;
    size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(creation, unsigned(i), &flags, &values, nullptr,
                       name.size() - 1, name.data(), &config);
    if (H5Zfilter_avail(filter) > 0)
      continue;
    H5Eclear2(H5E_DEFAULT);
    throw std::runtime_error(
        fmt::format("is compressed with the filter '{}' (number {}), which the "
                    "installed HDF5 library does not support; use another "
                    "filter (h5repack -f GZIP=4)",
                    name.data(), int(filter)));
  }
  if (H5Pget_layout(creation) == H5D_VIRTUAL)
    checkSources(path, file, set, creation);
}

/// What a packed chunk takes when it is unpacked: filters work on all of it,
/// and two of them in turn. Chunks that are not packed are read in parts.
static int64_t unpackedBytes(hid_t set, size_t element) {
  const Id creation(H5Dget_create_plist(set), H5Pclose);
  const int filters = H5Pget_nfilters(creation);
  if (filters <= 0 || H5Pget_layout(creation) != H5D_CHUNKED)
    return 0;
  std::array<hsize_t, H5S_MAX_RANK> sides = {};
  const int rank = H5Pget_chunk(creation, H5S_MAX_RANK, sides.data());
  auto bytes = double(element) * (filters > 1 ? 2 : 1);
  for (int d = 0; d < rank; ++d)
    bytes *= double(sides[size_t(d)]);
  return int64_t(std::min(bytes, 0x1p62));
}

/// What the parts of complex numbers are called: compounds of two floats, by
/// h5py and by MATLAB.
static constexpr std::array<std::array<const char *, 2>, 2> complexNames = {
    complexParts, {"real", "imag"}};

/// Which of these the members of a type are called; null: it is not complex.
static const std::array<const char *, 2> *complexMembers(hid_t type) {
  if (H5Tget_class(type) != H5T_COMPOUND || H5Tget_nmembers(type) != 2)
    return nullptr;
  for (const auto &names : complexNames) {
    bool same = true;
    for (unsigned m = 0; m < 2; ++m) {
      char *name = H5Tget_member_name(type, m);
      same = same && name && std::string(name) == names[m] &&
             H5Tget_member_class(type, m) == H5T_FLOAT;
      H5free_memory(name);
    }
    if (same)
      return &names;
  }
  return nullptr;
}

bool pmrt::isHdf5File(const std::string &path) {
  ReadSession session(path);
  const bool is = H5Fis_hdf5(path.c_str()) > 0;
  H5Eclear2(H5E_DEFAULT);
  return is;
}

/// The text of an attribute as `writeAttribute` makes it, if there is one.
static std::optional<std::string>
textAttribute(const std::string &path, hid_t object, const char *name) {
  if (H5Aexists(object, name) <= 0)
    return std::nullopt;
  Id attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  Id type(H5Aget_type(attribute), H5Tclose);
  Id space(H5Aget_space(attribute), H5Sclose);
  char *text = nullptr;
  if (!GlobalHeap::isTextType(type) || H5Sget_simple_extent_npoints(space) != 1)
    return std::nullopt;
  const Id file(H5Iget_file_id(object), H5Fclose);
  if (!GlobalHeap(path, file).hasText(object, name))
    throw std::runtime_error(fmt::format(
        "is damaged: its attribute '{}' cannot be read as a string", name));
  if (H5Aread(attribute, type, static_cast<void *>(&text)) < 0 || !text)
    return std::nullopt;
  std::string result = text;
  H5free_memory(text);
  return result;
}

Hdf5Reader::Hdf5Reader(const std::string &path, const std::string &dataset)
    : path(path), name(dataset) {
  ReadSession session(path);
  Id opened(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!opened.good()) {
    const std::string why = reason();
    throw std::runtime_error(
        why == std::strerror(EAGAIN)
            ? "is locked: another program has it open for writing; wait for "
              "that program, or set HDF5_USE_FILE_LOCKING=FALSE to read the "
              "file as it is"
            : fmt::format("is not an HDF5 file ({})", why));
  }
  const RootContents all = rootContents(opened);
  if (name.empty()) {
    if (all.datasets.size() != 1)
      throw std::runtime_error(
          fmt::format("has {}; name one as FILE:/DATASET", all.text()));
    name = all.datasets.front();
  }
  bool external = false;
  Id object = openDataset(opened, name, external);
  if (!object.good()) {
    H5Eclear2(H5E_DEFAULT);
    if (external)
      throw std::runtime_error(
          fmt::format("has an external link on the path to '{}', which is not "
                      "followed; name the file that the link refers to",
                      name));
    if (const auto contents = contentsOf(opened, name))
      throw std::runtime_error(fmt::format(
          "'{}' is a group, {}", name,
          contents->datasets.empty()
              ? "which has " + contents->text(name)
              : fmt::format("and its datasets are {}; name one of them",
                            contents->text(name))));
    throw std::runtime_error(fmt::format("has no dataset '{}'; {}", name,
                                         contentsNear(opened, name, all)));
  }
  try {
    checkStorage(path, opened, object);
  } catch (const std::runtime_error &e) {
    throw std::runtime_error(fmt::format("'{}' {}", name, e.what()));
  }
  Id space(H5Dget_space(object), H5Sclose);
  std::vector<hsize_t> sizes(
      size_t(std::max(0, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  extents.assign(sizes.begin(), sizes.end());

  Id type(H5Dget_type(object), H5Tclose);
  chunkBytes = unpackedBytes(object, H5Tget_size(type));
  const size_t bits = 8 * H5Tget_size(type);
  switch (H5Tget_class(type)) {
  case H5T_FLOAT:
    real = true;
    typeText = fmt::format("float{}", bits);
    break;
  case H5T_INTEGER:
    integer = true;
    typeText = fmt::format("{}int{}",
                           H5Tget_sign(type) == H5T_SGN_NONE ? "u" : "", bits);
    break;
  case H5T_ENUM: {
    Id base(H5Tget_super(type), H5Tclose);
    integer = H5Tget_class(base) == H5T_INTEGER && bits == 8;
    typeText = "bool";
    break;
  }
  case H5T_COMPOUND:
    complex = complexMembers(type) != nullptr;
    typeText = complex ? fmt::format("complex{}", bits) : "compound";
    break;
  case H5T_STRING:
    typeText = "string";
    break;
  default:
    typeText = "unknown type";
  }
  // Others may write units in another way.
  if (textAttribute(path, object, "program"))
    unitText = textAttribute(path, object, "unit");
  // Keep these two open.
  H5Iinc_ref(opened);
  H5Iinc_ref(object);
  file = opened;
  set = object;
}

Hdf5Reader::~Hdf5Reader() {
  ReadSession session(path);
  H5Dclose(set);
  H5Fclose(file);
}

std::optional<std::string>
Hdf5Reader::attribute(const std::string &attribute) const {
  ReadSession session(path);
  if (H5Aexists(set, attribute.c_str()) <= 0)
    return std::nullopt;
  if (auto text = textAttribute(path, set, attribute.c_str()))
    return text;
  // Of a fixed length.
  Id found(H5Aopen(set, attribute.c_str(), H5P_DEFAULT), H5Aclose);
  Id type(H5Aget_type(found), H5Tclose);
  Id space(H5Aget_space(found), H5Sclose);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0 ||
      H5Sget_simple_extent_npoints(space) != 1)
    return "";
  std::string text(H5Tget_size(type), '\0');
  if (H5Aread(found, type, text.data()) < 0)
    return "";
  return text.substr(0, text.find('\0'));
}

void Hdf5Reader::eachPart(
    const std::function<void(const void *, size_t)> &visit) const {
  // Rows of the first axis, some at a time.
  std::vector<hsize_t> count(extents.begin(), extents.end()),
      start(extents.size(), 0);
  size_t element = 0, row = 1;
  {
    ReadSession session(path);
    Id type(H5Dget_type(set), H5Tclose);
    element = H5Tget_size(type);
  }
  row = element;
  for (size_t axis = 1; axis < count.size(); ++axis)
    row *= size_t(count[axis]);
  const hsize_t rows = count.empty() ? 1 : count[0];
  const hsize_t most =
      std::max<hsize_t>(1, (size_t(16) << 20) / std::max<size_t>(1, row));
  std::vector<char> part;
  for (hsize_t at = 0; at < rows; at += most) {
    const hsize_t size = std::min(most, rows - at);
    part.resize(size * row);
    if (part.empty())
      continue;
    {
      ReadSession session(path);
      Id type(H5Dget_type(set), H5Tclose);
      Id space(H5Dget_space(set), H5Sclose);
      Id memory(H5Scopy(space), H5Sclose);
      if (!count.empty()) {
        start[0] = at;
        count[0] = size;
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr,
                            count.data(), nullptr);
        H5Sset_extent_simple(memory, int(count.size()), count.data(), nullptr);
      }
      if (H5Dread(set, type, memory, space, H5P_DEFAULT, part.data()) < 0)
        throw std::runtime_error(
            fmt::format("'{}' cannot be read: {}", name, reason()));
    }
    visit(part.data(), part.size());
  }
}

void Hdf5Reader::read(pmrt_element element, const std::vector<int64_t> &start,
                      const std::vector<int64_t> &count, void *out) const {
  ReadSession session(path);
  Id space(H5Dget_space(set), H5Sclose);
  Id memorySpace(H5Scopy(space), H5Sclose);
  if (!extents.empty()) {
    const std::vector<hsize_t> from(start.begin(), start.end()),
        size(count.begin(), count.end());
    H5Sselect_hyperslab(space, H5S_SELECT_SET, from.data(), nullptr,
                        size.data(), nullptr);
    H5Sset_extent_simple(memorySpace, int(size.size()), size.data(), nullptr);
  }
  Id stored(H5Dget_type(set), H5Tclose);
  if (integer && isFloat(element)) {
    // The library would round integers that the element cannot hold.
    int64_t cells = 1;
    for (const int64_t extent : count)
      cells *= extent;
    std::vector<int64_t> whole(static_cast<size_t>(cells));
    const bool isSigned = typeText != "uint64";
    read(isSigned ? PMRT_I64 : PMRT_U64, start, count, whole.data());
    const auto convert = [&](auto *to) {
      using T = std::remove_pointer_t<decltype(to)>;
      for (const int64_t value : whole)
        *to++ = isSigned ? exactly<T>(value) : exactly<T>(uint64_t(value));
    };
    return element == PMRT_F32 ? convert(static_cast<float *>(out))
                               : convert(static_cast<double *>(out));
  }
  // A bool enum reads as its integers.
  const auto *parts = complexMembers(stored);
  Id type(H5Tget_class(stored) == H5T_ENUM && element == PMRT_I8
              ? H5Tcopy(stored)
              : typeOf(element, true, parts ? *parts : complexParts),
          H5Tclose);
  if (H5Dread(set, type, memorySpace, space, H5P_DEFAULT, out) < 0)
    throw std::runtime_error(fmt::format("cannot be read: {}", reason()));
}
