/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of a term table, and its forms. O(what the tests take); for each significant term
 * O(positive values of the significant terms above and below it).
 */
#include "show/terms.h"

#include "data/classes.h"
#include "infer/procedures.h"

const hs_option hs_term_choice_table[] = {
    HS_OPTION(hs_term_options, alpha, "alpha", "A", "0.05", 1e-300, 1,
              "terms with q up to this are significant"),
    HS_OPTION(hs_term_options, top, "top", "N", "25", 0, 268435456,
              "show only the first N terms; 0 shows all"),
    HS_FLAG(hs_term_options, significant, "significant", "show only significant terms"),
    HS_OPTION_END};

const hs_option hs_term_table_options[] = {
    HS_FEATURE_TEST_OPTIONS,
    HS_OPTION(hs_term_options, alpha, "alpha", "A", "0.05", 1e-300, 1,
              "terms with q up to this are significant"),
    HS_OPTION(hs_term_options, top, "top", "N", "25", 0, 268435456,
              "show only the first N terms; 0 shows all"),
    HS_FLAG(hs_term_options, significant, "significant", "show only significant terms"),
    HS_OPTION_END};

void hs_term_table_clear(hs_term_table *table)
{
    hs_arena_clear(&table->arena);
    *table = (hs_term_table){0};
}

/* ---- the rows ---- */

struct making {
    hs_term_table *table;
    hs_counts counts;
    hs_training training;
    hs_p_sample sample;
    hs_sparse columns;    /* [features]: positions in the sample */
    hs_term_row **row_of; /* [features]: significant ones; else NULL */
    uint32_t *mark;       /* [instances of the sample]: how many terms it has of those looked at */
    uint32_t *positive;   /* [strata * classes] */
    uint32_t *size;
    uint32_t *rows;
};

static void making_clear(struct making *m)
{
    hs_sparse_clear(&m->columns);
    hs_p_sample_clear(&m->sample);
    hs_counts_clear(&m->counts);
    HS_FREE(m->row_of, m->mark, m->positive, m->size, m->rows);
}

static uint32_t feature_of(const struct making *m, uint32_t f, uint32_t *positive)
{
    size_t length;
    const uint32_t *column = hs_sparse_list(&m->columns, f, &length);
    memset(positive, 0, (size_t)m->sample.strata * m->sample.classes * sizeof *positive);
    for (size_t j = 0; j < length; j++)
        positive[m->sample.cell[column[j]]]++;
    return (uint32_t)length;
}

static int fill_row(struct making *m, hs_term_row *row, double *values, hsel_error *error)
{
    const hs_p_sample *s = &m->sample;
    const hsel_dataset *data = m->table->data;
    const uint32_t f = row->feature, classes = s->classes;
    double *in_class = m->table->in_class + (size_t)f * classes, most = -INFINITY, next = -INFINITY;
    row->effect = (hs_effect){(double)NAN, (double)NAN, (double)NAN};
    row->direction = HSEL_NONE;
    row->without_below = row->within_above = (double)NAN;
    if (data->types[f] == HSEL_BINARY) {
        feature_of(m, f, m->positive);
        for (uint32_t k = 0; k < s->strata * classes; k++)
            in_class[k % classes] += m->positive[k];
        if (classes == 2)
            row->effect =
                hs_odds_ratio(&(hs_count_table){m->positive, s->size, 2}, s->strata, s->one);
    } else if (data->types[f] == HSEL_NUMERIC) {
        HS_OWNED uint32_t *known = HS_NEW_ZERO(uint32_t, classes);
        HS_NEED(known);
        for (uint32_t i = 0; i < s->count; i++) {
            values[i] = hs_dataset_value(data, f, s->rows[i]);
            if (!isnan(values[i]))
                in_class[s->class_of[i]] +=
                    (values[i] - in_class[s->class_of[i]]) / ++known[s->class_of[i]];
        }
        for (uint32_t c = 0; c < classes; c++)
            in_class[c] = known[c] ? in_class[c] : (double)NAN;
        if (classes == 2)
            row->effect = hs_mean_difference(values, s->class_of, s->count, s->one);
    }
    for (uint32_t c = 0; c < classes; c++) {
        const double share =
            data->types[f] == HSEL_NUMERIC ? in_class[c] : in_class[c] / m->table->size[c];
        if (share > most) {
            next = most;
            most = share;
            row->direction = c;
        } else {
            next = share > next ? share : next;
        }
    }
    if (!(most > next) || data->types[f] == HSEL_NOMINAL)
        row->direction = HSEL_NONE;
    return HSEL_OK;
}

