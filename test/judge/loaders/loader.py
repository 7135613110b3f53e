#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""A second solution of the course, in Python: it loads an object of clang and runs its first
program, with raw system calls and the standard library. docs/course/README.md has the contract.
Read it from the top, a stage at a time, beside docs/tour/loader.c, which has the same order and
explains more. Every error ends it.

    loader.py OBJECT load|ioctl|pmu|link COOKIE [PIN]

With "load" it loads all programs and attaches none.
"""
import ctypes
import errno
import fcntl
import mmap
import os
import platform
import re
import select
import signal
import struct
import sys
from collections import namedtuple

sys.dont_write_bytecode = True
from btf import DATASEC, Btf, string_at
from co_re import relocate_fields

# ---- Stage sections ----
#
# struct.unpack() takes a format: B, H, I and Q are integers of 1, 2, 4 and 8 bytes, i is signed,
# and "<" means the low byte first, as x86-64 and arm64 have it, without padding.
Section = namedtuple("Section", "name type flags offset size link info data")
SHT_SYMTAB, SHT_NOBITS, SHT_REL, SHF_EXECINSTR = 2, 8, 9, 4
EM_BPF = 247


def read_sections(path):
    """Return the sections; the names are in the section that e_shstrndx (index) has."""
    with open(path, "rb") as stream:
        file = stream.read()
    if file[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<H", file, 18)[0] != EM_BPF:
        sys.exit(f"{path} is no BPF object in this machine's byte order")
    table, = struct.unpack_from("<Q", file, 40)
    size, number, index = struct.unpack_from("<HHH", file, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", file, table + i * size) for i in range(number)]
    names = file[headers[index][4]:][:headers[index][5]]
    sections = []
    for name, type_, flags, _, offset, length, link, info, _, _ in headers:
        if type_ != SHT_NOBITS and length and offset + length > len(file):
            sys.exit(f"section '{string_at(names, name)}' ends outside of the file")
        data = bytearray(file[offset:offset + length] if type_ != SHT_NOBITS else b"")
        sections.append(Section(string_at(names, name), type_, flags, offset, length, link, info,
                                data))
    return sections


def find_section(sections, name):
    """Return the number of the section, or 0, which is no section."""
    return next((i for i, s in enumerate(sections) if i and s.name == name), 0)


def print_sections(sections):
    for i, s in list(enumerate(sections))[1:]:
        print(f"section {i} {s.name} type={s.type} flags={s.flags:#x} offset={s.offset} "
              f"size={s.size}")


# ---- Stage symbols ----
Symbol = namedtuple("Symbol", "name type bind section value size")
STT_FUNC, STT_SECTION, STB_LOCAL, SHN_UNDEF = 2, 3, 0, 0


def read_symbols(sections):
    table, = [s for s in sections if s.type == SHT_SYMTAB]
    names = sections[table.link].data
    symbols = []
    for name, info, _, section, value, size in struct.iter_unpack("<IBBHQQ", table.data):
        # The type is in the low half of st_info, the binding in the high half.
        text = sections[section].name if info & 15 == STT_SECTION else string_at(names, name)
        symbols.append(Symbol(text, info & 15, info >> 4, section, value, size))
    return symbols


def print_symbols(symbols):
    for i, s in list(enumerate(symbols))[1:]:
        print(f"symbol {i} {s.name} type={s.type} bind={s.bind} section={s.section} "
              f"value={s.value} size={s.size}")


def read_relocations(sections, symbols):
    """Return which symbol relocates an offset of a section: {(section, offset): symbol}."""
    relocations = {(s.info, offset): symbols[info >> 32]
                   for s in sections if s.type == SHT_REL
                   for offset, info in struct.iter_unpack("<QQ", s.data)}
    for section, offset in relocations:
        if sections[section].flags & SHF_EXECINSTR and offset % 8:
            sys.exit(f"no instruction begins at {offset} of section '{sections[section].name}'")
    return relocations


# ---- Stage functions ----
#
# An instruction has 8 bytes. A program is a global function in a section that is named after a
# program type; static functions, and all of .text, are what programs call.
Function = namedtuple("Function", "name section first number is_program")


def read_functions(sections, symbols):
    functions = [s for s in symbols if s.type == STT_FUNC and s.section != SHN_UNDEF]
    for s in functions:
        if s.value % 8 or s.size % 8 or s.value + s.size > sections[s.section].size:
            sys.exit(f"function '{s.name}' does not consist of instructions of its section")
    return [Function(s.name, s.section, s.value // 8, s.size // 8,
                     s.bind != STB_LOCAL and sections[s.section].name != ".text")
            for s in functions]


def print_functions(sections, functions):
    for f in functions:
        print(f"{'program' if f.is_program else 'function'} {f.name} "
              f"section={sections[f.section].name} first={f.first} insns={f.number}")


# ---- Stage maps: types, and the maps that they declare ----
#
def correct_datasecs(btf, sections, relocations):
    """Do what a linker would: set the size of each DATASEC, and the offsets of its variables. The
    kernel refuses a size of 0, and offsets that do not ascend."""
    own = find_section(sections, ".BTF")
    for t in map(btf.type, range(1, len(btf.starts))):
        if t.kind != DATASEC:
            continue
        struct.pack_into("<I", btf.data, t.at - 4, sections[find_section(sections, t.name)].size)
        variables = []
        for i, (type_, offset, size) in enumerate(btf.variables(t)):
            symbol = relocations.get((own, t.at + 12 * i + 4))
            variables.append((offset + (symbol.value if symbol else 0), type_, size))
        for i, (offset, type_, size) in enumerate(sorted(variables)):
            struct.pack_into("<III", btf.data, t.at + 12 * i, type_, offset, size)


# A map is a variable of section .maps, or the variables of a section of data, which are one value
# of an array. "variables" has those of the latter as (name, offset, size).
class Map:
    def __init__(self, name, section, offset, variables=None, **declared):
        self.name, self.section, self.offset, self.variables = name, section, offset, variables
        self.type = self.key_size = self.value_size = self.max_entries = self.map_flags = 0
        self.numa_node = self.map_extra = 0
        self.__dict__.update(declared)
        self.fd = None


HASH, ARRAY, PERF_EVENT_ARRAY, PERCPU_HASH, PERCPU_ARRAY, LRU_HASH, LRU_PERCPU_HASH, LPM_TRIE, \
    RINGBUF = 1, 2, 4, 5, 6, 9, 10, 11, 27
BPF_F_RDONLY_PROG = 0x80


def declared_map(btf, variable, section, offset):
    """Read the struct of a map, which is never used as one: the numbers are lengths of arrays.

        __uint(max_entries, 16384)    int (*max_entries)[16384];
        __type(key, void *)           typeof(void *) *key;
    """
    declared = {}
    for member in btf.members(btf.plain(variable.size)):
        field, pointed = member.name, btf.plain(member.type).size
        if field in ("key", "value"):
            field, value = field + "_size", btf.size(pointed)
        elif field in ("type", "key_size", "value_size", "max_entries", "map_flags", "numa_node",
                       "map_extra"):
            value = btf.array(btf.plain(pointed))[1]
        else:
            sys.exit(f"map '{variable.name}' has '{field}', which this loader does not know")
        if declared.setdefault(field, value) != value:
            sys.exit(f"map '{variable.name}' has two values of '{field}'")
    return Map(variable.name, section, offset, **declared)


def read_maps(btf, sections):
    datasecs = {t.name: t for t in map(btf.type, range(1, len(btf.starts))) if t.kind == DATASEC}
    maps = []
    for i, section in enumerate(sections):
        variables = []
        if section.name in datasecs:
            variables = [(btf.type(type_), offset, size)
                         for type_, offset, size in btf.variables(datasecs[section.name])]
        if section.name == ".maps":
            maps += [declared_map(btf, var, i, offset) for var, offset, _ in variables]
        elif section.name.startswith((".data", ".rodata", ".bss")) and section.size:
            is_constant = section.name.startswith(".rodata")
            maps.append(Map(section.name, i, 0, [(v.name, at, size) for v, at, size in variables],
                            type=ARRAY, key_size=4, value_size=section.size, max_entries=1,
                            map_flags=BPF_F_RDONLY_PROG if is_constant else 0))
    return maps


def print_maps(maps):
    for m in maps:
        print(f"map {m.name} type={m.type} key={m.key_size} value={m.value_size} "
              f"entries={m.max_entries} flags={m.map_flags:#x}")


# ---- Stages create and data ----
#
# bpf(2) takes a command and a union of its arguments, here a class for each command. Pointers are
# integers of 8 bytes; ctypes.addressof() has them.
NR_BPF, NR_PERF_EVENT_OPEN = {"x86_64": (321, 298), "aarch64": (280, 241)}[platform.machine()]
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

(BPF_MAP_CREATE, BPF_MAP_LOOKUP_ELEM, BPF_MAP_UPDATE_ELEM, BPF_MAP_GET_NEXT_KEY, BPF_PROG_LOAD,
 BPF_OBJ_PIN, BPF_BTF_LOAD, BPF_MAP_FREEZE, BPF_LINK_CREATE) = 0, 1, 2, 4, 5, 6, 18, 22, 28


def attr_class(name, fields):
    """Return a class of the fields, each "name:bytes"; C lays them out, 8 bytes at a multiple of
    8."""
    sizes = {"4": ctypes.c_uint32, "8": ctypes.c_uint64, "name": ctypes.c_char * 16}
    pairs = (field.split(":") for field in fields.split())
    return type(name, (ctypes.Structure,), {"_fields_": [(n, sizes[size]) for n, size in pairs]})


MapCreate = attr_class("MapCreate", "map_type:4 key_size:4 value_size:4 max_entries:4 map_flags:4 "
                       "inner_map_fd:4 numa_node:4 map_name:name map_ifindex:4 btf_fd:4 "
                       "btf_key_type_id:4 btf_value_type_id:4 btf_vmlinux_value_type_id:4 "
                       "map_extra:8")
Element = attr_class("Element", "map_fd:4 key:8 value:8 flags:8")  # also value: next_key
BtfLoad = attr_class("BtfLoad", "btf:8 btf_log_buf:8 btf_size:4 btf_log_size:4 btf_log_level:4")
ProgLoad = attr_class("ProgLoad", "prog_type:4 insn_cnt:4 insns:8 license:8 log_level:4 log_size:4 "
                      "log_buf:8 kern_version:4 prog_flags:4 prog_name:name prog_ifindex:4 "
                      "expected_attach_type:4 prog_btf_fd:4 func_info_rec_size:4 func_info:8 "
                      "func_info_cnt:4")
LinkCreate = attr_class("LinkCreate", "prog_fd:4 target_fd:4 attach_type:4 flags:4 bpf_cookie:8")
Pin = attr_class("Pin", "pathname:8 bpf_fd:4")
PerfEventAttr = attr_class("PerfEventAttr", "type:4 size:4 config:8 sample_freq:8 sample_type:8 "
                           "read_format:8 flags:8 wakeup_events:4 bp_type:4 config1:8")


def syscall(number, *arguments):
    """Return the result of a system call, all of whose arguments are passed as 8 bytes; -1 with
    ctypes.get_errno() is a failure."""
    return libc.syscall(*(ctypes.c_long(a) for a in (number, *arguments)))


def check(result, call, log=""):
    """Return the result of a call; a failure ends the loader, with the kernel's log."""
    if result < 0:
        sys.exit(f"{log}{call}: {os.strerror(ctypes.get_errno())}")
    return result


