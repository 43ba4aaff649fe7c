/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lazy selectors against the algorithms as they are written down: removal loops over ancestors and
 * descendants in random order, and for MR every root-leaf path. Small random hierarchies with few
 * different scores, so that ties abound; then larger ones against the same rules over the closure.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "data/builder.h"
#include "data/transform.h"
#include "select/lazy.h"
#include "support/cmocka.h"
#include "support/graphs.h"
#include "support/oom.h"
#include "support/random_data.h"

#define DAGS      12000
#define INSTANCES 3
#define NODES     9
#define CLASSES   3

/* ---- a small world ---- */

typedef struct world {
    small_graph graph;
    uint32_t size[CLASSES], positive[MOST * CLASSES];
    hs_counts counts;
    uint64_t mask;
    bool masked;
    bool usable[MOST], value[MOST]; /* value: of the instance */
    double score[MOST];
} world;

static uint32_t draw(hs_stream *stream, uint32_t below)
{
    return (uint32_t)hs_random_below(stream, below);
}

/* 30 % trees (of several roots), else edges of any density from 0.15 to 0.8; numbers at random. */
static void draw_dag(hs_stream *stream, small_graph *graph)
{
    uint32_t place[MOST], n = 1 + draw(stream, NODES);
    double density = 0.15 + 0.65 * hs_random_double(stream);
    bool tree = hs_random_double(stream) < 0.3;
    memset(graph, 0, sizeof *graph);
    graph->nodes = n;
    for (uint32_t v = 0; v < n; v++)
        place[v] = v;
    hs_random_shuffle(stream, place, n);
    for (uint32_t i = 1; i < n; i++) {
        if (tree && draw(stream, 6))
            graph->edge[place[i]][place[draw(stream, i)]] = true;
        for (uint32_t j = 0; j < i && !tree; j++)
            graph->edge[place[i]][place[j]] = hs_random_double(stream) < density;
    }
    from_matrix(graph);
}

/* Each feature has one of a few tables of counts. */
static void draw_counts(hs_stream *stream, uint32_t classes, world *w)
{
    uint32_t kinds = (uint32_t[]){1, 2, 3, 5, 20}[draw(stream, 5)], palette[20][CLASSES];
    w->counts = (hs_counts){w->graph.nodes, classes, 0, w->size, w->positive};
    for (uint32_t c = 0; c < classes; c++)
        w->counts.instances += w->size[c] = 1 + draw(stream, 6);
    for (uint32_t k = 0; k < kinds; k++)
        for (uint32_t c = 0; c < classes; c++)
            palette[k][c] = draw(stream, w->size[c] + 1);
    for (uint32_t f = 0; f < w->graph.nodes; f++)
        memcpy(w->positive + f * classes, palette[draw(stream, kinds)], classes * sizeof(uint32_t));
}

static void draw_mask(hs_stream *stream, world *w)
{
    w->masked = draw(stream, 3) == 0;
    w->mask = w->masked ? hs_random_u64(stream) | hs_random_u64(stream) : ~UINT64_C(0);
    for (uint32_t f = 0; f < w->graph.nodes; f++)
        w->usable[f] = hs_bit_get(&w->mask, f);
}

static void draw_instance(hs_stream *stream, world *w)
{
    uint32_t share = draw(stream, 6);
    memset(w->value, 0, sizeof w->value);
    for (uint32_t f = 0; f < w->graph.nodes; f++)
        if (draw(stream, 5) < share) {
            w->value[f] = true;
            for (uint32_t a = 0; a < w->graph.nodes; a++)
                w->value[a] |= w->graph.above[f][a];
        }
}

static hsel_dataset *new_data(uint32_t features, uint32_t classes)
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

static void attach(hsel_dataset *data, hsel_dag *dag)
{
    hsel_error error = {0};
    assert_ok(hs_dataset_attach(data, dag, &error), error);
}

/* ---- the algorithms as they are written down ---- */

typedef struct twin_context {
    const world *w;
    hs_stream *stream;
    uint32_t k;
    bool *kept;
} twin_context;

typedef void (*twin)(const twin_context *c);

static void random_order(const twin_context *c, uint32_t *order)
{
    for (uint32_t i = 0; i < c->w->graph.nodes; i++)
        order[i] = i;
    hs_random_shuffle(c->stream, order, c->w->graph.nodes);
}