/* Fisher's test of a feature among the instances whose mark is this. */
static int test_among(struct making *m, uint32_t f, uint32_t mark, double *p, hsel_error *error)
{
    const hs_p_sample *s = &m->sample;
    size_t length;
    const uint32_t *column = hs_sparse_list(&m->columns, f, &length);
    const size_t cells = (size_t)s->strata * s->classes;
    memset(m->positive, 0, cells * sizeof *m->positive);
    memset(m->size, 0, cells * sizeof *m->size);
    for (uint32_t i = 0; i < s->count; i++)
        m->size[s->cell[i]] += m->mark[i] == mark;
    for (size_t j = 0; j < length; j++)
        m->positive[s->cell[column[j]]] += m->mark[column[j]] == mark;
    return hs_p_strata(&(hs_count_table){m->positive, m->size, s->classes}, s->strata, s->one,
                       HS_TAIL_BOTH, false, p, error);
}

/* How many significant terms are above or below, with the marks of their instances. */
static uint32_t mark_others(struct making *m, hs_reach *reach, bool down, uint32_t f)
{
    uint32_t count = 0, u;
    memset(m->mark, 0, m->sample.count * sizeof *m->mark);
    reach->down = down;
    for (hs_reach_start(reach, f); (u = hs_reach_next(reach)) != HSEL_NONE;) {
        size_t length;
        if (!m->row_of[u])
            continue;
        count++;
        const uint32_t *column = hs_sparse_list(&m->columns, u, &length);
        for (size_t j = 0; j < length; j++)
            m->mark[column[j]]++;
    }
    return count;
}

/* What is significant beyond other significant terms. */
static int find_findings(struct making *m, hsel_error *error)
{
    hs_term_table *t = m->table;
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    if (t->data->dag)
        HS_TRY(hs_reach_init(&reach, t->data->dag, error));
    for (uint32_t i = 0; i < t->count; i++)
        if (t->rows[i].significant)
            m->row_of[t->rows[i].feature] = &t->rows[i];
    for (uint32_t i = 0; i < t->count; i++) {
        hs_term_row *row = &t->rows[i];
        if (!row->significant)
            continue;
        if (!t->data->dag)
            continue;
        row->finding = HS_TERM_SPECIFIC;
        if (t->data->types[row->feature] != HSEL_BINARY)
            continue;
        if (mark_others(m, &reach, true, row->feature)) {
            HS_TRY(test_among(m, row->feature, 0, &row->without_below, error));
            row->finding = row->without_below <= t->options.alpha ? HS_TERM_BEYOND_BELOW
                                                                  : HS_TERM_THROUGH_BELOW;
        }
        const uint32_t above = mark_others(m, &reach, false, row->feature);
        if (above)
            HS_TRY(test_among(m, row->feature, above, &row->within_above, error));
    }
    return HSEL_OK;
}

/* Odds ratios by their logarithm, so that 1/2 is as large as 2. */
static double strength(const hs_term_table *t, const hs_term_row *row)
{
    const double value = row->effect.value;
    return isnan(value)                                  ? -1
           : t->data->types[row->feature] == HSEL_BINARY ? fabs(log(value))
                                                         : fabs(value);
}

/* Significant ones first if only these are shown; the smallest p, then the larger effect. */
static int before(const hs_term_table *t, const hs_term_row *a, const hs_term_row *b)
{
    if (t->options.significant && a->significant != b->significant)
        return a->significant ? -1 : 1;
    const double p = isnan(a->p) ? 2 : a->p, other = isnan(b->p) ? 2 : b->p;
    if (p != other)
        return p < other ? -1 : 1;
    const double one = strength(t, a), two = strength(t, b);
    if (one != two)
        return one > two ? -1 : 1;
    return a->feature < b->feature ? -1 : 1;
}

