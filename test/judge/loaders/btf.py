# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The types of an object, which section .BTF has, or of the running kernel."""
import struct
from collections import namedtuple

# .BTF is a header, the types and their names. Type N is the N-th record, and type 0 is void.
INT, PTR, ARRAY, STRUCT, UNION, ENUM, TYPEDEF, VOLATILE, CONST, RESTRICT, FUNC, FUNC_PROTO, VAR, \
    DATASEC, DECL_TAG, TYPE_TAG, ENUM64 = 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19
# Some kinds have more in their record, or something for each member.
MORE = {INT: 4, ARRAY: 12, VAR: 4, DECL_TAG: 4}
EACH = {STRUCT: 12, UNION: 12, ENUM: 8, FUNC_PROTO: 8, DATASEC: 12, ENUM64: 12}
# "size" is that of the type, or the type that is pointed to, or that is named; "at" is the offset
# of what follows the first 12 bytes.
Type = namedtuple("Type", "name kind number size at")
Member = namedtuple("Member", "name type bits")


def string_at(data, offset):
    """Return the string at offset, which ends with a NUL."""
    return bytes(data[offset:data.index(0, offset)]).decode()


class Btf:
    def __init__(self, data):
        self.data, self.starts = data, [None]
        if not data:    # an object without types
            return
        _, _, _, header, types, length, names, _ = struct.unpack_from("<HBBIIIII", data)
        self.names = header + names
        at = header + types
        while at < header + types + length:
            self.starts.append(at)
            info, = struct.unpack_from("<I", data, at + 4)
            kind = info >> 24 & 31
            at += 12 + MORE.get(kind, 0) + EACH.get(kind, 0) * (info & 0xffff)

    def name(self, offset):
        return string_at(self.data, self.names + offset)

    def type(self, number):
        at = self.starts[number]
        if at is None:
            return Type("void", 0, 0, 0, 0)
        name, info, size = struct.unpack_from("<III", self.data, at)
        return Type(self.name(name), info >> 24 & 31, info & 0xffff, size, at + 12)

    def plain(self, number):
        """Return the type without typedefs and qualifiers."""
        t = self.type(number)
        while t.kind in (TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG):
            t = self.type(t.size)
        return t

    def array(self, t):
        """Return the type of the elements, and how many there are."""
        element, _, number = struct.unpack_from("<III", self.data, t.at)
        return element, number

    def size(self, number):
        t = self.plain(number)
        if t.kind == ARRAY:
            element, length = self.array(t)
            return length * self.size(element)
        return 8 if t.kind == PTR else t.size

    def members(self, t):
        """Return the members; bit 31 of info, kind_flag, cuts off the size of a bit-field."""
        mask = 0xffffff if self.data[t.at - 5] & 0x80 else 0xffffffff
        return [Member(self.name(name), type_, bits & mask) for name, type_, bits
                in (struct.unpack_from("<III", self.data, t.at + 12 * i) for i in range(t.number))]

    def variables(self, t):
        """Return the variables of a DATASEC, each as (type, offset, size)."""
        return [struct.unpack_from("<III", self.data, t.at + 12 * i) for i in range(t.number)]
