"""values.py PNG...: what the pictures keep of their plots, by a reader of MessagePack of its own."""

import os
import struct
import sys

from png import chunks


def read(data, at):
    kind = data[at]
    at += 1
    if kind < 0x80:
        return kind, at
    if kind < 0x90:
        return pairs(data, at, kind & 15)
    if kind < 0xA0:
        return several(data, at, kind & 15)
    if kind < 0xC0:
        return data[at:at + (kind & 31)].decode(), at + (kind & 31)
    if kind in (0xC2, 0xC3):
        return kind == 0xC3, at
    sizes = {0xC4: "B", 0xC5: "H", 0xC6: "I", 0xD9: "B", 0xDA: "H", 0xDB: "I", 0xDC: "H", 0xDE: "H"}
    plain = {0xCA: "f", 0xCB: "d", 0xCC: "B", 0xCD: "H", 0xCE: "I", 0xCF: "Q"}
    code = ">" + (sizes.get(kind) or plain[kind])
    number, = struct.unpack_from(code, data, at)
    at += struct.calcsize(code)
    if kind in plain:
        return number, at
    if kind == 0xDC:
        return several(data, at, number)
    if kind == 0xDE:
        return pairs(data, at, number)
    body = data[at:at + number]
    return (body.decode() if kind >= 0xD9 else body), at + number


def several(data, at, count):
    out = []
    for _ in range(count):
        value, at = read(data, at)
        out.append(value)
    return out, at


def pairs(data, at, count):
    flat, at = several(data, at, 2 * count)
    return dict(zip(flat[::2], flat[1::2])), at


def figure_of(path):
    body, = [body for kind, body in chunks(path) if kind == "pmFg"]
    figure, end = read(body, 0)
    assert end == len(body), path
    return figure


def main():
    for path in sys.argv[1:]:
        figure = figure_of(path)
        name = os.path.basename(path)
        if "panels" in figure:
            first = figure["panels"][0]
            assert len(first["values"]) == 4 * first["columns"] * first["rows"]
            print(f"{name}: {len(figure['panels'])} panels, {first['columns']} x {first['rows']}")
        else:
            print(f"{name}: {len(figure['curves'])} curve of {len(figure['curves'][0]['values']) // 8}")


if __name__ == "__main__":
    main()
