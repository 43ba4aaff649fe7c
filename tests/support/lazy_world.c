/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small random worlds for lazy selectors, and running a selector on one.
 */
#include "support/lazy_world.h"

#include <string.h>

#include "core/mem.h"
#include "data/builder.h"
#include "data/transform.h"
#include "support/cmocka.h"

uint32_t lazy_draw(hs_stream *stream, uint32_t below)
{
    return (uint32_t)hs_random_below(stream, below);
}

/* 30 % trees (of several roots), else edges of any density from 0.15 to 0.8; numbers at random. */
void lazy_draw_dag(hs_stream *stream, small_graph *graph)
{
    uint32_t place[MOST], n = 1 + lazy_draw(stream, LAZY_NODES);
    double density = 0.15 + 0.65 * hs_random_double(stream);
    bool tree = hs_random_double(stream) < 0.3;
    memset(graph, 0, sizeof *graph);
    graph->nodes = n;
    for (uint32_t v = 0; v < n; v++)
        place[v] = v;
    hs_random_shuffle(stream, place, n);
    for (uint32_t i = 1; i < n; i++) {
        if (tree && lazy_draw(stream, 6))
            graph->edge[place[i]][place[lazy_draw(stream, i)]] = true;
        for (uint32_t j = 0; j < i && !tree; j++)
            graph->edge[place[i]][place[j]] = hs_random_double(stream) < density;
    }
    from_matrix(graph);
}

/* Each feature has one of a few tables of counts. */
void lazy_draw_counts(hs_stream *stream, uint32_t classes, lazy_world *w)
{
    uint32_t kinds = (uint32_t[]){1, 2, 3, 5, 20}[lazy_draw(stream, 5)], palette[20][LAZY_CLASSES];
    w->counts = (hs_counts){w->graph.nodes, classes, 0, w->size, w->positive};
    for (uint32_t c = 0; c < classes; c++)
        w->counts.instances += w->size[c] = 1 + lazy_draw(stream, 6);
    for (uint32_t k = 0; k < kinds; k++)
        for (uint32_t c = 0; c < classes; c++)
            palette[k][c] = lazy_draw(stream, w->size[c] + 1);
    for (uint32_t f = 0; f < w->graph.nodes; f++)
        memcpy(w->positive + f * classes, palette[lazy_draw(stream, kinds)],
               classes * sizeof(uint32_t));
}

void lazy_draw_mask(hs_stream *stream, lazy_world *w)
{
    w->masked = lazy_draw(stream, 3) == 0;
    w->mask = w->masked ? hs_random_u64(stream) | hs_random_u64(stream) : ~UINT64_C(0);
    for (uint32_t f = 0; f < w->graph.nodes; f++)
        w->usable[f] = hs_bit_get(&w->mask, f);
}

void lazy_draw_instance(hs_stream *stream, lazy_world *w)
{
    uint32_t share = lazy_draw(stream, 6);
    memset(w->value, 0, sizeof w->value);
    for (uint32_t f = 0; f < w->graph.nodes; f++)
        if (lazy_draw(stream, 5) < share) {
            w->value[f] = true;
            for (uint32_t a = 0; a < w->graph.nodes; a++)
                w->value[a] |= w->graph.above[f][a];
        }
}

hsel_dataset *lazy_new_data(uint32_t features, uint32_t classes)
{
    hsel_error error = {0};
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    uint32_t id;
    assert_ok(hs_builder_new(&builder, &error), error);
    for (uint32_t f = 0; f < features; f++)
        assert_ok(hs_builder_feature(builder, &"abcdefghijkl"[f], 1, HSEL_BINARY, &id, &error),
                  error);
    for (uint32_t c = 0; c < classes; c++)
        assert_ok(hs_builder_class(builder, &"xyz"[c], 1, &id, &error), error);
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_builder_free(builder);
    return data;
}

void lazy_attach(hsel_dataset *data, hsel_dag *dag)
{
    hsel_error error = {0};
    assert_ok(hs_dataset_attach(data, dag, &error), error);
}

