/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packs (.hsel): a whole data set with its hierarchy in one file that is mapped into memory.
 *
 * There are two readers, because a file may be damaged or malicious:
 *
 *   hs_pack_look  takes microseconds whatever the size of the file. It checks the header, that the
 *                 sections are in the file and fit together, and the content of the few small
 *                 sections that it copies; it does not create a data set. For `info` and the like.
 *   hs_pack_read  also checks every checksum and every number (hs_dataset_check), in one pass at
 *                 the speed of memory, and returns a data set whose arrays are in the mapped file
 *                 or, up to 64 MiB, in a copy of it. The same as the format's read_data.
 *
 * If a file is changed in place while it is mapped, the checks no longer hold: wrong numbers,
 * SIGBUS or SIGSEGV may follow. hs_writer never does that, and a copy is not affected.
 * hs_pack_watch reports which files are mapped; the command uses it.
 */
#ifndef HS_FORMAT_PACK_H
#define HS_FORMAT_PACK_H

#include "core/names.h"
#include "data/summary.h"

typedef struct hs_pack_facts {                   /* zero-initialise; hs_pack_facts_clear frees */
    hs_summary summary;                          /* from when the pack was written */
    char *name, *class_attribute, *id_attribute; /* NULL: none */
    hs_names class_names;
    uint32_t *class_sizes;
    uint32_t positive_class;
    uint32_t labels, instance_labels; /* features, instances that have one */
    bool instance_columns;            /* something is known of instances, e.g. their groups */
    char *provenance;                 /* JSON text; NULL: none */
    uint64_t bytes;                   /* of the file */
    hs_names relations;               /* of the edges; empty: they are not known */
    uint32_t *relation_edges;         /* how many edges are of each */
} hs_pack_facts;

/* Whether it is a regular file that starts like a pack. Never reads from a pipe. */
bool hs_pack_is(const char *path);
HSEL_CHECKED int hs_pack_look(const char *path, hs_pack_facts *out, hsel_error *error);
void hs_pack_facts_clear(hs_pack_facts *facts);

HSEL_CHECKED int hs_pack_read(const char *path, hsel_dataset **out, hsel_error *error);
/* Whether the summary of hs_pack_look agrees with the data. */
HSEL_CHECKED int hs_pack_verify(const char *path, hsel_error *error);

/* Called with each file that is mapped from now on, while it is still open. */
typedef void (*hs_pack_watch_function)(const char *path, int file);
void hs_pack_watch(hs_pack_watch_function watch);

#endif
