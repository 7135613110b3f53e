# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Directives of the book: quote a function of the sources by its name, so that no page has a copy of it.

    ```{function} loader/core/object/relocate.c apply_map
    ```

The build fails when the file has no such function any more. Links to files outside docs/ become the file's name, which is not a
page of the site.
"""
import os
import re

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def find_function(lines, name):
    """Return the lines [first, last] of the definition of function `name`, counted from 0, without the comment before it."""
    starts = re.compile(r"^[a-z_].*\b" + re.escape(name) + r"\(")
    for first, line in enumerate(lines):
        if not starts.match(line):
            continue
        for last in range(first, len(lines)):
            if lines[last].endswith(";") and not lines[last].startswith("\t"):
                break  # a declaration
            if lines[last] == "}":
                return first, last
    return None


def find_struct(lines, name):
    """Return the lines of the definition of "struct NAME" or "union NAME"."""
    for first, line in enumerate(lines):
        if line == name + " {":
            for last in range(first, len(lines)):
                if lines[last].startswith("}"):
                    return first, last
    return None


class Function(SphinxDirective):
    """Quote one function, or a struct, of a C file."""

    required_arguments = 2
    final_argument_whitespace = True

    def run(self):
        path, name = self.arguments
        self.env.note_dependency(os.path.join(TOP, path))
        try:
            with open(os.path.join(TOP, path), encoding="utf-8") as file:
                lines = file.read().split("\n")
        except OSError as error:
            raise ExtensionError("%s: %s: %s" % (self.get_location(), path, error.strerror))
        found = find_struct(lines, name) if " " in name else find_function(lines, name)
        if not found:
            raise ExtensionError("%s: %s has no %s" % (self.get_location(), path, name))
        text = "\n".join(lines[found[0] : found[1] + 1])
        code = nodes.literal_block(text, text, language="c")
        caption = nodes.caption("", "%s, line %d" % (path, found[0] + 1))
        return [nodes.container("", caption, code, literal_block=True, classes=["literal-block-wrapper"])]


def outside_links(app, doctree):
    """A link to a file of the tree that is no page becomes its name: the site is complete without the tree."""
    docs = os.path.join(TOP, "docs")
    here = os.path.dirname(app.env.doc2path(app.env.docname))
    for node in list(doctree.findall(lambda n: isinstance(n, nodes.Element) and n.get("reftarget") is not None)):
        target = node["reftarget"].split("#")[0]
        if node.get("refdomain") or not target or "://" in target:
            continue
        path = os.path.normpath(os.path.join(here, target))
        if not os.path.exists(path) or (path.startswith(docs + os.sep) and path.endswith(".md")):
            continue
        text = nodes.inline("", "", *node.children)
        text["classes"].append("file")
        node.replace_self(text)


def setup(app):
    app.add_directive("function", Function)
    app.connect("doctree-read", outside_links)
    from pygments.lexers.special import TextLexer

    app.add_lexer("walk", TextLexer)
    return {"parallel_read_safe": True, "version": "1"}
