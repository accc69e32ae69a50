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

#include <algorithm>
#include <cstring>

using namespace pmrt;

/// Elements of an output that are copied at a time where they are not dense in
/// the program's memory.
static constexpr int64_t copiedAtOnce = 1 << 16;

SessionArrays::SessionArrays(const Descriptor &program,
                             const std::vector<OutputArray> &outputs)
    : program(program), outputs(outputs), inputs(program.inputs.size()),
      results(outputs.size()) {}

//===----------------------------------------------------------------------===//
// The caller
//===----------------------------------------------------------------------===//

static Error mismatch(const char *kind, const std::string &name,
                      const std::string &text) {
  return usageError("{} '{}' {}", kind, name, text);
}

static void checkTensor(const char *kind, const std::string &name,
                        const pmrt_tensor &tensor) {
  if (const std::string problem = tensorProblem(tensor); !problem.empty())
    throw mismatch(kind, name, problem);
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
  checkTensor("input", input.name, *tensor);
  const auto element = pmrt_element(tensor->element);
  const bool isTable = input.kind == InputKind::Table;
  std::optional<Box> part;
  if (own && !isTable)
    part = inputBox(index);
  const bool isPart = part && shapeOf(*tensor) == part->shape();
  if (isTable) {
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
  checkTensor("output", output.name, *tensor);
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
  for (Result &result : results)
    result.count = 0;
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

void SessionArrays::readField(Context &context, size_t index,
                              const pmrt_array &out) {
  const Input &input = program.inputs[index];
  const auto element = pmrt_element(out.element);
  const Box box = layoutOf(context, out).box(context.mesh);
  readBox(context.threads, *inputs[index], box, element, out.data);
  const int64_t cells = box.cells();
  const auto place = [&](int64_t cell) {
    std::vector<int64_t> at(box.sides.size());
    for (size_t d = at.size(); d-- > 0;) {
      at[d] = box.sides[d].offset + cell % box.sides[d].extent;
      cell /= box.sides[d].extent;
    }
    return fmt::format("[{}]", fmt::join(at, ", "));
  };
  if (const int64_t bad =
          firstNonFinite(context.threads, element, out.data, cells);
      bad >= 0)
    throw std::runtime_error(fmt::format("input '{}' is not finite: element {} "
                                         "is {}",
                                         input.name, place(bad),
                                         elementText(element, out.data, bad)));
  if (element != PMRT_I8)
    return;
  const auto *mask = static_cast<const int8_t *>(out.data);
  const int8_t *bad = std::find_if(mask, mask + cells,
                                   [](int8_t v) { return v != 0 && v != 1; });
  if (bad != mask + cells)
    throw std::runtime_error(fmt::format(
        "input '{}' is not a mask: element {} is {}, expected 0 or 1",
        input.name, place(bad - mask), int(*bad)));
}

std::unique_ptr<Table> SessionArrays::readTable(size_t index) {
  const pmrt_tensor &from = *inputs[index];
  Threads one(1);
  std::vector<double> rows(size_t(2 * from.shape[0]));
  readBox(one, from, Box{{{0, from.shape[0]}, {0, 2}}}, PMRT_F64, rows.data());
  auto table = std::make_unique<Table>(from.shape[0]);
  for (size_t i = 0; i < size_t(from.shape[0]); ++i) {
    table->x[i] = rows[2 * i];
    table->y[i] = rows[2 * i + 1];
  }
  if (const std::string problem = table->problem(); !problem.empty())
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
  for (size_t i = 0; i < result.count; ++i)
    if (result.all[i].iterations == iterations)
      throw std::runtime_error(fmt::format(
          "output '{}{}' would be written twice", array.name, iterations));
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

/// Copies what this rank holds of an array to the whole, or to its part.
static void copyPart(Context &context, const StreamPart &part, int64_t size,
                     const pmrt_tensor &to, bool toPart) {
  const bool dense = isDense(to);
  for (int64_t run = 0; run < part.runs; ++run) {
    const int64_t here = run * part.length;
    const int64_t first = toPart ? here : part.start(run);
    const auto copy = [&](int64_t begin, int64_t end) {
      if (part.data)
        return writeElements(to, first + begin, end - begin,
                             part.data + (here + begin) * size);
      if (dense)
        return part.copy(here + begin, here + end,
                         static_cast<char *>(to.data) + (first + begin) * size);
      std::vector<char> chunk;
      for (int64_t at = begin; at < end; at += copiedAtOnce) {
        const int64_t stop = std::min(end, at + copiedAtOnce);
        chunk.resize(size_t((stop - at) * size));
        part.copy(here + at, here + stop, chunk.data());
        writeElements(to, first + at, stop - at, chunk.data());
      }
    };
    if (part.length < copiedAtOnce)
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
    for (const StreamPart &part : array.stream.parts)
      copyPart(context, part, elementSize(array.stream.element), place.tensor,
               own.has_value());
  }
  if (!context.alone() && !own)
    context.world.barrier();
}
