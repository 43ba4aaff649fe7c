/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CFS: a set of features that correlate with the class and not with each other, found by best-first
 * search; exactly as WEKA's CfsSubsetEval and BestFirst.
 *
 *     merit(S) = sum over i of SU(i,c) / sqrt(|S| + 2 sum over pairs of SU(i,j)),  merit({}) = 0
 *
 * Hall (1999), equation 4.4, with symmetric uncertainty; as WEKA 3.6: natural logarithms of counts
 * not divided by N; SU below 1e-6 is 0 against the class but 1 between two features; correlations
 * rounded to 32 bits. The open list holds `termination` sets, best first, equal ones in order of
 * arrival, sets seen before too; the head is expanded by every absent feature in order; better
 * means by more than 1e-5; after `termination` expansions in a row without better, or with an empty
 * list, the search ends. WEKA's cache of merits saves it work and changes nothing, so `lookup` is
 * without effect. Then (locally-predictive) all other features by falling SU(f,c): f joins unless a
 * member has a greater SU with f than the class has. Ties: lowest feature.
 *
 * A correlation is 0 or a multiple of 2^-43, so sums below 1024 are exact in any order: they are
 * kept with a set, and a child costs O(1) once the members' correlations with all features are
 * added up. O(e s d + m d n/64) time for e expansions of sets of size s and m different members, m
 * d floats and d n/64 words of memory. WEKA evaluates each child again in O(s^2).
 */
#include "rank/ordered.h"
#include "rank/rank.h"
#include "select/eager.h"

#define ZERO         1e-6 /* WEKA's "equal" */
#define BETTER       1e-5
#define REPORT_EVERY 16 /* features looked at */

struct options {
    uint32_t lookup, termination;
    bool locally_predictive;
};

static const hs_option table[] = {
    HS_OPTION(struct options, lookup, "lookup", "N", "1", 0, 1000000,
              "size of WEKA's cache of merits, as a multiple of the features; has no effect"),
    HS_OPTION(struct options, termination, "termination", "N", "5", 1, 1000,
              "expansions without improvement until the search ends, and size of the open list"),
    HS_OPTION(struct options, locally_predictive, "locally-predictive", NULL, "true", 0, 1,
              "add features that correlate more with the class than with any selected feature"),
    HS_OPTION_END};

struct set {
    double merit;
    double relevance, redundancy; /* numerator; what is under the root */
    uint32_t *member, size;       /* candidates, in order of joining */
    size_t capacity;
};

struct search {
    const hs_candidates *candidates;
    hs_bit_columns columns; /* of binary features; of others … */
    uint32_t **code;        /* [candidates]: of each row; NULL: binary, or a single value */
    uint32_t *values;       /* [candidates]: how many; NULL: all are binary */
    uint32_t *cells;        /* of a pair */
    size_t cells_capacity;
    double *n_log_n;   /* [instances + 1] */
    uint32_t *ones;    /* [candidates] */
    float *with_class; /* [candidates]: correlation */
    float **with;      /* [candidates]: with all candidates, or NULL: not computed yet */
    struct set *open;  /* [limit + 1]: sets best first, then spare ones; the last is expanded */
    uint32_t held, limit;
    double *redundant; /* [candidates]: correlations with the members of the set under expansion */
    bool *member;      /* [candidates]: in that set */
    struct set best;   /* so far */
    hs_arena memory;   /* of all arrays but members of sets */
};

static void cfs_search_clear(struct search *s)
{
    for (uint32_t i = 0; s->open && i <= s->limit; i++)
        hs_free(s->open[i].member);
    hs_free(s->best.member);
    hs_bit_columns_clear(&s->columns);
    hs_free(s->cells);
    hs_arena_clear(&s->memory);
}

/* ---- correlations ---- */

/* Symmetric uncertainty from sums of n log n over columns, rows and cells; `all`: of the total. */
static double uncertainty(double columns, double rows, double cells, double all)
{
    double column_entropy = columns - all, conditional = cells - rows, row_entropy = rows - all;
    double gain = column_entropy - conditional;
    if (fabs(column_entropy) < ZERO || fabs(row_entropy) < ZERO)
        return 0;
    return 2.0 * (gain / (column_entropy + row_entropy));
}

