//===- Context.h - One rank's state -----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that a program has while it runs. There is no other state in the
// runtime, except FFTW's planner (which is locked) and requests to end the run
// (Base/Interrupts.h).
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_CONTEXT_H
#define PMRT_CORE_CONTEXT_H

#include "runtime/Base/Error.h"
#include "runtime/Base/Memory/Arena.h"
#include "runtime/Base/Memory/Device.h"
#include "runtime/Base/PlotFormat.h"
#include "runtime/Base/Recorder/Profile.h"
#include "runtime/Base/Recorder/Recorder.h"
#include "runtime/Base/Text/MessageSink.h"
#include "runtime/Base/Threads.h"
#include "runtime/Comm/Group.h"
#include "runtime/Core/Checkpoints/Reversal.h"
#include "runtime/Core/Checkpoints/TimeLimit.h"
#include "runtime/Core/Descriptor.h"
#include "runtime/Core/MemoryPort.h"
#include "runtime/Core/Mesh.h"
#include "runtime/Core/Progress.h"
#include "runtime/Core/SharedBoxes.h"
#include "runtime/Core/Tables/Table.h"
#include "runtime/Core/WrittenFiles.h"
#include "runtime/IO/Figures/Figure.h"
#include "runtime/IO/Files/ImageGeometry.h"

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace pmrt {

class FftRoutes;
class SampleStream;

/// What memory besides the fields is for. Pages go to others of their kind
/// only: a large checkpoint store's would be lost in a small halo. Reductions
/// ask for equally many bytes on all ranks, so that these agree on new pages
/// only: to agree is to wait for each other.
enum class Loan { Workspace, CheckpointStore, Reduction };

/// Fixed: line by line, with plans that nothing is measured for.
enum class PlanRigor { Estimate, Measure, Patient, Fixed };

/// What the command line decides besides parameters and inputs.
struct Settings {
  std::string out = "./out";
  std::string profile;        ///< empty: none
  std::string like;           ///< a NIfTI file; empty: none
  std::string checkpoint;     ///< a folder; empty: no checkpoints
  double checkpointEvery = 0; ///< seconds; 0: as the program says
  bool resume = false;
  int threads = 0;          ///< of a rank; 0: its part of the hardware's
  int firstDevice = 0;      ///< the number of the first rank's GPU
  std::string transport;    ///< empty: what fits
  std::string rendezvous;   ///< a file, by which processes find each other
  double watchdog = 60;     ///< seconds of a wait for a rank that are told
  double watchdogEnd = 300; ///< and that end the run; infinite: none do
  double timeLimit = 0;     ///< seconds; 0: none
  int64_t memoryLimit = 0;  ///< bytes a rank, 0: its part of the machine's
  PlanRigor plan = PlanRigor::Measure;
  std::string format = "h5"; ///< of outputs: a name of IO/Formats/Format.h
  std::map<std::string, std::string> formats; ///< of single outputs
  PlotFormat plots = PlotFormat::Png;
  /// Shows them there as well: "" not, "terminal" as that can, or "blocks",
  /// "sixel", "kitty".
  std::string plotsInTerminal;
  ProgressMode progress = ProgressMode::Auto;
  bool quiet = false;
  bool dryRun = false;
};

/// What surrounds a run: the command line's, if not changed. All of it outlives
/// the run's contexts.
struct Surroundings {
  MessageSink *messages = &standardStreams();
  MemoryPort *port = nullptr; ///< null: inputs and outputs are files
};

/// A parameter or input as launched.
struct LaunchValue {
  ParamValue value;
  bool given = false; ///< on the command line
};

/// What a column of an output has: of values that are complex, their moduli.
struct ValueRange {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  double sum = 0;
  double count = 0;
};

/// For the report of the run.
struct WrittenOutput {
  std::string name, file, element, unit;
  std::vector<int64_t> shape;
  std::vector<std::string> columns; ///< empty: one, without a name
  std::vector<ValueRange> ranges;   ///< one a column
};

class Context {
public:
  /// `values`: one a parameter; `files`: one an input, empty if not given.
  Context(Descriptor descriptor, Settings chosen,
          std::vector<LaunchValue> values, std::vector<std::string> files,
          std::vector<Axis> axes,
          std::shared_ptr<Transport> wires = makeSelfTransport(),
          const Surroundings &surroundings = {});
  ~Context();
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  const Descriptor program;
  const Settings settings;
  std::vector<LaunchValue> params; ///< the same for a whole run
  const std::vector<std::string> inputFiles;
  const std::shared_ptr<Transport> transport;
  MessageSink &messages;
  MemoryPort *const port; ///< null: inputs and outputs are files
  /// Where the fields are: in the host's memory, if not set to another one
  /// before anything runs.
  std::unique_ptr<Device> device;
  std::string deviceProblem; ///< why a dry run has no GPU, if there should be
  const Mesh mesh;
  const std::vector<Shard> shards; ///< one a dim
  Threads threads;
  Group world; ///< all ranks
  Profile profile;
  Progress progress;
  Recorder recorder;
  TimeLimit timeLimit;
  std::vector<double> lengths; ///< physical, one a dim; 0: not told
  std::vector<std::unique_ptr<Table>> tables;
  std::map<int32_t, std::shared_ptr<SampleStream>> streams; ///< of inputs
  std::vector<FileGeometry> inputGeometries;      ///< of inputs that have one
  std::map<std::string, std::string> conversions; ///< of inputs: "from mm to m"
  int64_t readingBytes = 0; ///< the most that reading an input takes besides
  std::optional<FileGeometry> likeGeometry; ///< of --like
  struct OutputGeometry {
    ImageGeometry geometry;
    bool isLike = false; ///< of --like, not of an input
  };
  std::map<std::string, OutputGeometry> geometries; ///< by the output's name
  std::shared_ptr<FftRoutes> routes; ///< made by the first transform over ranks
  /// The run's, in the names of its temporary files; empty: has no folder of
  /// its own (see IO/States/FolderLock.h).
  std::string token;
  WrittenFiles written;
  std::vector<WrittenOutput> outputs; ///< of them, datasets
  /// SHA-256 by path: of what was written, and of inputs that were verified. On
  /// the first rank.
  std::map<std::string, std::string> checksums, verified;
  std::string lostPrints;          ///< why some could not be written, or ""
  std::vector<Reversal> reversals; ///< one a loop that was reversed
  /// Iterations and losses that fits have told, by their names.
  using Losses = std::map<std::string, std::vector<std::pair<double, double>>>;
  Losses losses;
  /// The places and texts of the warnings that the program has printed.
  std::set<std::pair<pmrt_loc, std::string>> warned;
  std::function<void()> lossesGrew; ///< called when one is told, if set
  /// Pictures of plots in loops, by the plots' names.
  std::map<std::string, std::vector<std::string>> frames;
  std::vector<Figure> panels; ///< drawn when their figure has all
  std::string iterations;     ///< in the name of the next file: "_003"
  pmrt_loc current = -1;      ///< of the call that runs
  std::vector<std::shared_ptr<pmrt_pending>> pending; ///< collectives under way
  std::vector<std::shared_ptr<pmrt_halo>> halos;      ///< open ones
  std::vector<std::shared_ptr<pmrt_checkpoint_store>> stores; ///< open ones
  int64_t widestHalo = 0; ///< cells that particles needed on one side
  /// Convolutions on a GPU: by cuBLAS, and by a kernel.
  int64_t convolutionsByBlas = 0, convolutionsByKernel = 0;
  Pages sortWorkspace; ///< of paints (Core/Sorting/SortWorkspace.h)
  std::vector<SharedBoxes> sharedBoxes; ///< by their numbers in the program
  Pages blockWorkspace;                 ///< a box of cells for each thread
                                        ///< (Particles/LatticeBlocks.cpp)

  /// Forgets what the last run has left, for another one with other parameters.
  /// Memory and plans of transforms stay. The last run has ended well.
  void startAgain(std::vector<LaunchValue> values);

  /// "nbody.pm:14:9", or empty for -1.
  std::string location(pmrt_loc loc) const;
  /// Whether the operation at `loc` is in a function of the library.
  bool isInLibrary(pmrt_loc loc) const;
  /// An Exit::Failure at `loc`, with the loop step the program is in.
  Error failure(pmrt_loc loc, const std::string &message) const;

  /// The memory plan of the descriptor's buffers, made on first use. Throws
  /// Exit::Usage if it exceeds the memory limit, except in a dry run.
  const Placement &placement();
  /// Why a dry run's plan exceeds the memory limit, or "".
  std::string problemOfPlacement();
  /// Bytes of each buffer on this rank.
  std::vector<int64_t> bufferBytes() const;
  /// Buffers of that kind get at least so many bytes. Before `placement`.
  void reserve(pmrt_element element, const std::vector<int32_t> &dims,
               int64_t bytes);
  /// Bytes of a buffer of that kind; more than any machine has if it overflows.
  int64_t bytesOf(pmrt_element element, const std::vector<int32_t> &dims) const;
  /// Bytes at an array's address that are its own: more than its elements if
  /// it is a buffer with padding.
  int64_t capacity(const pmrt_array &array) const;
  /// What `capacity` depends on, besides the rank: arrays with equal texts have
  /// equal capacities on every rank.
  std::string kindOf(const pmrt_array &array) const;
  static std::string kindText(bool planned, pmrt_element element,
                              const std::vector<int32_t> &dims);
  int64_t memoryLimit() const;
  /// "the 130.2 GiB of the GPU": what memoryLimit() is, for messages.
  std::string memoryLimitText() const;
  /// Ranks along the axes whose bit is set, through this one.
  Group group(uint32_t axes);
  bool alone() const { return transport->size() == 1; }
  /// Every rank passes its error, "" for none. If something did, all
  /// ranks throw the same error, with the text of the first that has one.
  void agree(pmrt_loc loc, const std::string &problem,
             Exit code = Exit::Failure);
  /// Memory besides the fields (workspaces, halos), kept for the next who asks.
  /// Refused if all of it together exceeds the memory limit; `what` is for the
  /// message. A collective: all ranks get it, or none.
  Pages borrow(pmrt_loc loc, int64_t bytes, const char *what,
               Loan kind = Loan::Workspace);
  void giveBack(Pages pages, Loan kind = Loan::Workspace);
  /// Bytes of workspaces of calls on a GPU: allocated memory without fields and
  /// borrowed memory. 0 for the host.
  int64_t workspaceBytes() const;
  /// The most at one time.
  int64_t borrowedBytes() const { return mostBorrowed; }
  void *buffer(int32_t index);

  /// Where buffers and what is borrowed lie.
  pmrt_space space() const { return device->space(); }
  /// The same for messages (Comm/Transport.h): null if it is the host.
  Device *gpu() const { return device->isHost() ? nullptr : device.get(); }
  /// Sets to zero what `borrow` has lent.
  void clear(const Pages &pages, int64_t bytes);

  /// An array over these dims without memory.
  pmrt_array withoutMemory(pmrt_element element,
                           const std::vector<int32_t> &dims) const;
  /// Checks an array's dims, element and space.
  void check(pmrt_loc loc, const pmrt_array &array) const;
  /// Local extents of an array, which it checks.
  std::vector<int64_t> shape(pmrt_loc loc, const pmrt_array &array) const;
  /// Local number of elements.
  int64_t elements(pmrt_loc loc, const pmrt_array &array) const;
  /// The bytes of these elements.
  int64_t bytes(pmrt_loc loc, const pmrt_array &array) const;

private:
  struct Capacity {
    pmrt_element element;
    std::vector<int32_t> dims;
    int64_t bytes;
  };
  /// Gives up what is under way.
  void endCalls();
  /// Whether it is a buffer of the memory plan.
  bool isPlanned(const pmrt_array &array) const;

  std::vector<Capacity> capacities;
  /// Asks the port for memory of the caller. If other buffers than before are
  /// in this memory, the plan is made again.
  void takeCallers();

  std::optional<Placement> placed;
  Pages memory;
  /// The address of each buffer in memory of the caller; null: it is in
  /// `memory`.
  std::vector<void *> callers;
  struct Spare {
    Pages pages;
    Loan kind;
  };
  std::vector<Spare> spare;
  int64_t borrowed = 0; ///< bytes of all pages lent or spare
  int64_t mostBorrowed = 0;
};

} // namespace pmrt

/// The ABI's name of it.
struct pmrt_context : pmrt::Context {
  using pmrt::Context::Context;
};

#endif // PMRT_CORE_CONTEXT_H
