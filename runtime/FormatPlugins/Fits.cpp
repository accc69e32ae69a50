//===- Fits.cpp - The plugin for FITS -------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FormatPlugins/FitsPlugin.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fitsio.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <mutex>
#include <stdexcept>

using namespace pmrt;

/// Ranks may be threads, and the library may not know of threads.
static std::mutex libraryLock;

static void check(int status, const char *what) {
  if (status == 0)
    return;
  std::array<char, FLEN_ERRMSG> text{}, more{};
  fits_get_errstatus(status, text.data());
  std::string why = text.data();
  if (fits_read_errmsg(more.data()) != 0)
    why += fmt::format("; {}", more.data());
  fits_clear_errmsg();
  throw std::runtime_error(fmt::format("{}: {}", what, why));
}

namespace {

struct Element {
  int type; ///< of the library: of an image or, as they differ, of a column
  char kind;
  const char *name;
};

class OpenFits : public FitsArray {
public:
  OpenFits(const std::string &path, const std::string &part) {
    int status = 0;
    fits_open_diskfile(&file, path.c_str(), READONLY, &status);
    check(status, "is not a complete FITS file");
    try {
      find(part);
    } catch (...) {
      close();
      throw;
    }
  }
  OpenFits(const OpenFits &) = delete;
  OpenFits &operator=(const OpenFits &) = delete;
  ~OpenFits() override {
    const std::lock_guard guard(libraryLock);
    close();
  }

  void read(pmrt_element element, const std::vector<int64_t> &start,
            int64_t count, void *out) override;
  void verify() override;

private:
  void find(const std::string &part);
  void close() {
    int status = 0;
    fits_close_file(file, &status);
    fits_clear_errmsg();
  }
  int moveTo(int hdu) {
    int status = 0, type = 0;
    fits_movabs_hdu(file, hdu, &type, &status);
    check(status, "is truncated or damaged");
    return type;
  }
  std::vector<std::string> columnNames();
  bool findImage();
  void useImage(int axes);
  void useColumn(int number);
  std::string keyword(const char *name);
  void findSentinels(bool isTable);

  fitsfile *file = nullptr;
  int column = 0; ///< 0: an image
  int64_t repeat = 1;
  /// Numbers that stand for missing values: healpy's UNSEEN, of columns, and
  /// the value of the keyword BAD_DATA.
  std::vector<double> sentinels;
};

} // namespace

static constexpr double unseen = -1.6375e30;

/// Makes numbers of `out` that stand for missing values NaN. Files have
/// sentinels in f32 or as text, so that they agree to 1e-5, as in healpy.
template <typename Float>
static void markMissing(const std::vector<double> &sentinels, Float *out,
                        int64_t count) {
  for (const double sentinel : sentinels)
    for (int64_t i = 0; i < count; ++i)
      if (std::abs(double(out[i]) - sentinel) <= 1e-5 * std::abs(sentinel))
        out[i] = std::numeric_limits<Float>::quiet_NaN();
}

std::string OpenFits::keyword(const char *name) {
  std::array<char, FLEN_VALUE> value{};
  int status = 0;
  fits_read_key(file, TSTRING, name, value.data(), nullptr, &status);
  fits_clear_errmsg();
  return status ? "" : value.data();
}

void OpenFits::findSentinels(bool isTable) {
  if (isTable)
    sentinels.push_back(unseen);
  double value = 0;
  int status = 0;
  if (fits_read_key(file, TDOUBLE, "BAD_DATA", &value, nullptr, &status) == 0)
    sentinels.push_back(value);
  fits_clear_errmsg();
}

std::vector<std::string> OpenFits::columnNames() {
  int status = 0, count = 0;
  fits_get_num_cols(file, &count, &status);
  check(status, "has a table that cannot be read");
  std::vector<std::string> names;
  for (int i = 1; i <= count; ++i)
    names.push_back(keyword(fmt::format("TTYPE{}", i).c_str()));
  return names;
}

bool OpenFits::findImage() {
  int status = 0, axes = 0;
  fits_get_img_dim(file, &axes, &status);
  check(status, "has an image that cannot be read");
  if (axes == 0)
    return false;
  useImage(axes);
  return true;
}

void OpenFits::useImage(int axes) {
  static constexpr Element elements[] = {
      {BYTE_IMG, 'u', "uint8"},     {SBYTE_IMG, 'i', "int8"},
      {SHORT_IMG, 'i', "int16"},    {USHORT_IMG, 'u', "uint16"},
      {LONG_IMG, 'i', "int32"},     {ULONG_IMG, 'u', "uint32"},
      {LONGLONG_IMG, 'i', "int64"}, {ULONGLONG_IMG, 'u', "uint64"},
      {FLOAT_IMG, 'f', "float32"},  {DOUBLE_IMG, 'f', "float64"}};
  int status = 0, found = 0;
  std::vector<LONGLONG> sizes(static_cast<size_t>(axes));
  fits_get_img_sizell(file, axes, sizes.data(), &status);
  fits_get_img_equivtype(file, &found, &status);
  check(status, "has an image that cannot be read");
  shape.assign(sizes.rbegin(), sizes.rend());
  findSentinels(false);
  for (const Element &element : elements)
    if (element.type == found) {
      kind = element.kind;
      type = element.name;
    }
}

