"""same.py A B: whether two PNGs are the same picture, byte by byte. The values that they keep may differ in rounding."""

import sys

from png import chunks

first, second = ([chunk for chunk in chunks(path) if chunk[0] != "pmFg"] for path in sys.argv[1:])
sys.exit(first != second)
