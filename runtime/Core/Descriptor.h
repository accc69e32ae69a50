//===- Descriptor.h - The compiler's description of a program ---*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parsed form of the JSON in pmrt_program::descriptor. The format is
// documented in runtime/doc/descriptor.md.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_DESCRIPTOR_H
#define PMRT_CORE_DESCRIPTOR_H

#include "pmrt/pmrt.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pmrt {

/// Size of one element in bytes.
int64_t elementSize(pmrt_element element);
/// "f32", "c64", ...
const char *elementName(pmrt_element element);
/// Of bf16 and f16, which no file has: the compiler makes them longer before.
[[noreturn]] void refuseReducedPrecision(pmrt_element element);
/// Whether values are made of floating-point numbers, and how many.
bool isFloat(pmrt_element element);
bool isComplex(pmrt_element element);

enum class ParamType { F64, Int, U64, Bool };

/// A parameter's value: `real` for f64, `bits` for the others (u64 as its two's
/// complement bits).
struct ParamValue {
  double real = 0;
  int64_t bits = 0;
};

struct Parameter {
  std::string name;
  ParamType type = ParamType::F64;
  std::string unit;
  std::string doc;
  std::optional<ParamValue> initial; ///< the default
  bool optional = false;
  std::optional<double> min, max;
  bool minOpen = false, maxOpen = false;
};

/// "f64", "int", "u64" or "bool".
const char *typeName(ParamType type);
/// The value as a user would write it.
std::string valueText(const Parameter &param, const ParamValue &value);
/// "(0, 1)", "at least 1", or empty when every value is good.
std::string rangeText(const Parameter &param);
/// Whether the value lies in the parameter's range.
bool inRange(const Parameter &param, const ParamValue &value);

enum class InputKind { Field, Table };

struct Input {
  std::string name;
  InputKind kind = InputKind::Field;
  bool optional = false;
  std::vector<int32_t> dims; ///< of a stream, those of a sample
  pmrt_element element = PMRT_F32;
  std::string unit;
  std::string doc;
  bool streamed = false;
  int64_t samples = 0;              ///< of a stream; 0: as the file says
  std::vector<std::string> columns; ///< of a table, if the spec names them
  int32_t ahead = -1;               ///< buffer of what is prefetched; -1: none

  /// The flag of the file. Several inputs have one flag: the members of a
  /// record, `net/weight`, and the parts of a table over several axes.
  std::string flag() const { return name.substr(0, name.find('/')); }
};

/// The part of a table that an input is: two columns, or the points of one axis
/// or the values of a table over several axes.
struct TablePart {
  std::vector<std::string> axes;  ///< empty for a table over one axis
  std::vector<std::string> units; ///< of the axes, and that of the values
  std::string values;             ///< the name of the values
  size_t axis = 0;                ///< axes.size(): the values

  bool isGrid() const { return !axes.empty(); }
  bool isValues() const { return axis == axes.size(); }
};
TablePart tablePart(const std::vector<Input> &inputs, size_t index);

enum class OutputKind { Field, Scalars };

struct Output {
  std::string name;
  OutputKind kind = OutputKind::Field;
  std::string unit;
  std::vector<std::string> columns;
  bool flatten = false;
  pmrt_element element = PMRT_F64; ///< of numbers, and of complex fields
  std::vector<int32_t> dims;       ///< of a field; empty: not told
  std::string doc;
  int64_t loops = 0; ///< around it, whose iterations are in its file's name
  /// The arrays of a field or record: one a component. Empty: not told.
  struct Part {
    pmrt_element element = PMRT_F32;
    std::vector<int32_t> dims;
  };
  std::vector<Part> parts;
  int64_t count = 0; ///< of scalars; 0: not told

  /// Whether columns are paths of datasets: those of the members of a record.
  bool isRecord() const {
    return !columns.empty() && columns.front().starts_with('/');
  }
};

