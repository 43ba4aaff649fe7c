/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel rank: the features by their relevance to the class, best first, by any number of rankers
 * side by side; or how alike the rankings of several rankers are, on one data set or several.
 */
#include "cli/cli.h"
#include "data/checks.h"
#include "data/classes.h"
#include "infer/feature_tests.h"
#include "infer/procedures.h"
#include "rank/rank.h"
#include "study/report/rankings.h"

struct options {
    hs_load_options load;
    hs_list by;
    uint32_t top, draws;
    uint64_t seed;
    const char *output, *plot, *html;
    int tau, ties, names;
    bool csv, json, compare, p_values;
    hs_feature_tests tests;
};

static const hs_option table[] = {
    HS_OPTION(struct options, by, "by", "RANKER,...", NULL, 0, 0,
              "rankers and measures; the first one gives the order (default: auc)"),
    HS_OPTION(struct options, top, "top", "N", "25", 0, 268435456,
              "show only the N best features; 0 shows all"),
    HS_FLAG(
        struct options, p_values, "p-values",
        "also show the p-value of each feature and q, the smallest level at which it is rejected"),
    HS_FLAG(struct options, csv, "csv", "print CSV, with all digits"),
    HS_FLAG(struct options, json, "json", "print JSON"),
    HS_OUTPUT_FILE(struct options, output, "FILE", HS_WRITES, NULL,
                   "write to this file (.gz compresses) instead of standard output"),
    HS_NAMES(struct options),
    HS_OPTION_END};

static const hs_option compare_table[] = {
    HS_FLAG(struct options, compare, "compare",
            "compare rankers (default: those of the TBFS paper) by Kendall's tau instead of "
            "showing features; for several DATA also mean and standard deviation"),
    HS_CHOICE(struct options, tau, "tau", "b|a", "b",
              "tau-b on scores with their ties, or tau-a on orders without ties"),
    HS_CHOICE(struct options, ties, "ties", "index|weka", "index",
              "order of equal scores for tau-a: by index, or as in WEKA's Ranker"),
    HS_OPTION(struct options, draws, "draws", "N", "10", 0, 100000,
              "random matrices for each of several data sets, as a reference for distances"),
    HS_OPTION(struct options, seed, "seed", "N", "1", 0, 9007199254740992,
              "seed of random matrices, and of permutations for --p-values"),
    HS_TEXT(struct options, plot, "plot", "FILE.svg", NULL,
            "draw the matrix, or the mean of several, as a heat map, and write its data to "
            "FILE.tsv"),
    HS_FILE(struct options, html, "html", "FILE.html", HS_WRITES,
            "write a page with all matrices as heat maps"),
    HS_OPTION_END};

struct job {
    const hs_call *call;
    const struct options *options;
    hsel_dataset *data;
    hs_chosen_list rankers;
    double *scores;     /* [rankers * features] */
    double *p, *q;      /* [features]; NULL: not requested */
    const char *q_name; /* "q"; for p-values adjusted for terms below, "p_elim" */
    uint8_t *status;    /* [features]: hsel_p_status */
    bool infers;        /* the procedure rejects features because of others below them */
    /* of a ranking */
    uint32_t *place; /* [rankers * features]: from 1 */
    uint32_t *order; /* [features]: by the first ranker */
    uint32_t shown;
    /* of a comparison */
    hs_rankings rankings;
};

static void job_clear(struct job *job)
{
    hs_rankings_clear(&job->rankings);
    hs_chosen_list_clear(&job->rankers);
    hs_dataset_free(job->data);
}

