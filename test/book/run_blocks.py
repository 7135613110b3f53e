# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Run the console blocks of pages and compare what they print: run_blocks.py PAGE...

A block begins with ```console. Each line of it that begins with "$ " is a command, which a shell runs at the top of the tree; the
lines after it are its output, standard error included. The rule by which output is compared:

  a line "..."          stands for any number of lines, also none
  "..." within a line   stands for any text
  a number              stands for any number, unless the line before the block is <!-- exact -->
  a word after it       may lack its last s: "120 elements" stands for "1 element", too
  blanks                one stands for any number of them

A block after a line <!-- not run: REASON --> is skipped by that reason. The results are printed as TAP.
"""
import re
import subprocess
import sys

NUMBER = re.compile(r"0x[0-9a-f]+|\b[0-9]+(?:[.,][0-9]+)*")


class Block:
    def __init__(self, page, line, before):
        self.page, self.line, self.exact = page, line, before == "<!-- exact -->"
        reason = re.match(r"<!-- not run: (.*) -->", before)
        self.reason = reason and reason.group(1)
        self.commands = []  # (line, command, [output])

    def add(self, number, line):
        if self.commands and self.commands[-1][1].endswith("\\"):
            at, command, output = self.commands[-1]
            self.commands[-1] = (at, command + "\n" + line, output)
        elif line.startswith("$ "):
            self.commands.append((number, line[2:], []))
        elif self.commands:
            self.commands[-1][2].append(line)
        else:
            raise SystemExit("%s:%d: a console block begins with a command: $ ..." % (self.page, number))


def blocks_of(page):
    block, before = None, ""
    with open(page, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if line == "```console" and not block:
                block = Block(page, number, before)
            elif line.startswith("```") and block:
                yield block
                block = None
            elif block:
                block.add(number, line)
            if line:
                before = line


def pattern_of(lines, exact):
    """Return the regular expression that the whole output has to match."""
    parts = []
    for line in lines:
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
            continue
        pieces = []
        counted = False  # the word before this one is a number
        for word in re.split(r"(\.\.\.|\s+)", line):
            if word == "...":
                pieces.append(r"[^\n]*?")
            elif word.isspace():
                pieces.append(r"[ \t]+" if pieces else r"[ \t]*")
            elif exact:
                pieces.append(re.escape(word))
            else:
                at = 0
                for number in NUMBER.finditer(word):
                    pieces.append(re.escape(word[at : number.start()]) + r"(?:0x[0-9a-f]+|[0-9]+(?:[.,][0-9]+)*)")
                    at = number.end()
                plural = counted and re.match(r"[a-z]+s\b", word)
                if plural:
                    pieces.append(re.escape(plural.group()[:-1]) + "s?")
                    at = plural.end()
                pieces.append(re.escape(word[at:]))
                counted = bool(NUMBER.fullmatch(word))
        parts.append("".join(pieces) + r"[ \t]*\n")
    return re.compile("".join(parts))


def first_difference(lines, output, exact):
    """Return the first line that no output matches, for the message."""
    for end in range(1, len(lines) + 1):
        if not pattern_of(lines[:end] + ["..."], exact).fullmatch(output):
            return lines[end - 1]
    return "more lines follow the last one"


def check(block, number):
    """Run the commands of a block; return the number of the last test."""
    for line, command, expected in block.commands:
        number += 1
        name = "%s:%d: %s" % (block.page, line, command.split("  #")[0].strip().replace("\n", " ").replace("#", "\\#"))
        if block.reason:
            print("ok %d - %s # SKIP %s" % (number, name, block.reason))
            continue
        try:
            run = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, timeout=120)
            output = run.stdout.decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            output = "(it did not end within 120 seconds)\n"
        if output and not output.endswith("\n"):
            output += "\n"
        lines = [l for l in expected]
        while lines and not lines[-1]:
            lines.pop()
        if pattern_of(lines, block.exact).fullmatch(output):
            print("ok %d - %s" % (number, name))
            continue
        print("not ok %d - %s" % (number, name))
        print("# no output matches: %s" % first_difference(lines, output, block.exact))
        for text in output.split("\n")[:40]:
            print("# %s" % text)
    return number


def main(pages):
    number = 0
    for page in pages:
        for block in blocks_of(page):
            number = check(block, number)
            sys.stdout.flush()
    print("1..%d" % number)


main(sys.argv[1:])