def bpf(command, attr):
    return syscall(NR_BPF, command, ctypes.addressof(attr), ctypes.sizeof(attr))


def cpus_of(name):
    """Return the CPUs in a list such as 0-3,5."""
    with open("/sys/devices/system/cpu/" + name, encoding="ascii") as stream:
        ranges = [part.split("-") for part in stream.read().strip().split(",")]
    return [cpu for r in ranges for cpu in range(int(r[0]), int(r[-1]) + 1)]


def create_map(m):
    entries = m.max_entries
    if m.type == PERF_EVENT_ARRAY and not entries:
        entries = cpus_of("possible")[-1] + 1
    # A name has at most 15 bytes and a NUL, and the kernel takes only some characters.
    name = re.sub("[^A-Za-z0-9_.]", "_", m.name).encode()[:15]
    attr = MapCreate(map_type=m.type, key_size=m.key_size, value_size=m.value_size,
                     max_entries=entries, map_flags=m.map_flags, numa_node=m.numa_node,
                     map_extra=m.map_extra, map_name=name)
    m.fd = check(bpf(BPF_MAP_CREATE, attr), f"BPF_MAP_CREATE of '{m.name}'")


def fill_map(m, section):
    """Copy the variables into their map. .bss has no bytes in the file, and a new map is 0. The
    verifier takes .rodata for constants only when neither programs nor, frozen, processes can
    write it."""
    key, value = ctypes.c_uint32(0), ctypes.create_string_buffer(bytes(section.data), section.size)
    if section.type != SHT_NOBITS:
        attr = Element(map_fd=m.fd, key=ctypes.addressof(key), value=ctypes.addressof(value))
        check(bpf(BPF_MAP_UPDATE_ELEM, attr), f"BPF_MAP_UPDATE_ELEM of '{m.name}'")
    if m.map_flags & BPF_F_RDONLY_PROG:
        check(bpf(BPF_MAP_FREEZE, Element(map_fd=m.fd)), f"BPF_MAP_FREEZE of '{m.name}'")


