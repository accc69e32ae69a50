"""terminal.py PROGRAM FOLDER: the program in terminals of three kinds. Each answers what it is before it is asked, so that no answer has to be quick."""

import os
import pty
import re
import sys
import termios
import tty

program, folder = sys.argv[1:]


def shown(answer, *flags, term="xterm"):
    child, master = pty.fork()
    if child == 0:
        tty.setraw(0, termios.TCSANOW)  # what was written meanwhile stays
        os.environ["TERM"] = term
        os.environ.pop("KITTY_WINDOW_ID", None)
        os.execv(program, [program, "--out", folder, *flags])
    os.write(master, answer)
    text = b""
    try:
        while part := os.read(master, 65536):
            text += part
    except OSError:  # it has ended
        pass
    assert os.waitpid(child, 0)[1] == 0, text[-2000:]
    return text.decode()


sixels = shown(b"\033[?62;4;22c", "--plot=terminal")
assert "\033[c" in sixels and "\033Pq" in sixels and "▄" not in sixels
blocks = shown(b"\033[?62;22c", "--plot=terminal")
assert "▄" in blocks and "\033Pq" not in blocks
kitty = shown(b"", "--plot=terminal", term="xterm-kitty")
assert "\033_Ga=T,f=100" in kitty and "\033[c" not in kitty
# The bar with the loss behind it, on one line, which a print removes.
assert re.search(r"\r\[=+>? *\] +\d+%  \d/\d iterations  .*, loss [\d.e+-]+\033\[K", blocks), blocks[:2000]
assert "one line" in blocks and os.path.exists(os.path.join(folder, "field.png"))
quiet = shown(b"", "--quiet", "--plot=terminal")
assert quiet.split() == ["one", "line"], quiet
