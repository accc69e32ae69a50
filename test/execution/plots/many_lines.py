"""many_lines.py [FOLDER]: prints a spec with 200 lines that take about the same time; or checks the times in the report of its run."""

import os
import re
import sys

if len(sys.argv) == 1:
    print("dim x = 64, y = 64")
    for i in range(200):
        print(f'print "{{}}", max(norm2(fft(fft(white_noise[x, y]({i}), over = x), over = y)))')
    sys.exit()
with open(os.path.join(sys.argv[1], "report.html"), encoding="utf-8") as file:
    page = file.read()
assert (match := re.search(r"the slowest 40 of (\d+)", page)) and int(match[1]) >= 200, match
rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", page[:match.start()])]
shares = [float(row[3].removesuffix("%")) for row in rows if len(row) == 6 and row[3].endswith("%")]
assert len(shares) == 41 and rows[-1][1] == "outside of runtime calls", rows
# The lines that are not listed take the rest.
assert sum(shares) < 97, shares
