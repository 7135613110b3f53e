# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Build the site's table of contents from the lists of docs/index.md, so that no page is named in two places."""
import re

from pygments.lexers import TextLexer

TOCTREE = "\n```{toctree}\n:hidden:\n:caption: %s\n\n%s\n```\n"


def toctrees(text):
    """Return a toctree for each chapter "## CAPTION: ..." of @text, with the pages that its list links to."""
    trees = ""
    for chapter in re.split(r"^## ", text, flags=re.M)[1:]:
        pages = re.findall(r"^- \[[^]]*\]\(([^)]*)\.md\)", chapter, re.M)
        trees += TOCTREE % (chapter.split(":")[0], "\n".join(pages))
    return trees


def append(app, page, source):
    if page == "index":
        source[0] += toctrees(source[0])
    elif page in ("reasons/README", "loading/README"):
        source[0] += "\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"


def setup(app):
    app.connect("source-read", append)
    # The blocks of docs/loading/ are in languages of the judge.
    app.add_lexer("object", TextLexer)
    app.add_lexer("expect", TextLexer)
    return {"parallel_read_safe": True, "version": "1"}