/* p-values, and what the procedure makes of them. */
static int find_p_values(struct job *job, hs_arena *arena, hsel_error *error)
{
    const struct options *options = job->options;
    const char *adjust = options->tests.adjust;
    const uint32_t features = job->data->features;
    const bool local = hs_p_method_find(adjust) != HS_P_METHODS;
    const hs_procedure *procedure =
        local || strcmp(adjust, "max-t") == 0 || strcmp(adjust, "scan") == 0
            ? NULL
            : hs_procedure_find(adjust, error);
    HS_OWNS(hs_buf_clear) hs_buf chosen = {0};
    hsel_request request = hs_request(job->call, NULL, options->load.threads);
    request.seed = options->seed;
    hs_options_format(hs_feature_test_table, &options->tests, &chosen);
    job->q_name = local ? hs_say(job->call->doc, "p_%s", adjust) : "q";
    job->infers = procedure && procedure->infers && job->data->dag;
    HS_NEED(!chosen.failed && HS_LISTS(arena, job, HS_PART(job, p, features),
                                       HS_PART(job, q, features), HS_PART(job, status, features)));
    return hsel_p_values(job->data, &request, chosen.text, job->p, job->q, job->status, error);
}

/* Loads the data and scores their features, into memory of `arena`. */
static int score(struct job *job, const char *path, hs_arena *arena, hsel_error *error)
{
    const struct options *options = job->options;
    HS_TRY(hs_load_for(job->call, path, &options->load, &job->data, error));
    hs_note_unlabelled(job->call, job->data);
    if (options->p_values)
        HS_TRY(hs_check_classes(job->data, "--p-values", error));
    const size_t count = job->rankers.count, features = job->data->features;
    hsel_request request = hs_request(job->call, NULL, options->load.threads);
    request.seed = options->seed;
    request.rankers = hs_method_list_names(&job->rankers, job->call->arena);
    request.ranker_count = (uint32_t)count;
    HS_NEED(request.rankers &&
            (job->scores = hs_arena_zero(arena, count * features, sizeof(double))));
    HS_TRY(hsel_rank(job->data, &request, job->scores, error));
    if (options->p_values)
        HS_TRY(find_p_values(job, arena, error));
    hs_progress_end(job->call->show);
    return HSEL_OK;
}

/* ---- a ranking ---- */

static double value_of(const struct job *job, size_t ranker, uint32_t feature)
{
    return hs_ranker_value(job->rankers.items[ranker].method,
                           job->scores[ranker * job->data->features + feature]);
}

static uint32_t place_of(const struct job *job, size_t ranker, uint32_t feature)
{
    return job->place[ranker * job->data->features + feature];
}

static bool is_inherited(const struct job *job, uint32_t feature)
{
    return job->status[feature] & HSEL_P_INHERITED;
}

static void print_json(const struct job *job, hs_writer *out)
{
    const hsel_dataset *data = job->data;
    const size_t count = job->rankers.count;
    hs_json json = {.out = out};
    hs_json_put(&json, "{dataset:%s features:%u", hsel_dataset_name(data), data->features);
    hs_json_positive(&json, data);
    hs_json_put(&json, "rankers:[");
    for (size_t i = 0; i < count; i++)
        hs_json_text(&json, job->rankers.items[i].text);
    hs_json_put(&json, "] ranking:[");
    for (uint32_t row = 0; row < job->shown; row++) {
        uint32_t feature = job->order[row];
        hs_json_put(&json, "{feature:%s", hsel_dataset_feature_name(data, feature));
        hs_label_json(&json, &data->about, feature);
        hs_json_put(&json, "values:[");
        for (size_t i = 0; i < count; i++) {
            double value = value_of(job, i, feature);
            if (isinf(value)) /* JSON has no such number */
                hs_json_text(&json, value > 0 ? "inf" : "-inf");
            else
                hs_json_double(&json, value);
        }
        hs_json_put(&json, "] ranks:[");
        for (size_t i = 0; i < count; i++)
            hs_json_u64(&json, place_of(job, i, feature));
        hs_json_put(&json, "]");
        if (job->p)
            hs_json_put(&json, "p:%g %s:%g", job->p[feature], job->q_name, job->q[feature]);
        if (job->infers)
            hs_json_put(&json, "inherited:%d", is_inherited(job, feature));
        hs_json_put(&json, "}");
    }
    hs_json_put(&json, "]}");
}

