"""An image along radial lines, seen by three coils, as ISMRMRD files: spokes.py FOLDER. Then spokes.py --check FOLDER OUT looks at what was made of it."""
import gzip
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import ismrmrd_file  # pylint: disable=wrong-import-position
import nifti_file  # pylint: disable=wrong-import-position

N, COILS, SPOKES, ALONG = 24, 3, 30, 40


def places():
    """[spoke, sample, component], from -1/2 to 1/2."""
    radius, angle = (np.arange(ALONG) + 0.5) / ALONG - 0.5, np.pi * np.arange(SPOKES) / SPOKES
    return np.stack([np.outer(np.cos(angle), radius), np.outer(np.sin(angle), radius)], axis=-1).astype(np.float32)


def encoding():
    """The matrix from an image to all samples of all coils."""
    at = places().reshape(-1, 2).astype(float)
    cell = np.arange(N) - N // 2
    lines = [np.exp(-2j * np.pi * np.outer(at[:, axis], cell)) for axis in (0, 1)]
    sums = (lines[0][:, :, None] * lines[1][:, None, :]).reshape(len(at), -1) / N
    c = np.arange(COILS)[:, None, None]
    x, y = np.meshgrid(*[2 * np.arange(N) / N - 1] * 2, indexing="ij")
    u, v = x - 1.5 * np.cos(2 * np.pi * c / COILS), y - 1.5 * np.sin(2 * np.pi * c / COILS)
    maps = np.exp(1j * (np.arctan2(u, -v) - 2 * np.pi * c / COILS)) / np.sqrt(u**2 + v**2)
    maps = maps / np.sqrt(np.sum(np.abs(maps) ** 2, axis=0))
    return np.concatenate([sums * one.ravel() for one in maps])


def write(folder):
    x, y = np.meshgrid(*[(np.arange(N) - N // 2) / (N / 2)] * 2, indexing="ij")
    image = np.exp(-6 * ((x - 0.1) ** 2 + 2 * y**2)) * np.exp(0.5j * x)
    samples = (encoding() @ image.ravel()).reshape(COILS, SPOKES, ALONG).astype(np.complex64)
    np.save(f"{folder}/samples.npy", samples)
    order = np.random.default_rng(1).permutation(SPOKES)

    def save(name, spokes, at, trajectory="radial", view=(240, 240, 10)):
        lines = [ismrmrd_file.line(samples[:, i], {"kspace_encode_step_1": i}, ALONG // 2, places=at[i]) for i in spokes]
        ismrmrd_file.save(f"{folder}/{name}.h5", lines, (N, N, 1), view, trajectory=trajectory)

    save("radial", order, places())
    save("twice", [*order, 4], places())
    save("missing", [i for i in order if i != 7], places())
    save("nowhere", order, [None] * SPOKES)
    save("beyond", order, 1.2 * places())
    lines = [ismrmrd_file.line(samples[:, i], {"kspace_encode_step_1": i}, ALONG // 2, places=places()[i]) for i in order]
    lines[5] = (*lines[5][:2], lines[5][2][:3])
    ismrmrd_file.save(f"{folder}/short.h5", lines, (N, N, 1), (240, 240, 10), trajectory="radial")
    other = places()
    other[4] = other[5]
    lines = [ismrmrd_file.line(samples[:, i], {"kspace_encode_step_1": i}, ALONG // 2, places=places()[i]) for i in order]
    lines.append(ismrmrd_file.line(samples[:, 4], {"kspace_encode_step_1": 4}, ALONG // 2, places=other[4]))
    ismrmrd_file.save(f"{folder}/differ.h5", lines, (N, N, 1), (240, 240, 10), trajectory="radial")
    whole = open(f"{folder}/radial.h5", "rb").read()
    open(f"{folder}/cut.h5", "wb").write(whole[: len(whole) // 2])


def check(folder, out):
    E = encoding()
    wanted = np.linalg.solve(E.conj().T @ E + 0.05 * np.eye(N * N), E.conj().T @ np.load(f"{folder}/samples.npy").ravel())
    image, sizes = nifti_file.load(f"{out}/image.nii.gz")
    assert np.allclose(sizes[:2], 10), sizes
    error = np.linalg.norm(image.ravel() - wanted) / np.linalg.norm(wanted)
    print(f"off by {error:.1e}")
    assert error < 1e-4, error
    raw = open(f"{out}/image.nii.gz", "rb").read(8)
    assert raw[:2] == b"\x1f\x8b" and raw[4:8] == bytes(4), "packed, without a time"
    header = gzip.open(f"{out}/image.nii.gz").read(108)
    assert np.frombuffer(header[80:92], "<f4").tolist() == [10, 10, 1], "an axis that the image has not has the size 1"


if sys.argv[1] == "--check":
    check(*sys.argv[2:])
else:
    write(sys.argv[1])