struct Plot {
  std::string name;
  std::string title;
  std::string subtitle;
  /// Names of the axes and of the color bar; empty: those of dims and parts.
  std::string xlabel, ylabel, clabel;
  std::vector<std::string> labels, units; ///< of the parts
  std::vector<std::string> axes;          ///< units of the dims' lengths
  /// Of what is sliced: dim, first cell, the one behind the last, unit.
  std::vector<std::string> slices;
  bool log = false; ///< of colours, or y
  bool xlog = false;
  /// Both ends of the axes and of the colors as the spec gives them; or empty.
  std::vector<double> xrange, yrange, crange;
  /// Of the units of the sides, in those of the dims' lengths.
  double xunitSize = 1, yunitSize = 1;
  /// Whose unit the spec asks for: "x", "y", "c", "contours".
  std::vector<std::string> asked;
  std::string colormap; ///< empty: chosen by the values
  /// What each part is, if not as usual: "x", "line", "points", "low", "high"
  /// (of a band), "map", "contours".
  std::vector<std::string> styles;
  bool histogram = false;
  bool bins = false;         ///< the dim is that of bins
  std::string heading;       ///< of a figure with panels, may be empty
  std::vector<int64_t> rows; ///< panels in each row; empty: one in all
  bool shared = false;       ///< scales of all panels
  /// The figure that it is a part of, and which one: panel `a.2` of `a` is 1.
  std::string figure;
  size_t panel = 0;
  int64_t loops = 0;      ///< as of an output
  std::string projection; ///< of a map
};

enum class DimKind { Space, Dual, Half };

struct Dim {
  std::string name;
  int64_t extent = 0; ///< full number of cells; a half dim stores extent/2 + 1
  int64_t refine = 1;
  DimKind kind = DimKind::Space;
  std::vector<std::string> axes = {};
  std::string of = {}; ///< the space dim of a dual or half one, for messages
  /// Of its length, "" for a plain number; none: it counts a batch.
  std::optional<std::string> lengthUnit = {};

  /// Cells stored along the dimension, over all ranks.
  int64_t stored() const {
    return kind == DimKind::Half ? extent / 2 + 1 : extent;
  }
};

/// "100 Mpc/h", or "100" of a plain number.
std::string lengthText(double length, const Dim &dim);

struct Axis {
  std::string name;
  int64_t extent = 1;
};

/// A buffer of the memory plan, live on [start, end], both included.
struct Buffer {
  pmrt_element element = PMRT_F32;
  std::vector<int32_t> dims;
  int64_t start = 0;
  int64_t end = 0;
  std::string name;
  /// The input or output whose memory of the caller can replace the buffer in a
  /// session; "": none.
  std::string input = {}, output = {};
};

/// A transform that the program will do, as pmrt_fft's arguments: its workspace
/// belongs to the memory plan.
struct Transform {
  pmrt_element from = PMRT_F32, to = PMRT_C64;
  std::vector<int32_t> in, out; ///< dims
  uint32_t mask = 0;
  bool inPlace = false;
  bool backward = false;
};

/// A whole number that follows from the program's parameters: a constant, a
/// parameter, or an operation on two others.
struct Count {
  enum class Kind { Constant, Param, Add, Sub, Mul, Div, Min, Max };
  Kind kind = Kind::Constant;
  int64_t value = 0; ///< or the parameter's index
  std::vector<Count> operands;
};

/// States of a loop that the program keeps, as pmrt_checkpoint_store_create's
/// arguments.
struct CheckpointStore {
  struct Field {
    pmrt_element element = PMRT_F32;
    std::vector<int32_t> dims;
  };
  std::vector<Field> fields;
  int64_t numbers = 0;
  int32_t location = -1;
  std::optional<Count> slots; ///< none: known only when the program runs
};

/// A mesh of which ranks read or paint cells that others own.
struct HaloMesh {
  pmrt_element element = PMRT_F32;
  std::vector<int32_t> dims;
};

