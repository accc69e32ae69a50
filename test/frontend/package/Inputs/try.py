"""Calls a spec from an installed package: its values, its gradient, an error."""
import numpy as np
import pmc

TEXT = """
dim x = 8, y = 8, z = 8 over 8 Mpc
param radius: length = 2 Mpc/h
input noise: field[x, y, z]
output power = fft(noise)
output squared = noise^2 * number(radius, 1 Mpc/h)
"""
sim = pmc.compile(TEXT)
noise = np.random.default_rng(1).standard_normal((8, 8, 8)).astype("f4")
result = sim(noise=noise, radius=3)
assert np.allclose(result.squared, 3 * noise**2, rtol=1e-6)
full = np.fft.rfftn(noise) / noise.size  # as the language defines it
assert np.allclose(result.power, full, atol=1e-3), (np.shape(result.power), full.shape)
value, pull = sim.vjp(noise=noise, radius=3)
gradient = pull(squared=np.ones_like(noise))
assert np.allclose(gradient.noise, 6 * noise, rtol=1e-5)
try:
    sim(noise=np.zeros((3, 3, 3), "f4"))
except pmc.Error as error:
    assert "noise" in str(error) and "3x3x3" in str(error), error
else:
    raise AssertionError("an array of another shape was taken")
