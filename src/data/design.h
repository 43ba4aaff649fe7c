/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The design of a study as far as validation must respect it: which instances belong together
 * (groups: patients, families, sites), when they were observed, and which are a fixed test set.
 * These roles are columns of the further information on instances (data/about.h), so packs,
 * subsets, subsamples and transformations keep them. Everything that splits or permutes instances
 * reads them from here.
 */
#pragma once

#include "core/progress.h"
#include "core/random.h"
#include "data/about.h"
#include "data/counts.h"

/* Names that do not occur in tables of labels by chance. */
#define HS_ABOUT_GROUP  "role:group" /* an instance without a group forms a group by itself */
#define HS_ABOUT_TIME   "role:time"
#define HS_ABOUT_TEST   "role:test"
#define HS_ABOUT_WEIGHT "role:weight" /* above 0; how much classifiers learn from an instance */

/* A finite number, or a date (2026-03, 2026-03-01 or 2026-03-01T12:30:00.5Z, where T may be a blank
 * and seconds and Z may be missing) as seconds since 1970. */
bool hs_time_parse(const char *text, double *out, bool *date);
/* 1: in the test set (test, yes, true, T, 1, 1.0), 0: not (train, no, false, F, 0, 0.0, ""), -1: no
 * such word. */
int hs_test_parse(const char *text);
/* Is a row of the data in the test set? HSEL_EUSAGE: its word is no such word. */
HSEL_CHECKED int hs_test_of(const hsel_dataset *data, uint32_t row, bool *out, hsel_error *error);

/* The weight of each instance; *out NULL: the data have none. HSEL_EUSAGE: one is missing or not a
 * finite number above 0. Free with hs_free. */
HSEL_CHECKED int hs_weights_of(const hsel_dataset *data, double **out, hsel_error *error);
HSEL_CHECKED int hs_weights_check(const hsel_dataset *data, hsel_error *error);

static inline bool hs_has_role(const hsel_dataset *data, const char *role)
{
    return hs_about_column(&data->instance_about, role) != HSEL_NONE;
}

/* The unit of each row of a view; rows of a unit must stay together. */
typedef struct hs_units { /* zero-initialise; hs_units_clear frees */
    uint32_t *of;         /* [rows]: 0 … count-1; NULL: each instance is a unit */
    uint32_t count, largest;
} hs_units;

void hs_units_clear(hs_units *units);
/* By group, in the order of their first rows. */
HSEL_CHECKED int hs_units_by_group(const hs_view *view, hs_units *out, hsel_error *error);
/* By time, ascending. HSEL_EUSAGE: the time of an instance is missing or invalid. */
HSEL_CHECKED int hs_units_by_time(const hs_view *view, hs_units *out, hsel_error *error);

/* How values are exchanged between rows under the null hypothesis that they are independent of
 * other values: without groups anywhere; with groups within each group if values differ there;
 * otherwise whole groups with groups of the same size. */
typedef struct hs_exchange { /* zero-initialise; hs_exchange_clear frees */
    hs_sparse blocks;        /* rows that move as one, in order; … */
    hs_sparse lists;         /* … blocks of each list are exchanged with each other */
    uint32_t fixed;          /* rows that cannot move */
    bool grouped, between;   /* between: whole groups are exchanged … */
    bool spans;              /* … but one is in several strata, so that its parts move apart */
} hs_exchange;

void hs_exchange_clear(hs_exchange *exchange);
/* For rows 0 … row_count - 1 of a view, within strata (NULL: one stratum). `value`: of each row, to
 * check whether it differs within groups; NULL: exchange whole groups. */
HSEL_CHECKED int hs_exchange_init(const hs_view *view, const uint32_t *stratum,
                                  const uint32_t *value, hs_exchange *out, hsel_error *error);
/* Notes how many rows cannot move; HSEL_EUSAGE if none can. `notes` may be NULL. */
HSEL_CHECKED int hs_exchange_check(const hs_exchange *exchange, const hsel_dataset *data,
                                   hs_notes *notes, hsel_error *error);
/* order[i]: the row whose value goes to row i; scratch has the same size. */
void hs_exchange_draw(const hs_exchange *exchange, hs_stream *stream, uint32_t *scratch,
                      uint32_t *order);
