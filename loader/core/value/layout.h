/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A BTF type, compiled once into the fields of its values, which become text or a tree. */
#ifndef PLOAD_CORE_VALUE_LAYOUT_H
#define PLOAD_CORE_VALUE_LAYOUT_H

#include "loader/core/value/json_object.h"

#include "elf/btf.h"
#include "loader/core/value/put.h"

/*
 * The layouts of struct { u32 pid; char comm[16]; u64 at[2]; } for JSON and for a tree:
 *
 *	lead		lead	field
 *				FIELD_OBJECT
 *	{"pid":		pid	  FIELD_U32	offset 0
 *	,"comm":	comm	  FIELD_CHARS	offset 4, size 16
 *			comm	  FIELD_ARRAY	the same bytes if they are no text
 *				    FIELD_S8
 *				    FIELD_END
 *	,"at":		at	  FIELD_ARRAY	offset 24, size 8, count 2
 *				    FIELD_U64	of each element, in which its offset is 0
 *				    FIELD_END
 *				  FIELD_END
 *	}			FIELD_END
 *
 * tree.c adds the decoded bytes to a tree, with the lead as the key. write_value.c (in
 * sessions/records/) writes text or JSON: for each field its lead, which is the same for all values
 * of the type, then the decoded bytes.
 */
enum layout_style {
	LAYOUT_TREE, LAYOUT_TEXT, LAYOUT_JSON
};

enum field_kind {
	FIELD_U8, FIELD_U16, FIELD_U32, FIELD_U64,
	FIELD_S8, FIELD_S16, FIELD_S32, FIELD_S64,
	FIELD_NUMBER,	/* any other width, or with names, or true and false */
	FIELD_WIDE,	/* 16 bytes */
	FIELD_FLOAT,	/* 4 or 8 bytes */
	FIELD_POINTER,
	FIELD_BYTES,	/* hex */
	FIELD_CHARS,	/* text; the next field is used if the bytes are not text */
	FIELD_ARRAY,	/* followed by the fields of an element and their FIELD_END */
	FIELD_OBJECT,	/* TREE: followed by the fields of its members and their FIELD_END */
	FIELD_END,
};

struct field {
	enum field_kind kind;
	uint32_t lead, lead_size;	/* in layout->text; TREE: key and NUL; or nothing */
	uint32_t offset;	/* in bytes, from the start of the value or element */
	uint32_t size;		/* in bytes; ARRAY: size of an element */
	uint32_t first_bit;	/* NUMBER: in bits, from @offset on */
	uint32_t bits;		/* NUMBER */
	bool is_signed, is_bool;	/* NUMBER */
	uint32_t names, nr_names;	/* NUMBER: into layout->names, ordered by value */
	uint32_t count;		/* ARRAY */
	uint32_t next;		/* the field after an ARRAY or OBJECT, or the alternative to
				 * CHARS */
};

/* An enumerator. */
struct field_name {
	uint64_t value;
	uint32_t text, text_size;	/* into layout->text, escaped */
};

struct layout {
	enum layout_style style;
	size_t bytes;		/* number of bytes in a value of this layout */
	bool takes_more;	/* more bytes may follow that are not part of the value */
	size_t room;		/* room that layout_write() needs; 0: see layout_room() */
	char *text;		/* owned; has PUT_SLACK bytes beyond text_size */
	struct field *fields;	/* owned; NULL: print all bytes as hex */
	struct field_name *names;	/* owned */
	uint32_t text_size, text_room, nr_fields, nr_names;
};

/*
 * BTF may be hostile: overlapping members can blow up a value of a few bytes to any size. Each
 * layout has a budget of depth and nodes. If it is exceeded, the whole value is printed as hex,
 * which is exact and only twice the size.
 */
#define VALUE_MAX_DEPTH	32
#define VALUE_MAX_NODES	65536

/* Longer arrays of single bytes are printed as hex, not as a list of numbers. */
#define VALUE_MAX_BYTE_LIST 32

/* In text, more untyped bytes than this are printed as a multi-line dump. */
#define VALUE_MAX_INLINE_BYTES 32

/**
 * layout_new() - Compile a type for values of @size bytes: structs and unions become objects,
 * arrays become lists (more than 32 single bytes: hex), enums become names, char arrays with text
 * become strings, pointers become "0x...". 64-bit numbers stay exact.
 * @btf: borrowed while the layout or its trees are in use; NULL: hex
 * @id: any type id; 0, or a type without values: hex
 * @size: if a struct ends in a flexible array, the bytes after it are elements. If a struct or
 * union is longer than @size, only the members inside are compiled. Too few bytes for any other
 * type are hex.
 *
 * Return: NULL if out of memory.
 */
struct layout *layout_new(const struct btf *btf, uint32_t id, size_t size, enum layout_style style);
void layout_free(struct layout *l);

/**
 * layout_tree() - Decode @bytes into a JSON object, array, number or string, for both text and
 * JSON. NULL if out of memory.
 * value_decode() - Like layout_tree(), for a single value of a type.
 */
struct json_object *layout_tree(const struct layout *l, struct bytes bytes);
struct json_object *value_decode(const struct btf *btf, uint32_t id, struct bytes bytes);

/* layout_flexible_array() - Return the id of the flexible array at the end of @t, or 0. */
uint32_t layout_flexible_array(const struct btf *btf, const struct btf_type_view *t);

#endif
