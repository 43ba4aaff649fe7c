/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a store holds, for reports that do not know beforehand.
 */
#include <sys/stat.h>

#include "core/text.h"
#include "study/store_parts.h"

int hs_store_each_dataset(hs_store *store, const char *scheme, uint64_t seed, uint32_t repeats,
                          hs_store_name_function each, void *context, hsel_error *error)
{
    static const char sql[] = "SELECT name FROM name n WHERE EXISTS(SELECT 1 FROM unit u"
                              " JOIN text h ON h.id = u.scheme WHERE u.dataset = n.dataset AND"
                              " h.text = ? AND u.seed >= ? AND u.seed < ?)"
                              " ORDER BY n.dataset, name";
    sqlite3_stmt *row = NULL;
    int got = 0, status = hs_store_prepare(store, &row, error, sql, "tii", scheme, (int64_t)seed,
                                           (int64_t)(seed + repeats));
    while (status == HSEL_OK && (got = hs_store_step(store, row, error)) > 0) {
        const char *name = (const char *)sqlite3_column_text(row, 0);
        status = each(context, name ? name : "", error);
    }
    hs_store_release(row);
    return got < 0 ? got : status;
}

/* New jobs go to the write-ahead log first, so the newer of the two files tells. */
int hs_store_time(const hs_store *store, int64_t *seconds, hsel_error *error)
{
    struct stat about;
    hs_buf log = {0};
    if (stat(store->path, &about) != 0)
        return hs_fail_errno(error, store->path, "look at");
    *seconds = (int64_t)about.st_mtime;
    hs_buf_printf(&log, "%s-wal", store->path);
    if (log.failed)
        return hs_fail_memory(error);
    if (stat(log.text, &about) == 0 && about.st_size > 0 && (int64_t)about.st_mtime > *seconds)
        *seconds = (int64_t)about.st_mtime;
    hs_buf_clear(&log);
    return HSEL_OK;
}