def create_maps(maps, sections):
    for m in maps:
        create_map(m)
        if m.variables is not None:
            fill_map(m, sections[m.section])


# ---- Stages references and calls ----
#
# A relocation gives the instruction at an offset a symbol. The symbol's value plus an addend, which
# is in the instruction's imm, is an offset in the symbol's section:
#
#     ldimm64    value + imm               a map, a variable or a function
#     call       value + (imm + 1) * 8     a function: distances count instructions from the one
#                                          after the call
#
# Between static functions of one section clang knows the distance, and writes no relocation. The
# meaning of imm is in src_reg, the high half of byte 1:
#
#     ldimm64    1 BPF_PSEUDO_MAP_FD       imm: the descriptor
#                2 BPF_PSEUDO_MAP_VALUE    imm: the descriptor; imm of the second half: the offset
#                4 BPF_PSEUDO_FUNC         imm: the distance to the function
#     call       1 BPF_PSEUDO_CALL         imm: the distance to the function
CALL = 0x85
BPF_PSEUDO_MAP_FD, BPF_PSEUDO_MAP_VALUE, BPF_PSEUDO_FUNC, BPF_PSEUDO_CALL = 1, 2, 4, 1


class Linker:
    """Appends functions to a program, each once, and writes what instructions refer to."""

    def __init__(self, sections, relocations, functions, maps):
        self.sections, self.relocations = sections, relocations
        self.functions, self.maps = functions, maps
        self.insns = bytearray()
        self.starts = {}    # {function: its first instruction in the program}

    def find_target(self, section, offset):
        """Return the map and the offset in its value, or the function and None."""
        for m in self.maps:
            if m.section == section and (m.variables is not None or m.offset == offset):
                return m, offset - m.offset
        for f in self.functions:
            if f.section == section and f.first * 8 == offset:
                return f, None
        sys.exit(f"nothing begins at {offset} of section '{self.sections[section].name}'")

    def target_of(self, function, i):
        """Return the target of an instruction; most have none."""
        offset = (function.first + i) * 8
        code, registers, _, imm = struct.unpack_from(
            "<BBhi", self.sections[function.section].data, offset)
        addend = (imm + 1) * 8 if code == CALL else imm
        symbol = self.relocations.get((function.section, offset))
        if symbol and symbol.section == SHN_UNDEF:
            sys.exit(f"'{symbol.name}' is an extern")
        if symbol:
            return self.find_target(symbol.section, symbol.value + addend)
        if code == CALL and registers >> 4 == BPF_PSEUDO_CALL:
            return self.find_target(function.section, offset + addend)
        return None, None

    def patch(self, at, src_reg, imm):
        self.insns[8 * at + 1] = self.insns[8 * at + 1] & 15 | src_reg << 4
        struct.pack_into("<i", self.insns, 8 * at + 4, imm)

    def patch_insn(self, function, i):
        target, offset = self.target_of(function, i)
        at = self.starts[function] + i
        if isinstance(target, Map):
            is_data = target.variables is not None
            self.patch(at, BPF_PSEUDO_MAP_VALUE if is_data else BPF_PSEUDO_MAP_FD, target.fd)
            struct.pack_into("<i", self.insns, 8 * at + 12, offset)
        elif target:
            self.link(target)
            is_call = self.insns[8 * at] == CALL
            self.patch(at, BPF_PSEUDO_CALL if is_call else BPF_PSEUDO_FUNC,
                       self.starts[target] - (at + 1))

    def link(self, function):
        if function in self.starts:
            return
        self.starts[function] = len(self.insns) // 8
        data = self.sections[function.section].data
        self.insns += data[function.first * 8:][:function.number * 8]
        for i in range(function.number):
            self.patch_insn(function, i)


