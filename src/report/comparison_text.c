/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A comparison in words and as text for a terminal. Sentences are built from what was tested and
 * say how sure it is; a number in them is one of the tables.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/comparison.h"
#include "report/text_table.h"

#define LINE_WIDTH   100
#define MOST_GROUPS  8
#define LONGEST_LIST 6       /* methods of a group that are all named */
#define SMALLEST_P   2.2e-16 /* below, digits mean nothing; R's limit */

/* ---- numbers ---- */

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

static void put_p(hs_writer *out, double p)
{
    char text[32];
    hs_writer_text(out, hs_p_text(p, true, text));
}

static void put_f(hs_writer *out, const hs_comparison *c)
{
    size_t k = c->request.results.columns;
    hs_writer_printf(out, "F(%zu, %zu) = ", k - 1, (k - 1) * (c->friedman.rows - 1));
    if (isinf(c->friedman.f))
        hs_writer_text(out, "infinite");
    else
        hs_writer_printf(out, "%.3f", c->friedman.f);
    hs_writer_text(out, ", ");
    put_p(out, c->friedman.p_f);
}

/* ---- in words ---- */

/* Writes the items of an enumeration with the commas and the "and" that it needs. */
static void put_item(hs_writer *out, const char *text, size_t number, size_t count)
{
    hs_writer_text(out, number == 0 ? "" : number + 1 < count ? ", " : " and ");
    hs_writer_text(out, text);
}

static const char *method_at(const hs_comparison *c, size_t place)
{
    return c->request.methods[c->order[place]];
}

static void say_ranks(const hs_comparison *c, hs_writer *out)
{
    size_t columns = c->request.results.columns,
           left_out = c->request.results.rows - c->complete_rows, best = 1;
    while (best < columns && c->mean_rank[c->order[best]] == c->mean_rank[c->order[0]])
        best++;
    for (size_t i = 0; i < best; i++)
        put_item(out, method_at(c, i), i, best);
    hs_writer_printf(out, " %s the best mean rank (%.2f) over %zu data sets",
                     best > 1 ? "share" : "has", c->mean_rank[c->order[0]], c->complete_rows);
    if (left_out)
        hs_writer_printf(out, "; %zu more lack%s a result of some method and %s not counted",
                         left_out, left_out == 1 ? "s" : "", left_out == 1 ? "is" : "are");
    hs_writer_text(out, ".");
}

static void say_friedman(const hs_comparison *c, hs_writer *out)
{
    bool rejected = c->friedman.p_f <= c->request.alpha;
    hs_writer_printf(out, " Friedman's test %s that all methods perform alike (",
                     rejected ? "rejects" : "does not reject");
    put_f(out, c);
    hs_writer_text(out, rejected ? ")." : "): what follows may be chance.");
}

static void say_side(const hs_comparison *c, bool worse, size_t count, hs_writer *out)
{
    hs_writer_printf(out, "significantly %s than ", worse ? "worse" : "better");
    for (size_t i = 0, told = 0; i < c->request.results.columns; i++) {
        const hs_against *one = &c->against[c->order[i]];
        if (one->rejected && (one->z < 0) == worse)
            put_item(out, method_at(c, i), told++, count);
    }
}

static void say_holm(const hs_comparison *c, hs_writer *out)
{
    size_t better = 0, worse = 0;
    for (size_t i = 0; i < c->request.results.columns; i++) {
        better += c->against[i].rejected && c->against[i].z >= 0;
        worse += c->against[i].rejected && c->against[i].z < 0;
    }
    hs_writer_printf(out, " By Holm's procedure%s the control %s ",
                     c->request.one_sided ? " (one-sided)" : "",
                     c->request.methods[c->request.control]);
    if (better + worse == 0) {
        hs_writer_printf(out, "is not significantly better than any other method%s.",
                         c->request.one_sided ? "" : ", nor worse");
        return;
    }
    hs_writer_text(out, "is ");
    if (better)
        say_side(c, false, better, out);
    hs_writer_text(out, better && worse ? ", and " : "");
    if (worse)
        say_side(c, true, worse, out);
    hs_writer_text(out, ".");
}

struct group_words {
    const hs_comparison *comparison;
    hs_writer *out;
    size_t count;
    bool all; /* one group has every method */
};

static void look_at_group(void *context, size_t first, size_t last)
{
    struct group_words *words = context;
    words->count++;
    words->all |= last - first + 1 == words->comparison->request.results.columns;
}