static void twin_none(const twin_context *c) { memcpy(c->kept, c->w->usable, sizeof c->w->usable); }

static void keep_value(const twin_context *c, bool value)
{
    for (uint32_t f = 0; f < c->w->graph.nodes; f++)
        c->kept[f] = c->w->usable[f] && c->w->value[f] == value;
}

static void twin_all_pos(const twin_context *c) { keep_value(c, true); }
static void twin_all_neg(const twin_context *c) { keep_value(c, false); }

/* For each f: removes the ancestors of a positive, the descendants of a negative f for which
 * `removes` says so. */
static void remove_related(const twin_context *c, bool (*removes)(double of_f, double of_other))
{
    const world *w = c->w;
    uint32_t order[MOST];
    random_order(c, order);
    for (uint32_t i = 0; i < w->graph.nodes; i++)
        for (uint32_t u = 0, f = order[i]; u < w->graph.nodes; u++) {
            bool related = w->value[f] ? w->graph.above[f][u] : w->graph.above[u][f];
            if (w->usable[f] && related && removes(w->score[f], w->score[u]))
                c->kept[u] = false;
        }
}

static bool always(double of_f, double of_other) { return of_f == of_other || of_f != of_other; }
static bool less(double of_f, double of_other) { return of_other < of_f; }
static bool less_or_equal(double of_f, double of_other) { return of_other <= of_f; }

static void twin_hip(const twin_context *c)
{
    twin_none(c);
    remove_related(c, always);
}

static void drop_negative(const twin_context *c)
{
    for (uint32_t f = 0; f < c->w->graph.nodes; f++)
        c->kept[f] &= c->w->value[f];
}

static void twin_hip_plus(const twin_context *c)
{
    twin_hip(c);
    drop_negative(c);
}

static void twin_rpv(const twin_context *c)
{
    twin_none(c);
    remove_related(c, less);
    drop_negative(c);
}

static void twin_hip_mr(const twin_context *c)
{
    twin_none(c);
    remove_related(c, less_or_equal);
}

/* All but the last of the greatest go. */
static void keep_one(const twin_context *c, const uint32_t *list, size_t length)
{
    size_t best = 0;
    for (size_t i = 1; i < length; i++)
        if (c->w->score[list[i]] >= c->w->score[list[best]])
            best = i;
    for (size_t i = 0; i < length; i++)
        if (i != best)
            c->kept[list[i]] = false;
}

static void mr_on_path(const twin_context *c, const uint32_t *path, size_t length)
{
    for (size_t at = 0; at < length; at++) {
        uint32_t list[MOST];
        size_t count = 0;
        if (!c->w->usable[path[at]])
            continue;
        if (c->w->value[path[at]]) { /* root .. v */
            for (size_t i = 0; i <= at; i++)
                if (c->w->usable[path[i]])
                    list[count++] = path[i];
        } else { /* leaf .. v */
            for (size_t i = length; i-- > at;)
                if (c->w->usable[path[i]])
                    list[count++] = path[i];
        }
        keep_one(c, list, count);
    }
}

static void each_path(const twin_context *c, uint32_t *path, size_t length)
{
    const small_graph *graph = &c->w->graph;
    bool leaf = true;
    for (uint32_t v = 0; v < graph->nodes; v++)
        if (graph->edge[v][path[length - 1]]) {
            leaf = false;
            path[length] = v;
            each_path(c, path, length + 1);
        }
    if (leaf)
        mr_on_path(c, path, length);
}

static void twin_mr(const twin_context *c)
{
    const small_graph *graph = &c->w->graph;
    uint32_t path[MOST + 1];
    twin_none(c);
    for (uint32_t v = 0; v < graph->nodes; v++) {
        bool root = true;
        for (uint32_t u = 0; u < graph->nodes; u++)
            root &= !graph->edge[v][u];
        path[0] = v;
        if (root)
            each_path(c, path, 1);
    }
}

