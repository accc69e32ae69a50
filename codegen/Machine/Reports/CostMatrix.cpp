//===- CostMatrix.cpp - Which rank sends how much to which ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Machine/Reports/CostMatrix.h"

#include "codegen/Machine/Reports/CostTables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>
#include <string>

using namespace pmc;
using namespace pmc::cost;
using namespace pmc::machine;

namespace {

constexpr int64_t mostRanks = 64;

/// A mesh of ranks, numbered with the last axis fastest.
class Mesh {
public:
  explicit Mesh(const CostReport &report) : axes(report.mesh) {}

  /// The rank that is `steps` further along an axis, and around.
  int64_t move(int64_t rank, llvm::StringRef name, int64_t steps) const {
    int64_t stride = 1;
    for (const auto &[axis, ranks] : llvm::reverse(axes)) {
      if (axis == name) {
        int64_t index = rank / stride % ranks;
        return rank + ((index + steps + ranks) % ranks - index) * stride;
      }
      stride *= ranks;
    }
    return rank;
  }

  int64_t getRanks(llvm::StringRef name) const {
    for (const auto &[axis, ranks] : axes)
      if (axis == name)
        return ranks;
    return 1;
  }

private:
  const std::vector<std::pair<std::string, int64_t>> &axes;
};

} // namespace

/// The ranks that a rank sends to.
static std::set<int64_t> findPeers(const Mesh &mesh, int64_t rank,
                                   const SentRow &sent) {
  std::set<int64_t> peers{rank};
  if (sent.pattern == cost::Pattern::Neighbors) {
    for (const std::string &axis : sent.axes)
      for (int64_t step : {-1, 1})
        peers.insert(mesh.move(rank, axis, step));
  } else {
    for (const std::string &axis : sent.axes)
      for (int64_t from : std::set<int64_t>(peers))
        for (int64_t step = 1; step < mesh.getRanks(axis); ++step)
          peers.insert(mesh.move(from, axis, step));
  }
  peers.erase(rank);
  return peers;
}

std::vector<std::vector<double>>
pmc::machine::makeMatrix(const CostReport &report) {
  if (report.ranks == 1 || report.ranks > mostRanks)
    return {};
  Mesh mesh(report);
  std::vector<std::vector<double>> bytes(
      report.ranks, std::vector<double>(report.ranks, 0.0));
  for (const CostRow &row : report.ops)
    for (const SentRow &sent : row.sent)
      for (int64_t rank = 0; rank < report.ranks; ++rank) {
        std::set<int64_t> peers = findPeers(mesh, rank, sent);
        for (int64_t peer : peers)
          bytes[rank][peer] +=
              row.times * double(sent.most) / double(peers.size());
      }
  return bytes;
}

void pmc::machine::printMatrix(const CostReport &report,
                               llvm::raw_ostream &os) {
  std::vector<std::vector<double>> bytes = makeMatrix(report);
  double most = 0;
  for (const std::vector<double> &row : bytes)
    most = std::max(most, *llvm::max_element(row));
  if (most == 0)
    return;
  constexpr int cell = 14, left = 64, top = 46;
  int count = int(bytes.size()), side = count * cell;
  os << "<h2>which rank sends how much to which</h2>\n"
     << llvm::formatv(
            "<div class=wide><svg class=matrix width={0} height={1} role=img "
            "aria-label='bytes from rank to rank'>\n",
            left + std::max(side, 240) + 10, top + side + 50);
  auto text = [&](int x, int y, llvm::StringRef anchor, llvm::Twine words) {
    os << llvm::formatv("<text x={0} y={1} text-anchor={2}>", x, y, anchor)
       << words << "</text>\n";
  };
  text(left, 14, "start", "to rank");
  text(0, top + 10, "start", "from");
  // A number needs its digits and a space; more than 16 would not be read.
  constexpr int digit = 7;
  int step = 1, width = digit * int(std::to_string(count - 1).size() + 1);
  while (step * cell < width || count > 16 * step)
    step *= 2;
  for (int i = 0; i < count; i += step) {
    text(left + i * cell + cell / 2, top - 6, "middle", llvm::Twine(i));
    text(left - 6, top + i * cell + cell - 3, "end", llvm::Twine(i));
  }
  for (int from = 0; from < count; ++from)
    for (int to = 0; to < count; ++to)
      os << llvm::formatv("<rect x={0} y={1} width={2} height={2} "
                          "fill-opacity={3:f3}><title>{4} to {5}: {6}</title>"
                          "</rect>\n",
                          left + to * cell, top + from * cell, cell - 1,
                          bytes[from][to] / most, from, to,
                          toBytes(bytes[from][to]));
  constexpr int shades = 5;
  for (int i = 0; i <= shades; ++i)
    os << llvm::formatv("<rect x={0} y={1} width={2} height={2} "
                        "fill-opacity={3:f3} />\n",
                        left + i * cell, top + side + 14, cell - 1,
                        double(i) / shades);
  text(left + (shades + 1) * cell + 6, top + side + 14 + cell - 3, "start",
       "0 to " + toBytes(most));
  os << "</svg></div>\n";
}
