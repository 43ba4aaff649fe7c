/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * boruta: all features that are more important to a forest than chance.
 *
 *     run: a forest on the features not rejected so far and a shadow of each, its values shuffled
 *     z  = importance by permutation: mean over trees / its standard error
 *     hit of f: z of f is above that of the best shadow
 *     confirmed: hits are more than half of the runs by a one-sided binomial test, p < alpha after
 *     Bonferroni over all features; rejected: fewer than half; else tentative, after `runs` runs
 *
 * Kursa and Rudnicki (2010), as in their package: hits of confirmed features are still counted;
 * shadows are doubled until there are five. Confirmed features are kept, tentative ones reported in
 * a note. The forest is Breiman's, like theirs: Gini's index (of numbers the variance), the root of
 * the number of columns tried at a node, and a leaf if none of these has a gain. To try
 * further columns instead (`forest:retry`), like WEKA, would raise the best shadow once most
 * features are rejected, and hide features.
 *
 * shadows=independent shuffles each feature on its own, which breaks the true-path rule, so a
 * forest may tell shadows from real features. shadows=lineage shuffles the features of each
 * connected part of the hierarchy in the same way, so that shadows keep the rule.
 *
 * A run takes a forest on twice the features not rejected; these are copied with their shadows,
 * O(positive values). The same result with any number of threads, which grow the trees.
 */
#define MATHLIB_STANDALONE
#include "search/boruta.h"

#include <Rmath.h>

#include "classify/tree.h"
#include "select/eager.h"

struct options {
    uint32_t runs, trees;
    double alpha;
    int shadows;
};
enum shadows { INDEPENDENT, LINEAGE };

static const hs_option table[] = {
    HS_OPTION(struct options, runs, "runs", "N", "100", 1, 100000, "maximum number of runs"),
    HS_OPTION(struct options, trees, "trees", "N", "500", 2, 100000, "trees of each forest"),
    HS_OPTION(struct options, alpha, "alpha", "P", "0.01", 0, 1,
              "level of the tests that confirm or reject a feature"),
    HS_CHOICE(struct options, shadows, "shadows", "independent|lineage", "independent",
              "shuffle values feature by feature, or in the same way in each connected part of the "
              "hierarchy, so that shadows satisfy the true-path rule"),
    HS_OPTION_END};

struct search {
    const hs_candidates *candidates;
    const struct options *options;
    hs_chosen forest;
    uint32_t *rows, row_count; /* with a class */
    uint32_t *position;        /* [instances]: among these, or HSEL_NONE */
    uint32_t *part;            /* [candidates]: of the hierarchy, by its lowest candidate */
    hs_boruta state;           /* of the candidates */
    uint32_t *column;          /* [HS_BORUTA_COLUMNS(candidates)]: candidates of a run */
    double *z;
    hs_exchange exchange;     /* of rows; of groups, if there are any */
    uint32_t *mixed;          /* [rows] */
    hs_about about;           /* of the rows, if there are groups */
    hs_arena memory, scratch; /* scratch: of one run */
};

static void boruta_search_clear(struct search *s)
{
    hs_chosen_clear(&s->forest);
    hs_free(s->rows);
    hs_exchange_clear(&s->exchange);
    hs_about_clear(&s->about);
    hs_arena_clear(&s->memory);
    hs_arena_clear(&s->scratch);
}

/* ---- the data of a run ---- */

/* A random order of the rows: of one shadow, or of all shadows of a part of the hierarchy. */
static void shuffle_rows(const struct search *s, uint32_t run, uint32_t shadow, uint32_t *order)
{
    const bool alike = s->options->shadows == LINEAGE;
    hs_stream stream;
    hs_stream_init(&stream, s->candidates->training->seed, "boruta shadow", run,
                   alike ? s->part[s->column[shadow]] : shadow);
    hs_exchange_draw(&s->exchange, &stream, s->mixed, order);
}

/* Columns s->column[0 … count), of which those from `real` on are shadows. Lies in s->scratch but
 * for rows and columns. */