/* Takes the worst away (of equals the last) until k are left. */
static void keep_best(const twin_context *c)
{
    const double *score = c->w->score;
    for (;;) {
        uint32_t worst = HSEL_NONE, count = 0;
        for (uint32_t f = 0; f < c->w->graph.nodes; f++)
            if (c->kept[f]) {
                count++;
                if (worst == HSEL_NONE || score[f] <= score[worst])
                    worst = f;
            }
        if (c->k == 0 || count <= c->k)
            return;
        c->kept[worst] = false;
    }
}

static void twin_hnb(const twin_context *c)
{
    twin_hip_mr(c);
    keep_best(c);
}

static void twin_rnb(const twin_context *c)
{
    twin_none(c);
    keep_best(c);
}

typedef struct lazy_case {
    const char *text;
    twin twin;
    hs_lazy_measure measure;
    int variant; /* hs_smoothing, hs_lazyr_form */
    uint32_t k;
    bool by_index; /* ties fall by index */
} lazy_case;

static const lazy_case cases[] = {
    {"none", twin_none, 0, 0, 0, false},
    {"all-pos", twin_all_pos, 0, 0, 0, false},
    {"all-neg", twin_all_neg, 0, 0, 0, false},
    {"rpv", twin_rpv, HS_BY_LAZYR, HS_LAZYR_EQUATION, 0, false},
    {"rpv:lazyr=code", twin_rpv, HS_BY_LAZYR, HS_LAZYR_CODE, 0, false},
    {"rpv:measure=r", twin_rpv, HS_BY_R, HS_SMOOTHING_LAPLACE, 0, false},
    {"rpv:measure=r,smoothing=rpv", twin_rpv, HS_BY_R, HS_SMOOTHING_RPV, 0, false},
    {"rpv:measure=r,smoothing=none", twin_rpv, HS_BY_R, HS_SMOOTHING_NONE, 0, false},
    {"rpv:measure=ig", twin_rpv, HS_BY_IG, 0, 0, false},
    {"hip", twin_hip, 0, 0, 0, false},
    {"hip-plus", twin_hip_plus, 0, 0, 0, false},
    {"mr", twin_mr, HS_BY_R, HS_SMOOTHING_LAPLACE, 0, false},
    {"mr:smoothing=rpv", twin_mr, HS_BY_R, HS_SMOOTHING_RPV, 0, false},
    {"mr:smoothing=none", twin_mr, HS_BY_R, HS_SMOOTHING_NONE, 0, false},
    {"hip-mr", twin_hip_mr, HS_BY_R, HS_SMOOTHING_LAPLACE, 0, false},
    {"hip-mr:smoothing=rpv", twin_hip_mr, HS_BY_R, HS_SMOOTHING_RPV, 0, false},
    {"hnb-s", twin_hip_mr, HS_BY_R, HS_SMOOTHING_LAPLACE, 0, false},
    {"hnb", twin_hnb, HS_BY_R, HS_SMOOTHING_LAPLACE, 0, false},
    {"hnb:k=1", twin_hnb, HS_BY_R, HS_SMOOTHING_LAPLACE, 1, true},
    {"hnb:k=3", twin_hnb, HS_BY_R, HS_SMOOTHING_LAPLACE, 3, true},
    {"rnb", twin_rnb, HS_BY_R, HS_SMOOTHING_LAPLACE, 0, false},
    {"rnb:k=1", twin_rnb, HS_BY_R, HS_SMOOTHING_LAPLACE, 1, true},
    {"rnb:k=4,smoothing=rpv", twin_rnb, HS_BY_R, HS_SMOOTHING_RPV, 4, true},
};

#define CASES (sizeof cases / sizeof cases[0])

static void score_features(const lazy_case *one, world *w)
{
    for (uint32_t f = 0; f < w->graph.nodes; f++) {
        hs_cells cells = hs_cells_of(&w->counts, f, 1);
        w->score[f] = one->measure == HS_BY_IG ? hs_score_ig(&cells)
                      : one->measure == HS_BY_R
                          ? hs_score_r(&cells, (hs_smoothing)one->variant)
                          : hs_score_lazyr(&cells, true, (hs_lazyr_form)one->variant);
    }
}

/* ---- running a selector ---- */

typedef struct prepared {
    hs_chosen chosen;
    void *state;
} prepared;