/// Halos and fields that ranks exchange, in the order of the program.
struct ExchangeStep {
  enum class Kind {
    Exchange, ///< opens a halo, and exchanges it
    Start,    ///< the same, with a Wait later
    Paint,    ///< opens a halo to paint on
    Reduce,   ///< exchanges what was painted, and closes the halo
    Close,    ///< closes a halo
    Reshard,  ///< moves a field to another layout; number 0: without a Wait
    Wait
  };
  Kind kind = Kind::Wait;
  int64_t number = 0; ///< of the halo or the reshard, from 1
  pmrt_element element = PMRT_F32;
  std::vector<int32_t> dims, to; ///< `to`: of a reshard
  /// The widths of a halo. If `moves`, the distance that particles move out of
  /// their rank's cells is added to each of them.
  std::vector<int64_t> below, above;
  bool moves = false;

  bool opens() const {
    return kind == Kind::Exchange || kind == Kind::Start || kind == Kind::Paint;
  }
};

struct ArrayShape {
  pmrt_element element = PMRT_F32;
  std::vector<int32_t> dims;
};

/// The arguments of pmrt_matrices.
struct MatrixShapes {
  int32_t kind = 0, flags = 0, batch = 0;
  std::vector<ArrayShape> in, out;
};

/// The arguments of pmrt_contract, or, with a plan, of pmrt_convolve: both
/// factors and the result.
struct ProductShapes {
  ArrayShape a, b, c;
  std::vector<int64_t> plan;
};

/// A reduction on a GPU: the arguments of pmrt_partials. `items` is the largest
/// argument of pmrt_reduction_blocks; if it is 0, there are `rows` rows.
struct Reduction {
  int64_t items = 0, rows = 0, width = 0;
};

/// A paint on the CPU, as the particles and the mesh of pmrt_scatter; or, where
/// `mesh` is empty, the elements of pmrt_parallel_list.
struct PaintShape {
  std::vector<int32_t> particles, mesh; ///< dims
  bool lattice = false;
  bool cellBlocks = false; ///< sorted by these, too
};

/// A loop at the top level that reports its steps, and what a step surely reads
/// and writes: `times` over the cells of `dims`, so many bytes each.
struct LoopMoves {
  struct Move {
    std::vector<int32_t> dims;
    int64_t bytes = 0;
    Count times;
  };
  int32_t location = -1;
  std::optional<Count> steps; ///< of a new run; none: known only when it runs
  std::vector<Move> moves;
};

struct Descriptor {
  std::string name;
  std::string doc;
  std::string source; ///< the spec's text
  std::string sourceHash;
  std::string spec;  ///< what decides on what it computes, words KEY=VALUE
  std::string built; ///< how it was built: decides on rounding only
  std::string compilerVersion;
  std::string target;
  std::string precision;
  std::vector<Parameter> params;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::vector<Plot> plots;
  std::vector<Dim> dims;
  std::vector<Axis> mesh;
  std::vector<std::string> locations;
  std::vector<Buffer> buffers;
  std::vector<Transform> transforms;
  std::vector<CheckpointStore> stores;
  std::vector<HaloMesh> halos;
  std::vector<PaintShape> paints;
  std::vector<LoopMoves> loops;
  std::vector<ExchangeStep> exchanges;
  std::vector<MatrixShapes> matrices;
  std::vector<ProductShapes> contractions, convolutions; ///< on a GPU
  int64_t tableRows = 0; ///< of all tables; those of loops count once
  int64_t sums = 0;      ///< the most that a pmrt_parallel_reduce makes
  std::vector<Reduction> reductions;    ///< those on a GPU
  bool contracts = false;               ///< calls pmrt_contract, in any order
  std::vector<std::string> checkpoints; ///< the names of their states
  /// The same bits on every mesh are promised.
  bool deterministic = false;

  /// Parses and checks `json`; throws std::runtime_error, which means a
  /// compiler bug or an object from another version.
  static Descriptor parse(const std::string &json);
};

} // namespace pmrt

#endif // PMRT_CORE_DESCRIPTOR_H
