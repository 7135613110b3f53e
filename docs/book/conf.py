# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# How Sphinx makes one site of docs/: `make book`. The same files are readable as Markdown.
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

project = "pload"
author = "the authors of pload"
copyright = author
root_doc = "index"
extensions = ["myst_parser", "quoted", "runs", "manual", "contents", "furo_files"]
source_suffix = {".md": "markdown"}
# "function" is a directive of quoted.py; with a domain, it would be that of Python, which shows a name without its code.
primary_domain = None
# A picture or a listing is no Python.
highlight_language = "text"
# install/pload.md is a part of the manual page: manual.py appends it.
exclude_patterns = ["install/*"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
# An output of pload is no language that Pygments knows.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = "pload: a BPF loader to be read"
html_static_path = ["static"]
html_css_files = ["book.css"]
html_copy_source = False
html_show_sphinx = False
# No page asks the network for anything: furo's fonts and scripts are files of the site.
html_theme_options = {"navigation_with_keys": True}