static void say_group(void *context, size_t first, size_t last)
{
    struct group_words *words = context;
    size_t count = last - first + 1;
    if (words->count++ >= MOST_GROUPS)
        return;
    hs_writer_text(words->out, words->count > 1 ? "; " : "");
    if (count > LONGEST_LIST) { /* the table has them all, in this order */
        hs_writer_printf(words->out, "the %zu from %s to %s", count,
                         method_at(words->comparison, first), method_at(words->comparison, last));
        return;
    }
    for (size_t i = first; i <= last; i++)
        put_item(words->out, method_at(words->comparison, i), i - first, count);
}

static void say_nemenyi(const hs_comparison *c, hs_writer *out)
{
    struct group_words words = {.comparison = c, .out = out};
    hs_comparison_groups(c, look_at_group, &words);
    hs_writer_printf(out, " By Nemenyi's test (critical difference %.2f) ",
                     c->friedman.critical_difference);
    if (words.count == 0 || words.all) {
        hs_writer_printf(out, "%s two methods differ significantly.", words.all ? "no" : "any");
        return;
    }
    hs_writer_text(out, "these do not differ significantly: ");
    words.count = 0;
    hs_comparison_groups(c, say_group, &words);
    if (words.count > MOST_GROUPS)
        hs_writer_printf(out, "; and %zu more such group%s", words.count - MOST_GROUPS,
                         words.count == MOST_GROUPS + 1 ? "" : "s");
    hs_writer_text(out, ".");
}

void hs_comparison_words(const hs_comparison *c, hs_writer *out)
{
    size_t columns = c->request.results.columns;
    if (columns < 2) {
        hs_writer_text(out, "There is nothing to compare with only one method.");
    } else if (!c->tested) {
        hs_writer_printf(out,
                         "Too little for a test over all methods: it needs two data sets or more "
                         "on which every method "
                         "has a result, and there %s %zu.",
                         c->complete_rows == 1 ? "is" : "are", c->complete_rows);
    } else {
        say_ranks(c, out);
        say_friedman(c, out);
        if (c->against)
            say_holm(c, out);
        say_nemenyi(c, out);
    }
}

/* ---- as text ---- */

static void put_heading(hs_text_table *table, const char *const *heading)
{
    for (size_t i = 0; i < table->columns; i++)
        hs_table_cell(table, "%s", heading[i]);
}

static void holm_cells(hs_text_table *table, const hs_comparison *c, size_t m)
{
    char text[32];
    if (m == c->request.control) {
        for (int i = 0; i < 4; i++)
            hs_table_cell(table, "–");
        return;
    }
    hs_table_cell(table, "%.3f", c->against[m].z);
    hs_table_cell(table, "%s", hs_p_text(c->against[m].p, false, text));
    hs_table_cell(table, "%s", hs_p_text(c->against[m].adjusted, false, text));
    hs_table_cell(table, "%s", c->against[m].rejected ? "yes" : "no");
}

static int print_ranks(const hs_comparison *c, hs_arena *arena, hs_writer *out, hsel_error *error)
{
    static const char *const heading[] = {"method", "mean rank", "wins",   "z",
                                          "p",      "Holm p",    "differs"};
    hs_text_table table = {.arena = arena, .columns = c->against ? 7 : 3};
    put_heading(&table, heading);
    for (size_t i = 0; i < c->request.results.columns; i++) {
        size_t m = c->order[i];
        hs_table_cell(&table, "%s%s", c->request.methods[m],
                      m == c->request.control ? " (control)" : "");
        if (isnan(c->mean_rank[m]))
            hs_table_cell(&table, "–");
        else
            hs_table_cell(&table, "%.3f", c->mean_rank[m]);
        hs_table_cell(&table, "%u", c->wins[m]);
        if (c->against)
            holm_cells(&table, c, m);
    }
    return hs_table_print(&table, 1, out, error);
}

static void print_friedman(const hs_comparison *c, hs_writer *out)
{
    const hs_friedman *f = &c->friedman;
    hs_writer_printf(out, "\nFriedman             chi2(%zu) = %.3f, ",
                     c->request.results.columns - 1, f->chi2);
    put_p(out, f->p_chi2);
    if (f->chi2_ties > f->chi2 + 0.0005) {
        hs_writer_printf(out, "; corrected for ties %.3f, ", f->chi2_ties);
        put_p(out, f->p_ties);
    }
    hs_writer_text(out, "\nIman-Davenport       ");
    put_f(out, c);
    hs_writer_printf(out, "\ncritical difference  %.3f (Nemenyi, q = %.3f, alpha = %g)\n",
                     f->critical_difference, f->q, c->request.alpha);
}