static int prepare(const char *text, const hs_training *training, prepared *out, hsel_error *error)
{
    *out = (prepared){0};
    int status = hs_chosen_parse(HS_SELECTOR, text, &out->chosen, error);
    if (status == HSEL_OK)
        status = out->chosen.method->selector->prepare(training, out->chosen.options, &out->state,
                                                       error);
    return status;
}

static void done(prepared *p)
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

static int run(const prepared *p, const uint32_t *row, size_t count, hs_lazy_scratch *scratch,
               hs_selection *out, hsel_error *error)
{
    out->positive_count = out->negative_count = 77; /* whatever an earlier instance left */
    out->all_negative = true;
    hs_mem_hook(refuse_memory, NULL);
    int status = p->chosen.method->selector->select_for(p->state, row, count, scratch, out, error);
    hs_mem_hook(NULL, NULL);
    return status;
}

static size_t row_of(const bool *value, uint32_t features, uint32_t *row)
{
    size_t count = 0;
    for (uint32_t f = 0; f < features; f++)
        if (value[f])
            row[count++] = f;
    return count;
}

/* As a set; the lists are ascending and of the right value. */
static void read_selection(const hs_selection *s, const bool *value, const bool *usable,
                           uint32_t features, bool *kept)
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

static hs_training training_of(const world *w, const hsel_dataset *data)
{
    hs_training training = {.view = hs_view_all(data), .counts = &w->counts, .threads = 1};
    training.view.features = w->masked ? &w->mask : NULL;
    return training;
}

static void select_once(const prepared *p, const world *w, hs_lazy_scratch *scratch,
                        hs_selection *selection, bool *kept)
{
    hsel_error error = {0};
    uint32_t row[MOST];
    size_t count = row_of(w->value, w->graph.nodes, row);
    assert_ok(run(p, row, count, scratch, selection, &error), error);
    read_selection(selection, w->value, w->usable, w->graph.nodes, kept);
}

static void expect_same(const lazy_case *one, const world *w, const bool *found,
                        const bool *expected)
{
    for (uint32_t f = 0; f < w->graph.nodes; f++)
        if (found[f] != expected[f])
            fail_msg("%s: feature %u (value %d) is %s, should not be", one->text, f, w->value[f],
                     found[f] ? "kept" : "dropped");
}

typedef struct bench { /* what all small worlds share */
    hs_stream stream;
    hsel_dataset *data[NODES + 1][CLASSES + 1];
    hs_lazy_scratch scratch;
    hs_selection selection;
} bench;

static bench *new_bench(uint64_t number)
{
    hsel_error error = {0};
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    hs_stream_init(&b->stream, number, "lazy", 0, 0);
    assert_ok(hs_lazy_scratch_init(&b->scratch, MOST, &error), error);
    assert_ok(hs_selection_init(&b->selection, MOST, &error), error);
    for (uint32_t n = 1; n <= NODES; n++)
        for (uint32_t k = 1; k <= CLASSES; k++)
            b->data[n][k] = new_data(n, k);
    return b;
}

static void free_bench(bench *b)
{
    for (uint32_t n = 1; n <= NODES; n++)
        for (uint32_t k = 1; k <= CLASSES; k++)
            hsel_dataset_free(b->data[n][k]);
    hs_selection_clear(&b->selection);
    hs_lazy_scratch_clear(&b->scratch);
    free(b);
}

static hsel_dataset *draw_world(bench *b, world *w)
{
    uint32_t classes = draw(&b->stream, 5) ? 2 : 1 + draw(&b->stream, CLASSES);
    memset(w, 0, sizeof *w);
    draw_dag(&b->stream, &w->graph);
    draw_counts(&b->stream, classes, w);
    draw_mask(&b->stream, w);
    hsel_dataset *data = b->data[w->graph.nodes][classes];
    attach(data, dag_of(&w->graph));
    return data;
}