static int sort_rows(hs_term_table *t, hsel_error *error)
{
    HS_OWNED hs_term_row *other = HS_NEW(hs_term_row, t->count);
    HS_NEED(other);
    for (uint32_t width = 1; width < t->count; width *= 2) { /* by merging */
        for (uint32_t start = 0; start < t->count; start += 2 * width) {
            const uint32_t middle = start + width < t->count ? start + width : t->count,
                           end = start + 2 * width < t->count ? start + 2 * width : t->count;
            uint32_t left = start, right = middle;
            for (uint32_t i = start; i < end; i++)
                other[i] = right == end ||
                                   (left < middle && before(t, &t->rows[left], &t->rows[right]) < 0)
                               ? t->rows[left++]
                               : t->rows[right++];
        }
        memcpy(t->rows, other, t->count * sizeof *other);
    }
    return HSEL_OK;
}

int hs_term_table_make(const hsel_dataset *data, const hs_term_options *options, hs_term_table *t,
                       hsel_error *error)
{
    const uint32_t features = data->features;
    HS_OWNS(making_clear) struct making m = {.table = t};
    HS_OWNED double *p = HS_NEW(double, features), *q = HS_NEW(double, features),
                    *values = HS_NEW(double, data->instances);
    HS_OWNED uint8_t *status = HS_NEW(uint8_t, features);
    HS_OWNED uint32_t *all = HS_NEW(uint32_t, features);
    *t = (hs_term_table){.data = data, .options = *options};
    t->options.tests.data = data;
    HS_NEED(p && q && values && status && all);
    HS_TRY(hs_test_features(&t->options.tests, p, q, status, error));
    const uint32_t classes = data->class_names.count;
    HS_TRY(hs_view_labelled(data, &m.rows, &m.training.view, error));
    HS_TRY(hs_counts_of(&m.training.view, &m.counts, error));
    m.training.counts = &m.counts;
    m.training.seed = t->options.tests.seed;
    HS_TRY(hs_p_sample_init(&m.training, &(hs_p_options){0}, &m.sample, error));
    const size_t cells = (size_t)m.sample.strata * classes;
    for (uint32_t f = 0; f < features; f++)
        all[f] = f;
    HS_TRY(
        hs_position_columns(data, all, features, m.sample.rows, m.sample.count, &m.columns, error));
    HS_NEED((m.row_of = HS_NEW_ZERO(hs_term_row *, features)) &&
            (m.mark = HS_NEW(uint32_t, m.sample.count)) && (m.positive = HS_NEW(uint32_t, cells)) &&
            (m.size = HS_NEW(uint32_t, cells)) &&
            HS_LISTS(&t->arena, t, HS_PART(t, rows, features), HS_PART(t, size, classes),
                     HS_PART(t, in_class, (size_t)features * classes)));
    for (size_t k = 0; k < cells; k++)
        t->size[k % classes] += m.sample.size[k];
    for (uint32_t f = 0; f < features; f++) {
        if (status[f] == HSEL_P_COVARIATE)
            continue;
        hs_term_row *row = &t->rows[t->count++];
        *row = (hs_term_row){.feature = f, .p = p[f], .q = q[f], .status = status[f]};
        row->significant = !isnan(q[f]) && hs_rejects(q[f], options->alpha);
        t->significant += row->significant;
        t->tested += !isnan(p[f]);
        HS_TRY(fill_row(&m, row, values, error));
    }
    HS_TRY(sort_rows(t, error));
    HS_TRY(find_findings(&m, error));
    t->shown = options->significant ? t->significant : t->count;
    t->shown = options->top && options->top < t->shown ? options->top : t->shown;
    return HSEL_OK;
}

/* ---- forms ---- */

#define MOST_CLASSES                                                                               \
    4 /* with a column each; of more, the table has the positive class and all others */

static const char *const finding_words[] = {"", "most specific", "beyond those below",
                                            "through those below"};
static const char *const status_words[] = {"tested", "rough",   "drawn",    "constant",
                                           "rare",   "nominal", "covariate"};

