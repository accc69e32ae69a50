"""Follows the includes of the parts of the front end that do not depend on MLIR, and lists those that lead to it."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDERS = ["Basic", "Lexer", "Parser", "Format", "Sema"]


def includes(path):
    return re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', path.read_text(), re.MULTILINE)


def main():
    waiting = [path for folder in FOLDERS for path in sorted((ROOT / "frontend" / folder).rglob("*"))
               if path.suffix in (".h", ".cpp", ".def")]
    seen, wrong = set(waiting), []
    while waiting:
        path = waiting.pop()
        for name in includes(path):
            # Headers of MLIR, and those that mlir-tblgen writes, which are not in the tree.
            if name.startswith("mlir/") or name.endswith(".inc"):
                wrong.append(f"{path.relative_to(ROOT)}: {name}")
            target = ROOT / name
            if target.is_file() and target not in seen:
                seen.add(target)
                waiting.append(target)
    print("\n".join(wrong + [f"{len(seen)} files, {len(wrong)} includes of MLIR"]))


main()
