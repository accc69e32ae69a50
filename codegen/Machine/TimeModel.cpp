//===- TimeModel.cpp - Bytes, operations and messages to seconds ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Machine/TimeModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace pmc::machine;

llvm::Expected<TimeModel> TimeModel::make(const Machine &machine, int64_t ranks,
                                          llvm::StringRef wanted) {
  const int64_t most = machine.ranksPerNode * machine.nodes;
  if (ranks < 1 || ranks > most)
    return llvm::createStringError("'" + machine.name + "' has 1 to " +
                                   llvm::Twine(most) + " ranks, not " +
                                   llvm::Twine(ranks));
  if (wanted.empty())
    wanted = machine.getLibrary("pmc")->transport;
  if (const Transport *transport = machine.getTransport(wanted))
    return TimeModel(machine, *transport, ranks);
  std::vector<std::string> names;
  for (const auto &[name, transport] : machine.transports)
    names.push_back(name);
  return llvm::createStringError("'" + machine.name + "' has no transport '" +
                                 wanted + "', only " + llvm::join(names, ", "));
}

int64_t TimeModel::getNodes() const {
  return llvm::divideCeil(ranks, machine->ranksPerNode);
}

int64_t TimeModel::getRanksOnNode() const {
  return std::min(ranks, machine->ranksPerNode);
}

double TimeModel::getMemory() const {
  return machine->device.memory * getShare();
}

AxisRanks TimeModel::getAxis(llvm::ArrayRef<int64_t> mesh, size_t index) {
  AxisRanks axis{mesh[index], 1};
  for (int64_t extent : mesh.drop_front(index + 1))
    axis.stride *= extent;
  return axis;
}

int64_t TimeModel::getInside(AxisRanks axis) const {
  return std::clamp<int64_t>(machine->ranksPerNode / axis.stride, 1,
                             axis.ranks);
}

int64_t TimeModel::getNodesOf(AxisRanks axis) const {
  return llvm::divideCeil(axis.ranks, getInside(axis));
}

/// Of a device, which ranks may share.
double TimeModel::getShare() const {
  return std::min(1.0,
                  double(machine->device.perNode) / double(getRanksOnNode()));
}

double TimeModel::memoryTime(double bytes) const {
  return bytes / (machine->device.memoryBandwidth * getShare());
}

double TimeModel::arithmeticTime(double operations, Precision precision) const {
  const Device &device = machine->device;
  return operations /
         ((precision == Precision::F32 ? device.f32 : device.f64) * getShare());
}

double TimeModel::kernelTime(double count, const Curve &rate,
                             double bytes) const {
  // Ranks that share a device share its caches, too.
  const double share = getShare(), most = rate.at(bytes / share);
  return most > 0 ? count / (most * share) : 0;
}

double TimeModel::launchTime() const { return machine->device.launch; }

/// Between the lengths of the file along a line over the logarithm, outside of
/// them as at the nearest.
static double getEfficiency(const FFTEfficiency &fft, int64_t length,
                            Precision precision, double bytes) {
  const std::vector<Curve> &known =
      precision == Precision::F32 ? fft.f32 : fft.f64;
  const size_t next =
      size_t(llvm::lower_bound(fft.lengths, length) - fft.lengths.begin());
  if (next == 0)
    return known.front().at(bytes);
  if (next == known.size())
    return known.back().at(bytes);
  const double low = std::log(double(fft.lengths[next - 1]));
  const double high = std::log(double(fft.lengths[next]));
  const double part = (std::log(double(length)) - low) / (high - low);
  const double before = known[next - 1].at(bytes);
  return before + part * (known[next].at(bytes) - before);
}

double TimeModel::fftTime(double batch, int64_t length, Precision precision,
                          bool real) const {
  const double number = precision == Precision::F32 ? 4 : 8;
  const double n = double(length);
  // Complex numbers, or real ones and the half that is kept.
  const double bytes = number * batch * (real ? n + 2 * (n / 2 + 1) : 4 * n);
  return memoryTime(bytes) /
         getEfficiency(machine->fft, length, precision, bytes / getShare());
}