static bool adjusts_locally(const hs_term_table *t)
{
    return hs_p_method_find(t->options.tests.adjust) != HS_P_METHODS;
}

/* What was tested and what q bounds, in words. */
static const char *method_words(const hs_term_table *t, hs_document *doc)
{
    static const char *const tests[] = {"the default test", "Fisher's exact test",
                                        "Pearson's chi-squared test", "the likelihood ratio test",
                                        "the Cochran-Mantel-Haenszel test"};
    const hs_feature_tests *o = &t->options.tests;
    const bool scan = strcmp(o->adjust, "scan") == 0, max_t = strcmp(o->adjust, "max-t") == 0;
    const hs_procedure *procedure =
        scan || max_t || adjusts_locally(t) ? NULL : hs_procedure_find(o->adjust, NULL);
    const bool stratified =
        hs_about_column(&t->data->instance_about, HS_ABOUT_STRATUM) != HSEL_NONE;
    const char *binary = tests[o->p.test == HS_P_AUTO ? HS_P_FISHER : o->p.test],
               *sides = o->p.tail == HS_TAIL_BOTH ? "two-sided" : "one-sided";
    const char *text =
        scan ? hs_say(doc, "p: as many cases in the term alone, one-sided")
             : hs_say(doc, "p: %s%s, %s%s%s", binary, stratified ? " within strata" : "", sides,
                      t->data->numeric_count
                          ? o->p.means ? "; numbers: Welch's t" : "; numbers: ranks"
                          : "",
                      o->p.permutations ? ", by permutation" : "");
    if (procedure)
        return hs_say(doc, "%s. q: %s, which bounds the %s, given %s.", text, procedure->title,
                      strcmp(procedure->controls, "FDR") == 0 ? "false discovery rate"
                                                              : "chance of any false rejection",
                      procedure->assumes);
    if (adjusts_locally(t))
        return hs_say(doc, "%s. q: %s, p given the terms below, not adjusted for their number.",
                      text, o->adjust);
    return hs_say(doc, "%s. q: %s, which bounds the chance of any false rejection.", text,
                  scan ? "tree scan statistic" : "Westfall and Young's step-down max-T");
}

static const char *number_words(hs_document *doc, double value)
{
    return isnan(value)          ? HS_NOTHING
           : isinf(value)        ? "\xe2\x88\x9e"
           : fabs(value) >= 1000 ? hs_say(doc, "%.0f", value)
                                 : hs_say(doc, "%.3g", value);
}

static void put_class_cell(hs_doc_grid *grid, const hs_term_table *t, const hs_term_row *row,
                           uint32_t c)
{
    const uint32_t classes = t->data->class_names.count;
    const double in = t->in_class[(size_t)row->feature * classes + c];
    if (t->data->types[row->feature] == HSEL_NUMERIC)
        HS_ROW(grid, number_words(grid->doc, in));
    else if (t->data->types[row->feature] == HSEL_NOMINAL)
        HS_ROW(grid, HS_NOTHING);
    else
        hs_putf(grid, "%.0f (%.1f %%)", in, t->size[c] ? 100 * in / t->size[c] : 0);
}

/* Of two classes and of many, the positive one comes first. */
static uint32_t class_at(const hsel_dataset *data, uint32_t place)
{
    const uint32_t classes = data->class_names.count, positive = data->positive_class;
    return classes > 2 && classes <= MOST_CLASSES ? place : place == 0 ? positive : 1 - positive;
}