void OpenFits::useColumn(int number) {
  static constexpr Element elements[] = {
      {TBYTE, 'u', "uint8"},     {TSBYTE, 'i', "int8"},
      {TSHORT, 'i', "int16"},    {TUSHORT, 'u', "uint16"},
      {TINT, 'i', "int32"},      {TUINT, 'u', "uint32"},
      {TLONG, 'i', "int32"},     {TULONG, 'u', "uint32"},
      {TLONGLONG, 'i', "int64"}, {TULONGLONG, 'u', "uint64"},
      {TFLOAT, 'f', "float32"},  {TDOUBLE, 'f', "float64"}};
  int status = 0, found = 0;
  LONGLONG each = 0, width = 0, rows = 0;
  fits_get_eqcoltypell(file, number, &found, &each, &width, &status);
  fits_get_num_rowsll(file, &rows, &status);
  check(status, "has a column that cannot be read");
  column = number;
  repeat = std::max<int64_t>(each, 1);
  findSentinels(true);
  type = "of another type than numbers";
  for (const Element &element : elements)
    if (element.type == found) {
      kind = element.kind;
      type = element.name;
    }
  const std::string ordering = keyword("ORDERING");
  const bool isMap = !ordering.empty() || keyword("PIXTYPE") == "HEALPIX";
  if (isMap && !ordering.starts_with("RING"))
    throw std::runtime_error(fmt::format("is a map in the order '{}', expected "
                                         "RING (healpy.reorder converts it)",
                                         ordering));
  if (isMap &&
      (keyword("INDXSCHM") == "EXPLICIT" || keyword("OBJECT") == "PARTIAL"))
    throw std::runtime_error("is a map of a part of the sky with explicit "
                             "pixel numbers, expected all pixels");
  if (isMap || rows == 1 || repeat == 1)
    shape = {rows * repeat};
  else
    shape = {rows, repeat};
}

void OpenFits::find(const std::string &part) {
  int status = 0, count = 0;
  fits_get_num_hdus(file, &count, &status);
  check(status, "is truncated or damaged");
  const bool isNumber =
      !part.empty() && std::all_of(part.begin(), part.end(), [](char c) {
        return std::isdigit(static_cast<unsigned char>(c));
      });
  std::vector<std::string> known;
  for (int hdu = 1; hdu <= count; ++hdu) {
    const bool isTable = moveTo(hdu) != IMAGE_HDU;
    const std::string name = keyword("EXTNAME");
    const bool named =
        part.empty() || (isNumber ? part == std::to_string(hdu - 1)
                                  : !name.empty() && part == name);
    if (!name.empty())
      known.push_back(name);
    if (!isTable) {
      if (named && findImage())
        return;
      continue;
    }
    const std::vector<std::string> columns = columnNames();
    if (named && columns.size() == 1)
      return useColumn(1);
    if (!isNumber)
      if (const auto at = std::find(columns.begin(), columns.end(), part);
          !part.empty() && at != columns.end())
        return useColumn(int(at - columns.begin()) + 1);
    if (named)
      throw std::runtime_error(fmt::format(
          "has a table with the columns {}: select one with FILE:/NAME",
          fmt::join(columns, ", ")));
    known.insert(known.end(), columns.begin(), columns.end());
  }
  throw std::runtime_error(
      part.empty() ? "has no image and no table"
      : known.empty()
          ? fmt::format("has no part '{}', nor any with a name", part)
          : fmt::format("has no part '{}', but {}", part,
                        fmt::join(known, ", ")));
}