/// Seconds of `bytes` to each of `peers`, if `senders` share the link.
static double getSeconds(const Link &link, double peers, double bytes,
                         double senders, bool inTurn) {
  const double all = senders * peers * bytes / link.bandwidth;
  const double one = link.pair > 0 ? bytes / link.pair : 0;
  const double atOnce = inTurn ? 1 : std::max(peers, 1.0);
  const double crowd = 1 + link.crowding * std::log2(atOnce);
  return peers * link.latency + crowd * std::max(all, one);
}

/// `inside` ranks of the node and `between` ranks elsewhere each get `bytes`.
/// Ranks share a device's link, and `senders` of them the node's.
MessageCost TimeModel::exchange(double inside, double between, double bytes,
                                double senders, bool inTurn) const {
  MessageCost cost;
  cost.messages = inside + between;
  cost.insideBytes = inside * bytes;
  cost.betweenBytes = between * bytes;
  if (inside > 0) {
    Link link = transport->inside;
    double sharing = 1 / getShare();
    if (link.staged > 0 && getNodes() > 1) {
      link = {link.latency, link.staged};
      sharing = double(getRanksOnNode());
    }
    cost.seconds += getSeconds(link, inside, bytes, sharing, inTurn);
  }
  if (between > 0)
    cost.seconds +=
        getSeconds(transport->between, between, bytes, senders, inTurn);
  return cost;
}

MessageCost TimeModel::allToAll(AxisRanks axis, double bytes,
                                bool inTurn) const {
  if (axis.ranks < 2)
    return {};
  const double ranksOf = double(axis.ranks), inside = double(getInside(axis));
  return exchange(inside - 1, ranksOf - inside, bytes / ranksOf,
                  double(getRanksOnNode()), inTurn);
}

MessageCost TimeModel::halo(AxisRanks axis, double bytes) const {
  if (axis.ranks < 2)
    return {};
  const double neighbors = axis.ranks == 2 ? 1 : 2;
  if (getNodesOf(axis) == 1)
    return exchange(neighbors, 0, bytes, 0);
  // Of the ranks of a node, those at either end of a run of neighbors have one
  // that is elsewhere: it is they who are waited for, and who share the way
  // out.
  const double inside = double(getInside(axis));
  const double between = inside > 1 ? 1 : neighbors;
  const double senders = double(getRanksOnNode()) / inside *
                         (inside > 1 ? std::min(2.0, inside) : 1);
  return exchange(neighbors - between, between, bytes, senders);
}

MessageCost TimeModel::allReduce(AxisRanks axis, double bytes) const {
  // Up a tree and down again, first in nodes and then between them.
  auto levels = [](int64_t ranks) {
    return double(llvm::Log2_64_Ceil(uint64_t(ranks)));
  };
  MessageCost cost;
  for (auto [count, apart] :
       {std::pair(getInside(axis), false), std::pair(getNodesOf(axis), true)}) {
    const double steps = 2 * levels(count);
    if (steps == 0)
      continue;
    const double senders = double(getRanksOnNode()) / double(getInside(axis));
    const MessageCost one =
        apart ? exchange(0, 1, bytes, senders) : exchange(1, 0, bytes, 1);
    cost.seconds += steps * one.seconds;
    cost.insideBytes += steps * one.insideBytes;
    cost.betweenBytes += steps * one.betweenBytes;
    cost.messages += steps;
  }
  return cost;
}

MessageCost TimeModel::send(AxisRanks axis, double messages,
                            double bytes) const {
  const bool apart = getNodesOf(axis) > 1;
  MessageCost cost = apart ? exchange(0, 1, bytes, double(getRanksOnNode()))
                           : exchange(1, 0, bytes, 1);
  cost.seconds *= messages;
  cost.insideBytes *= messages;
  cost.betweenBytes *= messages;
  cost.messages *= messages;
  return cost;
}
