/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An opened pack: mapped, with sections that lie in the file and fit each other. Their content is
 * not checked.
 */
#ifndef HS_FORMAT_PACK_FILE_H
#define HS_FORMAT_PACK_FILE_H

#include "format/pack_layout.h"

typedef struct hs_pack {
    const char *path;
    const char *base; /* the mapped file */
    size_t length;
    const hs_pack_entry *table;
    const hs_pack_info *info;
    hsel_error *error; /* where everything that is found wrong goes */
} hs_pack;

/* `whole`: all of it will be read; then a pack of up to 64 MiB is a copy in memory. hs_pack_close
 * also after a failure. */
HSEL_CHECKED int hs_pack_open(const char *path, bool whole, hs_pack *out, hsel_error *error);
void hs_pack_close(hs_pack *pack);

/* Mapped read-only, but the fields of a data set have no const. */
static inline void *hs_pack_at(const hs_pack *pack, int kind)
{
    return (void *)(uintptr_t)(pack->base + pack->table[kind].offset);
}

static inline uint64_t hs_pack_elements(const hs_pack *pack, int kind)
{
    return pack->table[kind].length / pack->table[kind].element;
}

HSEL_CHECKED int hs_pack_check_sum(const hs_pack *pack, int kind);
HSEL_CHECKED int hs_pack_check_padding(const hs_pack *pack);
/* "PATH: the pack is damaged: WHAT of section …" */
int hs_pack_bad_section(const hs_pack *pack, int kind, const char *what);

#endif
