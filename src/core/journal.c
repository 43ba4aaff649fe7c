/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A journal in files. The log is written line by line and flushed, so that it can be followed; a
 * checkpoint goes through the atomic writer, so that a kill leaves the one before.
 */
#define _POSIX_C_SOURCE 200809L
#include "core/core.h"

#include <sys/stat.h>
#include <xxhash.h>

#define SECONDS_BETWEEN  1.0
#define CHECKPOINT_LIMIT ((off_t)1 << 30) /* bytes */

struct hs_journal {
    char *log_path, *checkpoint_path;
    FILE *log; /* NULL until the first line */
    hs_buf kept;
    double last; /* when a checkpoint was written last */
};

static void journal_free(hs_journal *journal)
{
    if (!journal)
        return;
    HS_FREE(journal->log_path, journal->checkpoint_path);
    hs_buf_clear(&journal->kept);
    hs_free(journal);
}
HS_RELEASE(journal_release, hs_journal, journal_free)

/* The content of a file; nothing if it does not exist. */
static int read_kept(const char *path, hs_buf *kept, hsel_error *error)
{
    struct stat there;
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    if (stat(path, &there) != 0)
        return errno == ENOENT ? HSEL_OK : hs_fail_errno(error, path, "open");
    if (!S_ISREG(there.st_mode))
        return hs_fail_at(error, HSEL_EIO, path, 0, "a checkpoint must be a regular file");
    if (there.st_size > CHECKPOINT_LIMIT)
        return hs_fail_at(error, HSEL_ELIMIT, path, 0, "more than %lld bytes: not a checkpoint",
                          (long long)CHECKPOINT_LIMIT);
    HS_TRY(hs_reader_open(path, &reader, error));
    return hs_reader_all(reader, kept, error);
}

int hs_journal_open(const char *log, const char *checkpoint, hs_journal **out, hsel_error *error)
{
    HS_OWNS(journal_release) hs_journal *journal = HS_NEW_ZERO(hs_journal, 1);
    *out = NULL;
    HS_NEED(journal && (!log || (journal->log_path = hs_strdup(log))) &&
            (!checkpoint || (journal->checkpoint_path = hs_strdup(checkpoint))));
    if (checkpoint)
        HS_TRY(read_kept(checkpoint, &journal->kept, error));
    journal->last = hs_now();
    *out = hs_take(&journal);
    return HSEL_OK;
}

int hs_journal_close(hs_journal *journal, hsel_error *error)
{
    HS_OWNS(journal_release) hs_journal *own = journal;
    if (own && own->log && fclose(own->log) != 0)
        return hs_fail_errno(error, own->log_path, "write");
    return HSEL_OK;
}

int hs_journal_line(hs_journal *journal, const char *line, hsel_error *error)
{
    if (!journal || !journal->log_path)
        return HSEL_OK;
    if (!journal->log && !(journal->log = fopen(journal->log_path, "w")))
        return hs_fail_errno(error, journal->log_path, "write");
    if (fputs(line, journal->log) == EOF || fputc('\n', journal->log) == EOF ||
        fflush(journal->log) != 0)
        return hs_fail_errno(error, journal->log_path, "write");
    return HSEL_OK;
}

static bool has_checkpoint(const hs_journal *journal)
{
    return journal && journal->checkpoint_path;
}

bool hs_journal_due(const hs_journal *journal)
{
    return has_checkpoint(journal) && hs_now() - journal->last >= SECONDS_BETWEEN;
}

const char *hs_journal_checkpoint(const hs_journal *journal)
{
    return journal && journal->checkpoint_path ? journal->checkpoint_path : "the checkpoint";
}

/* ---- checkpoints ---- */

struct head {
    char of[16]; /* "hsel-" and the method */
    uint64_t checksum, identity;
};

#define SUMMED_FROM offsetof(struct head, identity)

int hs_checkpoint_keep(hs_journal *journal, const hs_checkpoint *checkpoint, hsel_error *error)
{
    struct head head = {.identity = checkpoint->identity};
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    if (!has_checkpoint(journal))
        return HSEL_OK;
    hs_print(head.of, sizeof head.of, "hsel-%s", checkpoint->method);
    HS_TRY(hs_memo_open(&memo, error));
    hs_writer_put(memo.out, &head, sizeof head);
    HS_TRY(checkpoint->fields(checkpoint->state, &(hs_transfer){.out = memo.out}, error));
    HS_TRY(hs_memo_end(&memo, error));
    const uint64_t checksum =
        XXH3_64bits(memo.text.text + SUMMED_FROM, memo.text.length - SUMMED_FROM);
    memcpy(memo.text.text + offsetof(struct head, checksum), &checksum, sizeof checksum);
    HS_OPEN(writer, journal->checkpoint_path);
    hs_writer_put(writer, memo.text.text, memo.text.length);
    journal->last = hs_now();
    return hs_writer_commit(hs_take(&writer), error);
}

int hs_checkpoint_restore(const hs_journal *journal, const hs_checkpoint *checkpoint, bool *found,
                          hsel_error *error)
{
    struct head head = {0};
    char of[sizeof head.of] = {0};
    const size_t length = journal ? journal->kept.length : 0;
    const char *bytes = length ? journal->kept.text : NULL, *file = hs_journal_checkpoint(journal);
    if (found)
        *found = length > 0;
    if (!length)
        return HSEL_OK;
    hs_print(of, sizeof of, "hsel-%s", checkpoint->method);
    memcpy(&head, bytes, length < sizeof head ? length : sizeof head);
    int status = length >= sizeof head && memcmp(head.of, of, sizeof of) == 0 &&
                         XXH3_64bits(bytes + SUMMED_FROM, length - SUMMED_FROM) == head.checksum
                     ? HSEL_OK
                     : HSEL_EFORMAT;
    if (!status && head.identity != checkpoint->identity)
        return hs_fail(
            error, HSEL_EUSAGE,
            "%s belongs to another run (%s differ): give another file, or delete it to start again",
            file, checkpoint->differs);
    hs_transfer rest = {.at = bytes + sizeof head, .left = length - sizeof head};
    status = status ? status : checkpoint->fields(checkpoint->state, &rest, error);
    return status == HSEL_EFORMAT || (!status && rest.left)
               ? hs_fail(error, HSEL_EFORMAT,
                         "%s is damaged or not a checkpoint of %s: delete it to start again", file,
                         checkpoint->method)
               : status;
}
