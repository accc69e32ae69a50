//===- ExpandView.cpp - Views to maps -------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view is a map that reads one cell. Its transposed is a map that adds up the
// cells that read an element: with the index b p + u + o, element i is read by
// p = ⌊(i − o)/b⌋ − k and u = (i − o) mod b + b k, k = 0, 1, …, if there are
// such cells. At edges, also by those that read what stands for i beyond the
// ends. Where many cells read one, the sums along one dim are made first, and
// of them those along the others: what reads is a product over the dims.
//
//===----------------------------------------------------------------------===//

#include "passes/Expand/Expand.h"

#include "dialect/IR/Forms/PMIndexes.h"
#include "dialect/IR/Forms/PMViews.h"

#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// More readings would take longer to compile than anybody waits.
static constexpr int64_t mostReadings = 1024;
/// More are made dim by dim, with a field in between. 27 are not: those of
/// three taps along three dims.
static constexpr int64_t mostAtOnce = 64;

namespace {

/// The index along one dim of what is read.
struct Index {
  size_t dim;
  Value cell;
  bool isNear = false;
  int64_t low = 0, high = 0;
};

/// A reading along one dim: where it is one, if not always.
struct Reading {
  SmallVector<Index, 2> indexes;
  Value isOne;
};

/// Arithmetic of indices, i64.
class Cells {
public:
  Cells(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value constant(int64_t number) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(number));
  }
  /// The element's index along a dim of the domain. Modes below 0 are stored
  /// behind the others.
  Value own(DimAttr dim) {
    Value index = arith::FPToSIOp::create(
        builder, loc, builder.getI64Type(),
        CoordinateOp::create(builder, loc, dim.getLabel()));
    if (dim.isSpace() || dim.isHalf())
      return index;
    return select(atLeast(index, 0), index, add(index, dim.getExtent()));
  }
  Value add(Value a, int64_t b) {
    return b == 0 ? a : arith::AddIOp::create(builder, loc, a, constant(b));
  }
  Value add(Value a, Value b) {
    return arith::AddIOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) {
    return arith::SubIOp::create(builder, loc, a, b);
  }
  Value mul(Value a, int64_t b) {
    return b == 1 ? a : arith::MulIOp::create(builder, loc, a, constant(b));
  }
  /// Of what is not negative.
  Value div(Value a, int64_t b) {
    return b == 1 ? a : arith::DivUIOp::create(builder, loc, a, constant(b));
  }
  Value min(Value a, int64_t b) {
    return arith::MinSIOp::create(builder, loc, a, constant(b));
  }
  Value max(Value a, int64_t b) {
    return arith::MaxSIOp::create(builder, loc, a, constant(b));
  }
  Value equal(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
  }
  Value atLeast(Value a, int64_t b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, a,
                                 constant(b));
  }
  Value atMost(Value a, int64_t b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, a,
                                 constant(b));
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  /// Both of two conditions of which either may be null.
  Value both(Value a, Value b) {
    return !a   ? b
           : !b ? a
                : arith::AndIOp::create(builder, loc, a, b).getResult();
  }
  /// What lies from `low` to `high`, moved by multiples of `cells` to 0 … cells
  /// − 1.
  Value wrap(Value index, int64_t cells, int64_t low, int64_t high) {
    int64_t up = low < 0 ? (cells - 1 - low) / cells * cells : 0;
    if (low + up >= cells)
      up -= (low + up) / cells * cells;
    index = add(index, up);
    if (high + up < cells)
      return index;
    if (high + up < 2 * cells)
      return select(atLeast(index, cells), add(index, -cells), index);
    return arith::RemUIOp::create(builder, loc, index, constant(cells));
  }

private:
  OpBuilder &builder;
  Location loc;
};

//===----------------------------------------------------------------------===//
// One dim
//===----------------------------------------------------------------------===//

