"""Trajectories of Pulseq files against formulas: pulseq.py FILE"""
import sys

import numpy as np

import pmc

found = pmc.read_pulseq(sys.argv[1])
# A spin echo: k is the area after the second pulse, minus the area before it. The readout begins with the plateau.
t = 5e-5 * (np.arange(44) + 0.5)
x = -50000 * 1.1e-3 + 50000 * (0.5e-4 + t)
assert np.allclose(found.k[:44, 0], x, atol=1e-9), found.k[:44, 0] - x
assert np.allclose(found.k[:44, 1], 20000 * 0.8e-3, atol=1e-9)
assert np.allclose(found.times[:44], 3.2e-3 + 1e-4 + t, atol=1e-12)
# A ramp that reaches 1 after 0.8 ms, and a gradient with corners at 0, 0.2, 0.8 and 1 ms, after an excitation.
t = 8e-5 * (np.arange(10) + 0.5)
assert np.allclose(found.k[44:, 2], 30000 * t ** 2 / 2 / 0.8e-3, atol=1e-9), found.k[44:, 2]
s = 1e-4 + t
corners = np.where(s < 2e-4, s ** 2 / 4e-4, np.where(s < 8e-4, 1e-4 + (s - 2e-4) - (s - 2e-4) ** 2 / 2.4e-3,
                                                     1e-4 + 4.5e-4 + 0.5 * (s - 8e-4) - 0.5 * (s - 8e-4) ** 2 / 4e-4))
assert np.allclose(found.k[44:, 0], 40000 * corners, atol=1e-9), found.k[44:, 0] - 40000 * corners
assert list(found.readout) == [0] * 44 + [1] * 10
text = open(sys.argv[1], encoding="ascii").read()
for old, new in (("minor 4", "minor 3"), ("4 240 0 3", "4 240 0 9"), ("BlockDurationRaster", "Blocks"), ("\n77\n", "\n76\n"), ("1 2 3 0 0 0\n2 500", "1 2 7 0 0 0\n2 500"),
                 ("minor 4", ""), ("30000 4 0", "30000 four 0"), ("1 44 50000 100 0 0", "1 44"), ("Raster 1e-05", "Raster"), ("num_samples 2\n1", "1"),
                 ("40000 5 6", "40000 5 3"), ("4 240 0 3", "4 100 0 3"), ("num_samples 2\n0\n0", "num_samples 0")):
    with open("broken.seq", "w", encoding="ascii") as file:
        file.write(text.replace(old, new))
    try:
        pmc.read_pulseq("broken.seq")
        sys.exit(f"a file with {new} is accepted")
    except pmc.Error as error:
        print(error)
print("the same places")
