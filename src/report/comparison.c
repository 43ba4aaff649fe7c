/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making a comparison; showing it in words, as text for a terminal and as JSON. Drawing it is in
 * cd_diagram.c. Sentences are built from what was tested and say how sure it is; a number in them
 * is one of the tables.
 */
#define _GNU_SOURCE /* qsort_r */
#include "report/comparison.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/document.h"
#include "core/json.h"

#define LINE_WIDTH   100
#define MOST_GROUPS  8
#define LONGEST_LIST 6       /* methods of a group that are all named */
#define SMALLEST_P   2.2e-16 /* below, digits mean nothing; R's limit */

void hs_comparison_clear(hs_comparison *comparison)
{
    hs_free(comparison->rank);
    hs_free(comparison->mean_rank);
    hs_free(comparison->wins);
    hs_free(comparison->order);
    hs_free(comparison->wilcoxon);
    hs_free(comparison->correlation);
    hs_free(comparison->against);
    *comparison = (hs_comparison){0};
}

static int by_rank(const void *a, const void *b, void *context)
{
    const double *rank = context;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    if (rank[x] != rank[y])
        return rank[x] < rank[y] ? -1 : 1;
    return (x > y) - (x < y);
}

static void copy_column(const hs_results *results, size_t column, double *out)
{
    for (size_t r = 0; r < results->rows; r++)
        out[r] = results->value[r * results->columns + column];
}

int hs_comparison_make(const hs_comparison_request *request, hs_comparison *out, hsel_error *error)
{
    HS_OWNS(hs_comparison_clear) hs_comparison made = {.request = *request};
    hs_comparison *c = &made;
    const hs_results *results = &request->results;
    size_t rows = results->rows, columns = results->columns;
    HS_OWNED double *one = HS_NEW(double, rows), *other = HS_NEW(double, rows);
    c->rank = HS_NEW(double, rows *columns);
    c->mean_rank = HS_NEW(double, columns);
    c->wins = HS_NEW(uint32_t, columns);
    c->order = HS_NEW(size_t, columns);
    c->wilcoxon = HS_NEW_ZERO(hs_wilcoxon, columns * columns);
    HS_NEED(one && other && c->rank && c->mean_rank && c->wins && c->order && c->wilcoxon);
    HS_TRY(hs_ranks(results, c->rank, c->mean_rank, &c->complete_rows, error));
    hs_wins(results, request->tolerance, c->wins);
    for (size_t i = 0; i < columns; i++)
        c->order[i] = i;
    if (c->complete_rows > 0) /* else every mean is NaN */
        qsort_r(c->order, columns, sizeof *c->order, by_rank, c->mean_rank);
    c->tested = columns >= 2 && c->complete_rows >= 2;
    if (c->tested)
        HS_TRY(hs_friedman_test(results, request->alpha, &c->friedman, error));
    if (c->tested && request->control < columns) {
        HS_NEED(c->against = HS_NEW_ZERO(hs_against, columns));
        HS_TRY(hs_holm_test(results, request->control, request->alpha, request->one_sided,
                            c->against, error));
    }
    for (size_t i = 0; i < columns; i++) {
        copy_column(results, i, one);
        for (size_t j = i; j < columns; j++) {
            hs_wilcoxon *pair = &c->wilcoxon[i * columns + j],
                        *other_way = &c->wilcoxon[j * columns + i];
            copy_column(results, j, other);
            HS_TRY(hs_wilcoxon_test(one, other, rows, request->keep_zeros, pair, error));
            /* With the two exchanged: all ranks but those of zeros that were kept and of the
             * positive. */
            double zeros = request->keep_zeros ? (double)pair->zeros : 0,
                   n = (double)pair->n + zeros, v = pair->v;
            *other_way = *pair;
            other_way->v = n * (n + 1) / 2 - zeros * (zeros + 1) / 2 - v;
        }
    }
    if (request->covariate)
        HS_NEED(c->correlation = HS_NEW(hs_correlation, columns));
    for (size_t i = 0; i < columns && request->covariate; i++) {
        copy_column(results, i, one);
        c->correlation[i] = hs_pearson(one, request->covariate, rows);
    }
    *out = made;
    made = (hs_comparison){0};
    return HSEL_OK;
}

bool hs_next_group(const hs_comparison *comparison, hs_group *group)
{
    const double *rank = comparison->mean_rank;
    const size_t *order = comparison->order;
    size_t columns = comparison->request.results.columns, reached = group->last;
    for (size_t first = reached ? group->first + 1 : 0; first < columns; first++) {
        size_t last = first > reached ? first : reached;
        while (last + 1 < columns && rank[order[last + 1]] - rank[order[first]] <
                                         comparison->friedman.critical_difference)
            last++;
        if (last > first && last > reached) {
            *group = (hs_group){first, last};
            return true;
        }
    }
    return false;
}

