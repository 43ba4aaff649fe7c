/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packs (.hsel): a whole data set with its hierarchy in one file that is mapped into memory.
 *
 * Two ways in, because a file may be damaged or made to do harm:
 *   hs_pack_look  takes microseconds whatever the size of the file. It checks the header, that the
 * sections lie in the file and fit each other, and the content of the few small sections that it
 * copies out; nothing else is touched, and no data set comes of it. For `info` and the like.
 *   hs_pack_read  also checks every checksum and every number (hs_dataset_check), in one pass as
 * fast as memory goes, and gives a data set whose arrays lie in the mapped file or, up to 64 MiB,
 * in a copy of it. The same as the format's read_data.
 *
 * A file that is changed in place while it is mapped makes what was checked untrue: wrong numbers,
 * or SIGBUS or SIGSEGV. hs_writer never does that, and a copy is safe from it. Whoever wants to
 * know asks to be told which files are mapped (hs_pack_watch), as the command does.
 */
#ifndef HS_FORMAT_PACK_H
#define HS_FORMAT_PACK_H

#include "core/names.h"
#include "data/summary.h"

typedef struct hs_pack_facts {                   /* zero-initialise; hs_pack_facts_clear frees */
    hs_summary summary;                          /* as it was when the pack was written */
    char *name, *class_attribute, *id_attribute; /* NULL: none */
    hs_names class_names;
    uint32_t *class_sizes;
    uint32_t positive_class;
    uint32_t labels, instance_labels; /* features, instances that have one */
    char *provenance;                 /* JSON text; NULL: none */
    uint64_t bytes;                   /* of the file */
    hs_names relations;               /* of the edges; empty: they are not known */
    uint32_t *relation_edges;         /* how many edges are of each */
} hs_pack_facts;

/* A plain file that starts as a pack does. Never reads from a pipe. */
bool hs_pack_is(const char *path);
HSEL_CHECKED int hs_pack_look(const char *path, hs_pack_facts *out, hsel_error *error);
void hs_pack_facts_clear(hs_pack_facts *facts);

HSEL_CHECKED int hs_pack_read(const char *path, hsel_dataset **out, hsel_error *error);
/* Does the summary that hs_pack_look gives agree with the data? */
HSEL_CHECKED int hs_pack_verify(const char *path, int threads, hsel_error *error);

/* Called with each file that is mapped from now on, while it is still open. */
typedef void (*hs_pack_watch_function)(const char *path, int file);
void hs_pack_watch(hs_pack_watch_function watch);

#endif
