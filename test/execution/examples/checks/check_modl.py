"""Looks at a trained unrolled network: check_modl.py OUT [OTHER]: the loss has fallen, images are better than those of the first steps and of
conjugate gradients, they are those of NumPy with the same weights, and another run has the same losses."""

import os
import sys

import h5py
import numpy

out = sys.argv[1]
complaints = []


def read(name, where=out):
    with h5py.File(os.path.join(where, name + ".h5")) as file:
        found = file[name][()]
    return found["r"] + 1j * found["i"] if found.dtype.names else found


with h5py.File(os.path.join(out, "net.h5")) as file:
    net = {f"{layer}/{name}": file[f"net/{layer}/{name}"][()] for layer in ("first", "second", "third") for name in ("weight", "bias")}
    weight = numpy.exp(file["net/log_lambda"][()])
maps, mask, truth, start, found = (read(name) for name in ("maps", "mask", "truth", "start", "unrolled_network"))


def conv(f, layer):
    """A convolution of 3 by 3 taps over [channel, x, y], with zeros beyond the edges."""
    w = net[layer + "/weight"]
    padded = numpy.pad(f, ((0, 0), (1, 1), (1, 1)))
    n, m = f.shape[1:]
    total = sum(numpy.einsum("oc,cxy->oxy", w[:, :, i, j], padded[:, i:i + n, j:j + m]) for i in range(3) for j in range(3))
    return total + net[layer + "/bias"][:, None, None]


def normal(f):
    """E* E: the mask multiplies the lines along y."""
    k = numpy.fft.fft2(maps * f)
    return numpy.sum(maps.conj() * numpy.fft.ifft2(mask * k), axis=0)


def denoised(f):
    hidden = conv(numpy.maximum(conv(numpy.maximum(conv(numpy.array([f.real, f.imag]), "first"), 0), "second"), 0), "third")
    return f + hidden[0] + 1j * hidden[1]


def solved(b):
    """Conjugate gradients for E* E + lambda, as in the spec."""
    u, r = 0 * b, b
    p, rr = r, numpy.vdot(r, r).real
    enough = 1e-10 * rr
    for _ in range(12):
        if rr <= enough:
            break
        q = normal(p) + weight * p
        a = rr / numpy.vdot(p, q).real
        u, r = u + a * p, r - a * q
        rr, old = numpy.vdot(r, r).real, rr
        p = r + rr / old * p
    return u


for b, image in zip(start, found):
    u = b
    for _ in range(2):
        u = solved(b + weight * denoised(u))
    error = numpy.abs(u - image).max() / numpy.abs(image).max()
    if not error < 1e-8:
        complaints.append(f"an image differs from NumPy's by {error:.1e}")
errors, losses = read("errors"), read("losses")
print(f"NRMSE: zero-filled {errors[0]:.4f}, CG-SENSE {errors[1]:.4f}, network {errors[3]:.4f}; loss {losses[0]:.2e} to {losses[-1]:.2e}")
now = numpy.linalg.norm(found - truth) / numpy.linalg.norm(truth)
if not abs(now / errors[3] - 1) < 1e-8:
    complaints.append(f"the error of the network is {now}, printed as {errors[3]}")
if not errors[3] < 0.9 * min(errors[0], errors[1]):
    complaints.append("the network is not better than zeros and conjugate gradients")
if not losses[-5:].mean() < 0.8 * losses[:5].mean():
    complaints.append("the loss has not fallen")
for other in sys.argv[2:]:
    difference = numpy.abs(read("losses", other) / losses - 1).max()
    if not difference < 1e-6:
        complaints.append(f"{other}: losses differ by {difference:.1e}")
if complaints:
    sys.exit("\n".join(complaints))
