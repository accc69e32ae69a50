//===- Exchange.h - The arrays of a session ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_EMBED_EXCHANGE_H
#define PMRT_EMBED_EXCHANGE_H

#include "runtime/Core/MemoryPort.h"
#include "runtime/Core/Mesh.h"
#include "runtime/Dist/Layout.h"
#include "runtime/Embed/Signature.h"
#include "runtime/Embed/Tensor.h"

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace pmrt {

/// The inputs that a caller has bound, and the outputs of the last run. Arrays
/// are whole ones, which the ranks of a run share and use at the same time; or
/// the parts of the one rank that this process has.
class SessionArrays : public MemoryPort {
public:
  SessionArrays(const Descriptor &program,
                const std::vector<OutputArray> &outputs);

  /// This process has one rank of the mesh. Outputs are its parts. Inputs are
  /// its parts or whole arrays.
  void holdParts(const Mesh &mesh) { own = mesh; }
  /// The boxes of the parts, or of whole arrays. A box has one side for each
  /// dimension. Of outputs whose dimensions were joined, offset 0.
  Box inputBox(size_t input) const;
  Box outputBox(size_t output) const;

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

  bool wantsParts() const override { return own.has_value(); }
  bool isGiven(size_t input) const override;
  void *memoryOf(size_t buffer, int64_t bytes) const override;
  void readField(Context &context, size_t input,
                 const pmrt_array &out) override;
  std::unique_ptr<Table> readTable(size_t input) override;
  void write(Context &context, pmrt_loc loc, const std::string &name,
             const std::string &iterations,
             const std::vector<NamedArray> &arrays) override;
  void draw(const std::string &name, const std::string &file) override {
    if (whenDrawn)
      whenDrawn(name, file);
  }

  /// Receives the pictures of plots, on a thread of the run. It may be null.
  std::function<void(const std::string &name, const std::string &file)>
      whenDrawn;

private:
  struct Result {
    std::optional<pmrt_tensor> bound;
    std::deque<Written> all; ///< the first `count`, and memory of former runs
    size_t count = 0;
    /// The iterations of the first `count` arrays.
    std::unordered_set<std::string> iterations;
  };

  std::unique_ptr<Table> readGridPart(size_t input, const TablePart &part);
  /// The place for an array that the ranks are about to write.
  Written &prepare(const NamedArray &array, const std::string &iterations);
  size_t indexOf(const std::string &name) const;
  bool forGpus() const { return program.target == "cuda"; }
  /// Throws if values of an input are not finite, or those of a mask not 0
  /// or 1.
  static void checkValues(Context &context, const Input &input, const Box &box,
                          pmrt_element element, const void *data);
  static void checkMask(const Input &input, const Box &box, const int8_t *mask);
  Box boxOf(const std::vector<int32_t> &dims,
            const std::vector<int64_t> &whole) const;

  const Descriptor &program;
  const std::vector<OutputArray> &outputs;
  std::optional<Mesh> own;
  std::vector<std::optional<pmrt_tensor>> inputs;
  std::vector<Result> results;
};

} // namespace pmrt

#endif // PMRT_EMBED_EXCHANGE_H
