"""Counts how the gradients of a network's weights are added up over ranks: check_gradients.py WIDTH [BYTES] < SHARDED_IR

A convolution's weight and bias go together, as soon as the backward pass has both, and the two dense layers', which are ready at
one time: four sums a step, which hold every weight once.

Where a sum has at most BYTES, these are cut. A weight's gradient is wanted at once, what else there is (biases, and all of the dense layers) at the end: so a
gradient takes along what waits and fits, and a convolution's weight leaves with that."""

import re
import sys

width, hidden, answers = int(sys.argv[1]), 32, 2
limit = int(sys.argv[2]) if len(sys.argv) > 2 else 1 << 25
channels = [1, width, 2 * width, 4 * width]
dense = [answers, hidden * answers, hidden, channels[-1] * hidden]
convolutions = [size for a, b in reversed(list(zip(channels, channels[1:]))) for size in (b, 27 * a * b)]


def sums(gradients, leaves):
    """Values of each sum: gradients in the order in which they are ready, and whether one leaves at once."""
    gone, waiting = [], []
    for place, size in enumerate(gradients):
        left = []
        for other in waiting:
            if 4 * (size + other) <= limit:
                size += other
            else:
                left.append(other)
        waiting = left
        (gone if leaves(place) else waiting).append(size)
    return gone + waiting


expected = [("data", n) for n in sums(dense, lambda place: False)] + [("data, space", n) for n in sums(convolutions, lambda place: place % 2)]
found = []
for line in sys.stdin:
    call = re.search(r'pm\.reduce_fields(?:_start)?\s+sum over \["data"(?:, "space")?\]', line)
    if call:
        # On p ranks one sends 4 (n / p (p - 2) + n) bytes: a reduce-scatter and an all-gather.
        size, axes = re.search(r'"4\*\((\d+)/data(/space)?\*\(data(?:\*space)?-2\)\+\1\)"', line).groups()
        found.append(("data, space" if axes else "data", int(size)))
assert sorted(found) == sorted(expected), f"{found} are added up, expected {expected}"
assert sum(size for _, size in found) == sum(dense) + sum(convolutions)
print(f"{len(found)} sums of {', '.join(str(size) for _, size in found)} values")
