/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One small sound object in each form that ELF has for it, to be damaged and compared. */
#ifndef PLOAD_TEST_UNIT_FORM_BUILDER_H
#define PLOAD_TEST_UNIT_FORM_BUILDER_H

#include "elf/bytes.h"

#define NR_FORMS 8u

/*
 * form_object() - an object with a program, a map, relocations, BTF and .BTF.ext: @form is a number
 * below NR_FORMS. The caller frees data, which is exactly size bytes long.
 */
struct bytes form_object(unsigned int form);

/* form_name() - "built, big endian, RELA" and so on. */
const char *form_name(unsigned int form);

#endif
