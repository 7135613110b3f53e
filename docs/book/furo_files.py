# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Complete furo's files in the finished site. Debian's package is not bundled: its script imports another one, which no browser does for
a script that is no module, and its style imports normalize.css from a web server's root. Elsewhere furo is bundled, and nothing is changed.
"""
import os
import re

NORMALIZE = "/usr/share/javascript/normalize.css/normalize.css"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def replace(path, pattern, text):
    """Replace in a file what @pattern matches by text(), unless nothing does."""
    old = read(path)
    if not re.search(pattern, old):
        return
    new = re.sub(pattern, lambda match: text(), old, count=1)
    with open(path, "w", encoding="utf-8") as file:
        file.write(new)


def complete(app, failed):
    if failed or app.builder.name != "html":
        return
    static = os.path.join(app.outdir, "_static")
    scripts = os.path.join(static, "scripts")
    replace(
        os.path.join(scripts, "furo.js"),
        r'^import Gumshoe from "./gumshoe-patched.js";',
        lambda: read(os.path.join(scripts, "gumshoe-patched.js")),
    )
    replace(
        os.path.join(static, "styles", "furo.css"),
        r"@import url\(/javascript/normalize.css/normalize.css\);",
        lambda: read(NORMALIZE) if os.path.exists(NORMALIZE) else "body { margin: 0 }",
    )


def setup(app):
    app.connect("build-finished", complete)
    return {"parallel_read_safe": True, "version": "1"}
