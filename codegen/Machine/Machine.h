//===- Machine.h - What a machine can do ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures of a machine file, in SI units: bytes, operations, seconds. What
// they mean together is in TimeModel.h. README.md describes the files.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_MACHINE_MACHINE_H
#define PMC_CODEGEN_MACHINE_MACHINE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pmc::machine {

enum class Precision { F32, F64 };

/// What runs the kernels: a GPU, or the processors of a node together.
struct Device {
  bool gpu = false;
  int64_t perNode = 1;        ///< more ranks than that share them
  double memory = 0;          ///< bytes of one
  double memoryBandwidth = 0; ///< bytes/s read and written
  double f32 = 0, f64 = 0;    ///< operations/s
  double launch = 0;          ///< seconds until a kernel runs
};

/// A figure that depends on how much is worked on: data in caches is near.
struct Curve {
  /// Bytes that a device reads and writes, growing; empty: it does not depend.
  std::vector<double> sizes;
  std::vector<double> values; ///< one for each size

  /// Along a line over the logarithm of the size, beyond the ends as there; 0
  /// if there are no values.
  double at(double bytes) const;
};

/// How fast transforms are by length: the share of the memory's bandwidth that
/// a transform along one dim uses, if it reads and writes its data once.
struct FFTEfficiency {
  std::vector<int64_t> lengths; ///< growing
  std::vector<Curve> f32, f64;  ///< one for each length
};

/// How fast pmc's kernels are where neither bytes nor operations say it;
/// without values it is not known, and counts nothing.
struct Kernels {
  Curve readout;           ///< cells of windows read a second
  Curve paint;             ///< cells of windows added to a second
  Curve displacementBound; ///< positions whose displacement is bounded a second
  Curve functions;         ///< functions like exp a second
  Curve lookups;           ///< readings of tables a second
};

/// A way between ranks.
struct Link {
  double latency = 0;   ///< seconds of a message
  double bandwidth = 0; ///< bytes/s, each way: of a device; of a node
  double pair = 0;      ///< bytes/s to any one other device; 0: no limit
  /// In a node, if ranks are on several: bytes/s of the node's messages, which
  /// the transport then stages; 0: as on one node.
  double staged = 0;
  /// To send to p ranks at once takes 1 + crowding * log2(p) times as long.
  double crowding = 0;
};

/// What carries messages: its ways inside of a node and between nodes.
struct Transport {
  Link inside, between;
  /// How much of a message's time kernels can run beside it.
  double overlap = 1;
};

/// What a library that transforms on ranks does beside its transforms and
/// messages, and which transport it takes if none is asked for. Passes are over
/// all of a rank's data, read and written once.
struct Library {
  std::string transport;
  /// Of a transpose: to put messages together and to take them apart.
  double transposePasses = 0;
  /// Of a whole transform, and of an inverse one in addition (its factor).
  double transformPasses = 0, inversePasses = 0;
  /// Seconds that two axes over several nodes cost, whatever their bytes.
  double axesLatency = 0;
  /// Of a transform over one axis, if that cuts the second dim (of an inverse
  /// one: the first): to bring the dims into another order. Where dims are not
  /// brought together to be transformed it is the other way round.
  double reorderPasses = 0;
  /// Of an inverse transform with two axes, and what that exchanges in addition
  /// between all ranks: so many times a rank's data.
  double inverseAxesPasses = 0, inverseAxesTraffic = 0;
};

class Machine {
public:
  /// Reads a file, or one that comes with the compiler if `nameOrPath` is
  /// neither a path nor ends in ".toml". `libraryFolder`: <prefix>/lib, which
  /// holds pmc/machines. Errors are "file:line:column: error: ...", one a line.
  static llvm::Expected<Machine> load(llvm::StringRef nameOrPath,
                                      llvm::StringRef libraryFolder);
  /// The same of a text; `file`: how errors call it.
  static llvm::Expected<Machine> parse(llvm::StringRef text,
                                       llvm::StringRef file);
  /// The names of those that come with the compiler, sorted.
  static std::vector<std::string> getShipped(llvm::StringRef libraryFolder);

  std::string name, description;
  /// Ranks that a node holds; of several nodes, each is filled first.
  int64_t ranksPerNode = 1;
  int64_t nodes = 1; ///< of the machine
  Device device;
  double hostMemory = 0;          ///< bytes of a node
  double hostMemoryBandwidth = 0; ///< bytes/s of a node
  FFTEfficiency fft;
  Kernels kernels;
  std::map<std::string, Transport, std::less<>> transports;
  std::map<std::string, Library, std::less<>> libraries;

  const Transport *getTransport(llvm::StringRef name) const;
  /// "pmc" is always there.
  const Library *getLibrary(llvm::StringRef name) const;
};

} // namespace pmc::machine

#endif // PMC_CODEGEN_MACHINE_MACHINE_H
