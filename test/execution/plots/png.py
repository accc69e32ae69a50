"""Reads the chunks of a PNG, and what pmc keeps in them."""

import struct
import zlib


def chunks(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, found = 8, []
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body), (path, kind)
        found.append((kind.decode(), body))
        at += 12 + length
    assert found[0][0] == "IHDR" and found[-1] == ("IEND", b""), path
    return found


def size(path):
    return struct.unpack(">II", chunks(path)[0][1][:8])


def pixels(header, data):
    """RGB rows of a picture without interlacing, by an inflater and filters of its own."""
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", header)
    assert (depth, colour, interlaced) == (8, 2, 0)
    raw, stride, before, rows = zlib.decompress(data), 3 * width, bytearray(3 * width), []
    for j in range(height):
        kind, line = raw[j * (stride + 1)], bytearray(raw[j * (stride + 1) + 1:(j + 1) * (stride + 1)])
        for i in range(stride):
            left, up = line[i - 3] if i >= 3 else 0, before[i]
            corner = before[i - 3] if i >= 3 else 0
            if kind == 1:
                line[i] = (line[i] + left) & 255
            elif kind == 2:
                line[i] = (line[i] + up) & 255
            elif kind == 3:
                line[i] = (line[i] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
                line[i] = (line[i] + near[2]) & 255
        rows.append(bytes(line))
        before = line
    return rows
