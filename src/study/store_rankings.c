/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scores of rankers in the store: a row a data set and ranker, doubles as they lie in memory. What
 * is read is checked against the number of features.
 */
#include <string.h>

#include "core/mem.h"
#include "study/store_parts.h"

/* The row of a ranking, with these columns; released by the caller. 1, 0: there is none, negative.
 */
static int find(hs_store *store, int64_t dataset, const char *ranker, sqlite3_stmt **row,
                hsel_error *error)
{
    static const char sql[] =
        "SELECT scores, message FROM ranking WHERE dataset = ? AND ranker = ?";
    int64_t word;
    *row = NULL;
    int status = hs_store_text(store, ranker, false, &word, error);
    if (status == HSEL_OK)
        status = hs_store_prepare(store, row, error, sql, "ii", dataset, word);
    return status ? status : hs_store_step(store, *row, error);
}

static hs_job_state state_of(sqlite3_stmt *row)
{
    return sqlite3_column_type(row, 0) == SQLITE_NULL ? HS_JOB_FAILED : HS_JOB_OK;
}

int hs_store_rankings(hs_store *store, int64_t dataset, const char *const *rankers, size_t count,
                      hs_job_state *out, hsel_error *error)
{
    int got = 0;
    for (size_t i = 0; i < count && got >= 0; i++) {
        sqlite3_stmt *row;
        got = find(store, dataset, rankers[i], &row, error);
        out[i] = got > 0 ? state_of(row) : HS_JOB_NONE;
        hs_store_release(row);
    }
    return got < 0 ? got : HSEL_OK;
}

static int put_one(hs_store *store, int64_t dataset, uint32_t features, const char *ranker,
                   const double *scores, const char *message, hsel_error *error)
{
    static const char sql[] = HS_STORE_PUT("ranking", HS_RANKING_COLUMNS, "?1,?2,?3,?4,?5");
    sqlite3_stmt *statement = NULL;
    int64_t word, id;
    int status = hs_store_text(store, ranker, true, &word, error);
    if (status == HSEL_OK)
        status = hs_store_number(store, HS_STORE_NEXT("ranking"), 1, &id, error);
    if (status == HSEL_OK)
        status = hs_store_prepare(store, &statement, error, sql, "iiitb", id, dataset, word,
                                  scores    ? NULL
                                  : message ? message
                                            : "failed",
                                  scores, features * sizeof *scores);
    return status ? status : hs_store_finish(store, statement, error);
}

int hs_store_put_rankings(hs_store *store, int64_t dataset, uint32_t features,
                          const char *const *rankers, size_t count, const double *const *scores,
                          const char *const *messages, hsel_error *error)
{
    int status = hs_store_open_group(store, error);
    if (status)
        return status;
    for (size_t i = 0; i < count && status == HSEL_OK; i++)
        status = put_one(store, dataset, features, rankers[i], scores[i], messages[i], error);
    return hs_store_close_group(store, status, error);
}

static int read_row(hs_store *store, sqlite3_stmt *row, uint32_t features, double *scores,
                    hs_job_state *state, char **message, hsel_error *error)
{
    *state = state_of(row);
    if (*state == HS_JOB_FAILED) {
        const char *text = (const char *)sqlite3_column_text(row, 1);
        *message = hs_strdup(text ? text : "failed");
        return *message ? HSEL_OK : hs_fail_memory(error);
    }
    const void *bytes = sqlite3_column_blob(row, 0);
    size_t length = (size_t)sqlite3_column_bytes(row, 0);
    if (length != features * sizeof *scores)
        return hs_store_damaged(store, "the scores of a ranker are cut off", error);
    if (length && !bytes)
        return hs_fail_memory(error);
    if (length)
        memcpy(scores, bytes, length);
    return HSEL_OK;
}

int hs_store_get_ranking(hs_store *store, int64_t dataset, const char *ranker, uint32_t features,
                         double *scores, hs_job_state *state, char **message, hsel_error *error)
{
    sqlite3_stmt *row;
    *state = HS_JOB_NONE;
    *message = NULL;
    int got = find(store, dataset, ranker, &row, error);
    int status = got < 0    ? got
                 : got == 0 ? HSEL_OK
                            : read_row(store, row, features, scores, state, message, error);
    hs_store_release(row);
    return status;
}
