"""check_window_accuracy.py OUT: the weights in window_accuracy.pm against the functions that define them."""
import sys

import numpy as np

read = lambda name: np.load(f"{sys.argv[1]}/{name}.npy").astype(float)
distance = 6 - read("places")
WINDOWS = {"near": (2, 0.01, lambda u: 1 / (abs(u) + 0.02)), "wide": (4, 0.001, lambda u: 1 / (abs(u) + 0.05)),
           "center": (3, 0.01, lambda u: 1 / (1 + 40 * u**2))}
for name, (support, accuracy, weight) in WINDOWS.items():
    inside = abs(distance) < support / 2 - 1e-6
    outside = abs(distance) > support / 2 + 1e-6
    found, expected = read(name), weight(distance)
    error = abs(found - expected)[inside].max() / weight(0)
    # Interpolation at 32 nodes adds less than a twentieth of these accuracies.
    assert accuracy / 100 < error <= 1.05 * accuracy, f"{name}: expected an error of at most {accuracy}, found {error}"
    assert not found[outside].any(), name
