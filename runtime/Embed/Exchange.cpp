//===- Exchange.cpp - The arrays of a session -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Embed/Exchange.h"

#include "runtime/Core/Context.h"
#include "runtime/IO/Files/Finite.h"
#include "runtime/IO/Formats/Stream.h"
#include "runtime/IO/Inputs/TableFile.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

using namespace pmrt;

/// Elements of an output that are copied at a time where they are not dense in
/// the program's memory.
static constexpr int64_t copiedAtOnce = 1 << 16;

/// Bytes of the smallest buffer that may be memory of the caller. A copy of
/// fewer costs less than a new plan when the next run has other addresses.
static constexpr int64_t leastInPlace = 1 << 16;

SessionArrays::SessionArrays(const Descriptor &program,
                             const std::vector<OutputArray> &outputs)
    : program(program), outputs(outputs), inputs(program.inputs.size()),
      results(outputs.size()) {}

//===----------------------------------------------------------------------===//
// The caller
//===----------------------------------------------------------------------===//

static Error mismatch(const char *kind, const std::string &name,
                      const std::string &text) {
  return usageError("[PM9108] {} '{}' {}", kind, name, text);
}

static void checkTensor(const char *kind, const std::string &name,
                        const pmrt_tensor &tensor, bool forGpus) {
  if (const std::string problem = tensorProblem(tensor); !problem.empty())
    throw mismatch(kind, name, problem);
  if (tensor.space == PMRT_DEVICE && !forGpus)
    throw mismatch(kind, name,
                   "is in the memory of a GPU, but the program runs on the "
                   "CPU; copy it to the host, or compile with --target=cuda");
}

/// Tensors in the memory of a GPU are copied, not converted.
static void checkDeviceElement(const char *kind, const std::string &name,
                               const pmrt_tensor &tensor,
                               pmrt_element expected) {
  if (tensor.space != PMRT_DEVICE)
    return;
  const auto element = pmrt_element(tensor.element);
  if (element != expected)
    throw mismatch(kind, name,
                   fmt::format("has elements {} in the memory of a GPU, "
                               "expected {}; convert it there",
                               elementName(element), elementName(expected)));
  for (int32_t d = 0; d < tensor.rank; ++d)
    if (tensor.strides[d] % elementSize(element) != 0)
      throw mismatch(kind, name,
                     fmt::format("has a stride of {} bytes, expected a "
                                 "multiple of {}",
                                 tensor.strides[d], elementSize(element)));
}

static void checkShape(const char *kind, const std::string &name,
                       const pmrt_tensor &tensor,
                       const std::vector<int64_t> &shape,
                       const std::vector<std::string> &names) {
  if (shapeOf(tensor) != shape)
    throw mismatch(kind, name,
                   fmt::format("has shape {}, expected {}",
                               shapeText(shapeOf(tensor), {}),
                               shapeText(shape, names)));
}

Box SessionArrays::boxOf(const std::vector<int32_t> &dims,
                         const std::vector<int64_t> &whole) const {
  Box box;
  for (size_t d = 0; d < whole.size(); ++d) {
    const int32_t dim = d < dims.size() ? dims[d] : -1;
    box.sides.push_back(own && dim >= 0 ? own->local(program.dims[size_t(dim)])
                                        : Shard{0, whole[d]});
  }
  return box;
}

Box SessionArrays::inputBox(size_t input) const {
  const Input &read = program.inputs[input];
  return boxOf(read.dims, inputShape(program, read));
}

Box SessionArrays::outputBox(size_t output) const {
  const OutputArray &array = outputs[output];
  Box box = boxOf(array.indices, array.shape.value());
  const bool isJoined = array.fieldDims.size() > 1 && array.indices[0] < 0;
  if (own && isJoined) {
    box.sides[0].extent = 1;
    for (const int32_t dim : array.fieldDims)
      box.sides[0].extent *= own->local(program.dims[size_t(dim)]).extent;
  }
  return box;
}

/// The whole array, of which only `part` is there: `tensor`.
static pmrt_tensor wholeOf(pmrt_tensor tensor, const Box &part,
                           const std::vector<int64_t> &whole) {
  char *data = static_cast<char *>(tensor.data);
  for (size_t d = 0; d < whole.size(); ++d) {
    data -= part.sides[d].offset * tensor.strides[d];
    tensor.shape[d] = whole[d];
  }
  tensor.data = data;
  return tensor;
}

