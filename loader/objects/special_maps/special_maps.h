/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Maps that need more than BPF_MAP_CREATE: rows of `features`. */
#ifndef PLOAD_OBJECTS_SPECIAL_MAPS_SPECIAL_MAPS_H
#define PLOAD_OBJECTS_SPECIAL_MAPS_SPECIAL_MAPS_H

#include "loader/core/kernel/feature.h"

extern const struct kernel_feature kernel_arenas, kernel_maps_of_maps, kernel_pinned_maps;

#endif
