"""Fields that are stored in reduced precision against NumPy: check_stored.py PROGRAM FOLDER f32|f64 [FLAG...]"""

import pathlib
import subprocess
import sys

import numpy as np

program, folder, precision, *flags = sys.argv[1:]
folder = pathlib.Path(folder)
folder.mkdir(parents=True, exist_ok=True)
real = np.float32 if precision == "f32" else np.float64
bound = 1e-5 if precision == "f32" else 1e-12


def brain(numbers):
    """To bf16 and back: the upper half of f32, to the nearest, ties to even."""
    bits = np.asarray(numbers, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).astype(np.uint32).view(np.float32).astype(real)


def half(numbers):
    return np.asarray(numbers, np.float32).astype(np.float16).astype(real)


# Ties, both ways; the largest f16; below its normal numbers, and below all; what f32 has below its own.
given = np.resize(np.array([1 + 2**-8, 1 + 3 * 2**-8, -1 - 2**-8, 1 + 2**-11, 1 + 3 * 2**-11, 65504, -65519, 6e-8, 3e-8, 2.9e-8,
                            1e-7, 1e-40, -3e-39, 0.0, -0.0, 3.0e38 / 1e34, 1 / 3]), (12, 10)).astype(real)
np.save(folder / "given.npy", given)
subprocess.run([program, "--quiet", "--format=npy", f"--out={folder}", f"--given={folder}/given.npy", *flags], check=True)
out = {path.stem: np.load(path) for path in folder.glob("*.npy") if path.stem != "given"}
f, b, h = out["f"], out["b"], out["h"]
wrong = []


def same(name, got, want):
    if np.asarray(got).tobytes() != np.asarray(want, np.asarray(got).dtype).tobytes():
        wrong.append(f"{name} has other bits, at most {abs(got - want).max():.1e} off")


def near(name, got, want, bound=bound):
    off = abs(got - want).max() / abs(want).max()
    if not off < bound:
        wrong.append(f"{name} is {off:.1e} off")


same("b", b, brain(f))
same("h", h, half(real(3) * f))
same("edges16", out["edges16"], half(given))
same("edges_brain", out["edges_brain"], brain(given))
same("moved", out["moved"], np.roll(b, 1, axis=0))
same("line", out["line"], b[:, 3])
same("largest", out["largest"], h.max())
near("total", out["total"], (b.astype(float) ** 2).sum())
near("rows", out["rows"], h.sum(0))
near("spectrum", out["spectrum"], np.fft.rfft2(b) / b.size)
slope = 2 * brain(f * f) * 2 * f
near("slope", out["slope"], slope)
near("tangent", out["tangent"], (slope.astype(float) * h).sum())


turned = out["many"]
for _ in range(3):
    before = np.zeros_like(turned)
    before[:, 1:] = turned[:, :-1]
    turned = brain(np.roll(turned, -1, axis=2) + before) * real(1.5)
same("turned", out["turned"], turned)


def correlate(f, w):
    """r[s, o, t, u] = sum f[s, c, t + i - 1, u + j - 1] w[o, c, i, j]."""
    wide = np.pad(f, ((0, 0), (0, 0), (1, 1), (1, 1)))
    return sum(np.einsum("sctu,oc->sotu", wide[:, :, i:i + 8, j:j + 8], w[:, :, i, j]) for i in range(3) for j in range(3))


def by_weights(cotangent, f):
    wide = np.pad(f, ((0, 0), (0, 0), (1, 1), (1, 1)))
    result = np.empty((cotangent.shape[1], f.shape[1], 3, 3))
    for i in range(3):
        for j in range(3):
            result[:, :, i, j] = np.einsum("sotu,sctu->oc", cotangent, wide[:, :, i:i + 8, j:j + 8])
    return result


def by_field(cotangent, w):
    return correlate(cotangent, w.transpose(1, 0, 2, 3)[:, :, ::-1, ::-1])


seen, weights, more = (out[name].astype(float) for name in ("seen", "weights", "more"))
stored = brain(correlate(seen, weights).astype(real)).astype(float)
middle = np.tanh(stored)
last = np.tanh(correlate(middle, more))
# A sum that was rounded otherwise may be stored as the neighbor, 2^-8 away.
rough = 3e-3 if precision == "f32" else 1e-11
near("value", out["value"], np.array((last**2).sum()), rough)
cotangent = 2 * last * (1 - last**2)
near("by_more", out["by_more"], by_weights(cotangent, middle), rough)
near("by_weights", out["by_weights"], by_weights(by_field(cotangent, more) * (1 - middle**2), seen), rough)
thin, taps, other = brain(out["seen"]), half(out["weights"]), half(out["seen"])
near("convolved", out["convolved"], correlate(thin.astype(float), taps.astype(float)))
near("convolved_taps", out["convolved_taps"], correlate(seen, taps.astype(float)))
kept = brain(correlate(thin.astype(float), taps.astype(float)).astype(real)).astype(float)
contracted = np.einsum("sdtu,sctu->dct", kept, other)
near("contracted", out["contracted"], contracted, rough)
near("slope_mixed", out["slope_mixed"], by_weights(2 * np.einsum("dct,sctu->sdtu", contracted, other), thin), rough)
print("\n".join(wrong))
print(f"{len(wrong)} wrong")
sys.exit(len(wrong) > 0)