void SessionArrays::bindInput(size_t index, const pmrt_tensor *tensor) {
  const Input &input = program.inputs[index];
  if (!tensor) {
    inputs[index].reset();
    return;
  }
  if (input.streamed)
    throw mismatch("input", input.name,
                   "has samples, which only files can hold; run the program "
                   "as a command");
  checkTensor("input", input.name, *tensor, forGpus());
  const auto element = pmrt_element(tensor->element);
  const bool isTable = input.kind == InputKind::Table;
  if (isTable && tensor->space == PMRT_DEVICE)
    throw mismatch("input", input.name,
                   "is a table, which the host reads; copy it to the host");
  std::optional<Box> part;
  if (own && !isTable)
    part = inputBox(index);
  const bool isPart = part && shapeOf(*tensor) == part->shape();
  const TablePart table =
      isTable ? tablePart(program.inputs, index) : TablePart();
  if (table.isGrid()) {
    const size_t rank = table.isValues() ? table.axes.size() : 1;
    if (size_t(tensor->rank) != rank)
      throw mismatch(
          "input", input.name,
          fmt::format(
              "has shape {}, expected {} dimension{}: {}",
              shapeText(shapeOf(*tensor), {}), rank, rank == 1 ? "" : "s",
              table.isValues() ? fmt::format("{}", fmt::join(table.axes, ", "))
                               : table.axes[table.axis]));
  } else if (isTable) {
    if (tensor->rank != 2 || tensor->shape[1] != 2)
      throw mismatch("input", input.name,
                     fmt::format("has shape {}, expected two columns: (n, 2)",
                                 shapeText(shapeOf(*tensor), {})));
  } else if (!isPart) {
    const std::vector<int64_t> whole = inputShape(program, input);
    const std::vector<std::string> names = dimNames(program, input.dims);
    if (part && shapeOf(*tensor) != whole)
      throw mismatch(
          "input", input.name,
          fmt::format("has shape {}, expected {}, or {} for this rank's part",
                      shapeText(shapeOf(*tensor), {}), shapeText(whole, names),
                      shapeText(part->shape(), {})));
    checkShape("input", input.name, *tensor, whole, names);
  }
  const pmrt_element expected = isTable ? PMRT_F64 : input.element;
  if (!converts(element, expected))
    throw mismatch("input", input.name,
                   fmt::format("has elements {}, expected {}",
                               elementName(element), elementName(expected)));
  checkDeviceElement("input", input.name, *tensor, expected);
  inputs[index] =
      isPart ? wholeOf(*tensor, *part, inputShape(program, input)) : *tensor;
}

void SessionArrays::bindOutput(size_t index, const pmrt_tensor *tensor) {
  const OutputArray &output = outputs[index];
  if (!tensor) {
    results[index].bound.reset();
    return;
  }
  if (output.of->loops > 0)
    throw mismatch("output", output.name,
                   "is written in a loop; do not bind it, and get its arrays "
                   "after the run");
  checkTensor("output", output.name, *tensor, forGpus());
  if (tensor->space == PMRT_DEVICE && !isDense(*tensor))
    throw mismatch("output", output.name,
                   "is bound to memory of a GPU with gaps or in another order; "
                   "bind a dense array in row-major order");
  if (output.shape) {
    checkShape("output", output.name, *tensor,
               own ? outputBox(index).shape() : *output.shape, output.dims);
    if (tensor->element != output.element)
      throw mismatch("output", output.name,
                     fmt::format("has elements {}, expected {}",
                                 elementName(pmrt_element(tensor->element)),
                                 elementName(output.element)));
  }
  results[index].bound = *tensor;
}

void SessionArrays::clear() {
  for (Result &result : results) {
    result.count = 0;
    result.iterations.clear();
  }
}

std::vector<std::string> SessionArrays::missing() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i] && !program.inputs[i].optional)
      names.push_back(program.inputs[i].name);
  return names;
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

bool SessionArrays::isGiven(size_t input) const {
  return inputs[input].has_value();
}

