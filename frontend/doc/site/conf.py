"""The settings of Sphinx; frontend/doc/build copies the pages and this file into one folder."""
import os
import sys

sys.path.insert(0, os.environ["PMC_PYGMENTS"])

from pm_pygments import PMLexer  # noqa: E402

project = "pmc"
author = "the pmc authors"
project_copyright = author
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
myst_heading_anchors = 6
html_theme = "furo"
html_title = "pmc"
html_show_sourcelink = False
html_copy_source = False
pygments_style = "friendly"
pygments_dark_style = "monokai"


def setup(app):
    app.add_lexer("pm", PMLexer)
