//===- CudaDevice.h - A rank's NVIDIA GPU -----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One stream, on which everything is queued in order. Ranks of one process that
// share a GPU share its primary context (which cuFFT uses, too), so that they
// see each other's memory.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CUDA_CUDADEVICE_H
#define PMRT_CUDA_CUDADEVICE_H

#include "pmrt/pmrt_cuda.h"
#include "runtime/CUDA/Driver.h"
#include "runtime/CUDA/Libraries/CuFft.h"
#include "runtime/Core/Context.h"

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace pmrt::cuda {

struct BoxPair;
struct CuBlas;
struct MatrixCopy;
class MatrixSolver;

/// The kernels of one image.
class Code {
public:
  Code(Context &context, const Driver &driver) : context(context), cu(driver) {}
  ~Code() { unload(); }
  Code(const Code &) = delete;
  Code &operator=(const Code &) = delete;

  void unload();
  /// Loads the image; PTX is compiled by the driver (and kept by it).
  void load(const pmrt_image &image);

  struct Kernel {
    Function function = nullptr;
    int32_t shared = 0; ///< dynamic shared memory it may have
    std::unordered_map<int64_t, int> resident; ///< blocks of (threads, shared)
  };
  /// `name` must stay where it is.
  Kernel &kernel(const char *name);

private:
  Context &context;
  const Driver &cu;
  Module module = nullptr;
  std::unordered_map<const char *, Kernel> kernels;
};

class CudaDevice : public Device, MemorySource, DeviceClock {
public:
  /// Takes the GPU that is this rank's turn.
  CudaDevice(Context &context, const pmrt_device_code &code);
  ~CudaDevice() override;
  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  /// A context's device, which must be of this kind.
  static CudaDevice &of(Context &context, pmrt_loc loc);

  void enter() override;
  pmrt_space space() const override { return PMRT_DEVICE; }
  const DeviceFacts &facts() const override { return told; }
  int64_t budget() const override { return available; }
  std::string budgetText() const override;
  void meetRanks() override;
  void measureBudget() override;
  int64_t allocatedBytes() const override { return allocated; }
  int64_t mostAllocatedBytes() const override { return mostAllocated; }
  WorkspaceNeeds workspaces() override;
  Pages pages(int64_t bytes) override { return Pages(bytes, this); }
  DeviceClock *clock() override { return this; }
  void zero(void *data, int64_t bytes) override;
  void copy(void *to, const void *from, int64_t bytes) override;
  void upload(void *to, const void *from, int64_t bytes) override;
  void download(void *to, const void *from, int64_t bytes) override;
  const void *read(const void *data, int64_t bytes,
                   std::vector<char> &copy) override;
  void fill(void *to, int64_t bytes,
            const std::function<void(char *)> &write) override;
  void wait() override;
  std::shared_ptr<void> queued() override;
  void follow(const std::shared_ptr<void> &queued) override;
  void followStream(void *other) override;
  void poll() override;
  void step() override;
  void whiteNoise(uint64_t seed, pmrt_element element, const Placed &where,
                  void *out) override;
  void fillRows(const HaloRows &rows, void **table) override;
  FftPlans &ffts() override { return fftPlans; }
  void contract(const Contraction &work) override;
  void convolve(const Convolution &work) override;
  bool matrices(const MatrixCall &call) override;
  int64_t firstNonFinite(pmrt_element element, const void *data,
                         int64_t count) override;
  void transfer(const Region &from, const Region &to, Combine combine,
                pmrt_element element) override;
  void gather(const Region &from, char *to) override;
  void scatter(const char *from, const Region &to, Combine combine,
               pmrt_element element) override;

  /// Blocks that fill the GPU for a grid-stride kernel, at most what `items`
  /// need.
  int64_t blocksFor(Code::Kernel &kernel, int64_t items, int32_t threads,
                    int32_t shared);
  /// Allows the kernel to use `bytes` of dynamic shared memory.
  void reserveShared(Code::Kernel &kernel, int32_t bytes);
  void launch(const char *name, Code::Kernel &kernel, int64_t blocks,
              int32_t threads, int32_t shared, void **args);
  Code &program() { return programCode; }
  /// The handle of cuBLAS, which has a workspace.
  void *blas();
  /// Whether cuBLAS is on this machine.
  bool hasBlas();
  /// The memory of `pages`, which grows to at least `bytes`.
  char *grown(Pages &pages, int64_t bytes);
  // Kernels for batches of matrices (Kernels.h).
  void checkMatrices(pmrt_element element, int64_t count, int64_t size,
                     int64_t diagonal, const void *from, int32_t *bad);
  void transposeMatrices(const MatrixCopy &copy, int64_t count,
                         const int32_t *bad, const void *from, void *to);
  void hermitianMatrices(pmrt_element element, int64_t count, int64_t n,
                         const int32_t *bad, const void *from, void *to);
  void finishMatrices(pmrt_element element, int64_t count, int64_t size,
                      int64_t lower, const int32_t *bad, const int32_t *info,
                      void *data);
  void divideMatrices(pmrt_element element, int64_t count, int64_t rows,
                      int64_t columns, double least, const void *values,
                      void *data);

  Stream queue() const { return stream; }
  Stream makeStream();
  void dropStream(Stream one);
  /// Later work on `later` waits for the work that is on `earlier`.
  void order(Stream earlier, Stream later);
  /// An event at the end of the work on a stream. It must be given back.
  Event endOf(Stream one);
  /// Later work waits for the event, which is given back.
  void followAndGiveBack(Event event);
  void giveBack(Event event) noexcept { spareEvents.push_back(event); }
  /// Whether another rank has the same GPU.
  bool isShared() const { return sharing > 1; }
  bool isStuck() const override { return stuck; }
  bool isOpenToRanks() const override { return allPeers; }
  /// Called while the host waits, with the seconds it has waited, if set; may
  /// throw.
  std::function<void(double)> watch;

  void *scratch(int64_t bytes);
  /// The same for the runtime's own results.
  void *results(int64_t bytes) { return grown(smallMemory, bytes); }
  double *partials(pmrt_reduction kind, int64_t blocks, int64_t width);
  /// The number of rows of memory for combining `rows` rows of partial results.
  static int64_t lanesFor(int64_t rows);
  /// Combines partial results until few rows are left.
  const double *combineRows(pmrt_reduction kind, int64_t blocks, int64_t width,
                            const double *in, int64_t &rows);
  void combineColumns(pmrt_reduction kind, int64_t rows, int64_t width,
                      int64_t first, int64_t count, const double *in,
                      pmrt_element element, void *out);
  pmrt_table table(const pmrt_table &table);
  void forget(const pmrt_table &table) override;
  uint64_t *faultWord() const { return fault; }

private:
  char *allocate(int64_t bytes) override;
  void release(char *memory) noexcept override;
  void free(char *memory) noexcept;
  /// Memory that was freed before and is large enough; null if there is none.
  char *takeKept(int64_t bytes);
  /// The error of an allocation that fails.
  Error outOfMemory(int64_t bytes) const;
  int64_t mark() override;
  int64_t nanoseconds(int64_t mark) override;
  void forgetMarks(int64_t before) override;

  struct Staging {
    char *host = nullptr;
    Event done = nullptr;
    bool busy = false;
  };
  struct Mark {
    Event event = nullptr;
    int64_t at = -1; ///< nanoseconds, once read
  };

  void check(int error, const char *action) const;
  void check(int error, const CuBlas &, const char *action) const;
  void dropBlas() noexcept;
  /// Multiplies by cuBLAS. `adds`: adds the product to the elements of c.
  void multiply(const Contraction &work, bool adds);
  /// Convolves by a kernel in which a thread adds up an element of the result.
  void convolveDirectly(const Convolution &work);
  /// Bytes of the memory for packed matrices of a contraction.
  static int64_t packBytes(const Contraction &work);
  /// Bytes of the matrix that a convolution copies its input to, and of packed
  /// matrices of its products.
  std::pair<int64_t, int64_t> convolutionBytes(const Convolution &work);
  void dropSolver() noexcept;
  /// Null if the host computes matrices. Sets `problem` if a library is
  /// missing.
  MatrixSolver *solver(std::string &problem);
  /// Bytes that the calls of the descriptor's matrices need.
  int64_t matrixBytes();
  Event newEvent();
  /// Waits for an event. After a signal not for long.
  void await(Event event, const char *action);
  void takeGpu();
  /// Lets this rank read what other ranks of the process have on other GPUs:
  /// of `count`, those that have a rank.
  void openPeers(int count);
  void openPool(int count);
  void makeStaging();
  void watchCalls();
  void copyHost(char *to, const char *from, int64_t bytes) const;
  /// One of the runtime's own kernels, with arguments as it declares them.
  template <typename... Params, typename... Args>
  void run(void (*declared)(Params...), const char *name, int64_t items,
           Args... args);
  /// A box of numbers in reduced precision to dense memory, converted.
  void widen(const Region &from, pmrt_element element, char *to,
             pmrt_element longer);

  // Kernels on boxes of at most `mostPairs` elements.
  void copyPairs(int64_t unit, const BoxPair &box, int64_t items,
                 const char *from, char *to);
  void addPairs(pmrt_element element, const BoxPair &box, int64_t items,
                const char *from, char *to);
  /// Minima or maxima.
  void boundPairs(Combine combine, pmrt_element element, const BoxPair &box,
                  int64_t items, const char *from, char *to);

  Context &context;
  const Driver &cu;
  DeviceFacts told;
  DeviceNumber number = 0;
  DeviceContext primary = nullptr; ///< of the GPU, once it is retained
  /// Retains `primary`. Events that other ranks may still have end before it.
  std::shared_ptr<void> retention;
  /// Memory of runs whose ranks wait for each other on their GPUs (NCCL): to
  /// free or to get it does not wait for them. Null: cuMemAlloc.
  MemoryPool pool = nullptr;
  /// Whether such a run keeps all memory until its end, because the GPU has no
  /// memory pools.
  bool keepsMemory = false;
  std::multimap<int64_t, char *> kept; ///< free memory, by its size
  bool allPeers = true; ///< ranks of this process can access this GPU's memory
  int processors = 1;
  int sharing = 1;    ///< ranks on this GPU
  bool stuck = false; ///< a kernel did not end after a signal
  std::shared_ptr<LibraryCall> calls = std::make_shared<LibraryCall>();
  std::unique_ptr<CallWatch> callWatch; ///< watches `calls`
  int64_t available = 0;                ///< 0: not measured yet
  int64_t allocated = 0, mostAllocated = 0;
  std::unordered_map<const char *, int64_t> allocations; ///< bytes, by address
  Stream stream = nullptr;
  Code programCode, ownCode;
  CuFftPlans fftPlans;
  void *blasHandle = nullptr;                 ///< made by the first contraction
  std::optional<bool> blasIsThere;            ///< none: not known yet
  Pages blasMemory;                           ///< cuBLAS works in it
  Pages patchMemory;                          ///< what convolutions read
  std::shared_ptr<MatrixSolver> matrixSolver; ///< made by the first matrices
  bool isWithoutSolver = false;               ///< the host computes matrices
  std::array<Staging, 2> staging;
  int64_t uploads = 0;       ///< pieces staged so far
  uint64_t *fault = nullptr; ///< pinned, written by kernels
  std::array<Event, 2> steps = {};
  Event ordering = nullptr, waiting = nullptr;
  std::shared_ptr<void> tail;      ///< an event; others may still look at it
  std::vector<DeviceNumber> peers; ///< GPUs of this process's other ranks
  int64_t stepCount = 0;
  std::deque<Mark> marks;
  int64_t forgotten = 0; ///< marks before the first of these
  std::vector<Event> spareEvents;
  std::vector<char *> abandoned; ///< memory to be freed at the end
  Mark lastMark = {nullptr,
                   0}; ///< that was read; the clock begins at the first
  Pages scratchMemory, partialMemory, laneMemory, smallMemory, packMemory;
  std::unordered_map<const pmrt_table *, std::pair<pmrt_table, Pages>> tables;
};

} // namespace pmrt::cuda

/// The runtime's own kernels, as PTX. (The build makes it.)
extern "C" const char pmrt_kernel_text[];

#endif // PMRT_CUDA_CUDADEVICE_H
