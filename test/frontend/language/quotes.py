"""Checks that pages quote the source as it is.

    quotes.py ROOT PAGE...

A quote is a block of code behind a line that has only the path of a file and a colon: `path`:
Its lines are in the file in this order, next to each other except for `...`."""
import os
import re
import sys

QUOTE = re.compile(r"^`([^`\n]+)`:\n\n```\w*\n(.*?)^```$", re.S | re.M)


def parts(text):
    """Groups of lines between lines of three dots."""
    return [part for part in re.split(r"^ *\.\.\.\n", text, flags=re.M) if part.strip()]


def complaints(root, page):
    with open(page, encoding="utf-8") as file:
        quotes = QUOTE.findall(file.read())
    if not quotes:
        yield f"{page}: no quotes"
    for path, text in quotes:
        if not os.path.exists(os.path.join(root, path)):
            yield f"{page}: there is no file {path}"
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            source = "\n" + file.read()
        at = 0
        for part in parts(text):
            found = source.find("\n" + part.rstrip("\n") + "\n", at)
            if found < 0:
                yield f"{page}: {path} does not have these lines in this order:\n{part}"
                break
            at = found + len(part)


def main():
    root, *pages = sys.argv[1:]
    found = [complaint for page in pages for complaint in complaints(root, page)]
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
