/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a genetic search leaves behind: a log in JSON lines, and checkpoints. A checkpoint is
 *
 *     "hsel-ga1", checksum of the rest, identity of the run, generation, population, words of a
 * set, the sets, the notes of all generations
 *
 * in numbers of the machine. It is for going on where a run was interrupted, on the same machine
 * and with the same program; nothing in it is trusted, and values are worked out again.
 */
#include <math.h>
#include <string.h>
#include <xxhash.h>

#include "core/journal.h"
#include "core/mem.h"
#include "core/text.h"
#include "search/ga.h"

static const char magic[8] = {'h', 's', 'e', 'l', '-', 'g', 'a', '1'};

struct head {
    char magic[8];
    uint64_t checksum, identity, generation, population, words;
};

/* ---- checkpoints ---- */

int hs_ga_keep(const hs_ga *ga, hsel_error *error)
{
    if (!hs_journal_keeps(ga->training->journal))
        return HSEL_OK;
    struct head head = {.identity = ga->identity,
                        .generation = ga->generation,
                        .population = ga->settings.population,
                        .words = ga->words};
    hs_buf bytes = {0};
    memcpy(head.magic, magic, sizeof magic);
    hs_buf_add(&bytes, (const char *)&head, sizeof head);
    hs_buf_add(&bytes, (const char *)ga->now.sets,
               ga->settings.population * ga->words * sizeof(uint64_t));
    hs_buf_add(&bytes, (const char *)ga->notes, (ga->generation + 1) * sizeof *ga->notes);
    int status = bytes.failed ? hs_fail_memory(error) : HSEL_OK;
    if (status == HSEL_OK) {
        size_t after = offsetof(struct head, identity);
        uint64_t checksum = XXH3_64bits(bytes.text + after, bytes.length - after);
        memcpy(bytes.text + offsetof(struct head, checksum), &checksum, sizeof checksum);
        status = hs_journal_keep(ga->training->journal, bytes.text, bytes.length, error);
    }
    hs_buf_clear(&bytes);
    return status;
}

static bool is_whole(const char *bytes, size_t length, struct head *head)
{
    size_t after = offsetof(struct head, identity);
    if (length < sizeof *head)
        return false;
    memcpy(head, bytes, sizeof *head);
    return memcmp(head->magic, magic, sizeof magic) == 0 &&
           XXH3_64bits(bytes + after, length - after) == head->checksum;
}

/* Sets within the features that may be used, notes that are numbers. */
static bool is_sound(const hs_ga *ga)
{
    for (size_t i = 0; i < ga->settings.population * ga->words; i++)
        if (ga->now.sets[i] & ~ga->usable[i % ga->words])
            return false;
    for (uint32_t g = 0; g <= ga->generation; g++)
        if (!isfinite(ga->notes[g].best) || !isfinite(ga->notes[g].mean) ||
            !isfinite(ga->notes[g].size) || !isfinite(ga->notes[g].mean_size))
            return false;
    return true;
}

static int damaged(const hs_ga *ga, hsel_error *error)
{
    return hs_fail(error, HSEL_EFORMAT,
                   "%s is damaged or no checkpoint of ga: remove it to begin anew",
                   hs_journal_checkpoint(ga->training->journal));
}

int hs_ga_restore(hs_ga *ga, bool *found, hsel_error *error)
{
    struct head head;
    size_t length, sets = ga->settings.population * ga->words * sizeof(uint64_t);
    const char *bytes = hs_journal_kept(ga->training->journal, &length);
    *found = bytes != NULL;
    if (!bytes)
        return HSEL_OK;
    if (!is_whole(bytes, length, &head))
        return damaged(ga, error);
    if (head.identity != ga->identity || head.population != ga->settings.population ||
        head.words != ga->words)
        return hs_fail(
            error, HSEL_EUSAGE,
            "%s is of another run (data, hierarchy, options or seed differ): name another file, or "
            "remove it to begin anew",
            hs_journal_checkpoint(ga->training->journal));
    if (head.generation > ga->settings.generations)
        return hs_fail(error, HSEL_EUSAGE,
                       "%s is of generation %llu, and the run is to end with %u: raise generations",
                       hs_journal_checkpoint(ga->training->journal),
                       (unsigned long long)head.generation, ga->settings.generations);
    if (length - sizeof head != sets + (head.generation + 1) * sizeof *ga->notes)
        return damaged(ga, error);
    if (!HS_GROW(&ga->notes, &ga->note_room, (size_t)head.generation + 1))
        return hs_fail_memory(error);
    ga->generation = (uint32_t)head.generation;
    memcpy(ga->now.sets, bytes + sizeof head, sets);
    memcpy(ga->notes, bytes + sizeof head + sets, (head.generation + 1) * sizeof *ga->notes);
    return is_sound(ga) ? hs_ga_score_all(ga, error) : damaged(ga, error);
}

/* ---- the log ---- */

static void put_number(hs_buf *out, const char *key, double value)
{
    char text[40];
    hs_format_double(value, text);
    hs_buf_printf(out, ",\"%s\":%s", key, text);
}

static int put_line(const hs_ga *ga, hs_buf *line, hsel_error *error)
{
    int status = line->failed ? hs_fail_memory(error)
                              : hs_journal_line(ga->training->journal, line->text, error);
    hs_buf_clear(line);
    return status;
}

int hs_ga_log_start(const hs_ga *ga, hsel_error *error)
{
    static const char *const mutations[] = {"bitwise", "she", "cbhe"};
    const hs_ga_settings *s = &ga->settings;
    hs_buf line = {0};
    if (!hs_journal_has_log(ga->training->journal))
        return HSEL_OK;
    hs_buf_printf(&line,
                  "{\"search\":\"ga\",\"mutation\":\"%s\",\"mutate\":\"%s\",\"population\":%u,"
                  "\"generations\":%u,\"elite\":%u,\"tournament\":%u",
                  mutations[s->mutation], s->sequential ? "sequential" : "simultaneous",
                  s->population, s->generations, s->elite, s->tournament);
    put_number(&line, "crossover", s->crossover);
    put_number(&line, "sp", s->sp);
    put_number(&line, "bp", s->bp);
    hs_buf_printf(&line, ",\"seed\":%llu,\"instances\":%u,\"features\":%zu}",
                  (unsigned long long)ga->seed, ga->training->view.row_count,
                  hs_bits_count(ga->usable, ga->words));
    return put_line(ga, &line, error);
}

int hs_ga_log_note(const hs_ga *ga, uint32_t generation, hsel_error *error)
{
    const hs_ga_note *note = &ga->notes[generation];
    hs_buf line = {0};
    if (!hs_journal_has_log(ga->training->journal))
        return HSEL_OK;
    hs_buf_printf(&line, "{\"generation\":%u", generation);
    put_number(&line, "best", note->best);
    put_number(&line, "mean", note->mean);
    put_number(&line, "size", note->size);
    put_number(&line, "mean_size", note->mean_size);
    hs_buf_char(&line, '}');
    return put_line(ga, &line, error);
}

int hs_ga_log_end(const hs_ga *ga, bool converged, hsel_error *error)
{
    uint32_t best = hs_ga_best(ga);
    hs_buf line = {0};
    if (!hs_journal_has_log(ga->training->journal))
        return HSEL_OK;
    hs_buf_printf(&line, "{\"end\":\"%s\",\"generation\":%u", converged ? "converged" : "limit",
                  ga->generation);
    put_number(&line, "best", ga->now.value[best]);
    put_number(&line, "size", ga->now.size[best]);
    hs_buf_char(&line, '}');
    return put_line(ga, &line, error);
}
