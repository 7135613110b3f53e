# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Stage core: a relocation of CO-RE names a field, a type or an enumerator as the object knows it,
and asks for its offset, its size or its existence in the running kernel.

The kernel's type has the same name; ___ and what follows it in a local name is a flavour, which
tells local types apart. Left out: bit-fields, whether kinds agree, and several types of a name.
"""
import struct
import sys

from btf import ARRAY, ENUM, STRUCT, UNION, Btf

(BYTE_OFFSET, BYTE_SIZE, EXISTS, SIGNED, LSHIFT, RSHIFT, LOCAL_ID, TARGET_ID, TYPE_EXISTS,
 TYPE_SIZE, ENUMERATOR_EXISTS, ENUMERATOR_VALUE, MATCHES) = range(13)
ABOUT_FIELDS = (BYTE_OFFSET, BYTE_SIZE, EXISTS)
ABOUT_TYPES = (TARGET_ID, TYPE_EXISTS, TYPE_SIZE)
ABOUT_ENUMERATORS = (ENUMERATOR_EXISTS, ENUMERATOR_VALUE)
ANSWERED_BY_ABSENCE = (EXISTS, TYPE_EXISTS, ENUMERATOR_EXISTS)    # with 0


def find_types(btf, name, kind):
    """Visit the types of a name. The kernel has some 100,000, of which few are looked at: a name is
    in .BTF once, so that its offset finds them."""
    found = btf.data.find(b"\0" + name.encode() + b"\0", btf.names)
    if found < 0:
        return
    wanted = struct.pack("<I", found + 1 - btf.names)
    for number, at in enumerate(btf.starts):
        if number and btf.data[at:at + 4] == wanted and btf.type(number).kind == kind:
            yield number


def find_member(btf, number, name):
    """Return (offset in bits, type) of a member, also of one in a member without a name."""
    t = btf.plain(number)
    for member in btf.members(t) if t.kind in (STRUCT, UNION) else []:
        if member.name == name:
            return member.bits, member.type
        inner = find_member(btf, member.type, name) if not member.name else None
        if inner:
            return member.bits + inner[0], inner[1]
    return None


def steps_to(btf, number, access):
    """Return the steps from a type to a field, each the name of a member or an index, and the
    field's size. 0:3:1 is element 0 of a pointer to the type, its member 3, and of that member 1.
    Members without a name are no steps."""
    steps = [access[0]]
    for index in access[1:]:
        t = btf.plain(number)
        if t.kind == ARRAY:
            number = btf.array(t)[0]
            steps.append(index)
        else:
            member = btf.members(t)[index]
            number = member.type
            steps += [member.name] if member.name else []
    return steps, btf.size(number)


def field_at(btf, number, steps):
    """Return (offset in bytes, size) of the field, or None."""
    bits = steps[0] * btf.size(number) * 8
    for step in steps[1:]:
        if isinstance(step, int):
            t = btf.plain(number)
            if t.kind != ARRAY:
                return None
            number = btf.array(t)[0]
            bits += step * btf.size(number) * 8
            continue
        found = find_member(btf, number, step)
        if not found:
            return None
        bits, number = bits + found[0], found[1]
    return bits // 8, btf.size(number)


def enumerators(btf, number):
    """Return {name: value}."""
    t = btf.plain(number)
    step, form = (8, "<Ii") if t.kind == ENUM else (12, "<Iq")
    pairs = (struct.unpack_from(form, btf.data, t.at + step * i) for i in range(t.number))
    return {btf.name(name): value for name, value in pairs}


def answer(btf, kernel, number, access, kind):
    """Return (the value asked for, size of the field or 0), or None for what does not exist."""
    local = btf.plain(number)
    if kind == LOCAL_ID:
        return number, 0
    indices = [int(i) for i in access.split(":")]
    for target in find_types(kernel, local.name.rsplit("___", 1)[0], local.kind):
        if kind in ABOUT_TYPES:
            return {TARGET_ID: target, TYPE_EXISTS: 1, TYPE_SIZE: kernel.size(target)}[kind], 0
        if kind in ABOUT_ENUMERATORS:
            name = list(enumerators(btf, number))[indices[0]].rsplit("___", 1)[0]
            value = enumerators(kernel, target).get(name)
            if value is not None:
                return (1 if kind == ENUMERATOR_EXISTS else value), 0
            continue
        found = field_at(kernel, target, steps_to(btf, number, indices)[0])
        if found:
            return {BYTE_OFFSET: found[0], BYTE_SIZE: found[1], EXISTS: 1}[kind], found[1]
    return (0, 0) if kind in ANSWERED_BY_ABSENCE else None


# The class of an instruction is in the low 3 bits of its code.
BPF_LD, BPF_LDX, BPF_ST, BPF_STX = 0, 1, 2, 3
SIZE_BITS = {1: 0x10, 2: 0x08, 4: 0x00, 8: 0x18}
# A call of a helper that does not exist: the verifier minds only if it is reached.
POISON = struct.pack("<BBhi", 0x85, 0, 0, 0xbad2310)


def patch(insns, at, value, sizes):
    """Write the value into the instruction: an offset of a load or a store, else a number. sizes
    are those of the field here and in the kernel; a load takes as much as the latter has."""
    code = insns[at]
    if code & 7 in (BPF_LDX, BPF_ST, BPF_STX):
        struct.pack_into("<h", insns, at + 2, value)
        if sizes[1] in SIZE_BITS and sizes[0] != sizes[1]:
            insns[at] = code & ~0x18 | SIZE_BITS[sizes[1]]
    else:
        struct.pack_into("<I", insns, at + 4, value & 0xffffffff)
        if code & 7 == BPF_LD:
            struct.pack_into("<I", insns, at + 12, value >> 32 & 0xffffffff)


def relocate_fields(sections, btf, records):
    """Patch the instructions of sections. A record has the section's name, and an offset, a type,
    a string with the way from the type to the field, and what is asked."""
    kernel = None
    for section, (offset, number, access, kind, *_) in records:
        if not kernel:
            with open("/sys/kernel/btf/vmlinux", "rb") as stream:
                kernel = Btf(stream.read())
        if kind in (SIGNED, LSHIFT, RSHIFT, MATCHES):
            sys.exit(f"a CO-RE relocation of kind {kind}, which this loader does not know")
        insns = next(s.data for s in sections if s.name == section)
        access = btf.name(access)
        found = answer(btf, kernel, number, access, kind)
        if found:
            local = 0
            if kind in ABOUT_FIELDS:
                local = steps_to(btf, number, [int(i) for i in access.split(":")])[1]
            patch(insns, offset, found[0], (local, found[1]))
        else:
            if insns[offset] & 7 == BPF_LD:
                insns[offset + 8:offset + 16] = POISON
            insns[offset:offset + 8] = POISON