/* Symmetric uncertainty from codes of `count` rows. */
static double from_codes(struct search *s, const uint32_t *row, uint32_t rows,
                         const uint32_t *column, uint32_t columns, uint32_t count)
{
    const double *l = s->n_log_n;
    double of_rows = 0, of_columns = 0, of_cells = 0;
    const size_t all = (size_t)rows * columns;
    if (!HS_GROW(&s->cells, &s->cells_capacity, all + rows + columns))
        return NAN;
    uint32_t *by_row = s->cells + all, *by_column = by_row + rows;
    memset(s->cells, 0, (all + rows + columns) * sizeof *s->cells);
    for (uint32_t i = 0; i < count; i++) {
        s->cells[(size_t)row[i] * columns + column[i]]++;
        by_row[row[i]]++;
        by_column[column[i]]++;
    }
    for (uint32_t j = 0; j < columns; j++)
        of_columns += l[by_column[j]];
    for (uint32_t i = 0; i < rows; i++)
        of_rows += l[by_row[i]];
    for (size_t k = 0; k < all; k++)
        of_cells += l[s->cells[k]];
    return uncertainty(of_columns, of_rows, of_cells, l[count]);
}

/* As in WEKA the later feature is `row`. NaN: out of memory. */
static float pair_correlation(struct search *s, uint32_t row, uint32_t column)
{
    const uint32_t *feature = s->candidates->feature;
    if (s->values && (s->values[row] < 2 || s->values[column] < 2))
        return 1;
    if (s->values && (s->code[row] || s->code[column])) {
        double su = from_codes(s, s->code[row], s->values[row], s->code[column], s->values[column],
                               s->columns.rows);
        return fabs(su) < ZERO ? 1 : (float)su;
    }
    size_t both = hs_bits_count_and(hs_bit_column(&s->columns, feature[row]),
                                    hs_bit_column(&s->columns, feature[column]), s->columns.stride);
    uint32_t all = s->columns.rows, of_row = s->ones[row], of_column = s->ones[column];
    const double *l = s->n_log_n;
    double cells = l[all - of_row - (of_column - both)] + l[of_column - both];
    cells += l[of_row - both];
    cells += l[both];
    double value =
        uncertainty(l[all - of_column] + l[of_column], l[all - of_row] + l[of_row], cells, l[all]);
    return fabs(value) < ZERO ? 1 : (float)value;
}

/* Correlations of a candidate with all; NULL: out of memory. */
static const float *correlation_row(struct search *s, uint32_t candidate)
{
    uint32_t count = s->candidates->count;
    if (s->with[candidate])
        return s->with[candidate];
    float *row = HS_ARENA_NEW(&s->memory, float, count);
    if (!row)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        row[i] =
            i > candidate ? pair_correlation(s, i, candidate) : pair_correlation(s, candidate, i);
        if (isnan(row[i]))
            return NULL;
    }
    return s->with[candidate] = row;
}

/* Codes of all candidates, if not all are binary, and their correlation with the class. A missing
 * value is one of its own, as with WEKA's option -M. */
static int read_codes(struct search *s, hsel_error *error)
{
    const hs_candidates *c = s->candidates;
    const hsel_dataset *data = c->training->view.data;
    HS_OWNS(hs_labelled_clear) hs_labelled columns = {0};
    HS_OWNS(hs_ordered_clear) hs_ordered ordered = {0};
    HS_TRY(hs_labelled_init(&columns, c->training, error));
    HS_TRY(hs_ordered_init(&ordered, &columns, error));
    HS_OWNED uint32_t *code = HS_NEW(uint32_t, columns.count);
    s->code = hs_arena_zero(&s->memory, c->count, sizeof *s->code);
    s->values = HS_ARENA_NEW(&s->memory, uint32_t, c->count);
    HS_NEED(code && s->code && s->values);
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t f = c->feature[i];
        const bool binary = data->types[f] == HSEL_BINARY;
        s->values[i] = binary ? 2 : hs_code_column(&columns, f, &ordered, code);
        if (s->values[i] < 2) {
            c->score[i] = s->with_class[i] = 0;
            continue;
        }
        for (uint32_t r = 0; binary && r < columns.count; r++)
            code[r] = hs_bit_get(hs_bit_column(&s->columns, f), r);
        HS_NEED(s->code[i] = HS_ARENA_NEW(&s->memory, uint32_t, columns.count));
        memcpy(s->code[i], code, columns.count * sizeof *code);
        double su =
            from_codes(s, code, s->values[i], columns.label, columns.classes, columns.count);
        if (isnan(su))
            return hs_fail_memory(error);
        c->score[i] = s->with_class[i] = fabs(su) < ZERO ? 0 : (float)su;
    }
    return HSEL_OK;
}

