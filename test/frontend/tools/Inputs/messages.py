"""Prints the messages of `pmc check --json`, and fails if a line is not of the documented form."""
import json
import sys

PLACE = {"file": str, "line": int, "column": int, "end_line": int, "end_column": int, "message": str}


def show(found, indent, optional):
    fields = dict(PLACE, **optional)
    for name, kind in fields.items():
        assert name in found or name in ("suggestion", "code"), f"{name} is missing in {found}"
        assert name not in found or type(found[name]) is kind, f"{name} is {found[name]!r}"
    assert set(found) <= set(fields), f"unknown fields in {found}"
    assert (found["line"], found["column"]) <= (found["end_line"], found["end_column"]), found
    place = "{file} {line}:{column}-{end_line}:{end_column} {message}".format(**found)
    hint = f" suggestion {found['suggestion']}" if "suggestion" in found else ""
    code = f" code {found['code']}" if "code" in found else ""
    print(indent + found.get("severity", "note"), place + code + hint)


for line in open(sys.argv[1], encoding="utf-8"):
    message = json.loads(line)
    assert message["severity"] in ("error", "warning", "remark"), message
    show(message, "", {"severity": str, "code": str, "notes": list, "suggestion": str})
    for note in message["notes"]:
        show(note, "  ", {})