static void fast_forms_equal_literal_ones(void **state)
{
    (void)state;
    bench *b = new_bench(1);
    size_t kept_some = 0, dropped_some = 0;
    for (int i = 0; i < DAGS; i++) {
        world w;
        hsel_dataset *data = draw_world(b, &w);
        hs_training training = training_of(&w, data);
        if (i % 100 == 0)
            b->scratch.round =
                UINT32_MAX - (uint32_t)(i / 100 % 50); /* marks start anew on the way */
        for (size_t k = 0; k < CASES; k++) {
            hsel_error error = {0};
            prepared p;
            score_features(&cases[k], &w);
            assert_ok(prepare(cases[k].text, &training, &p, &error), error);
            for (int instance = 0; instance < INSTANCES; instance++) {
                bool found[MOST], expected[MOST] = {0};
                draw_instance(&b->stream, &w);
                select_once(&p, &w, &b->scratch, &b->selection, found);
                cases[k].twin(&(twin_context){&w, &b->stream, cases[k].k, expected});
                expect_same(&cases[k], &w, found, expected);
                for (uint32_t f = 0; f < w.graph.nodes; f++) {
                    kept_some += found[f];
                    dropped_some += !found[f];
                }
            }
            done(&p);
        }
    }
    assert_true(kept_some > 1000000 && dropped_some > 1000000);
    free_bench(b);
}

/* ---- what must not matter ---- */

/* The selection of `w` with `data`, each feature f being number[f] there. */
static void expect_selection(bench *b, const lazy_case *one, const world *w, hsel_dataset *data,
                             const uint32_t *number, const bool *expected)
{
    hsel_error error = {0};
    bool found[MOST], back[MOST];
    hs_training training = training_of(w, data);
    prepared p;
    assert_ok(prepare(one->text, &training, &p, &error), error);
    select_once(&p, w, &b->scratch, &b->selection, found);
    for (uint32_t f = 0; f < w->graph.nodes; f++)
        back[f] = found[number[f]];
    done(&p);
    expect_same(one, w, back, expected);
}

static void renumber(const world *from, const uint32_t *number, world *to)
{
    uint32_t classes = from->counts.classes, n = from->graph.nodes;
    *to = *from;
    memset(to->graph.edge, 0, sizeof to->graph.edge);
    to->counts.class_size = to->size;
    to->counts.positive = to->positive;
    to->mask = 0;
    for (uint32_t f = 0; f < n; f++) {
        uint32_t g = number[f];
        to->value[g] = from->value[f];
        if ((to->usable[g] = from->usable[f]))
            hs_bit_set(&to->mask, g);
        memcpy(to->positive + g * classes, from->positive + f * classes,
               classes * sizeof(uint32_t));
        for (uint32_t u = 0; u < n; u++)
            to->graph.edge[g][number[u]] = from->graph.edge[f][u];
    }
    from_matrix(&to->graph);
}

static void closed_reduced_and_renumbered_agree(void **state)
{
    (void)state;
    bench *b = new_bench(2);
    for (int i = 0; i < 3000; i++) {
        world w, other;
        hsel_error error = {0};
        hsel_dataset *data = draw_world(b, &w);
        hsel_dag *reduced = NULL;
        bool found[CASES][MOST];
        uint32_t same[MOST], number[MOST];
        draw_instance(&b->stream, &w);
        for (uint32_t f = 0; f < w.graph.nodes; f++)
            same[f] = number[f] = f;
        hs_random_shuffle(&b->stream, number, w.graph.nodes);
        hs_training training = training_of(&w, data);
        for (size_t k = 0; k < CASES; k++) {
            prepared p;
            assert_ok(prepare(cases[k].text, &training, &p, &error), error);
            select_once(&p, &w, &b->scratch, &b->selection, found[k]);
            done(&p);
        }
        assert_ok(hs_dag_reduce(data->dag, 1, &reduced, &error), error);
        attach(data, reduced);
        for (size_t k = 0; k < CASES; k++)
            expect_selection(b, &cases[k], &w, data, same, found[k]);
        other = w;
        memcpy(other.graph.edge, w.graph.above, sizeof w.graph.above);
        from_matrix(&other.graph);
        attach(data, dag_of(&other.graph));
        for (size_t k = 0; k < CASES; k++)
            expect_selection(b, &cases[k], &w, data, same, found[k]);
        renumber(&w, number, &other);
        attach(data, dag_of(&other.graph));
        for (size_t k = 0; k < CASES; k++)
            if (!cases[k].by_index)
                expect_selection(b, &cases[k], &other, data, number, found[k]);
    }
    free_bench(b);
}

/* ---- larger hierarchies ---- */

typedef struct large {
    const hsel_dataset *data;
    bool *above; /* [child * features + ancestor] */
    double *score;
    bool *value;
} large;