/* ---- best-first search ---- */

/* to = from with one more member. */
static int extend(struct set *to, const struct set *from, uint32_t added, hsel_error *error)
{
    HS_NEED(HS_GROW(&to->member, &to->capacity, (size_t)from->size + 1));
    if (from->size)
        memmove(to->member, from->member, from->size * sizeof *from->member);
    to->member[from->size] = added;
    to->size = from->size + 1;
    return HSEL_OK;
}

/* The length of the search is not known in advance, so the size of the best set is reported. */
static int report_size(const struct search *s, hsel_error *error)
{
    return hs_progress_report(s->candidates->training->progress, s->best.size,
                              (uint64_t)s->candidates->count + 1, "features found", error);
}

/* Takes the head of the open list and tries every absent candidate with it; *improved if one was
 * better than the best so far. */
static int expand_best(struct search *s, bool *improved, hsel_error *error)
{
    struct set head = s->open[0], *set = &s->open[s->limit];
    const uint32_t count = s->candidates->count;
    uint32_t better = count;
    memmove(s->open, s->open + 1, s->limit * sizeof *s->open);
    *set = head; /* after all places of the list, so that nothing overwrites it */
    s->held--;
    memset(s->redundant, 0, count * sizeof *s->redundant);
    memset(s->member, 0, count * sizeof *s->member);
    for (uint32_t i = 0; i < set->size; i++) {
        const float *row = correlation_row(s, set->member[i]);
        HS_NEED(row);
        if (i % REPORT_EVERY == 0)
            HS_TRY(report_size(s, error));
        s->member[set->member[i]] = true;
        for (uint32_t f = 0; f < count; f++)
            s->redundant[f] += row[f];
    }
    for (uint32_t f = 0; f < count; f++) {
        if (s->member[f])
            continue;
        double relevance = set->relevance + s->with_class[f];
        double redundancy = set->redundancy + 1 + 2 * s->redundant[f];
        double merit = relevance / sqrt(redundancy);
        if (merit - s->best.merit > BETTER) {
            s->best.merit = merit;
            better = f;
        }
        if (s->held == s->limit && merit <= s->open[s->held - 1].merit)
            continue;
        uint32_t at = 0, last = s->held < s->limit ? s->held : s->held - 1;
        while (at < s->held && !(merit > s->open[at].merit)) /* after equal ones */
            at++;
        HS_TRY(extend(&s->open[last], set, f, error)); /* spare, or the last of a full list */
        struct set child = s->open[last];
        child.merit = merit;
        child.relevance = relevance;
        child.redundancy = redundancy;
        memmove(s->open + at + 1, s->open + at, (last - at) * sizeof child);
        s->open[at] = child;
        s->held = last + 1;
    }
    *improved = better < count;
    return *improved ? extend(&s->best, set, better, error) : HSEL_OK;
}

