"""A phantom, seen by four coils, as an ISMRMRD file: head.py FOLDER. Then head.py --check FOLDER OUT looks at the image."""
import os
import sys

import h5py
import numpy as np
from numpy.fft import fftn, fftshift, ifftn, ifftshift

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import ismrmrd_file  # pylint: disable=wrong-import-position
import nifti_file  # pylint: disable=wrong-import-position

SHAPE, VIEW = (24, 20, 8), (240, 200, 80)


def phantom():
    x, y, z = np.meshgrid(*[(np.arange(n) - n // 2) / (n / 2) for n in SHAPE], indexing="ij")
    image = np.where((x / 0.7) ** 2 + (y / 0.8) ** 2 + (z / 0.9) ** 2 < 1, 1.0, 0)
    image[((x - 0.2) / 0.2) ** 2 + (y / 0.3) ** 2 < 1] *= 0.5
    return image * np.exp(0.3j * x)


def maps():
    """Birdcage coils as SigPy makes them, with a sum of squares of 1."""
    c = np.arange(4)[:, None, None, None]
    x, y, z = np.meshgrid(*[2 * np.arange(n) / n - 1 for n in SHAPE], indexing="ij")
    u, v = x - 1.5 * np.cos(2 * np.pi * c / 4), y - 1.5 * np.sin(2 * np.pi * c / 4)
    raw = np.exp(1j * (np.arctan2(u, -v) - 2 * np.pi * c / 4)) / np.sqrt(u**2 + v**2 + (z + 0.0) ** 2)
    return raw / np.sqrt(np.sum(np.abs(raw) ** 2, axis=0))


def centred(f, transform):
    return fftshift(transform(ifftshift(f, axes=(-3, -2, -1)), axes=(-3, -2, -1), norm="ortho"), axes=(-3, -2, -1))


def write(folder):
    kspace = centred(maps() * phantom(), fftn)
    mask = np.ones(SHAPE[1:], bool)
    mask[1::2, :] = False
    mask[6:14, 2:6] = True
    lines = ismrmrd_file.cartesian(kspace, mask)
    noise = ismrmrd_file.line(np.ones((4, 50)), {}, 0, ismrmrd_file.NOISE)
    # In any order, one of them twice with deviations that cancel, and a line of noise.
    order = np.random.default_rng(1).permutation(len(lines))
    lines = [noise] + [lines[i] for i in order]
    head, numbers = lines[3]
    lines[3] = (head, numbers + 1)
    lines.append((head, numbers - 1))
    ismrmrd_file.save(f"{folder}/head.h5", lines, SHAPE, VIEW)
    np.save(f"{folder}/mask.npy", mask)
    # The same with errors.
    ismrmrd_file.save(f"{folder}/three.h5", ismrmrd_file.cartesian(kspace[:3], mask), SHAPE, VIEW)
    mixed = lines[:40] + ismrmrd_file.cartesian(kspace[:3], mask)[:1]
    ismrmrd_file.save(f"{folder}/mixed.h5", mixed, SHAPE, VIEW)
    ismrmrd_file.save(f"{folder}/beyond.h5", lines[:9] + [ismrmrd_file.line(kspace[:, :, 0, 0], {"kspace_encode_step_1": 31}, 12)], SHAPE, VIEW)
    ismrmrd_file.save(f"{folder}/larger.h5", lines, SHAPE, (240, 300, 80))
    broken = np.array(kspace)
    broken[1, 3, 4, 5] = np.nan
    ismrmrd_file.save(f"{folder}/nan.h5", ismrmrd_file.cartesian(broken), SHAPE, VIEW)
    # Headers that promise other numbers than there are, or leave no sample.
    damaged = {"short": ({}, 100), "empty": ({}, 0), "long": ({"number_of_samples": 23}, None), "wide": ({"active_channels": 5}, None),
               "zero": ({"number_of_samples": 0, "center_sample": 0}, 0), "discarded": ({"discard_pre": 12, "discard_post": 12}, None),
               "overrun": ({"discard_pre": 65535, "discard_post": 65535}, None)}
    for name, (changes, size) in damaged.items():
        head, numbers = ismrmrd_file.cartesian(kspace)[7]
        for key, value in changes.items():
            head[key] = value
        ismrmrd_file.save(f"{folder}/{name}.h5", ismrmrd_file.cartesian(kspace)[:7] + [(head, numbers[:size])], SHAPE, VIEW)
        if name == "short":
            ismrmrd_file.save(f"{folder}/short_whole.h5", ismrmrd_file.cartesian(kspace)[:7] + [(head, numbers[:size])], SHAPE, VIEW,
                              userblock=512, chunks=None)
    # Readouts in one piece, and behind a block of another program.
    for name, more in {"whole": {"chunks": None}, "behind": {"userblock": 1024}, "whole_behind": {"userblock": 512, "chunks": None}}.items():
        ismrmrd_file.save(f"{folder}/{name}.h5", lines, SHAPE, VIEW, **more)
    with h5py.File(f"{folder}/other.h5", "w") as file:
        file["dataset/xml"] = "<a/>"
        file["dataset/data"] = np.zeros(3)
    whole = open(f"{folder}/head.h5", "rb").read()
    open(f"{folder}/cut.h5", "wb").write(whole[:-2000])
    # The text of the header says to be longer than all of its heap.
    text = bytearray(whole)
    place = whole.index(b"ismrmrdHeader") // 8 * 8
    while whole[place - 16:place - 14] != b"\1\0" or whole[place - 12:place - 8] != bytes(4):
        place -= 8
    text[place - 8:place] = (2**31).to_bytes(8, "little")
    open(f"{folder}/text.h5", "wb").write(text)


def check(folder, out):
    truth = phantom()
    image, sizes = nifti_file.load(f"{out}/magnitude.nii")
    assert image.shape == SHAPE and np.allclose(sizes, 10), (image.shape, sizes)
    error = np.linalg.norm(image - np.abs(truth)) / np.linalg.norm(truth)
    print(f"off by {error:.1e}")
    assert error < 0.03, error
    whole, _ = nifti_file.load(f"{out}/image.nii")
    assert np.allclose(np.abs(whole), image, atol=1e-6)
    assert np.linalg.norm(whole - truth) / np.linalg.norm(truth) < 0.03
    coils, _ = nifti_file.load(f"{out}/coils.nii")
    wanted = centred(centred(maps() * truth, fftn) * np.load(f"{folder}/mask.npy"), ifftn)
    assert coils.shape == SHAPE + (4,), coils.shape
    assert np.abs(np.moveaxis(coils, -1, 0) - wanted).max() < 1e-5


if sys.argv[1] == "--check":
    check(*sys.argv[2:])
else:
    write(sys.argv[1])
