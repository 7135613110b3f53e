// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print the types of an object, of a kernel or of a module as C. */
#include <errno.h>
#include <string.h>

#include "loader/tools/inspect/inspect_internal.h"
#include "loader/tools/inspect/types/types_internal.h"
#include "loader/objects/kernel_types/kernel_types.h"
#include "loader/core/value/value.h"

struct printing {
	struct inspect *in;
	struct error *err;
};

static int put_type(void *arg, uint32_t id, const char *text, size_t size)
{
	struct printing *p = arg;
	struct json_object *msg = message_new("inspect-type");

	value_add_uint(msg, "id", id);
	value_add(msg, "c", value_string(VALUE_WORD, text, size));
	return inspect_put(p->in, msg, p->err);
}

/* If the types would take too much text as C, treat them as damaged, and print the other parts. */
static int put_c(struct inspect *in, const struct btf *btf, struct error *err)
{
	struct printing p = { .in = in, .err = err };
	struct error why = { 0 };
	const int ret = c_types_print(btf, put_type, &p, &why);

	if (why.code != -E2BIG)
		return why.code ? error_copy(err, &why) : ret;
	error_reason_default(&why, "object/btf");
	error_where(&why, "%s", in->path);
	if (in->broken.code)
		error_clear(&why);
	else
		in->broken = why;
	return 0;
}

static int put_all(struct inspect *in, const struct btf *btf, bool header, struct error *err)
{
	struct json_object *msg = message_new("inspect-types");
	int ret;

	value_add_uint(msg, "count", btf_nr_types(btf) - (btf->first_id ? btf->first_id : 1));
	value_add_bool(msg, "header", header);
	ret = inspect_put(in, msg, err);
	if (!ret)
		ret = put_c(in, btf, err);
	if (ret || !header)
		return ret;
	return inspect_put(in, message_new("inspect-types-end"), err);
}

/* The strings of BTF without a base start with the empty string. */
static bool is_split(struct bytes raw)
{
	uint64_t at;

	if (raw.size < BTF_HEADER_PLAIN)
		return false;
	at = (uint64_t)bytes_u32(raw, offsetof(struct btf_header, hdr_len), false) +
	     bytes_u32(raw, offsetof(struct btf_header, str_off), false);
	return at < raw.size && raw.data[at];
}

/* Print the other parts of the file: in->broken keeps the first error. */
static int damaged(struct inspect *in, struct bytes raw, struct error *first)
{
	if (first) {
		if (first->at)	/* in the BTF, until here */
			first->at += raw.data - in->file.data;
		error_reason_default(&in->broken, "object/btf");
		error_where(&in->broken, "%s", in->path);
	}
	return 0;
}

static int put_split(struct inspect *in, struct bytes raw, struct error *err)
{
	struct error *first = in->broken.code ? NULL : &in->broken;
	struct btf_file base;
	struct btf btf;
	/* The page includes the other parts. */
	struct error *kept = in->page ? first : err;
	const struct option_list *btfs = &in->o->inspect.btfs;
	int ret = btf_file_open(in->sys, btfs->nr ? btfs->text[0] : NULL, &base, kept);

	if (ret) {
		error_where(kept, "--btf");
		return in->page ? 0 : ret;
	}
	if (btf_index_split(&btf, raw, &base.btf, first)) {
		ret = damaged(in, raw, first);
	} else {
		ret = put_all(in, &btf, true, err);
		btf_free(&btf);
	}
	btf_file_close(in->sys, &base);
	return ret;
}

static int put_whole(struct inspect *in, struct bytes raw, struct error *err)
{
	struct error *first = in->broken.code ? NULL : &in->broken;
	struct btf btf;
	int ret;

	if (btf_parse(&btf, raw, first))
		return damaged(in, raw, first);
	btf_learn_pointers(&btf);
	ret = put_all(in, &btf, true, err);
	btf_free(&btf);
	return ret;
}

struct bytes inspect_btf(const struct inspect *in)
{
	const struct raw_section *sec = raw_find(&in->elf, ".BTF");
	const uint16_t magic = in->file.size < BTF_HEADER_PLAIN ? 0 :
			       bytes_u16(in->file, 0, false);

	if (magic == BTF_MAGIC || magic == __builtin_bswap16(BTF_MAGIC))
		return in->file;
	return sec ? sec->data : (struct bytes){ 0 };
}

int inspect_types(struct inspect *in, struct error *err)
{
	const struct bytes raw = inspect_btf(in);

	if (in->has_object && in->obj.has_btf)
		return put_all(in, &in->obj.btf, false, err);
	if (!raw.size)
		return 0;
	return is_split(raw) ? put_split(in, raw, err) : put_whole(in, raw, err);
}
