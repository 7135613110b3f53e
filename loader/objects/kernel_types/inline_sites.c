// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find the functions into which another one was inlined, for messages about functions that do not
 * exist.
 *
 * /sys/kernel/btf/vmlinux.inline is split BTF, whose base is vmlinux. A LOCSEC has the inline sites
 * in one ELF section of the kernel; its vlen entries are:
 *
 *	0            4             8                           12
 *	+------------+-------------+---------------------------+
 *	| FUNC that  | LOC_PROTO   | offset of the site from   |
 *	| is inlined |             | the start of the section  |
 *	+------------+-------------+---------------------------+
 *
 * Source: CONFIG_DEBUG_INFO_BTF_INLINE in bpf-next, September 2026. No release has it yet.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/kernel_types/inline_sites.h"
#include "loader/objects/kernel_types/kernel_types.h"

#define INLINE "/sys/kernel/btf/vmlinux.inline"
#define LOCSEC 22
#define SITE_SIZE 12
#define NAMES_MAX 4

/* The addresses of the sites. */
struct sites {
	uint64_t *at;		/* owned */
	uint32_t nr;
};

static bool add_site(struct sites *sites, uint64_t at)
{
	uint64_t *more = array_grow(sites->at, sites->nr, sizeof(*more));

	if (!more)
		return false;
	sites->at = more;
	more[sites->nr++] = at;
	return true;
}

/* A release may have other entries, and describes them in a layout. */
static bool has_known_sites(const struct btf *btf)
{
	const struct bytes layouts = btf->layouts.size ? btf->layouts : btf->base->layouts;
	const size_t at = LOCSEC * sizeof(struct btf_layout);
	struct btf_layout layout;

	if (!bytes_hold(layouts.size, at, sizeof(layout)))
		return true;
	memcpy(&layout, layouts.data + at, sizeof(layout));
	return !layout.info_sz && layout.elem_sz == SITE_SIZE;
}

/* Add the sites of @function in type @id, if that is the LOCSEC of .text, which begins at @text. */
static bool add_sites(const struct btf *btf, uint32_t id, const char *function, uint64_t text,
		      struct sites *sites)
{
	const size_t at = btf_offset(btf, id);
	const uint32_t info = bytes_u32(btf->types, at + offsetof(struct btf_type, info), false);
	const char *name = btf_string(btf, bytes_u32(btf->types, at, false));

	if (BTF_INFO_KIND(info) != LOCSEC || !name || strcmp(name, "inline.text"))
		return true;
	for (uint32_t i = 0; i < BTF_INFO_VLEN(info); i++) {
		const size_t site = at + sizeof(struct btf_type) + i * SITE_SIZE;
		const uint32_t func = bytes_u32(btf->types, site, false);
		struct btf_type_view t;

		if (!func || !btf_has(btf, func))
			continue;
		t = btf_type(btf, func);
		if (t.kind == BTF_KIND_FUNC && t.name && !strcmp(t.name, function) &&
		    !add_site(sites, text + bytes_u32(btf->types, site + 8, false)))
			return false;
	}
	return true;
}

static void find_sites(struct sys *sys, int fd, const char *function, uint64_t text,
		       struct sites *sites)
{
	struct btf_file vmlinux, in;
	bool go_on;

	if (btf_file_open(sys, NULL, &vmlinux, NULL))
		return;
	if (!btf_file_read_split(sys, fd, &vmlinux.btf, &in)) {
		go_on = has_known_sites(&in.btf);
		for (uint32_t id = in.btf.first_id; go_on && btf_has(&in.btf, id); id++)
			go_on = add_sites(&in.btf, id, function, text, sites);
		btf_file_close(sys, &in);
	}
	btf_file_close(sys, &vmlinux);
}

static int by_address(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Name each function that has a site. The symbols of vmlinux come by address. */
static uint32_t name_all(struct kernel_symbols *k, const struct sites *sites,
			 char text[INLINE_SITES_TEXT])
{
	struct kernel_symbol s, before = { 0 };
	uint32_t at = 0, i = 0, nr = 0;
	size_t len = 0;

	while (i < sites->nr && kernel_symbols_each(k, &at, &s) && !s.module[0]) {
		if (!kernel_symbol_is_code(&s))
			continue;
		if (before.name && s.address > sites->at[i]) {
			if (nr++ < NAMES_MAX && len < INLINE_SITES_TEXT)
				len += snprintf(text + len, INLINE_SITES_TEXT - len, "%s%.48s",
						len ? ", " : "", before.name);
			while (i < sites->nr && sites->at[i] < s.address)
				i++;
		}
		before = s;
	}
	if (nr > NAMES_MAX && len < INLINE_SITES_TEXT)
		snprintf(text + len, INLINE_SITES_TEXT - len, " and %u more", nr - NAMES_MAX);
	return nr;
}

bool inline_sites_text(struct sys *sys, struct kernel_symbols *k, const char *function,
		       char text[INLINE_SITES_TEXT])
{
	int fd = sys_openat(sys, AT_FDCWD, INLINE, O_RDONLY | O_CLOEXEC);
	struct sites sites = { 0 };
	struct kernel_symbol start;
	uint32_t nr = 0;

	text[0] = '\0';
	if (fd >= 0 && !kernel_symbols_read(k, NULL) &&
	    kernel_symbols_find(k, "_stext", &start, NULL) > 0)
		find_sites(sys, fd, function, start.address, &sites);
	sys_close_fd(sys, &fd);
	if (sites.nr) {
		qsort(sites.at, sites.nr, sizeof(*sites.at), by_address);
		nr = name_all(k, &sites, text);
	}
	free(sites.at);
	return nr;
}
