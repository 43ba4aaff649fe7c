/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Leakage: binary features that determine, or nearly determine, the class of an instance.
 */
#pragma once

#include "core/arena.h"
#include "data/dataset.h"

typedef struct hs_leak {
    uint32_t feature, label; /* a class */
    uint32_t highest;        /* ancestor that leaks the same class; itself if none does */
    uint32_t *support;       /* in each class */
} hs_leak;

typedef struct hs_leaks {
    hs_leak *items; /* by feature */
    uint32_t count;
    uint32_t *class_size;
} hs_leaks;

/* A feature leaks a class if it is positive in this share of the class, negative in this share of
 * the others, and this share of its positive values is in the class. Lists are in the arena. */
HSEL_CHECKED int hs_leaks_find(const hsel_dataset *data, double share, hs_arena *arena,
                               hs_leaks *out, hsel_error *error);