static bool above(const large *l, uint32_t v, uint32_t u)
{
    return l->above[(size_t)v * l->data->features + u];
}

static void close_upwards(const hsel_dataset *data, bool *matrix)
{
    const hsel_dag *dag = data->dag;
    for (uint32_t i = 0; i < dag->nodes; i++) {
        size_t count;
        uint32_t v = dag->order[i];
        const uint32_t *parent = hs_parents(dag, v, &count);
        for (size_t j = 0; j < count; j++) {
            matrix[(size_t)v * dag->nodes + parent[j]] = true;
            for (uint32_t u = 0; u < dag->nodes; u++)
                matrix[(size_t)v * dag->nodes + u] |= matrix[(size_t)parent[j] * dag->nodes + u];
        }
    }
}

/* The pairwise rules over the closure, all values of one kind against each other. */
static bool keeps(const large *l, const char *method, uint32_t v)
{
    bool positive = l->value[v], kept = true;
    for (uint32_t u = 0; u < l->data->features && kept; u++) {
        bool general = above(l, v, u), special = above(l, u, v); /* u against v */
        double s = l->score[u], own = l->score[v];
        if (u == v || l->value[u] != positive || !(general || special))
            continue;
        bool makes_redundant = positive ? special : general;
        if (!strcmp(method, "hip"))
            kept = !makes_redundant;
        else if (!strcmp(method, "rpv:measure=r"))
            kept = positive && !(special && s > own);
        else if (!strcmp(method, "hip-mr"))
            kept = !(makes_redundant && s >= own);
        else
            kept = makes_redundant ? s < own : s <= own;
    }
    return kept && (positive || strcmp(method, "rpv:measure=r") != 0);
}

static void larger_hierarchies(void **state)
{
    (void)state;
    static const char *const methods[] = {"hip", "rpv:measure=r", "hip-mr", "mr"};
    hsel_error error = {0};
    hs_stream stream;
    hs_stream_init(&stream, 3, "lazy", 0, 0);
    for (int round = 0; round < 6; round++) {
        hs_random_shape shape = {.instances = 20,
                                 .features = 20 + draw(&stream, 500),
                                 .classes = 2,
                                 .density = round % 2 ? 0.004 : 0.05,
                                 .parents = 0.9 + round * 0.4,
                                 .true_path = true};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        uint32_t n = data->features;
        hs_view view = hs_view_all(data);
        hs_counts counts = {0};
        hs_lazy_scratch scratch;
        hs_selection selection;
        large l = {data, calloc((size_t)n * n, sizeof(bool)), calloc(n, sizeof(double)),
                   calloc(n, sizeof(bool))};
        bool *kept = calloc(n, sizeof *kept), *usable = calloc(n, sizeof *usable);
        assert_true(l.above && l.score && l.value && kept && usable);
        memset(usable, true, n * sizeof *usable);
        close_upwards(data, l.above);
        assert_ok(hs_counts_of(&view, &counts, &error), error);
        assert_ok(hs_lazy_scratch_init(&scratch, n, &error), error);
        assert_ok(hs_selection_init(&selection, n, &error), error);
        for (uint32_t f = 0; f < n; f++) {
            hs_cells cells = hs_cells_of(&counts, f, 1);
            l.score[f] = hs_score_r(&cells, HS_SMOOTHING_LAPLACE);
        }
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
            prepared p;
            hs_training training = {.view = view, .counts = &counts, .threads = 1};
            assert_ok(prepare(methods[m], &training, &p, &error), error);
            const double *scores = p.chosen.method->selector->scores
                                       ? p.chosen.method->selector->scores(p.state)
                                       : NULL;
            assert_int_equal(scores != NULL, m > 0);
            for (uint32_t f = 0; scores && f < n; f++)
                assert_true(scores[f] == l.score[f]);
            for (uint32_t i = 0; i < data->instances; i++) {
                size_t count;
                const uint32_t *row = hs_row(data, i, &count);
                memset(l.value, 0, n * sizeof *l.value);
                for (size_t j = 0; j < count; j++)
                    l.value[row[j]] = true;
                assert_ok(run(&p, row, count, &scratch, &selection, &error), error);
                read_selection(&selection, l.value, usable, n, kept);
                for (uint32_t f = 0; f < n; f++)
                    if (kept[f] != keeps(&l, methods[m], f))
                        fail_msg("%s: feature %u of %u", methods[m], f, n);
            }
            done(&p);
        }
        hs_selection_clear(&selection);
        hs_lazy_scratch_clear(&scratch);
        hs_counts_clear(&counts);
        hsel_dataset_free(data);
        free(l.above);
        free(l.score);
        free(l.value);
        free(kept);
        free(usable);
    }
}

