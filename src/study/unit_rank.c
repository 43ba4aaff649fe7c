/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The unit that ranks: every feature of the whole data set scored by the rankers that are wanted,
 * together, because many of them share a pass. One that does not fit the data or fails has a
 * message in place of scores.
 */
#include <string.h>

#include "evaluate/crossval.h"
#include "rank/rank.h"
#include "study/runner_parts.h"

struct ranked {
    double **scores; /* of all that are wanted; NULL: none */
    const char **names, **messages;
    hs_chosen *chosen; /* those that fit … */
    double **room;     /* … where their scores go … */
    size_t *place;     /* … and their places among all */
    size_t count;
    double *seconds;
};

static int ranked_new(hs_arena *arena, size_t count, struct ranked *out, hsel_error *error)
{
    *out = (struct ranked){.scores = hs_arena_zero(arena, count, sizeof *out->scores),
                           .names = hs_arena_zero(arena, count, sizeof *out->names),
                           .messages = hs_arena_zero(arena, count, sizeof *out->messages),
                           .chosen = hs_arena_zero(arena, count, sizeof *out->chosen),
                           .room = hs_arena_zero(arena, count, sizeof *out->room),
                           .place = hs_arena_zero(arena, count, sizeof *out->place),
                           .seconds = hs_arena_zero(arena, count, sizeof *out->seconds)};
    return out->scores && out->names && out->messages && out->chosen && out->room && out->place &&
                   out->seconds
               ? HSEL_OK
               : hs_fail_memory(error);
}

static int keep_message(hs_arena *arena, int status, const hsel_error *why, const char **out,
                        hsel_error *error)
{
    if (status == HSEL_ENOMEM || !(*out = hs_arena_text(arena, why->message, strlen(why->message))))
        return hs_fail_memory(error);
    return HSEL_OK;
}

/* Which of the wanted rankers fit the data, and room for what they give. */
static int choose(const hs_workload *work, const hs_unit *unit, hs_arena *arena, struct ranked *r,
                  hsel_error *error)
{
    int status = HSEL_OK;
    for (size_t i = 0; i < unit->classifier_count && status == HSEL_OK; i++) {
        const hs_chosen *ranker = &work->methods->rankers[unit->classifiers[i]];
        hsel_error why = {0};
        r->names[i] = work->study->rankers[unit->classifiers[i]].text;
        int fits = hs_check_method(work->data, ranker->method, &why);
        if (fits != HSEL_OK) {
            status = keep_message(arena, fits, &why, &r->messages[i], error);
            continue;
        }
        double *scores = hs_arena_zero(arena, work->data->features, sizeof *scores);
        if (!scores)
            return hs_fail_memory(error);
        r->room[r->count] = scores;
        r->place[r->count] = i;
        r->chosen[r->count++] = *ranker; /* borrowed: only read */
    }
    return status;
}

/* All at once; if that fails, one by one, so that a failure is laid at the right door. */
static int rank(const hs_training *training, hs_arena *arena, struct ranked *r, hsel_error *error)
{
    hsel_error why = {0};
    int status = hs_rank_features(training, r->chosen, r->count, r->room, &why);
    bool all = status == HSEL_OK;
    if (status == HSEL_ENOMEM)
        return hs_fail_memory(error);
    for (size_t i = 0; i < r->count; i++) {
        if (!all)
            status = hs_rank_features(training, &r->chosen[i], 1, &r->room[i], &why);
        if (status == HSEL_OK)
            r->scores[r->place[i]] = r->room[i];
        else if ((status = keep_message(arena, status, &why, &r->messages[r->place[i]], error)))
            return status;
    }
    return HSEL_OK;
}

int hs_unit_rank(const hs_workload *work, const hs_unit *unit, hs_unit_room *room,
                 hs_unit_result *out, hsel_error *error)
{
    struct ranked r;
    double began = hs_run_now();
    hs_training training = {.view = hs_view_all(work->data),
                            .counts = &work->whole,
                            .seed = work->study->seed,
                            .threads = 1};
    hs_arena_reset(&room->arena);
    int status = ranked_new(&room->arena, unit->classifier_count, &r, error);
    if (status == HSEL_OK)
        status = choose(work, unit, &room->arena, &r, error);
    if (status == HSEL_OK && r.count)
        status = rank(&training, &room->arena, &r, error);
    *out = (hs_unit_result){.tested = 1,
                            .classes = work->data->features,
                            .select_seconds = hs_run_now() - began,
                            .classifiers = r.names,
                            .classifier_count = unit->classifier_count,
                            .probability = (const double *const *)r.scores,
                            .classify_seconds = r.seconds,
                            .messages = r.messages};
    return status;
}
