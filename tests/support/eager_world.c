/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random training parts, and running a selector on one.
 */
#include "support/eager_world.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "select/select.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"

static uint32_t draw(hs_stream *stream, uint32_t below)
{
    return (uint32_t)hs_random_below(stream, below);
}

static void draw_view(hs_stream *stream, hs_world *w)
{
    hs_view *view = &w->training.view;
    *view = hs_view_all(w->data);
    if (draw(stream, 2)) {
        for (uint32_t i = 0; i < w->data->instances; i++)
            w->row[i] = i;
        hs_random_shuffle(stream, w->row, w->data->instances);
        view->rows = w->row;
        view->row_count = draw(stream, w->data->instances + 1);
    }
    w->mask = ~UINT64_C(0);
    if (draw(stream, 4) == 0) {
        w->mask = hs_random_u64(stream) | hs_random_u64(stream);
        view->features = &w->mask;
    }
}

/* Entries one by one, from the lists of the data set. */
static void read_view(hs_world *w)
{
    const hs_view *view = &w->training.view;
    for (uint32_t f = 0; f < w->data->features; f++)
        if (hs_bit_get(&w->mask, f))
            w->feature[w->candidates++] = f;
    for (uint32_t i = 0; i < view->row_count; i++) {
        size_t count;
        uint32_t row = view->rows ? view->rows[i] : i;
        const uint32_t *positive = hs_row(w->data, row, &count);
        w->label[i] = w->data->class_of[row];
        for (size_t j = 0; j < count; j++)
            for (uint32_t c = 0; c < w->candidates; c++)
                w->x[i][c] |= positive[j] == w->feature[c];
    }
    w->rows = view->row_count;
}

void hs_world_draw(hs_stream *stream, bool hierarchy, hs_world *w)
{
    hsel_error error = {0};
    memset(w, 0, sizeof *w);
    hs_random_shape shape = {
        .instances = 1 + draw(stream, draw(stream, 3) ? 20 : WORLD_ROWS),
        .features = 1 + draw(stream, draw(stream, 3) ? 9 : WORLD_FEATURES),
        .classes = 2 + draw(stream, 2),
        .density = (double[]){0.05, 0.2, 0.5, 0.8}[draw(stream, 4)],
        .parents = hierarchy ? 0.3 + 1.5 * hs_random_double(stream) : 0,
        .true_path = true,
        .unlabelled = draw(stream, 4) ? 0 : 0.3,
    };
    w->data = hs_random_dataset(stream, &shape);
    w->classes = shape.classes;
    draw_view(stream, w);
    read_view(w);
    assert_ok(hs_counts_of(&w->training.view, &w->counts, &error), error);
    w->training.counts = &w->counts;
    w->training.threads =
        draw(stream, 25) ? 1 : 2; /* starting threads takes longer than the work */
}

void hs_world_drop_unlabelled(hs_world *w)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->rows; i++)
        if (w->label[i] != HSEL_NONE) {
            memmove(w->x[kept], w->x[i], sizeof w->x[i]);
            w->label[kept++] = w->label[i];
        }
    w->rows = kept;
}

void hs_world_free(hs_world *w)
{
    hsel_dataset_free(w->data);
    hs_counts_clear(&w->counts);
}

static int run(const hs_world *w, const hs_chosen *chosen, uint64_t *mask, double *score,
               hsel_error *error)
{
    const hs_selector *selector = chosen->method->selector;
    void *state = NULL;
    int status = selector->prepare(&w->training, chosen->options, &state, error);
    if (status)
        return status;
    status = selector->select_features(state, mask, error);
    if (score && selector->scores && status == HSEL_OK)
        memcpy(score, selector->scores(state), w->data->features * sizeof *score);
    selector->free(state);
    return status;
}

void hs_world_select(const hs_world *w, const char *text, bool *keep, double *score)
{
    hsel_error error = {0};
    hs_chosen chosen = {0};
    uint64_t mask = 0;
    double all[WORLD_FEATURES] = {0};
    assert_ok(hs_chosen_parse(HS_SELECTOR, text, &chosen, &error), error);
    assert_false(chosen.method->flags & HS_LAZY);
    assert_ok(run(w, &chosen, &mask, all, &error), error);
    hs_chosen_clear(&chosen);
    for (uint32_t c = 0; c < w->candidates; c++) {
        keep[c] = hs_bit_get(&mask, w->feature[c]);
        if (score)
            score[c] = all[w->feature[c]];
    }
    if (mask & ~w->mask)
        fail_msg("%s: kept a feature outside the mask", text);
    if (mask >> w->data->features)
        fail_msg("%s: kept a feature that does not exist", text);
}

struct trial {
    const hs_world *world;
    const hs_chosen *chosen;
};

static int try(void *context, hsel_error *error)
{
    const struct trial *trial = context;
    uint64_t mask = 0;
    return run(trial->world, trial->chosen, &mask, NULL, error);
}

void hs_world_oom(const hs_world *w, const char *text)
{
    hsel_error error = {0};
    hs_chosen chosen = {0};
    assert_ok(hs_chosen_parse(HS_SELECTOR, text, &chosen, &error), error);
    assert_true(hs_oom_each(text, try, &(struct trial){w, &chosen}) > 0);
    hs_chosen_clear(&chosen);
}

bool hs_isolated_constant(const hs_view *view, uint32_t feature)
{
    const hsel_dag *dag = view->data->dag;
    size_t children;
    hs_children(dag, feature, &children);
    bool constant = !children && dag->parent_start[feature] == dag->parent_start[feature + 1];
    for (uint32_t i = 0; i < view->row_count; i++)
        for (uint32_t j = 0; j < i; j++) {
            const uint32_t a = hs_view_row(view, i), b = hs_view_row(view, j);
            double x = hs_dataset_value(view->data, feature, a),
                   y = hs_dataset_value(view->data, feature, b);
            constant &= !hs_has_label(view->data, a) || !hs_has_label(view->data, b) || isnan(x) ||
                        isnan(y) || x == y;
        }
    return constant;
}