/// The bytes between the first and the last element of a tensor.
static std::pair<const char *, const char *>
rangeOf(const pmrt_tensor &tensor) {
  const char *begin = static_cast<const char *>(tensor.data), *end = begin;
  for (int32_t d = 0; d < tensor.rank; ++d) {
    if (tensor.shape[d] == 0)
      return {begin, begin};
    const int64_t most = (tensor.shape[d] - 1) * tensor.strides[d];
    (most < 0 ? begin : end) += most;
  }
  return {begin, end + elementSize(pmrt_element(tensor.element))};
}

static bool overlap(const pmrt_tensor &a, const pmrt_tensor &b) {
  const auto [beginOfA, endOfA] = rangeOf(a);
  const auto [beginOfB, endOfB] = rangeOf(b);
  return beginOfA < endOfB && beginOfB < endOfA;
}

void *SessionArrays::memoryOf(size_t index, int64_t bytes) const {
  const Buffer &buffer = program.buffers[index];
  if (bytes < leastInPlace)
    return nullptr;
  const auto fits = [&](const std::optional<pmrt_tensor> &tensor) {
    int64_t size = elementSize(buffer.element);
    if (tensor)
      for (const int64_t extent : shapeOf(*tensor))
        size *= extent;
    return tensor && tensor->space == PMRT_HOST && isDense(*tensor) &&
           tensor->element == buffer.element && size == bytes &&
           uintptr_t(tensor->data) % Placement::alignment == 0;
  };
  for (size_t i = 0; i < inputs.size(); ++i)
    if (program.inputs[i].name == buffer.input && fits(inputs[i])) {
      // The run may read the input after it has written the output.
      const bool isWritten =
          std::any_of(results.begin(), results.end(), [&](const Result &one) {
            return one.bound && overlap(*one.bound, *inputs[i]);
          });
      return isWritten ? nullptr : inputs[i]->data;
    }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::optional<pmrt_tensor> &bound = results[i].bound;
    if (outputs[i].name != buffer.output || !fits(bound))
      continue;
    const auto isOther = [&](const std::optional<pmrt_tensor> &other) {
      return other && &other != &bound && overlap(*other, *bound);
    };
    const bool isShared =
        std::any_of(inputs.begin(), inputs.end(), isOther) ||
        std::any_of(results.begin(), results.end(),
                    [&](const Result &one) { return isOther(one.bound); });
    return isShared ? nullptr : bound->data;
  }
  return nullptr;
}

/// "[2, 3]" of the cell with this number in a box.
static std::string placeText(const Box &box, int64_t cell) {
  std::vector<int64_t> at(box.sides.size());
  for (size_t d = at.size(); d-- > 0;) {
    at[d] = box.sides[d].offset + cell % box.sides[d].extent;
    cell /= box.sides[d].extent;
  }
  return fmt::format("[{}]", fmt::join(at, ", "));
}

void SessionArrays::checkMask(const Input &input, const Box &box,
                              const int8_t *mask) {
  const int8_t *end = mask + box.cells();
  const int8_t *bad =
      std::find_if(mask, end, [](int8_t v) { return v != 0 && v != 1; });
  if (bad != end)
    throw std::runtime_error(fmt::format(
        "input '{}' is not a mask: element {} is {}, expected 0 or 1",
        input.name, placeText(box, bad - mask), int(*bad)));
}

void SessionArrays::checkValues(Context &context, const Input &input,
                                const Box &box, pmrt_element element,
                                const void *data) {
  Device &device = *context.device;
  const int64_t cells = box.cells(), size = elementSize(element);
  const int64_t bad = device.firstNonFinite(element, data, cells);
  if (bad >= 0) {
    std::vector<char> value(static_cast<size_t>(size));
    device.download(value.data(), static_cast<const char *>(data) + bad * size,
                    size);
    throw std::runtime_error(fmt::format(
        "input '{}' is not finite: element {} is {}", input.name,
        placeText(box, bad), elementText(element, value.data(), 0)));
  }
  if (element != PMRT_I8)
    return;
  std::vector<char> copy;
  checkMask(input, box,
            static_cast<const int8_t *>(device.read(data, cells, copy)));
}

/// The box of a tensor in the memory of a device.
static Region regionOf(const pmrt_tensor &tensor, const Box &box) {
  Region region;
  region.base = static_cast<char *>(tensor.data);
  region.size = elementSize(pmrt_element(tensor.element));
  for (size_t d = 0; d < box.sides.size(); ++d) {
    region.base += box.sides[d].offset * tensor.strides[d];
    region.counts.push_back(box.sides[d].extent);
    region.strides.push_back(tensor.strides[d]);
  }
  return region;
}

