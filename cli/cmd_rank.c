/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel rank: the features by their relevance to the class, best first, by any number of rankers
 * side by side; or how alike the rankings of several rankers are, on one data set or several.
 */
#include "cli/cli.h"
#include "data/checks.h"
#include "data/classes.h"
#include "infer/p_values.h"
#include "rank/rank.h"
#include "study/report/rankings.h"
#include "infer/procedures.h"

struct options {
    hs_load_options load;
    hs_list by;
    uint32_t top, draws;
    uint64_t seed;
    const char *output, *plot, *html;
    int tau, ties, names;
    bool csv, json, compare;
    bool p_values;
    hs_p_options p;
    const char *adjust;
};

static const hs_option table[] = {
    HS_OPTION(struct options, by, "by", "RANKER,...", NULL, 0, 0,
              "rankers and measures; the first one gives the order (default: auc)"),
    HS_OPTION(struct options, top, "top", "N", "25", 0, 268435456,
              "show only the N best features; 0 shows all"),
    HS_FLAG(struct options, csv, "csv", "print CSV, with all digits"),
    HS_FLAG(struct options, json, "json", "print JSON"),
    HS_OUTPUT_FILE(struct options, output, "FILE", HS_WRITES, NULL,
                   "write to this file (.gz compresses) instead of standard output"),
    HS_NAMES(struct options),
    HS_OPTION_END};

static const hs_option p_table[] = {
    HS_FLAG(struct options, p_values, "p-values",
            "also show the p-value of each feature and q, the level at which it is rejected among "
            "all features"),
    HS_P_TEST_OPTIONS(struct options),
    HS_FLAG(struct options, p.means, "means",
            "numeric features: Welch's t instead of ranks (Mann-Whitney, Kruskal-Wallis)"),
    HS_TEXT(struct options, adjust, "adjust", "NAME", "bh",
            "procedure for q: bh, by, holm, or one on the hierarchy (hsel help test; with "
            "structured-holm a column marks what is inherited from a term below); max-t: "
            "family-wise error by permutations (Westfall-Young, step-down). elim, weight01, "
            "weight01-topgo (as topGO computes it) and weight give an unadjusted column p_NAME "
            "instead: the p-value of a term, adjusted for the terms below it"),
    HS_OPTION_END};