# ---- Stages load and log ----
#
# .BTF.ext is a header and three tables: func_info, line_info and the relocations of CO-RE. Each
# begins with the size of a record, and has for each section its name, how many records it has, and
# the records. Each begins with an offset in bytes.
FUNC_INFO, CORE_RELO = 0, 2
BPF_PROG_TYPE_PERF_EVENT, LOG_SIZE = 7, 1 << 24


def ext_records(btf, ext, table):
    """Return the records of a table as [(section's name, words of 4 bytes)]."""
    header, = struct.unpack_from("<I", ext, 4) if ext else (0,)
    if header < 8 + 8 * (table + 1):
        return []
    at, length = struct.unpack_from("<II", ext, 8 + 8 * table)
    at, end, records = at + header, at + header + length, []
    if length:
        size, = struct.unpack_from("<I", ext, at)
        at += 4
    while at < end:
        name, number = struct.unpack_from("<II", ext, at)
        at += 8
        for _ in range(number):
            records.append((btf.name(name), struct.unpack_from(f"<{size // 4}I", ext, at)))
            at += size
    return records


def func_info(linker, btf):
    """Return where each function of the program begins, in instructions, and its type. The kernel
    refuses a list that leaves one out, and a callback without a list. Objects without types have
    none."""
    ext = linker.sections[find_section(linker.sections, ".BTF.ext")].data
    types = {(name, words[0]): words[1] for name, words in ext_records(btf, ext, FUNC_INFO)}
    places = {f: (linker.sections[f.section].name, f.first * 8) for f in linker.starts}
    if not types.keys() >= set(places.values()):
        return b""
    return b"".join(struct.pack("<II", start, types[places[f]])
                    for f, start in linker.starts.items())