void SessionArrays::readField(Context &context, size_t index,
                              const pmrt_array &out) {
  const auto element = pmrt_element(out.element);
  const Box box = layoutOf(context, out).box(context.mesh);
  const pmrt_tensor &from = *inputs[index];
  if (from.space == PMRT_DEVICE) {
    context.device->followStream(from.stream);
    const Region region = regionOf(from, box);
    context.device->transfer(region,
                             region.denseAt(static_cast<char *>(out.data)),
                             Combine::Replace, element);
  } else if (out.data != from.data) { // otherwise `out` is in place
    context.device->fill(
        out.data, box.cells() * elementSize(element),
        [&](char *to) { readBox(context.threads, from, box, element, to); });
  }
  checkValues(context, program.inputs[index], box, element, out.data);
}

/// A part of a table over several axes.
std::unique_ptr<Table> SessionArrays::readGridPart(size_t index,
                                                   const TablePart &part) {
  const pmrt_tensor &from = *inputs[index];
  const std::vector<int64_t> shape = pmrt::shapeOf(from);
  Box box;
  size_t count = 1;
  for (const int64_t extent : shape) {
    box.sides.push_back({0, extent});
    count *= size_t(extent);
  }
  std::vector<double> values(count);
  Threads one(1);
  readBox(one, from, box, PMRT_F64, values.data());
  std::string problem;
  if (part.isValues()) {
    std::vector<int64_t> points;
    for (size_t i = 0; i < part.axes.size(); ++i) {
      const auto &axis = inputs[index - part.axes.size() + i];
      points.push_back(axis ? axis->shape[0] : shape[i]);
    }
    problem = points == shape
                  ? valuesProblem(shape, values)
                  : fmt::format("has shape {}, expected {}, the numbers of "
                                "points of {}",
                                shapeText(shape, {}), shapeText(points, {}),
                                fmt::join(part.axes, " and "));
  } else {
    problem = axisProblem(part.axes[part.axis], values);
  }
  if (!problem.empty())
    throw std::runtime_error(
        fmt::format("input '{}': {}", program.inputs[index].name, problem));
  return part.isValues() ? tableOfValues(values) : tableOfAxis(values);
}

std::unique_ptr<Table> SessionArrays::readTable(size_t index) {
  const pmrt_tensor &from = *inputs[index];
  if (const TablePart part = tablePart(program.inputs, index); part.isGrid())
    return readGridPart(index, part);
  Threads one(1);
  std::vector<double> rows(size_t(2 * from.shape[0]));
  readBox(one, from, Box{{{0, from.shape[0]}, {0, 2}}}, PMRT_F64, rows.data());
  auto table = std::make_unique<Table>(from.shape[0]);
  for (size_t i = 0; i < size_t(from.shape[0]); ++i) {
    table->x[i] = rows[2 * i];
    table->y[i] = rows[2 * i + 1];
  }
  if (const std::string problem = table->finish(); !problem.empty())
    throw std::runtime_error(
        fmt::format("input '{}': {}", program.inputs[index].name, problem));
  return table;
}

size_t SessionArrays::indexOf(const std::string &name) const {
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].name == name)
      return i;
  throw std::runtime_error(fmt::format("internal error: output '{}'", name));
}

SessionArrays::Written &SessionArrays::prepare(const NamedArray &array,
                                               const std::string &iterations) {
  const size_t index = indexOf(array.name);
  Result &result = results[index];
  const Stream &stream = array.stream;
  const bool isFirst = iterations.empty()
                           ? result.count == 0
                           : result.iterations.insert(iterations).second;
  if (!isFirst)
    throw std::runtime_error(fmt::format("output '{}{}' would be written twice",
                                         array.name, iterations));
  if (result.count == result.all.size())
    result.all.emplace_back();
  Written &place = result.all[result.count];
  place.iterations = iterations;
  if (own && !outputs[index].shape)
    throw std::runtime_error(fmt::format(
        "output '{}' cannot be returned in parts: its shape is not known",
        array.name));
  const std::vector<int64_t> shape =
      own ? outputBox(index).shape() : stream.shape;
  if (result.bound) {
    if (shapeOf(*result.bound) != shape ||
        result.bound->element != stream.element)
      throw std::runtime_error(
          fmt::format("output '{}' is bound to memory of shape {} and elements "
                      "{}, expected {} and {}",
                      array.name, shapeText(shapeOf(*result.bound), {}),
                      elementName(pmrt_element(result.bound->element)),
                      shapeText(shape, {}), elementName(stream.element)));
    place.tensor = *result.bound;
  } else {
    int64_t bytes = elementSize(stream.element);
    for (const int64_t extent : shape)
      bytes *= extent;
    place.memory.resize(size_t(bytes));
    place.tensor = denseTensor(place.memory.data(), stream.element, shape);
  }
  ++result.count;
  return place;
}

