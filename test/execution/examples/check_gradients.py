"""Counts how the gradients of a network's weights are added up over ranks: check_gradients.py WIDTH < SHARDED_IR

A convolution's weight and bias go together, as soon as the backward pass has both, and the two dense layers', which are ready at
one time: four sums a step, which hold every weight once."""

import re
import sys

width, hidden, answers = int(sys.argv[1]), 32, 2
channels = [1, width, 2 * width, 4 * width]
convolutions = [27 * a * b + b for a, b in zip(channels, channels[1:])]
expected = [channels[-1] * hidden + hidden + hidden * answers + answers, *reversed(convolutions)]
found = []
for line in sys.stdin:
    call = re.search(r'pm\.reduce_fields\s+sum over \["data"(?:, "space")?\]', line)
    if call:
        # On p ranks one sends 4 (n / p (p - 2) + n) bytes: a reduce-scatter and an all-gather.
        size, axes = re.search(r'"4\*\((\d+)/data(/space)?\*\(data(?:\*space)?-2\)\+\1\)"', line).groups()
        found.append(int(size))
        assert bool(axes) == (int(size) != expected[0]), line
assert found == expected, f"{found} values are added up, expected {expected}"
print(f"{len(found)} sums of {', '.join(map(str, found))} values")
