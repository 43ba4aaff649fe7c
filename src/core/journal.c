/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A journal in files. The log is written line by line and flushed, so that it can be followed; a
 * checkpoint goes through the atomic writer, so that a kill leaves the one before.
 */
#define _POSIX_C_SOURCE 200809L
#include "core/journal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/mem.h"
#include "core/progress.h"
#include "core/reader.h"
#include "core/text.h"
#include "core/writer.h"

#define SECONDS_BETWEEN  1.0
#define CHECKPOINT_LIMIT ((size_t)1 << 30) /* bytes */

struct hs_journal {
    char *log_path, *checkpoint_path;
    FILE *log; /* NULL until the first line */
    hs_buf kept;
    double last; /* when a checkpoint was written last */
};

static void journal_free(hs_journal *journal)
{
    hs_free(journal->log_path);
    hs_free(journal->checkpoint_path);
    hs_buf_clear(&journal->kept);
    hs_free(journal);
}

/* All of a file that is there; nothing if it is not. */
static int read_kept(hs_journal *journal, hsel_error *error)
{
    struct stat there;
    hs_reader *reader = NULL;
    const char *data;
    size_t length;
    if (stat(journal->checkpoint_path, &there) != 0)
        return errno == ENOENT ? HSEL_OK : hs_fail_errno(error, journal->checkpoint_path, "open");
    if (!S_ISREG(there.st_mode))
        return hs_fail_at(error, HSEL_EIO, journal->checkpoint_path, 0,
                          "a checkpoint must be a regular file");
    int status = hs_reader_open(journal->checkpoint_path, &reader, error), more = 0;
    while (status == HSEL_OK && journal->kept.length <= CHECKPOINT_LIMIT &&
           (more = hs_reader_block(reader, &data, &length, error)) > 0)
        hs_buf_add(&journal->kept, data, length);
    hs_reader_close(reader);
    if (status == HSEL_OK && journal->kept.length > CHECKPOINT_LIMIT)
        status = hs_fail_at(error, HSEL_ELIMIT, journal->checkpoint_path, 0,
                            "more than %zu bytes: this is not a checkpoint", CHECKPOINT_LIMIT);
    if (status == HSEL_OK)
        status = more < 0 ? more : journal->kept.failed ? hs_fail_memory(error) : HSEL_OK;
    return status;
}

int hs_journal_open(const char *log, const char *checkpoint, hs_journal **out, hsel_error *error)
{
    hs_journal *journal = HS_NEW_ZERO(hs_journal, 1);
    int status = HSEL_OK;
    *out = NULL;
    HS_NEED(journal);
    if ((log && !(journal->log_path = hs_strdup(log))) ||
        (checkpoint && !(journal->checkpoint_path = hs_strdup(checkpoint))))
        status = hs_fail_memory(error);
    if (status == HSEL_OK && checkpoint)
        status = read_kept(journal, error);
    journal->last = hs_now();
    if (status)
        journal_free(journal);
    else
        *out = journal;
    return status;
}

int hs_journal_close(hs_journal *journal, hsel_error *error)
{
    int status = HSEL_OK;
    if (!journal)
        return HSEL_OK;
    if (journal->log && fclose(journal->log) != 0)
        status = hs_fail_errno(error, journal->log_path, "write");
    journal_free(journal);
    return status;
}

bool hs_journal_has_log(const hs_journal *journal) { return journal && journal->log_path; }

int hs_journal_line(hs_journal *journal, const char *line, hsel_error *error)
{
    if (!hs_journal_has_log(journal))
        return HSEL_OK;
    if (!journal->log && !(journal->log = fopen(journal->log_path, "w")))
        return hs_fail_errno(error, journal->log_path, "write");
    if (fputs(line, journal->log) == EOF || fputc('\n', journal->log) == EOF ||
        fflush(journal->log) != 0)
        return hs_fail_errno(error, journal->log_path, "write");
    return HSEL_OK;
}

bool hs_journal_keeps(const hs_journal *journal) { return journal && journal->checkpoint_path; }

bool hs_journal_due(const hs_journal *journal)
{
    return hs_journal_keeps(journal) && hs_now() - journal->last >= SECONDS_BETWEEN;
}

int hs_journal_keep(hs_journal *journal, const void *bytes, size_t length, hsel_error *error)
{
    hs_writer *writer = NULL;
    if (!hs_journal_keeps(journal))
        return HSEL_OK;
    HS_TRY(hs_writer_open(journal->checkpoint_path, &writer, error));
    hs_writer_put(writer, bytes, length);
    journal->last = hs_now();
    return hs_writer_commit(writer, error);
}

const void *hs_journal_kept(const hs_journal *journal, size_t *length)
{
    *length = journal ? journal->kept.length : 0;
    return *length ? journal->kept.text : NULL;
}

const char *hs_journal_checkpoint(const hs_journal *journal)
{
    return journal && journal->checkpoint_path ? journal->checkpoint_path : "the checkpoint";
}
