//===- XlaCall.cpp - A program in a computation of XLA --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Embed/XlaCall.h"

#include "runtime/Base/Threads.h"
#include "runtime/Core/Mesh.h"
#include "runtime/Embed/Tensor.h"
#include "runtime/Program/Flags/Values.h"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>
#include <utility>

using namespace pmrt;

//===----------------------------------------------------------------------===//
// The attribute
//===----------------------------------------------------------------------===//

XlaCall::XlaCall(const std::string &text) {
  try {
    const auto call = nlohmann::json::parse(text);
    library = std::make_unique<Library>(
        call.at("program").get_ref<const std::string &>().c_str());
    options = call.at("options").get<std::vector<std::string>>();
    for (const std::string name : call.at("arguments"))
      arguments.push_back(argumentOf(name));
    for (const std::string name : call.at("results"))
      results.push_back(outputIndex(name));
    for (const auto &[name, value] : call.at("values").items())
      values.push_back({paramIndex(name), value.get<std::string>()});
    shards = call.value("shards", false);
  } catch (const nlohmann::json::exception &e) {
    throw usageError(
        "[PM9108] the attribute 'call' is not a call of a program: {}",
        e.what());
  }
  idle.push_back(take()); // options and values are checked here
  if (shards)
    ranks = idle[0]->rankCount();
}

int32_t XlaCall::paramIndex(const std::string &name) const {
  const auto &params = library->descriptor.params;
  for (size_t i = 0; i < params.size(); ++i)
    if (params[i].name == name)
      return int32_t(i);
  throw usageError("[PM9108] the program {} has no parameter or input '{}'",
                   library->descriptor.name, name);
}

XlaCall::Argument XlaCall::argumentOf(const std::string &name) const {
  const Descriptor &program = library->descriptor;
  Argument argument;
  argument.name = name;
  for (size_t i = 0; i < program.inputs.size(); ++i)
    if (const Input &input = program.inputs[i]; input.name == name) {
      argument.input = int32_t(i);
      const TablePart part = tablePart(program.inputs, i);
      argument.rank = input.kind == InputKind::Field ? input.dims.size()
                      : !part.isGrid()               ? 2
                      : part.isValues()              ? part.axes.size()
                                                     : 1;
      return argument;
    }
  for (size_t i = 0; i < program.params.size(); ++i)
    if (program.params[i].name.starts_with(name + "."))
      argument.params.push_back(int32_t(i));
  argument.rank = argument.params.empty() ? 0 : 1;
  if (argument.params.empty())
    argument.params.push_back(paramIndex(name));
  return argument;
}