/* For people: cells as a paper has them. */
static void put_grid(const hs_term_table *t, hs_document *doc)
{
    const hsel_dataset *data = t->data;
    const uint32_t classes = data->class_names.count;
    const bool labels = hs_has_labels(&data->about), two = classes == 2;
    const uint32_t shown = classes <= MOST_CLASSES ? classes : 1;
    const size_t columns =
        1 + (size_t)labels + (data->dag != NULL) + shown + (two ? 2 : 1) + 2 + (data->dag != NULL);
    hs_doc_grid *grid = hs_add_grid(
        doc, columns, 1 + (size_t)labels, "%u of %u tested terms of %s with q %s %g%s",
        t->significant, t->tested, hsel_dataset_name(data), "\xe2\x89\xa4", t->options.alpha,
        t->shown < (t->options.significant ? t->significant : t->count)
            ? hs_say(doc, "; the first %u are shown", t->shown)
            : "");
    if (labels)
        HS_ROW(grid, "term");
    HS_ROW(grid, labels ? "identifier" : "term");
    if (data->dag)
        HS_ROW(grid, "level");
    for (uint32_t i = 0; i < shown; i++) {
        const uint32_t c = class_at(data, i);
        hs_putf(grid, "%s, n = %u", hsel_dataset_class_name(data, c), t->size[c]);
    }
    if (two)
        HS_ROW(grid,
               data->numeric_count == data->features ? "difference"
               : data->numeric_count                 ? "effect"
                                                     : "odds ratio",
               "95 % interval");
    else
        HS_ROW(grid, "most in");
    HS_ROW(grid, "p", adjusts_locally(t) ? "p adjusted" : "q");
    if (data->dag)
        HS_ROW(grid, "finding");
    for (const hs_term_row *row = t->rows; row < t->rows + t->shown; row++) {
        if (labels) {
            const char *label = hs_about_label(&data->about, row->feature);
            HS_ROW(grid, label ? hs_say_cut(doc, label, 50) : "");
        }
        HS_ROW(grid, hs_say_cut(doc, hsel_dataset_feature_name(data, row->feature), 50));
        if (data->dag)
            hs_putf(grid, "%u", data->dag->depth[row->feature]);
        for (uint32_t i = 0; i < shown; i++)
            put_class_cell(grid, t, row, class_at(data, i));
        if (two) {
            HS_ROW(grid, number_words(doc, row->effect.value));
            HS_ROW(grid, isnan(row->effect.low)
                             ? HS_NOTHING
                             : hs_say(doc, "%s to %s", number_words(doc, row->effect.low),
                                      number_words(doc, row->effect.high)));
        } else {
            HS_ROW(grid, row->direction == HSEL_NONE
                             ? HS_NOTHING
                             : hsel_dataset_class_name(data, row->direction));
        }
        HS_ROW(grid,
               isnan(row->p) ? status_words[row->status % HSEL_P_INHERITED]
                             : hs_p_value(doc, row->p, false),
               isnan(row->q) ? HS_NOTHING : hs_p_value(doc, row->q, false));
        if (data->dag)
            HS_ROW(grid, finding_words[row->finding]);
    }
    grid->note = method_words(t, doc);
}

/* For programs: a line per term, every number in full. */
static int write_csv(const hs_term_table *t, hs_writer *out, hsel_error *error)
{
    const hsel_dataset *data = t->data;
    const uint32_t classes = data->class_names.count;
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    hs_doc_grid grid = {.doc = &doc, .columns = 1};
    HS_ROW(&grid, "feature", "label", "level");
    for (uint32_t c = 0; c < classes; c++) {
        hs_putf(&grid, "in %s", hsel_dataset_class_name(data, c));
        hs_putf(&grid, "of %s", hsel_dataset_class_name(data, c));
    }
    HS_ROW(&grid, "most_in", "effect", "value", "low", "high", "p", "q", "status", "significant",
           "finding", "p_without_below", "p_within_above");
    grid.columns = grid.used;
    for (const hs_term_row *row = t->rows; row < t->rows + t->shown; row++) {
        const char *label = hs_about_label(&data->about, row->feature);
        const bool numeric = data->types[row->feature] == HSEL_NUMERIC;
        HS_ROW(&grid, hsel_dataset_feature_name(data, row->feature), label ? label : "");
        HS_ROW(&grid, data->dag ? hs_say(&doc, "%u", data->dag->depth[row->feature]) : "");
        for (uint32_t c = 0; c < classes; c++) {
            hs_put_number(&grid, t->in_class[(size_t)row->feature * classes + c], 0, true);
            hs_putf(&grid, "%u", t->size[c]);
        }
        HS_ROW(&grid,
               row->direction == HSEL_NONE ? "" : hsel_dataset_class_name(data, row->direction),
               isnan(row->effect.value) ? ""
               : numeric                ? "difference"
                                        : "odds ratio");
        hs_put_number(&grid, row->effect.value, 0, true);
        hs_put_number(&grid, row->effect.low, 0, true);
        hs_put_number(&grid, row->effect.high, 0, true);
        hs_put_number(&grid, row->p, 0, true);
        hs_put_number(&grid, row->q, 0, true);
        HS_ROW(&grid, status_words[row->status % HSEL_P_INHERITED], row->significant ? "yes" : "no",
               finding_words[row->finding]);
        hs_put_number(&grid, row->without_below, 0, true);
        hs_put_number(&grid, row->within_above, 0, true);
    }
    return hs_grid_csv(&grid, out, error);
}