def load_btf(btf):
    if not btf.data:
        return 0
    data, log = ctypes.create_string_buffer(bytes(btf.data)), ctypes.create_string_buffer(LOG_SIZE)
    attr = BtfLoad(btf=ctypes.addressof(data), btf_size=len(btf.data),
                   btf_log_buf=ctypes.addressof(log), btf_log_size=LOG_SIZE, btf_log_level=1)
    result = bpf(BPF_BTF_LOAD, attr)
    return check(result, "BPF_BTF_LOAD", log.value.decode(errors="replace"))


def load_program(program, linker, btf, license_):
    if linker.sections[program.section].name != "perf_event":
        sys.exit(f"section '{linker.sections[program.section].name}' is for other events")
    # A buffer has to live until the call returns, and so has a name.
    insns = ctypes.create_string_buffer(bytes(linker.insns))
    info = ctypes.create_string_buffer(func_info(linker, btf))
    license_ = ctypes.create_string_buffer(bytes(license_))
    log = ctypes.create_string_buffer(LOG_SIZE)
    attr = ProgLoad(prog_type=BPF_PROG_TYPE_PERF_EVENT, prog_name=program.name.encode()[:15],
                    insns=ctypes.addressof(insns), insn_cnt=len(linker.insns) // 8,
                    license=ctypes.addressof(license_), prog_btf_fd=load_btf(btf),
                    func_info=ctypes.addressof(info), func_info_cnt=len(info.raw) // 8,
                    func_info_rec_size=8,
                    log_level=1, log_buf=ctypes.addressof(log), log_size=LOG_SIZE)
    result = bpf(BPF_PROG_LOAD, attr)
    return check(result, f"BPF_PROG_LOAD of '{program.name}'", log.value.decode(errors="replace"))