static void lists_are_sorted(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 4, "lazy", 0, 0);
    for (int round = 0; round < 3000; round++) {
        uint32_t items[300], other[300], count = draw(&stream, 301);
        uint64_t bits = 1 + hs_random_below(&stream, 32), sum = 0;
        for (uint32_t i = 0; i < count; i++)
            sum += items[i] = (uint32_t)(hs_random_u64(&stream) >> (64 - bits));
        hs_lazy_sort(items, other, count);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(i == 0 || items[i - 1] <= items[i]);
            sum -= items[i];
        }
        assert_int_equal(sum, 0);
    }
}

/* ---- refusals and other kinds of features ---- */

/* a <- b <- c and d alone; c is the most special. */
static hsel_dataset *chain(void)
{
    hsel_error error = {0};
    hsel_dataset *data = new_data(4, 2);
    hsel_dag *dag = NULL;
    assert_ok(hs_dag_new(4, (uint32_t[]){1, 2}, (uint32_t[]){0, 1}, 2, &dag, &error), error);
    attach(data, dag);
    return data;
}

static void bad_input(void **state)
{
    (void)state;
    static const char *const need_hierarchy[] = {"rpv",    "hip", "hip-plus", "mr",
                                                 "hip-mr", "hnb", "hnb-s"};
    hsel_error error = {0};
    hsel_dataset *flat = new_data(4, 2), *data = chain();
    uint32_t size[2] = {3, 3}, positive[8] = {1, 1, 1, 2, 0, 1, 2, 0};
    hs_counts counts = {4, 2, 6, size, positive}, no_classes = {.features = 4};
    hs_training without = {.view = hs_view_all(flat), .counts = &counts, .threads = 1};
    hs_training with = {.view = hs_view_all(data), .counts = &counts, .threads = 1};
    hs_lazy_scratch scratch;
    hs_selection selection;
    prepared p;
    assert_ok(hs_lazy_scratch_init(&scratch, 4, &error), error);
    assert_ok(hs_selection_init(&selection, 4, &error), error);
    for (size_t i = 0; i < sizeof need_hierarchy / sizeof need_hierarchy[0]; i++) {
        char message[200];
        snprintf(message, sizeof message,
                 "%s needs a hierarchy and the data set has none; give one with --hierarchy",
                 need_hierarchy[i]);
        assert_int_equal(prepare(need_hierarchy[i], &without, &p, &error), HSEL_EUSAGE);
        assert_string_equal(error.message, message);
        assert_null(p.state);
        done(&p);
        assert_true(
            hs_method_find(HS_SELECTOR, need_hierarchy[i], strlen(need_hierarchy[i]))->flags &
            HS_NEEDS_HIERARCHY);
        assert_ok(prepare(need_hierarchy[i], &with, &p, &error), error);
        assert_int_equal(run(&p, (uint32_t[]){0, 2}, 2, &scratch, &selection, &error),
                         HSEL_EFORMAT);
        assert_string_equal(error.message,
                            "c is positive but its ancestor b is not, which breaks the "
                            "true-path rule; --propagate repairs it");
        assert_ok(run(&p, (uint32_t[]){0, 1, 2}, 3, &scratch, &selection, &error), error);
        done(&p);
    }
    with.counts = &no_classes;
    assert_int_equal(prepare("mr", &with, &p, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "relevance needs classes and the data set has none");
    done(&p);
    hs_selection_clear(&selection);
    hs_lazy_scratch_clear(&scratch);
    hsel_dataset_free(flat);
    hsel_dataset_free(data);
}

/* In a <- b <- c <- e, d alone, b numeric: b is never selected, and a stays c's ancestor. */
static void features_that_are_not_binary(void **state)
{
    (void)state;
    static const struct {
        const char *text, *positive, *negative;
    } expected[] = {{"none", "ac", "*"}, {"all-pos", "ac", ""}, {"all-neg", "", "de"},
                    {"hip", "c", "de"},  {"hip-plus", "c", ""}, {"rpv", "c", ""},
                    {"mr", "c", "de"},   {"hip-mr", "c", "de"}, {"rnb:k=1", "c", ""},
                    {"rnb", "ac", "de"}, {"hnb", "c", "de"},    {"hnb:k=2", "c", "d"}};
    hsel_error error = {0};
    hsel_dataset *data = new_data(5, 2);
    hsel_dag *dag = NULL;
    uint32_t size[2] = {3, 3}, positive[10] = {3, 3, 3, 0, 0, 3, 2, 1, 1, 1};
    hs_counts counts = {5, 2, 6, size, positive};
    hs_training training = {.view = hs_view_all(data), .counts = &counts, .threads = 1};
    hs_lazy_scratch scratch;
    hs_selection selection;
    data->types[1] = HSEL_NUMERIC;
    data->numeric_count = 1; /* as hs_dataset_all_binary looks at it; there are no instances */
    assert_ok(hs_dag_new(5, (uint32_t[]){1, 2, 4}, (uint32_t[]){0, 1, 2}, 3, &dag, &error), error);
    attach(data, dag);
    assert_ok(hs_lazy_scratch_init(&scratch, 5, &error), error);
    assert_ok(hs_selection_init(&selection, 5, &error), error);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        prepared p;
        char one[8] = "", zero[8] = "";
        assert_ok(prepare(expected[i].text, &training, &p, &error), error);
        assert_ok(run(&p, (uint32_t[]){0, 2}, 2, &scratch, &selection, &error), error);
        for (uint32_t f = 0; f < selection.positive_count; f++)
            one[f] = "abcde"[selection.positive[f]];
        for (uint32_t f = 0; f < selection.negative_count; f++)
            zero[f] = "abcde"[selection.negative[f]];
        if (strcmp(one, expected[i].positive) != 0 ||
            strcmp(selection.all_negative ? "*" : zero, expected[i].negative) != 0)
            fail_msg("%s: kept %s and %s", expected[i].text, one, zero);
        done(&p);
    }
    data->numeric_count = 0;
    hs_selection_clear(&selection);
    hs_lazy_scratch_clear(&scratch);
    hsel_dataset_free(data);
}

