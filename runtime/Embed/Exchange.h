//===- Exchange.h - The arrays of a session ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_EMBED_EXCHANGE_H
#define PMRT_EMBED_EXCHANGE_H

#include "runtime/Core/MemoryPort.h"
#include "runtime/Embed/Signature.h"
#include "runtime/Embed/Tensor.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace pmrt {

/// The inputs that a caller has bound, and the outputs of the last run. Ranks
/// of one run use it at the same time.
class SessionArrays : public MemoryPort {
public:
  SessionArrays(const Descriptor &program,
                const std::vector<OutputArray> &outputs);

  // Of the caller, between runs. Those that bind throw Exit::Usage.
  void bindInput(size_t input, const pmrt_tensor *tensor);
  void bindOutput(size_t output, const pmrt_tensor *tensor);
  /// Forgets the last run's outputs; their memory is used again.
  void clear();
  /// The required inputs that are not bound.
  std::vector<std::string> missing() const;

  struct Written {
    pmrt_tensor tensor = {};
    std::string iterations;
    std::vector<char> memory; ///< unless the output was bound
  };
  size_t count(size_t output) const { return results[output].count; }
  const Written &written(size_t output, size_t number) const {
    return results[output].all[number];
  }

  bool isGiven(size_t input) const override;
  void readField(Context &context, size_t input,
                 const pmrt_array &out) override;
  std::unique_ptr<Table> readTable(size_t input) override;
  void write(Context &context, pmrt_loc loc, const std::string &name,
             const std::string &iterations,
             const std::vector<NamedArray> &arrays) override;

private:
  struct Result {
    std::optional<pmrt_tensor> bound;
    std::deque<Written> all; ///< the first `count`, and memory of former runs
    size_t count = 0;
  };

  /// The place for an array that the ranks are about to write.
  Written &prepare(const NamedArray &array, const std::string &iterations);
  size_t indexOf(const std::string &name) const;

  const Descriptor &program;
  const std::vector<OutputArray> &outputs;
  std::vector<std::optional<pmrt_tensor>> inputs;
  std::vector<Result> results;
};

} // namespace pmrt

#endif // PMRT_EMBED_EXCHANGE_H
