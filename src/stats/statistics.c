/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The statistics of a comparison, one after the other: their computation and their output in
 * tables, text and JSON. Sentences are built from the tests and state their certainty; every number
 * in them is also in the tables.
 */
#include "stats/statistics.h"

#include "infer/tests.h"

#define MOST_GROUPS  8
#define LONGEST_LIST 6       /* methods of a group that are all named */
#define SMALLEST_P   2.2e-16 /* below, digits mean nothing; R's limit */

/* ---- what they share ---- */

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

void hs_number_cell(double number, int decimals, hs_stat_cell *out)
{
    out->none = isnan(number);
    hs_print(out->text, sizeof out->text, out->none ? "–" : "%.*f", decimals, number);
}

void hs_p_cell(double p, hs_stat_cell *out)
{
    char text[32];
    snprintf(out->text, sizeof out->text, "%s", hs_p_text(p, false, text));
}

static void count_cell(size_t count, hs_stat_cell *out)
{
    snprintf(out->text, sizeof out->text, "%zu", count);
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

static void copy_column(const hs_results *results, size_t column, double *out)
{
    for (size_t r = 0; r < results->rows; r++)
        out[r] = results->value[r * results->columns + column];
}

static bool is_tested(const hs_comparison *c) { return c->tested; }

#define STATISTIC(id, title_, help_, citation_, ...)                                               \
    const hs_method hs_method_statistic_##id = {.kind = HS_STATISTIC,                              \
                                                .name = #id,                                       \
                                                .title = title_,                                   \
                                                .help = help_,                                     \
                                                .citation = citation_,                             \
                                                .statistic = &(const hs_statistic){__VA_ARGS__}};

/* A cell of method a, or of a against b, by one call. */
#define CELL(name, call)                                                                           \
    static void name(const hs_comparison *c, size_t a, size_t b, hs_stat_cell *out)                \
    {                                                                                              \
        (void)b;                                                                                   \
        call;                                                                                      \
    }

/* ---- ranks ---- */

static int make_ranks(hs_comparison *c, hsel_error *error)
{
    const hs_results *results = &c->request.results;
    size_t columns = results->columns;
    c->wins = HS_NEW(uint32_t, columns);
    c->order = HS_NEW(uint32_t, columns);
    HS_NEED(c->wins && c->order);
    HS_TRY(hs_ranks_of(results, &c->ranks, error));
    hs_wins(results, c->request.tolerance, c->wins);
    hs_order_all(c->ranks.mean, HS_UPWARDS, c->order, columns);
    c->tested = hs_can_test(&c->ranks);
    return HSEL_OK;
}

CELL(rank_cell, hs_number_cell(c->ranks.mean[a], 3, out))
CELL(wins_cell, count_cell(c->wins[a], out))

static void say_ranks(const hs_comparison *c, hs_buf *out)
{
    size_t columns = c->request.results.columns,
           left_out = c->request.results.rows - c->ranks.complete, best = 1;
    while (best < columns && c->ranks.mean[c->order[best]] == c->ranks.mean[c->order[0]])
        best++;
    for (size_t i = 0; i < best; i++)
        say_item(out, method_at(c, i), i, best);
    hs_buf_printf(out, " %s the best mean rank (%.2f) over %zu data sets",
                  best > 1 ? "share" : "has", c->ranks.mean[c->order[0]], c->ranks.complete);
    if (left_out)
        hs_buf_printf(out, "; %zu more lack%s a result of some method and %s not counted", left_out,
                      left_out == 1 ? "s" : "", left_out == 1 ? "is" : "are");
    hs_buf_text(out, ".");
}

static void put_ranks(const hs_comparison *c, size_t m, hs_json *json)
{
    hs_json_put(json, "mean_rank:%g wins:%u ranks:[", c->ranks.mean[m], c->wins[m]);
    for (size_t r = 0; r < c->request.results.rows; r++)
        hs_json_double(json, c->ranks.rank[r * c->request.results.columns + m]);
    hs_json_end_array(json);
}

