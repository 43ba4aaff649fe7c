/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Taking over another store: what it has finished and this one has not, all of it or nothing. Data
 * sets are the same when their content is.
 */
#include <string.h>
#include <sys/stat.h>

#include "core/text.h"
#include "study/store_parts.h"

#define THEIRS_ARE_MINE                                                                            \
    "JOIN other.dataset t ON o.dataset = t.id JOIN main.dataset m ON m.fingerprint = "             \
    "t.fingerprint"

static const char take_datasets[] =
    "INSERT OR IGNORE INTO main.dataset(fingerprint, instances, features, classes, positive_class, "
    "class_names,"
    "  feature_names, class_of, positives, edges, depth) SELECT fingerprint, instances, features, "
    "classes, positive_class, "
    "class_names,"
    "  feature_names, class_of, positives, edges, depth FROM other.dataset ORDER BY id;"
    "INSERT OR IGNORE INTO main.name SELECT o.name, m.id FROM other.name o " THEIRS_ARE_MINE ";"
    "INSERT OR IGNORE INTO main.fold_file SELECT m.id, o.scheme, o.folds, o.hash FROM "
    "other.fold_file o " THEIRS_ARE_MINE ";"
    "INSERT OR IGNORE INTO main.study(name, text) SELECT name, text FROM other.study ORDER BY id;";

static const char count_other_folds[] =
    "SELECT count(*) FROM other.fold_file o " THEIRS_ARE_MINE
    " JOIN main.fold_file f ON f.dataset = m.id AND f.scheme = o.scheme"
    " WHERE f.hash <> o.hash";

/* Which unit there is which one here. */
static const char take_units[] =
    "INSERT OR IGNORE INTO main.text(text) SELECT text FROM other.text ORDER BY id;"
    "INSERT OR IGNORE INTO main.unit(dataset, selector, scheme, folds, seed, fold) SELECT m.id, "
    "ms.id, mh.id, o.folds, o.seed,"
    "  o.fold FROM other.unit o " THEIRS_ARE_MINE " JOIN other.text ts ON ts.id = o.selector"
    "  JOIN main.text ms ON ms.text = ts.text JOIN other.text th ON th.id = o.scheme JOIN "
    "main.text mh ON mh.text = th.text"
    "  ORDER BY o.id;"
    "CREATE TEMP TABLE pair(theirs INTEGER PRIMARY KEY, mine INTEGER NOT NULL);"
    "INSERT INTO temp.pair SELECT o.id, u.id FROM other.unit o " THEIRS_ARE_MINE
    " JOIN other.text ts ON ts.id = o.selector"
    "  JOIN main.text ms ON ms.text = ts.text JOIN other.text th ON th.id = o.scheme JOIN "
    "main.text mh ON mh.text = th.text"
    "  JOIN main.unit u ON u.dataset = m.id AND u.selector = ms.id AND u.scheme = mh.id AND "
    "u.folds = o.folds AND"
    "  u.seed = o.seed AND u.fold = o.fold;"
    "UPDATE main.unit SET seconds = o.seconds, tested = o.tested, instances = o.instances, "
    "selected = o.selected, frequency = o.frequency"
    "  FROM temp.pair p JOIN other.unit o ON o.id = p.theirs WHERE p.mine = unit.id AND "
    "unit.instances IS NULL;";

/* Failed jobs make way for finished ones. */
static const char take_jobs[] =
    "DELETE FROM main.job WHERE ok = 0 AND EXISTS(SELECT 1 FROM temp.pair p JOIN other.job o ON "
    "o.unit = p.theirs"
    "  JOIN other.text tc ON tc.id = o.classifier JOIN main.text mc ON mc.text = tc.text"
    "  WHERE p.mine = job.unit AND mc.id = job.classifier AND o.ok = 1);"
    "INSERT OR IGNORE INTO main.job(unit, classifier, ok, seconds, message, probability, score) "
    "SELECT p.mine, mc.id, o.ok, o.seconds, o.message, o.probability, o.score FROM other.job o"
    "  JOIN temp.pair p ON p.theirs = o.unit JOIN other.text tc ON tc.id = o.classifier"
    "  JOIN main.text mc ON mc.text = tc.text ORDER BY o.unit;";

/* Likewise rankings. */
static const char take_rankings[] =
    "INSERT INTO main.ranking(dataset, ranker, message, scores) SELECT m.id, mr.id, o.message, "
    "o.scores FROM other.ranking o " THEIRS_ARE_MINE " JOIN other.text tr ON tr.id = o.ranker"
    "  JOIN main.text mr ON mr.text = tr.text WHERE true ORDER BY o.id"
    "  ON CONFLICT(dataset, ranker) DO UPDATE SET message = NULL, scores = excluded.scores"
    "  WHERE scores IS NULL AND excluded.scores IS NOT NULL;";

/* Is it a store of this schema, and another one? */
static int check_other(hs_store *store, const char *other, hsel_error *error)
{
    struct stat mine, theirs;
    hs_store *check = NULL;
    int status = hs_store_open(other, HS_STORE_READ, false, &check, error);
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
    int status = check_other(store, other, error);
    if (status == HSEL_OK)
        status = hs_store_commit(store, error);
    if (status == HSEL_OK)
        status = hs_store_prepare(store, &statement, error, "ATTACH ? AS other", "t", other);
    if (status == HSEL_OK)
        status = hs_store_finish(store, statement, error);
    if (status)
        return status;
    status = take_all(store, other, taken, error);
    if (status == HSEL_EFORMAT) /* SQLite does not say which of the two */
        status = hs_fail_at(error, HSEL_EFORMAT, other, 0,
                            "cannot be merged with %s: one of the two is damaged", store->path);
    sqlite3_exec(store->db, "DROP TABLE IF EXISTS temp.pair; DETACH other", NULL, NULL, NULL);
    return status;
}
