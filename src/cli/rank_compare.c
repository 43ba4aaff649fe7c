/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ranking data sets one after the other, so that the scores of one at a time are in memory, and
 * comparing the rankers by Kendall's tau.
 */
#include "cli/rank_compare.h"

#include <string.h>

#include "core/mem.h"
#include "evaluate/crossval.h"
#include "rank/rank.h"
#include "report/rankings.h"
#include "report/writers.h"

const hs_option hs_rank_compare_table[] = {
    HS_FLAG(hs_rank_compare_options, compare, "compare",
            "show how alike the rankings are instead of the features: Kendall's tau between every "
            "two rankers (default: those of the TBFS paper), of several DATA also mean and spread"),
    HS_CHOICE(hs_rank_compare_options, tau, "tau", "b|a", "b",
              "tau-b on scores with their ties, or tau-a on orders without ties"),
    HS_CHOICE(hs_rank_compare_options, ties, "ties", "index|weka", "index",
              "order of equal scores for tau-a: by index, or as WEKA's Ranker has them"),
    HS_OPTION(hs_rank_compare_options, draws, "draws", "N", "10", 0, 100000,
              "random matrices for each of several data sets, to measure distances against"),
    HS_OPTION(hs_rank_compare_options, seed, "seed", "N", "1", 0, 9007199254740992,
              "seed of the random matrices"),
    HS_TEXT(hs_rank_compare_options, plot, "plot", "FILE.svg", NULL,
            "draw the matrix, or the mean of several, as a heat map; data and script are kept "
            "beside it"),
    HS_FILE(hs_rank_compare_options, html, "html", "FILE.html", HS_WRITES,
            "write a page with all matrices as tables and heat maps"),
    HS_TEXT(hs_rank_compare_options, gnuplot, "gnuplot", "PROGRAM", "gnuplot",
            "program that draws heat maps"),
    HS_OPTION_END};

static const char *const paper[] = {"chi2", "gr",  "ig",  "relieff", "relieff-w", "su",
                                    "f",    "or",  "pow", "pr",      "gi",        "mi",
                                    "ks",   "dev", "gm",  "auc",     "prc"};

struct comparing {
    const hs_call *call;
    const hs_rank_compare_options *options;
    const hs_load_options *load;
    const char *charts; /* folder for those of the page */
    hs_arena arena;
    hs_method_list list;
    hs_rankings rankings;
};

/* ---- ranking ---- */

static int name_rankers(struct comparing *c, hsel_error *error)
{
    const char **names = hs_arena_zero(&c->arena, c->list.count, sizeof *names);
    if (!names)
        return hs_fail_memory(error);
    for (size_t i = 0; i < c->list.count; i++) {
        hs_buf text = {0};
        hs_chosen_format(&c->list.items[i], &text);
        names[i] = text.failed ? NULL : hs_arena_text(&c->arena, text.text, text.length);
        hs_buf_clear(&text);
        if (!names[i])
            return hs_fail_memory(error);
    }
    c->rankings.rankers = names;
    c->rankings.ranker_count = c->list.count;
    return HSEL_OK;
}

static int score(const struct comparing *c, const hsel_dataset *data, double *const *scores,
                 hsel_error *error)
{
    hs_counts counts = {0};
    hs_training training = {.view = hs_view_all(data),
                            .counts = &counts,
                            .seed = c->options->seed,
                            .threads = c->load->threads};
    int status = hs_counts_of(&training.view, &counts, error);
    if (status == HSEL_OK)
        status = hs_rank_features(&training, c->list.items, c->list.count, scores, error);
    hs_counts_clear(&counts);
    return status;
}

static int rank_data(struct comparing *c, const hsel_dataset *data, hs_ranked_data *out,
                     hsel_error *error)
{
    size_t rankers = c->list.count, features = data->features;
    double *values = HS_NEW_ZERO(double, rankers *features);
    double **scores = HS_NEW(double *, rankers);
    out->name = hs_arena_text(&c->arena, hsel_dataset_name(data), strlen(hsel_dataset_name(data)));
    out->features = data->features;
    out->matrix = HS_ARENA_NEW(&c->arena, double, rankers *rankers);
    int status = values && scores && out->name && out->matrix ? HSEL_OK : hs_fail_memory(error);
    for (size_t i = 0; i < rankers && status == HSEL_OK; i++)
        scores[i] = values + i * features;
    if (status == HSEL_OK)
        status = score(c, data, scores, error);
    if (status == HSEL_OK)
        status = hs_tau_matrix((const double *const *)scores, rankers, data->features,
                               c->rankings.kind, c->load->threads, out->matrix, error);
    hs_free(values);
    hs_free(scores);
    return status;
}

static int rank_all(struct comparing *c, hsel_error *error)
{
    size_t sets = (size_t)c->call->count;
    int status = HSEL_OK;
    if (!(c->rankings.data = hs_arena_zero(&c->arena, sets, sizeof *c->rankings.data)))
        return hs_fail_memory(error);
    for (size_t d = 0; d < sets && status == HSEL_OK; d++) {
        hsel_dataset *data = NULL;
        status = hs_load_for(c->call, c->call->arguments[d], c->load, &data, error);
        for (size_t i = 0; i < c->list.count && status == HSEL_OK; i++)
            status = hs_check_method(data, c->list.items[i].method, error);
        if (status == HSEL_OK)
            status = rank_data(c, data, &c->rankings.data[c->rankings.data_count++], error);
        hsel_dataset_free(data);
    }
    return status;
}

