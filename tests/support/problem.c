/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random training situations. Everything comes from the caller's stream.
 */
#include "support/problem.h"

#include <math.h>
#include <string.h>

#include "support/cmocka.h"

static bool chance(hs_stream *stream, double p) { return hs_random_double(stream) < p; }

static void read_cells(hs_problem *p)
{
    double room[PROBLEM_MOST];
    for (uint32_t i = 0; i < p->data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(p->data, i, &count);
        for (size_t j = 0; j < count; j++)
            p->cell[i][row[j]] = true;
    }
    for (uint32_t f = 0; f < p->features; f++) {
        const double *column = hs_dataset_numeric(p->data, f, room);
        for (uint32_t i = 0; i < p->data->instances; i++)
            p->value[i][f] = isfinite(column[i]) ? column[i] : (double)NAN;
    }
}

/* Parents, then whatever is above an ancestor, until nothing is new. */
static void read_hierarchy(hs_problem *p)
{
    for (uint32_t f = 0; f < p->features; f++) {
        size_t count;
        const uint32_t *parents = hs_parents(p->data->dag, f, &count);
        for (size_t i = 0; i < count; i++)
            p->edge[f][parents[i]] = p->above[f][parents[i]] = true;
    }
    for (uint32_t k = 0; k < p->features; k++)
        for (uint32_t i = 0; i < p->features; i++)
            for (uint32_t j = 0; j < p->features; j++)
                p->above[i][j] = p->above[i][j] || (p->above[i][k] && p->above[k][j]);
}

static void draw_rows(hs_problem *p, hs_stream *stream, const hs_problem_chances *chances)
{
    for (uint32_t i = 0; i < p->data->instances; i++) {
        if (chance(stream, chances->trained))
            p->rows[p->row_count++] = i;
        if (chances->twice > 0 && chance(stream, chances->twice))
            p->rows[p->row_count++] = i;
    }
    hs_random_shuffle(stream, p->rows, p->row_count);
}

static void draw_mask(hs_problem *p, hs_stream *stream, const hs_problem_chances *chances)
{
    p->has_mask = chance(stream, chances->masked);
    for (uint32_t f = 0; f < p->features; f++)
        if ((p->use[f] = !p->has_mask || chance(stream, chances->used)))
            hs_bit_set(p->mask, f);
}

void hs_problem_new(hs_problem *p, hs_stream *stream, hsel_dataset *data,
                    const hs_problem_chances *chances)
{
    hsel_error error = {0};
    assert_true(data->instances <= PROBLEM_MOST && data->features <= PROBLEM_MOST);
    memset(p, 0, sizeof *p);
    p->data = data;
    p->features = data->features;
    p->classes = data->class_names.count;
    read_cells(p);
    if (data->dag)
        read_hierarchy(p);
    draw_rows(p, stream, chances);
    draw_mask(p, stream, chances);
    hs_view view = {.data = data, .rows = p->rows, .row_count = p->row_count};
    assert_ok(hs_counts_of(&view, &p->counts, &error), error);
    view.features = p->has_mask ? p->mask : NULL;
    p->training = (hs_training){.view = view, .counts = &p->counts, .threads = 1};
}

void hs_problem_free(hs_problem *p)
{
    hs_counts_clear(&p->counts);
    hsel_dataset_free(p->data);
}

void hs_picked_init(hs_picked *c, const hs_problem *p)
{
    hsel_error error = {0};
    *c = (hs_picked){0};
    assert_ok(hs_selection_init(&c->selection, p->features, &error), error);
}

void hs_picked_clear(hs_picked *c) { hs_selection_clear(&c->selection); }

const hs_selection *hs_pick(hs_picked *c, const hs_problem *p, uint32_t instance, double all,
                            hs_stream *stream)
{
    hs_selection *s = &c->selection;
    double density = hs_random_double(stream) * 1.2 - 0.1; /* now and then nothing, or all */
    s->positive_count = s->negative_count = 0;
    s->all_negative = chance(stream, 0.3);
    c->all = chance(stream, all);
    for (uint32_t f = 0; f < p->features; f++) {
        bool positive = p->cell[instance][f];
        bool wanted = c->all || (s->all_negative && !positive) || chance(stream, density);
        c->selected[f] = p->use[f] && wanted;
        if (c->selected[f] && positive)
            s->positive[s->positive_count++] = f;
        else if (c->selected[f] && !s->all_negative)
            s->negative[s->negative_count++] = f;
    }
    return c->all ? NULL : s;
}
