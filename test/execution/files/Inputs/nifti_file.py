"""Reads and writes NIfTI-1 with struct alone; nibabel reads the same where it is installed."""
import gzip
import importlib.util
import struct

import numpy as np

TYPES = {2: "u1", 4: "i2", 8: "i4", 16: "f4", 32: "c8", 64: "f8", 1792: "c16", 256: "i1", 512: "u2", 768: "u4", 1024: "i8"}


def load(path):
    """(array as nibabel indexes it, voxel sizes in mm). Checked against nibabel, if there is one."""
    raw = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
    assert struct.unpack("<i", raw[:4])[0] == 348 and raw[344:348] == b"n+1\0", "no NIfTI-1 file"
    dims = struct.unpack("<8h", raw[40:56])
    code, bits = struct.unpack("<2h", raw[70:74])
    sizes = struct.unpack("<8f", raw[76:108])
    offset = int(struct.unpack("<f", raw[108:112])[0])
    shape = dims[1:1 + dims[0]]
    kind = np.dtype("<" + TYPES[code])
    assert kind.itemsize * 8 == bits and len(raw) == offset + kind.itemsize * int(np.prod(shape)), "another size"
    array = np.frombuffer(raw, kind, offset=offset).reshape(shape, order="F")
    units = {0: 0, 1: 1e3, 2: 1, 3: 1e-3}[raw[123] & 7]
    if importlib.util.find_spec("nibabel"):
        import nibabel
        image = nibabel.load(path)
        assert np.array_equal(np.asanyarray(image.dataobj), array), "nibabel reads other numbers"
        assert np.allclose(image.header.get_zooms()[:3], sizes[1:1 + min(3, dims[0])]), "nibabel reads other voxel sizes"
        print("nibabel agrees")
    return array, [units * size for size in sizes[1:4]]


def save(path, array, sizes, slope=0.0, intercept=0.0, order="<"):
    """array as nibabel indexes it."""
    code = next(c for c, name in TYPES.items() if np.dtype(name) == array.dtype.newbyteorder("="))
    head = bytearray(352)
    struct.pack_into(order + "i", head, 0, 348)
    struct.pack_into(order + "8h", head, 40, array.ndim, *array.shape, *(1,) * (7 - array.ndim))
    struct.pack_into(order + "2h", head, 70, code, 8 * array.itemsize)
    struct.pack_into(order + "8f", head, 76, 1, *sizes, *(1,) * (7 - len(sizes)))
    struct.pack_into(order + "3f", head, 108, 352, slope, intercept)
    head[123] = 2
    head[344:348] = b"n+1\0"
    numbers = array.astype(array.dtype.newbyteorder(order)).tobytes(order="F")
    (gzip.open if path.endswith(".gz") else open)(path, "wb").write(bytes(head) + numbers)