static int cfs_choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const struct options *o = options;
    const uint32_t instances = c->training->counts->instances, all = c->count;
    uint32_t row_count;
    HS_OWNS(cfs_search_clear)
    struct search s = {.candidates = c, .limit = o->termination, .held = 1 /* the empty set */};
    HS_OWNED uint32_t *rows = NULL, *order = HS_NEW(uint32_t, all);
    HS_OWNED uint64_t *outside = HS_NEW_ZERO(uint64_t, hs_bit_words(all));
    HS_NEED(order && outside &&
            HS_LISTS(&s.memory, &s, HS_PART(&s, n_log_n, (size_t)instances + 1),
                     HS_PART(&s, open, (size_t)s.limit + 1), HS_PART(&s, ones, all),
                     HS_PART(&s, with_class, all), HS_PART(&s, with, all),
                     HS_PART(&s, redundant, all), HS_PART(&s, member, all)));
    double *const l = s.n_log_n;
    HS_TRY(hs_training_rows(c->training, true, &rows, &row_count, error));
    HS_TRY(hs_bit_columns_new(c->training->view.data, rows, row_count, &s.columns, error));
    for (uint32_t n = 1; n <= instances; n++)
        l[n] = n * log(n);
    for (uint32_t i = 0; i < all; i++) {
        hs_cells cells = hs_candidate_cells(c, i);
        double columns = 0, within = 0; /* rows: values of the feature; columns: classes */
        for (uint32_t k = 0; k < cells.classes; k++) {
            s.ones[i] += cells.positive[k];
            columns += l[cells.class_size[k]];
            within += l[cells.class_size[k] - cells.positive[k]];
        }
        for (uint32_t k = 0; k < cells.classes; k++)
            within += l[cells.positive[k]];
        double value =
            uncertainty(columns, l[instances - s.ones[i]] + l[s.ones[i]], within, l[instances]);
        c->score[i] = s.with_class[i] = fabs(value) < ZERO ? 0 : (float)value;
    }
    if (!hs_dataset_all_binary(c->training->view.data))
        HS_TRY(read_codes(&s, error));
    for (uint32_t stale = 0; stale < o->termination && s.held > 0;) {
        bool improved = false;
        HS_TRY(expand_best(&s, &improved, error));
        stale = improved ? 0 : stale + 1;
    }
    memset(keep, 0, all * sizeof *keep);
    for (uint32_t i = 0; i < s.best.size; i++)
        keep[s.best.member[i]] = true;
    if (!o->locally_predictive)
        return HSEL_OK;
    bool covered = false; /* is a member closer to the candidate than the class is? */
    for (uint32_t i = 0; i < all; i++)
        if (!keep[i])
            hs_bit_set(outside, i);
    uint32_t count = hs_rank_order(c->score, all, outside, order);
    for (uint32_t i = 0; i < count; i++) {
        if (!covered || i % REPORT_EVERY == 0)
            HS_TRY(report_size(&s, error));
        covered = false;
        for (uint32_t m = 0; m < s.best.size && !covered; m++) {
            const float *row = correlation_row(&s, s.best.member[m]);
            HS_NEED(row);
            covered = row[order[i]] > s.with_class[order[i]];
            if (covered)
                hs_candidates_say(c, order[i], HS_RULE_CLOSER, s.best.member[m], (double)NAN);
        }
        keep[order[i]] = !covered;
        if (!covered)
            HS_TRY(extend(&s.best, &s.best, order[i], error));
    }
    return HSEL_OK;
}

/* Slot `memory` of hs_method. */
static double cfs_memory_needed(const hs_size *size, const void *options)
{
    (void)options;
    return size->rows * size->features / 8; /* bit columns */
}

HS_EAGER_METHOD(
    cfs, "cfs", HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_NUMERIC_TARGET | HS_CUTS_TARGET, table,
    sizeof(struct options), NULL, cfs_choose, FOUND, NOT_FOUND, hs_eager_scores,
    .memory = cfs_memory_needed, .title = "correlation-based feature selection",
    .help = "Searches, best first, for a set of features whose symmetric uncertainty is high with "
            "the class and low among the features, then adds locally predictive features. Gives "
            "the result of WEKA's CfsSubsetEval with BestFirst, feature by feature. Numeric "
            "features are cut by minimum description length, as in WEKA; a missing value counts as "
            "a separate value, as with WEKA's -M. Ignores the hierarchy." HS_QUARTERS,
    .citation = "Hall (1999), PhD thesis, University of Waikato, equation 4.4; WEKA 3.6, "
                "CfsSubsetEval and BestFirst (forward)");