void OpenFits::read(pmrt_element element, const std::vector<int64_t> &start,
                    int64_t count, void *out) {
  const std::lock_guard guard(libraryLock);
  const int to = element == PMRT_F32   ? TFLOAT
                 : element == PMRT_F64 ? TDOUBLE
                 : element == PMRT_I64 ? TLONGLONG
                 : element == PMRT_U64 ? TULONGLONG
                                       : TSBYTE;
  // What the file calls blank is not a number. Whole numbers have none that
  // could mean it, so that the library marks them.
  float blank32 = std::numeric_limits<float>::quiet_NaN();
  double blank64 = std::numeric_limits<double>::quiet_NaN();
  void *blank = element == PMRT_F32   ? &blank32
                : element == PMRT_F64 ? static_cast<void *>(&blank64)
                                      : nullptr;
  std::vector<char> isBlank(blank ? 0 : size_t(count));
  int status = 0, any = 0;
  if (column == 0) {
    std::vector<LONGLONG> first;
    for (size_t a = start.size(); a-- > 0;)
      first.push_back(start[a] + 1);
    if (blank)
      fits_read_pixll(file, to, first.data(), count, blank, out, &any, &status);
    else
      fits_read_pixnullll(file, to, first.data(), count, out, isBlank.data(),
                          &any, &status);
  } else {
    int64_t at = 0;
    for (size_t a = 0; a < start.size(); ++a)
      at = at * shape[a] + start[a];
    const LONGLONG row = at / repeat + 1, element1 = at % repeat + 1;
    if (blank)
      fits_read_col(file, to, column, row, element1, count, blank, out, &any,
                    &status);
    else
      fits_read_colnull(file, to, column, row, element1, count, out,
                        isBlank.data(), &any, &status);
  }
  check(status, "is truncated or damaged");
  for (int64_t i = 0; !blank && any && i < count; ++i)
    if (isBlank[size_t(i)]) {
      std::vector<int64_t> place = start;
      if (!place.empty())
        place.back() += i;
      throw std::runtime_error(
          fmt::format("has no value in element [{}]: found {}, but each "
                      "element of an integer field needs a value",
                      fmt::join(place, ", "), column ? "TNULL" : "BLANK"));
    }
  if (element == PMRT_F32)
    markMissing(sentinels, static_cast<float *>(out), count);
  else if (element == PMRT_F64)
    markMissing(sentinels, static_cast<double *>(out), count);
}

void OpenFits::verify() {
  const std::lock_guard guard(libraryLock);
  int status = 0, data = 0, all = 0, number = 0;
  fits_verify_chksum(file, &data, &all, &status);
  check(status, "is truncated or damaged");
  if (data >= 0 && all >= 0)
    return; // right, or not told
  fits_get_hdu_num(file, &number);
  const std::string name = keyword("EXTNAME");
  throw std::runtime_error(fmt::format(
      "is damaged or was changed: HDU {}{} has {} than its {} says; get a new "
      "copy of the file, or update its checksums if the change is intended",
      number - 1, name.empty() ? "" : fmt::format(" ('{}')", name),
      data < 0 ? "other data" : "another header",
      data < 0 ? "DATASUM" : "CHECKSUM"));
}

//===----------------------------------------------------------------------===//
// Headers
//===----------------------------------------------------------------------===//

namespace {

/// Lines of 80 characters, in blocks of 36.
class Cards {
public:
  /// Copies: the library requires what it could change.
  void add(std::string key, std::string value) {
    std::array<char, FLEN_CARD> card{};
    std::string comment;
    int status = 0;
    fits_make_key(key.data(), value.data(), comment.data(), card.data(),
                  &status);
    check(status, "cannot be written");
    bytes += fmt::format("{:<80}", card.data());
  }
  void add(const std::string &key, int64_t value) {
    add(key, std::to_string(value));
  }
  void text(const std::string &key, const std::string &value) {
    // What a line holds, of the characters that FITS has; a quote twice.
    std::string quoted = "'";
    for (const char c : value.substr(0, 60)) {
      if (quoted.size() > 65)
        break;
      quoted += c < ' ' || c > '~' ? '?' : c;
      if (c == '\'')
        quoted += c;
    }
    quoted.resize(std::max<size_t>(quoted.size(), 9), ' ');
    add(key, quoted + "'");
  }
  /// With space for checksums, which come when the numbers are there.
  void end() {
    text("CHECKSUM", "0000000000000000");
    text("DATASUM", "0");
    bytes += fmt::format("{:<80}", "END");
    bytes.resize((bytes.size() + 2879) / 2880 * 2880, ' ');
  }

  std::string bytes;
};

} // namespace

