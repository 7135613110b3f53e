# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""A directive of the book: record a session as a page of `pload step`, and link to it.

    ```{run} --attach=link build/progs/ip_count.bpf.o
    ```

The session is simulated (--dry-run), so the book builds without root, and the page shows it call by call: the attributes, the
instructions, and who holds whom. Elsewhere, such as on GitHub, the block shows the options.
"""
import os
import re
import shlex
import subprocess

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLOAD = os.environ.get("PLOAD", "./pload")


class Run(SphinxDirective):
    """Record one session; the argument is the command line of pload step."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self):
        options = self.arguments[0]
        name = re.sub(r"[^a-z0-9]+", "-", options.lower()).strip("-") + ".html"
        folder = os.path.join(self.env.app.outdir, "runs")
        os.makedirs(folder, exist_ok=True)
        command = [PLOAD, "step", "--dry-run", "--format=html", "-o", os.path.join(folder, name)] + shlex.split(options)
        done = subprocess.run(command, cwd=TOP, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            raise ExtensionError("%s: pload step %s: %s" % (self.get_location(), options, done.stderr.strip()))
        up = "../" * self.env.docname.count("/")
        link = nodes.reference("", "this session, call by call", refuri=up + "runs/" + name, internal=True)
        return [nodes.paragraph("", "", nodes.Text("Open "), link, nodes.Text(": "), nodes.literal("", "pload step " + options))]


def setup(app):
    app.add_directive("run", Run)
    return {"parallel_read_safe": True, "version": "1"}