/* ---- showing ---- */

static int print_text(const hs_rankings *rankings, hs_writer *out, hsel_error *error)
{
    hs_writer_for_people(out);
    hs_charts none = {0};
    hs_document doc = {0};
    int status = hs_rankings_document(rankings, &none, &doc, error);
    if (status == HSEL_OK)
        status = hs_write_text(&doc, out, error);
    hs_document_clear(&doc);
    return status;
}

static int print(const hs_rankings *rankings, hs_rank_format format, const char *output,
                 hsel_error *error)
{
    hs_writer *out = NULL;
    int status = hs_writer_open(output ? output : "-", &out, error);
    if (status)
        return status;
    if (format == HS_RANK_JSON)
        hs_rankings_json(rankings, out);
    else if (format == HS_RANK_CSV)
        hs_rankings_csv(rankings, out);
    else
        status = print_text(rankings, out, error);
    if (status == HSEL_OK)
        return hs_writer_commit(out, error);
    hs_writer_abandon(out);
    return status;
}

static void note_missing(const struct comparing *c, const hs_charts *charts)
{
    if (charts->drawn < charts->wanted)
        hs_note(c->call, "%zu of %zu heat maps are missing: %s", charts->wanted - charts->drawn,
                charts->wanted, charts->problem);
}

static int write_page(const struct comparing *c, const char *path, hsel_error *error)
{
    hs_document doc = {0};
    hs_writer *out = NULL;
    hs_charts charts = {.folder = c->charts, .gnuplot = c->options->gnuplot};
    int status = hs_rankings_document(&c->rankings, &charts, &doc, error);
    if (status == HSEL_OK)
        status = hs_writer_open(path, &out, error);
    if (status == HSEL_OK)
        status = hs_write_html(&doc, out, error);
    if (status == HSEL_OK)
        status = hs_writer_commit(out, error);
    else
        hs_writer_abandon(out);
    if (status == HSEL_OK)
        note_missing(c, &charts);
    hs_document_clear(&doc);
    return status;
}

/* "maps/tau.svg": folder and name. Names stand in gnuplot's script, so they are plain. */
static int draw_map(const struct comparing *c, const char *path, hsel_error *error)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strspn(name, plain);
    hs_document doc = {0};
    if (length == 0 || length > 200 || strcmp(name + length, ".svg") != 0)
        return hs_fail(error, HSEL_EUSAGE,
                       "--plot needs a file of letters, digits, - and _ that ends in .svg, not "
                       "'%.200s'",
                       name);
    const char *folder = slash == path ? "/" : hs_say(&doc, "%.*s", (int)(name - path), path);
    hs_charts charts = {.folder = slash ? folder : ".", .gnuplot = c->options->gnuplot};
    int status = hs_rankings_heat_map(&c->rankings, &charts,
                                      hs_say(&doc, "%.*s", (int)length, name), &doc, error);
    if (status == HSEL_OK)
        status = hs_document_check(&doc, error);
    if (status == HSEL_OK)
        note_missing(c, &charts);
    hs_document_clear(&doc);
    return status;
}

/* ---- */

static hs_tau_kind kind_of(const hs_rank_compare_options *options)
{
    return options->tau == 0 ? HS_TAU_B : options->ties == 0 ? HS_TAU_A_INDEX : HS_TAU_A_WEKA;
}

int hs_rank_compare(const hs_call *call, const hs_rank_compare_options *options,
                    const hs_load_options *load, const hs_list *by, hs_rank_format format,
                    const char *output, hsel_error *error)
{
    struct comparing c = {.call = call, .options = options, .load = load};
    const hs_list usual = {.items = (const char **)(uintptr_t)paper,
                           .count = sizeof paper / sizeof paper[0]};
    static const char *const beside_plot[] = {".tsv", ".gp", NULL};
    c.rankings.kind = kind_of(options);
    int status =
        options->plot ? hs_claim_written(call, options->plot, beside_plot, error) : HSEL_OK;
    if (status == HSEL_OK && options->html)
        status = hs_claim_charts(call, options->html, &c.charts, error);
    if (status == HSEL_OK)
        status = hs_method_list_parse(by->count ? by : &usual, HS_RANKER, NULL, &c.arena, &c.list,
                                      error);
    if (status == HSEL_OK && c.list.count < 2)
        status = hs_fail(error, HSEL_EUSAGE, "--compare needs two rankers or more: --by auc,ks");
    if (status == HSEL_OK)
        status = name_rankers(&c, error);
    if (status == HSEL_OK)
        status = rank_all(&c, error);
    if (status == HSEL_OK)
        status =
            hs_rankings_sum_up(&c.rankings, options->draws, options->seed, load->threads, error);
    if (status == HSEL_OK && options->plot)
        status = draw_map(&c, options->plot, error);
    if (status == HSEL_OK && options->html)
        status = write_page(&c, options->html, error);
    if (status == HSEL_OK)
        status = print(&c.rankings, format, output, error);
    hs_rankings_clear(&c.rankings);
    hs_method_list_clear(&c.list);
    hs_arena_clear(&c.arena);
    return status;
}
