"""images.py PROGRAM FILE...: the images that PROGRAM gives the runtime, which must be FILEs, in this order."""
import struct
import sys


class Elf:
    """A linked program or library of 64 bits: memory as the loader makes it."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        headers, sections = struct.unpack_from("<QQ", self.bytes, 32)
        size, count, section_size, section_count = struct.unpack_from("<4H", self.bytes, 54)
        self.segments = []
        for i in range(count):
            kind, _, offset, address, _, length = struct.unpack_from("<IIQQQQ", self.bytes, headers + i * size)
            if kind == 1:
                self.segments.append((address, offset, length))
        self.symbols, self.addends = {}, {}
        tables = [struct.unpack_from("<IIQQQQIIQQ", self.bytes, sections + i * section_size)
                  for i in range(section_count)]
        for _, kind, _, _, offset, length, link, _, _, _ in tables:
            if kind == 2:  # symbols
                names = tables[link][4]
                for at in range(offset, offset + length, 24):
                    name, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", self.bytes, at)
                    end = self.bytes.index(b"\0", names + name)
                    self.symbols[self.bytes[names + name:end].decode()] = value
            if kind == 4:  # relocations
                for at in range(offset, offset + length, 24):
                    place, _, addend = struct.unpack_from("<QQq", self.bytes, at)
                    self.addends[place] = addend

    def read(self, address, length):
        for start, offset, size in self.segments:
            if start <= address and address + length <= start + size:
                return self.bytes[offset + address - start:][:length]
        raise SystemExit(f"nothing is at {address:#x}")

    def number(self, address, code):
        return struct.unpack("<" + code, self.read(address, struct.calcsize(code)))[0]

    def pointer(self, address):
        return self.addends.get(address) or self.number(address, "Q")


program = Elf(sys.argv[1])
code = program.symbols["pmc.device_code"]
images = program.pointer(code + 8)
count = program.number(code, "q")
assert count == len(sys.argv) - 2, count
for i, path in enumerate(sys.argv[2:]):
    record = images + 24 * i
    kind, arch = program.number(record, "i"), program.number(record + 4, "i")
    data = program.read(program.pointer(record + 16), program.number(record + 8, "q"))
    with open(path, "rb") as file:
        wanted = file.read()
    if kind == 0:  # PTX
        wanted += b"\0"
    assert data == wanted, f"image {i} is not {path}"
    print(f"image {i}: kind {kind}, sm_{arch}")
