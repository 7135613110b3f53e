#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""pload behind the contract of the course: its JSON becomes the contract's lines.

    pload.py OBJECT ioctl|pmu|link COOKIE [PIN]
"""
import json
import os
import shutil
import signal
import subprocess
import sys

PLOAD = os.environ.get("PLOAD", "./pload")
SECTION_TYPES = {"NULL": 0, "PROGBITS": 1, "SYMTAB": 2, "STRTAB": 3, "NOBITS": 8, "REL": 9,
                 "LLVM_ADDRSIG": 0x6fff4c03}
# Flags without a letter are all an x; clang writes SHF_EXCLUDE alone.
SECTION_FLAGS = {"W": 0x1, "A": 0x2, "X": 0x4, "M": 0x10, "S": 0x20, "I": 0x40, "L": 0x80,
                 "x": 0x80000000}
SYMBOL_TYPES = ["NOTYPE", "OBJECT", "FUNC", "SECTION", "FILE"]
BINDS = ["LOCAL", "GLOBAL", "WEAK"]
SECTION_NUMBERS = {"UND": 0, "ABS": 0xfff1}
MAP_TYPES = {"HASH": 1, "ARRAY": 2, "PERCPU_HASH": 5, "PERCPU_ARRAY": 6, "RINGBUF": 27}


def inspect(path, *options):
    out = subprocess.run([PLOAD, "inspect", "--format=json", *options, path], check=True,
                         stdout=subprocess.PIPE).stdout
    return [json.loads(line) for line in out.splitlines()]


def print_object(path):
    """Print the parts of the object; return the first program, and the sizes of maps' values."""
    programs, first, sizes = [], None, {}
    for o in inspect(path):
        if o["type"] == "inspect-program":
            programs.append(o["name"])
            first = first or o["name"]
        elif o["type"] == "inspect-map":
            sizes[o["name"]] = o["value_size"]
            name = o["map_type"].removeprefix("BPF_MAP_TYPE_")
            print(f"map {o['name']} type={MAP_TYPES.get(name, name)} "
                  f"key={o['key_size']} value={o['value_size']} entries={o['max_entries']} "
                  f"flags={o['map_flags']:#x}")
    for o in inspect(path, "--sections", "--symbols"):
        if o["type"] == "inspect-section" and o["index"]:
            flags = sum(SECTION_FLAGS.get(letter, 0) for letter in o["flags"])
            type_ = SECTION_TYPES.get(o["section_type"], o["section_type"])
            print(f"section {o['index']} {o['name']} type={type_} "
                  f"flags={flags:#x} offset={o['offset']} size={o['size']}")
        if o["type"] == "inspect-symbol" and o["index"]:
            section = o["section_index"]
            print(f"symbol {o['index']} {o['name']} type={SYMBOL_TYPES.index(o['symbol_type'])} "
                  f"bind={BINDS.index(o['bind'])} section={SECTION_NUMBERS.get(section, section)} "
                  f"value={o['value']} size={o['size']}")
        if o["type"] == "inspect-symbol" and o["symbol_type"] == "FUNC":
            print(f"{'program' if o['name'] in programs else 'function'} {o['name']} "
                  f"section={o['section']} first={o['value'] // 8} insns={o['size'] // 8}")
    return first, sizes


def value_of(value, size):
    """Return a value as the contract has it. An array's elements have the same size."""
    if not isinstance(value, list):
        return str(value)
    while isinstance(value[0], list):    # rows of rows
        value = [element for row in value for element in row]
    each = (size or 8 * len(value)) // len(value)
    return "".join(element.to_bytes(each, "little").hex() for element in value)


def print_line(o, sizes):
    if o["type"] == "map":
        size = sizes[o["map"]]
        values = [v["value"] for v in o["value"]] if "sum" in o else [o["value"]]
        print("value", o["map"], o["key"], *(value_of(v, size) for v in values))
    elif o["type"] == "data":
        for name, value in o["value"].items():
            print("variable", name, value_of(value, None))
    elif o["type"] == "record":
        print("record", o["map"], o["value"])


def take_pins(directory, pin):
    """Give the links that pload has pinned in a directory the names of the contract."""
    links = os.path.join(directory, "links")
    for i, name in enumerate(sorted(os.listdir(links))):
        os.rename(os.path.join(links, name), f"{pin}_{i}" if i else pin)
    shutil.rmtree(directory)


def main():
    path, method, cookie, pin = sys.argv[1:5] + [None] * (5 - len(sys.argv))
    program, sizes = print_object(path)
    options = ["-a", "-e", "cpu-clock", "-F", "999", "--format=json", f"--attach={method}",
               f"--prog={program}", "--rows=0", "-v"]
    options += [f"--cookie={cookie}"] if int(cookie, 0) else []
    options += [f"--pin={pin}_pload"] if pin else []
    # Once the program is attached, pload starts the command, and ends with it. Its own output has
    # standard output, and so the command prints to a pipe.
    reader, writer = os.pipe()
    command = ["sh", "-c", f"echo ready >&{writer}; exec cat >/dev/null"]
    with subprocess.Popen([PLOAD, *options, path, "--", *command], stdout=subprocess.PIPE,
                          pass_fds=[writer]) as child:
        signal.signal(signal.SIGINT, lambda *_: child.send_signal(signal.SIGINT))
        os.close(writer)
        if os.read(reader, 8):
            if pin:
                take_pins(f"{pin}_pload", pin)
            print("ready", flush=True)
        for line in child.stdout:
            print_line(json.loads(line), sizes)
    sys.exit(child.returncode)


main()