/* Text or CSV: for each ranker its values, then its ranks. */
static int print_table(const struct job *job, hs_writer *out, hsel_error *error)
{
    const hs_about *about = &job->data->about;
    const size_t count = job->rankers.count;
    const bool csv = job->options->csv, labels = hs_has_labels(about);
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    hs_doc_grid text = {.doc = &doc, .columns = 1, .left = 1 + labels};
    HS_ROW(&text, "feature");
    if (labels)
        HS_ROW(&text, "label");
    for (size_t i = 0; i < count; i++)
        HS_ROW(&text, job->rankers.items[i].text,
               csv && count > 1 ? hs_say(&doc, "rank_%zu", i + 1) : "rank");
    if (job->p)
        HS_ROW(&text, "p", job->q_name);
    if (job->infers)
        HS_ROW(&text, "inherited");
    text.columns = text.used;
    for (uint32_t row = 0; row < job->shown; row++) {
        uint32_t feature = job->order[row];
        HS_ROW(&text, hsel_dataset_feature_name(job->data, feature));
        if (labels)
            hs_put_label(&text, hs_about_label(about, feature), csv);
        for (size_t i = 0; i < count; i++) {
            hs_put_number(&text, value_of(job, i, feature), 5, csv);
            hs_putf(&text, "%u", place_of(job, i, feature));
        }
        if (job->p) {
            hs_put_number(&text, job->p[feature], 3, csv);
            hs_put_number(&text, job->q[feature], 3, csv);
        }
        if (job->infers)
            HS_ROW(&text, is_inherited(job, feature) ? "yes" : "no");
        if (csv) { /* nothing is aligned: lines are written as they come */
            HS_TRY(hs_grid_csv(&text, out, error));
            hs_arena_reset(&doc.arena);
            text.used = text.capacity = 0;
        }
    }
    if (csv)
        return hs_grid_csv(&text, out, error);
    hs_writer_for_people(out);
    return hs_grid_print(&text, out, error);
}

static int rank(struct job *job, hsel_error *error)
{
    const struct options *options = job->options;
    hs_arena *arena = job->call->arena;
    HS_TRY(hs_method_list_parse(&options->by, HS_RANKER, HS_USUAL("auc"), &job->rankers, error));
    HS_TRY(score(job, job->call->arguments[0], arena, error));
    hs_hide_names(job->data, options->names);
    const uint32_t features = job->data->features;
    HS_NEED(HS_LISTS(arena, job, HS_PART(job, place, job->rankers.count * features),
                     HS_PART(job, order, features)));
    for (size_t i = job->rankers.count; i-- > 0;) { /* the first one last */
        hs_rank_order(job->scores + i * features, features, NULL, job->order);
        for (uint32_t place = 0; place < features; place++)
            job->place[i * features + job->order[place]] = place + 1;
    }
    job->shown = options->top && options->top < features ? options->top : features;
    hs_note_classes(job->call, job->data, NULL, false);
    if (job->shown < features)
        hs_note(job->call, "the best %u of %u features; --top 0 shows all", job->shown, features);
    HS_OPEN(out, options->output ? options->output : "-");
    if (options->json)
        print_json(job, out);
    else
        HS_TRY(print_table(job, out, error));
    return hs_writer_commit(hs_take(&out), error);
}

/* ---- comparing rankers by Kendall's tau ---- */

