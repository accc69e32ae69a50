"""Looks for messages of errors that no test shows.

    messages.py ROOT LIST [--update]

A message is a call of one of CALLS in the C++ sources of FOLDERS, a text that a rule of frontend/Sema returns or a table of it holds, or a
text with blanks in the library; its longest literal text of 12 characters or more must be in a file of ROOT/test. LIST names the messages for which there is no
test. --update writes it.
"""

import pathlib
import re
import sys

FOLDERS = ("frontend", "dialect", "passes")
CALLS = ("error|errorInMap|errorOfCommand|expected|complain|fail|emitOpError|emitError|createStringError|refuse|refuseInMap|requireInt|"
         "requireComputedInt|note|warn|warning|remark")
RETURNED = re.compile(r"""\breturn\s(?=[^;]*")(?:[^;"']|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)')*;""")
TABLE = re.compile(r'^(?:const StringOption|static const char \*const)\b[^;]*"[^;]*;', re.MULTILINE)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
CODE = re.compile(r"^\[PM\d{4}\] ")
SHORT = 12


def normal(text):
    """Without escapes, and with single blanks."""
    text = text.replace('\\"', '"').replace("\\n", " ").replace("\\\\", "\\").replace("\\'", "'")
    return re.sub(r"\s+", " ", text)


def calls(source, names=CALLS):
    """(begin, text) of each call and of what is written to its result with <<."""
    for match in re.finditer(rf"\b({names})\(", source):
        depth, at, quoted = 1, match.end(), False
        while at < len(source) and depth:
            c = source[at]
            if quoted:
                at += c == "\\"
                quoted = c != '"'
            elif c == '"':
                quoted = True
            else:
                depth += (c == "(") - (c == ")")
            at += 1
        more = re.match(r"\s*<<[^;]*", source[at:])
        yield match.start(), source[match.end():at] + (more[0] if more else "")


def sources(root):
    """(path, text, [(begin, text of a message)]) of each file."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.cpp")):
            source = path.read_text()
            found = list(calls(source))
            if "Sema" in path.parts:
                found += [(m.start(), m[0]) for pattern in (RETURNED, TABLE) for m in pattern.finditer(source)]
            yield path, source, sorted(found)
    for path in sorted((root / "frontend" / "Stdlib").glob("*.pm")):
        source = re.sub("//[^\n]*", "", path.read_text())
        yield path, source, [(m.start(), m[0]) for m in LITERAL.finditer(source) if " " in m[1]]


def untested(root, shown):
    """(file, line, text) of each message without a test."""
    for path, source, found in sources(root):
        known = set()
        for begin, text in found:
            parts = [CODE.sub("", normal(p)) for p in LITERAL.findall(re.sub(r'"\s*\n\s*"', "", text))]
            parts = [q.strip(" ,;:'\"()") for p in parts for q in re.split(r"\{[^}]*\}", p)]
            parts = [q for q in parts if len(q) >= SHORT]
            if not parts:
                continue
            longest = max(parts, key=len)
            if longest in known or longest in shown:
                continue
            known.add(longest)
            yield str(path.relative_to(root)), source[:begin].count("\n") + 1, longest


def main():
    root, path = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    text = "\n".join(p.read_text(errors="replace") for p in sorted((root / "test").rglob("*"))
                     if p.is_file() and p.name != path.name)
    found = list(untested(root, normal(text)))
    head = [line for line in path.read_text().splitlines() if line.startswith("#")]
    if "--update" in sys.argv:
        path.write_text("\n".join(head + [f"{file}: {message}" for file, _, message in found]) + "\n")
        return 0
    allowed = set(path.read_text().splitlines())
    new = [entry for entry in found if f"{entry[0]}: {entry[2]}" not in allowed]
    for file, line, message in new:
        print(f"{file}:{line}: no test shows the message '{message}': add one, or a line to {path.name} ({pathlib.Path(__file__).name} --update)")
    return bool(new)


if __name__ == "__main__":
    sys.exit(main())