static int shadowed_data(struct search *s, uint32_t run, uint32_t real, uint32_t count,
                         hsel_dataset *out, hsel_error *error)
{
    const hs_candidates *c = s->candidates;
    const hsel_dataset *data = c->training->view.data;
    const uint32_t n = s->row_count;
    hs_arena *scratch = &s->scratch;
    uint32_t numeric = 0, nominal = 0;
    size_t entries = 0, used = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t positives = 0;
        if (data->types[c->feature[s->column[i]]] == HSEL_BINARY)
            hs_column(data, c->feature[s->column[i]], &positives);
        entries += positives;
    }
    *out = (hsel_dataset){.name = data->name,
                          .instances = n,
                          .features = count,
                          .positive_class = data->positive_class,
                          .class_names = data->class_names,
                          .instance_about = s->about,
                          .class_of = data->target ? NULL : HS_ARENA_NEW(scratch, uint32_t, n),
                          .target = data->target ? HS_ARENA_NEW(scratch, double, n) : NULL,
                          .types = HS_ARENA_NEW(scratch, uint8_t, count),
                          .slot = HS_ARENA_NEW(scratch, uint32_t, count),
                          .numeric = HS_ARENA_NEW(scratch, hs_numeric_column, count),
                          .nominal = HS_ARENA_NEW(scratch, hs_nominal_column, count)};
    uint32_t *order = HS_ARENA_NEW(scratch, uint32_t, n);
    HS_OWNED uint32_t *key = HS_NEW(uint32_t, entries), *value = HS_NEW(uint32_t, entries);
    HS_NEED((out->class_of || out->target) && out->types && out->slot && out->numeric &&
            out->nominal && order && key && value);
    for (uint32_t i = 0; i < n; i++)
        if (data->target)
            out->target[i] = data->target[s->rows[i]];
        else
            out->class_of[i] = data->class_of[s->rows[i]];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t f = c->feature[s->column[i]];
        out->types[i] = data->types[f];
        HS_TRY(hs_progress_ask(c->training->progress, error));
        if (i < real)
            for (uint32_t r = 0; i == 0 && r < n; r++)
                order[r] = r;
        else if (s->options->shadows != LINEAGE || i == real ||
                 s->part[s->column[i]] != s->part[s->column[i - 1]])
            shuffle_rows(s, run, i, order);
        if (data->types[f] == HSEL_BINARY) {
            size_t positives;
            const uint32_t *row = hs_column(data, f, &positives);
            for (size_t r = 0; r < positives; r++)
                if (s->position[row[r]] != HSEL_NONE) {
                    key[used] = order[s->position[row[r]]];
                    value[used++] = i;
                }
        } else if (data->types[f] == HSEL_NUMERIC) {
            double *values = HS_ARENA_NEW(scratch, double, n);
            HS_NEED(values);
            for (uint32_t r = 0; r < n; r++)
                values[order[r]] = hs_dataset_value(data, f, s->rows[r]);
            out->slot[i] = numeric;
            out->numeric[numeric++] = (hs_numeric_column){.values = values, .count = n};
        } else {
            const hs_nominal_column *from = &data->nominal[data->slot[f]];
            uint32_t *codes = HS_ARENA_NEW(scratch, uint32_t, n);
            HS_NEED(codes);
            for (uint32_t r = 0; r < n; r++)
                codes[order[r]] = from->codes[s->rows[r]];
            out->slot[i] = nominal;
            out->nominal[nominal++] = (hs_nominal_column){.codes = codes, .values = from->values};
        }
    }
    out->numeric_count = numeric;
    out->nominal_count = nominal;
    HS_TRY(hs_sparse_group(n, key, value, used, &out->rows, error));
    return hs_sparse_transpose(&out->rows, count, &out->columns, error);
}

static void shadowed_clear(hsel_dataset *data)
{
    hs_sparse_clear(&data->rows);
    hs_sparse_clear(&data->columns);
}

/* ---- one run ---- */

/* z of the columns into s->z. */
static int grow_forest(struct search *s, const hsel_dataset *data, uint32_t run, hsel_error *error)
{
    const hs_training *whole = s->candidates->training;
    const hs_classifier *classifier = s->forest.method->classifier;
    const double trees = s->options->trees;
    hs_forest_options *options = s->forest.options;
    HS_OWNS(hs_counts_clear) hs_counts counts = {0};
    void *model = NULL;
    hs_stream stream;
    hs_stream_init(&stream, whole->seed, "boruta forest", run, 0);
    hs_progress asking = hs_progress_asking(whole->progress);
    hs_training training = {.view = hs_view_all(data),
                            .counts = &counts,
                            .progress = &asking,
                            .seed = hs_random_u64(&stream),
                            .threads = whole->threads};
    HS_TRY(hs_counts_of(&training.view, &counts, error));
    options->features = (uint32_t)sqrt(data->features);
    HS_TRY(classifier->fit(&training, options, &model, error));
    const hs_forest *forest = model;
    for (uint32_t i = 0; i < data->features; i++) {
        double mean = forest->permutation[i],
               variance = forest->permutation_square[i] - mean * mean;
        s->z[i] = variance > 1e-18 ? mean / sqrt(variance / trees) : 0;
    }
    classifier->free(model);
    return HSEL_OK;
}