static void addMap(Cards &cards, const FitsHeader &header) {
  const bool named = !header.columns.empty();
  const size_t columns = named ? header.columns.size() : 1;
  const int64_t pixels = header.shape.front();
  const char letter = header.element == PMRT_F32   ? 'E'
                      : header.element == PMRT_F64 ? 'D'
                      : header.element == PMRT_I64 ? 'K'
                                                   : 'B';
  const int64_t size = letter == 'E' ? 4 : letter == 'B' ? 1 : 8;
  cards.add("SIMPLE", "T");
  cards.add("BITPIX", 8);
  cards.add("NAXIS", 0);
  cards.add("EXTEND", "T");
  cards.end();
  cards.text("XTENSION", "BINTABLE");
  cards.add("BITPIX", 8);
  cards.add("NAXIS", 2);
  cards.add("NAXIS1", pixels * size * int64_t(columns));
  cards.add("NAXIS2", 1);
  cards.add("PCOUNT", 0);
  cards.add("GCOUNT", 1);
  cards.add("TFIELDS", int64_t(columns));
  for (size_t i = 0; i < columns; ++i) {
    const std::string number = std::to_string(i + 1);
    cards.text("TTYPE" + number, named ? header.columns[i] : header.name);
    cards.text("TFORM" + number, fmt::format("{}{}", pixels, letter));
    if (!header.unit.empty())
      cards.text("TUNIT" + number, header.unit);
  }
  cards.text("EXTNAME", header.name);
  cards.text("PIXTYPE", "HEALPIX");
  cards.text("ORDERING", "RING");
  cards.add("NSIDE", header.nside);
  cards.add("FIRSTPIX", 0);
  cards.add("LASTPIX", pixels - 1);
  cards.text("INDXSCHM", "IMPLICIT");
  cards.text("OBJECT", "FULLSKY");
}

static void addImage(Cards &cards, const FitsHeader &header) {
  const bool named = !header.columns.empty();
  cards.add("SIMPLE", "T");
  cards.add("BITPIX", header.element == PMRT_F32   ? -32
                      : header.element == PMRT_F64 ? -64
                      : header.element == PMRT_I64 ? 64
                                                   : 8);
  const size_t axes = header.shape.size();
  cards.add("NAXIS", int64_t(axes + (named ? 1 : 0)));
  for (size_t a = 1; a <= axes; ++a)
    cards.add(fmt::format("NAXIS{}", a), header.shape[axes - a]);
  if (named)
    cards.add(fmt::format("NAXIS{}", axes + 1), int64_t(header.columns.size()));
  for (size_t a = 1; a <= axes; ++a) {
    const size_t dim = axes - a;
    cards.text(fmt::format("CTYPE{}", a), header.dims[dim]);
    if (header.spacing[dim] <= 0)
      continue;
    // Node 0 lies at 0.
    cards.add(fmt::format("CRPIX{}", a), "1.");
    cards.add(fmt::format("CRVAL{}", a), "0.");
    cards.add(fmt::format("CDELT{}", a),
              fmt::format("{:.15E}", header.spacing[dim]));
    if (!header.spacingUnits[dim].empty())
      cards.text(fmt::format("CUNIT{}", a), header.spacingUnits[dim]);
  }
  if (!header.unit.empty())
    cards.text("BUNIT", header.unit);
  cards.text("OBJECT", header.name);
  for (size_t i = 0; i < header.columns.size(); ++i)
    cards.text(fmt::format("COLUMN{}", i + 1), header.columns[i]);
}

int pmrt_fits_plugin_version() { return PMRT_FITS_PLUGIN_VERSION; }

void pmrt_fits_plugin_open(const std::string &path, const std::string &part,
                           std::unique_ptr<FitsArray> &array) {
  const std::lock_guard guard(libraryLock);
  array = std::make_unique<OpenFits>(path, part);
}

void pmrt_fits_plugin_header(const FitsHeader &header, std::string &bytes) {
  const std::lock_guard guard(libraryLock);
  Cards cards;
  if (header.nside > 0)
    addMap(cards, header);
  else
    addImage(cards, header);
  cards.text("ORIGIN", header.program);
  cards.end();
  bytes = std::move(cards.bytes);
}

/// The library's own way puts the time into comments, and equal runs write
/// equal bytes.
static void addSums(fitsfile *file) {
  int status = 0, count = 0, type = 0;
  fits_get_num_hdus(file, &count, &status);
  for (int hdu = 1; hdu <= count; ++hdu) {
    unsigned long data = 0, all = 0;
    std::array<char, 17> text{};
    fits_movabs_hdu(file, hdu, &type, &status);
    fits_get_chksum(file, &data, &all, &status);
    std::string sum = std::to_string(data);
    fits_modify_key_str(file, "DATASUM", sum.data(), nullptr, &status);
    // The whole sum has that of the data in it, as text, too.
    fits_get_chksum(file, &data, &all, &status);
    fits_encode_chksum(all, /*complm=*/1, text.data());
    fits_modify_key_str(file, "CHECKSUM", text.data(), nullptr, &status);
    check(status, "cannot be given checksums");
  }
}

void pmrt_fits_plugin_sum(const std::string &path) {
  const std::lock_guard guard(libraryLock);
  fitsfile *file = nullptr;
  int status = 0;
  fits_open_diskfile(&file, path.c_str(), READWRITE, &status);
  check(status, "cannot be given checksums");
  try {
    addSums(file);
  } catch (...) {
    status = 0;
    fits_close_file(file, &status);
    fits_clear_errmsg();
    throw;
  }
  fits_close_file(file, &status);
  check(status, "cannot be given checksums");
}