class DimReadings {
public:
  DimReadings(Cells &cells, ViewOp op, size_t dim, const ReadIndex &index)
      : cells(cells), read(op.getReadDims()), readers(op.getReadingDims()),
        dim(dim), index(index) {
    if (!op.getStarts().empty())
      start = op.getStarts()[dim];
    int64_t own = index.cells, &offset = this->index.offset;
    if (start || index.edge != Edge::Periodic)
      return;
    // The offset of the least size that reads the same cells.
    int64_t moved = offset % own;
    moved += moved > own / 2 ? -own : moved < -(own / 2) ? own : 0;
    this->index.low += moved - offset;
    this->index.high += moved - offset;
    offset = moved;
  }

  /// Of the domain's elements, `readers`.
  Reading forward() {
    Value cell = start ? start : Value();
    for (const ReadIndex::Term &term : index.terms) {
      Value part = cells.mul(cells.own(readers[term.dim]), term.number);
      cell = cell ? cells.add(cell, part) : part;
    }
    cell = cells.add(cell, index.offset);
    Index made{dim, cell};
    if (!start)
      findNear(made);
    Reading reading;
    if (!start && !index.isInside())
      reading.isOne = applyEdge(made.cell);
    reading.indexes.push_back(made);
    return reading;
  }

  /// Of the domain's elements, `read`.
  SmallVector<Reading> transposed() {
    bool isWhole = index.isInside() || start;
    Value own = cells.own(read[dim]);
    int64_t last = index.cells - 1;
    SmallVector<Reading> readings;
    auto add = [&](Value place, Value isHere) {
      appendReaders(place, isHere, readings);
    };
    if (isWhole || index.edge == Edge::Zero || wrapsBlocks()) {
      add(own, Value());
      return readings;
    }
    switch (index.edge) {
    case Edge::Periodic:
      for (int64_t j = llvm::divideFloorSigned(index.low, index.cells);
           j <= llvm::divideFloorSigned(index.high, index.cells); ++j)
        add(cells.add(own, j * index.cells), Value());
      break;
    case Edge::Clamp:
      add(own, Value());
      for (int64_t place = std::min<int64_t>(index.high, -1);
           place >= index.low; --place)
        add(cells.constant(place), cells.equal(own, cells.constant(0)));
      for (int64_t place = std::max(index.low, last + 1); place <= index.high;
           ++place)
        add(cells.constant(place), cells.equal(own, cells.constant(last)));
      break;
    case Edge::Reflect:
      add(own, Value());
      if (index.low < 0)
        add(cells.mul(own, -1), cells.atLeast(own, 1));
      if (index.high > last)
        add(cells.sub(cells.constant(2 * last), own),
            cells.atMost(own, last - 1));
      break;
    case Edge::Zero:
      break;
    }
    return readings;
  }

  /// How many readings `transposed` gives.
  int64_t countReadings() const { return countPlaces() * getRounds(); }

private:
  /// Indices that a cell is read at: its own, and those beyond the ends.
  int64_t countPlaces() const {
    int64_t last = index.cells - 1;
    if (index.isInside() || start || wrapsBlocks())
      return 1;
    switch (index.edge) {
    case Edge::Periodic:
      return llvm::divideFloorSigned(index.high, index.cells) -
             llvm::divideFloorSigned(index.low, index.cells) + 1;
    case Edge::Zero:
      return 1;
    case Edge::Clamp:
      return 1 + std::max<int64_t>(-index.low, 0) +
             std::max<int64_t>(index.high - last, 0);
    case Edge::Reflect:
      return 1 + int64_t(index.low < 0) + int64_t(index.high > last);
    }
    llvm_unreachable("an edge");
  }
  /// The term that counts blocks, and the one that counts inside of one.
  const ReadIndex::Term &getBlock() const {
    bool isSecond = index.terms.size() == 2 &&
                    index.terms[1].number > index.terms[0].number;
    return index.terms[isSecond];
  }
  const ReadIndex::Term *getInner() const {
    if (index.terms.size() == 1)
      return nullptr;
    return &index.terms[&getBlock() == &index.terms[0]];
  }
  int64_t getWidth() const {
    return getInner() ? readers[getInner()->dim].getExtent() : 1;
  }
  /// Blocks that a cell may be in.
  int64_t getRounds() const {
    return llvm::divideCeil(getWidth(), getBlock().number);
  }
  /// Whether blocks come again as the cells do.
  bool wrapsBlocks() const {
    return index.edge == Edge::Periodic && !start &&
           getBlock().number * readers[getBlock().dim].getExtent() ==
               index.cells;
  }

