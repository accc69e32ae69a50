"""layout.py FOLDER: prints the texts of every figure, and checks that none leaves its page or overlaps another one."""

import glob
import os
import sys

problems = []
for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.layout"))):
    name = os.path.basename(path)[:-len(".layout")]
    print(name)
    boxes = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            role, *box, text = line.rstrip("\n").split("\t")
            boxes.append((role, *map(float, box), text))
    _, _, _, page_width, page_height, _ = boxes.pop(0)
    for i, (role, x, y, width, height, text) in enumerate(boxes):
        print(f"  {role}: {text}")
        if x < 0 or y < 0 or x + width > page_width or y + height > page_height:
            problems.append(f"{name}: {role} '{text}' leaves the page")
        for other, x2, y2, width2, height2, text2 in boxes[:i]:
            if x < x2 + width2 and x2 < x + width and y < y2 + height2 and y2 < y + height:
                problems.append(f"{name}: {role} '{text}' lies on {other} '{text2}'")
    roles = [box[0] for box in boxes]
    for role in ("title", "x axis", "y axis"):
        if role not in roles or [box for box in boxes if box[0] == role and not box[-1]]:
            problems.append(f"{name}: no {role}")
print("\n".join(problems), file=sys.stderr)
sys.exit(bool(problems))
