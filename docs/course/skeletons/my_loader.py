# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The beginning of your loader in Python: it passes stage 1 of the course, docs/course/README.md.

    sudo build/judge sections -- python3 my_loader.py
"""
import struct
import sys
from collections import namedtuple

Section = namedtuple("Section", "name type flags offset size link info")


def string_at(data, offset):
    """Return the string at offset, which ends with a NUL."""
    return data[offset:data.index(0, offset)].decode()


def read_sections(file):
    """Stage sections: the header has the offset of the table (at 40), the number of sections (at
    60), and which of them has the names (at 62)."""
    table, = struct.unpack_from("<Q", file, 40)
    number, index = struct.unpack_from("<HH", file, 60)
    # name, type, flags, addr, offset, size, link, info, addralign, entsize: 64 bytes
    headers = [struct.unpack_from("<IIQQQQIIQQ", file, table + 64 * i) for i in range(number)]
    names = headers[index][4]
    return [Section(string_at(file, names + h[0]), h[1], h[2], h[4], h[5], h[6], h[7]) for h in headers]


def main():
    if len(sys.argv) < 4:
        sys.exit("usage: my_loader.py OBJECT ioctl|pmu|link COOKIE [PIN]")
    with open(sys.argv[1], "rb") as stream:
        file = stream.read()
    for i, s in enumerate(read_sections(file)):
        if i:
            print(f"section {i} {s.name} type={s.type} flags={s.flags} offset={s.offset} size={s.size}")
    # Stage symbols: `build/judge symbols` shows what it wants.


main()