/* ---- decisions ---- */

/* P(at least `hits` of `runs`) when each is one with probability 1/2. */
static double tail(uint32_t hits, uint32_t runs) { return pbinom(hits - 1.0, runs, 0.5, 0, 0); }

uint32_t hs_boruta_columns(const hs_boruta *b, uint32_t *column, uint32_t *count)
{
    uint32_t real = 0, shadows;
    for (uint32_t i = 0; i < b->features; i++)
        if (b->fate[i] != HS_BORUTA_REJECTED)
            column[real++] = i;
    for (shadows = real; real && shadows < HS_BORUTA_FEWEST_SHADOWS;)
        shadows *= 2;
    for (uint32_t i = 0; i < shadows; i++)
        column[real + i] = column[i % real];
    *count = real + shadows;
    return real;
}

uint32_t hs_boruta_judge(hs_boruta *b, const uint32_t *column, uint32_t real, uint32_t count,
                         const double *z)
{
    double best = -INFINITY;
    uint32_t decided = 0;
    b->runs++;
    for (uint32_t i = real; i < count; i++)
        best = fmax(best, z[i]);
    for (uint32_t i = 0; i < real; i++) {
        const uint32_t f = column[i];
        b->hits[f] += z[i] > best;
        if (b->fate[f] != HS_BORUTA_TENTATIVE)
            continue;
        if (tail(b->hits[f], b->runs) * b->features < b->alpha)
            b->fate[f] = HS_BORUTA_CONFIRMED;
        else if (tail(b->runs - b->hits[f], b->runs) * b->features < b->alpha)
            b->fate[f] = HS_BORUTA_REJECTED;
        decided += b->fate[f] != HS_BORUTA_TENTATIVE;
    }
    return decided;
}

/* Notes that all runs together are too few to confirm any feature. */
static int note_too_few(const struct search *s, hsel_error *error)
{
    const hs_candidates *c = s->candidates;
    const struct options *o = s->options;
    char text[160];
    if (!c->training->progress || !c->count || tail(o->runs, o->runs) * c->count < o->alpha)
        return HSEL_OK;
    snprintf(text, sizeof text,
             o->alpha > 0 ? "selections had too few runs to confirm any feature: %u features at "
                            "level %g need runs=%.0f"
                          : "selections could not confirm any feature: %u features at level %g",
             c->count, o->alpha, floor(log2(c->count / o->alpha)) + 1);
    return hs_notes_count(c->training->progress->notes, "boruta", text, true, error);
}

/* Notes the tentative features: as many names as fit into a line; in cross-validation none, so that
 * folds share one line. */
static int note_tentative(const struct search *s, hsel_error *error)
{
    const hs_candidates *c = s->candidates;
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    uint32_t count = 0, named = 0;
    if (!c->training->progress)
        return HSEL_OK;
    hs_buf_text(&text, "selections left ");
    for (uint32_t i = 0; i < c->count; i++) {
        if (s->state.fate[i] != HS_BORUTA_TENTATIVE)
            continue;
        const hsel_dataset *data = c->training->view.data;
        const char *label = hs_about_label(&data->about, c->feature[i]);
        const char *name = label ? label : hsel_dataset_feature_name(data, c->feature[i]);
        if (count++ == named && !c->training->folds && text.length + strlen(name) < 115)
            hs_buf_printf(&text, named++ ? ", %s" : "%s", name);
    }
    if (named == 0)
        hs_buf_text(&text, "features");
    else if (named < count)
        hs_buf_printf(&text, " and %u more", count - named);
    hs_buf_text(&text, " tentative");
    HS_NEED(!text.failed);
    return hs_notes_count(c->training->progress->notes, "boruta", text.text, count > 0, error);
}

/* The lowest feature of a part of the hierarchy. */
static uint32_t lowest(uint32_t *lower, uint32_t v)
{
    while (lower[v] != v)
        v = lower[v] = lower[lower[v]];
    return v;
}