/* ---- memory ---- */

typedef struct attempt {
    const char *text;
    const hs_training *training;
} attempt;

static int prepare_once(void *context, hsel_error *error)
{
    const attempt *a = context;
    prepared p;
    int status = prepare(a->text, a->training, &p, error);
    done(&p);
    return status;
}

static int make_scratch(void *context, hsel_error *error)
{
    hs_lazy_scratch scratch = {0};
    hs_selection selection = {0};
    (void)context;
    int status = hs_lazy_scratch_init(&scratch, 10, error);
    if (status == HSEL_OK)
        status = hs_selection_init(&selection, 10, error);
    hs_lazy_scratch_clear(&scratch);
    hs_selection_clear(&selection);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    hsel_dataset *data = chain();
    uint32_t size[2] = {3, 3}, positive[8] = {1, 1, 1, 2, 0, 1, 2, 0};
    uint64_t mask = 0xd; /* without b */
    hs_counts counts = {4, 2, 6, size, positive};
    hs_training training = {.view = hs_view_all(data), .counts = &counts, .threads = 1};
    for (int masked = 0; masked < 2; masked++) {
        training.view.features = masked ? &mask : NULL;
        for (size_t k = 0; k < CASES; k++)
            assert_true(
                hs_oom_each(cases[k].text, prepare_once, &(attempt){cases[k].text, &training}) > 1);
    }
    hs_oom_each("scratch", make_scratch, NULL);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fast_forms_equal_literal_ones),
                                       cmocka_unit_test(closed_reduced_and_renumbered_agree),
                                       cmocka_unit_test(larger_hierarchies),
                                       cmocka_unit_test(lists_are_sorted),
                                       cmocka_unit_test(bad_input),
                                       cmocka_unit_test(features_that_are_not_binary),
                                       cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