/* ---- in words ---- */

const char *hs_p_text(double p, bool sentence, char out[32])
{
    const char *equal = sentence ? "p = " : "";
    if (isnan(p))
        snprintf(out, 32, "%s–", equal);
    else if (p < SMALLEST_P)
        snprintf(out, 32, sentence ? "p < 2.2e-16" : "<2.2e-16");
    else
        hs_print(out, 32, p < 0.0001 ? "%s%.1e" : "%s%.4f", equal, p);
    return out;
}

static void say_f(const hs_comparison *c, hs_buf *out)
{
    size_t k = c->request.results.columns;
    char text[32];
    hs_buf_printf(out, "F(%zu, %zu) = ", k - 1, (k - 1) * (c->friedman.rows - 1));
    if (isinf(c->friedman.f))
        hs_buf_text(out, "infinite");
    else
        hs_buf_printf(out, "%.3f", c->friedman.f);
    hs_buf_printf(out, ", %s", hs_p_text(c->friedman.p_f, true, text));
}

/* An item of an enumeration, with the comma or the "and" that it needs. */
static void say_item(hs_buf *out, const char *text, size_t number, size_t count)
{
    hs_buf_printf(out, "%s%s", number == 0 ? "" : number + 1 < count ? ", " : " and ", text);
}

static const char *method_at(const hs_comparison *c, size_t place)
{
    return c->request.methods[c->order[place]];
}

void hs_comparison_words(const hs_comparison *c, hs_buf *out)
{
    size_t columns = c->request.results.columns, told = 0,
           left_out = c->request.results.rows - c->complete_rows, best = 1, groups = 0;
    bool rejected = c->friedman.p_f <= c->request.alpha, all = false; /* one group has all */
    if (columns < 2) {
        hs_buf_text(out, "There is nothing to compare with only one method.");
        return;
    }
    if (!c->tested) {
        hs_buf_printf(out,
                      "Too little for a test over all methods: it needs two data sets or more on "
                      "which every method has a result, and there %s %zu.",
                      c->complete_rows == 1 ? "is" : "are", c->complete_rows);
        return;
    }
    while (best < columns && c->mean_rank[c->order[best]] == c->mean_rank[c->order[0]])
        best++;
    for (size_t i = 0; i < best; i++)
        say_item(out, method_at(c, i), i, best);
    hs_buf_printf(out, " %s the best mean rank (%.2f) over %zu data sets",
                  best > 1 ? "share" : "has", c->mean_rank[c->order[0]], c->complete_rows);
    if (left_out)
        hs_buf_printf(out, "; %zu more lack%s a result of some method and %s not counted", left_out,
                      left_out == 1 ? "s" : "", left_out == 1 ? "is" : "are");
    hs_buf_printf(out, ". Friedman's test %s that all methods perform alike (",
                  rejected ? "rejects" : "does not reject");
    say_f(c, out);
    hs_buf_text(out, rejected ? ")." : "): what follows may be chance.");
    if (c->against) {
        size_t count[2] = {0}; /* better, worse */
        for (size_t i = 0; i < columns; i++)
            count[c->against[i].z < 0] += c->against[i].rejected;
        hs_buf_printf(out, " By Holm's procedure%s the control %s is ",
                      c->request.one_sided ? " (one-sided)" : "",
                      c->request.methods[c->request.control]);
        if (count[0] + count[1] == 0)
            hs_buf_printf(out, "not significantly better than any other method%s",
                          c->request.one_sided ? "" : ", nor worse");
        for (int worse = 0; worse < 2; worse++) {
            if (count[worse])
                hs_buf_printf(out, "%ssignificantly %s than ", worse && count[0] ? ", and " : "",
                              worse ? "worse" : "better");
            for (size_t i = 0, item = 0; i < columns; i++) {
                const hs_against *one = &c->against[c->order[i]];
                if (one->rejected && (one->z < 0) == worse)
                    say_item(out, method_at(c, i), item++, count[worse]);
            }
        }
        hs_buf_text(out, ".");
    }
    for (hs_group g = {0}; hs_next_group(c, &g); groups++)
        all |= g.last - g.first + 1 == columns;
    hs_buf_printf(out, " By Nemenyi's test (critical difference %.2f) ",
                  c->friedman.critical_difference);
    if (groups == 0 || all) {
        hs_buf_printf(out, "%s two methods differ significantly.", all ? "no" : "any");
        return;
    }
    hs_buf_text(out, "these do not differ significantly: ");
    for (hs_group g = {0}; told < MOST_GROUPS && hs_next_group(c, &g); told++) {
        size_t count = g.last - g.first + 1;
        hs_buf_text(out, told ? "; " : "");
        if (count > LONGEST_LIST) /* the table has them all, in this order */
            hs_buf_printf(out, "the %zu from %s to %s", count, method_at(c, g.first),
                          method_at(c, g.last));
        for (size_t i = 0; i < count && count <= LONGEST_LIST; i++)
            say_item(out, method_at(c, g.first + i), i, count);
    }
    if (groups > MOST_GROUPS)
        hs_buf_printf(out, "; and %zu more such group%s", groups - MOST_GROUPS,
                      groups == MOST_GROUPS + 1 ? "" : "s");
    hs_buf_text(out, ".");
}