static void put_json(const hs_term_table *t, hs_document *doc, hs_writer *out)
{
    const hsel_dataset *data = t->data;
    const uint32_t classes = data->class_names.count;
    hs_json json = {.out = out};
    hs_json_put(&json, "{dataset:%s classes:[", hsel_dataset_name(data));
    for (uint32_t c = 0; c < classes; c++)
        hs_json_put(&json, "{name:%s instances:%u}", hsel_dataset_class_name(data, c), t->size[c]);
    hs_json_put(&json,
                "] positive:%s adjust:%s alpha:%g tested:%u significant:%u method:%s terms:[",
                hsel_dataset_class_name(data, data->positive_class), t->options.tests.adjust,
                t->options.alpha, t->tested, t->significant, method_words(t, doc));
    for (const hs_term_row *row = t->rows; row < t->rows + t->shown; row++) {
        hs_json_put(&json, "{feature:%s", hsel_dataset_feature_name(data, row->feature));
        hs_label_json(&json, &data->about, row->feature);
        if (data->dag)
            hs_json_put(&json, "level:%u", data->dag->depth[row->feature]);
        hs_json_put(&json, "%s:[", data->types[row->feature] == HSEL_NUMERIC ? "mean" : "count");
        for (uint32_t c = 0; c < classes; c++)
            hs_json_double(&json, t->in_class[(size_t)row->feature * classes + c]);
        hs_json_put(&json, "] most_in:");
        hs_json_text(&json, row->direction == HSEL_NONE
                                ? NULL
                                : hsel_dataset_class_name(data, row->direction));
        if (classes == 2) {
            const char *kind =
                data->types[row->feature] == HSEL_NUMERIC ? "difference" : "odds_ratio";
            hs_json_put(&json, "%s:[", kind);
            if (isinf(row->effect.value)) /* JSON has no such number */
                hs_json_text(&json, "inf");
            else
                hs_json_double(&json, row->effect.value);
            hs_json_double(&json, row->effect.low);
            hs_json_double(&json, row->effect.high);
            hs_json_put(&json, "]");
        }
        hs_json_put(&json, "p:%g q:%g status:%s significant:%d", row->p, row->q,
                    status_words[row->status % HSEL_P_INHERITED], row->significant);
        if (row->significant && data->dag)
            hs_json_put(&json, "finding:%s p_without_below:%g p_within_above:%g",
                        finding_words[row->finding], row->without_below, row->within_above);
        hs_json_put(&json, "}");
    }
    hs_json_put(&json, "]}");
}

int hs_term_table_write(const hs_term_table *t, const char *form, hs_writer *out, hsel_error *error)
{
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    if (strcmp(form, "csv") == 0)
        return write_csv(t, out, error);
    if (strcmp(form, "json") == 0) {
        put_json(t, &doc, out);
        return hs_document_check(&doc, error);
    }
    if (strcmp(form, "text") != 0)
        doc.title = hsel_dataset_name(t->data);
    put_grid(t, &doc);
    HS_TRY(hs_document_check(&doc, error));
    if (strcmp(form, "latex") == 0)
        hs_write_latex(&doc, out);
    else if (strcmp(form, "text") == 0)
        return hs_write_text(&doc, out, error);
    else
        return hs_fail(error, HSEL_EUSAGE,
                       "unknown form of the term table '%.80s': use text, csv, json or latex",
                       form);
    return HSEL_OK;
}
