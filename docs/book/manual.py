# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Write the manual page of pload into the site: what its commands print for --help, and the chapters of docs/install/pload.md."""
import os
import re
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLOAD = os.environ.get("PLOAD", os.path.join(TOP, "pload"))


def help_of(*command):
    return subprocess.run([PLOAD, *command, "--help=all"], cwd=TOP, stdout=subprocess.PIPE, check=True).stdout.decode()


def options():
    """Return a chapter for pload without a command, and one for each command that it lists."""
    try:
        general = help_of()
    except OSError as error:  # it is not built, or for another machine
        return "\n(The options are missing: %s: %s.)\n" % (PLOAD, error.strerror)
    chapter = "\n## %s\n\n```text\n%s```\n"
    text = chapter % ("Without a command", general)
    for command in re.findall(r"^  pload ([a-z]+) ", general, re.M):
        text += chapter % ("pload " + command, help_of(command))
    return text


def chapters():
    """Return the chapters that follow the options, with the folders of an installation below /usr."""
    with open(os.path.join(TOP, "docs", "install", "pload.md"), encoding="utf-8") as file:
        text = file.read()
    for name, folder in (("LIBDIR", "lib/pload"), ("INCLUDEDIR", "include/pload"), ("DOCDIR", "share/doc/pload")):
        text = text.replace("@%s@" % name, "/usr/" + folder)
    return text


def append(app, page, source):
    if page == "book/manual":
        for file in (PLOAD, "docs/install/pload.md"):
            app.env.note_dependency(os.path.join(TOP, file))
        source[0] += options() + "\n" + chapters()


def setup(app):
    app.connect("source-read", append)
    return {"parallel_read_safe": True, "version": "1"}