  /// Whether the cells lie near the element's in one of the readers' dims.
  void findNear(Index &made) const {
    if (index.edge == Edge::Reflect && !index.isInside())
      return;
    int place = View::find(readers, read[dim]);
    for (const ReadIndex::Term &term : index.terms) {
      if (int(term.dim) != place)
        continue;
      View view(read[dim], readers[place]);
      if (view.getShare() != 1 || view.getStep() != term.number)
        continue;
      made.isNear = true;
      made.low = index.offset;
      made.high =
          index.high - term.number * (readers[term.dim].getExtent() - 1);
    }
  }

  /// Moves the cell to an existing one; where it is not 0 instead, if it may
  /// be.
  Value applyEdge(Value &cell) {
    int64_t last = index.cells - 1;
    Value raw = cell;
    switch (index.edge) {
    case Edge::Periodic:
      cell = cells.wrap(cell, index.cells, index.low, index.high);
      return {};
    case Edge::Zero:
      cell = cells.min(cells.max(cell, 0), last);
      return cells.equal(cell, raw);
    case Edge::Clamp:
      cell = cells.min(cells.max(cell, 0), last);
      return {};
    case Edge::Reflect: {
      Value other =
          cells.select(cells.atLeast(cell, 0), cell, cells.mul(cell, -1));
      cell = cells.select(cells.atMost(other, last), other,
                          cells.sub(cells.constant(2 * last), other));
      return {};
    }
    }
    llvm_unreachable("an edge");
  }

  /// The readers of one place along the dim.
  void appendReaders(Value place, Value isHere,
                     SmallVectorImpl<Reading> &readings) {
    const ReadIndex::Term &block = getBlock();
    const ReadIndex::Term *inner = getInner();
    int64_t b = block.number, blocks = readers[block.dim].getExtent();
    int64_t width = getWidth();
    bool wraps = wrapsBlocks();
    Value from = cells.add(place, -index.offset);
    if (start)
      from = cells.sub(from, start);
    // Of blocks that come again, one more round: it is not negative then.
    int64_t least = -index.offset;
    if (wraps && least < 0)
      least += index.cells;
    from = cells.add(from, least + index.offset);
    Value first = isHere;
    if (!wraps)
      first = cells.both(first, cells.atLeast(from, 0));
    Value positive = wraps ? from : cells.max(from, 0);
    Value quotient = cells.div(positive, b);
    for (int64_t k = 0; k < getRounds(); ++k) {
      Value p = cells.add(quotient, -k);
      Value u = cells.sub(positive, cells.mul(p, b));
      Reading reading;
      reading.isOne = first;
      auto require = [&](Value condition) {
        reading.isOne = cells.both(reading.isOne, condition);
      };
      Index at{block.dim, p};
      if (wraps) {
        at.cell = cells.wrap(p, blocks, least / b - k,
                             (least + index.cells - 1) / b - k);
      } else {
        if (k > 0)
          require(cells.atLeast(p, 0));
        require(cells.atMost(p, blocks - 1));
        at.cell = cells.min(cells.max(p, 0), blocks - 1);
      }
      // All but the last round are in the block for certain.
      if ((k + 1) * b > width)
        require(cells.atMost(u, width - 1));
      findNearBlock(at, k);
      reading.indexes.push_back(at);
      if (inner)
        reading.indexes.push_back({inner->dim, cells.min(u, width - 1)});
      readings.push_back(reading);
    }
  }