/// Copies a run of elements, from number `here` of a part on, to number `first`
/// of a dense tensor in the memory of the device.
static void copyRun(Context &context, const StreamPart &part, int64_t here,
                    int64_t first, int64_t size, const pmrt_tensor &to) {
  char *const target = static_cast<char *>(to.data) + first * size;
  if (part.data)
    return context.device->upload(target, part.data + here * size,
                                  part.length * size);
  const auto turns = int64_t(part.onDevice.size());
  if (turns == 0) {
    std::vector<char> copy(static_cast<size_t>(part.length * size));
    part.copy(here, here + part.length, copy.data());
    return context.device->upload(target, copy.data(), part.length * size);
  }
  const int64_t cells = part.length / turns;
  for (int64_t turn = 0; turn < turns; ++turn) {
    const Region from = Region::flat(
        part.onDevice[size_t(turn)] + here / turns * size, cells * size);
    Region box;
    box.base = target + turn * size;
    box.size = size;
    box.counts = {cells};
    box.strides = {turns * size};
    context.device->transfer(box.denseAt(from.base), box, Combine::Replace,
                             pmrt_element(to.element));
  }
}

/// Copies what this rank holds of an array to the whole, or to its part.
static void copyPart(Context &context, const StreamPart &part, int64_t size,
                     const pmrt_tensor &to, bool toPart) {
  const bool dense = isDense(to);
  for (int64_t run = 0; run < part.runs; ++run) {
    const int64_t here = run * part.length;
    const int64_t first = toPart ? here : part.start(run);
    if (part.data && dense &&
        part.data + here * size == static_cast<char *>(to.data) + first * size)
      continue; // the program has written it there
    if (to.space == PMRT_DEVICE) {
      copyRun(context, part, here, first, size, to);
      continue;
    }
    const auto copy = [&](int64_t begin, int64_t end) {
      if (part.data)
        return writeElements(to, first + begin, end - begin,
                             part.data + (here + begin) * size);
      const auto &take = part.fetch ? part.fetch : part.copy;
      if (dense)
        return take(here + begin, here + end,
                    static_cast<char *>(to.data) + (first + begin) * size);
      std::vector<char> chunk;
      for (int64_t at = begin; at < end; at += copiedAtOnce) {
        const int64_t stop = std::min(end, at + copiedAtOnce);
        chunk.resize(size_t((stop - at) * size));
        take(here + at, here + stop, chunk.data());
        writeElements(to, first + at, stop - at, chunk.data());
      }
    };
    if (part.length < copiedAtOnce || part.fetch)
      copy(0, part.length);
    else
      context.threads.forRange(part.length, copy);
  }
}

void SessionArrays::write(Context &context, pmrt_loc loc, const std::string &,
                          const std::string &iterations,
                          const std::vector<NamedArray> &arrays) {
  std::string problem;
  try {
    if (own || context.transport->rank() == 0)
      for (const NamedArray &array : arrays)
        (void)prepare(array, iterations);
  } catch (const std::exception &e) {
    problem = e.what();
  }
  // Of shared results, until here the first rank alone touches them, from here
  // none does but for the memory of the arrays.
  context.agree(loc, problem);
  for (const NamedArray &array : arrays) {
    const Result &result = results[indexOf(array.name)];
    const Written &place = result.all[result.count - 1];
    if (place.tensor.space == PMRT_DEVICE)
      context.device->followStream(place.tensor.stream);
    for (const StreamPart &part : array.stream.parts)
      copyPart(context, part, elementSize(array.stream.element), place.tensor,
               own.has_value());
  }
  if (!context.alone() && !own)
    context.world.barrier();
}