static const hs_stat_column rank_columns[] = {{"mean rank", HS_IN_METHODS, rank_cell},
                                              {"average rank", HS_IN_TESTS, rank_cell},
                                              {"wins", HS_IN_METHODS | HS_IN_TESTS, wins_cell},
                                              {0}};

STATISTIC(ranks, "mean ranks and wins of each method",
          "The rank of each method on each data set, 1 for the best, ties sharing the mean rank; "
          "its mean over the data sets on which every method has a result, and the number of these "
          "on which it is the best.",
          "Demšar (2006), JMLR 7:1-30, section 3.2.2", .make = make_ranks, .columns = rank_columns,
          .say = say_ranks, .put_method = put_ranks)

/* ---- Friedman ---- */

static int make_friedman(hs_comparison *c, hsel_error *error)
{
    if (!c->tested)
        return HSEL_OK;
    c->friedman = hs_friedman_test(&c->ranks, c->request.alpha);
    return hs_friedman_exact(&c->ranks, &c->friedman, error);
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

/* "exact p = 0.194"; nothing where p is that of F. */
static void say_exact(const hs_comparison *c, const char *before, hs_buf *out)
{
    char text[32];
    if (c->friedman.exact)
        hs_buf_printf(out, "%s%s %s", before, c->friedman.sampled ? "by permutations" : "exact",
                      hs_p_text(c->friedman.p, true, text));
}

static void friedman_lines(const hs_comparison *c, hs_buf *out)
{
    const hs_friedman *f = &c->friedman;
    char p[32];
    hs_buf_printf(out, "\nFriedman             chi2(%zu) = %.3f, %s",
                  c->request.results.columns - 1, f->chi2, hs_p_text(f->p_chi2, true, p));
    if (f->chi2_ties > f->chi2 + 0.0005)
        hs_buf_printf(out, "; corrected for ties %.3f, %s", f->chi2_ties,
                      hs_p_text(f->p_ties, true, p));
    hs_buf_text(out, "\nIman-Davenport       ");
    say_f(c, out);
    say_exact(c, "\nown distribution     ", out);
    hs_buf_text(out, "\n");
}

static void say_friedman(const hs_comparison *c, hs_buf *out)
{
    bool rejected = hs_rejects(c->friedman.p, c->request.alpha);
    hs_buf_printf(out, "Friedman's test %s that all methods perform alike (",
                  rejected ? "rejects" : "does not reject");
    if (c->friedman.exact)
        say_exact(c, "", out);
    else
        say_f(c, out);
    hs_buf_text(out, rejected ? ")." : "): what follows may be chance.");
}

static void note_friedman(const hs_comparison *c, hs_buf *out)
{
    const hs_friedman *f = &c->friedman;
    char p[32], q[32];
    hs_buf_printf(out, "Friedman χ² = %.3f (%s), Iman-Davenport F = %.3f (%s)", f->chi2,
                  hs_p_text(f->p_chi2, true, p), f->f, hs_p_text(f->p_f, true, q));
    say_exact(c, ", ", out);
    hs_buf_printf(out, ", %zu data sets;", f->rows);
}

static void put_friedman(const hs_comparison *c, hs_json *json)
{
    const hs_friedman *f = &c->friedman;
    const size_t freedom = c->request.results.columns - 1;
    hs_json_put(json,
                "friedman:{chi2:%g p:%g df:%zu chi2_ties:%g p_ties:%g p_exact:%g p_permutations:%g}"
                "iman_davenport:{f:%g p:%g df1:%zu df2:%zu}",
                f->chi2, f->p_chi2, freedom, f->chi2_ties, f->p_ties,
                f->exact && !f->sampled ? f->p : (double)NAN, f->sampled ? f->p : (double)NAN, f->f,
                f->p_f, freedom, freedom * (f->rows - 1));
}

STATISTIC(friedman, "Friedman's test that all methods are alike",
          "Friedman's chi-squared of the ranks, without and with correction for ties, and Iman and "
          "Davenport's F, which is less conservative; for up to 15 data sets, p by permutation "
          "(exact, or random permutations if there are too many). Uses the data sets on which "
          "every method has a result.",
          "Friedman (1937), JASA 32:675-701; Iman, Davenport (1980), Communications in Statistics "
          "9:571-595",
          .applies = is_tested, .make = make_friedman, .lines = friedman_lines, .say = say_friedman,
          .note = note_friedman, .put = put_friedman)

/* ---- Holm ---- */

static int make_holm(hs_comparison *c, hsel_error *error)
{
    const hs_comparison_request *request = &c->request;
    if (!c->tested || request->control >= request->results.columns)
        return HSEL_OK;
    HS_NEED(c->against = HS_NEW_ZERO(hs_against, request->results.columns));
    return hs_holm_test(&c->ranks, request->control, request->alpha, request->one_sided, c->against,
                        error);
}

static bool has_control(const hs_comparison *c) { return c->against; }

CELL(z_cell, hs_number_cell(c->against[a].z, 3, out))
CELL(z_p_cell, hs_p_cell(c->against[a].p, out))

static void holm_cell(const hs_comparison *c, size_t m, size_t b, hs_stat_cell *out)
{
    (void)b;
    hs_p_cell(c->against[m].adjusted, out);
    out->bold = c->against[m].rejected;
}

CELL(differs_cell, strcpy(out->text, c->against[a].rejected ? "yes" : "no"))

static void say_holm(const hs_comparison *c, hs_buf *out)
{
    size_t columns = c->request.results.columns, count[2] = {0}; /* better, worse */
    for (size_t i = 0; i < columns; i++)
        count[c->against[i].z < 0] += c->against[i].rejected;
    hs_buf_printf(out, "By Holm's procedure%s the control %s is ",
                  c->request.one_sided ? " (one-sided)" : "",
                  c->request.methods[c->request.control]);
    if (count[0] + count[1] == 0)
        hs_buf_printf(out, "not significantly better than any other method%s",
                      c->request.one_sided ? "" : ", nor worse");
    for (int worse = 0; worse < 2; worse++) {
        if (count[worse])
            hs_buf_printf(out, "%ssignificantly %s than ", worse && count[0] ? ", and " : "",
                          worse ? "worse" : "better");
        for (size_t i = 0, told = 0; i < columns; i++) {
            const hs_against *one = &c->against[c->order[i]];
            if (one->rejected && (one->z < 0) == worse)
                say_item(out, method_at(c, i), told++, count[worse]);
        }
    }
    hs_buf_text(out, ".");
}

static void put_holm(const hs_comparison *c, size_t m, hs_json *json)
{
    const hs_against *one = &c->against[m];
    if (m != c->request.control)
        hs_json_put(json, "against_control:{z:%g p:%g holm_p:%g differs:%d}", one->z, one->p,
                    one->adjusted, one->rejected);
}

static const hs_stat_column holm_columns[] = {
    {"z", HS_IN_METHODS | HS_IN_TESTS | HS_OF_CONTROL, z_cell},
    {"p", HS_IN_METHODS | HS_IN_TESTS | HS_OF_CONTROL, z_p_cell},
    {"Holm p", HS_IN_METHODS | HS_IN_TESTS | HS_OF_CONTROL, holm_cell},
    {"differs", HS_IN_METHODS | HS_OF_CONTROL, differs_cell},
    {0}};

STATISTIC(holm, "Holm's test of each method against a control",
          "The difference of mean ranks from that of the control as a normal deviate, its p, and p "
          "adjusted by Holm for the number of methods. Needs a control.",
          "Holm (1979), Scandinavian Journal of Statistics 6:65-70; Demšar (2006), JMLR 7:1-30, "
          "section 3.2.2",
          .applies = has_control, .make = make_holm, .columns = holm_columns, .say = say_holm,
          .put_method = put_holm)

/* ---- Nemenyi ---- */

bool hs_next_group(const hs_comparison *comparison, hs_group *group)
{
    const double *rank = comparison->ranks.mean;
    const uint32_t *order = comparison->order;
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

static void nemenyi_lines(const hs_comparison *c, hs_buf *out)
{
    hs_buf_printf(out, "critical difference  %.3f (Nemenyi, q = %.3f, alpha = %g)\n",
                  c->friedman.critical_difference, c->friedman.q, c->request.alpha);
}

static void say_nemenyi(const hs_comparison *c, hs_buf *out)
{
    size_t groups = 0, told = 0;
    bool all = false; /* one group has every method */
    for (hs_group g = {0}; hs_next_group(c, &g); groups++)
        all |= g.last - g.first + 1 == c->request.results.columns;
    hs_buf_printf(out, "By Nemenyi's test (critical difference %.2f) ",
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

static void note_nemenyi(const hs_comparison *c, hs_buf *out)
{
    hs_buf_printf(out, "Nemenyi's critical difference is %.3f at level %g.",
                  c->friedman.critical_difference, c->request.alpha);
}

static void put_nemenyi(const hs_comparison *c, hs_json *json)
{
    hs_json_put(json, "nemenyi:{q:%g critical_difference:%g groups:[", c->friedman.q,
                c->friedman.critical_difference);
    for (hs_group g = {0}; hs_next_group(c, &g);) {
        hs_json_array(json);
        for (size_t i = g.first; i <= g.last; i++)
            hs_json_text(json, method_at(c, i));
        hs_json_end_array(json);
    }
    hs_json_put(json, "]}");
}

STATISTIC(
    nemenyi, "Nemenyi's critical difference of mean ranks",
    "Two methods differ significantly when their mean ranks are at least this far apart. Groups of "
    "methods without a significant difference are listed and joined in the diagram.",
    "Nemenyi (1963), PhD thesis, Princeton; Demšar (2006), JMLR 7:1-30, section 3.2.2",
    .applies = is_tested, .lines = nemenyi_lines, .say = say_nemenyi, .note = note_nemenyi,
    .put = put_nemenyi)

/* ---- Wilcoxon, with wins, ties and losses ---- */

static int make_wilcoxon(hs_comparison *c, hsel_error *error)
{
    const hs_results *results = &c->request.results;
    size_t rows = results->rows, columns = results->columns;
    HS_OWNED double *one = HS_NEW(double, rows), *other = HS_NEW(double, rows);
    HS_NEED(c->wilcoxon = HS_NEW_ZERO(hs_wilcoxon, columns * columns));
    HS_NEED(one && other);
    for (size_t i = 0; i < columns; i++) {
        copy_column(results, i, one);
        for (size_t j = i; j < columns; j++) {
            hs_wilcoxon pair;
            copy_column(results, j, other);
            HS_TRY(hs_wilcoxon_test(one, other, rows, c->request.keep_zeros, &pair, error));
            c->wilcoxon[i * columns + j] = pair;
            /* Exchanged: all ranks but those of zeros that were kept and of the positive. */
            double zeros = c->request.keep_zeros ? (double)pair.zeros : 0,
                   n = (double)pair.n + zeros;
            pair.v = n * (n + 1) / 2 - zeros * (zeros + 1) / 2 - pair.v;
            c->wilcoxon[j * columns + i] = pair;
        }
    }
    return HSEL_OK;
}

static const hs_wilcoxon *pair_of(const hs_comparison *c, size_t a, size_t b)
{
    return &c->wilcoxon[a * c->request.results.columns + b];
}

static hs_duel duel_of(const hs_comparison *c, size_t a, size_t b)
{
    return hs_duel_of(&c->request.results, a, b, c->request.tolerance);
}

CELL(duel_wins_cell, count_cell(duel_of(c, a, b).wins, out))
CELL(duel_ties_cell, count_cell(duel_of(c, a, b).ties, out))
CELL(duel_losses_cell, count_cell(duel_of(c, a, b).losses, out))

/* In a report the control is method b, and its wins are shown. */
static void duel_cell(const hs_comparison *c, size_t a, size_t b, hs_stat_cell *out)
{
    const hs_duel d = duel_of(c, b, a);
    snprintf(out->text, sizeof out->text, "%u/%u/%u", d.wins, d.ties, d.losses);
}

CELL(v_cell, hs_number_cell(pair_of(c, a, b)->v, 1, out))

static void pair_p_cell(const hs_comparison *c, size_t a, size_t b, hs_stat_cell *out)
{
    hs_p_cell(pair_of(c, a, b)->p, out);
    strcpy(out->exact, pair_of(c, a, b)->exact ? "exact" : "normal approximation");
}

static void by_cell(const hs_comparison *c, size_t a, size_t b, hs_stat_cell *out)
{
    const hs_wilcoxon *w = pair_of(c, a, b);
    strcpy(out->text, w->n == 0 ? "–" : w->exact ? "exact" : "normal");
}

static void put_pairs(const hs_comparison *c, hs_json *json)
{
    size_t columns = c->request.results.columns;
    hs_json_put(json, "pairs:[");
    for (size_t i = 0; i < columns; i++)
        for (size_t j = i + 1; j < columns; j++) {
            const hs_wilcoxon *w = pair_of(c, c->order[i], c->order[j]);
            const hs_duel d = duel_of(c, c->order[i], c->order[j]);
            hs_json_put(json,
                        "{method:%s against:%s wins:%u ties:%u losses:%u wilcoxon_v:%g "
                        "wilcoxon_p:%g exact:%d differences:%zu zeros:%zu}",
                        method_at(c, i), method_at(c, j), d.wins, d.ties, d.losses, w->v, w->p,
                        w->exact, w->n, w->zeros);
        }
    hs_json_end_array(json);
}

static void note_pairs(const hs_comparison *c, hs_buf *out)
{
    if (c->against)
        hs_buf_text(out, "Bold: differs significantly from the control. Wins, ties and losses are "
                         "the control's.");
}

static const hs_stat_column pair_columns[] = {
    {"wins", HS_IN_OWN, duel_wins_cell},
    {"ties", HS_IN_OWN, duel_ties_cell},
    {"losses", HS_IN_OWN, duel_losses_cell},
    {"wins/ties/losses", HS_IN_TESTS | HS_OF_CONTROL, duel_cell},
    {"V", HS_IN_OWN, v_cell},
    {"Wilcoxon p", HS_IN_OWN | HS_IN_TESTS | HS_OF_CONTROL, pair_p_cell},
    {"by", HS_IN_OWN, by_cell},
    {0}};

STATISTIC(wilcoxon, "Wilcoxon's signed-rank test of pairs of methods",
          "For two methods, the number of data sets on which each is better, and Wilcoxon's V and "
          "p, two-sided and not corrected for the number of pairs: exact for fewer than 50 "
          "differences without ties, else by the normal distribution.",
          "Wilcoxon (1945), Biometrics Bulletin 1:80-83; as R's wilcox.test", .make = make_wilcoxon,
          .columns = pair_columns, .rows = HS_ROW_PER_PAIR, .note = note_pairs, .put = put_pairs)

/* ---- Pearson ---- */

static int make_pearson(hs_comparison *c, hsel_error *error)
{
    const hs_results *results = &c->request.results;
    HS_OWNED double *one = HS_NEW(double, results->rows);
    if (!c->request.covariate)
        return HSEL_OK;
    HS_NEED(c->correlation = HS_NEW(hs_correlation, results->columns));
    HS_NEED(one);
    for (size_t i = 0; i < results->columns; i++) {
        copy_column(results, i, one);
        c->correlation[i] = hs_pearson(one, c->request.covariate, results->rows);
    }
    return HSEL_OK;
}

static bool has_covariate(const hs_comparison *c) { return c->correlation; }

static void r_cell(const hs_comparison *c, size_t m, size_t b, hs_stat_cell *out)
{
    char text[32];
    (void)b;
    hs_number_cell(c->correlation[m].r, 3, out);
    if (!out->none)
        snprintf(out->exact, sizeof out->exact, "%s, %zu data sets",
                 hs_p_text(c->correlation[m].p, true, text), c->correlation[m].n);
}

CELL(r_p_cell, hs_p_cell(c->correlation[a].p, out))
CELL(r_n_cell, count_cell(c->correlation[a].n, out))

static void pearson_lines(const hs_comparison *c, hs_buf *out)
{
    hs_buf_printf(out, "\nCorrelation with %s\n", c->request.covariate_name);
}

static void put_pearson(const hs_comparison *c, size_t m, hs_json *json)
{
    const hs_correlation *r = &c->correlation[m];
    hs_json_put(json, "correlation:{r:%g p:%g datasets:%zu}", r->r, r->p, r->n);
}

static const hs_stat_column pearson_columns[] = {{"r with imbalance", HS_IN_TESTS, r_cell},
                                                 {"Pearson r", HS_IN_OWN, r_cell},
                                                 {"p", HS_IN_OWN, r_p_cell},
                                                 {"data sets", HS_IN_OWN, r_n_cell},
                                                 {0}};

STATISTIC(pearson, "correlation of results with a property of the data sets",
          "Pearson's r of the results of each method with a covariate, and its two-sided p by "
          "Student's t. In a report the covariate is the imbalance of the classes.",
          "Pearson (1895), Proceedings of the Royal Society 58:240-242", .applies = has_covariate,
          .make = make_pearson, .columns = pearson_columns, .lines = pearson_lines,
          .put_method = put_pearson)

/* ---- all of them ---- */

const hs_statistic *hs_next_statistic(const hs_comparison *comparison, size_t *at)
{
    for (const hs_method *method; (method = hs_method_at(*at));) {
        ++*at;
        if (method->kind == HS_STATISTIC &&
            (!method->statistic->applies || method->statistic->applies(comparison)))
            return method->statistic;
    }
    return NULL;
}

void hs_comparison_clear(hs_comparison *comparison)
{
    hs_ranks_clear(&comparison->ranks);
    HS_FREE(comparison->wins, comparison->order, comparison->wilcoxon, comparison->correlation,
            comparison->against);
    *comparison = (hs_comparison){0};
}

int hs_comparison_make(const hs_comparison_request *request, hs_comparison *out, hsel_error *error)
{
    const hs_method *method;
    int status = HSEL_OK;
    *out = (hs_comparison){.request = *request};
    for (size_t i = 0; status == HSEL_OK && (method = hs_method_at(i)); i++)
        if (method->kind == HS_STATISTIC && method->statistic->make)
            status = method->statistic->make(out, error);
    if (status)
        hs_comparison_clear(out);
    return status;
}

static void say_one(const hs_comparison *c, void (*say)(const hs_comparison *, hs_buf *),
                    hs_buf *out)
{
    HS_OWNS(hs_buf_clear) hs_buf own = {0};
    if (say)
        say(c, &own);
    if (own.length)
        hs_buf_printf(out, "%s%s", out->length ? " " : "", own.text);
    out->failed |= own.failed;
}

void hs_comparison_words(const hs_comparison *c, hs_buf *out)
{
    const hs_statistic *s;
    if (c->request.results.columns < 2)
        hs_buf_text(out, "There is nothing to compare with only one method.");
    else if (!c->tested)
        hs_buf_printf(out,
                      "Too little for a test over all methods: it needs two data sets or more on "
                      "which every method has a result, and there %s %zu.",
                      c->ranks.complete == 1 ? "is" : "are", c->ranks.complete);
    for (size_t i = 0; c->tested && (s = hs_next_statistic(c, &i));)
        say_one(c, s->say, out);
    if (c->tested && c->ranks.complete < HS_ENOUGH_DATA)
        hs_buf_printf(out, " Caution: %zu data sets are few for these tests (about %d are needed).",
                      c->ranks.complete, HS_ENOUGH_DATA);
}

void hs_comparison_note(const hs_comparison *c, hs_buf *out)
{
    const hs_statistic *s;
    for (size_t i = 0; (s = hs_next_statistic(c, &i));)
        say_one(c, s->note, out);
}