static void pair_cells(hs_text_table *table, const hs_comparison *c, size_t a, size_t b)
{
    const hs_wilcoxon *w = &c->wilcoxon[a * c->request.results.columns + b];
    uint32_t wins, ties, losses;
    char text[32];
    hs_duel(&c->request.results, a, b, c->request.tolerance, &wins, &ties, &losses);
    hs_table_cell(table, "%s", c->request.methods[a]);
    hs_table_cell(table, "%s", c->request.methods[b]);
    hs_table_cell(table, "%u", wins);
    hs_table_cell(table, "%u", ties);
    hs_table_cell(table, "%u", losses);
    hs_table_cell(table, "%.1f", w->v);
    hs_table_cell(table, "%s", hs_p_text(w->p, false, text));
    hs_table_cell(table, "%s", w->n == 0 ? "–" : w->exact ? "exact" : "normal");
}

/* Of each pair the one that ranks better stands first, but for the control, which always does. */
static int print_pairs(const hs_comparison *c, hs_arena *arena, hs_writer *out, hsel_error *error)
{
    static const char *const heading[] = {"method", "against", "wins",       "ties",
                                          "losses", "V",       "Wilcoxon p", "by"};
    size_t columns = c->request.results.columns;
    size_t control = c->request.control < columns ? c->request.control : c->order[0];
    hs_text_table table = {.arena = arena, .columns = 8};
    put_heading(&table, heading);
    for (size_t i = 0; i < columns; i++)
        if (c->order[i] != control)
            pair_cells(&table, c, control, c->order[i]);
    for (size_t i = 0; i < columns && c->request.all_pairs; i++)
        for (size_t j = i + 1; j < columns; j++)
            if (c->order[i] != control && c->order[j] != control)
                pair_cells(&table, c, c->order[i], c->order[j]);
    hs_writer_char(out, '\n');
    return hs_table_print(&table, 2, out, error);
}

static int print_correlation(const hs_comparison *c, hs_arena *arena, hs_writer *out,
                             hsel_error *error)
{
    static const char *const heading[] = {"method", "Pearson r", "p", "data sets"};
    hs_text_table table = {.arena = arena, .columns = 4};
    char text[32];
    put_heading(&table, heading);
    for (size_t i = 0; i < c->request.results.columns; i++) {
        const hs_correlation *one = &c->correlation[c->order[i]];
        hs_table_cell(&table, "%s", method_at(c, i));
        if (isnan(one->r))
            hs_table_cell(&table, "–");
        else
            hs_table_cell(&table, "%.3f", one->r);
        hs_table_cell(&table, "%s", hs_p_text(one->p, false, text));
        hs_table_cell(&table, "%zu", one->n);
    }
    hs_writer_printf(out, "\nCorrelation with %s\n", c->request.covariate_name);
    return hs_table_print(&table, 1, out, error);
}

/* Lines of at most LINE_WIDTH columns, broken at blanks. */
static void put_wrapped(hs_writer *out, char *text)
{
    size_t column = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        size_t width = hs_text_width(word);
        bool fits = column + 1 + width <= LINE_WIDTH;
        if (column > 0)
            hs_writer_char(out, fits ? ' ' : '\n');
        column = column > 0 && fits ? column + 1 + width : width;
        hs_writer_text(out, word);
    }
    hs_writer_char(out, '\n');
}

static int print_words(const hs_comparison *c, hs_writer *out, hsel_error *error)
{
    hs_buf text = {0};
    hs_writer *memory = NULL;
    int status = hs_writer_open_memory(&text, &memory, error);
    if (status == HSEL_OK) {
        hs_comparison_words(c, memory);
        status = hs_writer_commit(memory, error);
    }
    if (status == HSEL_OK) {
        hs_writer_char(out, '\n');
        put_wrapped(out, text.text);
    }
    hs_buf_clear(&text);
    return status;
}

int hs_comparison_print(const hs_comparison *c, hs_writer *out, hsel_error *error)
{
    hs_writer_for_people(out);
    hs_arena arena = {0};
    int status = print_ranks(c, &arena, out, error);
    if (status == HSEL_OK && c->tested)
        print_friedman(c, out);
    if (status == HSEL_OK && c->request.results.columns > 1)
        status = print_pairs(c, &arena, out, error);
    if (status == HSEL_OK && c->correlation)
        status = print_correlation(c, &arena, out, error);
    if (status == HSEL_OK)
        status = print_words(c, out, error);
    hs_arena_clear(&arena);
    return status;
}
