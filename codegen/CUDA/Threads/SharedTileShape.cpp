//===- SharedTileShape.cpp - How particles are cut for shared memory ------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Threads/SharedTileShape.h"
#include "codegen/CUDA/DeviceKernel.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

/// The shared memory of a block that every GPU provides by default.
static constexpr int64_t sharedBytes = int64_t(48) << 10;
/// The shared memory of a block of a readout, whose tile has a wider margin.
/// Every GPU provides it if the runtime requests it.
static constexpr int64_t readoutBytes = int64_t(64) << 10;

// On an H200 particle blocks of 2048 and 4096 took the same time, of 1024 a
// tenth more; rows of 8 and 16 the same, of 32 more (test/bench). In N-body
// simulations of 128^3 particles, particle blocks of 8 x 8 x 16 with a margin
// of 8 cells leave 2.0 additions in memory a particle, of 8, at a = 1 where a
// cell is 1 Mpc/h, and 1.5 where it is 3; a longer particle block leaves more
// of the former and takes more shared memory.

static int64_t product(ArrayRef<int64_t> factors) {
  int64_t result = 1;
  for (int64_t factor : factors)
    result *= factor;
  return result;
}

int64_t SharedTileShape::countParticles() const {
  return product(particleBlock);
}

int64_t SharedTileShape::countCells() const { return product(cells); }

/// The extents of a particle block with as many particles as a block of threads
/// takes: a row, and rows in a square. They are powers of two.
static SmallVector<int64_t>
getLargestParticleBlock(ArrayRef<DimAttr> domain, const ScheduleSizes &sizes) {
  auto limit = [&](size_t d) {
    return int64_t(llvm::PowerOf2Ceil(uint64_t(domain[d].getStoredExtent())));
  };
  SmallVector<int64_t> particleBlock(domain.size(), 1);
  particleBlock.back() = std::min(sizes.row, limit(domain.size() - 1));
  while (product(particleBlock) < sizes.particles) {
    std::optional<size_t> shortest;
    for (size_t d = 0; d < particleBlock.size(); ++d)
      if (particleBlock[d] < limit(d) &&
          (!shortest || particleBlock[d] < particleBlock[*shortest]))
        shortest = d;
    if (!shortest)
      break;
    particleBlock[*shortest] *= 2;
  }
  return particleBlock;
}

/// Particles are on a lattice, or presumably near one, of the mesh's rank. The
/// tile has the particle block's cells where the particle block moves as a
/// whole, and a quarter more, at least `spare`.
static SmallVector<int64_t>
getLatticeCells(const ParticleWindow &particleWindow, ArrayRef<DimAttr> domain,
                const SharedTileShape &shape, int64_t spare) {
  SmallVector<int64_t> cells;
  for (auto [d, mesh, dim, extent] :
       llvm::enumerate(particleWindow.getMesh(), domain, shape.particleBlock)) {
    int64_t ratio =
        llvm::divideCeil(mesh.getStoredExtent(), dim.getStoredExtent());
    int64_t own = extent * ratio;
    cells.push_back(std::min(mesh.getStoredExtent(),
                             own + shape.getWidth(particleWindow, unsigned(d)) -
                                 1 + std::max(spare, own / 4)));
  }
  return cells;
}

/// A particle block and a tile around it; the particle block shrinks until the
/// tile fits.
static std::optional<SharedTileShape>
shrinkLattice(const ParticleWindow &particleWindow, ArrayRef<DimAttr> domain,
              int64_t most, int64_t spare, const ScheduleSizes &sizes,
              const TileReach &reach) {
  SharedTileShape shape{getLargestParticleBlock(domain, sizes), {}, reach};
  int64_t fewest = std::min(sizes.block, shape.countParticles());
  for (;;) {
    shape.cells = getLatticeCells(particleWindow, domain, shape, spare);
    if (shape.countCells() <= most)
      return shape;
    if (shape.countParticles() / 2 < fewest)
      return std::nullopt;
    // A cube has the least margins.
    std::optional<size_t> longest;
    for (size_t d = 0; d < shape.particleBlock.size(); ++d)
      if (shape.particleBlock[d] > 1 &&
          (!longest || shape.cells[d] >= shape.cells[*longest]))
        longest = d;
    if (!longest)
      return std::nullopt;
    shape.particleBlock[*longest] /= 2;
  }
}

/// The largest particle block, if a tile with some margin fits. A readout loads
/// each cell of a tile. The larger the particle block is, the fewer cells are
/// loaded per particle.
static std::optional<SharedTileShape>
keepLattice(const ParticleWindow &particleWindow, ArrayRef<DimAttr> domain,
            int64_t most, const ScheduleSizes &sizes, const TileReach &reach) {
  SharedTileShape shape{getLargestParticleBlock(domain, sizes), {}, reach};
  for (int64_t spare : {8, 6, 4}) {
    shape.cells = getLatticeCells(particleWindow, domain, shape, spare);
    if (shape.countCells() <= most)
      return shape;
  }
  return std::nullopt;
}

/// The shape for particles of a list. A cube is assumed, because nothing is
/// known about the positions of consecutive particles.
static SharedTileShape shapeList(const ParticleWindow &particleWindow,
                                 ArrayRef<DimAttr> domain, int64_t most,
                                 const ScheduleSizes &sizes,
                                 const TileReach &reach) {
  ArrayRef<DimAttr> mesh = particleWindow.getMesh();
  auto fits = [&](int64_t side) {
    return product(SmallVector<int64_t>(mesh.size(), side)) <= most;
  };
  int64_t side = 1;
  while (fits(side + 1))
    ++side;
  SharedTileShape shape{getLargestParticleBlock(domain, sizes), {}, reach};
  for (DimAttr dim : mesh)
    shape.cells.push_back(std::min(side, dim.getStoredExtent()));
  return shape;
}

static std::optional<SharedTileShape>
chooseAnyShape(const ParticleWindow &particleWindow, ArrayRef<DimAttr> domain,
               int64_t most, const ScheduleSizes &sizes,
               const TileReach &reach) {
  if (domain.size() != particleWindow.getMesh().size())
    return shapeList(particleWindow, domain, most, sizes, reach);
  if (reach.isWide())
    if (auto shape = keepLattice(particleWindow, domain, most, sizes, reach))
      return shape;
  for (int64_t spare : {8, 4, 2})
    if (auto shape =
            shrinkLattice(particleWindow, domain, most, spare, sizes, reach))
      return shape;
  return std::nullopt;
}

std::optional<SharedTileShape> pmc::codegen::chooseSharedTileShape(
    const ParticleWindow &particleWindow, ArrayRef<DimAttr> domain,
    int64_t bytes, const ScheduleSizes &sizes, TileReach reach) {
  // The tile of a wide window would be mostly margin.
  if (particleWindow.isWide())
    return std::nullopt;
  reach.below.resize(particleWindow.getMesh().size());
  reach.above.resize(particleWindow.getMesh().size());
  auto shape = chooseAnyShape(
      particleWindow, domain,
      (reach.isWide() ? readoutBytes : sharedBytes) / bytes, sizes, reach);
  if (!shape)
    return shape;
  for (auto [d, cells] : llvm::enumerate(shape->cells))
    if (cells < shape->getWidth(particleWindow, unsigned(d)))
      return std::nullopt;
  return shape;
}
