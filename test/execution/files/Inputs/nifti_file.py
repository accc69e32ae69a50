"""Reads and writes NIfTI-1 with struct alone; nibabel reads the same where it is installed."""
import gzip
import importlib.util
import struct

import numpy as np

TYPES = {2: "u1", 4: "i2", 8: "i4", 16: "f4", 32: "c8", 64: "f8", 1792: "c16", 256: "i1", 512: "u2", 768: "u4", 1024: "i8", 1280: "u8"}


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


def rotation(b, c, d):
    a = np.sqrt(max(0, 1 - b * b - c * c - d * d))
    return np.array([[a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
                     [2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)],
                     [2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c]])


def geometry(path):
    """((code, 3x4 matrix) of the qform, the same of the sform), None for one that is not there. Checked against nibabel, if there is one."""
    raw = (gzip.open if path.endswith(".gz") else open)(path, "rb").read(352)
    sizes = struct.unpack("<8f", raw[76:108])
    codes = struct.unpack("<2h", raw[252:256])
    numbers = struct.unpack("<18f", raw[256:328])
    sides = np.array(sizes[1:4]) * [1, 1, -1 if sizes[0] < 0 else 1]
    matrices = np.c_[rotation(*numbers[:3]) * sides, numbers[3:6]], np.reshape(numbers[6:], (3, 4))
    forms = [(code, matrix) if code > 0 else None for code, matrix in zip(codes, matrices)]
    if importlib.util.find_spec("nibabel"):
        import nibabel
        head = nibabel.load(path).header
        for form, (other, code) in zip(forms, (head.get_qform(coded=True), head.get_sform(coded=True))):
            assert (form is None) == (code == 0) and (form is None or np.allclose(form[1], other[:3], atol=1e-4)), (form, other, code)
    return forms


def save(path, array, sizes, slope=0.0, intercept=0.0, order="<", qform=None, sform=None, left=False):
    """array as nibabel indexes it. qform: (code, b, c, d, x, y, z), `left` handed or not; sform: (code, 3x4 matrix)."""
    code = next(c for c, name in TYPES.items() if np.dtype(name) == array.dtype.newbyteorder("="))
    head = bytearray(352)
    struct.pack_into(order + "i", head, 0, 348)
    struct.pack_into(order + "8h", head, 40, array.ndim, *array.shape, *(1,) * (7 - array.ndim))
    struct.pack_into(order + "2h", head, 70, code, 8 * array.itemsize)
    struct.pack_into(order + "8f", head, 76, 1, *sizes, *(1,) * (7 - len(sizes)))
    struct.pack_into(order + "3f", head, 108, 352, slope, intercept)
    if qform:
        struct.pack_into(order + "f", head, 76, -1 if left else 1)
        struct.pack_into(order + "h", head, 252, qform[0])
        struct.pack_into(order + "6f", head, 256, *qform[1:])
    if sform:
        struct.pack_into(order + "h", head, 254, sform[0])
        struct.pack_into(order + "12f", head, 280, *np.ravel(sform[1]))
    head[123] = 2
    head[344:348] = b"n+1\0"
    numbers = array.astype(array.dtype.newbyteorder(order)).tobytes(order="F")
    (gzip.open if path.endswith(".gz") else open)(path, "wb").write(bytes(head) + numbers)