/* ---- as text ---- */

/* Of each pair the one that ranks better stands first, but for the control, which always does. */
static void pair_row(hs_doc_grid *grid, const hs_comparison *c, size_t a, size_t b)
{
    const hs_wilcoxon *w = &c->wilcoxon[a * c->request.results.columns + b];
    hs_document *doc = grid->doc;
    uint32_t count[3]; /* wins, ties, losses */
    hs_duel(&c->request.results, a, b, c->request.tolerance, &count[0], &count[1], &count[2]);
    HS_ROW(grid, c->request.methods[a], c->request.methods[b], hs_say(doc, "%u", count[0]),
           hs_say(doc, "%u", count[1]), hs_say(doc, "%u", count[2]), hs_say(doc, "%.1f", w->v),
           hs_p_value(doc, w->p, false),
           w->n == 0  ? HS_NOTHING
           : w->exact ? "exact"
                      : "normal");
}

int hs_comparison_print(const hs_comparison *c, hs_writer *out, hsel_error *error)
{
    const hs_comparison_request *request = &c->request;
    const hs_friedman *f = &c->friedman;
    size_t columns = request->results.columns;
    size_t control = request->control < columns ? request->control : c->order[0];
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    hs_doc_grid ranks = {.doc = &doc, .columns = c->against ? 7 : 3, .left = 1},
                pairs = {.doc = &doc, .columns = 8, .left = 2},
                correlation = {.doc = &doc, .columns = 4, .left = 1};
    hs_writer_for_people(out);
    HS_ROW(&ranks, "method", "mean rank", "wins");
    if (c->against)
        HS_ROW(&ranks, "z", "p", "Holm p", "differs");
    for (size_t i = 0; i < columns; i++) {
        size_t m = c->order[i];
        hs_putf(&ranks, "%s%s", request->methods[m], m == request->control ? " (control)" : "");
        HS_ROW(&ranks, hs_decimal(&doc, c->mean_rank[m], 3), hs_say(&doc, "%u", c->wins[m]));
        if (c->against && m == request->control)
            HS_ROW(&ranks, HS_NOTHING, HS_NOTHING, HS_NOTHING, HS_NOTHING);
        else if (c->against)
            HS_ROW(&ranks, hs_say(&doc, "%.3f", c->against[m].z),
                   hs_p_value(&doc, c->against[m].p, false),
                   hs_p_value(&doc, c->against[m].adjusted, false),
                   c->against[m].rejected ? "yes" : "no");
    }
    HS_TRY(hs_grid_print(&ranks, out, error));
    if (c->tested) {
        hs_buf_printf(&text, "\nFriedman             chi2(%zu) = %.3f, %s", columns - 1, f->chi2,
                      hs_p_value(&doc, f->p_chi2, true));
        if (f->chi2_ties > f->chi2 + 0.0005)
            hs_buf_printf(&text, "; corrected for ties %.3f, %s", f->chi2_ties,
                          hs_p_value(&doc, f->p_ties, true));
        hs_buf_text(&text, "\nIman-Davenport       ");
        say_f(c, &text);
        hs_buf_printf(&text, "\ncritical difference  %.3f (Nemenyi, q = %.3f, alpha = %g)\n",
                      f->critical_difference, f->q, request->alpha);
        HS_NEED(!text.failed);
        hs_writer_text(out, text.text);
        text.length = 0;
    }
    HS_ROW(&pairs, "method", "against", "wins", "ties", "losses", "V", "Wilcoxon p", "by");
    for (size_t i = 0; i < columns; i++)
        if (c->order[i] != control)
            pair_row(&pairs, c, control, c->order[i]);
    for (size_t i = 0; i < columns && request->all_pairs; i++)
        for (size_t j = i + 1; j < columns; j++)
            if (c->order[i] != control && c->order[j] != control)
                pair_row(&pairs, c, c->order[i], c->order[j]);
    if (columns > 1) {
        hs_writer_char(out, '\n');
        HS_TRY(hs_grid_print(&pairs, out, error));
    }
    if (c->correlation) {
        HS_ROW(&correlation, "method", "Pearson r", "p", "data sets");
        for (size_t i = 0; i < columns; i++) {
            const hs_correlation *one = &c->correlation[c->order[i]];
            HS_ROW(&correlation, method_at(c, i), hs_decimal(&doc, one->r, 3),
                   hs_p_value(&doc, one->p, false), hs_say(&doc, "%zu", one->n));
        }
        hs_writer_printf(out, "\nCorrelation with %s\n", request->covariate_name);
        HS_TRY(hs_grid_print(&correlation, out, error));
    }
    hs_comparison_words(c, &text);
    HS_NEED(!text.failed);
    hs_writer_char(out, '\n');
    hs_put_wrapped(out, text.text, LINE_WIDTH, 0);
    return HSEL_OK;
}

