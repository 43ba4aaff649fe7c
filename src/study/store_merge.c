/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Taking over another store: what it has finished and this one has not, all of it or nothing. Data
 * sets are the same when their content is.
 */
#include <string.h>
#include <sys/stat.h>

#include "core/mem.h"
#include "core/text.h"
#include "study/store_parts.h"

#define THEIRS_ARE_MINE                                                                            \
    "JOIN other.dataset t ON o.dataset = t.id JOIN main.dataset m ON m.fingerprint = "             \
    "t.fingerprint"

/* Rows as they come in, numbered on from ours, with their checksums. */
#define TAKE(table, columns, rows)                                                                 \
    "INSERT OR IGNORE INTO main." table "(" columns ", sum) SELECT *, checksum(" columns           \
    ") FROM (" rows ");"
#define NUMBERED(table)                                                                            \
    "(SELECT ifnull(max(id), 0) FROM main." table ") + row_number() OVER (ORDER BY o.id)"

static const char take_datasets[] = TAKE(
    "dataset", HS_DATASET_COLUMNS,
    "SELECT " NUMBERED(
        "dataset") " AS id, fingerprint, instances, features, classes,"
                   " positive_class, class_names, feature_names, class_of, positives, edges, depth"
                   " FROM other.dataset o")
    TAKE("name", HS_NAME_COLUMNS,
         "SELECT o.name AS name, m.id AS dataset FROM other.name o " THEIRS_ARE_MINE)
        TAKE("fold_file", HS_FOLD_FILE_COLUMNS,
             "SELECT m.id AS dataset, o.scheme AS scheme, o.folds AS folds, o.hash AS hash"
             " FROM other.fold_file o " THEIRS_ARE_MINE)
            TAKE("study", HS_STUDY_COLUMNS,
                 "SELECT " NUMBERED("study") " AS id, name, text, scheme FROM other.study o");

static const char count_other_folds[] =
    "SELECT count(*) FROM other.fold_file o " THEIRS_ARE_MINE
    " JOIN main.fold_file f ON f.dataset = m.id AND f.scheme = o.scheme"
    " WHERE f.hash <> o.hash";

/* Which unit there is which one here, and whether it is here already with a selection. */
#define IN_MY_WORDS                                                                                \
    " JOIN other.text ts ON ts.id = o.selector JOIN main.text ms ON ms.text = ts.text"             \
    " JOIN other.text th ON th.id = o.scheme JOIN main.text mh ON mh.text = th.text"

static const char take_units[] = TAKE(
    "text", HS_TEXT_COLUMNS,
    "SELECT " NUMBERED(
        "text") " AS id, text FROM other.text o") "CREATE TEMP TABLE pair(theirs INTEGER PRIMARY "
                                                  "KEY, mine INTEGER NOT NULL, whole INTEGER);"
                                                  "INSERT INTO temp.pair SELECT o.id, "
                                                  "ifnull(u.id, " NUMBERED(
                                                      "unit") "),"
                                                              "  u.instances IS NOT NULL FROM "
                                                              "other.unit o " THEIRS_ARE_MINE
                                                                  IN_MY_WORDS
                                                              "  LEFT JOIN main.unit u ON "
                                                              "u.dataset = m.id AND u.selector = "
                                                              "ms.id AND u.scheme = mh.id AND"
                                                              "  u.folds = o.folds AND u.seed = "
                                                              "o.seed AND u.fold = o.fold;"
                                                              "INSERT OR REPLACE INTO "
                                                              "main.unit(" HS_UNIT_COLUMNS
                                                              ", sum) SELECT *, "
                                                              "checksum(" HS_UNIT_COLUMNS
                                                              ") FROM (SELECT p.mine AS id, m.id "
                                                              "AS dataset, ms.id AS selector,"
                                                              "  mh.id AS scheme, o.folds AS "
                                                              "folds, o.seed AS seed, o.fold AS "
                                                              "fold, o.seconds AS seconds,"
                                                              "  o.tested AS tested, o.instances "
                                                              "AS instances, o.selected AS "
                                                              "selected,"
                                                              "  o.frequency AS frequency FROM "
                                                              "temp.pair p JOIN other.unit o ON "
                                                              "o.id = p.theirs " THEIRS_ARE_MINE
                                                                  IN_MY_WORDS
                                                              " WHERE NOT p.whole);";

