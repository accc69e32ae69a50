"""frames.py TEXTS FOLDER: frames with own scales have other numbers at their axes, those that share them the same; and no frame keeps its values."""

import collections
import glob
import os
import sys

from png import chunks

labels, name = collections.defaultdict(list), None
with open(sys.argv[1], encoding="utf-8") as file:
    for line in file:
        if not line.startswith(" "):
            name = line.strip()
        elif line.split(":")[0].strip() in ("colour tick", "colour axis", "y tick", "y axis"):
            labels[name].append(line.strip())
for plot, scales in (("own", 4), ("grown", 1), ("both", 1), ("curves", 1)):
    frames = [labels[f"{plot}_{i:03}"] for i in range(4)]
    assert len({tuple(frame) for frame in frames}) == scales and all(frames), (plot, frames)
# The last frame has the largest values: 27 times those of the first one.
assert any(int(label.split(": ")[1]) >= 60 for label in labels["grown_000"] if label.startswith("colour tick") and "−" not in label), labels["grown_000"]
for path in glob.glob(os.path.join(sys.argv[2], "*_0*.png")):
    assert "pmFg" not in [kind for kind, body in chunks(path)], path