/* ---- as JSON: everything that was computed, methods in order of mean rank ---- */

int hs_comparison_json(const hs_comparison *c, hs_json *json, hsel_error *error)
{
    const hs_comparison_request *request = &c->request;
    const hs_friedman *f = &c->friedman;
    size_t columns = request->results.columns, rows = request->results.rows;
    HS_OWNS(hs_buf_clear) hs_buf words = {0};
    hs_comparison_words(c, &words);
    HS_NEED(!words.failed);
    hs_json_put(json, "{datasets:[");
    for (size_t r = 0; r < rows; r++)
        hs_json_text(json, request->datasets[r]);
    hs_json_put(json,
                "] complete_datasets:%zu lower_is_better:%d control:%s alpha:%g tolerance:%g "
                "one_sided:%d keep_zeros:%d covariate:%s methods:[",
                c->complete_rows, request->results.lower_is_better,
                request->control < columns ? request->methods[request->control] : NULL,
                request->alpha, request->tolerance, request->one_sided, request->keep_zeros,
                request->covariate ? request->covariate_name : NULL);
    for (size_t i = 0; i < columns; i++) {
        size_t m = c->order[i];
        hs_json_put(json, "{method:%s mean_rank:%g wins:%u ranks:[", request->methods[m],
                    c->mean_rank[m], c->wins[m]);
        for (size_t r = 0; r < rows; r++)
            hs_json_double(json, c->rank[r * columns + m]);
        hs_json_end_array(json);
        if (c->against && m != request->control)
            hs_json_put(json, "against_control:{z:%g p:%g holm_p:%g differs:%d}", c->against[m].z,
                        c->against[m].p, c->against[m].adjusted, c->against[m].rejected);
        if (c->correlation)
            hs_json_put(json, "correlation:{r:%g p:%g datasets:%zu}", c->correlation[m].r,
                        c->correlation[m].p, c->correlation[m].n);
        hs_json_end_object(json);
    }
    hs_json_put(json, "] tested:%d", c->tested);
    if (c->tested)
        hs_json_put(json,
                    "friedman:{chi2:%g p:%g df:%zu chi2_ties:%g p_ties:%g} "
                    "iman_davenport:{f:%g p:%g df1:%zu df2:%zu} "
                    "nemenyi:{q:%g critical_difference:%g groups:[",
                    f->chi2, f->p_chi2, columns - 1, f->chi2_ties, f->p_ties, f->f, f->p_f,
                    columns - 1, (columns - 1) * (f->rows - 1), f->q, f->critical_difference);
    for (hs_group g = {0}; c->tested && hs_next_group(c, &g);) {
        hs_json_array(json);
        for (size_t i = g.first; i <= g.last; i++)
            hs_json_text(json, method_at(c, i));
        hs_json_end_array(json);
    }
    hs_json_put(json, c->tested ? "]} pairs:[" : "pairs:[");
    for (size_t i = 0; i < columns; i++)
        for (size_t j = i + 1; j < columns; j++) {
            size_t a = c->order[i], b = c->order[j];
            const hs_wilcoxon *w = &c->wilcoxon[a * columns + b];
            uint32_t wins, ties, losses;
            hs_duel(&request->results, a, b, request->tolerance, &wins, &ties, &losses);
            hs_json_put(json,
                        "{method:%s against:%s wins:%u ties:%u losses:%u wilcoxon_v:%g "
                        "wilcoxon_p:%g exact:%d differences:%zu zeros:%zu}",
                        request->methods[a], request->methods[b], wins, ties, losses, w->v, w->p,
                        w->exact, w->n, w->zeros);
        }
    hs_json_put(json, "] words:%s}", words.text);
    return HSEL_OK;
}