/* Failed jobs make way for finished ones. */
static const char take_jobs[] =
    "DELETE FROM main.job WHERE ok = 0 AND EXISTS(SELECT 1 FROM temp.pair p JOIN other.job o ON "
    "o.unit = p.theirs"
    "  JOIN other.text tc ON tc.id = o.classifier JOIN main.text mc ON mc.text = tc.text"
    "  WHERE p.mine = job.unit AND mc.id = job.classifier AND o.ok = 1);" TAKE(
        "job", HS_JOB_COLUMNS,
        "SELECT p.mine AS unit, mc.id AS classifier, o.ok AS ok, o.seconds AS seconds,"
        " o.message AS message, o.probability AS probability, o.score AS score FROM other.job o"
        " JOIN temp.pair p ON p.theirs = o.unit JOIN other.text tc ON tc.id = o.classifier"
        " JOIN main.text mc ON mc.text = tc.text ORDER BY o.unit");

/* Likewise rankings. */
static const char take_rankings[] =
    "DELETE FROM main.ranking WHERE scores IS NULL AND EXISTS(SELECT 1 FROM other.ranking "
    "o " THEIRS_ARE_MINE " JOIN other.text tr ON tr.id = o.ranker JOIN main.text mr ON mr.text ="
    " tr.text WHERE m.id = ranking.dataset AND mr.id = ranking.ranker AND o.scores IS NOT "
    "NULL);" TAKE("ranking", HS_RANKING_COLUMNS,
                  "SELECT " NUMBERED("ranking") " AS id, m.id AS dataset, mr.id AS ranker,"
                                                " o.message AS message, o.scores AS scores FROM "
                                                "other.ranking o " THEIRS_ARE_MINE
                                                " JOIN other.text tr ON tr.id = o.ranker JOIN "
                                                "main.text mr ON mr.text = tr.text");

/* Is it a whole store of this schema, and another one? *uri: under which it can be opened; it is
 * yours (hs_free). */
static int check_other(hs_store *store, const char *other, char **uri, hsel_error *error)
{
    struct stat mine, theirs;
    hs_store *check = NULL;
    int status = hs_store_open(other, HS_STORE_READ, false, &check, error);
    if (status == HSEL_OK && !(*uri = hs_strdup(check->uri)))
        status = hs_fail_memory(error);
    hs_store_close(check);
    if (status == HSEL_OK && stat(store->path, &mine) == 0 && stat(other, &theirs) == 0 &&
        mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino)
        status = hs_fail_at(error, HSEL_EUSAGE, other, 0, "a store cannot be merged with itself");
    return status;
}

static int take_all(hs_store *store, const char *other, uint64_t *taken, hsel_error *error)
{
    int64_t differ = 0;
    int status = hs_store_begin(store, error);
    if (status)
        return status;
    status = hs_store_run(store, take_datasets, error);
    if (status == HSEL_OK)
        status = hs_store_number(store, count_other_folds, 0, &differ, error);
    if (status == HSEL_OK && differ > 0)
        status = hs_fail_at(error, HSEL_EUSAGE, other, 0,
                            "its fold files had other folds than those of %s", store->path);
    if (status == HSEL_OK)
        status = hs_store_run(store, take_units, error);
    if (status == HSEL_OK)
        status = hs_store_run(store, take_rankings, error);
    if (status == HSEL_OK)
        status = hs_store_run(store, "CREATE INDEX temp.pair_mine ON pair(mine)", error);
    if (status == HSEL_OK)
        status = hs_store_run(store, take_jobs, error);
    if (status == HSEL_OK)
        *taken = (uint64_t)sqlite3_changes64(store->db); /* of the last statement: jobs */
    return hs_store_end(store, status, error);
}

int hs_store_merge(hs_store *store, const char *other, uint64_t *taken, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    char *uri = NULL;
    int status = check_other(store, other, &uri, error);
    if (status == HSEL_OK)
        status = hs_store_commit(store, error);
    if (status == HSEL_OK)
        status = hs_store_prepare(store, &statement, error, "ATTACH ? AS other", "t", uri);
    if (status == HSEL_OK)
        status = hs_store_finish(store, statement, error);
    hs_free(uri);
    if (status)
        return status;
    status = take_all(store, other, taken, error);
    if (status == HSEL_EFORMAT) /* SQLite does not say which of the two */
        status = hs_fail_at(error, HSEL_EFORMAT, other, 0,
                            "cannot be merged with %s: one of the two is damaged", store->path);
    sqlite3_exec(store->db, "DROP TABLE IF EXISTS temp.pair; DETACH other", NULL, NULL, NULL);
    return status;
}
