/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A BTF type compiled once into the fields of its values, which are written or become a tree. */
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
 * tree.c adds what the bytes are to a tree, under the lead as the key. write_value.c (in
 * sessions/records/) writes text or JSON: the lead of each field, which is the same for all values
 * of the type, and what the bytes are.
 */
enum layout_style {
	LAYOUT_TREE, LAYOUT_TEXT, LAYOUT_JSON
};

enum field_kind {
	FIELD_U8, FIELD_U16, FIELD_U32, FIELD_U64,
	FIELD_S8, FIELD_S16, FIELD_S32, FIELD_S64,
	FIELD_NUMBER,	/* of any other width, or with names, or true and false */
	FIELD_WIDE,	/* 16 bytes */
	FIELD_FLOAT,	/* 4 or 8 bytes */
	FIELD_POINTER,
	FIELD_BYTES,	/* hex */
	FIELD_CHARS,	/* text; the next field has the bytes that are no text */
	FIELD_ARRAY,	/* the fields of an element follow, and its FIELD_END */
	FIELD_OBJECT,	/* TREE: the fields of its members follow, and its FIELD_END */
	FIELD_END,
};

struct field {
	enum field_kind kind;
	uint32_t lead, lead_size;	/* in layout->text; TREE: the key and NUL; or nothing */
	uint32_t offset;	/* in bytes, from the beginning of the value or element */
	uint32_t size;		/* in bytes; ARRAY: of one element */
	uint32_t first_bit;	/* NUMBER: from @offset on */
	uint32_t bits;		/* NUMBER */
	bool is_signed, is_bool;	/* NUMBER */
	uint32_t names, nr_names;	/* NUMBER: in layout->names, ordered by value */
	uint32_t count;		/* ARRAY */
	uint32_t next;		/* the field after an ARRAY, an OBJECT, or what CHARS are else */
};

/* An enumerator. */
struct field_name {
	uint64_t value;
	uint32_t text, text_size;	/* in layout->text: as it is printed */
};

struct layout {
	enum layout_style style;
	size_t bytes;		/* that a value of this layout has */
	bool takes_more;	/* more bytes may follow, which are no part of the value */
	size_t room;		/* that layout_write() needs; 0: see layout_room() */
	char *text;		/* owned; PUT_SLACK bytes longer than text_size */
	struct field *fields;	/* owned; NULL: all bytes are printed as hex */
	struct field_name *names;	/* owned */
	uint32_t text_size, text_room, nr_fields, nr_names;
};

/*
 * BTF may be hostile: overlapping members can make a value of a few bytes arbitrarily large. Each
 * layout has a budget of depth and nodes. A value of one that exceeds it is hex, whole: exact, and
 * never more than twice its bytes.
 */
#define VALUE_MAX_DEPTH	32
#define VALUE_MAX_NODES	65536

/* A longer array of single bytes is printed as hex, not as a list of numbers. */
#define VALUE_MAX_BYTE_LIST 32

/* As text, more bytes without a type are printed as a dump of several lines. */
#define VALUE_MAX_INLINE_BYTES 32

/**
 * layout_new() - Compile a type for values of @size bytes: a struct or union into an object, an
 *	array into a list (more than 32 single bytes: hex), an enum into its name, a char array that
 *	is text into a string, a pointer into "0x...". A 64-bit number stays exact.
 * @btf: borrowed as long as the layout and its trees are used; NULL: hex
 * @id: of any type; 0, or one without values: hex
 * @size: of a struct that ends in an array of no elements, the bytes after it are elements. Of a
 *	struct or union that is longer than @size, the members that lie in it are compiled. Bytes
 *	that are too few for another type are hex.
 *
 * Return: NULL if memory is short.
 */
struct layout *layout_new(const struct btf *btf, uint32_t id, size_t size, enum layout_style style);
void layout_free(struct layout *l);

/**
 * layout_tree() - Return the value of @bytes as a JSON object, array, number or string, which text
 *	and JSON print alike. NULL: memory is short.
 * value_decode() - As layout_tree(), for a single value of a type.
 */
struct json_object *layout_tree(const struct layout *l, struct bytes bytes);
struct json_object *value_decode(const struct btf *btf, uint32_t id, struct bytes bytes);

/* layout_flexible_array() - Return the id of the array of no elements in which @t ends, or 0. */
uint32_t layout_flexible_array(const struct btf *btf, const struct btf_type_view *t);

#endif
