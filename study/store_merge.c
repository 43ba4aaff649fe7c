/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adding the results of another store.
 */
#include <sys/stat.h>

#include "study/store_parts.h"

extern const char hs_study_merge[]; /* merge.sql */

/* Within a transaction of the caller. */
static int merge_rows(hs_store *store, const char *other, int64_t *jobs, hsel_error *error)
{
    int64_t differ = 0;
    HS_NUMBER(&differ,
              "SELECT count(*) FROM other.fold_file o JOIN other.dataset t ON t.id = o.dataset JOIN"
              " main.dataset m USING (fingerprint) JOIN main.fold_file f ON f.dataset = m.id AND"
              " f.scheme = o.scheme WHERE f.hash <> o.hash",
              "");
    if (differ > 0)
        return hs_fail_at(error, HSEL_EUSAGE, other, 0,
                          "its fold files have other folds than those of %s", store->path);
    HS_TRY(hs_store_run(store, hs_study_merge, error));
    HS_NUMBER(jobs, "SELECT jobs FROM temp.taken", "");
    return hs_store_run(store, "DROP TABLE temp.taken", error);
}

int hs_store_merge(hs_store *store, const char *other, uint64_t *taken, hsel_error *error)
{
    /* It must be an undamaged store of this schema, and not this one. */
    struct stat mine, theirs;
    HS_OWNED char *uri = NULL;
    {
        HS_OWNS(hs_store_done) hs_store *check = NULL;
        HS_TRY(hs_store_open(other, HS_STORE_READ, false, &check, error));
        HS_NEED(uri = hs_strdup(check->uri));
    }
    if (stat(store->path, &mine) == 0 && stat(other, &theirs) == 0 &&
        mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino)
        return hs_fail_at(error, HSEL_EUSAGE, other, 0, "a store cannot be merged with itself");
    HS_TRY(hs_store_commit(store, error));
    HS_QUERY(NULL, "ATTACH ? AS other", "t", uri);
    int64_t jobs = 0;
    int status = hs_store_begin(store, error);
    if (status == HSEL_OK) {
        status = merge_rows(store, other, &jobs, error);
        status = status ? hs_store_end(store, status, error) : hs_store_commit(store, error);
    }
    *taken = (uint64_t)jobs;
    if (status == HSEL_EFORMAT) /* SQLite does not say which */
        status = hs_fail_at(error, HSEL_EFORMAT, other, 0,
                            "cannot be merged with %s: one of the two is damaged", store->path);
    sqlite3_exec(store->db, "DETACH other", NULL, NULL, NULL);
    return status;
}