  /// Whether the block lies near the element.
  void findNearBlock(Index &at, int64_t k) const {
    bool isMoved =
        !index.isInside() && index.edge != Edge::Zero && !wrapsBlocks();
    DimAttr field = readers[at.dim];
    if (start || isMoved || View::find(read, field) != int(dim))
      return;
    View view(field, read[dim]);
    int64_t b = getBlock().number;
    if (view.getStep() != 1 || view.getShare() != b)
      return;
    at.isNear = true;
    at.low = at.high = -index.offset - b * k;
  }

  Cells &cells;
  ArrayRef<DimAttr> read, readers;
  size_t dim;
  ReadIndex index;
  Value start;
};

//===----------------------------------------------------------------------===//
// All dims
//===----------------------------------------------------------------------===//

Value zeroOf(OpBuilder &builder, Location loc, Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  Value zero = arith::ConstantOp::create(
      builder, loc,
      builder.getZeroAttr(complex ? complex.getElementType() : type));
  return complex ? complex::CreateOp::create(builder, loc, type, zero, zero)
                 : zero;
}

Value add(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isa<ComplexType>(a.getType()))
    return complex::AddOp::create(builder, loc, a, b);
  return arith::AddFOp::create(builder, loc, a, b);
}

struct ExpandView : OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ViewOp op,
                                PatternRewriter &rewriter) const override {
    return expand(op, rewriter);
  }

