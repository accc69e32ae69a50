"""Looks at a trained generator: check_gan.py OUT SEED MOST: its maps, spectra and histograms are NumPy's, and the spectrum is at most MOST times as far from that of
simulated maps as before the training. Another argument is a run that must have the same losses."""

import os
import sys

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", ".."))
from reference.noise import white_noise  # pylint: disable=wrong-import-position

out, seed, most = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
ANGLE = numpy.pi / 36  # 5 degrees
complaints = []


def read(name, where=out):
    with h5py.File(os.path.join(where, name + ".h5")) as file:
        return file[name][()]


def transposed(f, layer):
    """From [sample, channel, u, v] to maps of twice the side: cell 2 u + t - 1 gets f(u) times the weight of tap t."""
    weight = net[layer + "/weight"]
    s, _, n, _ = f.shape
    wide = numpy.zeros((s, weight.shape[1], 2 * n + 2, 2 * n + 2))
    for i in range(4):
        for j in range(4):
            wide[:, :, i:i + 2 * n:2, j:j + 2 * n:2] += numpy.einsum("scuv,co->souv", f, weight[:, :, i, j])
    return wide[:, :, 1:-1, 1:-1] + net[layer + "/bias"][:, None, None]


def normed(f, layer):
    centred = f - f.mean((0, 2, 3), keepdims=True)
    standard = centred / numpy.sqrt((centred**2).mean((0, 2, 3), keepdims=True) + 1e-5)
    return numpy.maximum(standard * net[layer + "/scale"][:, None, None] + net[layer + "/shift"][:, None, None], 0)


with h5py.File(os.path.join(out, "generator.h5")) as file:
    net = {}
    file["generator"].visititems(lambda name, item: net.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) else None)
made, real = read("made"), read("real")
latent = net["dense"].shape[0]
noise = white_noise(1000000 * seed + 999999, len(made) * latent).reshape(len(made), latent)
f = normed(numpy.einsum("sl,lcuv->scuv", noise, net["dense"]), "norm0")
f = normed(transposed(f, "up1"), "norm1")
f = normed(transposed(f, "up2"), "norm2")
f = transposed(f, "up3")[:, 0]
error = abs(f - made).max() / abs(made).max()
if not error < 1e-10:
    complaints.append(f"the maps are off by {error:.1e} from those of NumPy")


def spectrum(maps):
    n = maps.shape[1]
    waves = numpy.fft.fft2(maps - maps.mean((1, 2), keepdims=True)) / n**2
    one = numpy.fft.fftfreq(n, 1 / n)
    shell = (numpy.hypot(one[:, None], one) / 2).astype(int)
    shell[0, 0] = -1  # the mean counts in no band
    power = (abs(waves) ** 2).mean(0)
    return ANGLE**2 * numpy.array([power[shell == i].mean() for i in range(n // 4)])


def histogram(maps):
    place = numpy.floor((maps.ravel() + 3) * 4).astype(int)
    return numpy.bincount(place[(place >= 0) & (place < 40)], minlength=40) / maps.size


power, heights = read("power").reshape(-1, 4).T, read("histogram").reshape(-1, 3).T
for wanted, found in ((spectrum(real), power[1]), (spectrum(made), power[3]), (histogram(real), heights[0]), (histogram(made), heights[2])):
    if not abs(wanted - found).max() < 1e-9 * abs(wanted).max():
        complaints.append(f"a spectrum or a histogram is {found}, expected {wanted}")
before, after, heights_before, heights_after = read("distances")
for wanted, found in ((abs(numpy.log(power[2] / power[1])).mean(), before), (abs(numpy.log(power[3] / power[1])).mean(), after),
                      (abs(heights[1] - heights[0]).sum() / 2, heights_before), (abs(heights[2] - heights[0]).sum() / 2, heights_after)):
    if not abs(wanted - found) < 1e-9:
        complaints.append(f"the distances are {read('distances')}, expected {wanted}")
print(f"spectra are off by {after:.3f}, before the training by {before:.3f}, histograms by {heights_after:.3f} and {heights_before:.3f}")
if not after < most * before:
    complaints.append(f"spectra are {after / before:.2f} times as far off as before the training, expected at most {most}")
for other in sys.argv[4:]:
    difference = abs(read("losses", other) / read("losses") - 1).max()
    if not difference < 1e-6:
        complaints.append(f"{other}: losses differ by {difference:.1e}")
if complaints:
    sys.exit("\n".join(complaints))
