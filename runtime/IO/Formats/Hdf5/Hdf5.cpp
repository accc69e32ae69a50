//===- Hdf5.cpp - Writing HDF5 files --------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/Hdf5/Hdf5.h"

#include "runtime/IO/Formats/Hdf5/Hdf5Handles.h"

#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

using namespace pmrt;
using namespace pmrt::hdf5;

static Id spaceOf(const std::vector<int64_t> &shape) {
  if (shape.empty())
    return Id(H5Screate(H5S_SCALAR), H5Sclose);
  std::vector<hsize_t> extents(shape.begin(), shape.end());
  return Id(H5Screate_simple(int(extents.size()), extents.data(), nullptr),
            H5Sclose);
}

static bool writeAttribute(hid_t object, const std::string &name, hid_t file,
                           hid_t memory, const std::vector<int64_t> &shape,
                           const void *data) {
  Id space = spaceOf(shape);
  Id attribute(
      H5Acreate2(object, name.c_str(), file, space, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  return attribute.good() && H5Awrite(attribute, memory, data) >= 0;
}

static Id stringType() {
  Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

static bool writeAttribute(hid_t object, const Attribute &attribute) {
  struct Writer {
    hid_t object;
    const std::string &name;
    bool operator()(const std::string &value) const {
      Id type = stringType();
      const char *pointer = value.c_str();
      return writeAttribute(object, name, type, type, {}, &pointer);
    }
    bool operator()(double value) const {
      return writeAttribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {},
                            &value);
    }
    bool operator()(int64_t value) const {
      return writeAttribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, {},
                            &value);
    }
    bool operator()(uint64_t value) const {
      return writeAttribute(object, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, {},
                            &value);
    }
    bool operator()(bool value) const {
      const int8_t byte = value;
      Id type(typeOf(PMRT_I8, false), H5Tclose);
      return writeAttribute(object, name, type, type, {}, &byte);
    }
    bool operator()(const std::vector<double> &value) const {
      return writeAttribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                            {int64_t(value.size())}, value.data());
    }
    bool operator()(const std::vector<uint64_t> &value) const {
      return writeAttribute(object, name, H5T_STD_U64LE, H5T_NATIVE_UINT64,
                            {int64_t(value.size())}, value.data());
    }
    bool operator()(const std::vector<std::string> &value) const {
      Id type = stringType();
      std::vector<const char *> pointers;
      for (const std::string &text : value)
        pointers.push_back(text.c_str());
      return writeAttribute(object, name, type, type, {int64_t(value.size())},
                            pointers.data());
    }
  };
  return std::visit(Writer{object, attribute.name}, attribute.value);
}

/// Where the numbers of a new dataset will be.
static int64_t makeDataset(const Id &file, const PlannedDataset &plan) {
  auto fail = [&] { return std::runtime_error(reason()); };
  Id type(typeOf(plan.element, false), H5Tclose);
  Id space = spaceOf(plan.shape);
  Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_layout(creation, H5D_CONTIGUOUS);
  H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
  H5Pset_obj_track_times(creation, false); // the same run, the same bytes
  Id links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  Id set(H5Dcreate2(file, plan.path.c_str(), type, space, links, creation,
                    H5P_DEFAULT),
         H5Dclose);
  if (!set.good())
    throw fail();
  for (const Attribute &attribute : plan.attributes)
    if (!writeAttribute(set, attribute))
      throw fail();
  const haddr_t offset = H5Dget_offset(set);
  const bool empty = H5Sget_simple_extent_npoints(space) == 0;
  if (offset == HADDR_UNDEF && !empty)
    throw fail();
  return empty ? 0 : int64_t(offset);
}

int64_t pmrt::makeHdf5(const std::string &path, const std::string &dataset,
                       pmrt_element element, const std::vector<int64_t> &shape,
                       const std::vector<Attribute> &attributes) {
  return makeHdf5(path, {{dataset, element, shape, attributes}}).front();
}

/// Writes a text of a fixed length. Programs for snapshots expect this type.
static bool writeFixedText(hid_t object, const std::string &name,
                           const std::string &text) {
  const Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, text.size() + 1);
  return writeAttribute(object, name, type, type, {}, text.c_str());
}

static void makeGroup(const Id &file, const PlannedGroup &plan) {
  const Id creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false); // the same run, the same bytes
  const Id group(
      H5Gcreate2(file, plan.path.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT),
      H5Gclose);
  if (!group.good())
    throw std::runtime_error(reason());
  for (const Attribute &attribute : plan.attributes) {
    const auto *text = std::get_if<std::string>(&attribute.value);
    if (!(text ? writeFixedText(group, attribute.name, *text)
               : writeAttribute(group, attribute)))
      throw std::runtime_error(reason());
  }
}

std::vector<int64_t> pmrt::makeHdf5(const std::string &path,
                                    const std::vector<PlannedDataset> &datasets,
                                    const std::vector<PlannedGroup> &groups) {
  Session session;
  auto fail = [&] { return std::runtime_error(reason()); };
  // The file is private, and OutputFile holds a lock of another kind on it.
  const Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  if (!access.good() || H5Pset_file_locking(access, false, true) < 0)
    throw fail();
  Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access),
          H5Fclose);
  if (!file.good())
    throw fail();
  for (const PlannedGroup &group : groups)
    makeGroup(file, group);
  std::vector<int64_t> offsets;
  for (const PlannedDataset &dataset : datasets)
    offsets.push_back(makeDataset(file, dataset));
  if (!file.close())
    throw fail();
  return offsets;
}