/* ---- running a selector ---- */

int lazy_prepare(const char *text, const hs_training *training, lazy_prepared *out,
                 hsel_error *error)
{
    *out = (lazy_prepared){0};
    int status = hs_chosen_parse(HS_SELECTOR, text, &out->chosen, error);
    if (status == HSEL_OK)
        status = out->chosen.method->selector->prepare(training, out->chosen.options, &out->state,
                                                       error);
    return status;
}

void lazy_done(lazy_prepared *p)
{
    if (p->chosen.method)
        p->chosen.method->selector->free(p->state);
    hs_chosen_clear(&p->chosen);
}

static bool refuse_memory(void *context, size_t bytes)
{
    (void)context;
    (void)bytes;
    return false;
}

int lazy_run(const lazy_prepared *p, const uint32_t *row, size_t count, hs_lazy_scratch *scratch,
             hs_selection *out, hsel_error *error)
{
    out->positive_count = out->negative_count = 77; /* whatever an earlier instance left */
    out->all_negative = true;
    const hs_selector *selector = p->chosen.method->selector;
    int status;
    if (!(p->chosen.method->flags & HS_LAZY)) { /* what an eager one keeps, parted by value */
        uint64_t mask[16] = {0};
        status = selector->select_features(p->state, mask, error);
        out->positive_count = out->negative_count = 0;
        out->all_negative = false;
        for (uint32_t f = 0, next = 0; f < 64 * 16 && status == HSEL_OK; f++) {
            bool positive = next < count && row[next] == f;
            next += positive;
            if (hs_bit_get(mask, f) && positive)
                out->positive[out->positive_count++] = f;
            else if (hs_bit_get(mask, f))
                out->negative[out->negative_count++] = f;
        }
        return status;
    }
    hs_mem_hook(refuse_memory, NULL);
    status = selector->select_for(p->state, row, count, scratch, out, error);
    hs_mem_hook(NULL, NULL);
    return status;
}

static size_t lazy_row_of(const bool *value, uint32_t features, uint32_t *row)
{
    size_t count = 0;
    for (uint32_t f = 0; f < features; f++)
        if (value[f])
            row[count++] = f;
    return count;
}

/* As a set; the lists are ascending and of the right value. */
void lazy_read(const hs_selection *s, const bool *value, const bool *usable, uint32_t features,
               bool *kept)
{
    uint32_t can_use = 0, size = 0;
    size_t positives = 0;
    memset(kept, 0, features * sizeof *kept);
    for (uint32_t i = 0; i < s->positive_count; i++) {
        assert_true(value[s->positive[i]] && (i == 0 || s->positive[i - 1] < s->positive[i]));
        kept[s->positive[i]] = true;
    }
    for (uint32_t i = 0; !s->all_negative && i < s->negative_count; i++) {
        assert_true(!value[s->negative[i]] && (i == 0 || s->negative[i - 1] < s->negative[i]));
        kept[s->negative[i]] = true;
    }
    for (uint32_t f = 0; f < features; f++) {
        if (s->all_negative && usable[f] && !value[f])
            kept[f] = true;
        can_use += usable[f];
        positives += usable[f] && value[f];
        size += kept[f];
    }
    assert_int_equal(hs_selection_size(s, can_use, positives), size);
}

hs_training lazy_training_of(const lazy_world *w, const hsel_dataset *data)
{
    hs_training training = {.view = hs_view_all(data), .counts = &w->counts, .threads = 1};
    training.view.features = w->masked ? &w->mask : NULL;
    return training;
}

void lazy_select(const lazy_prepared *p, const lazy_world *w, hs_lazy_scratch *scratch,
                 hs_selection *selection, bool *kept)
{
    hsel_error error = {0};
    uint32_t row[MOST];
    size_t count = lazy_row_of(w->value, w->graph.nodes, row);
    assert_ok(lazy_run(p, row, count, scratch, selection, &error), error);
    lazy_read(selection, w->value, w->usable, w->graph.nodes, kept);
}