static int boruta_choose(const hs_candidates *c, const void *pointer, bool *keep, hsel_error *error)
{
    const struct options *o = pointer;
    const hs_training *training = c->training;
    const hsel_dataset *data = training->view.data;
    const uint32_t most = HS_BORUTA_COLUMNS(c->count);
    HS_OWNS(boruta_search_clear) struct search s = {.candidates = c, .options = o};
    char text[80];
    if (o->shadows == LINEAGE && !data->dag)
        return hs_fail(error, HSEL_EUSAGE,
                       "boruta:shadows=lineage needs a hierarchy, but %s has none",
                       hsel_dataset_name(data));
    snprintf(text, sizeof text, "forest:preset=weka,retry=false,trees=%u,permutation%s", o->trees,
             data->target ? "" : ",criterion=gini");
    HS_TRY(hs_chosen_parse(HS_CLASSIFIER, text, &s.forest, error));
    HS_TRY(hs_training_rows(training, true, &s.rows, &s.row_count, error));
    const hs_view rows = {.data = data, .rows = s.rows, .row_count = s.row_count};
    HS_TRY(hs_exchange_init(&rows, NULL, NULL, &s.exchange, error));
    HS_TRY(hs_exchange_check(&s.exchange, data,
                             training->progress ? training->progress->notes : NULL, error));
    if (s.exchange.grouped)
        HS_TRY(hs_about_pick(&data->instance_about, s.rows, s.row_count, &s.about, error));
    s.state = (hs_boruta){.features = c->count, .alpha = o->alpha};
    uint32_t *lower = HS_ARENA_NEW(&s.memory, uint32_t, data->features); /* of the same part */
    HS_NEED(lower && HS_LISTS(&s.memory, &s, HS_PART(&s, position, data->instances),
                              HS_PART(&s, part, c->count), HS_PART(&s, state.hits, c->count),
                              HS_PART(&s, state.fate, c->count), HS_PART(&s, column, most),
                              HS_PART(&s, z, most), HS_PART(&s, mixed, s.row_count)));
    memset(s.position, 0xff, data->instances * sizeof *s.position);
    for (uint32_t i = 0; i < s.row_count; i++)
        s.position[s.rows[i]] = i;
    for (uint32_t f = 0; f < data->features; f++)
        lower[f] = f;
    for (uint32_t v = 0; o->shadows == LINEAGE && v < data->features; v++) {
        size_t parents;
        const uint32_t *parent = hs_parents(data->dag, v, &parents);
        for (size_t p = 0; p < parents; p++) {
            const uint32_t a = lowest(lower, v), b = lowest(lower, parent[p]);
            lower[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (uint32_t i = 0; i < c->count; i++)
        s.part[i] = lowest(lower, c->feature[i]);
    HS_TRY(note_too_few(&s, error));
    uint32_t undecided = c->count;
    for (uint32_t run = 0; run < o->runs && undecided && s.row_count; run++) {
        HS_OWNS(shadowed_clear) hsel_dataset shadowed = {0};
        uint32_t count, real = hs_boruta_columns(&s.state, s.column, &count);
        HS_TRY(hs_progress_report(training->progress, run, o->runs, "runs", error));
        hs_arena_reset(&s.scratch);
        HS_TRY(shadowed_data(&s, run, real, count, &shadowed, error));
        HS_TRY(grow_forest(&s, &shadowed, run, error));
        undecided -= hs_boruta_judge(&s.state, s.column, real, count, s.z);
        for (uint32_t i = 0; i < real; i++)
            c->score[s.column[i]] = s.state.hits[s.column[i]] / (run + 1.0);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        static const hs_rule rule[] = {HS_RULE_TENTATIVE, HS_RULE_CONFIRMED, HS_RULE_REJECTED};
        keep[i] = s.state.fate[i] == HS_BORUTA_CONFIRMED;
        hs_candidates_say(c, i, rule[s.state.fate[i]], HSEL_NONE, (double)NAN);
    }
    return note_tentative(&s, error);
}

HS_EAGER_METHOD(
    boruta, "boruta",
    HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_STOCHASTIC | HS_REPORTS | HS_NUMERIC_TARGET, table,
    sizeof(struct options), NULL, boruta_choose, KEPT, DROPPED, hs_eager_scores,
    .title = "all features that a forest finds more important than chance",
    .help =
        "Grows forests on the features and on shuffled copies of them, their shadows. A feature is "
        "kept when its importance by permutation is above that of the best shadow in significantly "
        "more than half of the runs; relevance is the share of these runs. The forests are "
        "Breiman's: splits minimise the Gini index (for a numeric target, the variance), and each "
        "node tries as many columns as the square root of their number; if none of these has a "
        "gain, the node is a leaf. None of n features can be confirmed in log2(n / alpha) runs or "
        "fewer; a note says so. Features that are "
        "still tentative after the last run are dropped and named in a note.",
    .citation = "Kursa, Rudnicki (2010), J. Stat. Softw. 36(11):1-13; shadows=lineage is ours");