private:
  static LogicalResult expand(ViewOp op, PatternRewriter &rewriter) {
    SmallVector<ReadIndex> indexes = getReadIndexes(op);
    Location loc = op.getLoc();
    auto result = cast<FieldType>(op.getResult().getType());
    SmallVector<int64_t> counts = countReadings(op, indexes, rewriter);
    int64_t count = 1;
    for (int64_t along : counts)
      count = std::min(count, 2 * mostReadings) * along;
    if (count > mostAtOnce)
      if (ViewOp other = divide(op, counts, rewriter)) {
        // No pattern looks at what patterns make.
        ViewOp one = other.getInput().getDefiningOp<ViewOp>();
        return success(succeeded(expand(one, rewriter)) &&
                       succeeded(expand(other, rewriter)));
      }
    if (count > mostReadings)
      return op.emitError("the adjoint of a view adds up more than ")
             << mostReadings
             << " readings of each cell; expected fewer blocks that "
                "overlap, or less beyond the edge";
    auto map = MapOp::create(rewriter, loc, TypeRange(result),
                             DimsAttr::get(op.getContext(), result.getDims()),
                             ValueRange(), ValueRange());
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.createBlock(&map.getBody());
      Cells cells(rewriter, loc);
      SmallVector<Reading> readings(1);
      for (auto [d, index] : llvm::enumerate(indexes)) {
        DimReadings along(cells, op, d, index);
        readings = multiply(cells, readings,
                            op.getTransposed()
                                ? along.transposed()
                                : SmallVector<Reading>{along.forward()});
      }
      Value sum;
      for (const Reading &reading : readings) {
        Value value = build(rewriter, op, reading);
        sum = sum ? add(rewriter, loc, sum, value) : value;
      }
      YieldOp::create(rewriter, loc, sum);
    }
    rewriter.replaceOp(op, map.getResults());
    return success();
  }

  /// Of an element of the result along each dim.
  static SmallVector<int64_t>
  countReadings(ViewOp op, ArrayRef<ReadIndex> indexes, OpBuilder &builder) {
    if (!op.getTransposed())
      return SmallVector<int64_t>(indexes.size(), 1);
    Cells cells(builder, op.getLoc());
    SmallVector<int64_t> counts;
    for (auto [d, index] : llvm::enumerate(indexes))
      counts.push_back(DimReadings(cells, op, d, index).countReadings());
    return counts;
  }

  /// The indices of a transposed view.
  struct Part {
    SmallVector<int64_t> offsets;
    SmallVector<Edge> edges;
    SmallVector<Attribute> terms;

    void add(ViewOp op, size_t dim, ArrayRef<int64_t> list) {
      append(op.getContext(), op.getOffsets()[dim], op.getEdge(dim), list);
    }
    /// A dim that is read along itself.
    void carry(MLIRContext *context, size_t position) {
      append(context, 0, Edge::Zero, {int64_t(position), 1});
    }
    ViewOp build(OpBuilder &builder, Location loc, Value input,
                 FieldType result) const {
      return ViewOp::create(builder, loc, result, input, ValueRange(),
                            builder.getDenseI64ArrayAttr(offsets),
                            getEdges(builder.getContext(), edges),
                            builder.getArrayAttr(terms), builder.getUnitAttr());
    }

  private:
    void append(MLIRContext *context, int64_t offset, Edge edge,
                ArrayRef<int64_t> list) {
      offsets.push_back(offset);
      edges.push_back(edge);
      terms.push_back(DenseI64ArrayAttr::get(context, list));
    }
  };

  /// The sums along the dim with most readings first, then those along the
  /// others: these. Null if there is one such dim, or a field in between would
  /// have two dims of one name.
  static ViewOp divide(ViewOp op, ArrayRef<int64_t> counts,
                       PatternRewriter &rewriter) {
    auto first = size_t(llvm::max_element(counts) - counts.begin());
    bool hasOthers =
        llvm::count_if(counts, [](int64_t count) { return count > 1; }) > 1;
    if (!hasOthers || !op.getStarts().empty())
      return {};
    MLIRContext *context = op.getContext();
    ArrayRef<DimAttr> read = op.getReadDims(), readers = op.getReadingDims();
    SmallVector<DimAttr> between;
    llvm::StringSet<> labels;
    Part one, other;
    for (size_t d = 0; d < read.size(); ++d) {
      ArrayRef<int64_t> terms = cast<DenseI64ArrayAttr>(op.getTerms()[d]);
      if (d == first) {
        one.add(op, d, terms);
        other.carry(context, between.size());
        between.push_back(read[d]);
        continue;
      }
      SmallVector<int64_t> moved;
      for (size_t t = 0; t < terms.size(); t += 2) {
        one.carry(context, size_t(terms[t]));
        moved.append({int64_t(between.size()), terms[t + 1]});
        between.push_back(readers[size_t(terms[t])]);
      }
      other.add(op, d, moved);
    }
    for (DimAttr dim : between)
      if (!labels.insert(dim.getLabel()).second)
        return {};
    auto result = cast<FieldType>(op.getResult().getType());
    auto type = FieldType::get(context, between, result.getElementType());
    Value sums = one.build(rewriter, op.getLoc(), op.getInput(), type);
    ViewOp made = other.build(rewriter, op.getLoc(), sums, result);
    rewriter.replaceOp(op, made);
    return made;
  }

  /// Each of one with each of the others.
  static SmallVector<Reading> multiply(Cells &cells, ArrayRef<Reading> some,
                                       ArrayRef<Reading> others) {
    SmallVector<Reading> product;
    for (const Reading &one : some)
      for (const Reading &other : others) {
        product.push_back(one);
        product.back().indexes.append(other.indexes);
        product.back().isOne = cells.both(one.isOne, other.isOne);
      }
    return product;
  }

  static Value build(OpBuilder &builder, ViewOp op, const Reading &reading) {
    Location loc = op.getLoc();
    auto field = cast<FieldType>(op.getInput().getType());
    SmallVector<Value> indices(field.getRank());
    SmallVector<int64_t> low(field.getRank()), high(field.getRank());
    SmallVector<bool> near(field.getRank());
    for (const Index &index : reading.indexes) {
      indices[index.dim] = index.cell;
      low[index.dim] = index.low;
      high[index.dim] = index.high;
      near[index.dim] = index.isNear;
    }
    Type element = field.getElementType();
    Value read = CellOp::create(builder, loc, element, op.getInput(), indices,
                                low, high, near, Value());
    return reading.isOne
               ? arith::SelectOp::create(builder, loc, reading.isOne, read,
                                         zeroOf(builder, loc, element))
                     .getResult()
               : read;
  }
};

} // namespace

void pmc::passes::populateExpandViewPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandView>(patterns.getContext());
}
