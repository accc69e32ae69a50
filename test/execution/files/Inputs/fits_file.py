"""Reads and writes what tests need of FITS with NumPy alone; astropy reads the same where it is installed."""
import importlib.util

import numpy as np

KINDS = {8: "u1", 16: ">i2", 32: ">i4", 64: ">i8", -32: ">f4", -64: ">f8"}
LETTERS = {"B": "u1", "I": ">i2", "J": ">i4", "K": ">i8", "E": ">f4", "D": ">f8", "C": ">c8", "M": ">c16"}


def value(text):
    text = text.strip()
    if text.startswith("'"):
        return text[1:text.rindex("'")].rstrip()
    text = text.split("/")[0].strip()
    return {"T": True, "F": False}.get(text) if text in "TF" else float(text) if "." in text or "E" in text else int(text)


def header(raw, at):
    """(keys, where the numbers begin)."""
    keys = {}
    while True:
        card = raw[at:at + 80].decode("ascii")
        assert len(card) == 80, "no END"
        at += 80
        if card.startswith("END"):
            assert card.strip() == "END"
            return keys, (at + 2879) // 2880 * 2880
        if card[8:10] == "= ":
            keys[card[:8].strip()] = value(card[10:])


def word_sum(raw):
    """Of big-endian words of 32 bits, where what does not fit is added again."""
    total = int(np.frombuffer(raw, ">u4").sum(dtype=np.uint64))
    while total >> 32:
        total = (total >> 32) + (total & 0xFFFFFFFF)
    return total


def check_sums(keys, head, data):
    assert int(keys["DATASUM"]) == word_sum(data), keys
    assert word_sum(head + data) in (0, 0xFFFFFFFF) and keys["CHECKSUM"] != 16 * "0", keys


def load(path, sums=False):
    """[(keys, array or {column: array})] of the parts that have numbers. `sums`: all parts have checksums, which must be right."""
    raw = open(path, "rb").read()
    assert len(raw) % 2880 == 0, "no whole blocks"
    parts, at = [], 0
    while at < len(raw):
        begin = at
        keys, at = header(raw, at)
        head, data = raw[begin:at], at
        shape = [keys[f"NAXIS{i}"] for i in range(keys["NAXIS"], 0, -1)]
        count = int(np.prod(shape)) if shape else 0
        if keys.get("XTENSION") == "BINTABLE":
            forms = [keys[f"TFORM{i}"] for i in range(1, keys["TFIELDS"] + 1)]
            names = [keys[f"TTYPE{i}"] for i in range(1, keys["TFIELDS"] + 1)]
            row = np.dtype([(name, LETTERS[form[-1]], (int(form[:-1] or 1),)) for name, form in zip(names, forms)])
            assert row.itemsize == keys["NAXIS1"]
            rows = np.frombuffer(raw, row, keys["NAXIS2"], at)
            parts.append((keys, {name: rows[name].ravel() for name in names}))
            at += rows.nbytes
        elif shape:
            array = np.frombuffer(raw, KINDS[keys["BITPIX"]], count, at).reshape(shape)
            parts.append((keys, array))
            at += array.nbytes
        assert not any(raw[at:(at + 2879) // 2880 * 2880]), "something behind the numbers"
        at = (at + 2879) // 2880 * 2880
        if sums:
            check_sums(keys, head, raw[data:at])
    if importlib.util.find_spec("astropy"):
        from astropy.io import fits
        with fits.open(path) as file:
            file.verify("exception")
            there = [part.data for part in file if part.data is not None]
            assert len(there) == len(parts)
            for (_, mine), other in zip(parts, there):
                if isinstance(mine, dict):
                    assert all(np.array_equal(other[name].ravel(), column) for name, column in mine.items())
                else:
                    assert np.array_equal(other, mine)
        print("astropy agrees")
    return parts


def cards(keys):
    lines = []
    for key, one in keys.items():
        text = f"'{one:<8}'" if isinstance(one, str) else ("T" if one else "F").rjust(20) if isinstance(one, bool) else str(one).rjust(20)
        lines.append(f"{key:<8}= {text}".ljust(80))
    return padded("".join(lines + ["END".ljust(80)]).encode("ascii"), b" ")


def padded(raw, by=b"\0"):
    return raw + by * (-len(raw) % 2880)


def image(array, **more):
    kind = next(bits for bits, name in KINDS.items() if np.dtype(name).kind == array.dtype.kind and np.dtype(name).itemsize == array.itemsize)
    keys = {"SIMPLE": True, "BITPIX": kind, "NAXIS": array.ndim}
    keys.update({f"NAXIS{i + 1}": n for i, n in enumerate(array.shape[::-1])})
    return cards({**keys, **more}) + padded(array.astype(KINDS[kind]).tobytes())


def table(columns, form, **more):
    """columns: name -> array (rows, each)."""
    rows = {len(array) for array in columns.values()}.pop()
    parts = [array.reshape(rows, -1).astype(LETTERS[form]) for array in columns.values()]
    keys = {"XTENSION": "BINTABLE", "BITPIX": 8, "NAXIS": 2, "NAXIS1": sum(p[0].nbytes for p in parts), "NAXIS2": rows,
            "PCOUNT": 0, "GCOUNT": 1, "TFIELDS": len(parts)}
    for i, (name, part) in enumerate(zip(columns, parts)):
        keys.update({f"TTYPE{i + 1}": name, f"TFORM{i + 1}": f"{part.shape[1]}{form}"})
    raw = b"".join(part[row].tobytes() for row in range(rows) for part in parts)
    return cards({"SIMPLE": True, "BITPIX": 8, "NAXIS": 0, "EXTEND": True}) + cards({**keys, **more}) + padded(raw)
