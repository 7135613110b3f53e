# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Check that functions of the kernel are where pages say: kernel_names.py SOURCE PAGE...

SOURCE is the top of a kernel's source. A page says "`check_cfg()` in `kernel/bpf/verifier.c`", or names several functions before
one file: "`a()` and `b()` in kernel/bpf/core.c". The file may also be in parentheses: "`a()` (kernel/bpf/core.c)". Each function
must be in that file. Prints each pair that is not, and at the end the number of pairs.
"""
import os
import re
import sys

FILE = re.compile(r"\s*(?:(?:\([^()]*\)\s*)?(?:and|or|,)?\s*in |\()`?((?:kernel|net|include|fs|arch|security|lib|mm|drivers)/[\w/.-]+\.[ch])`?")
NAME = re.compile(r"`?(\w+)\((\w*)\)`?")
BETWEEN = re.compile(r"(?:\s*(?:,|and|or|calls|\([^()]*\))\s*)+")


def pairs_of(text):
    """Yield (function, file): the functions that stand together before "in FILE"."""
    text = re.sub(r"\s*\n\s*(?:\*|//|#)?\s*", " ", text)
    together, end = [], 0
    for match in NAME.finditer(text):
        gap = text[end : match.start()]
        if not (together and BETWEEN.fullmatch(gap)):
            together = []
        name = match.group(1)
        # SYSCALL_DEFINE5(perf_event_open): the macro is in the file with its argument.
        together.append(match.group(0).strip("`").rstrip(")") if match.group(2) else name + "(")
        end = match.end()
        file = FILE.match(text, end)
        if file:
            for function in together:
                yield function, file.group(1)
            together = []


def main(source, pages):
    number = 0
    texts = {}
    for page in pages:
        with open(page, encoding="utf-8") as file:
            pairs = sorted(set(pairs_of(file.read())))
        for function, path in pairs:
            number += 1
            if path not in texts:
                try:
                    with open(os.path.join(source, path), encoding="utf-8", errors="replace") as file:
                        texts[path] = file.read()
                except OSError:
                    texts[path] = ""
            if not re.search(r"\b" + re.escape(function), texts[path]):
                print("%s: %s is not in %s" % (page, function.rstrip("("), path))
    print("%d pairs" % number)


main(sys.argv[1], sys.argv[2:])
