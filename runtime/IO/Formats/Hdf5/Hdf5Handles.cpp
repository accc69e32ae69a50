//===- Hdf5Handles.cpp - What reading and writing HDF5 share --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/Hdf5/Hdf5Handles.h"

#include <mutex>
#include <string_view>

using namespace pmrt;
using namespace pmrt::hdf5;

static std::recursive_mutex library;

Session::Session() {
  library.lock();
  static std::once_flag once;
  std::call_once(once, [] {
    H5dont_atexit();
    H5open();
  });
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // of this thread
}

Session::~Session() { library.unlock(); }

std::string hdf5::reason() {
  std::string text = "HDF5 gives no reason";
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned n, const H5E_error2_t *error, void *out) -> herr_t {
        if (n == 0 && error->desc)
          *static_cast<std::string *>(out) = error->desc;
        return 0;
      },
      &text);
  H5Eclear2(H5E_DEFAULT);
  // Of an error of the system, what the system says: the rest is a list of
  // addresses and times.
  constexpr std::string_view begin = "error message = '";
  if (const size_t at = text.find(begin); at != std::string::npos)
    if (const size_t end = text.find('\'', at + begin.size());
        end != std::string::npos)
      text = text.substr(at + begin.size(), end - at - begin.size());
  return text;
}

static hid_t complexType(hid_t part, size_t size,
                         const std::array<const char *, 2> &parts) {
  hid_t type = H5Tcreate(H5T_COMPOUND, 2 * size);
  H5Tinsert(type, parts[0], 0, part);
  H5Tinsert(type, parts[1], size, part);
  return type;
}

hid_t hdf5::typeOf(pmrt_element element, bool memory,
                   const std::array<const char *, 2> &parts) {
  const hid_t f32 = memory ? H5T_NATIVE_FLOAT : H5T_IEEE_F32LE;
  const hid_t f64 = memory ? H5T_NATIVE_DOUBLE : H5T_IEEE_F64LE;
  switch (element) {
  case PMRT_F32:
    return H5Tcopy(f32);
  case PMRT_F64:
    return H5Tcopy(f64);
  case PMRT_C64:
    return complexType(f32, 4, parts);
  case PMRT_C128:
    return complexType(f64, 8, parts);
  case PMRT_I8: {
    if (memory)
      return H5Tcopy(H5T_NATIVE_INT8);
    hid_t type = H5Tenum_create(H5T_STD_I8LE);
    const int8_t no = 0, yes = 1;
    H5Tenum_insert(type, "FALSE", &no);
    H5Tenum_insert(type, "TRUE", &yes);
    return type;
  }
  case PMRT_I64:
    return H5Tcopy(memory ? H5T_NATIVE_INT64 : H5T_STD_I64LE);
  case PMRT_U64:
    return H5Tcopy(memory ? H5T_NATIVE_UINT64 : H5T_STD_U64LE);
  case PMRT_BF16:
  case PMRT_F16:
    refuseReducedPrecision(element);
  }
  return -1;
}

Hdf5Lock::Hdf5Lock() {
  library.lock();
  const Session quiet;
}

Hdf5Lock::~Hdf5Lock() { library.unlock(); }