# ---- Stages event, pmu, link, cpus and pin ----
#
#             describe the event by     bind the program by
#     ioctl   a fixed type              an ioctl of the event
#     pmu     the type in sysfs         an ioctl of the event
#     link    a fixed type              BPF_LINK_CREATE, which also passes a cookie
PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK = 1, 0
DISABLED, FREQ = 1 << 0, 1 << 10    # bits of flags
PERF_FLAG_FD_CLOEXEC = 8
IOC_ENABLE, IOC_DISABLE, IOC_SET_BPF = 0x2400, 0x2401, 0x40042408
BPF_PERF_EVENT = 41


def open_event(method, cpu):
    """Open an event of all tasks (pid -1) on one CPU."""
    type_ = PERF_TYPE_SOFTWARE
    if method == "pmu":
        with open("/sys/bus/event_source/devices/software/type", encoding="ascii") as stream:
            type_ = int(stream.read())
    attr = PerfEventAttr(type=type_, size=ctypes.sizeof(PerfEventAttr), flags=DISABLED | FREQ,
                         config=PERF_COUNT_SW_CPU_CLOCK, sample_freq=999)
    return check(syscall(NR_PERF_EVENT_OPEN, ctypes.addressof(attr), -1, cpu, -1,
                         PERF_FLAG_FD_CLOEXEC), "perf_event_open")


def ioctl(fd, request, argument, name):
    try:
        fcntl.ioctl(fd, request, argument)
    except OSError as error:
        sys.exit(f"{name}: {error.strerror}")


def bind_program(event, program, method, cookie):
    """Return the link, or None. The program is attached while its descriptor is open."""
    if method == "link":
        attr = LinkCreate(prog_fd=program, target_fd=event, attach_type=BPF_PERF_EVENT,
                          bpf_cookie=cookie)
        return check(bpf(BPF_LINK_CREATE, attr), "BPF_LINK_CREATE")
    if cookie:
        sys.exit("only a link passes a cookie")
    ioctl(event, IOC_SET_BPF, program, "PERF_EVENT_IOC_SET_BPF")
    return None


def pin_links(links, path):
    """Give each link a name, with which it outlives this process: all of them, or none. A name in
    a bpffs has no dots."""
    pins = [path if i == 0 else f"{path}_{i}" for i in range(len(links))]
    for i, (link, pin) in enumerate(zip(links, pins)):
        name = ctypes.create_string_buffer(os.fsencode(pin))
        if bpf(BPF_OBJ_PIN, Pin(pathname=ctypes.addressof(name), bpf_fd=link)) < 0:
            reason = os.strerror(ctypes.get_errno())
            for done in pins[:i]:
                os.unlink(done)
            sys.exit(f"BPF_OBJ_PIN at {pin}: {reason}")


def wait_for_end(rings):
    """Read standard input until it ends, and the rings: one that nobody reads is soon full."""
    waiting = select.poll()
    for fd in [0, *rings]:
        waiting.register(fd, select.POLLIN)
    while True:
        for fd, _ in waiting.poll():
            if fd in rings:
                print_records(rings[fd])
            elif not os.read(0, 65536):
                return


def run_program(program, method, cookie, pin, rings):
    """Attach the program on each CPU until standard input ends. rings are the maps that are rings,
    by their descriptors."""
    events = [open_event(method, cpu) for cpu in cpus_of("online")]
    links = [bind_program(event, program, method, cookie) for event in events]
    for event in events:
        ioctl(event, IOC_ENABLE, 0, "PERF_EVENT_IOC_ENABLE")
    if pin:
        pin_links(links, pin)
    print("ready", flush=True)
    wait_for_end(rings)
    for event in events if not pin else []:
        ioctl(event, IOC_DISABLE, 0, "PERF_EVENT_IOC_DISABLE")


# ---- Stages values and ring ----
#
# A per-CPU map has a value for each CPU that may ever be plugged in. A lookup writes all of them,
# each rounded up to a multiple of 8 bytes.
PER_CPU = (PERCPU_HASH, PERCPU_ARRAY, LRU_PERCPU_HASH)
WITH_ELEMENTS = (HASH, ARRAY, LRU_HASH, LPM_TRIE, *PER_CPU)
BUSY, DISCARDED = 1 << 31, 1 << 30


def number(data):
    return str(int.from_bytes(data, "little")) if len(data) <= 8 else data.hex()