int32_t XlaCall::outputIndex(const std::string &name) const {
  for (size_t i = 0; i < library->outputs.size(); ++i)
    if (const OutputArray &output = library->outputs[i]; output.name == name) {
      if (!output.shape || output.of->loops > 0)
        throw usageError(
            "[PM9108] output '{}' is written in a loop, or its shape is "
            "not known before a run",
            name);
      return int32_t(i);
    }
  throw usageError("[PM9108] the program {} has no output '{}'",
                   library->descriptor.name, name);
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

std::unique_ptr<Session> XlaCall::take() {
  {
    const std::lock_guard guard(lock);
    if (!idle.empty()) {
      auto session = std::move(idle.back());
      idle.pop_back();
      return session;
    }
  }
  auto session = std::make_unique<Session>(*library, options);
  setFixed(*session);
  if (shards)
    session->holdParts();
  return session;
}

void XlaCall::setFixed(Session &session) const {
  for (const auto &[index, text] : values) {
    const Parameter &param = library->descriptor.params[size_t(index)];
    const ParamValue value = parseParam(param, text);
    if (param.type == ParamType::F64)
      session.setReal(index, value.real);
    else
      session.setBits(index, value.bits);
  }
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The element of arrays of a type of XLA; none if programs have no such one.
static std::optional<pmrt_element> elementOf(xla::DataType type) {
  switch (type) {
  case xla::F32:
    return PMRT_F32;
  case xla::F64:
    return PMRT_F64;
  case xla::C64:
    return PMRT_C64;
  case xla::C128:
    return PMRT_C128;
  case xla::Pred:
  case xla::S8:
    return PMRT_I8;
  case xla::S64:
    return PMRT_I64;
  case xla::U64:
    return PMRT_U64;
  default:
    return std::nullopt;
  }
}

static int64_t sizeOf(xla::DataType type) {
  switch (type) {
  case xla::Pred:
  case xla::S8:
  case xla::U8:
    return 1;
  case xla::S16:
  case xla::U16:
    return 2;
  case xla::S32:
  case xla::U32:
  case xla::F32:
    return 4;
  case xla::S64:
  case xla::U64:
  case xla::F64:
  case xla::C64:
    return 8;
  case xla::C128:
    return 16;
  }
  throw usageError("[PM9108] arrays of XLA's type {} are not supported",
                   int(type));
}

template <typename T> static T at(const void *data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const T *>(data) + index, sizeof value);
  return value;
}

/// Calls `use` with the number `index` of `data`, a double or an int64_t.
template <typename Use>
static void withNumber(xla::DataType type, const void *data, int64_t index,
                       const Use &use) {
  switch (type) {
  case xla::F32:
    return use(double(at<float>(data, index)));
  case xla::F64:
    return use(at<double>(data, index));
  case xla::Pred:
  case xla::U8:
    return use(int64_t(at<uint8_t>(data, index)));
  case xla::S8:
    return use(int64_t(at<int8_t>(data, index)));
  case xla::S16:
    return use(int64_t(at<int16_t>(data, index)));
  case xla::U16:
    return use(int64_t(at<uint16_t>(data, index)));
  case xla::S32:
    return use(int64_t(at<int32_t>(data, index)));
  case xla::U32:
    return use(int64_t(at<uint32_t>(data, index)));
  case xla::S64:
  case xla::U64:
    return use(at<int64_t>(data, index));
  default:
    throw usageError(
        "[PM9108] a parameter must be a real number, found XLA's type {}",
        int(type));
  }
}

static void setParam(Session &session, int32_t index, xla::DataType type,
                     const void *data, int64_t at) {
  const Parameter &param = session.library.descriptor.params[size_t(index)];
  withNumber(type, data, at, [&](auto number) {
    if (param.type == ParamType::F64)
      return session.setReal(index, double(number));
    if constexpr (std::is_floating_point_v<decltype(number)>)
      if (!(std::abs(number) < 0x1p63) || number != std::floor(number))
        throw usageError("[PM9108] {}: {} is not a whole number", param.name,
                         number);
    if (param.type == ParamType::U64 && type != xla::U64 && number < 0)
      throw usageError("[PM9108] {}: {} is out of range, expected at least 0",
                       param.name, number);
    session.setBits(index, int64_t(number));
  });
}

/// Copies a dense output to a result of another type: floats of another
/// precision, or integers of 32 bits.
static void convert(const pmrt_tensor &from, xla::DataType type, void *to,
                    const std::string &name) {
  Box whole;
  for (const int64_t extent : shapeOf(from))
    whole.sides.push_back({0, extent});
  const auto element = pmrt_element(from.element);
  const auto expected = elementOf(type);
  if (expected && converts(element, *expected)) {
    Threads one(1);
    return readBox(one, from, whole, *expected, to);
  }
  if ((type != xla::S32 && type != xla::U32) ||
      (element != PMRT_I64 && element != PMRT_U64))
    throw usageError(
        "[PM9108] output '{}' has elements {}, found XLA's type {}", name,
        elementName(element), int(type));
  for (int64_t i = 0; i < whole.cells(); ++i) {
    const auto narrow = uint32_t(at<uint64_t>(from.data, i));
    std::memcpy(static_cast<char *>(to) + i * 4, &narrow, 4);
  }
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// A buffer of XLA as arrays of single calls. Extents of 1 among those that
/// precede the array's are repeated.
struct XlaCall::Batched {
  xla::DataType type;
  char *data;
  std::vector<int64_t> before; ///< extents
  std::vector<int64_t> shape;  ///< of one call
  int64_t bytes;               ///< of one call

  Batched(const void *value, size_t rank, const std::string &name) {
    const auto &buffer = *static_cast<const xla::Buffer *>(value);
    if (size_t(buffer.rank) < rank)
      throw usageError("[PM9108] '{}' has {} dimensions, expected {}", name,
                       buffer.rank, rank);
    type = buffer.type;
    data = static_cast<char *>(buffer.data);
    const std::vector<int64_t> all(buffer.dims, buffer.dims + buffer.rank);
    const auto split = all.end() - int64_t(rank);
    before.assign(all.begin(), split);
    shape.assign(split, all.end());
    bytes = sizeOf(type);
    for (const int64_t extent : shape)
      bytes *= extent;
  }

  /// The array of the call `index`, counted along `over`.
  char *of(int64_t index, const std::vector<int64_t> &over) const {
    int64_t number = 0, stride = 1;
    for (size_t d = 0; d < before.size() && d < over.size(); ++d) {
      const int64_t extent = before[before.size() - 1 - d];
      const int64_t all = over[over.size() - 1 - d];
      number += (extent == 1 ? 0 : index % all) * stride;
      stride *= extent;
      index /= all;
    }
    return data + number * bytes;
  }
};

/// A session for one thread, which returns to the idle ones.
struct XlaCall::Lease {
  explicit Lease(XlaCall &call) : call(call), session(call.take()) {
    const std::lock_guard guard(call.lock);
    call.busy.insert(session.get());
  }
  ~Lease() {
    const std::lock_guard guard(call.lock);
    call.busy.erase(session.get());
    call.idle.push_back(std::move(session));
  }
  Lease(const Lease &) = delete;
  Lease &operator=(const Lease &) = delete;

  XlaCall &call;
  std::unique_ptr<Session> session;
};

static void checkCount(const char *what, const xla::Buffers &buffers,
                       size_t expected) {
  if (size_t(buffers.count) != expected)
    throw usageError("[PM9108] the call has {} {}, expected {}", buffers.count,
                     what, expected);
  for (size_t i = 0; i < expected; ++i)
    if (buffers.kinds[i] != xla::bufferKind)
      throw usageError("[PM9108] one of the {} is not an array", what);
}

static pmrt_tensor inMemory(pmrt_tensor tensor, const XlaMemory &memory) {
  tensor.space = memory.space;
  tensor.stream = memory.stream;
  return tensor;
}

/// Integers of 32 bits, which are the default of JAX, as those of 64 bits.
static std::vector<int64_t> widened(const pmrt_tensor &shape,
                                    xla::DataType type, const void *data) {
  int64_t count = 1;
  for (const int64_t extent : shapeOf(shape))
    count *= extent;
  std::vector<int64_t> wide(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    wide[size_t(i)] = type == xla::U32 ? int64_t(at<uint32_t>(data, i))
                                       : int64_t(at<int32_t>(data, i));
  return wide;
}

/// Whether a program reads the array on the GPU. Programs for GPUs do not
/// convert arrays there, and read tables on the host.
static bool staysOnGpu(const Session &session, int32_t input,
                       xla::DataType type) {
  if (input < 0)
    return false;
  const Input &read = session.library.descriptor.inputs[size_t(input)];
  return read.kind == InputKind::Field && elementOf(type) == read.element;
}

void XlaCall::bind(Session &session, size_t rank, const Argument &argument,
                   const Batched &from, const void *data, XlaMemory memory,
                   Kept &kept) {
  if (argument.input < 0 && rank > 0)
    return; // the ranks have the same numbers
  if (memory.space == PMRT_DEVICE &&
      !staysOnGpu(session, argument.input, from.type)) {
    auto &copy = kept.emplace_back(size_t(from.bytes + 7) / 8);
    session.library.devices.copyForCaller(copy.data(), data, size_t(from.bytes),
                                          /*toDevice=*/false, memory.stream);
    data = copy.data();
    memory = {};
  }
  if (argument.input < 0) {
    const size_t count = argument.params.size();
    if (argument.rank == 1 && from.shape[0] != int64_t(count))
      throw usageError("[PM9108] {}: has {} numbers, expected {}",
                       argument.name, from.shape[0], count);
    for (size_t i = 0; i < count; ++i)
      setParam(session, argument.params[i], from.type, data, int64_t(i));
    return;
  }
  const pmrt_element expected =
      session.library.descriptor.inputs[size_t(argument.input)].element;
  if ((from.type == xla::S32 || from.type == xla::U32) &&
      (expected == PMRT_I64 || expected == PMRT_U64)) {
    pmrt_tensor tensor = denseTensor(nullptr, expected, from.shape);
    tensor.data = kept.emplace_back(widened(tensor, from.type, data)).data();
    return session.arraysOf(rank).bindInput(size_t(argument.input), &tensor);
  }
  const auto element = elementOf(from.type);
  if (!element)
    throw usageError("[PM9108] input '{}' has elements of XLA's type {}, which "
                     "is not supported",
                     argument.name, int(from.type));
  const pmrt_tensor tensor = inMemory(
      denseTensor(const_cast<void *>(data), *element, from.shape), memory);
  session.arraysOf(rank).bindInput(size_t(argument.input), &tensor);
}

void XlaCall::bind(Session &session, size_t rank, int32_t index,
                   const Batched &to, void *data, const XlaMemory &memory) {
  const pmrt_element element = session.library.outputs[size_t(index)].element;
  if (elementOf(to.type) != element) // converted after the run
    return session.arraysOf(rank).bindOutput(size_t(index), nullptr);
  const pmrt_tensor tensor =
      inMemory(denseTensor(data, element, to.shape), memory);
  session.arraysOf(rank).bindOutput(size_t(index), &tensor);
}

/// Writes a result of `bytes` bytes, unless the run has written it already.
static void finish(const Session &session, const SessionArrays &arrays,
                   int32_t index, xla::DataType type, void *data, int64_t bytes,
                   const XlaMemory &memory) {
  const std::string &name = session.library.outputs[size_t(index)].name;
  if (arrays.count(size_t(index)) == 0)
    throw Error(
        Exit::Failure, "",
        fmt::format("[PM9108] output '{}' was not written: it is under a "
                    "condition that is false",
                    name));
  const pmrt_tensor &written = arrays.written(size_t(index), 0).tensor;
  if (written.data == data)
    return;
  if (memory.space == PMRT_HOST)
    return convert(written, type, data, name);
  std::vector<int64_t> converted(size_t(bytes + 7) / 8);
  convert(written, type, converted.data(), name);
  session.library.devices.copyForCaller(data, converted.data(), size_t(bytes),
                                        /*toDevice=*/true, memory.stream);
}

void XlaCall::checkMemory(const XlaMemory &memory) const {
  if (memory.space == PMRT_DEVICE && !library->devices.copyForCaller)
    throw usageError("[PM9108] the program {} is for CPUs, but the arrays are "
                     "on a GPU; compile it with --target=cuda",
                     library->descriptor.name);
}

XlaCall::Operands XlaCall::operandsOf(const xla::Buffers &given,
                                      const xla::Buffers &wanted) const {
  const size_t first = shards ? 1 : 0;
  checkCount("arguments", given, first + arguments.size());
  checkCount("results", wanted, results.size());
  Operands operands;
  for (size_t i = 0; i < arguments.size(); ++i)
    operands.from.emplace_back(given.values[first + i], arguments[i].rank,
                               arguments[i].name);
  for (size_t i = 0; i < results.size(); ++i) {
    const OutputArray &output = library->outputs[size_t(results[i])];
    operands.to.emplace_back(wanted.values[i], output.shape->size(),
                             output.name);
    if (operands.to[i].before != operands.to[0].before)
      throw usageError(
          "[PM9108] results have different extents before those of the "
          "program's outputs");
  }
  return operands;
}

void XlaCall::runAll(const std::vector<Operands> &all) {
  // The calls, one for each index of these dimensions.
  const std::vector<Batched> &to = all[0].to;
  const std::vector<int64_t> over =
      to.empty() ? std::vector<int64_t>() : to[0].before;
  int64_t calls = 1;
  for (const int64_t extent : over)
    calls *= extent;
  const Lease lease(*this);
  Session &session = *lease.session;
  for (int64_t call = 0; call < calls; ++call) {
    Kept kept;
    for (size_t rank = 0; rank < all.size(); ++rank) {
      const auto &[from, into, memory] = all[rank];
      for (size_t i = 0; i < arguments.size(); ++i)
        bind(session, rank, arguments[i], from[i], from[i].of(call, over),
             memory, kept);
      for (size_t i = 0; i < results.size(); ++i)
        bind(session, rank, results[i], into[i], into[i].of(call, over),
             memory);
    }
    session.run();
    for (size_t rank = 0; rank < all.size(); ++rank)
      for (size_t i = 0; i < results.size(); ++i)
        finish(session, session.arraysOf(rank), results[i],
               all[rank].to[i].type, all[rank].to[i].of(call, over),
               all[rank].to[i].bytes, all[rank].memory);
  }
}

void XlaCall::interrupt() {
  const std::lock_guard guard(lock);
  for (Session *session : busy)
    session->interrupt();
}

void XlaCall::run(const xla::Buffers &given, const xla::Buffers &wanted,
                  const XlaMemory &memory) {
  checkMemory(memory);
  Operands operands = operandsOf(given, wanted);
  operands.memory = memory;
  if (!shards) {
    std::vector<Operands> one;
    one.push_back(std::move(operands));
    return runAll(one);
  }
  size_t rank = 0;
  const Batched place(given.values[0], 0, "rank");
  if (memory.space == PMRT_DEVICE)
    throw usageError("[PM9108] shards require programs and arrays on CPUs");
  withNumber(place.type, place.data, 0,
             [&](auto number) { rank = size_t(number); });
  if (rank >= ranks)
    throw usageError("[PM9108] the rank is {}, but the mesh has {} ranks", rank,
                     ranks);
  meet(rank, std::move(operands));
}

/// The ranks of one run, each with a thread of XLA.
struct XlaCall::Meeting {
  explicit Meeting(size_t ranks) : all(ranks), has(ranks, false) {}

  std::vector<Operands> all;
  std::vector<bool> has;
  size_t count = 0;
  bool over = false;
  std::optional<Error> error;
  std::condition_variable changed;
};

void XlaCall::meet(size_t rank, Operands operands) {
  std::unique_lock guard(lock);
  if (!meeting)
    meeting = std::make_shared<Meeting>(ranks);
  const std::shared_ptr<Meeting> mine = meeting;
  if (mine->has[rank])
    throw usageError("[PM9108] two calls of rank {} at the same time", rank);
  mine->has[rank] = true;
  mine->all[rank] = std::move(operands);
  if (++mine->count < ranks) {
    constexpr std::chrono::minutes patience(5);
    const auto isComplete = [&] { return mine->over || mine->count == ranks; };
    if (mine->changed.wait_for(guard, patience, isComplete)) {
      mine->changed.wait(guard, [&] { return mine->over; });
    } else {
      meeting.reset();
      mine->over = true;
      mine->error =
          Error(Exit::Failure, "",
                "[PM9105] other ranks have not called within 5 minutes");
      mine->changed.notify_all();
    }
  } else {
    meeting.reset();
    guard.unlock();
    std::optional<Error> error;
    try {
      runAll(mine->all);
    } catch (...) {
      error = currentError();
    }
    guard.lock();
    mine->over = true;
    mine->error = std::move(error);
    mine->changed.notify_all();
  }
  if (mine->error)
    throw Error(*mine->error);
}