/* Ranks one data set after the other, so that only the scores of one are in memory. */
static int compare(struct job *job, hsel_error *error)
{
    static const char *const beside_plot[] = {".tsv", NULL};
    static const char *const paper[] = {"chi2", "gr",  "ig",  "relieff", "relieff-w", "su",
                                        "f",    "or",  "pow", "pr",      "gi",        "mi",
                                        "ks",   "dev", "gm",  "auc",     "prc",       NULL};
    const struct options *options = job->options;
    hs_arena *arena = job->call->arena;
    hs_rankings *rankings = &job->rankings;
    rankings->kind = options->tau == 0    ? HS_TAU_B
                     : options->ties == 0 ? HS_TAU_A_INDEX
                                          : HS_TAU_A_WEKA;
    if (options->plot)
        HS_TRY(hs_claim_written(job->call, options->plot, beside_plot, error));
    HS_TRY(hs_method_list_parse(&options->by, HS_RANKER, paper, &job->rankers, error));
    size_t count = job->rankers.count, sets = (size_t)job->call->count;
    HS_REFUSE(count < 2, "--compare needs two rankers or more: --by auc,ks");
    const char **names = HS_ARENA_NEW(arena, const char *, count);
    HS_OWNED const double **by = HS_NEW(const double *, count);
    HS_NEED(names && by && (rankings->data = hs_arena_zero(arena, sets, sizeof *rankings->data)));
    for (size_t i = 0; i < count; i++)
        names[i] = job->rankers.items[i].text;
    rankings->rankers = names;
    rankings->ranker_count = count;
    for (size_t d = 0; d < sets; d++) {
        HS_OWNS(hs_arena_clear) hs_arena scores = {0};
        HS_TRY(score(job, job->call->arguments[d], &scores, error));
        hs_ranked_data *set = &rankings->data[rankings->data_count++];
        const char *name = hsel_dataset_name(job->data);
        set->name = hs_arena_text(arena, name, strlen(name));
        set->features = job->data->features;
        set->matrix = HS_ARENA_NEW(arena, double, count *count);
        HS_NEED(set->name && set->matrix);
        for (size_t i = 0; i < count; i++)
            by[i] = job->scores + i * set->features;
        HS_TRY(hs_tau_matrix(by, count, set->features, rankings->kind, options->load.threads,
                             set->matrix, error));
        hs_dataset_free(hs_take(&job->data));
    }
    HS_TRY(
        hs_rankings_sum_up(rankings, options->draws, options->seed, options->load.threads, error));
    if (options->plot) { /* "maps/tau.svg": folder and name */
        hs_document *doc = job->call->doc;
        const char *path = options->plot, *name = hs_last_part(path),
                   *folder = name == path ? "." : hs_say(doc, "%.*s", (int)(name - path), path);
        HS_REFUSE(strlen(name) < 5 || !hs_ends_with(name, ".svg"),
                  "--plot needs a file that ends in .svg, not '%.200s'", name);
        name = hs_say(doc, "%.*s", (int)strlen(name) - 4, name);
        HS_TRY(hs_document_check(doc, error));
        HS_TRY(hs_rankings_heat_map(rankings, folder, name, error));
    }
    HS_OWNS(hs_document_clear) hs_document doc = {.title = "Agreement of rankers"};
    if (options->html || !(options->json || options->csv))
        HS_TRY(hs_rankings_show(rankings, false, &doc, error));
    if (options->html) {
        HS_OPEN(page, options->html);
        hs_write_html(&doc, page);
        HS_TRY(hs_writer_commit(hs_take(&page), error));
    }
    HS_OPEN(out, options->output ? options->output : "-");
    if (options->json) {
        hs_rankings_json(rankings, out);
    } else if (options->csv) {
        hs_rankings_csv(rankings, out);
    } else {
        hs_writer_for_people(out);
        HS_TRY(hs_write_text(&doc, out, error));
    }
    return hs_writer_commit(hs_take(&out), error);
}

static int rank_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(job_clear) struct job job = {.call = call, .options = options};
    return options->compare ? compare(&job, error) : rank(&job, error);
}

const hs_command hs_command_rank = {
    HS_COMMAND_IS(rank, "DATA…", "rank features by their relevance to the class", struct options),
    .first = "by top p-values adjust compare output csv json hierarchy class",
    .groups = {{"Options", table, 0},
               {"p-values", hs_feature_test_table, offsetof(struct options, tests)},
               {"Comparing rankers", compare_table, 0},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .flags = HS_WORKS | HS_WRITES_CSV,
};