static const hs_option compare_table[] = {
    HS_FLAG(struct options, compare, "compare",
            "compare rankers (default: those of the TBFS paper) by Kendall's tau instead of "
            "showing features; of several DATA also mean and spread"),
    HS_CHOICE(struct options, tau, "tau", "b|a", "b",
              "tau-b on scores with their ties, or tau-a on orders without ties"),
    HS_CHOICE(struct options, ties, "ties", "index|weka", "index",
              "order of equal scores for tau-a: by index, or as WEKA's Ranker has them"),
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
    bool *inherited;    /* [features]; NULL: the procedure does not infer */
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

/* "3 covariates are not tested", of one " is", of several "s are"; nothing of none. */
static void note_some(const struct job *job, uint32_t count, const char *what, const char *one,
                      const char *several, const char *rest)
{
    if (count)
        hs_note(job->call, "%u %s%s%s", count, what, count == 1 ? one : several, rest);
}

static int note_tests(const struct job *job, const hs_p_sample *sample, hsel_error *error)
{
    const hs_call *call = job->call;
    if (sample->stratified && sample->left_out)
        hs_note(call, "p-values within %u strata; instances without stratum, left out: %u",
                sample->strata, sample->left_out);
    else if (sample->stratified)
        hs_note(call, "p-values within %u strata", sample->strata);
    if (sample->exchange.grouped && !sample->options.permutations)
        hs_note(call, "p-values assume independent instances, even within a group: --permutations "
                      "respects groups");
    else if (sample->exchange.grouped)
        hs_note(call, "%s",
                sample->exchange.between
                    ? "all instances of a group have the same class: whole groups are permuted"
                    : "classes are permuted within groups");
    if (sample->options.permutations && sample->exchange.fixed)
        hs_note(call, "%u of %u instances cannot be permuted: %s", sample->exchange.fixed,
                sample->count,
                sample->exchange.between ? "no other group has the size of theirs"
                                         : "all instances of their group have the same class");
    if (job->options->p.tail == HS_TAIL_BOTH)
        return HSEL_OK;
    if (job->data->numeric_count)
        hs_note(call, "--tail is for binary features: numeric ones are tested on both sides");
    if (sample->classes > 2)
        hs_note(call, "--tail compares %s with all other classes; --positive CLASS changes it",
                hsel_dataset_class_name(job->data, job->data->positive_class));
    return hs_document_check(call->doc, error);
}

/* p-values of all features but covariates, and what the procedure makes of those that have one. */
static int find_p_values(struct job *job, hs_arena *arena, hsel_error *error)
{
    const struct options *options = job->options;
    const hsel_dataset *data = job->data;
    const uint32_t features = data->features;
    const bool max_t = strcmp(options->adjust, "max-t") == 0;
    const hs_p_method method = hs_p_method_find(options->adjust);
    const bool local = method != HS_P_METHODS;
    const hs_procedure *procedure =
        max_t || local ? NULL : hs_procedure_find(options->adjust, error);
    HS_OWNS(hs_p_sample_clear) hs_p_sample sample = {0};
    HS_OWNS(hs_dag_release) hsel_dag *part = NULL;
    HS_OWNS(hs_counts_clear) hs_counts counts = {0};
    HS_OWNED uint32_t *rows = NULL, *all = HS_NEW(uint32_t, features);
    HS_OWNED bool *tested = HS_NEW_ZERO(bool, features), *rejected = HS_NEW(bool, features);
    HS_OWNED double *of_tested = HS_NEW(double, features), *adjusted = HS_NEW(double, features);
    HS_OWNED uint8_t *kind = HS_NEW(uint8_t, features);
    hs_training training = {
        .counts = &counts, .seed = options->seed, .threads = options->load.threads};
    uint32_t asked = 0, count = 0, of_kind[HS_P_KINDS] = {0}, rough[2] = {0};
    job->p = HS_ARENA_NEW(arena, double, features);
    job->q = HS_ARENA_NEW(arena, double, features);
    job->q_name = local ? hs_say(job->call->doc, "p_%s", options->adjust) : "q";
    HS_TRY(procedure || max_t || local ? HSEL_OK : HSEL_EUSAGE);
    HS_NEED(kind && tested && rejected && all && of_tested && adjusted && job->p && job->q);
    HS_REFUSE(local && !data->dag, "%s needs a hierarchy: give --hierarchy FILE", options->adjust);
    HS_REFUSE(local && data->numeric_count, "%s is for binary features, but %u are numeric",
              options->adjust, data->numeric_count);
    HS_REFUSE(local && options->p.permutations, "%s has no permutations", options->adjust);
    HS_TRY(hs_view_labelled(data, &rows, &training.view, error));
    HS_TRY(hs_counts_of(&training.view, &counts, error));
    training.progress = hs_progress_begin(job->call, NULL);
    HS_TRY(hs_p_sample_init(&training, &options->p, &sample, error));
    HS_TRY(note_tests(job, &sample, error));
    for (uint32_t f = 0; f < features; f++) {
        job->p[f] = job->q[f] = (double)NAN;
        if (!hs_is_covariate(data, f))
            all[asked++] = f;
    }
    HS_TRY(hs_p_of_features(&sample, all, asked, of_tested, adjusted, kind, error));
    for (uint32_t i = 0; i < asked; i++) {
        const uint32_t f = all[i];
        of_kind[kind[i]]++;
        rough[data->types[f] == HSEL_NUMERIC] += kind[i] == HS_P_ROUGH;
        tested[f] = hs_p_is_tested(kind[i]) || (local && !isnan(of_tested[i]));
        if (!tested[f]) /* no p either: hsel test, given this table, has the same hypotheses */
            continue;
        job->p[f] = of_tested[i];
        job->q[f] = adjusted[i];
        all[count] = f;
        of_tested[count++] = job->p[f];
    }
    note_some(job, features - asked, "covariate", " is", "s are", " not tested");
    note_some(job, of_kind[HS_P_NOMINAL], "nominal feature", " has", "s have", " no p-value");
    note_some(job, local ? 0 : of_kind[HS_P_CONSTANT], "constant feature", " is", "s are",
              " not counted among the hypotheses");
    note_some(job, rough[0], "feature", " is", "s are",
              " too rare for this test (an expected count below 5): p-values may be far too small; "
              "--test fisher is exact");
    note_some(job, rough[1], "numeric feature", "", "s",
              ": too many arrangements to count for an exact test, so p is that of the normal "
              "distribution and may be too small; --permutations 10000 counts random ones");
    note_some(
        job, of_kind[HS_P_DRAWN], "feature", "", "s",
        ": too many tables for an exact test of more than two classes, so p is estimated from "
        "up to 100,000 random ones");
    note_some(job, of_kind[HS_P_RARE], "feature", " is", "s are",
              hs_say(job->call->doc,
                     " not tested: present in fewer than %u of %u instances; --min-present 0 tests "
                     "all",
                     hs_p_least(&sample), sample.count));
    if (max_t)
        return HSEL_OK;
    if (data->dag)
        HS_TRY(hs_dag_subset(data->dag, tested, &part, error));
    const hs_hypotheses h = {.p = of_tested, .count = count, .dag = part, .alpha = 1};
    HS_TRY(local ? hs_p_local(&sample, part, all, method, 0.01, adjusted, error)
                 : hs_procedure_run(procedure, &h, rejected, adjusted, error));
    const bool infers = procedure && procedure->infers && part;
    if (infers) {
        HS_NEED(job->inherited = hs_arena_zero(arena, features, sizeof *job->inherited));
        HS_TRY(hs_inherited(procedure, &h, adjusted, rejected, error));
    }
    for (uint32_t i = 0; i < count; i++) {
        job->q[all[i]] = adjusted[i];
        if (infers)
            job->inherited[all[i]] = rejected[i];
    }
    return HSEL_OK;
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
        if (job->inherited)
            hs_json_put(&json, "inherited:%d", job->inherited[feature]);
        hs_json_put(&json, "}");
    }
    hs_json_put(&json, "]}");
}

/* As text or CSV: each ranker has its values and then its ranks. */
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
    if (job->inherited)
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
        if (job->inherited)
            HS_ROW(&text, job->inherited[feature] ? "yes" : "no");
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
    job->place = HS_ARENA_NEW(arena, uint32_t, job->rankers.count * features);
    job->order = HS_ARENA_NEW(arena, uint32_t, features);
    HS_NEED(job->place && job->order);
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

/* Data sets are ranked one after the other, so that the scores of one at a time are in memory. */
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
               {"p-values", p_table, 0},
               {"Comparing rankers", compare_table, 0},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .flags = HS_WORKS | HS_WRITES_CSV,
};