def keys_of(m):
    """Visit the keys: without one the kernel returns the first, then that which follows it."""
    key = ctypes.create_string_buffer(m.key_size)
    attr = Element(map_fd=m.fd, key=0, value=ctypes.addressof(key))
    while bpf(BPF_MAP_GET_NEXT_KEY, attr) == 0:
        yield key
        attr.key = ctypes.addressof(key)
    if ctypes.get_errno() != errno.ENOENT:
        check(-1, f"BPF_MAP_GET_NEXT_KEY of '{m.name}'")


def print_elements(m):
    step = (m.value_size + 7) // 8 * 8
    cpus = cpus_of("possible")[-1] + 1 if m.type in PER_CPU else 1
    value = ctypes.create_string_buffer(step * cpus)
    for key in keys_of(m):
        attr = Element(map_fd=m.fd, key=ctypes.addressof(key), value=ctypes.addressof(value))
        check(bpf(BPF_MAP_LOOKUP_ELEM, attr), f"BPF_MAP_LOOKUP_ELEM of '{m.name}'")
        if m.variables is None:
            values = [value.raw[cpu * step:][:m.value_size] for cpu in range(cpus)]
            print(f"value {m.name} {number(key.raw)} {' '.join(map(number, values))}")
        for name, offset, size in m.variables or []:
            print(f"variable {name} {number(value.raw[offset:offset + size])}")


def print_records(m):
    """Print the records between the consumer's position, which is in the first page of the map, and
    the producer's, which is in the second. The data follow, twice in a row, so that no record is
    broken in two. A record begins with its size and two bits, and 4 bytes for the kernel; busy is
    one that a program has not finished. x86-64 keeps the order in which it wrote; C on other
    machines needs load-acquire here."""
    page = mmap.PAGESIZE
    mine = mmap.mmap(m.fd, page, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
    ring = mmap.mmap(m.fd, page + 2 * m.max_entries, mmap.MAP_SHARED, mmap.PROT_READ, offset=page)
    position, = struct.unpack_from("<Q", mine)
    end, = struct.unpack_from("<Q", ring)
    while position < end:
        at = page + position % m.max_entries
        length, = struct.unpack_from("<I", ring, at)
        if length & BUSY:
            break
        size = length & ~DISCARDED
        if not length & DISCARDED:
            print(f"record {m.name} {ring[at + 8:at + 8 + size].hex()}")
        position += (size + 8 + 7) // 8 * 8
        struct.pack_into("<Q", mine, 0, position)


def print_values(maps):
    for m in maps:
        if m.type == RINGBUF:
            print_records(m)
        elif m.type in WITH_ELEMENTS:
            print_elements(m)


# ---- All stages ----
def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    # SIGINT ends the process at once, and the kernel closes what it has open.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    path, method, cookie, pin = sys.argv[1:5] + [None] * (5 - len(sys.argv))
    sections = read_sections(path)
    print_sections(sections)
    symbols = read_symbols(sections)
    print_symbols(symbols)
    functions = read_functions(sections, symbols)
    print_functions(sections, functions)
    relocations = read_relocations(sections, symbols)
    btf = Btf(sections[find_section(sections, ".BTF")].data)
    correct_datasecs(btf, sections, relocations)
    maps = read_maps(btf, sections)
    print_maps(maps)
    create_maps(maps, sections)
    ext = sections[find_section(sections, ".BTF.ext")].data
    relocate_fields(sections, btf, ext_records(btf, ext, CORE_RELO))
    programs = [f for f in functions if f.is_program]
    if not programs:
        sys.exit("the object has no program")
    license_ = sections[find_section(sections, "license")].data
    for program in programs if method == "load" else programs[:1]:
        linker = Linker(sections, relocations, functions, maps)
        linker.link(program)
        fd = load_program(program, linker, btf, license_)
    if method != "load":
        run_program(fd, method, int(cookie, 0), pin, {m.fd: m for m in maps if m.type == RINGBUF})
    print_values(maps)


try:
    main()
except OSError as error:
    sys.exit(str(error))
except (struct.error, IndexError, ValueError) as error:
    sys.exit(f"{sys.argv[1]} is damaged: {error}")
